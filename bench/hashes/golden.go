package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// write writes the file of hashes.
func write(golden string, lines []line) error {
	var out strings.Builder
	out.WriteString("# Hashes of outputs, written by \"make hashes UPDATE=1\" and compared by \"make hashes\".\n# A page has the hashes of:")
	for _, f := range formats {
		out.WriteString(" " + f.name)
	}
	out.WriteByte('\n')
	for _, l := range lines {
		fmt.Fprintln(&out, l.subject, strings.Join(l.hashes, " "))
	}
	return os.WriteFile(golden, []byte(out.String()), 0o644)
}

// read returns the hashes of the file by subject.
func read(golden string) (map[string][]string, error) {
	raw, err := os.ReadFile(golden)
	if err != nil {
		return nil, err
	}
	out := make(map[string][]string)
	for row := range strings.Lines(string(raw)) {
		fields := strings.Fields(row)
		if len(fields) >= 3 && fields[0] != "#" {
			out[fields[0]+" "+fields[1]] = fields[2:]
		}
	}
	return out, nil
}

// compare prints what differs from the file, and fails when something does.
func compare(golden string, lines []line) error {
	want, err := read(golden)
	if err != nil {
		return err
	}
	total, differ := 0, make(map[string][]string) // by kind: a format, or the first word of the subject
	kinds := []string{}
	note := func(kind, what string) {
		if differ[kind] == nil {
			kinds = append(kinds, kind)
		}
		differ[kind] = append(differ[kind], what)
		total++
	}
	took := make(map[string]bool) // kinds that this run has
	for _, l := range lines {
		kind, name, _ := strings.Cut(l.subject, " ")
		took[kind] = true
		was, ok := want[l.subject]
		delete(want, l.subject)
		switch {
		case !ok:
			note(kind, name+" (new)")
		case kind == "page" && len(was) == len(l.hashes):
			for i, f := range formats {
				if was[i] != l.hashes[i] {
					note(f.name, name)
				}
			}
		case kind == "snapshot" && (was[0] == unstable || l.hashes[0] == unstable):
			fmt.Printf("%s is not compared: the page gives a new snapshot each time\n", l.subject)
		case !slices.Equal(was, l.hashes):
			note(kind, name)
		}
	}
	for subject := range want {
		if kind, name, _ := strings.Cut(subject, " "); took[kind] {
			note(kind, name+" (gone)")
		}
	}
	for _, kind := range kinds {
		slices.Sort(differ[kind])
		fmt.Printf("%s: %d differ: %s\n", kind, len(differ[kind]), listed(differ[kind]))
	}
	if total > 0 {
		return errors.New("outputs differ from " + golden + ": if they are meant to, run make hashes UPDATE=1 and commit the file")
	}
	fmt.Printf("%d lines, no difference\n", len(lines))
	return nil
}

// listed names the first of many.
func listed(names []string) string {
	const most = 40
	if len(names) <= most {
		return strings.Join(names, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], " "), len(names)-most)
}
