package testweb_test

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"text/tabwriter"
)

// TestWidgets does tasks with component libraries of other people (make widgets, which
// bundles them into SPYHOP_WIDGETS). A file NAME.tasks has the name of the library in
// its first line, after "# ", and then tasks: a line with a name, and indented steps,
// as in TestTasks. Steps after a line "or" are a second way. A task that only the
// second way solves is awkward; so is a library with such a task.
func TestWidgets(t *testing.T) {
	dir := os.Getenv("SPYHOP_WIDGETS")
	if dir == "" {
		t.Skip("make widgets runs this test")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.tasks"))
	if err != nil || len(files) == 0 {
		t.Fatal("no tasks in ", dir, err)
	}
	pages := make(map[string]string)
	var all []library
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".tasks")
		l := readLibrary(t, file)
		l.path = "/widgets/" + name + ".html"
		pages[l.path] = fmt.Sprintf(`<!doctype html><meta charset=utf-8><title>%s</title><link rel=stylesheet href=%[2]s.css><div id=root></div><script src=%[2]s.js></script>`, l.name, name)
		all = append(all, l)
	}
	w := newWeb(t, pages)
	w.files = http.StripPrefix("/widgets/", http.FileServer(http.Dir(filepath.Join(dir, "out"))))
	only := os.Getenv("SPYHOP_WIDGET")
	t.Run("all", func(t *testing.T) {
		for i := range all {
			l := &all[i]
			if only != "" && !strings.Contains(l.path, only) {
				continue
			}
			t.Run(l.name, func(t *testing.T) {
				t.Parallel()
				for j := range l.tasks {
					l.tasks[j].try(t, w, l.path)
				}
			})
		}
	})
	report(t, all)
}

// A library is one package of components and the tasks with it.
type library struct {
	name, path string
	tasks      []widgetTask
}

// A widgetTask is solved by its first way, its second, or not.
type widgetTask struct {
	name    string
	ways    [][]string
	outcome string
	why     string
}

func readLibrary(t *testing.T, file string) library {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var l library
	for s := range strings.Lines(string(data)) {
		s = strings.TrimRight(s, "\n")
		step, indented := strings.CutPrefix(s, "\t")
		switch {
		case strings.HasPrefix(s, "# "):
			l.name = s[2:]
		case s == "":
		case !indented:
			l.tasks = append(l.tasks, widgetTask{name: s, ways: [][]string{nil}})
		case step == "or":
			last := &l.tasks[len(l.tasks)-1]
			last.ways = append(last.ways, nil)
		default:
			last := &l.tasks[len(l.tasks)-1]
			n := len(last.ways) - 1
			last.ways[n] = append(last.ways[n], step)
		}
	}
	return l
}

// Outcomes of a task and of a library.
const (
	works   = "works"
	awkward = "awkward"
	fails   = "fails"
)

func (k *widgetTask) try(t *testing.T, w *web, path string) {
	for i, steps := range k.ways {
		trial := &trial{TB: t}
		done := make(chan struct{})
		go func() { // which a step that fails ends
			defer close(done)
			a := w.agent(trial)
			defer trial.end()
			a.open(path)
			for _, s := range steps {
				a.step(s)
			}
			if trial.failed != "" {
				trial.failed += "\nthe last answer:\n" + a.text
			}
		}()
		<-done
		if trial.failed == "" {
			k.outcome = []string{works, awkward}[min(i, 1)]
			return
		}
		k.why = cmp.Or(k.why, trial.failed)
	}
	k.outcome = fails
}

// A trial is a task that may fail without failing the test.
type trial struct {
	testing.TB
	failed string
	ends   []func()
}

func (r *trial) Cleanup(f func()) { r.ends = append(r.ends, f) }

func (r *trial) end() {
	for _, f := range r.ends {
		f()
	}
}

func (r *trial) Errorf(format string, args ...any) { r.failed += fmt.Sprintf(format, args...) + "\n" }

func (r *trial) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *trial) Fatal(args ...any) { r.Fatalf("%s", fmt.Sprint(args...)) }

// Logf says what happens only where one library is looked at.
func (r *trial) Logf(format string, args ...any) {
	if os.Getenv("SPYHOP_WIDGET") != "" {
		r.TB.Logf(format, args...)
	}
}

// report prints a line for each library.
func report(t *testing.T, all []library) {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	count := make(map[string]int)
	tasks, solved := 0, 0
	for _, l := range all {
		worst, good := works, 0
		var rest []string
		for _, k := range l.tasks {
			switch {
			case k.outcome == "":
				continue
			case k.outcome == works:
				good++
				continue
			case k.outcome == fails || worst == works:
				worst = k.outcome
			}
			rest = append(rest, k.name+": "+k.outcome)
		}
		if good+len(rest) == 0 {
			continue
		}
		count[worst]++
		tasks += len(l.tasks)
		solved += good
		fmt.Fprintf(table, "%s\t%s\t%d of %d\t%s\n", l.name, worst, good, len(l.tasks), strings.Join(rest, "; "))
	}
	_ = table.Flush()
	fmt.Printf("%s%d libraries work, %d are awkward, %d fail; %d of %d tasks\n", b.String(), count[works], count[awkward], count[fails], solved, tasks)
	for _, l := range all {
		for _, k := range l.tasks {
			if k.outcome == fails {
				t.Errorf("%s, %s: %s", l.name, k.name, k.why)
			}
		}
	}
}
