package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/demosite"
	"github.com/spyhop-dev/spyhop/tool"
)

var update = flag.Bool("update", false, "rewrite what the scripts want")

func TestMain(m *testing.M) {
	spyhop.RunWorker() // does not return in a worker, which is this test binary again
	testscript.Main(m, map[string]func(){"spyhop": main})
}

// TestScript runs the scripts of testdata/script through the real main. Each
// has a site of its own: the files of its site folder, and what handle adds.
// The scripts know
//
//	$SITE              the origin of the site, which WEB_ALLOW_PRIVATE allows
//	$HOST              its host and port
//	$AWAY              another origin of the same site, on another host
//	exits N ARGS…      runs spyhop, which has to exit with N
//	requested PATH     waits until the site was asked for PATH
//	ready FILE         waits for the ready file of a server and sets $SERVER
//	token NAME         sets a variable to the token that a server has made
//	http STATUS [-X METHOD] [-d BODY] [-H HEADER] URL
//	                   asks for URL, which has to answer with STATUS
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			site := newSite(filepath.Join(e.WorkDir, "site"))
			e.Defer(site.Close)
			e.Values["site"] = site
			host := strings.TrimPrefix(site.URL, "http://")
			_, port, _ := strings.Cut(host, ":")
			// The race detector sleeps a second before each exit.
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			e.Setenv("SITE", site.URL)
			e.Setenv("HOST", host)
			e.Setenv("AWAY", "http://localhost:"+port)
			e.Setenv("WEB_ALLOW_PRIVATE", host+",localhost:"+port)
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "xdg", "config"))
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, "xdg", "cache"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"requested": requested,
			"ready":     ready,
			"http":      ask,
			"token":     token,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("spyhop", args[1:]...)
	got := 0
	var ee *exec.ExitError
	if errors.As(err, &ee) {
		got = ee.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func requested(ts *testscript.TestScript, _ bool, args []string) {
	site := ts.Value("site").(*testSite)
	for path := range site.asked {
		if path == args[0] {
			return
		}
	}
	ts.Fatalf("the site was closed before %s was asked for", args[0])
}

// testSite is a site on loopback.
type testSite struct {
	*httptest.Server
	asked  chan string  // the paths of the first requests
	served atomic.Int64 // answers of /-/etag
}

func newSite(dir string) *testSite {
	s := &testSite{asked: make(chan string, 100)}
	files := http.FileServer(http.Dir(dir))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.asked <- r.URL.Path:
		default:
		}
		if !s.handle(w, r) {
			files.ServeHTTP(w, r)
		}
	}))
	return s
}

// Close does not wait for answers that are still held back.
func (s *testSite) Close() {
	s.CloseClientConnections()
	s.Server.Close()
}

// handle answers the paths that no file can answer.
func (s *testSite) handle(w http.ResponseWriter, r *http.Request) bool {
	rest, ok := strings.CutPrefix(r.URL.Path, "/-/")
	if !ok {
		return false
	}
	what, arg, _ := strings.Cut(rest, "/")
	switch what {
	case "status":
		code, _ := strconv.Atoi(arg)
		http.Error(w, "status "+arg, code)
	case "to": // the query is the address
		http.Redirect(w, r, r.URL.RawQuery, http.StatusFound)
	case "hold": // until the client goes away
		<-r.Context().Done()
	case "headers":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		for _, name := range []string{"User-Agent", "Authorization", "Cookie", "X-Test", "Accept-Language"} {
			if v := r.Header.Get(name); v != "" {
				fmt.Fprintf(w, "%s: %s\n", name, v)
			}
		}
	case "etag": // the argument is the tag; it says how often it was asked for
		w.Header().Set("ETag", strconv.Quote(arg))
		if r.Header.Get("If-None-Match") == strconv.Quote(arg) {
			w.WriteHeader(http.StatusNotModified)
			return true
		}
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "whale number %d\n", s.served.Add(1))
	case "find": // a search engine that finds the path that it is asked for
		json.NewEncoder(w).Encode(map[string]any{"results": []map[string]string{
			{"url": "http://" + r.Host + "/" + strings.TrimPrefix(r.FormValue("q"), "/"), "title": "Found", "content": "On this site."}}})
	case "model": // a scripted model; the path after its name is the client's
		kind, _, _ := strings.Cut(arg, "/")
		scriptedModel(kind, "http://"+r.Host).ServeHTTP(w, r)
	case "film":
		w.Header().Set("Content-Type", "video/mp4")
		io.WriteString(w, "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom")
	default:
		return false
	}
	return true
}

