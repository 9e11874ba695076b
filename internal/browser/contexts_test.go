package browser_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestContexts: which context a call gets, and what it is told where none is
// open. Each step is a call; an error is written "type: message; hint".
func TestContexts(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/a": "<title>A</title><p>a", "/b": "<title>B</title><p>b"})
	ctx := t.Context()
	const first = "; open a page first: navigate_to_url with a url"
	for i, step := range []struct {
		owner, context, open string // an address to open; else the page is looked at
		want                 string // title and context
	}{
		{"one", "", "", "InvalidInput: no page is open" + first},
		{"one", "mine", "", `InvalidInput: the browser context "mine" is not open` + first},
		{"one", "", "reload", "InvalidInput: no page is open" + first},
		{"one", "", "/a", "A in c1"},
		{"one", "", "", "A in c1"},
		{"one", "mine", "", `InvalidInput: the browser context "mine" is not open; open contexts: c1; leave context out for the one used last`},
		{"two", "", "", "InvalidInput: no page is open" + first},
		{"two", "c1", "", `InvalidInput: the browser context "c1" is not open` + first},
		{"one", "mine", "/b", "B in mine"},
		{"one", "", "", "B in mine"}, // the one used last
		{"one", "c1", "", "A in c1"},
		{"one", "", "", "A in c1"},
		{"two", "", "/b", "B in c2"},
		{"two", "../c1", "/a", `InvalidInput: "../c1" cannot be the name of a browser context; a name has 1 to 64 letters, digits, points, - and _; leave context out for the one used last`},
		{"one", "", "", "A in c1"},
	} {
		at := browser.Place{Owner: step.owner, Context: step.context}
		var page browser.Page
		var err error
		if step.open == "" {
			var s *browser.Snapshot
			if s, err = b.Snapshot(ctx, at, browser.SnapshotRequest{}); err == nil {
				page = s.Page
			}
		} else {
			to := step.open
			if strings.HasPrefix(to, "/") {
				to = url + to
			}
			var p *browser.Page
			if p, err = b.Navigate(ctx, at, browser.Navigation{URL: to}); err == nil {
				page = *p
			}
		}
		got := page.Title + " in " + page.Context
		var te *tool.Error
		if errors.As(err, &te) {
			got = string(te.Type) + ": " + te.Message + "; " + te.Hint
		}
		if got != step.want {
			t.Errorf("step %d: %s\nwant    %s", i, got, step.want)
		}
	}
	for i, step := range []struct {
		at            browser.Place
		ended, left   string
		stopped, runs bool
		fails         bool
	}{
		{browser.Place{Owner: "one", Context: "c2"}, "", "", false, false, true},
		{browser.Place{Owner: "one", Context: "c1"}, "c1", "mine", false, true, false},
		{browser.Place{Owner: "three"}, "", "", false, true, false},
		{browser.Place{Owner: "one"}, "mine", "", false, true, false},
		{browser.Place{Owner: "two"}, "c2", "", true, false, false},
		{browser.Place{Owner: "two"}, "", "", false, false, false},
	} {
		e, err := b.CloseContexts(ctx, step.at)
		if strings.Join(e.Contexts, " ") != step.ended || strings.Join(e.Left, " ") != step.left || e.Stopped != step.stopped || e.Running != step.runs || (err != nil) != step.fails {
			t.Errorf("close %d: %+v %v", i, e, err)
		}
	}
}

