package extract

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
)

func asError(err error, e **Error) bool { return errors.As(err, e) }

func allText(blocks []page.Block) string {
	var b strings.Builder
	walkText(blocks, func(s string) { b.WriteString(s); b.WriteByte('\n') })
	return b.String()
}

func walkText(blocks []page.Block, f func(string)) {
	for i := range blocks {
		b := &blocks[i]
		f(b.Text)
		walkInlines(b.Inlines, f)
		walkText(b.Children, f)
		if b.Table != nil {
			walkInlines(b.Table.Caption, f)
			for _, r := range b.Table.Rows {
				for _, c := range r {
					walkText(c.Blocks, f)
				}
			}
		}
	}
}

func walkInlines(in []page.Inline, f func(string)) {
	for i := range in {
		f(in[i].Text)
		walkInlines(in[i].Children, f)
	}
}

// The frame that a site puts around its pages.
const (
	siteTop = `<!DOCTYPE html><html lang="en"><head><title>%s</title></head><body>
<header class="site-header"><a href="/">Harbour</a><nav class="main-nav"><ul><li><a href="/news">News</a></li><li><a href="/shop">Shop</a></li><li><a href="/forum">Forum</a></li><li><a href="/about">About us</a></li></ul></nav></header>
<div class="cookie-banner" role="dialog"><p>We use cookies to improve your experience.</p><button>Accept all</button></div>
`
	siteEnd = `
<aside class="sidebar"><h3>Most read</h3><ul><li><a href="/1">Ten knots for a rainy day</a></li><li><a href="/2">The lighthouse that moved</a></li><li><a href="/3">Winter berths are sold out</a></li></ul></aside>
<footer class="site-footer"><p>© 2026 Harbour Press. All rights reserved.</p><ul><li><a href="/privacy">Privacy policy</a></li><li><a href="/terms">Terms of use</a></li></ul><form class="newsletter"><label>Subscribe to our newsletter</label></form></footer>
</body></html>`
)

func site(title, main string) []byte {
	return []byte(fmt.Sprintf(siteTop, title) + main + siteEnd)
}

// What belongs to the page stays, what frames it goes. Each page has several
// words of both kinds.
func TestMainContent(t *testing.T) {
	para := "The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the open sea, and nobody on deck spoke. "
	chrome := []string{"cookies", "Accept all", "Privacy policy", "Ten knots", "newsletter", "About us", "All rights reserved"}
	post := func(who, text string) string {
		return `<div class="post"><div class="post-author"><a href="/u/` + who + `">` + who + `</a> <time>Jan 3</time></div><div class="post-body"><p>` + text + `</p></div></div>`
	}
	for _, c := range []struct {
		name, html string
		keep       []string
		drop       []string
	}{
		{"article", `<main><article><h1>Ferries in fog</h1><p class="byline">By Mara Lind</p><p>` + para + `</p><p>` + para + `Second.</p><figure><img src="a.jpg" alt="the quay"><figcaption>The quay at six in the morning.</figcaption></figure><p>` + para + `Third.</p></article></main>`,
			[]string{"The ferry left", "Second.", "Third."}, nil},
		{"documentation", `<main class="docs"><nav class="toc"><ul><li><a href="#a">Install</a></li><li><a href="#b">Use</a></li></ul></nav><div class="content"><h1>Knot parser</h1><p>` + para + `</p><h2 id="a">Install</h2><pre><code class="language-sh">apt install knots</code></pre><p>Then call the parser with the name of the file that holds the knots, as the example below shows in full.</p><h2 id="b">Use</h2><pre><code>knots parse rope.txt</code></pre><table><tr><th>Flag</th><th>Meaning</th></tr><tr><td>-v</td><td>says what it does</td></tr></table></div></main>`,
			[]string{"apt install knots", "knots parse rope.txt", "says what it does", "Then call the parser"}, nil},
		{"forum", `<div class="thread"><h1>Which rope for a mooring?</h1>` + post("ada", para) + post("ben", "I would take polyester, since nylon stretches too much in a tidal berth and chafes in the fairlead.") + post("cyd", "Agreed with Ben, and use a snubber of rubber on the bow line where the swell comes in at night.") + `</div>`,
			[]string{"The ferry left", "polyester", "snubber"}, nil},
		{"product", `<main class="product"><h1>Brass cleat, 150 mm</h1><p class="price">€ 24.90</p><div class="product-description"><p>A cleat of solid brass for lines up to 14 mm. Cast in one piece, polished by hand, with four countersunk holes for 6 mm screws that come with it.</p><ul><li>Length 150 mm</li><li>Weight 420 g</li></ul></div></main><section class="related-products"><h2>You may also like</h2><div class="card"><a href="/p/1">Rope, 10 m</a><span class="price">€ 9</span></div><div class="card"><a href="/p/2">Fender</a><span class="price">€ 19</span></div></section>`,
			[]string{"solid brass", "countersunk"}, []string{"Fender"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := HTML(site(c.name, c.html), Options{URL: "https://harbour.example.com/x"})
			if err != nil {
				t.Fatal(err)
			}
			text := allText(p.Blocks)
			for _, w := range c.keep {
				if !strings.Contains(text, w) {
					t.Errorf("%q is lost", w)
				}
			}
			for _, w := range append(c.drop, chrome...) {
				if strings.Contains(text, w) {
					t.Errorf("%q stayed", w)
				}
			}
			if p.Method != page.MethodSpyhop {
				t.Errorf("method %s", p.Method)
			}
			whole, err := HTML(site(c.name, c.html), Options{Whole: true})
			if err != nil || whole.Method != page.MethodWholeBody || !strings.Contains(allText(whole.Blocks), "cookies") {
				t.Errorf("the whole body is not whole: %v %s", err, whole.Method)
			}
		})
	}
}

