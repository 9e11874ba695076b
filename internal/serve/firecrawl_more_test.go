package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The WebSocket of a job has the pages of its owner and the end; the token is its subprotocol.
func TestFirecrawlWatch(t *testing.T) {
	for _, c := range []struct{ token, state, stopped, want string }{
		{"a0", "done", "", "catchup completed 1,2,3"},
		{"a0", "done", "stopped", "catchup cancelled 1,2,3"},
		{"b0", "done", "", "404"},
		{"x", "done", "", "401"},
	} {
		f := &fakeJobs{owner: "ann", state: result.Crawl{Job: "c1", Kind: "crawl", State: c.state, Stopped: c.stopped, Read: 3}}
		for i := range 3 {
			f.pages = append(f.pages, result.CrawlPage{URL: fmt.Sprint(i + 1), Cursor: int64(i + 1), Markdown: "text"})
		}
		address, _ := start(t, withJobs(t, f, Options{Tokens: tokensOf(t, "ann=a0", "bob=b0")}))
		conn, res, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(address, "http")+"/v2/crawl/c1", &websocket.DialOptions{Subprotocols: []string{c.token}})
		if err != nil {
			if res == nil || fmt.Sprint(res.StatusCode) != c.want {
				t.Errorf("%s: %v", c.want, err)
			}
			continue
		}
		var m struct {
			Type string
			Data jobStatus
		}
		if _, body, err := conn.Read(t.Context()); err != nil || json.Unmarshal(body, &m) != nil || conn.Subprotocol() != c.token {
			t.Fatalf("%v %s", err, body)
		}
		var urls []string
		for _, d := range m.Data.Data {
			urls = append(urls, d.Metadata.URL)
		}
		if got := m.Type + " " + m.Data.Status + " " + strings.Join(urls, ","); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
			t.Errorf("the end: %v", err)
		}
	}
}

// Pages that come while a client watches are documents, and further ones than an answer has
// follow at once.
func TestFirecrawlWatchOn(t *testing.T) {
	f := &fakeJobs{owner: principal.Anonymous, state: result.Crawl{Job: "c1", Kind: "crawl", State: "done", Read: 150}}
	for i := range 150 {
		f.pages = append(f.pages, result.CrawlPage{URL: fmt.Sprint(i + 1), Cursor: int64(i + 1), Markdown: "text"})
	}
	address, _ := start(t, withJobs(t, f, Options{}))
	conn, _, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(address, "http")+"/v2/crawl/c1", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	seen, said := 0, []string{}
	for {
		var m struct {
			Type string
			Data json.RawMessage
		}
		_, body, err := conn.Read(t.Context())
		if err != nil {
			break
		}
		if err := json.Unmarshal(body, &m); err != nil {
			t.Fatal(err)
		}
		var state jobStatus
		if m.Type == "document" {
			seen++
		} else if err := json.Unmarshal(m.Data, &state); err != nil {
			t.Fatal(err)
		} else {
			seen += len(state.Data)
			said = append(said, m.Type+" "+state.Status)
		}
	}
	if seen != 150 || !slices.Equal(said, []string{"catchup scraping", "done completed"}) {
		t.Errorf("%d pages, %q", seen, said)
	}
}

// uploadOf is a form with a file and options.
func uploadOf(t *testing.T, fields map[string]string) (body, kind string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range fields {
		part, err := w.CreateFormField(name)
		if name == "file" {
			part, err = w.CreateFormFile("file", "a.md")
		}
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write([]byte(value))
	}
	_ = w.Close()
	return b.String(), w.FormDataContentType()
}

