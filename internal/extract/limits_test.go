package extract

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// TestSheetsBeyondBounds: where the sheets of a page cannot be read to their end, what they hide
// is content, and the page says that they were not read.
func TestSheetsBeyondBounds(t *testing.T) {
	body := strings.Repeat("<p>The ferry leaves the north quay at six and comes back at nine.</p>", 20) + "<p class=x>Zanzibar is hidden.</p>"
	for name, sheet := range map[string]string{
		"bytes": strings.Repeat("a{color:#fff}", 200_000) + ".x{display:none}",
		"steps": strings.Repeat("p:has(~ p ~ p ~ p ~ p ~ b){display:none}", 20_000) + ".x{display:none}",
	} {
		p, err := HTML([]byte("<style>"+sheet+"</style>"+body), Options{URL: "https://example.com/", Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		text := markdown.Blocks(p.Blocks, markdown.Options{})
		if !strings.Contains(text, "Zanzibar") || p.SheetsRead {
			t.Errorf("%s: read %v, %.300s", name, p.SheetsRead, text)
		}
	}
}

// TestLongBase: a long base is not repeated for each link without end, and the page says
// what it leaves out.
func TestLongBase(t *testing.T) {
	const links = 10_000
	var b strings.Builder
	b.WriteString("<base href='https://example.com/" + strings.Repeat("x/", 4<<10) + "'><p>The ferry leaves at six.")
	for i := range links {
		fmt.Fprintf(&b, "<a href=%d>a</a> ", i)
	}
	p, err := HTML([]byte(b.String()), Options{URL: "https://example.com/", Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(markdown.PlainText(p), "a "); n < links-1 {
		t.Errorf("%d texts of links", n)
	}
	if p.Verdict != page.Partial || p.Omitted(page.OmittedAttrs) == 0 || len(p.Links) == 0 || len(p.Links) == links {
		t.Errorf("verdict %s, %v, %d links", p.Verdict, p.Omissions, len(p.Links))
	}
}

// TestPartsShareBudget: the parts of a document have one budget together.
func TestPartsShareBudget(t *testing.T) {
	item := "<item><title>t</title><description><![CDATA[<style>div:has(i){color:red} p{display:none}</style>" +
		strings.Repeat("<div>", 300) + "<p>word]]></description></item>"
	feed := func(n int) string {
		p, err := Document([]byte("<rss><channel><title>a</title>"+strings.Repeat(item, n)+"</channel></rss>"), "application/rss+xml", Options{URL: "https://example.com/"})
		if err != nil {
			t.Fatal(err)
		}
		return markdown.Blocks(p.Blocks, markdown.Options{})
	}
	if text := feed(1); strings.Contains(text, "word") {
		t.Errorf("one item: %s", text)
	}
	if text := feed(900); !strings.Contains(text, "word") {
		t.Errorf("900 items: %.300s", text)
	}
}

// TestStopEndsEachStage: from the time on at which Stop returns an error, reading asks it
// a few times more and ends with that error, in whichever stage it is.
func TestStopEndsEachStage(t *testing.T) {
	body := []byte("<title>a</title><style>.x{opacity:0}</style>" + strings.Repeat("<div><p class=x>a<p>The ferry leaves at six.<table><tr><td>a<td>b</table></div>", 2000))
	asked := 0
	if _, err := HTML(body, Options{Stop: func() error { asked++; return nil }}); err != nil {
		t.Fatal(err)
	}
	if asked < 100 {
		t.Fatalf("a page of %d KB asks %d times", len(body)>>10, asked)
	}
	over := errors.New("over")
	for at := 0; at < asked; at += asked / 16 {
		n := 0
		p, err := HTML(body, Options{Stop: func() error {
			if n++; n > at {
				return over
			}
			return nil
		}})
		if !errors.Is(err, over) || p != nil {
			t.Errorf("stopped at question %d of %d: %v", at, asked, err)
		}
		if n > at+12 {
			t.Errorf("stopped at question %d of %d: asked %d times more", at, asked, n-at)
		}
	}
}

// TestManyFormulas: the formulas of a text beyond the bound stay in it.
func TestManyFormulas(t *testing.T) {
	const n = 60_000
	p, err := HTML([]byte("<p>"+strings.Repeat(`\(a\) `, n)), Options{URL: "https://example.com/", Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	formulas, literal := 0, 0
	for _, in := range p.Blocks[0].Inlines {
		switch in.Kind {
		case page.MathInline:
			formulas++
		case page.Text:
			literal += strings.Count(in.Text, `\(a\)`)
		}
	}
	if formulas != 50_000 || formulas+literal != n {
		t.Errorf("%d formulas, %d in the text", formulas, literal)
	}
}