// A noscript body is content only when it is long and longer than the rest
// that can be seen (Discourse and Flarum keep whole threads there).
func TestNoscript(t *testing.T) {
	thread := strings.Repeat("<div class='post'><p>A post of the thread that only readers without scripts would ever get to see here.</p></div>", 30)
	for _, c := range []struct {
		name, html string
		want       bool
	}{
		{"a thread", "<body><div id=app></div><noscript>" + thread + "</noscript>", true},
		{"short", "<body><p>Hello there, this is the page.</p><noscript>Please enable JavaScript.</noscript>", false},
		{"long, but shorter than the page", "<body><main>" + strings.Repeat(thread, 2) + "</main><noscript><p>hidden</p>" + thread + "</noscript>", false},
		{"long markup without text", "<body><p>Hello there, this is the page.</p><noscript>" + strings.Repeat("<img src=pixel.gif>", 200) + "</noscript>", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := HTML([]byte(c.html), Options{Whole: true})
			if err != nil {
				t.Fatal(err)
			}
			text := allText(p.Blocks)
			got := strings.Contains(text, "only readers without scripts") && !strings.Contains(c.html, "<main>") ||
				strings.Contains(text, "hidden") || strings.Contains(text, "enable JavaScript")
			if got != c.want {
				t.Errorf("noscript is content: %v, want %v", got, c.want)
			}
		})
	}
}

