package testweb_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// TestTasks solves small tasks by tool calls alone. A step names a control as
// the page does; its ref is taken from what the tools have answered. The page
// says in the end whether it was solved.
func TestTasks(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no tasks", err)
	}
	type task struct{ name, path, steps string }
	var tasks []task
	pages := make(map[string]string)
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(a.Files); i += 2 {
			page, steps := a.Files[i], a.Files[i+1]
			name, ok := strings.CutSuffix(page.Name, ".html")
			if !ok || steps.Name != name+".steps" {
				t.Fatalf("%s: %s is followed by %s", file, page.Name, steps.Name)
			}
			path := fmt.Sprintf("/%d.html", len(tasks))
			pages[path] = "<!doctype html><title>" + name + "</title>\n<body>" + string(page.Data)
			tasks = append(tasks, task{strings.TrimSuffix(filepath.Base(file), ".txtar") + "/" + name, path, string(steps.Data)})
		}
	}
	w := newWeb(t, pages)
	var mu sync.Mutex
	ran, solved, calls, tokens := 0, 0, 0, 0
	var spent []time.Duration
	t.Run("all", func(t *testing.T) {
		for _, k := range tasks {
			t.Run(k.name, func(t *testing.T) {
				t.Parallel()
				steps, own := strings.CutPrefix(k.steps, "own context\n")
				agentFor := w.agent
				if own {
					agentFor = w.alone
				}
				a := agentFor(t)
				a.open(k.path)
				for step := range strings.Lines(steps) {
					a.step(strings.TrimSpace(step))
				}
				var done any
				a.truth(verdict, &done)
				mu.Lock()
				defer mu.Unlock()
				spent = append(spent, a.spent...)
				ran, calls, tokens = ran+1, calls+a.calls, tokens+a.tokens
				if done != true {
					t.Errorf("not solved: %v; the page at the beginning:\n%s\nand the last answer:\n%s", done, a.page, a.text)
					return
				}
				solved++
			})
		}
	})
	slices.Sort(spent)
	t.Logf("%d of %d tasks solved with %.1f calls and %d tokens a task; %d actions, %v at the median, %v at most", solved, ran,
		float64(calls)/float64(ran), tokens/ran, len(spent), spent[len(spent)/2].Round(time.Millisecond), spent[len(spent)-1].Round(time.Millisecond))
}

// verdict is what the page says in the end. Some pages know it a moment after the
// last step, as when they have to read a file first.
const verdict = `await new Promise(say => {
	const end = Date.now() + 3000;
	const look = () => window.solved || Date.now() > end ? say(window.solved) : setTimeout(look, 20);
	look();
})`

// truthScript waits until an expression of the page is true.
const truthScript = `await new Promise(say => {
	const end = Date.now() + 3000;
	const look = () => { let ok; try { ok = !!(%s); } catch {} ok || Date.now() > end ? say(!!ok) : setTimeout(look, 30); };
	look();
})`

