package spyhop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop"
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
	client, url := site(t, spyhop.Config{Timeout: 50 * time.Millisecond})
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
	if r, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: url + "/page"}); err != nil || !r.Success {
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
	if one, ok := client.PageVersions().Version(context.Background(), v[0].Hash); !ok || !strings.HasPrefix(one.Text, "# Ferries in fog") {
		t.Errorf("%v %+v", ok, one)
	}
}

// TestModelConfig: a model that cannot be used is refused at the start, and one
// on a private host opens no way there for pages.
func TestModelConfig(t *testing.T) {
	for _, c := range []struct{ model, url, bad string }{
		{"ollama/qwen3", "", ""},
		{"ollama/qwen3", "http://10.0.0.7:11434", ""},
		{"qwen3", "", "provider/name"},
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
