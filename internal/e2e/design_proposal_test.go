package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestWebFetchProposal is the design "Proposal: WebFetch Tool".
// docs/reference-designs.md has the table, and what of it needs a model.
func TestWebFetchProposal(t *testing.T) {
	sent := make(chan http.Header, 2)
	hosts := map[string]http.HandlerFunc{
		"react.dev": serves("text/html", article("Versions", story(8))),
		"old-docs.example.com": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://new-docs.example.org/api", http.StatusMovedPermanently)
		},
		"new-docs.example.org": serves("text/html", article("The API", story(8))),
		"moved.com": func(w http.ResponseWriter, r *http.Request) {
			if r.Host == "moved.com" && r.URL.Path != "/there" {
				http.Redirect(w, r, "/there", http.StatusFound)
				return
			}
			serves("text/html", article("Moved within", story(8)))(w, r)
		},
		"cookies.com": func(w http.ResponseWriter, r *http.Request) {
			sent <- r.Header
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "1"})
			serves("text/html", fog)(w, r)
		},
		"gone.com":   http.NotFound,
		"slow.com":   func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"refuse.com": nil,
	}
	n := newInternet(t, spyhop.Config{DataDir: t.TempDir(), NegativeTTL: -1}, hosts)
	client := n.client(t)
	type answer struct {
		Success     bool
		Content     string
		RedirectURL string `json:"redirectUrl"`
		Metadata    struct {
			Title         string
			ContentLength int       `json:"contentLength"`
			ContentType   string    `json:"contentType"`
			FetchedAt     time.Time `json:"fetchedAt"`
			Cached        bool
		}
		text string
	}
	fetch := func(t *testing.T, url string) (a answer) {
		t.Helper()
		r, err := client.Call(context.Background(), "WebFetch", json.RawMessage(`{"url":"`+url+`"}`), spyhop.CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(r.Data)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &a); err != nil {
			t.Fatal(err)
		}
		a.text = r.Text
		return a
	}
	fails := func(t *testing.T, c *spyhop.Client, args string) *spyhop.Error {
		t.Helper()
		_, err := c.Call(context.Background(), "WebFetch", json.RawMessage(args), spyhop.CallOptions{})
		var e *spyhop.Error
		if !errors.As(err, &e) {
			t.Fatalf("%s: %v", args, err)
		}
		return e
	}

	t.Run("success, content and metadata", func(t *testing.T) {
		a := fetch(t, "https://react.dev/versions")
		if !a.Success || a.Metadata.Title != "Versions" || !strings.HasPrefix(a.Content, "# Versions\n") || a.Metadata.ContentType != "text/html" ||
			a.Metadata.ContentLength != len(article("Versions", story(8))) || time.Since(a.Metadata.FetchedAt) > time.Hour || a.Metadata.Cached {
			t.Errorf("%+v", a)
		}
	})
	t.Run("repeated requests come from the cache", func(t *testing.T) {
		n.requests()
		if a := fetch(t, "https://react.dev/versions"); !a.Metadata.Cached || a.Metadata.Title != "Versions" || !strings.Contains(a.text, "; cached\n") {
			t.Errorf("%+v", a)
		}
		if got := n.requests(); len(got) != 0 {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("http is upgraded", func(t *testing.T) {
		n.requests()
		fetch(t, "http://moved.com/there")
		if got := n.requests(); len(got) != 1 || got[0] != "GET https://moved.com/there" {
			t.Errorf("asked for %q", got)
		}
	})
	t.Run("a redirect to another host is told, not followed", func(t *testing.T) {
		n.requests()
		a := fetch(t, "https://old-docs.example.com/api")
		if !a.Success || a.RedirectURL != "https://new-docs.example.org/api" || a.Content != "" ||
			a.text != "The URL redirected to: https://new-docs.example.org/api\nPlease make a new web_fetch request with this URL." {
			t.Errorf("%+v", a)
		}
		if got := n.requests(); len(got) != 1 {
			t.Errorf("asked for %q", got)
		}
		if a = fetch(t, a.RedirectURL); a.Metadata.Title != "The API" {
			t.Errorf("%+v", a)
		}
	})
	t.Run("a redirect within the host is followed", func(t *testing.T) {
		if a := fetch(t, "https://moved.com/here"); a.Metadata.Title != "Moved within" {
			t.Errorf("%+v", a)
		}
	})
	t.Run("no credentials and no cookies", func(t *testing.T) {
		fetch(t, "https://cookies.com/a")
		fetch(t, "https://cookies.com/b")
		for range 2 {
			h := <-sent
			if h.Get("Cookie") != "" || h.Get("Authorization") != "" || !strings.Contains(h.Get("User-Agent"), "Spyhop") {
				t.Errorf("%v", h)
			}
		}
		if e := fails(t, client, `{"url":"https://user:pw@react.dev/"}`); e.Type != tool.Blocked {
			t.Error(e)
		}
		if e := fails(t, client, `{"url":"https://react.dev/","headers":{"Cookie":"a=b"}}`); e.Type != tool.InvalidInput {
			t.Error(e)
		}
	})
	t.Run("addresses inside are blocked", func(t *testing.T) {
		for _, host := range []string{"localhost", "127.0.0.1", "0.0.0.0", "10.1.1.1", "192.168.1.1", "172.16.0.1", "172.31.0.1", "169.254.169.254", "[::1]", "private-server.internal"} {
			if e := fails(t, client, `{"url":"https://`+host+`/docs"}`); e.Type != tool.Blocked || e.Retryable {
				t.Errorf("%s: %v", host, e)
			}
		}
		if e := fails(t, client, `{"url":"ftp://react.dev/"}`); e.Type != tool.Blocked {
			t.Error(e)
		}
	})
	t.Run("only complete addresses", func(t *testing.T) {
		for _, url := range []string{"", "https://", "https://exa mple.com/", "https://[x]/"} {
			if e := fails(t, client, `{"url":"`+url+`"}`); e.Type != tool.InvalidURL {
				t.Errorf("%q: %s %v", url, e.Type, e)
			}
		}
	})
	t.Run("allowed and blocked domains", func(t *testing.T) {
		m := newInternet(t, spyhop.Config{Allowlist: []string{"react.dev", "gone.com"}, Blocklist: []string{"gone.com"}}, hosts)
		only := m.client(t)
		for _, url := range []string{"https://moved.com/", "https://gone.com/"} {
			if e := fails(t, only, `{"url":"`+url+`"}`); e.Type != tool.Blocked {
				t.Errorf("%s: %v", url, e)
			}
		}
	})
	t.Run("time-outs: 30 s, at most 120", func(t *testing.T) {
		if e := fails(t, client, `{"url":"https://slow.com/","timeout_ms":30}`); e.Type != tool.Timeout || !e.Retryable || !strings.HasPrefix(e.Message, "Failed to connect to https://slow.com/: '") {
			t.Error(e)
		}
		r, err := client.Call(context.Background(), "WebFetch", json.RawMessage(`{"url":"https://react.dev/versions","timeout_ms":500000}`), spyhop.CallOptions{})
		if err != nil || len(r.Notices) != 1 || !strings.Contains(r.Notices[0], "120000") {
			t.Errorf("%v %q", err, r.Notices)
		}
	})
	t.Run("errors say what happened", func(t *testing.T) {
		for url, want := range map[string]string{
			"https://refuse.com/": "Failed to connect to https://refuse.com/: '",
			"https://gone.com/":   "Failed to fetch https://gone.com/: ",
		} {
			if e := fails(t, client, `{"url":"`+url+`"}`); !strings.HasPrefix(e.Text(), want) {
				t.Errorf("%s: %s", url, e.Text())
			}
		}
	})
}
