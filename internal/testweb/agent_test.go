package testweb_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/testweb"
	"github.com/spyhop-dev/spyhop/tool"
)

// A web is a client of the tools and the sites that it may reach.
type web struct {
	client   *spyhop.Client
	url      string
	contexts chan string  // that nobody uses
	files    http.Handler // of the paths of widgets; nil: there are none
	own      atomic.Int32
}

// agent returns an agent with a context of its own until the test ends.
func (w *web) agent(t testing.TB) *agent {
	context := <-w.contexts
	t.Cleanup(func() { w.contexts <- context })
	return &agent{t: t, web: w, context: context}
}

// alone returns an agent with a new context: one that other tasks have not resized, and
// in which refs are counted from 1.
func (w *web) alone(t testing.TB) *agent {
	a := w.agent(t)
	a.context = fmt.Sprintf("own%d", w.own.Add(1))
	return a
}

// newWeb serves the pages of the package, and those of more.
func newWeb(t *testing.T, more map[string]string) *web {
	t.Helper()
	if _, err := browser.Find("", false); err != nil {
		t.Skip("no browser on this machine: scripts/setup installs one")
	}
	other := httptest.NewUnstartedServer(testweb.Handler(""))
	l, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip("this system has one loopback address: ", err)
	}
	other.Listener = l
	other.Start()
	t.Cleanup(other.Close)
	pages := testweb.Handler(other.URL)
	w := new(web)
	site := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		if page, ok := more[r.URL.Path]; ok {
			answer.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = answer.Write([]byte(page))
			return
		}
		if w.files != nil && strings.HasPrefix(r.URL.Path, "/widgets/") {
			w.files.ServeHTTP(answer, r)
			return
		}
		pages.ServeHTTP(answer, r)
	}))
	t.Cleanup(site.Close)
	uploads := t.TempDir()
	for _, name := range []string{"a.txt", "b.txt"} {
		if err := os.WriteFile(filepath.Join(uploads, name), []byte("words of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{"127.0.0.1", "127.0.0.2"}, AllowScript: true, UploadDir: uploads, DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	w.client, w.url, w.contexts = client, site.URL, make(chan string, 4)
	for _, name := range []string{"a", "b", "c", "d"} {
		w.contexts <- name
	}
	return w
}

// An agent acts on a page as a model does: what it knows of it are the texts
// of the tools' answers.
type agent struct {
	t       testing.TB
	web     *web
	context string
	text    string // the last answer
	page    string // the last whole snapshot
	kept    string // a ref
	spent   []time.Duration
	calls   int // and tokens: of what a model would call, and read
	tokens  int
}

// call calls a tool; args are its arguments in pairs.
func (a *agent) call(name string, args ...any) error {
	a.t.Helper()
	in := map[string]any{"context": a.context}
	for i := 0; i+1 < len(args); i += 2 {
		in[args[i].(string)] = args[i+1]
	}
	data, err := json.Marshal(in)
	if err != nil {
		a.t.Fatal(err)
	}
	start := time.Now()
	r, err := a.web.client.Call(a.t.Context(), name, data, tool.Options{Given: true})
	if name != "navigate_to_url" && name != "browser_evaluate" && name != "browser_wait_for" {
		a.spent = append(a.spent, time.Since(start))
	}
	a.text = r.Text
	if err != nil {
		a.text = err.Error()
		if te := (*tool.Error)(nil); errors.As(err, &te) {
			a.text += "\n" + te.Hint
		}
	}
	a.calls++
	a.tokens += snapshot.Estimate(a.text)
	if err == nil {
		a.fold()
	}
	if testing.Verbose() {
		a.t.Logf("%s %s (%v)\n%s", name, data, time.Since(start).Round(time.Millisecond), a.text)
	}
	return err
}

// fold brings what is known of the page up to date with what an answer says
// has changed.
func (a *agent) fold() {
	for l := range strings.Lines(a.text) {
		if gone, ok := strings.CutPrefix(l, "- "); ok {
			a.page = strings.Replace(a.page, "\n"+gone, "\n", 1)
		} else if came, ok := strings.CutPrefix(l, "+ "); ok {
			a.page += came
		}
	}
}

func (a *agent) must(name string, args ...any) {
	a.t.Helper()
	if err := a.call(name, args...); err != nil {
		a.t.Fatalf("%s %v: %v\n%s", name, args, err, a.page)
	}
}

func (a *agent) open(path string) {
	a.t.Helper()
	a.must("navigate_to_url", "url", a.web.url+path)
	calls, tokens := a.calls, a.tokens
	a.snapshot() // whole, for the names that steps use; the answer before it has a page of this size
	a.calls, a.tokens = calls, tokens
}

func (a *agent) snapshot() {
	a.t.Helper()
	a.must("browser_snapshot", "max_tokens", 8000)
	a.page = a.text
}

// truth reads what only the test may see.
func (a *agent) truth(script string, into any) {
	a.t.Helper()
	r, err := a.web.client.Call(a.t.Context(), "browser_evaluate", json.RawMessage(fmt.Sprintf(`{"context":%q,"script":%q}`, a.context, script)), tool.Options{Given: true})
	if err != nil {
		a.t.Fatal(err)
	}
	data, err := json.Marshal(r.Data.(map[string]any)["value"])
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		a.t.Fatal(err)
	}
}

func (a *agent) hits() map[string]int {
	a.t.Helper()
	var out map[string]int
	a.truth("window.hits", &out)
	return out
}

var refPattern = regexp.MustCompile(`\[([^\]]*)\]\(([a-mo-z]\d+)\)`) // n are regions

// refs are those of a text, in order, without what it says is disabled.
func refs(text string) []string {
	var out []string
	for _, m := range refPattern.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(out, m[2]) && !strings.Contains(m[1], "; disabled") {
			out = append(out, m[2])
		}
	}
	return out
}

