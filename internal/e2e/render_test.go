package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
)

// A page that its script writes is read through the browser, and its traffic
// passes the policy like everything else.
func TestRenderedPage(t *testing.T) {
	if _, err := browser.Find("", false); err != nil {
		t.Skip("no browser on this machine: scripts/setup installs one")
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/text":
			fmt.Fprint(w, "The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the open sea.")
		case "/app.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `fetch('/text').then(r => r.text()).then(t => { root.innerHTML = '<main><h1>Ferries in fog</h1><p>' + t + '</p><p>' + t + ' Again.</p></main>' })`)
		default:
			fmt.Fprint(w, `<!doctype html><title>Ferries</title><body><div id="root"></div><script src="/app.js"></script>`)
		}
	}))
	defer srv.Close()
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(srv.URL, "http://")}, HostRate: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	page, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: srv.URL})
	if err != nil {
		t.Fatal(err)
	}
	if !page.Metadata.Rendered || !strings.Contains(page.Markdown, "# Ferries in fog") || !strings.Contains(page.Markdown, "open sea. Again.") {
		t.Errorf("rendered %v: %q", page.Metadata.Rendered, page.Markdown)
	}
	if _, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: srv.URL, Render: "never"}); err == nil {
		t.Error("a shell was content without its scripts")
	}
}

// What the browser gave is kept like other answers, for other processes too; a
// page with placeholders is completed; and one of which the browser shows no
// more stays as it is.
func TestRenderedPageIsKept(t *testing.T) {
	if _, err := browser.Find("", false); err != nil {
		t.Skip("no browser on this machine: scripts/setup installs one")
	}
	var scripts atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/app.js":
			scripts.Add(1)
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `if (location.pathname != '/lines/none') list.outerHTML = '<p>The blue line leaves the quay at seven, at nine and at noon, and comes back with the tide in the evening.</p><p>The red line leaves at eight and stays on the island until the lighthouse is lit.</p>'`)
		default:
			fmt.Fprint(w, `<!doctype html><title>Ferries</title><body><main><h1>Ferries that run today</h1><p>Each line with the time at which it leaves the quay.</p><div id="list" aria-busy="true"></div></main><script src="/app.js"></script>`)
		}
	}))
	defer srv.Close()
	dir := t.TempDir()
	for i, c := range []struct {
		path             string
		rendered, cached bool
		scripts          int32 // runs of them so far
		note             string
	}{
		{"/lines/today", true, false, 1, "in a browser, since the page has placeholders"},
		{"/lines/today", true, true, 1, "in a browser"},
		{"/lines/tomorrow", true, false, 2, "in a browser"},
		{"/lines/none", false, false, 3, "rendering in a browser added nothing within"},
		{"/lines/none", false, true, 3, "rendering in a browser added nothing before"},
	} {
		client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(srv.URL, "http://")}, HostRate: -1, DataDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		page, err := client.Fetch(t.Context(), spyhop.FetchRequest{URL: srv.URL + c.path})
		if err != nil {
			t.Fatal(err)
		}
		m := page.Metadata
		if m.Rendered != c.rendered || m.Cached != c.cached || scripts.Load() != c.scripts || !strings.Contains(m.RenderNote, c.note) || strings.Contains(page.Markdown, "lighthouse") != c.rendered {
			t.Errorf("read %d: rendered %v, cached %v, scripts ran %d times, %q: %q", i+1, m.Rendered, m.Cached, scripts.Load(), m.RenderNote, page.Markdown)
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}
}