// TestNoBlankPage: a tab in which nothing was opened is never shown as a page.
func TestNoBlankPage(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, func(o *browser.Options) { o.CaptureDir = t.TempDir() })
	url := site(t, map[string]string{"/a": "<title>A</title><p>a"})
	ctx, at := t.Context(), browser.Place{}
	if _, err := b.Navigate(ctx, at, browser.Navigation{URL: url + "/a"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Tabs(ctx, at, "new", browser.Navigation{}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Screenshot(ctx, at, browser.Shot{}); errorType(err) != tool.InvalidInput || !errors.Is(err, browser.ErrNothingOpen) {
		t.Errorf("a picture of nothing: %v", err)
	}
	if s, err := b.Screenshot(ctx, browser.Place{Tab: "t1"}, browser.Shot{}); err != nil || s.Title != "A" {
		t.Errorf("%v", err)
	}
	// Where nothing is open, the first tab takes the address of a new one.
	tabs, where, err := b.Tabs(ctx, browser.Place{Context: "other"}, "new", browser.Navigation{URL: url + "/a"})
	if err != nil || len(tabs) != 1 || tabs[0].Title != "A" || where.Context != "other" || where.Tab != tabs[0].ID {
		t.Errorf("%+v %+v %v", tabs, where, err)
	}
	dead := httptest.NewServer(nil)
	dead.Close()
	if _, err := b.Navigate(ctx, at, browser.Navigation{URL: dead.URL}); errorType(err) != tool.ConnectionError {
		t.Errorf("%v", err)
	}
	if _, err := b.Content(ctx, at); err == nil {
		t.Error("the browser's page about an error is content")
	}
}

// TestRedirectIsBlocked: an address that the policy refuses is refused too where a
// redirect or a page leads to it.
func TestRedirectIsBlocked(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, func(o *browser.Options) { o.CaptureDir = t.TempDir() })
	const private = "http://127.0.0.3:8099/secret"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, private, http.StatusFound)
		case "/script":
			_, _ = w.Write([]byte("<p>x<script>location = '" + private + "'</script>"))
		case "/refresh":
			_, _ = w.Write([]byte("<meta http-equiv=refresh content='0;url=" + private + "'><title>Refresh</title>"))
		case "/link":
			_, _ = w.Write([]byte("<title>Link</title><a href='" + private + "'>there</a>"))
		case "/502":
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte("<title>Bad</title><p>the site's own"))
		}
	}))
	defer server.Close()
	ctx, at := t.Context(), browser.Place{}
	blocked := func(what string, err error, words ...string) {
		t.Helper()
		if errorType(err) != tool.Blocked {
			t.Errorf("%s: %v", what, err)
			return
		}
		for _, w := range append(words, "blocked by policy", "127.0.0.3") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: want %q in %v", what, w, err)
			}
		}
	}
	_, err := b.Navigate(ctx, at, browser.Navigation{URL: server.URL + "/redirect"})
	blocked("navigate", err, server.URL+"/redirect (which redirects to "+private+")")
	_, err = b.Content(ctx, at)
	blocked("content", err)
	_, err = b.Screenshot(ctx, at, browser.Shot{})
	blocked("screenshot", err)
	_, err = b.PDF(ctx, at, "", false, 0)
	blocked("pdf", err)
	_, err = b.Snapshot(ctx, at, browser.SnapshotRequest{})
	blocked("snapshot", err)
	_, err = b.Render(ctx, browser.Navigation{URL: server.URL + "/redirect"})
	blocked("render", err)
	_, err = b.Render(ctx, browser.Navigation{URL: server.URL + "/script"})
	blocked("render of a page that goes there", err)
	// A page that leaves by itself can do so before, while or after it is read.
	for what, read := range map[string]func() error{
		"snapshot":   func() error { _, err := b.Snapshot(ctx, at, browser.SnapshotRequest{}); return err },
		"screenshot": func() error { _, err := b.Screenshot(ctx, at, browser.Shot{}); return err },
		"content":    func() error { _, err := b.Content(ctx, at); return err },
	} {
		_, err := b.Navigate(ctx, at, browser.Navigation{URL: server.URL + "/refresh"})
		if err == nil {
			err = read()
		}
		blocked(what+" after a refresh", err)
	}
	if _, err = b.Navigate(ctx, at, browser.Navigation{URL: server.URL + "/link"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Snapshot(ctx, at, browser.SnapshotRequest{}); err != nil {
		t.Fatal(err)
	}
	_, err = b.Click(ctx, at, browser.Pointer{Ref: "a1"})
	blocked("click", err)
	if p, err := b.Navigate(ctx, at, browser.Navigation{URL: "back"}); err == nil && p.Title != "Link" {
		t.Errorf("back: %+v", p)
	}
	if p, err := b.Navigate(ctx, at, browser.Navigation{URL: server.URL + "/502"}); err != nil || p.Status != 502 || p.Title != "Bad" {
		t.Errorf("a server's own 502: %+v %v", p, err)
	}
}

// TestClose: operations that begin while the browser is closed end in an error,
// and Close returns when none runs.
func TestClose(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	begun := make(chan struct{})
	ended := make(chan error, 8)
	for range cap(ended) {
		go func() {
			<-begun
			_, err := b.Snapshot(context.Background(), browser.Place{}, browser.SnapshotRequest{})
			ended <- err
		}()
	}
	close(begun)
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	for range cap(ended) {
		if err := <-ended; err == nil {
			t.Error("an operation of a browser that is closed succeeds")
		}
	}
	if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: "http://127.0.0.1:1/"}); errorType(err) != tool.BrowserError {
		t.Errorf("%v", err)
	}
}

// TestIdleSparesTheBusy: a context that a call uses does not end by itself,
// however long ago the call began.
func TestIdleSparesTheBusy(t *testing.T) {
	b := newBrowser(t, func(o *browser.Options) { o.Idle = 50 * time.Millisecond })
	url := site(t, map[string]string{"/": "<p id=o>-<script>setTimeout(() => o.textContent = 'late', 600)</script>"})
	if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	ch, err := b.WaitFor(t.Context(), browser.Place{}, browser.Waiting{Text: "late"})
	if errors.Is(err, browser.ErrNothingOpen) {
		return // it ended between the two calls
	}
	if err != nil {
		t.Errorf("%+v %v", ch, err)
	}
}
