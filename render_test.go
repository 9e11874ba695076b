package spyhop_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
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