// step does one line of a task.
func (a *agent) step(line string) {
	a.t.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	name, value, _ := strings.Cut(rest, " = ")
	switch verb {
	case "click":
		if name, with, ok := strings.Cut(rest, " with "); ok {
			a.must("browser_click", "ref", a.ref(name), "modifiers", []string{with})
			return
		}
		a.must("browser_click", "ref", a.ref(rest))
	case "fails":
		_, name, _ := strings.Cut(rest, " ")
		if a.call("browser_click", "ref", a.ref(name)) == nil {
			a.t.Errorf("%s: no error", line)
		}
	case "off":
		if a.call("browser_select_option", "ref", a.ref(name), "values", []string{value}) == nil {
			a.t.Errorf("%s: no error", line)
		}
	case "keep":
		a.kept = a.ref(rest)
	case "stale":
		// The ref that was kept is not to reach anything now.
		if a.call("browser_click", "ref", a.kept) == nil || !strings.Contains(a.text, "stale") {
			a.t.Errorf("a click on %s: %s", a.kept, a.text)
		}
	case "again":
		a.must("browser_click", "ref", a.kept)
	case "kept":
		a.must("browser_type", "ref", a.kept, "text", rest, "submit", true)
	case "double":
		a.must("browser_click", "ref", a.ref(rest), "double", true)
	case "right":
		a.must("browser_click", "ref", a.ref(rest), "button", "right")
	case "hover":
		a.must("browser_hover", "ref", a.ref(rest))
	case "type":
		a.must("browser_type", "ref", a.ref(name), "text", strings.ReplaceAll(value, `\n`, "\n"))
	case "refuses":
		if a.call("browser_type", "ref", a.ref(name), "text", value) == nil {
			a.t.Errorf("%s: no error", line)
		}
	case "slowly":
		a.must("browser_type", "ref", a.ref(name), "text", value, "slowly", true)
	case "submit":
		a.must("browser_type", "ref", a.ref(name), "text", value, "submit", true)
	case "form":
		var fields []any
		for f := range strings.SplitSeq(rest, "; ") {
			name, value, _ := strings.Cut(f, " = ")
			fields = append(fields, map[string]string{"ref": a.ref(name), "value": value})
		}
		a.must("browser_fill_form", "fields", fields)
	case "select":
		a.must("browser_select_option", "ref", a.ref(name), "values", strings.Split(value, " | "))
	case "upload":
		a.must("browser_upload_file", "ref", a.ref(name), "paths", strings.Split(value, " | "))
	case "press":
		if key, in, ok := strings.Cut(rest, " in "); ok {
			a.must("browser_press_key", "key", key, "ref", a.ref(in))
			return
		}
		a.must("browser_press_key", "key", rest)
	case "drag":
		from, to, _ := strings.Cut(rest, " -> ")
		a.must("browser_drag", "from", a.ref(from), "to", a.ref(to))
	case "mouse":
		// mouse NAME | 10,10 20,30 | 500: a path, and how long the button is held.
		parts := strings.Split(rest, " | ")
		args := []any{"ref", a.ref(parts[0]), "path", strings.Fields(parts[1])}
		if len(parts) > 2 {
			hold, _ := strconv.Atoi(parts[2])
			args = append(args, "hold_ms", hold)
		}
		a.must("browser_mouse", args...)
	case "resize":
		if w, h, ok := strings.Cut(rest, "x"); ok && w != "" && w[0] < 'a' {
			width, _ := strconv.Atoi(w)
			height, _ := strconv.Atoi(h)
			a.must("browser_resize", "width", width, "height", height)
			return
		}
		a.must("browser_resize", "media", rest)
	case "scroll":
		if rest == "bottom" {
			a.must("browser_scroll", "direction", rest)
			return
		}
		m := regexp.MustCompile(`^(.*) (up|down|top|bottom)(?: (\d+))?$`).FindStringSubmatch(rest)
		n, _ := strconv.Atoi(m[3])
		a.must("browser_scroll", "ref", a.ref(m[1]), "direction", m[2], "amount", max(n, 1))
	case "find":
		known := a.page // whose lines a list that was found does not remove
		a.must("browser_find", "text", rest)
		a.page = known + a.text
	case "wait":
		a.must("browser_wait_for", "text", rest)
	case "accept":
		a.must("browser_dialog", "accept", true, "text", rest)
	case "tab":
		// Without a word, the newest tab; -1 is the first.
		a.must("browser_tabs")
		ids := regexp.MustCompile(`(?m)^[* ] (t\d+)`).FindAllStringSubmatch(a.text, -1)
		id := ids[len(ids)-1][1]
		if rest == "-1" {
			id = ids[0][1]
		}
		a.must("browser_tabs", "action", "select", "tab", id)
		a.snapshot()
	case "snapshot":
		a.must("browser_snapshot", "ref", a.ref(rest))
	case "call", "refused":
		// call TOOL {…}: with arguments as they are.
		tool, args, _ := strings.Cut(rest, " ")
		var in map[string]any
		if err := json.Unmarshal([]byte(args), &in); err != nil {
			a.t.Fatalf("%s: %v", line, err)
		}
		var pairs []any
		for k, v := range in {
			pairs = append(pairs, k, v)
		}
		if verb == "call" {
			a.must(tool, pairs...)
		} else if a.call(tool, pairs...) == nil {
			a.t.Errorf("%s: no error", line)
		}
	case "pause":
		a.must("browser_wait_for", "time", .2)
	case "truth":
		var ok bool
		a.truth(fmt.Sprintf(truthScript, rest), &ok)
		if !ok {
			a.t.Errorf("not true: %s", rest)
		}
	case "see":
		if !strings.Contains(a.text, rest) && !strings.Contains(a.page, rest) {
			a.t.Errorf("%q is not in:\n%s", rest, a.text)
		}
	case "not":
		if strings.Contains(added(a.text), rest) || strings.Contains(a.page, rest) {
			a.t.Errorf("%q is in:\n%s", rest, a.text)
		}
	default:
		a.t.Fatalf("step %q", line)
	}
}

var controlPattern = regexp.MustCompile(`\[([^\]]*)\]\(([a-z]\d+)\)|\(ref=(p\d+)\)`)

// refsIn are the refs of a line, whose numbers are no words.
var refsIn = regexp.MustCompile(`\([a-z]\d+\)|\(ref=[a-z]\d+\)`)

// ref finds what a control is called in what the tools said: by its name, or by
// the words beside it. name#2 is the second one, name@… a place in it.
func (a *agent) ref(name string) string {
	a.t.Helper()
	name, spot, has := strings.Cut(name, "@")
	if has {
		spot = "@" + spot
	}
	for _, look := range []func() string{
		func() string { return added(a.text) }, func() string { return a.page },
		func() string { a.snapshot(); return a.page },
	} {
		if ref := lookup(look(), name); ref != "" {
			return ref + spot
		}
	}
	a.t.Fatalf("no control %q in:\n%s", name, a.page)
	return ""
}

// added leaves out what an answer says has gone.
func added(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(l, "- ") {
			b.WriteString(l)
		}
	}
	return b.String()
}

func lookup(text, name string) string {
	name, nth, _ := strings.Cut(name, "#")
	n, _ := strconv.Atoi(nth)
	if m := regexp.MustCompile(`\[` + regexp.QuoteMeta(name) + `(?:[=;][^\]]*)?\]\(([a-z]\d+)\)`).FindStringSubmatch(text); n == 0 && m != nil {
		return m[1]
	}
	n = max(n, 1)
	var beside string
	for l := range strings.Lines(text) {
		all := controlPattern.FindAllStringSubmatchIndex(l, -1)
		for _, m := range all {
			if m[2] < 0 {
				continue
			}
			if label := l[m[2]:m[3]]; label == name || strings.HasPrefix(label, name+"=") || strings.HasPrefix(label, name+" ") || strings.HasPrefix(label, name+";") {
				if n--; n == 0 {
					return l[m[4]:m[5]]
				}
			}
		}
		// The last control before the words, else the first after them.
		at := strings.Index(refsIn.ReplaceAllStringFunc(l, func(s string) string { return strings.Repeat("-", len(s)) }), name)
		if at < 0 || len(all) == 0 || beside != "" {
			continue
		}
		best := all[0]
		for _, m := range all {
			if m[0] <= at {
				best = m
			}
		}
		if best[2] < 0 {
			beside = l[best[6]:best[7]]
		} else {
			beside = l[best[4]:best[5]]
		}
	}
	if n > 1 {
		return ""
	}
	return beside
}
