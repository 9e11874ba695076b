package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/result"
)

// TestLongTexts: an answer in pieces says what the same answer says that is encoded at once,
// with characters, and bytes that are none, across the ends of pieces.
func TestLongTexts(t *testing.T) {
	var texts []string
	for _, unit := range []string{"a", `"\` + "\n", "é", "漢", "🦊", "\xff", "\xf0\x9f", "\u2028<&>", `"},{"markdown":"`} {
		for shift := range 3 {
			texts = append(texts, strings.Repeat("x", shift)+strings.Repeat(unit, keptWhole/len(unit)+1))
		}
	}
	for i, text := range texts {
		document := func() *firecrawl.Document {
			return &firecrawl.Document{Markdown: text, HTML: "<p>short", RawHTML: text[1:], Links: []string{"https://example.com/"}, Answer: text, Metadata: firecrawl.Metadata{Title: "T"}}
		}
		pages := func() *result.CrawlPages {
			return &result.CrawlPages{Pages: []result.CrawlPage{{URL: "https://a.example/", Markdown: text}, {Markdown: "short"}, {Markdown: text[2:]}}, Next: 3}
		}
		for name, make := range map[string]func() any{
			"scrape": func() any { return scraped{true, document()} },
			"search": func() any {
				return searched{Success: true, Data: searchData{Web: []webResult{{URL: "a"}, {URL: "b", Document: document()}, {Document: document()}}}}
			},
			"status": func() any { return jobStatus{Data: []firecrawl.Document{*document(), {}, *document()}} },
			"pages":  func() any { return pagesOfJob{pages()} },
		} {
			if i > 0 && name != "scrape" {
				continue
			}
			w := httptest.NewRecorder()
			new(Server).answerJSON(w, httptest.NewRequest("GET", "/", nil), 200, make())
			whole, err := encode(make())
			if err != nil {
				t.Fatal(err)
			}
			var got, want any
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Errorf("%s of text %d: %v", name, i, err)
			}
			if err := json.Unmarshal(whole, &want); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) || w.Header().Get("Content-Type") != formJSON {
				t.Errorf("%s of text %d: %.200s", name, i, w.Body)
			}
		}
	}
}

// BenchmarkLongTexts: what is allocated for an answer with a page of 5 MB.
func BenchmarkLongTexts(b *testing.B) {
	text := strings.Repeat("- [name](https://example.com/) - *text*\n", 5<<20/40)
	for name, v := range map[string]func() any{
		"pieces": func() any { return jobStatus{Data: []firecrawl.Document{{Markdown: text}}} },
		"whole":  func() any { return map[string]any{"data": []firecrawl.Document{{Markdown: text}}} },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				w := &discarded{header: http.Header{}}
				new(Server).answerJSON(w, httptest.NewRequest("GET", "/", nil), 200, v())
				if w.n < len(text) {
					b.Fatal(fmt.Sprint(w.n))
				}
			}
		})
	}
}

type discarded struct {
	header http.Header
	n      int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) WriteHeader(int)             {}
func (d *discarded) Write(p []byte) (int, error) { d.n += len(p); return len(p), nil }
