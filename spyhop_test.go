package spyhop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/tool"
)

const examplePage = `<!DOCTYPE html><html lang="en"><head><title>Ferries in fog</title></head><body>
<nav><ul><li><a href="/news">News</a></li><li><a href="/shop">Shop</a></li></ul></nav>
<main><article><h1>Ferries in fog</h1>
<p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the open sea, and nobody on deck spoke.</p>
<p>The horn of the lighthouse was the only thing that told the pilot where he was going, and he had heard it every day for nineteen years.</p></article></main>
<footer><p>© 2026 Harbour Press</p></footer></body></html>`

// site serves a few pages on loopback and returns a client that may reach them.
func site(t testing.TB, c spyhop.Config) (*spyhop.Client, string) {
	mux := http.NewServeMux()
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, examplePage)
	})
	mux.HandleFunc("/md", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Accept"), "text/markdown") {
			http.Error(w, "not preferred", http.StatusNotAcceptable)
			return
		}
		w.Header().Set("Content-Type", "text/markdown")
		fmt.Fprint(w, "# Title\n\nSee [it](page).\n")
	})
	mux.HandleFunc("/inside", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
	})
	mux.HandleFunc("/headers", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "agent=%s auth=%s cookie=%s query=%s", r.UserAgent(), r.Header.Get("Authorization"), r.Header.Get("Cookie"), r.URL.RawQuery)
	})
	mux.HandleFunc("/never", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	c.AllowPrivate = append(c.AllowPrivate, strings.TrimPrefix(srv.URL, "http://"))
	client, err := spyhop.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client, srv.URL
}

func TestFetch(t *testing.T) {
	client, url := site(t, spyhop.Config{})
	r, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: url + "/page?utm_source=x&fbclid=y"})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Success || r.Title != "Ferries in fog" || r.FinalURL != url+"/page" || r.Metadata.Status != 200 {
		t.Errorf("%+v", r)
	}
	if !strings.HasPrefix(r.Markdown, "# Ferries in fog\n\nThe ferry left") || strings.Contains(r.Markdown, "Harbour Press") || strings.Contains(r.Markdown, "Shop") {
		t.Errorf("markdown:\n%s", r.Markdown)
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, member := range []string{`"success":true`, `"final_url":`, `"page_type":`, `"verdict":"complete"`, `"truncated":false`, `"content_type":"text/html"`} {
		if !strings.Contains(string(b), member) {
			t.Errorf("%s is missing in %s", member, b)
		}
	}
}

func TestMarkdownIsPreferred(t *testing.T) {
	client, url := site(t, spyhop.Config{})
	r, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: url + "/md"})
	if err != nil || r.Markdown != "# Title\n\nSee [it]("+url+"/page).\n" && r.Markdown != "# Title\n\nSee [it]("+url+"/page)." {
		t.Errorf("%v %q", err, r.Markdown)
	}
}

// Credentials are options of a person's call; an address cannot carry them,
// and no message repeats them.
func TestCredentials(t *testing.T) {
	client, url := site(t, spyhop.Config{UserAgent: "tester/1"})
	r, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: url + "/headers?a=1&gclid=2", Bearer: "tok", Cookie: "a=b; c=d", Mode: "raw"})
	if err != nil || r.Content != "agent=tester/1 auth=Bearer tok cookie=a=b; c=d query=a=1" {
		t.Errorf("%v %+v", err, r)
	}
	_, err = client.Fetch(context.Background(), spyhop.FetchRequest{URL: strings.Replace(url, "http://", "http://user:secret@", 1) + "/page"})
	var e *spyhop.Error
	if !errors.As(err, &e) || e.Type != tool.Blocked || strings.Contains(e.Text(), "secret") {
		t.Errorf("credentials in an address: %v", err)
	}
	_, err = client.Fetch(context.Background(), spyhop.FetchRequest{URL: url, Cookie: "no\x00cookie=secret"})
	if !errors.As(err, &e) || e.Type != tool.InvalidInput || strings.Contains(e.Text(), "secret") {
		t.Errorf("a bad cookie: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	client, url := site(t, spyhop.Config{Blocklist: []string{"example.org"}})
	for _, address := range []string{
		"http://127.0.0.1:1/", "http://localhost/", "https://10.0.0.1/", "http://[::1]/", "http://2130706433/",
		"https://a.example.org/", "ftp://example.com/", "file:///etc/passwd", url + "/inside",
	} {
		_, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: address})
		var e *spyhop.Error
		if !errors.As(err, &e) || e.Type != tool.Blocked || e.Hint == "" {
			t.Errorf("%s: %v", address, err)
		}
		if text := client.Browse(context.Background(), address); strings.HasPrefix(address, "http") && !strings.HasPrefix(text, "Error: Blocked - ") {
			t.Errorf("%s: %s", address, text)
		}
	}
}