// scriptedModel is a scripted model: good reads a page and answers, moved goes after
// one to another host, prompt and json answer at once, loop repeats itself, any other refuses the key.
func scriptedModel(kind, site string) http.Handler {
	page := demosite.Turn{Tool: "web_fetch", Args: `{"url":"` + site + `/tides.html"}`}
	switch kind {
	case "good":
		return demosite.Turns{{Tool: "web_search", Args: `{"query":"tides.html"}`}, page, {Text: `Twice a day [1]: "The sea rises and falls", it says, and "the sea stands still".`}}
	case "moved":
		away := strings.Replace(site, "127.0.0.1", "localhost", 1) + "/tides.html"
		return demosite.Turns{{Tool: "web_fetch", Args: `{"url":"` + site + `/-/to?` + away + `"}`}, {Tool: "web_fetch", Args: `{"url":"` + away + `"}`}, {Text: "To another host [1]."}}
	case "prompt":
		return demosite.Turns{{Text: `"The sea rises and falls" and "the moon pulls at it".`}}
	case "json":
		return demosite.Turns{{Text: `{"times_a_day": 2}`}}
	case "loop":
		return demosite.Turns{page, page, page, page, page, page}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
}

// toolsIntro says how to read the tables of docs/tools.md.
const toolsIntro = `# The tools

Spyhop gives language models these tools. A model calls them over MCP ([mcp.md](mcp.md)), over HTTP ([http.md](http.md)), or in
` + "`spyhop ask`" + `. A person calls one with ` + "`spyhop call web_fetch '{\"url\": \"https://example.com/\"}'`" + `, a Go program with ` + "`Client.Call`" + `.

- **Kind**: a ` + "`browser_tool`" + ` belongs to the tools for a page that stays open in a browser; a ` + "`tool`" + ` stands by itself.
- **Level**: the step of a workflow: 1 search, 2 read and navigate, 3 capture, 4 clean up.
- **Profile**: the group with which a server lists the tool: ` + "`spyhop mcp --tools core,crawl`" + `. Without ` + "`--tools`" + `, MCP lists
  ` + "`core` and `browser`" + `; the HTTP API has all tools.
- **Permission**: a ` + "`cautious`" + ` tool only reads; an ` + "`interactive`" + ` one types, clicks, uploads or changes cookies.
  ` + "`WEB_ALLOW_INTERACTIVE=false`" + ` removes the interactive ones.

Below, each tool has the description that a model gets, its arguments, and its answer. Types are written as in Python. "also"
names other spellings of an argument that are accepted. The last line is what ` + "`spyhop tools --prompt`" + ` prints.

This page is written by ` + "`go test ./cmd/spyhop -run TestToolsDocument -update`" + `, from what ` + "`spyhop tools --markdown`" + ` prints.

`

// TestToolsDocument: docs/tools.md is what the catalog prints; -update writes
// it.
func TestToolsDocument(t *testing.T) {
	const file = "../../docs/tools.md"
	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	want := toolsIntro + tool.Markdown(client.Catalog().List())
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("docs/tools.md is not current: run go test ./cmd/spyhop -update (%v)", err)
	}
}