// A document is read with the arguments of a page; what does not fit is refused by name.
func TestFirecrawlParse(t *testing.T) {
	var asked string
	s := newServer(t, Options{Parse: func(_ context.Context, body []byte, name, mediaType string, args json.RawMessage) (*result.Fetch, error) {
		asked = fmt.Sprintf("%s %s %s %s", body, name, mediaType, args)
		return &result.Fetch{Success: true, Markdown: "# Hello", Title: "Hello"}, nil
	}})
	for _, c := range []struct{ options, want string }{
		{`{"formats":["summary"]}`, `"summary":"# Hello"`},
		{`{"formats":["markdown"],"onlyMainContent":false,"origin":"x"}`, `"markdown":"# Hello"`},
		{`{"formats":["screenshot"]}`, "format screenshot is unsupported"},
		{`{"waitFor":10}`, "option waitFor is unsupported: the document is not on a site"},
		{`{"x":1}`, "unknown"},
		{`[]`, "not a JSON object"},
	} {
		body, kind := uploadOf(t, map[string]string{"file": "# Hello", "options": c.options})
		if w := do(s, "POST", "/v2/parse", body, "Content-Type", kind); !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %s", c.options, w.Code, w.Body)
		}
	}
	if asked != `# Hello a.md  {"max_length":0,"whole":true}` {
		t.Errorf("asked %q", asked)
	}
	for _, fields := range []map[string]string{{"file": ""}, {"options": "{}"}, {"file": "x", "other": "y"}} {
		body, kind := uploadOf(t, fields)
		if w := do(s, "POST", "/v2/parse", body, "Content-Type", kind); w.Code != 400 {
			t.Errorf("%v: %d %s", fields, w.Code, w.Body)
		}
	}
	body, kind := uploadOf(t, map[string]string{"file": strings.Repeat("x", maxUpload)})
	if w := do(s, "POST", "/v2/parse", body, "Content-Type", kind); w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "16 MiB") {
		t.Errorf("a large one: %d %s", w.Code, w.Body)
	}
	if w := do(s, "POST", "/v2/map", strings.Repeat("x", maxBodyBytes+1)); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body elsewhere: %d", w.Code)
	}
}

// withBrowser is a server with browser tools that say that all went well.
func withBrowser(t *testing.T, o Options) (*Server, *[]string) {
	t.Helper()
	tools := newTestTools(t)
	called := &[]string{}
	for _, name := range []string{"web_fetch", "navigate_to_url", "browser_evaluate", "browser_click", "close_browser"} {
		if err := tools.Register(tool.Declaration{Name: name, Title: "T", Description: "Does.", Level: tool.Read, Profile: tool.Core, Input: tool.Schema{Type: tool.TypeObject, Open: true},
			Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
				*called = append(*called, name+" "+fmt.Sprint(c.Args["url"], c.Args["ref"]))
				switch name {
				case "web_fetch":
					return tool.Result{Data: &result.Fetch{Success: true, Markdown: "text"}}, nil
				case "navigate_to_url":
					return tool.Result{Data: result.BrowserPage{URL: fmt.Sprint(c.Args["url"]), Title: "T"}}, nil
				}
				return tool.Result{Data: map[string]any{"value": 7}}, nil
			}}); err != nil {
			t.Fatal(err)
		}
	}
	o.Catalog = tools.Catalog
	return newServer(t, o), called
}

