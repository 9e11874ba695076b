package browser_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/extract/pixels"
)

// TestPixels opens the pages that hide text, of which pixels have decided what a person
// sees, and reads them as both readers of a live page do: they follow one judgement.
func TestPixels(t *testing.T) {
	cases, err := pixels.Cases()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile("../extract/pixels/testdata/more.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	more, err := pixels.Parse(lines, pixels.Sentence)
	if err != nil {
		t.Fatal(err)
	}
	cases = append(cases, more...)
	b := newBrowser(t, nil)
	page := ""
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, ".html") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(site.Close)
	at := browser.Place{}
	for i, c := range cases {
		if strings.Contains(c.Page, "animation") {
			continue // what is painted depends on the moment
		}
		t.Run(c.ID, func(t *testing.T) {
			page = c.Page
			if _, err := b.Navigate(t.Context(), at, browser.Navigation{URL: fmt.Sprintf("%s/%d.html", site.URL, i)}); err != nil {
				t.Skip("the browser does not show the page:", err) // some are too new for some browsers
			}
			content, err := b.Content(t.Context(), at)
			if err != nil {
				t.Fatal(err)
			}
			live := c
			live.Page, live.Judged = content.HTML, true
			if r := pixels.Read(live); !r.Right() {
				t.Errorf("content: expected %s, but it is %s", c.Expect, r.Got)
			}
			s, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{MaxTokens: -1})
			if err != nil {
				t.Fatal(err)
			}
			got, _ := pixels.Judge(s.Text, c.Canary)
			if r := (pixels.Result{Case: c, Got: got}); !r.Right() {
				t.Errorf("snapshot: expected %s, but it is %s", c.Expect, got)
			}
		})
	}
}
