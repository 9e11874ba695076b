package browser_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// TestPixels opens pages that hide a sentence, or seem to, and reads them as a snapshot and
// through the extractor. `make pixels` shows what a person sees of them. A row with laid_out is
// hidden by a trick that leaves the text laid out, as letters in the colour of the page: the
// browser does not hide it, so it is there.
func TestPixels(t *testing.T) {
	t.Parallel()
	lines, err := os.ReadFile("testdata/hidden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, nil)
	const canary = "Zanzibar"
	body := ""
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, ".html") {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(site.Close)
	at := browser.Place{}
	for i, line := range bytes.Split(bytes.TrimSpace(lines), []byte("\n")) {
		var c struct {
			ID, Expect, Head, Body, HTML string
			LaidOut                      bool `json:"laid_out"`
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if c.Expect == "any" || strings.Contains(c.Head+c.HTML, "animation") {
			continue // what is painted depends on the moment
		}
		t.Run(c.ID, func(t *testing.T) {
			fill := strings.NewReplacer("{}", canary+" is what the keeper of the lamp reads aloud to everybody who asks for the road to the harbour.").Replace
			beside := strings.Repeat("<p>The ferry leaves the north quay at six and comes back at nine, and in the fog it waits until the lamp on the pier is lit.</p>", 4)
			body = "<!doctype html><html><head><title>Ferries</title>" + fill(c.Head) + "</head><body" + c.Body + "><article><h1>Ferries</h1>" + beside + fill(c.HTML) + beside
			if _, err := b.Navigate(t.Context(), at, browser.Navigation{URL: fmt.Sprintf("%s/%d.html", site.URL, i)}); err != nil {
				t.Skip("the browser does not show the page:", err) // some are too new for some browsers
			}
			content, err := b.Content(t.Context(), at)
			if err != nil {
				t.Fatal(err)
			}
			s, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{MaxTokens: -1})
			if err != nil {
				t.Fatal(err)
			}
			markup := content.HTML
			for before, _, _, after, ok := text.CutOwnMark(markup); ok; before, _, _, after, ok = text.CutOwnMark(markup) {
				markup = before + after
			}
			for name, got := range map[string]string{"markup": markup, "snapshot": s.Text} {
				if want := c.Expect == "keep" || c.LaidOut; strings.Contains(got, canary) != want {
					t.Errorf("%s: has the sentence: %v, want %v", name, !want, want)
				}
			}
		})
	}
}