func TestBrowse(t *testing.T) {
	client, url := site(t, spyhop.Config{})
	for address, want := range map[string]string{
		"":                 "Error: Invalid URL format - must start with http:// or https://",
		"example.com":      "Error: Invalid URL format - must start with http:// or https://",
		"ftp://a.b/":       "Error: Invalid URL format - must start with http:// or https://",
		url + "/gone":      "Error: HTTP 404 - Failed to fetch URL",
		"http://127.0.0.1": "Error: Blocked - 127.0.0.1 is not a public address",
	} {
		if got := client.Browse(context.Background(), address); got != want {
			t.Errorf("%q: %s", address, got)
		}
	}
	if got := client.Browse(context.Background(), url+"/page"); !strings.HasPrefix(got, "# Ferries in fog\n") {
		t.Errorf("%s", got)
	}
}

func TestDeadlines(t *testing.T) {
	client, url := site(t, spyhop.Config{Timeout: 30 * time.Millisecond})
	_, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: url + "/never"})
	var e *spyhop.Error
	if !errors.As(err, &e) || e.Type != tool.Timeout || !e.Retryable {
		t.Errorf("time-out: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = client.Fetch(ctx, spyhop.FetchRequest{URL: url + "/never"}); !errors.As(err, &e) || e.Type != tool.Cancelled {
		t.Errorf("cancelled: %v", err)
	}
	if r, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: url + "/page", Timeout: time.Minute}); err != nil || !r.Success {
		t.Errorf("the next call: %v", err)
	}
}

func TestConfigErrors(t *testing.T) {
	for want, c := range map[string]spyhop.Config{
		`HTTP "maybe"`:          {HTTP: "maybe"},
		`Redirects "all"`:       {Redirects: "all"},
		`Blocklist`:             {Blocklist: []string{"a/b"}},
		`Allowlist`:             {Allowlist: []string{"*"}},
		`AllowPrivate "::1/xx"`: {AllowPrivate: []string{"::1/xx"}},
		`limits`:                {MaxResponseBytes: -1},
	} {
		_, err := spyhop.New(c)
		var e *spyhop.Error
		if !errors.As(err, &e) || e.Type != tool.InvalidInput || !strings.Contains(e.Message, want) {
			t.Errorf("%+v: %v, want %s", c, err, want)
		}
	}
}