// A session belongs to its caller, runs code one at a time, goes on with a scrape, and ends.
func TestFirecrawlSessions(t *testing.T) {
	program := func(ctx context.Context, session, code string, do func(context.Context, string, json.RawMessage) (any, error)) (*result.Program, error) {
		if code == "" {
			return nil, nil
		}
		if code == "slow" {
			<-ctx.Done()
			return nil, tool.NewError(tool.Timeout, "too long", "")
		}
		_, err := do(ctx, code, json.RawMessage(`{"url":"u","ref":"r"}`))
		p := &result.Program{Stdout: session[:3]}
		if err != nil {
			p.Error = err.Error()
		}
		return p, nil
	}
	s, called := withBrowser(t, Options{Program: program, Tokens: tokensOf(t, "ann=a0", "bob=b0")})
	as := func(token, method, path, body string) (status int, out map[string]any) {
		w := do(s, method, path, body, "Authorization", "Bearer "+token)
		_ = json.Unmarshal(w.Body.Bytes(), &out)
		return w.Code, out
	}
	_, opened := as("a0", "POST", "/v2/browser", `{"ttl":60}`)
	path := fmt.Sprint("/v2/browser/", opened["id"])
	if status, out := as("a0", "POST", path+"/execute", `{"code":"click"}`); status != 200 || out["success"] != true || out["exitCode"] != 0. {
		t.Errorf("%d %v", status, out)
	}
	if status, out := as("a0", "POST", path+"/execute", `{"code":"steal"}`); status != 200 || out["exitCode"] != 1. || !strings.Contains(fmt.Sprint(out["error"]), "steal is unsupported") {
		t.Errorf("%d %v", status, out)
	}
	if status, out := as("a0", "POST", path+"/execute", `{"code":"slow","timeout":1}`); status != 200 || out["killed"] != true {
		t.Errorf("%d %v", status, out)
	}
	for body, want := range map[string]string{`{"code":"x","language":"python"}`: "language", `{"prompt":"buy"}`: "prompt is unsupported", `{}`: "code"} {
		if status, out := as("a0", "POST", path+"/execute", body); status != 400 || !strings.Contains(fmt.Sprint(out["error"]), want) {
			t.Errorf("%s: %d %v", body, status, out)
		}
	}
	if status, _ := as("b0", "POST", path+"/execute", `{"code":"click"}`); status != 404 {
		t.Errorf("another's session: %d", status)
	}
	if _, list := as("b0", "GET", "/v2/browser", ""); len(list["sessions"].([]any)) != 0 {
		t.Errorf("another's list: %v", list)
	}
	for range mostSessions - 1 {
		as("a0", "POST", "/v2/browser", "{}")
	}
	if status, _ := as("a0", "POST", "/v2/browser", "{}"); status != tool.Busy.HTTPStatus() {
		t.Errorf("too many: %d", status)
	}
	if status, out := as("a0", "DELETE", path, ""); status != 200 || out["status"] != "destroyed" {
		t.Errorf("%d %v", status, out)
	}
	if status, _ := as("a0", "DELETE", path, ""); status != 404 {
		t.Errorf("ended twice: %d", status)
	}
	*called = nil
	_, scraped := as("b0", "POST", "/v2/scrape", `{"url":"https://example.com/"}`)
	id := scraped["data"].(map[string]any)["metadata"].(map[string]any)["scrapeId"]
	path = fmt.Sprint("/v2/scrape/", id, "/interact")
	if status, _ := as("a0", "POST", path, `{"code":"click"}`); status != 404 {
		t.Errorf("another's scrape: %d", status)
	}
	for range 2 { // the second goes on
		if status, out := as("b0", "POST", path, `{"code":"click"}`); status != 200 || out["success"] != true {
			t.Errorf("%d %v", status, out)
		}
	}
	if want := []string{"web_fetch https://example.com/<nil>", "navigate_to_url https://example.com/<nil>", "browser_click ur", "browser_click ur"}; len(*called) != 4 || (*called)[1] != want[1] {
		t.Errorf("%q", *called)
	}
	if status, _ := as("b0", "DELETE", path, ""); status != 200 {
		t.Errorf("%d", status)
	}
}

