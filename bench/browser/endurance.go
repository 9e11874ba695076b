package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// endurance reads many pages with one server and prints its memory.
func endurance(program, data string, ids []string, n int) error {
	if program == "" {
		return errors.New("--spyhop is missing: give the path of the program")
	}
	site := httptest.NewServer(corpus(data))
	defer site.Close()
	dir, err := os.MkdirTemp("", "endurance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, round := range []struct {
		name   string
		apart  bool
		killed bool
	}{{"one context", false, false}, {"contexts of their own", true, true}} {
		s, err := newSpyhop(program, "TMPDIR="+dir, "WEB_DATA_DIR="+filepath.Join(dir, "data"), "WEB_DOMAIN_ALLOWLIST=127.0.0.1")
		if err != nil {
			return err
		}
		groups, profiles := make(map[int]bool), make(map[string]bool)
		fmt.Printf("%d pages in %s:\n", n, round.name)
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(table, "pages\tserver RSS MiB\tits descriptors\tits threads\tbrowser PSS MiB\tits processes\tms a page\t")
		const first = "c1"
		start := time.Now()
		for i := 1; i <= n; i++ {
			args := map[string]any{"context": first, "url": site.URL + "/" + ids[i%len(ids)]}
			if round.apart && i > 1 { // the first context stays open, and keeps the browser running
				args["context"] = "c" + strconv.Itoa(i)
			}
			if _, err := s.tool("navigate_to_url", args); err != nil {
				return err
			}
			if _, err := s.tool("browser_snapshot", map[string]any{"context": args["context"]}); err != nil {
				return err
			}
			if args["context"] != first {
				if _, err := s.tool("close_browser", map[string]any{"context": args["context"]}); err != nil {
					return err
				}
			}
			if i == n/10 || i%max(n/4, 1) == 0 {
				// Open a small page first, so that the last page is not measured.
				if _, err := s.tool("navigate_to_url", map[string]any{"url": site.URL + "/small", "context": first}); err != nil {
					return err
				}
				pid := s.cmd.Process.Pid
				all := processes(s.cmd.Process.Pid, groups, profiles)
				pss := 0
				for _, p := range all {
					pss += field(p, "smaps_rollup", "Pss:")
				}
				fds, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
				fmt.Fprintf(table, "%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", i, field(pid, "status", "VmRSS:")>>10, len(fds), field(pid, "status", "Threads:"),
					pss>>10, len(all), time.Since(start).Milliseconds()/int64(i))
			}
		}
		_ = table.Flush()
		how := "ended"
		if round.killed {
			how = "was killed"
			_ = s.cmd.Process.Kill()
		}
		s.close()
		// Processes that end by themselves may need a moment.
		for end := time.Now().Add(5 * time.Second); len(processes(s.cmd.Process.Pid, groups, profiles)) > 0 && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
		maps.DeleteFunc(profiles, func(dir string, _ bool) bool { _, err := os.Stat(dir); return err != nil })
		fmt.Printf("left when it %s: %d processes, %d folders\n", how, len(processes(s.cmd.Process.Pid, groups, profiles)), len(profiles))
	}
	return nil
}

// processes returns the processes in the groups of a server's browsers. groups keeps
// the groups that were found earlier, profiles the folders of the browsers.
func processes(server int, groups map[int]bool, profiles map[string]bool) []int {
	all := make(map[int]int)
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range lines {
		b, err := os.ReadFile(f)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err != nil || len(b) == 0 { // the process has ended
			continue
		}
		if all[pid], err = syscall.Getpgid(pid); err != nil || field(pid, "status", "PPid:") != server {
			continue
		}
		if _, rest, ok := bytes.Cut(b, []byte("--user-data-dir=")); ok {
			profile, _, _ := bytes.Cut(rest, []byte{0})
			groups[all[pid]], profiles[filepath.Dir(string(profile))] = true, true
		}
	}
	maps.DeleteFunc(all, func(_, group int) bool { return !groups[group] })
	return slices.Collect(maps.Keys(all))
}

// field is a number from a file of /proc, or 0 when the file does not have it.
func field(pid int, file, name string) int {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	words := strings.Fields(string(b))
	if i := slices.Index(words, name); i >= 0 && i+1 < len(words) {
		n, _ := strconv.Atoi(words[i+1])
		return n
	}
	return 0
}