func TestCallAndRegister(t *testing.T) {
	client, url := site(t, spyhop.Config{})
	err := client.Register(tool.Declaration{
		Name: "shout", Description: "Say it louder.", Level: tool.Read,
		Input: tool.Object(tool.String("text", "what to say").Require()),
		Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
			return tool.Result{Text: strings.ToUpper(c.Args.String("text"))}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, args, want string }{
		{"shout", `{"text":"hello"}`, "HELLO"},
		{"web_fetch", `{"url":"` + url + `/page","extractMode":"readability"}`, "Contents of " + url + "/page:\n"},
		{"WebFetch", `{"target":"` + url + `/page","maxLength":"40"}`, "limited to 40 characters"},
		{"web-fetch", `{"url":"` + url + `/page","mode":"links"}`, "All 2 links found on " + url + "/page"},
		{"web_browse", `{"url":"` + url + `/page"}`, "# Ferries in fog"},
	} {
		r, err := client.Call(context.Background(), c.tool, json.RawMessage(c.args), spyhop.CallOptions{})
		if err != nil || !strings.Contains(r.Text, c.want) {
			t.Errorf("%s %s: %v\n%s", c.tool, c.args, err, r.Text)
		}
	}
	for args, hint := range map[string]string{
		`{"url":"https://example.com","mod":"links"}`:                       "mode",
		`{"url":"https://example.com","mode":"link"}`:                       "links",
		`{"url":"https://example.com","headers":{"Authorization":"x"}}`:     "Config.HeadersAllowed",
		`{"url":"https://example.com","headers":{"Accept":"a\r\nHost: b"}}`: "Config.HeadersAllowed",
		`{}`: "url",
	} {
		_, err := client.Call(context.Background(), "web_fetch", json.RawMessage(args), spyhop.CallOptions{})
		var e *spyhop.Error
		if !errors.As(err, &e) || e.Type != tool.InvalidInput || !strings.Contains(e.Text(), hint) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// TestSessionBudget: calls of tools use up the budget of their session, pages of a call with
// several URLs too; results say what is left.
func TestSessionBudget(t *testing.T) {
	client, url := site(t, spyhop.Config{SessionBudget: "calls=9,pages=3,tokens=9000,bytes=1MB", MaxUses: "web_map=1"})
	call := func(name, args, session string) (string, error) {
		r, err := client.Call(t.Context(), name, json.RawMessage(args), spyhop.CallOptions{Session: session})
		return r.Text, err
	}
	got, err := call("web_fetch", `{"url":"`+url+`/page"}`, "a")
	if err != nil || !strings.Contains(got, "8 of 9 calls, 2 of 3 pages, ") {
		t.Errorf("%v %s", err, got)
	}
	got, err = call("web_fetch", `{"urls":["`+url+`/page","`+url+`/headers","`+url+`/page?x=1","`+url+`/page?x=2"]}`, "a")
	if err != nil || !strings.Contains(got, "0 of 3 pages, ") || strings.Count(got, "the budget of this session is used up") != 2 {
		t.Errorf("%v %s", err, got)
	}
	_, err = call("web_fetch", `{"url":"`+url+`/page"}`, "a")
	var e *spyhop.Error
	if !errors.As(err, &e) || e.Type != tool.Blocked || !strings.Contains(e.Message, "2 of 9 calls, 3 of 3 pages") {
		t.Errorf("used up: %v", err)
	}
	if got, err = call("web_crawl", `{"url":"`+url+`/page","max_pages":9}`, "b"); err != nil || strings.Contains(got, "used up") {
		t.Errorf("another session: %v %s", err, got)
	}
	client.EndSession(t.Context(), "a")
	if _, err = call("web_fetch", `{"url":"`+url+`/page"}`, "a"); err != nil {
		t.Errorf("after the session's end: %v", err)
	}
	for _, c := range []spyhop.Config{{SessionBudget: "calls"}, {MaxUses: "web_fletch=1"}} {
		if _, err := spyhop.New(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}

// Several addresses share a budget, and one that fails carries its error.
func TestFetchAll(t *testing.T) {
	client, url := site(t, spyhop.Config{DataDir: t.TempDir()})
	all, err := client.FetchAll(context.Background(), []string{url + "/page", url + "/gone", "https://"}, spyhop.FetchRequest{MaxLength: 80})
	if err != nil {
		t.Fatal(err)
	}
	r := all.Results
	if len(r) != 3 || !r[0].Success || !r[0].Truncated || r[1].Error == nil || r[1].Error.Type != tool.HTTPError || r[2].Error.Type != tool.InvalidURL {
		t.Errorf("%+v", r)
	}
	if _, err := client.FetchAll(context.Background(), []string{url}, spyhop.FetchRequest{Bearer: "x"}); err == nil {
		t.Error("credentials went to several addresses")
	}
	if _, err := client.FetchAll(context.Background(), []string{url}, spyhop.FetchRequest{Mode: "x"}); err == nil {
		t.Error("a mode that is none was taken")
	}
	v := client.PageVersions().Recent(context.Background(), 5)
	if len(v) != 1 || v[0].URL != url+"/page" || v[0].Hash != r[0].Metadata.Version {
		t.Errorf("versions %+v, answer %+v", v, r[0].Metadata)
	}
	if one, err := client.PageVersions().Version(context.Background(), v[0].Hash, tool.Options{}); err != nil || !strings.HasPrefix(one.Text, "# Ferries in fog") {
		t.Errorf("%v %+v", err, one)
	}
}

// TestModelConfig: a model that cannot be used is refused at the start, and one
// on a private host opens no way there for pages.
func TestModelConfig(t *testing.T) {
	for _, c := range []struct{ model, url, bad string }{
		{"ollama/qwen3", "", ""},
		{"ollama/qwen3", "http://10.0.0.7:11434", ""},
		{"qwen3", "", "PROVIDER/qwen3"},
		{"mine/qwen3", "", "Config.ModelURL"},
		{"mine/qwen3", "http://user:secret@10.0.0.7/", "without user name"},
		{"mine/qwen3", "::", "ModelURL"},
	} {
		client, err := spyhop.New(spyhop.Config{Model: c.model, ModelURL: c.url})
		var e *spyhop.Error
		if c.bad != "" {
			if !errors.As(err, &e) || e.Type != "InvalidInput" || !strings.Contains(e.Message, c.bad) || strings.Contains(e.Message, "secret") {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if _, d := client.Check(t.Context(), "http://10.0.0.7:11434/"); d.Allowed {
			t.Error("the endpoint can be read as a page")
		}
		client.Close()
	}
}

// TestSettingTags: the tags of Config name settings of the command, each once.
// Hints are rewritten by them.
func TestSettingTags(t *testing.T) {
	known := map[string]bool{}
	for _, v := range config.Variables() {
		known[v.Name] = true
	}
	seen := map[string]bool{}
	for f := range reflect.TypeFor[spyhop.Config]().Fields() {
		name := f.Tag.Get("setting")
		if name == "" {
			continue
		}
		if !known[name] || seen[name] {
			t.Errorf("field %s: %s is not a setting, or is that of another field too", f.Name, name)
		}
		seen[name] = true
	}
	if len(seen) < 30 {
		t.Errorf("%d fields have a tag", len(seen))
	}
}

// TestHints: a program is told which field of Config to set, and one that is
// configured by the environment which variable.
func TestHints(t *testing.T) {
	fetch := func(url string) func(*spyhop.Client) error {
		return func(c *spyhop.Client) error {
			_, err := c.Fetch(t.Context(), spyhop.FetchRequest{URL: url})
			return err
		}
	}
	search := func(provider string) func(*spyhop.Client) error {
		return func(c *spyhop.Client) error {
			_, err := c.Search(t.Context(), spyhop.SearchRequest{Text: "fog", Provider: provider})
			return err
		}
	}
	for _, c := range []struct {
		name           string
		call           func(*spyhop.Client) error
		field, setting string
	}{
		{"policy", fetch("http://10.0.0.1:8080/"), "Config.AllowPrivate=10.0.0.1:8080", "WEB_ALLOW_PRIVATE=10.0.0.1:8080"},
		{"search key", search("brave"), `Config.SearchKeys["brave"]`, "BRAVE_API_KEY"},
		{"endpoint", search("searxng"), "Config.SearxngURL", "SEARXNG_URL"},
		{"agent", func(c *spyhop.Client) error {
			_, err := c.Answer(t.Context(), spyhop.AnswerRequest{Question: "Why?"})
			return err
		}, "Config.Model", "WEB_MODEL"},
		{"tool", func(c *spyhop.Client) error {
			_, err := c.Call(t.Context(), "web_fetch", json.RawMessage(`{"url":"https://example.com/","headers":{"X-A":"b"}}`), spyhop.CallOptions{})
			return err
		}, "Config.HeadersAllowed", "WEB_HEADERS_ALLOWED"},
		{"check", func(c *spyhop.Client) error {
			_, d := c.Check(t.Context(), "http://10.0.0.1:8080/")
			return tool.NewError(tool.Blocked, d.Reason, d.Hint)
		}, "Config.AllowPrivate=", "WEB_ALLOW_PRIVATE="},
	} {
		for _, environment := range []bool{false, true} {
			client, err := spyhop.New(spyhop.Config{EnvironmentHints: environment})
			if err != nil {
				t.Fatal(err)
			}
			want, other := c.field, c.setting
			if environment {
				want, other = other, want
			}
			var e *spyhop.Error
			if !errors.As(c.call(client), &e) || !strings.Contains(e.Hint, want) || strings.Contains(e.Text(), other) {
				t.Errorf("%s, environment %v: %v\n%s", c.name, environment, e, e.Hint)
			}
			client.Close()
		}
	}
}

// TestNoticeNamesField: so do notices, in the result and in a tool's text.
func TestNoticeNamesField(t *testing.T) {
	client, url := site(t, spyhop.Config{})
	page, err := client.Fetch(t.Context(), spyhop.FetchRequest{URL: url + "/page", Prompt: "Who was on the ferry?"})
	if err != nil || !strings.Contains(fmt.Sprint(page.Notices), "Config.Model names a model.") {
		t.Errorf("%v %q", err, page.Notices)
	}
	r, err := client.Call(t.Context(), "web_fetch", json.RawMessage(`{"url":"`+url+`/page","prompt":"Who was on the ferry?"}`), spyhop.CallOptions{})
	if err != nil || !strings.Contains(r.Text, "Config.Model names a model.") {
		t.Errorf("%v %s", err, r.Text)
	}
}

// TestZeroConfig: without a folder answers are cached, and versions kept, in
// memory; captures go to a folder that is made with the first of them and that
// Close removes.
func TestZeroConfig(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	text, asked := "The ferry left the quay at dawn.", 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		fmt.Fprintf(w, "<title>Log</title><main><h1>Log</h1><p>%s</p></main>", text)
	}))
	defer srv.Close()
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(srv.URL, "http://")}})
	if err != nil {
		t.Fatal(err)
	}
	read := func(q spyhop.FetchRequest) *spyhop.FetchResult {
		t.Helper()
		q.URL = srv.URL
		r, err := client.Fetch(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := read(spyhop.FetchRequest{})
	stored(t, client)
	if first.Metadata.Cached || !read(spyhop.FetchRequest{}).Metadata.Cached || asked != 1 {
		t.Errorf("asked %d times for what was read twice", asked)
	}
	text = "The fog came in from the open sea."
	if r := read(spyhop.FetchRequest{Since: "last", Revalidate: true}); asked != 2 || !strings.Contains(r.Content, text) || !strings.Contains(r.Content, "ferry") {
		t.Errorf("asked %d times, %q", asked, r.Content)
	}
	if stats, err := client.CacheStats(t.Context()); err != nil || stats.File != "" || stats.Items < 1 {
		t.Errorf("%+v %v", stats, err)
	}
	dir := client.CaptureDir()
	if _, err := os.Stat(dir); !os.IsNotExist(err) || filepath.Dir(dir) != filepath.Clean(os.TempDir()) {
		t.Errorf("%s: %v", dir, err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "as the browser does"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("Close has left the captures: %v", err)
	}
}

// TestCacheOff: nothing is cached where the time is Off.
func TestCacheOff(t *testing.T) {
	client, url := site(t, spyhop.Config{CacheTTL: spyhop.Off})
	for range 2 {
		if r, err := client.Fetch(t.Context(), spyhop.FetchRequest{URL: url + "/page"}); err != nil || r.Metadata.Cached {
			t.Errorf("%v %+v", err, r)
		}
	}
	if client.PageVersions() != nil {
		t.Error("versions are kept")
	}
}

// TestLimits: 0 is the default and NoLimit lifts a limit; other negative numbers
// are refused.
func TestLimits(t *testing.T) {
	var long strings.Builder
	for i := range 500 {
		fmt.Fprintf(&long, "<p>On day %d the ferry left the quay at dawn and followed the coast for %d miles.</p>", i, i+7)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "<title>Log</title><main><h1>Log</h1>%s</main>", long.String())
	}))
	defer srv.Close()
	for _, c := range []struct {
		config int
		q      spyhop.FetchRequest
		cut    bool
	}{
		{0, spyhop.FetchRequest{}, true},
		{0, spyhop.FetchRequest{MaxLength: spyhop.NoLimit}, false},
		{0, spyhop.FetchRequest{MaxLength: 100_000}, false},
		{spyhop.NoLimit, spyhop.FetchRequest{}, false},
		{spyhop.NoLimit, spyhop.FetchRequest{MaxLength: 100}, true},
		{spyhop.NoLimit, spyhop.FetchRequest{MaxTokens: spyhop.NoLimit}, false},
		{spyhop.NoLimit, spyhop.FetchRequest{MaxTokens: 100}, true},
	} {
		client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(srv.URL, "http://")}, MaxContentChars: c.config, HostRate: spyhop.NoLimit})
		if err != nil {
			t.Fatal(err)
		}
		c.q.URL = srv.URL
		if r, err := client.Fetch(t.Context(), c.q); err != nil || r.Truncated != c.cut {
			t.Errorf("%+v: %v", c, err)
		}
		client.Close()
	}
	client, url := site(t, spyhop.Config{})
	for _, q := range []spyhop.FetchRequest{{MaxLength: -2}, {MaxTokens: -2}, {MaxAge: -2}, {StartIndex: -1}, {Timeout: -1}, {Mode: "page"}, {Comments: "some"}, {Render: "perhaps"}} {
		q.URL = url + "/page"
		var e *spyhop.Error
		if _, err := client.Fetch(t.Context(), q); !errors.As(err, &e) || e.Type != tool.InvalidInput {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// stored waits until what was read is in the cache: a read waits only for a moment.
func stored(t *testing.T, client *spyhop.Client) {
	t.Helper()
	if _, err := client.CacheStats(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestMaxAge: a cached answer is fresh for Config.CacheTTL, for as long as the
// request says, or for any time; it can be validated, or read again.
func TestMaxAge(t *testing.T) {
	var asked []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("If-None-Match"))
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, examplePage)
	}))
	defer srv.Close()
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(srv.URL, "http://")}, CacheTTL: 1, HostRate: spyhop.NoLimit})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, c := range []struct {
		name string
		q    spyhop.FetchRequest
		want string
	}{
		{"first", spyhop.FetchRequest{}, `[""]`},
		{"default: a nanosecond is over", spyhop.FetchRequest{}, `["\"1\""]`},
		{"an hour", spyhop.FetchRequest{MaxAge: 3_600_000_000_000}, `[]`},
		{"any age", spyhop.FetchRequest{MaxAge: spyhop.NoLimit}, `[]`},
		{"validated now", spyhop.FetchRequest{MaxAge: spyhop.NoLimit, Revalidate: true}, `["\"1\""]`},
		{"read again", spyhop.FetchRequest{MaxAge: spyhop.NoLimit, Fresh: true}, `[""]`},
	} {
		asked = nil
		c.q.URL = srv.URL
		if r, err := client.Fetch(t.Context(), c.q); err != nil || r.Title != "Ferries in fog" {
			t.Errorf("%s: %v", c.name, err)
		}
		stored(t, client)
		if got := fmt.Sprintf("%q", asked); got != c.want {
			t.Errorf("%s: the site was asked with %s, want %s", c.name, got, c.want)
		}
	}
}