func TestLinks(t *testing.T) {
	html := `<base href="/docs/"><nav><a href="intro">Intro</a><a href="#top">Top</a><a href="javascript:go()">Go</a>
<a href="mailto:a@example.com">Mail</a><a href="https://other.example.net/x"><img alt="Partner"></a></nav>
<a href="intro#more">again</a><a href="//cdn.example.com/y" title="Y file"></a><a href="/a/long-name.html"></a><a href="ftp://example.com/z">Z</a><a href="http://[bad">bad</a>`
	p, _ := HTML([]byte(html), Options{URL: "https://example.com/a/b"})
	var got []string
	for _, l := range p.Links {
		got = append(got, fmt.Sprintf("%d %s = %s", l.Count, l.URL, l.Text))
	}
	want := []string{
		"2 https://example.com/docs/intro = Intro",
		"1 https://other.example.net/x = Partner",
		"1 https://cdn.example.com/y = Y file",
		"1 https://example.com/a/long-name.html = long-name.html",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestDocument(t *testing.T) {
	for _, c := range []struct {
		mediaType, url, body string
		kind                 page.Kind
		lang, want           string
		code                 errorCode
	}{
		{"text/plain", "https://example.com/a.py", "print(1)\n", page.Code, "python", "print(1)", 0},
		{"text/plain", "https://example.com/a", "line\r\nnext\x1b[0m", page.Code, "", "line\nnext[0m", 0},
		{"application/json", "", `{"a":[1,2]}`, page.Code, "json", "{\n  \"a\": [\n    1,\n    2\n  ]\n}", 0},
		{"application/problem+json", "", `{"a":1`, page.Code, "json", `{"a":1`, 0},
		{"application/xml", "", "<a/>", page.Code, "xml", "<a/>", 0},
		{"text/markdown", "https://example.com/d/", "# Title\n\nSee [it](x).", page.Heading, "", "Title", 0},
		{"text/plain", "", " \n", 0, "", "", NoContent},
		{"video/mp4", "", "x", 0, "", "", Unsupported},
		{"application/rtf", "", `{\rtf1 a}`, 0, "", "", Unsupported},
		{"application/ms-tnef", "", "x\x9f>\"", 0, "", "", Unsupported},
		{"application/x-ndjson", "", "{\"a\":1}\n{\"a\":2}", page.Code, "json", "{\"a\":1}\n{\"a\":2}", 0},
		{"application/typescript", "https://example.com/a.ts", "let a = 1", page.Code, "typescript", "let a = 1", 0},
		{"application/octet-stream", "", "a\x00b", 0, "", "", Unsupported},
		{"text/calendar", "", "BEGIN:VCALENDAR", page.Code, "", "BEGIN:VCALENDAR", 0},
		{"text/vcard", "", "BEGIN:VCARD", page.Code, "", "BEGIN:VCARD", 0},
		{"application/zip", "", "PK", 0, "", "", malformed},
		{"application/pdf", "", "%PDF-", 0, "", "", malformed},
		{"text/csv", "", "a,b\n1,2", page.TableBlock, "", "", 0},
		{"application/json", "", `{"nbformat":4,"cells":[{"cell_type":"markdown","source":"# Title"}]}`, page.Heading, "", "Title", 0},
		{"application/rss+xml", "", "<a/>", page.Code, "xml", "<a/>", 0},
	} {
		p, err := Document([]byte(c.body), c.mediaType, Options{URL: c.url})
		if c.code != 0 {
			var e *Error
			if !asError(err, &e) || e.Code != c.code {
				t.Errorf("%s: error %v, want code %d", c.mediaType, err, c.code)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.mediaType, err)
			continue
		}
		b := p.Blocks[0]
		if got := strings.TrimSpace(b.Text + page.InlineText(b.Inlines)); b.Kind != c.kind || b.Lang != c.lang || got != c.want {
			t.Errorf("%s: kind %d, lang %q, text %q", c.mediaType, b.Kind, b.Lang, got)
		}
	}
	p, err := Document([]byte("See [it](x)."), "text/markdown", Options{URL: "https://example.com/d/"})
	if err != nil || p.Blocks[0].Inlines[1].URL != "https://example.com/d/x" {
		t.Errorf("a link in Markdown is not absolute: %v %+v", err, p.Blocks)
	}
}

func ExampleHTML() {
	body := site("Ferries in fog", "<main><h1>Ferries in fog</h1><p>"+strings.Repeat("The ferry left the quay at dawn and followed the coast for an hour. ", 5)+"</p></main>")
	p, err := HTML(body, Options{URL: "https://example.com/fog"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Method, p.Blocks[0].Kind == page.Heading, page.InlineText(p.Blocks[0].Inlines))
	// Output: spyhop true Ferries in fog
}

// A Discourse page without noscript is a shell; its thread is JSON in an
// attribute, and what stands in there is a page like any other.
func TestDiscourseState(t *testing.T) {
	post := `{\"username\":\"ada\",\"created_at\":\"2026-01-02T03:04:05Z\",\"cooked\":\"<p>I would take polyester, since nylon stretches too much in a tidal berth.</p><p hidden>secret</p>\"}`
	post += "," + strings.Replace(strings.Replace(post, "ada", "bob", 1), "polyester, since nylon", "hemp, which smells of home and", 1)
	state := `{"site":"{}","topic_7":"{\"title\":\"Which rope?\",\"post_stream\":{\"posts\":[` + post + `]}}"}`
	for name, c := range map[string]struct {
		state string
		want  bool
	}{
		"thread":      {state, true},
		"cut off":     {state[:len(state)/2], false},
		"no topic":    {`{"site":"{}"}`, false},
		"other types": {`{"topic_7":"[1]"}`, false},
	} {
		body := `<title>Which rope? - Harbour Forum</title><body><noscript>Please enable JavaScript.</noscript><header><a href="/">Forum</a></header><div id="data-preloaded" data-preloaded="` + strings.ReplaceAll(strings.ReplaceAll(c.state, `&`, `&amp;`), `"`, `&quot;`) + `"></div>`
		p, err := HTML([]byte(body), Options{URL: "https://forum.example.com/t/rope/7"})
		text := allText(p.Blocks)
		if got := err == nil && strings.Contains(text, "Which rope?") && strings.Contains(text, "polyester") && strings.Contains(text, "ada"); got != c.want {
			t.Errorf("%s: read %v, %v\n%s", name, got, err, text)
		}
		if strings.Contains(text, "secret") {
			t.Errorf("%s: hidden text came through", name)
		}
	}
}

// Formulas and elements that a site defines are a part of their sentence.
// Fixed bugs: MathML cut its sentence into blocks, of which some were dropped.
func TestSentencesStayWhole(t *testing.T) {
	formula := `<math><semantics><mrow><mi>f</mi></mrow><annotation encoding="application/x-tex">f = 110</annotation></semantics></math>`
	for name, html := range map[string]string{
		"MathML":         formula,
		"KaTeX":          `<span class="katex"><span class="katex-mathml">` + formula + `</span><span class="katex-html"><span class="mord">f</span></span></span>`,
		"custom element": `<x-term>f = 110</x-term>`,
	} {
		doc, err := dom.Parse([]byte("<article><p>The horn is tuned to "+html+" hertz, as it was.</p></article>"), &page.Page{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		seg := blocks.Segment(nil, doc, &page.Page{})
		if seg.Len() != 1 {
			t.Errorf("%s: %d blocks", name, seg.Len())
		}
		// Chosen in part, the paragraph still has its formula.
		p, err := HTML(site("x", "<main><h1>Fog</h1><p>"+strings.Repeat("The ferry left the quay at dawn and met the fog. ", 8)+"</p><p>The horn of the lighthouse is tuned to "+html+" hertz, as it was in the year before the war.</p></main>"), Options{})
		if err != nil || !strings.Contains(allText(p.Blocks), "f = 110") {
			t.Errorf("%s: %v\n%s", name, err, allText(p.Blocks))
		}
	}
}
