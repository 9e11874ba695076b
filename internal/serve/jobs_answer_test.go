package serve

import (
	"encoding/json"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/result"
)

// TestPagesOneByOne: an answer whose pages are encoded one after another says what it says
// when it is encoded at once.
func TestPagesOneByOne(t *testing.T) {
	text := strings.Repeat(`"},{"pages":[],"data":[] é漢🦊`+"\xff\u2028<&>\n", 99)
	for _, v := range []any{
		pagesOfJob{&result.CrawlPages{Pages: []result.CrawlPage{{URL: "https://a.example/", Markdown: text}, {Markdown: "short"}}, Next: 3, More: true}},
		pagesOfJob{&result.CrawlPages{Pages: []result.CrawlPage{}, Next: 3}},
		jobStatus{Success: true, Warning: text, Data: []firecrawl.Document{{Markdown: text, RawHTML: text}, {}}},
		jobStatus{Data: []firecrawl.Document{}, Failed: []result.CrawlFailure{}},
	} {
		w := httptest.NewRecorder()
		new(Server).answerJSON(w, httptest.NewRequest("GET", "/", nil), 200, v)
		whole, err := encode(v)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Errorf("%v: %s", err, w.Body)
		}
		if err := json.Unmarshal(whole, &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) || w.Header().Get("Content-Type") != formJSON {
			t.Errorf("%.300s", w.Body)
		}
	}
}