// TestNewClosesAfterFailure: when New fails, it has closed what it had opened.
func TestNewClosesAfterFailure(t *testing.T) {
	const descriptors = "/proc/self/fd"
	if runtime.GOOS != "linux" {
		t.Skip("only Linux lists the open files of a process")
	}
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	for name, c := range map[string]spyhop.Config{
		"policy":   {HTTP: "maybe"},
		"limits":   {MaxResponseBytes: -1},
		"model":    {Model: "nameless"},
		"search":   {SearchProvider: "nobody"},
		"no error": {},
	} {
		c.AuditLog = path
		client, err := spyhop.New(c)
		if (err == nil) != (name == "no error") {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && !isOpen(t, descriptors, path) {
			t.Errorf("%s: the log is not open, so that the test sees nothing", name)
		}
		if err == nil {
			client.Close()
		}
		if isOpen(t, descriptors, path) {
			t.Errorf("%s: the audit log is still open", name)
		}
	}
}

// isOpen reports whether this process has a file open.
func isOpen(t *testing.T, descriptors, path string) bool {
	entries, err := os.ReadDir(descriptors)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if at, err := os.Readlink(filepath.Join(descriptors, e.Name())); err == nil && at == path {
			return true
		}
	}
	return false
}

// OnError is told what is wrong with the cache, in the caller's words.
func TestOnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	told := make(chan error, 1)
	client, url := site(t, spyhop.Config{DataDir: filepath.Join(file, "folder"), OnError: func(err error) { told <- err }})
	if _, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: url + "/page"}); err != nil {
		t.Error(err)
	}
	client.Close()
	select {
	case err := <-told:
		if !strings.Contains(err.Error(), "set Config.DataDir") || errors.Unwrap(err) == nil {
			t.Error(err)
		}
	default:
		t.Error("nobody was told")
	}
}

