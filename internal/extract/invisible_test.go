package extract

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// poison has characters of each invisible class. They stand behind a letter, a
// Han character, an emoji and a black flag, where some of them may stay.
const poison = "x\U000e0049\U000e0047\U000e004e\u202e\u2066\u200e\u200b\u2060\u3164\u115f\uffa0\ufe00\ufe0f\U000e0101\u00ad\u0007\ufff9\u2063\u034f\ufdd0\u180b" +
	"\U0001f3f4\U000e0067\U000e0062\U000e0078"

// TestInvisibleInHTML puts invisible characters wherever HTML has text that
// reaches a page.
func TestInvisibleInHTML(t *testing.T) {
	long := strings.Repeat("This paragraph is long enough to be the main content of a page. ", 8)
	for name, body := range map[string]string{
		"text":        "<p>%s</p>",
		"heading":     "<h2 id='%[1]s'>a%[1]s</h2><p>x</p>",
		"link":        "<p><a href='/x%[1]s' title='%[1]s'>a%[1]s</a></p>",
		"link label":  "<p><a href='/y' aria-label='a%[1]s'></a></p>",
		"image":       "<p><img src='/x.png?%[1]s' alt='a%[1]s' title='b%[1]s'></p>",
		"figure":      "<figure><img src=/x.png><figcaption>a%s</figcaption></figure>",
		"code":        "<pre><code class='language-go%[1]s'>a%[1]s</code></pre><p>b <code>c%[1]s</code></p>",
		"data-lang":   "<pre data-lang='%[1]s'>a</pre>",
		"table":       "<table><caption>c%[1]s</caption><tr><th>a%[1]s<th>b<tr><td>c%[1]s<td>d</table>",
		"list":        "<ul><li>a%[1]s<li>b</ul><dl><dt>a%[1]s<dd>b%[1]s</dl>",
		"math":        "<p><math alttext='a%[1]s'><mi>x%[1]s</mi><mo>+%[1]s</mo><mtext>t%[1]s</mtext></math></p>",
		"tex":         "<p><math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x%[1]s</annotation></semantics></math> $$a%[1]s$$ \\(b%[1]s\\)</p>",
		"tex script":  "<p><script type='math/tex'>a%[1]s</script></p>",
		"details":     "<details><summary>a%[1]s</summary><p>b%[1]s</details>",
		"label":       "<div role=tabpanel aria-label='a%[1]s' hidden><p>tab</div><button role=tab>b%[1]s</button>",
		"video":       "<video src=/v.mp4 title='a%[1]s'></video><iframe src=/y title='b%[1]s'></iframe>",
		"footnote":    "<p>a<sup><a href='#n1%[1]s' id='r1'>1%[1]s</a></sup></p><ol><li id='n1%[1]s'>note%[1]s</ol>",
		"quote":       "<blockquote cite='%[1]s'><p>a%[1]s</blockquote><p><q>b%[1]s</q> <abbr title='c%[1]s'>d</abbr></p>",
		"abbr":        "<p><ruby>漢%[1]s<rt>かん%[1]s</ruby> <time datetime='2020%[1]s'>a%[1]s</time></p>",
		"meta":        "<meta name=description content='a%[1]s'><meta property='og:title' content='b%[1]s'><meta name=author content='Ann%[1]s Lee'><meta property='og:site_name' content='S%[1]s'>",
		"data":        `<script type="application/ld+json">{"@type":"Product","name":"a%[1]s","description":"b%[1]s","brand":{"name":"c%[1]s"},"offers":{"price":"1%[1]s","priceCurrency":"EUR%[1]s"}}</script>`,
		"article":     `<script type="application/ld+json">{"@type":"Article","headline":"a%[1]s","author":{"name":"Bob%[1]s Ray"},"datePublished":"2020-01-02%[1]s","keywords":["k%[1]s"]}</script>`,
		"pre in text": "<p>" + strings.Repeat("<span>", 5) + "%s</p>",
	} {
		source := fmt.Sprintf("<!doctype html><html lang=en><title>Title%[1]s</title><body><main><h1>Title%[1]s</h1><p>"+long+"</p>"+body+"<p>"+long+"</p></main>", poison)
		if !strings.Contains(body, "[1]") {
			source = fmt.Sprintf("<!doctype html><html lang=en><title>Title</title><body><main><h1>Title</h1><p>"+long+"</p>"+body+"<p>"+long+"</p></main>", poison)
		}
		for _, whole := range []bool{false, true} {
			p, err := HTML([]byte(source), Options{URL: "https://example.com/", Whole: whole})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			noInvisible(t, name, p)
		}
	}
}

// noInvisible fails if a page holds a character that nobody sees.
func noInvisible(t *testing.T, name string, p *page.Page) {
	t.Helper()
	var all strings.Builder
	e := json.NewEncoder(&all)
	e.SetEscapeHTML(false)
	_ = e.Encode(p)
	s := all.String() + markdown.Render(p, markdown.Options{Images: true}) + markdown.PlainText(p)
	for i, r := range s {
		if c := text.ClassOf(r); c.Invisible() && !text.Keeps([]byte(s[:i]), r, s[i+utf8.RuneLen(r):]) && r != '\n' {
			t.Errorf("%s: U+%04X (%s) in %+q", name, r, c, s[max(0, i-40):min(len(s), i+20)])
			return
		}
	}
}
