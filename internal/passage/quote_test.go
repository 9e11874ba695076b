package passage

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// evidenceOf is the page as Verify has it.
func evidenceOf(p *page.Page) *Stored {
	md, sections := markdown.RenderOutline(p, markdown.Options{})
	return NewStored("https://example.com/a#top", "v1", md, sections)
}

// What counts in a quote and what does not.
func TestVerify(t *testing.T) {
	e := evidenceOf(pageOf(t, `<h1>Horns</h1><p>The “fog signal” of <a href="/l(1)">the lighthouse</a> costs <b>1,500</b> crowns a year &amp; is sounded at −5 degrees, 4.2 times a minute.</p>
<h2>Of&shy;fices</h2><p>The ﬁrst ofﬁce opened in 1999–2001. It wasn’t <em>foo</em>_bar, nor <code>a*b[0]</code>.</p>
<ul><li>One boat</li><li>Two boats</li></ul><table><tr><th>Who</th><th>Price</th></tr><tr><td>Adult</td><td>12</td></tr></table><p>灯台は霧の中で鳴る。</p><p>It grew by 5% in all.</p>`))
	for _, c := range []struct {
		quote, section string
		found          bool
	}{
		{"The \"fog signal\" of the lighthouse costs 1,500 crowns", "horns", true},
		{"the  lighthouse\n\tcosts", "horns", true},
		{"“the lighthouse costs 1,500 crowns…”", "horns", true},                               // marks around it
		{"The “fog signal” of [the lighthouse](/l(1)) costs **1,500** crowns", "horns", true}, // as Markdown
		{"crowns a year &amp; is sounded", "horns", true},
		{"crowns a year & is sounded at -5 degrees", "horns", true},
		{"Offices", "offices", true},
		{"# Horns", "horns", true},
		{"The first office opened in 1999-2001.", "offices", true},
		{"It wasn't foo_bar, nor a*b[0].", "offices", true},
		{"One boat\n- Two boats", "offices", true},
		{"Who | Price\n--- | ---\nAdult | 12", "offices", true},
		{"| Adult | 12 |", "offices", true},
		{"Adult\t12", "offices", true},
		{"霧の中で", "offices", true},

		{"500 crowns", "", false},
		{"costs 1", "", false},
		{"5 degrees", "", false},
		{"4 times a minute", "", false},
		{"2 times a minute", "", false},
		{"degrees, 4.", "", false},
		{"It grew by 5", "", false},
		{"the light", "", false},
		{"house costs", "", false},
		{"the Lighthouse costs", "", false},
		{"The fog signal costs 1,500 crowns", "", false},
		{"The “fog signal” … costs 1,500 crowns", "", false}, // spliced
		{"is sounded 4.2 times", "", false},
		{"...", "", false},
		{"", "", false},
	} {
		q := e.Verify(c.quote)
		if q.Verified != c.found || q.Section != c.section || q.Text != c.quote {
			t.Errorf("%q: %+v", c.quote, q)
		}
	}
	q := e.Verify("the lighthouse costs 1,500 crowns")
	if got := string([]rune(e.md)[q.Start:q.End]); got != "the lighthouse](https://example.com/l(1)) costs **1,500** crowns" {
		t.Errorf("the place is %q", got)
	}
	if q.Version != "v1" || q.URL != "https://example.com/a" || q.Link != "https://example.com/a#:~:text=the%20lighthouse%20costs%201%2C500%20crowns" {
		t.Errorf("%+v", q)
	}
	if q := e.Verify("is sounded at -5 degrees, 4.2 times a minute. Offices The first office"); q.Link != "https://example.com/a#:~:text=is%20sounded%20at%20%E2%88%925%20degrees%2C,The%20%EF%AC%81rst%20of%EF%AC%81ce" {
		t.Errorf("the link to a long quote is %s", q.Link)
	}
}

