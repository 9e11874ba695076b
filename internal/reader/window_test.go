package reader

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/fetch"
)

// TestTrim: a content of which only the beginning is left has the same windows, up to the
// limit that it was trimmed to.
func TestTrim(t *testing.T) {
	var headings, rows, code strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&headings, "<h2>Day %d</h2><p>The ferry leaves at six, says <a href=/%d>the harbour</a>; é 船.</p>", i, i)
		fmt.Fprintf(&rows, "<tr><td>%d<td>The ferry leaves at six.", i)
		fmt.Fprintf(&code, "ferry(%d, 6)\n", i)
	}
	bodies := map[string]string{
		"headings": headings.String(),
		"rows":     "<table>" + rows.String() + "</table>",
		"code":     "<p>The ferry leaves at six.</p><pre>" + code.String() + "</pre>",
		"a line":   "<p>" + strings.Repeat("The ferry leaves at six. ", 12_000),
		"a word":   "<p>" + strings.Repeat("船", 100_000),
		"a link":   "<p>The ferry <a href=\"/" + strings.Repeat("a", 400_000) + "\">leaves at six</a>.",
	}
	for name, body := range bodies {
		r := New(Options{Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
			return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Charset: "utf-8", Body: []byte("<title>Ferries</title><body>" + body)}, nil
		}})
		for _, mode := range []Mode{Markdown, Text, HTML, Links, Raw} {
			for _, start := range []int{0, 10, 7_777} {
				q, err := r.compile(Request{URL: mustURL(t, "https://example.com/"), Mode: mode, StartIndex: start, Whole: true})
				if err != nil {
					t.Fatal(err)
				}
				a, _, err := r.load(t.Context(), q, false)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				whole := *a
				a.content.trim(9_000, 0)
				if len(a.content.whole) > 200_000 || len(a.content.sections) > 2_000 {
					t.Errorf("%s, %s: %d bytes and %d sections are left of %d", name, mode, len(a.content.whole), len(a.content.sections), len(whole.content.whole))
				}
				for _, limit := range []int{1, 100, 8_999, 9_000} {
					a.cut(limit, 0)
					whole.cut(limit, 0)
					if !reflect.DeepEqual(a.Fetch, whole.Fetch) {
						t.Errorf("%s, %s from %d: %d characters of what is left differ:\n%.300s\n%.300s", name, mode, start, limit, a.Body(), whole.Body())
					}
				}
			}
		}
	}
}
