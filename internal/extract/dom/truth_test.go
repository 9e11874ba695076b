package dom

import (
	"flag"
	"strings"
	"testing"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/wcxb"
	"golang.org/x/net/html"
)

var every = flag.Int("every", 4, "TestHiddenWords reads every n-th page of WCXB")

// TestHiddenWords counts the words of main content that are removed because they count as
// hidden.
func TestHiddenWords(t *testing.T) {
	all, lost, pages := 0, 0, wcxb.Pages(t, *every)
	for _, q := range pages {
		p := new(page.Page)
		doc, err := Parse([]byte(strings.ToValidUTF8(string(q.HTML), "\uFFFD")), p, nil)
		if err != nil {
			continue
		}
		before := wordsIn(Body(doc))
		RemoveHidden(Body(doc), p, nil)
		after := wordsIn(Body(doc))
		for _, w := range fields(q.Main) {
			switch {
			case before[w] == 0:
				continue
			case after[w] == 0:
				lost++
			}
			all++
			before[w]--
			after[w] = max(after[w]-1, 0)
		}
	}
	share := float64(lost) / float64(all)
	t.Logf("%d pages: %d of %d words (%.4f) are removed as hidden", len(pages), lost, all, share)
	if share > .003 {
		t.Errorf("%.4f of the words are removed as hidden", share)
	}
}

func wordsIn(body *html.Node) map[string]int {
	m := map[string]int{}
	for n := range body.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" {
			for _, w := range fields(n.Data) {
				m[w]++
			}
		}
	}
	return m
}

func fields(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