// story makes a page of n paragraphs of random words with marks in them.
func story(rnd *rand.Rand, n int) *page.Page {
	vocabulary := strings.Fields("fog office first efficient flag affluent “harbour” quay's 1,500 4.2 −7 naïve Straße don’t under_score a*b [x] C++ <b> & rock&roll $5 100% Jan. e-mail 1999–2001 « mer » … (and) either/or #3 ~5 | ` \\ Ωmega łódź")
	word := func() page.Inline {
		in := page.Inline{Kind: page.Text, Text: vocabulary[rnd.IntN(len(vocabulary))] + fmt.Sprint(rnd.IntN(40))}
		switch rnd.IntN(9) {
		case 0:
			return page.Inline{Kind: page.Strong, Children: []page.Inline{in}}
		case 1:
			return page.Inline{Kind: page.Emphasis, Children: []page.Inline{in}}
		case 2:
			return page.Inline{Kind: page.LinkInline, URL: "https://example.com/a_(b)", Children: []page.Inline{in}}
		case 3:
			return page.Inline{Kind: page.CodeSpan, Text: "code" + fmt.Sprint(rnd.IntN(40))}
		}
		return in
	}
	p := &page.Page{URL: "https://example.com/"}
	for i := range n {
		b := page.Block{Kind: page.Paragraph}
		if i%7 == 0 {
			b.Kind, b.Level = page.Heading, 2
		}
		for range 4 + rnd.IntN(12) {
			b.Inlines = append(b.Inlines, word(), page.Inline{Text: " "})
		}
		if i%5 == 3 {
			b = page.Block{Kind: page.List, Children: []page.Block{{Kind: page.Item, Children: []page.Block{b}}}}
		}
		p.Blocks = append(p.Blocks, b)
	}
	return p
}

// disguise writes a text as somebody else would: other white space, entities,
// ligatures and quotation marks, characters that nobody sees.
func disguise(rnd *rand.Rand, s string) string {
	var b strings.Builder
	swap := strings.NewReplacer("ffi", "ﬃ", "fi", "ﬁ", "fl", "ﬂ", "ff", "ﬀ")
	if rnd.IntN(2) == 0 {
		s = swap.Replace(s)
	}
	for i, r := range s {
		switch {
		case unicode.IsSpace(r):
			b.WriteString([]string{" ", "  ", "\n", "\t", "\u00a0", " \r\n "}[rnd.IntN(6)])
			continue
		case r == '\'' || r == '’':
			r = []rune{'\'', '’', '‘'}[rnd.IntN(3)]
		case r == '"' || r == '“' || r == '”' || r == '«' || r == '»':
			r = []rune{'"', '“', '”', '„', '»'}[rnd.IntN(5)]
		case r == '–' || r == '−':
			r = []rune{'-', '–', '−'}[rnd.IntN(3)]
		}
		switch {
		case rnd.IntN(12) == 0:
			fmt.Fprintf(&b, []string{"&#%d;", "&#x%x;"}[rnd.IntN(2)], r)
		case r == '&' && rnd.IntN(2) == 0:
			b.WriteString("&amp;")
		default:
			b.WriteRune(r)
		}
		if rnd.IntN(15) == 0 && i > 0 {
			b.WriteString([]string{"\u00ad", "\u200b"}[rnd.IntN(2)])
		}
	}
	return b.String()
}