// A way is a tool and its arguments besides the ref.
type way struct {
	tool string
	args []any
}

// ways are those that a model would think of for a kind of control, the
// likeliest first.
func ways(ref string) []way {
	typing := func(values ...string) (out []way) {
		for _, v := range values {
			out = append(out, way{"browser_type", []any{"text", v, "submit", true}})
		}
		return out
	}
	click := way{"browser_click", nil}
	switch ref[0] {
	case 't':
		return append(typing("ab", "7", "a@b.c", "https://a.b/", "2026-05-31", "14:30", "2026-05", "2026-W20", "2026-05-31T14:30", "#aabbcc"), click, way{"browser_press_key", []any{"key", "ArrowUp"}})
	case 's':
		return typing("7")
	case 'f':
		return []way{{"browser_upload_file", []any{"paths", []string{"a.txt"}}}}
	}
	return []way{click, {"browser_hover", nil}, {"browser_click", []any{"double", true}}, {"browser_click", []any{"button", "right"}},
		{"browser_press_key", []any{"key", "Enter"}}, {"browser_upload_file", []any{"paths", []string{"a.txt"}}}}
}

const mostRefs = 100

// explore acts on every ref of a page, and on those that come of it, until
// each did something that the page counts; it returns what did nothing.
func (a *agent) explore(path string) (idle []string) {
	a.t.Helper()
	a.open(path)
	queue := refs(a.page)
	known := slices.Clone(queue)
	for len(queue) > 0 && len(known) < mostRefs { // a page may show something new without end
		ref := queue[0]
		queue = queue[1:]
		before, effect, tried := a.hits(), false, false
		for _, w := range ways(ref) {
			if a.call(w.tool, append([]any{"ref", ref}, w.args...)...) != nil {
				continue
			}
			tried = true
			for _, r := range refs(a.text) {
				if !slices.Contains(known, r) {
					known, queue = append(known, r), append([]string{r}, queue...)
					effect = true // it showed something
				}
			}
			if effect = effect || !maps.Equal(before, a.hits()); effect {
				break
			}
		}
		if tried && !effect { // else it has gone with what was done before
			idle = append(idle, ref)
		}
	}
	return idle
}
