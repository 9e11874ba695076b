package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// metaFigures are the scores of one metadata field over the pages whose ground
// truth has it. Invented counts the other pages for which the tool returned a
// value; that is not always an error, because the ground truth is incomplete.
type metaFigures struct {
	Pages    int `json:"pages"`
	Right    int `json:"right"`
	Wrong    int `json:"wrong"`
	Missing  int `json:"missing"`
	Invented int `json:"invented"`
}

func (f *metaFigures) add(got, want string, same func(got, want string) bool) {
	switch {
	case want == "" && got != "":
		f.Invented++
	case want == "":
	case got == "":
		f.Pages++
		f.Missing++
	case same(got, want):
		f.Pages++
		f.Right++
	default:
		f.Pages++
		f.Wrong++
	}
}

// sameTitle reports whether two titles have the same words.
func sameTitle(got, want string) bool {
	return slices.Equal(words(got), words(want))
}

// sameAuthor compares the names as a set, without regard to order, separators,
// accents and dots.
func sameAuthor(got, want string) bool {
	set := func(s string) []string {
		s = strings.NewReplacer(" and ", ",", " & ", ",", ";", ",", "|", ",").Replace(lower(s))
		var names []string
		for name := range strings.SplitSeq(s, ",") {
			name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }), " ")
			if name != "" {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	return slices.Equal(set(got), set(want))
}

// sameDate reports whether two dates are on the same day.
func sameDate(got, want string) bool {
	day := func(s string) string { return s[:min(len(s), 10)] }
	return day(got) == day(want)
}

// scoreMetadata runs the metadata readers over the pages.
func scoreMetadata(pages []sample, n int) ([]*result, error) {
	var out []*result
	fields := make([]map[string]*metaFigures, n)
	for i := range n {
		fields[i] = map[string]*metaFigures{"title": {}, "author": {}, "date": {}}
	}
	for _, p := range pages {
		body, err := readPage(p.file)
		if err != nil {
			return nil, err
		}
		for i := range n {
			got, _ := readers[i].read(body, p.address)
			fields[i]["title"].add(got.title, p.meta.title, sameTitle)
			fields[i]["author"].add(got.author, p.meta.author, sameAuthor)
			fields[i]["date"].add(got.date, p.meta.date, sameDate)
			if i == 0 && showMeta != nil {
				showMeta(p, got)
			}
		}
	}
	for i := range n {
		r := newResult(readers[i].name)
		r.Meta = make(map[string]metaFigures)
		for k, f := range fields[i] {
			r.Meta[k] = *f
		}
		out = append(out, r)
	}
	return out, nil
}

// showMeta, when set, is called with each page and what the engine read.
var showMeta func(p sample, got metadata)

func printMetadata(w io.Writer, results []*result) {
	fmt.Fprintf(w, "%-24s %-7s %6s %6s %6s %8s %9s %9s\n", "metadata", "field", "pages", "right", "wrong", "missing", "right %", "invented")
	for _, field := range [...]string{"title", "author", "date"} {
		for _, r := range results {
			f := r.Meta[field]
			fmt.Fprintf(w, "%-24s %-7s %6d %6d %6d %8d %9.1f %9d\n",
				r.Tool, field, f.Pages, f.Right, f.Wrong, f.Missing, 100*mean(float64(f.Right), f.Pages), f.Invented)
		}
	}
}