// TestPrintable: nothing that a page says may steer a terminal, or begin a line.
func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                  "plain",
		"tab\tand\r\nline":       "tab and line",
		"  two  spaces":          "  two  spaces",
		"a\u202eb\u200bc":        "abc",
		"\x1b]0;owned\x07title":  "]0;ownedtitle",
		"csi \u009b31m, del\x7f": "csi 31m, del",
		"größe 大":                "größe 大",
	} {
		if got := printable(in); got != want {
			t.Errorf("printable(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0B", 999: "999B", 1000: "1.0KB", 540_300: "540.3KB", 999_949: "999.9KB", 999_950: "1.0MB", 5_242_880: "5.2MB", 2_000_000_000: "2.0GB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestBrowseStatus(t *testing.T) {
	for text, want := range map[string]int{
		"# Page": 0,
		"Error: Invalid URL format - must start with http:// or https://": 2,
		"Error: HTTP 404 - Failed to fetch URL":                           4,
		"Error: Request timed out after 30 seconds":                       5,
		"Error: Failed to connect to URL":                                 5,
		"Error: Failed to parse HTML content":                             6,
		"Error: No readable content found on page":                        6,
		"Error: Unsupported content type image/png":                       6,
		"Error: Blocked - x":                                              3,
		"Error: Too many redirects":                                       1,
	} {
		if got := browseStatus(text); got != want {
			t.Errorf("browseStatus(%q) = %d, want %d", text, got, want)
		}
	}
}

// TestIsTerminal: files, pipes and the null device are none.
func TestIsTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for name, w := range map[string]io.Writer{"file": file, "null device": null, "buffer": new(strings.Builder)} {
		if isTerminal(w) {
			t.Errorf("a %s is taken for a terminal", name)
		}
	}
}

// TestPaint: colours are for terminals that want them.
func TestPaint(t *testing.T) {
	if got := (screen{colour: true}).paint(red, "x"); got != "\x1b[31mx\x1b[0m" {
		t.Errorf("%q", got)
	}
	if got := (screen{}).paint(red, "x"); got != "x" {
		t.Errorf("%q", got)
	}
}

// TestDemoKeep: the site answers until Ctrl-C, which is no failure.
func TestDemoKeep(t *testing.T) {
	out, in := io.Pipe()
	status := make(chan int)
	go func() {
		code := run([]string{"demo", "--keep"}, strings.NewReader(""), in, io.Discard, spyhop.BrowserHelper{})
		in.Close()
		status <- code
	}()
	var home string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, rest, ok := strings.Cut(lines.Text(), "The site is at "); ok {
			home, _, _ = strings.Cut(rest, " ")
		}
		if strings.HasSuffix(lines.Text(), demosite.ToPrivate) {
			break // the last line
		}
	}
	res, err := http.Get(home)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := <-status; code != 0 || res.StatusCode != 200 {
		t.Errorf("exit status %d, site %s", code, res.Status)
	}
}

// TestDemoNotices: a demo that cannot fail would show nothing.
func TestDemoNotices(t *testing.T) {
	site, err := demosite.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	good := demosite.Page{Path: "/article", Title: "A humpback", Keep: []string{"sit outside"}, Drop: []string{"All rights reserved"}}
	var out strings.Builder
	d := newDemo(&session{ctx: t.Context(), stdout: bufio.NewWriter(&out)}, site, t.TempDir())
	for name, c := range map[string]struct {
		change func(*demosite.Page)
		wrong  int
	}{
		"as it is":        {func(*demosite.Page) {}, 0},
		"missing words":   {func(p *demosite.Page) { p.Keep = []string{"an elephant"} }, 1},
		"words that stay": {func(p *demosite.Page) { p.Drop = []string{"sit outside"} }, 1},
		"another title":   {func(p *demosite.Page) { p.Title = "An elephant" }, 1},
		"no page":         {func(p *demosite.Page) { p.Path = demosite.Missing }, 1},
		"refused":         {func(p *demosite.Page) { p.Path = demosite.ToPrivate }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			out.Reset()
			d.wrong = 0
			p := good
			c.change(&p)
			if d.step(pageStep(site, p)); d.wrong != c.wrong || c.wrong > 0 != strings.Contains(out.String(), "WRONG") {
				t.Errorf("%d wrong, want %d:\n%s", d.wrong, c.wrong, out.String())
			}
		})
	}
	d.wrong, d.denied = 0, 0
	for path, exit := range map[string]int{"/article": tool.ExitHTTP, demosite.Missing: tool.ExitBlocked, demosite.ToPrivate: anyFailure} {
		d.step(demoStep{args: []string{"fetch", site.Home + path}, exit: exit})
	}
	if d.wrong != 3 || d.denied != 1 {
		t.Errorf("%d wrong, %d refused", d.wrong, d.denied)
	}
}