// TestQuotes: a thousand true quotes in other clothes are all found, at the
// right place, and of a thousand false ones none is.
func TestQuotes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	refused, accepted, planted := 0, 0, 0
	for round := range 100 {
		p := story(rnd, 20)
		e := evidenceOf(p)
		text := strings.Fields(markdown.PlainText(p))
		joined := " " + strings.Join(text, " ") + " "
		for range 10 {
			n := 4 + rnd.IntN(14)
			from := rnd.IntN(len(text) - n)
			words := text[from : from+n]
			quote := disguise(rnd, strings.Join(words, " "))
			q := e.Verify(quote)
			if !q.Verified {
				refused++
				t.Errorf("round %d: %q is refused, which stands as %q", round, quote, strings.Join(words, " "))
			} else if got := normalize(string([]rune(e.md)[q.Start:q.End]), false, true).text; !strings.HasPrefix(got, normalize(words[0], false, false).text) {
				t.Errorf("%q is found at %q", quote, got)
			}
		}
		for done := 0; done < 10; {
			n := 5 + rnd.IntN(12)
			from := rnd.IntN(len(text) - n)
			words := append([]string{}, text[from:from+n]...)
			k := 1 + rnd.IntN(n-2)
			switch done {
			case 0: // a word left out
				words = append(words[:k], words[k+1:]...)
			case 1: // a word put in
				words = append(words[:k:k], append([]string{"not"}, words[k:]...)...)
			case 2: // two changed places
				words[k], words[k-1] = words[k-1], words[k]
			case 3: // another number
				words[k] = strings.TrimRight(words[k], "0123456789") + fmt.Sprint(50+rnd.IntN(40))
			case 4: // spliced from two places
				other := rnd.IntN(len(text) - n)
				words = append(words[:k:k], text[other:other+n-k]...)
			case 5: // the last number cut short, or lengthened
				words[n-1] += "1"
			case 6: // another case
				words[k] = strings.Map(func(r rune) rune {
					if unicode.IsUpper(r) {
						return unicode.ToLower(r)
					}
					return unicode.ToUpper(r)
				}, words[k])
			case 7: // an ellipsis for a word
				words[k] = "…"
			case 8: // a word cut short
				_, size := utf8.DecodeLastRuneInString(words[n-1])
				words[n-1] = words[n-1][:len(words[n-1])-size]
				if last, _ := utf8.DecodeLastRuneInString(words[n-1]); !isSaying(last) {
					continue // what is left may stand alone
				}
			case 9: // words turned round
				for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
					words[i], words[j] = words[j], words[i]
				}
			}
			false1 := strings.Join(words, " ")
			if strings.Contains(strip(joined), strip(" "+false1+" ")) {
				continue // it has become a true one
			}
			done++
			planted++
			if q := e.Verify(disguise(rnd, false1)); q.Verified {
				accepted++
				t.Errorf("round %d: %q is accepted, as %q", round, false1, string([]rune(e.md)[q.Start:q.End]))
			}
		}
	}
	t.Logf("1000 true quotes: %d refused; %d false ones: %d accepted", refused, planted, accepted)
}

// strip removes what does not count, in another way than normalize does.
func strip(s string) string {
	r := strings.NewReplacer("*", "", "`", "", "[", "", "]", "", "_", "", "\\", "", "“", `"`, "”", `"`, "«", `"`, "»", `"`, "’", "'", "−", "-", "–", "-", "…", "...", "|", " ", "~~", "")
	return strings.Join(strings.Fields(r.Replace(s)), " ") + " "
}

// FuzzVerify: no text and no quote make it panic; what it finds is in the text.
func FuzzVerify(f *testing.F) {
	f.Add("# A\n\nSome [link](https://x.example/(a)) & **bold** | row |\n\n```go\na := b[0]\n```\n", "bold")
	f.Add("[[[[![](((( &amp &#x26; \\", "&")
	f.Add("~~x~~ <br> <sub>2</sub> [^1] [image: a] ﬁ", "2 fi")
	f.Fuzz(func(t *testing.T, md, quote string) {
		e := NewStored("https://example.com/", "v", md, nil)
		if len(e.normalized.at) != len(e.normalized.text)+1 {
			t.Fatal("offsets do not fit")
		}
		for i := 1; i < len(e.normalized.at); i++ {
			if e.normalized.at[i] < e.normalized.at[i-1] {
				t.Fatal("offsets do not rise")
			}
		}
		q := e.Verify(quote)
		if !q.Verified {
			return
		}
		if n := utf8.RuneCountInString(md); q.Start < 0 || q.End > n || q.Start >= q.End {
			t.Fatalf("from %d to %d of %d", q.Start, q.End, n)
		}
		if _, err := url.Parse(q.Link); err != nil {
			t.Fatal(err)
		}
	})
}

// Texts that are nothing but beginnings of marks are normalized and cut in linear
// time: the test ends.
func TestHostileMarkdown(t *testing.T) {
	for _, s := range []string{"[](", "![", "[^", "[image: ", "&", "<", "_", "*", "~~", "\\", "```\n", "| ", "> ", "- ", "# a\n", "a\n", "a. ", "[[[](((", "1. "} {
		md := strings.Repeat(s, 1<<20/len(s))
		e := NewStored("https://example.com/", "v", md, nil)
		e.Verify(strings.Repeat("a ", 1000))
		e.Verify(md[:1000])
		Of(&page.Page{Blocks: []page.Block{{Kind: page.Code, Text: md}}}, nil, "a b").Choose(1000, 100)
		_, _ = Compare(md, "x\n\n"+md+"\n\ny", nil)
	}
}
