// Command tally reads the output of go test -json and prints a summary: failed
// tests with their output, skipped tests with their reason, a line for each
// package, the failures once more, and as the last line the count:
//
//	612 passed, 0 failed, 3 skipped
//
// With -failed FILE, the failed tests are written to FILE, a line "package name" for each, if
// they are so few that a busy machine may be the cause, which delays a browser or a server by
// more than a test can wait. What the race detector finds, a panic and an exceeded time limit
// are never written.
//
// A package that fails without a failing test (it does not build, it panics, it
// exceeds the time limit) counts as one failure. The exit status is 1 when
// something failed or when no test ran.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// fewFailed is up to how many failed tests may be those of a busy machine.
const fewFailed = 3

func main() {
	file := flag.String("failed", "", "`FILE` for the failed tests, if they are few")
	flag.Parse()
	var few strings.Builder
	ok := tally(os.Stdin, os.Stdout, &few)
	if *file != "" {
		if err := os.WriteFile(*file, []byte(few.String()), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	if !ok {
		os.Exit(1)
	}
}

// event is one line of go test -json (go doc test2json); build events have
// ImportPath instead of Package.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// tally reads events from r and writes the summary to w, and to few the failed tests if they
// are few. It reports whether all is well.
func tally(r io.Reader, w, few io.Writer) bool {
	type key struct{ pkg, test string }
	output := make(map[key]*strings.Builder)
	failedIn := make(map[string]int)
	passed, failed, skipped := 0, 0, 0
	var failures strings.Builder
	var again []string
	certain := false // something failed that no busy machine explains
	failure := func(name, said string) {
		if strings.TrimSpace(said) == "" {
			said = "no reason was printed\n"
		}
		fmt.Fprintf(w, "%s", said)
		fmt.Fprintf(&failures, "FAIL %s\n%s", name, said)
		certain = certain || strings.Contains(said, "DATA RACE") || strings.Contains(said, "race detected") || strings.Contains(said, "panic: ")
	}

	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				w.Write(line) // a message of the go command itself
				continue
			}
			if e.Package == "" {
				e.Package = e.ImportPath
			}
			k := key{e.Package, e.Test}
			switch e.Action {
			case "output":
				if strings.HasPrefix(e.Output, "=== ") {
					continue // RUN, PAUSE, CONT and NAME lines are for test2json
				}
				if output[k] == nil {
					output[k] = new(strings.Builder)
				}
				output[k].WriteString(e.Output)
				continue
			case "build-output":
				io.WriteString(w, e.Output)
				continue
			}
			said := ""
			if b := output[k]; b != nil {
				said = b.String()
			}
			switch {
			case e.Test == "" && e.Action == "fail":
				if failedIn[e.Package] == 0 {
					failed++
					for other, b := range output { // output of tests that did not finish
						if other.pkg == e.Package && other.test != "" {
							said += fmt.Sprintf("%s: %s", other.test, b)
						}
					}
					failure(e.Package, said)
					certain = true
				} else {
					fmt.Fprintf(w, "%s", said)
				}
			case e.Test == "" && e.Action == "pass":
				fmt.Fprintf(w, "ok    %s  %.1fs\n", e.Package, e.Elapsed)
			case e.Action == "pass":
				passed++
			case e.Action == "fail":
				failed++
				failedIn[e.Package]++
				failure(e.Package+" "+e.Test, said)
				if !strings.Contains(e.Test, "/") {
					again = append(again, e.Package+" "+e.Test+"\n")
				}
			case e.Action == "skip" && e.Test != "":
				skipped++
				fmt.Fprintf(w, "%s", said)
			}
			switch e.Action {
			case "pass", "fail", "skip":
				delete(output, k)
			}
		}
		if err != nil {
			break
		}
	}
	if passed+failed == 0 {
		fmt.Fprintln(w, "no test ran")
	}
	if !certain && len(again) <= fewFailed {
		io.WriteString(few, strings.Join(again, ""))
	}
	fmt.Fprintf(w, "%s%d passed, %d failed, %d skipped\n", failures.String(), passed, failed, skipped)
	return failed == 0 && passed > 0
}