// brokenWriter is a full disk.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestStepLines: a call and what came of it, as they are shown.
func TestStepLines(t *testing.T) {
	two := 2
	for _, c := range []struct {
		step         spyhop.AgentStep
		head, result string
	}{
		{spyhop.AgentStep{Title: "Fetch", Subject: "https://example.com/docs", Bytes: 540_300, Status: 200}, "Fetch(https://example.com/docs)", "Received 540.3KB (200 OK)"},
		{spyhop.AgentStep{Title: "Fetch", Subject: "https://example.com/docs", Bytes: 540_300, Status: 200, Cached: true}, "Fetch(https://example.com/docs)", "Received 540.3KB (200 OK) (cached)"},
		{spyhop.AgentStep{Title: "Fetch", Subject: "https://old.example.com/", Status: 301, RedirectURL: "https://new.example.org/"}, "Fetch(https://old.example.com/)", "Redirected to https://new.example.org/ (301 Moved Permanently)"},
		{spyhop.AgentStep{Title: "Search", Subject: "fog at sea", Results: &two}, "Search(fog at sea)", "Found 2 results"},
		{spyhop.AgentStep{Title: "Snapshot", Chars: 1}, "Snapshot()", "Received 1 character"},
		{spyhop.AgentStep{Title: "Fetch", Subject: "x", Err: tool.NewError(tool.Blocked, "refused\nand more", "")}, "Fetch(x)", "Blocked: refused"},
	} {
		if head, result := stepHead(c.step), stepResult(c.step); head != c.head || result != c.result {
			t.Errorf("%s / %s, want %s / %s", head, result, c.head, c.result)
		}
	}
}

// TestServeToken: of servers that start at the same time one makes the token
// and tells it, and all of them take it.
func TestServeToken(t *testing.T) {
	for range 20 {
		dir := filepath.Join(t.TempDir(), "data")
		var mu sync.Mutex
		var said strings.Builder
		tokens := map[string]int{}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				var stderr strings.Builder
				token, err := (&session{stderr: &stderr, cli: new(grammar)}).serveToken(dir)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				tokens[token]++
				said.WriteString(stderr.String())
			})
		}
		all.Wait()
		if len(tokens) != 1 || strings.Count(said.String(), "the bearer token is stored in") != 7 {
			t.Fatalf("%v\n%s", tokens, said.String())
		}
	}
}

// TestStdoutFails: an answer that was not written is a failure, and said.
func TestStdoutFails(t *testing.T) {
	var stderr strings.Builder
	code := run([]string{"version"}, strings.NewReader(""), brokenWriter{}, &stderr, spyhop.BrowserHelper{})
	if code != 1 || !strings.Contains(stderr.String(), "no space left on device") {
		t.Errorf("exit status %d, %q", code, stderr.String())
	}
}

// TestProgressLine: progress is drawn over, and taken away at the end.
func TestProgressLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // no time passes while the process stands still
		var out strings.Builder
		s := screen{stderr: &out, errTerminal: true, shown: new(progressLine)}
		s.start("waiting")
		s.clear()
		if out.Len() > 0 {
			t.Errorf("a quick call was shown: %q", out.String())
		}
		s.shown.visible, s.shown.begun = true, time.Now()
		s.hear(spyhop.Progress{URL: "http://example.com/\x1b[2J", Status: 200, Bytes: 540_300, Length: 1_000_000})
		s.draw()
		s.shown.timer = time.AfterFunc(time.Hour, func() {})
		s.clear()
		if got := out.String(); got != "\r\x1b[Kreceiving http://example.com/[2J 540.3KB of 1.0MB 0 s\r\x1b[K" {
			t.Errorf("drawn %q", got)
		}
		// The requests of a crawl do not replace its line.
		out.Reset()
		s.start("reading the map")
		s.hear(spyhop.Progress{URL: "http://example.com/sitemap.xml"})
		s.update("2 of 10 pages")
		s.hear(spyhop.Progress{URL: "http://example.com/page"})
		s.shown.visible = true
		s.draw()
		s.clear()
		if got := out.String(); got != "\r\x1b[K2 of 10 pages 0 s\r\x1b[K" {
			t.Errorf("drawn %q", got)
		}
		// A line has one time.
		out.Reset()
		s.start("reading the map")
		s.update("2 of 10 pages, about 3s to go")
		s.shown.visible = true
		s.draw()
		s.clear()
		if got := out.String(); got != "\r\x1b[K2 of 10 pages, about 3s to go\r\x1b[K" {
			t.Errorf("drawn %q", got)
		}
	})
}

// BenchmarkStart is the command from its first line to its last, without the
// process around it.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if code := run([]string{"version"}, strings.NewReader(""), io.Discard, io.Discard, spyhop.BrowserHelper{}); code != 0 {
			b.Fatal(code)
		}
	}
}
