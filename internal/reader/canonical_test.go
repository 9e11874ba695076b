package reader

import (
	"net/http"
	"testing"
)

// TestCanonicalHeader: the page of a crawl knows the canonical address of a Link header,
// where the document itself names none.
func TestCanonicalHeader(t *testing.T) {
	const asked = "https://example.com/a?sort=up"
	for name, c := range map[string]struct{ head, want string }{
		"text":   {"text/plain\n", "https://example.com/a"},
		"header": {"text/html\n<title>A</title>", "https://example.com/a"},
		"both":   {"text/html\n<title>A</title><link rel=canonical href=/b>", "https://example.com/b"},
	} {
		w := &web{pages: map[string]string{asked: c.head + "<p>Some text about whales that is long enough to be the content of this page.</p>"},
			header: http.Header{"Link": {`</x>; rel=next, </a>; rel="canonical"`}}}
		r := w.reader()
		for range 2 { // the second one is from the reader's memory
			_, p, err := r.Page(t.Context(), Request{URL: mustURL(t, asked), Render: RenderNever})
			if err != nil || p.Meta.Canonical != c.want {
				t.Errorf("%s: %v, %v, want %s", name, p, err, c.want)
			}
		}
	}
}
