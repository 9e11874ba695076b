package passage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

func pageOf(t testing.TB, body string) *page.Page {
	t.Helper()
	p, err := extract.HTML([]byte("<!DOCTYPE html><title>T</title><body>"+body), extract.Options{URL: "https://example.com/", Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// harbour is a page with sections, two tables and code, of some 9,000 tokens.
func harbour() string {
	var b strings.Builder
	b.WriteString("<h1>Harbours</h1><p>All about the harbours of the coast and of those who live by them.</p>")
	for i := range 30 {
		fmt.Fprintf(&b, "<h2>Harbour %d</h2>", i)
		for j := range 6 {
			fmt.Fprintf(&b, "<p>The quay number %d of harbour %d was built from stone, and boats with <a href=/b%d>a draught</a> of little more than a metre can lie there when the weather allows it.</p>", j, i, j)
		}
	}
	b.WriteString("<h2>Keepers</h2><p>Those who kept the lights:</p><table><tr><th>Keeper</th><th>Years</th><th>Lamp</th></tr>")
	for i := range 120 {
		fmt.Fprintf(&b, "<tr><td>Person %c%c</td><td>%d–%d</td><td>oil, size %d</td></tr>", 'A'+i%26, 'a'+i/26, 1800+i, 1803+i, i%7)
	}
	b.WriteString("</table><h2>Dues</h2><table><caption>Dues by length</caption><tr><th>Length</th><th>Dues</th></tr><tr><td>to 6 m</td><td>11</td></tr><tr><td>to 9 m</td><td>19</td></tr><tr><td>more</td><td>34</td></tr></table>")
	b.WriteString("<h2>Signals</h2><p>The horn of the lighthouse sounds thrice a minute in fog.</p><p>Two lamps above each other close the entrance.</p><pre><code class=language-go>func horn() {\n\tsound(3)\n}</code></pre>")
	return b.String()
}

// Which passages a query brings, and what comes with them.
func TestPassages(t *testing.T) {
	p := pageOf(t, harbour())
	for _, c := range []struct {
		query     string
		tokens    int
		want, not []string
	}{
		{"how often does the horn sound in fog?", 100,
			[]string{"[…]\n\n## Signals\n\nThe horn of the lighthouse sounds thrice a minute in fog."}, []string{"draught"}},
		{"dues for a boat of 8 m", 100, // a small table comes whole, with its caption
			[]string{"## Dues\n\nDues by length\n\n| Length | Dues |\n| --- | --- |\n| to 6 m | 11 |\n| to 9 m | 19 |\n| more | 34 |\n\n"}, nil},
		{"which keeper came after Person Cb?", 150, // rows that match bring their head and their neighbours
			[]string{"| Keeper | Years | Lamp |\n| --- | --- | --- |\n", "\n| […] |\n| Person Bb | 1827–1830 | oil, size 6 |\n| Person Cb | 1828–1831 | oil, size 0 |\n| Person Db |"}, []string{"draught"}},
		{"quay number 4 of harbour 17", 150, []string{"## Harbour 17\n", "The quay number 4 of harbour 17 was built from stone, and boats with a draught of"}, []string{"https://"}},
		{"func horn", 80, []string{"```go\nfunc horn() {\n\tsound(3)\n}\n```"}, nil},
		{"helicopters", 60, []string{"# Harbours\n\nAll about"}, []string{"lighthouse"}},
		{"lighthouse", 3, []string{"The"}, []string{"horn of the lighthouse"}},
	} {
		got := Of(p, nil, c.query).Choose(0, c.tokens)
		if n := text.Tokens(got.Text); n > c.tokens || got.Count == 0 || !got.Gaps {
			t.Errorf("%q: ~%d tokens in %d passages, gaps %v", c.query, n, got.Count, got.Gaps)
		}
		for _, w := range c.want {
			if !strings.Contains(got.Text, w) {
				t.Errorf("%q: %q is missing in\n%s", c.query, w, got.Text)
			}
		}
		for _, w := range c.not {
			if strings.Contains(got.Text, w) {
				t.Errorf("%q: %q is in\n%s", c.query, w, got.Text)
			}
		}
	}
	if c := Of(p, nil, "fog").Choose(0, 0); c.Text != markdown.Render(p, markdown.Options{Words: true}) || c.Count != 1 || c.Gaps {
		t.Errorf("without a budget %d passages, %d bytes", c.Count, len(c.Text))
	}
}

// What is around the main content is read when it matches, and only then.
func TestPassagesAside(t *testing.T) {
	whole := pageOf(t, "<nav><p>Shop and news and imprint of the harbour.</p></nav>"+harbour()+"<table><tr><th>Pilot</th><th>Phone</th></tr><tr><td>Harriet</td><td>118</td></tr></table>")
	main := pageOf(t, harbour())
	if text := Of(whole, main, "phone of the pilot").Choose(0, 100).Text; !strings.Contains(text, "| Harriet | 118 |") {
		t.Errorf("a table that extraction left out is not found:\n%s", text)
	}
	if c := Of(whole, main, "lighthouse").Choose(0, 0); strings.Contains(c.Text, "imprint") || c.Gaps {
		t.Errorf("a menu that does not match is in the text, or a gap stands for it (%v)", c.Gaps)
	}
}

// Passages keep the order of the page, whatever the budget, and never exceed it.
func TestPassagesBudget(t *testing.T) {
	long := strings.Repeat("x := f(x) // 日本\n", 400) + "y := horn(3)\n" + strings.Repeat("x := f(x)\n", 400)
	p := pageOf(t, harbour()+"<p>"+strings.Repeat("灯台は霧の中で鳴る。", 300)+"</p><pre>"+long+"</pre><pre>"+strings.Repeat("z", 9000)+" horn</pre>")
	for _, query := range []string{"horn in fog", "霧の灯台", "person oil size", "zzz", "harbour"} {
		q := Of(p, nil, query)
		for tokens := 1; tokens < 4000; tokens = tokens*3/2 + 1 {
			chosen := q.Choose(0, tokens).Text
			if n := text.Tokens(chosen); n > tokens {
				t.Errorf("%s: ~%d tokens of %d", query, n, tokens)
			}
			if strings.Count(chosen, "```")%2 != 0 && tokens > 40 {
				t.Errorf("%s, %d: a fence is open in\n%s", query, tokens, chosen)
			}
			at := 0
			for piece := range strings.SplitSeq(chosen, "\n") {
				if piece == "" || strings.HasPrefix(piece, "```") || piece == Gap || piece == strings.TrimSpace(rowGap) || strings.Contains(piece, "x := f(x)") {
					continue
				}
				i := strings.Index(q.md[at:], piece)
				if i < 0 {
					t.Errorf("%s, %d: %q is not in the page behind what is before it", query, tokens, piece)
					break
				}
				at += i
			}
			if text := q.Choose(4*tokens, 0).Text; len([]rune(text)) > 4*tokens {
				t.Errorf("%s: more than %d characters", query, 4*tokens)
			}
		}
	}
}

// FuzzUnits: the units of any text stand in order, do not overlap, and leave out
// white space alone.
func FuzzUnits(f *testing.F) {
	f.Add("# a\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n- one\n  - two\n    more\n\n```go\nx\n```\n\n> quote\n> on", "a x")
	f.Add("1. ```\na\n", "日本")
	f.Add(strings.Repeat("word and. ", 300), "word")
	f.Add("```\n"+strings.Repeat("日本語", 900)+"\n```\n\n"+strings.Repeat("a", 3000), "本語")
	f.Fuzz(func(t *testing.T, md, query string) {
		md = text.WithoutControls(md)
		at := 0
		for _, u := range units(md, false) {
			if u.from < at || u.to < u.from || strings.Trim(md[at:u.from], " >\n\t") != "" {
				t.Fatalf("unit from %d to %d behind %d leaves %q out", u.from, u.to, at, md[at:max(at, u.from)])
			}
			at = u.to
		}
		if strings.Trim(md[at:], " >\n\t") != "" {
			t.Fatalf("%q is left out at the end", md[at:])
		}
		p := &page.Page{Blocks: []page.Block{{Inlines: []page.Inline{{Kind: page.Text, Text: strings.ReplaceAll(md, "\n", " ")}}}, {Kind: page.Code, Text: md}}}
		if chosen := Of(p, nil, query).Choose(0, 50).Text; text.Tokens(chosen) > 50 {
			t.Fatal("over budget")
		}
	})
}

// BenchmarkPassages chooses passages of a page of 18,000 tokens.
func BenchmarkPassages(b *testing.B) {
	p := pageOf(b, harbour()+harbour())
	for b.Loop() {
		Of(p, p, "which keeper came after Person Cb in the harbour of 1840?").Choose(0, 2000)
	}
	b.ReportMetric(float64(text.Tokens(markdown.Render(p, markdown.Options{}))), "tokens/page")
}

// Brief passages end where they hold the answer. Rows of a table go on: which of them is meant is
// not known.
func TestBrief(t *testing.T) {
	p := pageOf(t, harbour())
	for _, c := range []struct {
		query       string
		least, most int
	}{
		{"how often does the horn sound in fog?", 30, 60},
		{"the boats of harbour 17", fewTokens, 1000},
		{"which keeper came after Person Cb?", 1300, 1500},
	} {
		got := Of(p, p, c.query).Brief().Choose(0, 1500)
		if n := text.Tokens(got.Text); n < c.least || n > c.most {
			t.Errorf("%s: %d tokens, want %d to %d:\n%s", c.query, n, c.least, c.most, got.Text)
		}
	}
}

// TestShortened: of a large page only what a result can have is kept, the same is chosen of
// it, and the result says that something is missing.
func TestShortened(t *testing.T) {
	var b strings.Builder
	for i := range manyUnits + 100 {
		fmt.Fprintf(&b, "The boat number %d lies at the quay.\n\n", i)
	}
	b.WriteString("The lighthouse keeper counts the ferries.\n")
	p := OfMarkdown(b.String(), "lighthouse keeper")
	short := p.Shortened(600, 0)
	if len(short.units) > 200 {
		t.Errorf("%d units of %d are kept", len(short.units), len(p.units))
	}
	for _, budget := range []int{100, 600} {
		if c := short.Choose(budget, 0); !strings.Contains(c.Text, "The lighthouse keeper counts") || !c.Gaps {
			t.Errorf("%d: %+v", budget, c)
		}
	}
	if few := OfMarkdown("A lighthouse.", "lighthouse"); few.Shortened(5, 0) != few {
		t.Error("a small page is shortened")
	}
}