// A session that is not used ends by itself.
func TestFirecrawlSessionExpires(t *testing.T) {
	ended := make(chan string, 1)
	tools := newTestTools(t)
	for _, name := range []string{"browser_evaluate", "close_browser"} {
		if err := tools.Register(tool.Declaration{Name: name, Title: "T", Description: "Does.", Level: tool.Read, Profile: tool.Core,
			Handler: func(_ context.Context, c tool.Call) (tool.Result, error) { ended <- c.Name; return tool.Result{}, nil }}); err != nil {
			t.Fatal(err)
		}
	}
	s := newServer(t, Options{Catalog: tools.Catalog, Program: func(context.Context, string, string, func(context.Context, string, json.RawMessage) (any, error)) (*result.Program, error) {
		return nil, nil
	}})
	if _, err := s.openSession(t.Context(), "ann", "", "", time.Minute, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if name := <-ended; name != "close_browser" || len(s.v2.sessions.those("ann", func(*browserSession) bool { return true })) > 0 {
		t.Errorf("%s", name)
	}
}

// Options of a crawl become its request; a delay has bounds.
func TestFirecrawlCrawlRequest(t *testing.T) {
	for body, want := range map[string]string{
		`{"url":"u","includePaths":["^/a"],"excludePaths":["b$"],"regexOnFullURL":true,"ignoreQueryParameters":true,"sitemap":"skip"}`: "[^/a] [b$] true true skip 0s 0",
		`{"url":"u","sitemap":"include","delay":1.5}`: "[] [] false false  1.5s 1",
		`{"url":"u","delay":31}`:                      "[] [] false false  30s 1",
	} {
		o, e := crawlOptions().read([]byte(body))
		if e != nil {
			t.Fatal(e)
		}
		q := o.crawlRequest()
		got := fmt.Sprint(q.Match, q.Omit, q.FullURL, q.DropQuery, " ", q.Map, " ", q.Delay, q.Concurrency)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// A request that repeats an idempotency key starts nothing; another one with the key is
// refused. URLs are added to a batch with its own options.
func TestFirecrawlIdempotency(t *testing.T) {
	f := &fakeJobs{owner: principal.Anonymous, state: result.Crawl{Job: "b1", Kind: "batch", State: "running"}}
	s := withJobs(t, f, Options{})
	post := func(body, key string) int {
		return do(s, "POST", "/v2/batch/scrape", body, "X-Idempotency-Key", key).Code
	}
	const one, two = `{"urls":["https://a.example/"]}`, `{"urls":["https://b.example/"]}`
	for i, c := range []struct {
		body, key    string
		status, jobs int
	}{{one, "k", 200, 1}, {one, "k", 200, 1}, {two, "k", 409, 1}, {two, "l", 200, 2}, {one, "", 200, 3}} {
		if got := post(c.body, c.key); got != c.status || len(f.asked) != c.jobs {
			t.Errorf("%d: status %d, %d jobs", i, got, len(f.asked))
		}
	}
	for len(f.asked) > 0 {
		<-f.asked
	}
	if w := do(s, "POST", "/v2/batch/scrape", `{"urls":["https://c.example/"],"appendToId":"b1"}`); w.Code != 200 || (<-f.asked).Job != "b1" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for body, want := range map[string]string{`{"urls":["https://c.example/"],"appendToId":"b1","formats":["html"]}`: "formats does not go with appendToId", `{"urls":["https://c.example/"],"appendToId":"b9"}`: "does not exist"} {
		if w := do(s, "POST", "/v2/batch/scrape", body); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %s", body, w.Body)
		}
	}
}

// What a client of version 1 sends becomes options of version 2.
func TestFirecrawlV1(t *testing.T) {
	for body, want := range map[string]string{
		`{"url":"u","formats":["markdown","json"],"jsonOptions":{"prompt":"p"}}`:                    `{"formats":["markdown",{"prompt":"p","type":"json"}],"url":"u"}`,
		`{"url":"u","formats":["extract"],"extract":{"schema":{"type":"object"}}}`:                  `{"formats":[{"schema":{"type":"object"},"type":"json"}],"url":"u"}`,
		`{"url":"u","ignoreSitemap":true,"allowBackwardLinks":true,"scrapeOptions":{"formats":[]}}`: `{"crawlEntireDomain":true,"sitemap":"skip","url":"u"}`,
		`{"url":"u","sitemapOnly":true}`:                                                            `{"sitemap":"only","url":"u"}`,
		`{"query":"q","lang":"en","scrapeOptions":{"formats":["changeTracking"]}}`:                  `{"query":"q","scrapeOptions":{"formats":[{"type":"changeTracking"}]}}`,
		`{"url":"u","actions":[]}`:                                                                  `{"actions":[],"url":"u"}`,
		`x`:                                                                                         `x`, `[]`: `[]`, `null`: `null`,
	} {
		if got := string(v1Body([]byte(body))); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	for path, want := range map[string]bool{"/v2/x": true, "/v2/search/research/papers": false, "/v1/scrape": true, "/v1/crawl/c1/errors": true, "/v1/crawls": false, "/v1/tools/web_map": false, "/v1/extracts": false} {
		if isFirecrawl(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

// A schedule and targets are read; the rest is refused by name.
func TestFirecrawlMonitors(t *testing.T) {
	const at, to = `"schedule":{"cron":"0 9 * * *"}`, `"targets":[{"type":"scrape","urls":["a"]}]`
	for raw, want := range map[string]string{
		`"schedule":{"cron":"0 9 * * 1-5"},` + to: "0 9 * * 1-5 0s", `"schedule":{"text":"every 30 minutes"},` + to: " 30m0s", `"schedule":{"text":"Every hour"},` + to: " 1h0m0s", `"schedule":{"text":"daily at 9:05"},` + to: "5 9 * * * 0s",
		`"schedule":{"text":"hourly"},` + to: "0 * * * * 0s", `"schedule":{"text":"daily","timezone":"Asia/Tokyo"},` + to: "CRON_TZ=Asia/Tokyo 0 0 * * * 0s", `"schedule":{"text":"now and then"},` + to: "not understood", `"schedule":{"text":"every 0 minutes"},` + to: "not understood",
		`"schedule":{"text":"every"},` + to: "not understood", `"schedule":{"text":"30 minutes"},` + to: "not understood", `"schedule":{},` + to: "neither cron nor text", to: "neither cron nor text", `"schedule":{"at":"9"},` + to: "schedule: argument \"at\"",
		at + `,"targets":[{"type":"scrape","urls":["a","b"]}]`: "[a b]  2", at + `,"targets":[{"type":"search","queries":["q"]}]`: "[] q 0", at + `,"targets":[{"type":"crawl","url":"a","crawlOptions":{"limit":7}}]`: "[a]  7", at + `,"targets":[{"type":"crawl","url":"a"}]`: "[a]  0",
		at + `,"targets":[]`: "0 targets", at + `,"targets":[{"type":"scrape","urls":["a"]},{"type":"scrape","urls":["b"]}]`: "[a b]  2", at + `,"targets":[{"type":"scrape","urls":["a"]},{"type":"search","queries":["b"]}]`: "several targets are unsupported",
		at + `,"targets":[{"type":"scrape","urls":[]}]`: "0 urls", at + `,"targets":[{"type":"search","queries":["a","b"]}]`: "0 urls", at + `,"targets":[{"type":"scrape","urls":["a"],"scrapeOptions":{}}]`: "scrapeOptions",
		at + `,"targets":[{"type":"crawl","url":"a","crawlOptions":{"delay":1}}]`: "crawlOptions: argument \"delay\"", at + `,"targets":[{"type":"mail"}]`: "mail",
		at + "," + to + `,"status":"paused","retentionDays":3`: "true 72h0m0s", at + "," + to + `,"notification":{"email":{"enabled":true}}`: "option notification", at + "," + to + `,"webhook":{"url":"u","headers":{}}`: "webhook: argument \"headers\"",
	} {
		o, e := monitorOptions().read([]byte(`{"name":"m",` + raw + `}`))
		var q result.MonitorRequest
		if e == nil {
			q, e = o.monitor()
		}
		got := fmt.Sprint(q.Cron, " ", q.Every, " ", q.URLs, " ", q.Search, " ", q.MaxPages, " ", q.Paused, " ", q.Retention)
		if e != nil {
			got = e.Message
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

type others = interface {
	Monitors(context.Context) ([]*result.Monitor, error)
	RemoveMonitor(ctx context.Context, monitor string) error
}

// oneMonitor is a monitor that is changed.
type oneMonitor struct {
	others
	is    result.Monitor
	asked result.MonitorRequest
}

func (m *oneMonitor) MonitorStatus(context.Context, string) (*result.Monitor, error) {
	return &m.is, nil
}

func (m *oneMonitor) AddMonitor(_ context.Context, q result.MonitorRequest) (*result.Monitor, error) {
	if m.asked = q; q.Scrape != nil {
		m.is.Scrape = q.Scrape
	}
	return &m.is, nil
}

func (m *oneMonitor) MonitorChanges(context.Context, string, int64, time.Time, int) (*result.PageChanges, error) {
	return &result.PageChanges{Changes: []result.PageChange{{URL: "b", Change: "changed", At: m.is.Last}}}, nil
}

// A change of a monitor keeps what it does not name; a round that is asked for is found by its
// id, once it has ended.
func TestFirecrawlMonitorChange(t *testing.T) {
	m := &oneMonitor{is: result.Monitor{Monitor: "c1"}}
	s := withJobs(t, &fakeJobs{owner: principal.Anonymous}, Options{Monitors: m})
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "", `{"name":"m","schedule":{"text":"hourly"},"targets":[{"type":"scrape","urls":["a"]},{"type":"scrape","id":"two","urls":["b"]}],"goal":"fog"}`, `"name":"m"`},
		{"PATCH", "/c1", `{"name":"n","goal":null,"status":"paused"}`, `"name":"n","status":"paused","schedule":{"text":"hourly"}`},
		{"PATCH", "/c1", `{"judgeEnabled":true}`, "option judgeEnabled"},
		{"PATCH", "/c1", `[]`, "not a JSON object"},
		{"POST", "/c1/run", ``, `"status":"queued","trigger":"manual"`},
		{"GET", "/c1/checks/after-900", ``, `"status":"running","trigger":"manual"`},
	} {
		w := do(s, c.method, "/v2/monitor"+c.path, c.body)
		if !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, w.Code, w.Body)
		}
		if c.want == `"name":"n"` && (m.asked.Monitor != "c1" || !m.asked.Paused || m.asked.Query != "" || len(m.asked.URLs) != 2) {
			t.Errorf("%+v", m.asked)
		}
	}
	m.is.Last = time.Unix(1000, 0)
	if w := do(s, "GET", "/v2/monitor/c1/checks/after-900", ""); !strings.Contains(w.Body.String(), `"id":"1000","monitorId":"c1","status":"completed","trigger":"manual"`) || !strings.Contains(w.Body.String(), `"targetId":"two"`) {
		t.Errorf("%s", w.Body)
	}
	if w := do(s, "GET", "/v2/monitor/c1/checks/after-2000", ""); !strings.Contains(w.Body.String(), `"status":"running"`) {
		t.Errorf("%s", w.Body)
	}
}

// Papers come of a search on sites of papers, each once; one is its page, and with a query
// the passages of its text.
func TestFirecrawlPapers(t *testing.T) {
	tools := newTestTools(t)
	var asked []string
	add := func(name string, do func(tool.Arguments) any) {
		if err := tools.Register(tool.Declaration{Name: name, Title: "T", Description: "Does.", Level: tool.Read, Profile: tool.Core, Input: tool.Schema{Type: tool.TypeObject, Open: true},
			Handler: func(_ context.Context, c tool.Call) (tool.Result, error) { return tool.Result{Data: do(c.Args)}, nil }}); err != nil {
			t.Fatal(err)
		}
	}
	add("web_search", func(a tool.Arguments) any {
		asked = append(asked, fmt.Sprint(a.String("query"), " ", slices.Contains(a.Strings("allowed_domains"), "arxiv.org")))
		return &result.Search{Results: []result.Hit{{Title: "One", URL: "https://arxiv.org/abs/1", Snippet: "S"}, {Title: "Again", URL: "https://arxiv.org/pdf/1"}, {Title: "A list", URL: "https://arxiv.org/"}, {Title: "Two", URL: "https://pubmed.ncbi.nlm.nih.gov/2/"}}}
	})
	add("web_fetch", func(a tool.Arguments) any {
		asked = append(asked, fmt.Sprint(a.String("url"), " ", a.String("query")))
		if a.String("query") != "" {
			return &result.Fetch{Success: true, Markdown: "first\n\n[…]\n\nsecond\n\n[…]\n\nthird"}
		}
		return &result.Fetch{Success: true, Title: "One", Byline: "Ann", Excerpt: "We study."}
	})
	s := newServer(t, Options{Catalog: tools.Catalog})
	for path, want := range map[string]string{
		"/v2/search/research/papers?query=fog&k=2&origin=x":               `"primaryId":"arxiv:1","ids":{"arxiv":["1"]},"title":"One","abstract":"S","score":1},{"paperId":"pmid:2"`,
		"/v2/search/research/papers?query=fog&authors=Ann":                `option \"authors\" is unsupported`,
		"/v2/search/research/papers/arxiv:1":                              `"title":"One","abstract":"We study.","authors":"Ann"`,
		"/v2/search/research/papers/arxiv:1?query=why&k=2":                `"passages":[{"text":"first","score":1},{"text":"second","score":0.5}]`,
		"/v2/search/research/papers/isbn:1":                               "no id that is supported",
		"/v2/search/research/papers/arxiv:1/similar?intent=x":             `"results":[{"paperId":"pmid:2"`,
		"/v2/search/research/papers/arxiv:1/similar?intent=x&mode=citers": "no graph of citations",
		"/v2/search/research/github":                                      "searchGithub is unsupported",
		"/v2/agent/a/trace":                                               "getAgentTrace",
		"/v2/team/credit-usage":                                           `"remainingCredits":9007199254740992`,
		"/v2/team/token-usage/historical":                                 `"periods":[]`,
		"/v1/team/queue-status":                                           `"jobsInQueue":0`,
	} {
		if w := do(s, "GET", path, ""); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := do(s, "POST", "/v2/search/developer", `{"query":"q","passages":1,"repos":["a/b"],"types":["doc"],"k":1}`); !strings.Contains(w.Body.String(), `"results":[{"id":"https://arxiv.org/abs/1","url":"https://arxiv.org/abs/1","title":"One","passages":[{"text":"first","citation_url":"https://arxiv.org/abs/1"}]}]`) {
		t.Errorf("%s", w.Body)
	}
	if w := do(s, "POST", "/v2/search/developer", `{"query":"q","min_stars":7}`); !strings.Contains(w.Body.String(), "option min_stars is unsupported") {
		t.Errorf("%s", w.Body)
	}
	for address, want := range map[string]string{"https://github.com/a/b": "readme", "https://github.com/a/b/issues/1": "issue", "https://github.com/a/b/pull/1": "pull_request", "https://github.com/a/b/wiki": "doc", "https://docs.rs/a": "doc"} {
		if got := developerType(address); got != want {
			t.Errorf("%s: %s", address, got)
		}
	}
	for _, want := range []string{"fog true", "One x true", "https://arxiv.org/abs/1 ", "https://arxiv.org/pdf/1 why"} {
		if !slices.Contains(asked, want) {
			t.Errorf("%q is not among %q", want, asked)
		}
	}
}