// TestSiteSecrets: a secret without a name, a value or sites is refused, and no error has a
// value.
func TestSiteSecrets(t *testing.T) {
	shop := spyhop.SiteSecret{Name: "shop", Value: "canary-1", Sites: []string{"shop.example.com"}}
	with := func(change func(*spyhop.SiteSecret)) []spyhop.SiteSecret {
		k := shop
		change(&k)
		return []spyhop.SiteSecret{k}
	}
	for want, secrets := range map[string][]spyhop.SiteSecret{
		"shop has no sites":                  with(func(k *spyhop.SiteSecret) { k.Sites = nil }),
		"the sites of entry 1 are not hosts": with(func(k *spyhop.SiteSecret) { k.Sites = []string{"a b"} }),
		"fewer than 4 bytes":                 with(func(k *spyhop.SiteSecret) { k.Value = "can" }),
		"two entries have the name shop":     {shop, shop},
		"entry 1 has no name":                with(func(k *spyhop.SiteSecret) { k.Name = "" }),
	} {
		client, err := spyhop.New(spyhop.Config{SiteSecrets: secrets, EnvironmentHints: true})
		if err == nil {
			client.Close()
			t.Errorf("no error: %s", want)
			continue
		}
		if !strings.Contains(err.Error(), "WEB_SECRETS") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
