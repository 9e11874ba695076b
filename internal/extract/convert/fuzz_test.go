package convert

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// FuzzConvertRender: whatever a page holds, its Markdown is valid UTF-8, its
// fences are closed, the addresses that a CommonMark parser finds in it are
// those of the page, and no element comes out that we do not write.
func FuzzConvertRender(f *testing.F) {
	for _, s := range []string{
		`<p>a <b>b</b> <a href="https://x/y">z</a></p>`,
		"<p>[a](http://evil/) <http://evil/> ![x](http://evil/)</p>",              // markup as text
		"<pre>```\n</pre>~~~<p>```<br>~~~</p>",                                    // fences
		`<a href="https://x/)(">](http://evil/)</a>`,                              // in link text and address
		`<a href="https://x/" title='" onclick='>[<code>` + "`](" + `</code></a>`, // in titles and code
		`<table><tr><th>|<td><pre>a|b` + "\n```" + `</pre><a href=https://x/|>|</a></table>`,
		`<math><annotation encoding="application/x-tex">](http://evil/) $ ` + "```" + `</annotation></math>`,
		`<img alt="](http://evil/)" src="https://x/y"><img alt="[" src="data:,">`,
		`<ul><li><ul><li><ol start=999999999><li>a<pre>b</pre></ol></ul></ul>`,
		`<p>[a]: http://evil/<br>[^1]: x<sup><a href="#fn1">1]</a></sup>(http://evil/)`,
		`<b>*<i>_</i></b>**<em>"</em>x<del>~</del>`,
		"<p>\\<a href='https://x/'>\\</a>\\</p>&amp;lt;script&amp;gt;<p>&lt;script&gt;",
		`<dl><dt>#<dd>- x<dd><pre>y</pre></dl><details><summary>](http://evil/)</summary>z</details>`,
		"<p>\x00\xff\u202e\u200d</p>",
		`<p>!<a href="https://x/">a</a> <img alt=x>(http://evil/)<a href="https://x/"><img alt="]"></a>`,
		`<ruby>a<rt>[<a href=https://y/>b</a></rt></ruby><sub>&lt;/sub></sub>`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<16 {
			return
		}
		s = strings.ToValidUTF8(s, "\ufffd") // as the caller of convert does
		body := parseBody(t, s)
		resolve := func(ref string) (string, bool) {
			u, err := url.Parse(strings.TrimSpace(ref))
			if err != nil || u.Scheme != "https" || u.Host == "" {
				return "", false
			}
			return u.String(), true
		}
		blocks := Blocks(body, nil, Options{Resolve: resolve})
		if d := depthOf(blocks); d > page.MaxDepth {
			t.Fatalf("%d levels", d)
		}
		in := map[string]bool{}
		walkURLs(blocks, in)
		for _, images := range []bool{true, false} {
			md := markdown.Blocks(blocks, markdown.Options{Images: images, Titles: images})
			if !utf8.ValidString(md) {
				t.Fatalf("not UTF-8: %q", md)
			}
			out := parseBody(t, toHTML(t, md))
			for n := range out.Descendants() {
				if n.Type == nethtml.CommentNode {
					t.Fatalf("comment in %q", md)
				}
				if n.Type != nethtml.ElementNode {
					continue
				}
				switch n.DataAtom {
				case atom.A, atom.Img:
					ref := dom.Attr(n, "href") + dom.Attr(n, "src")
					if strings.HasPrefix(ref, "#fn") {
						continue // the parser's own
					}
					if !in[sameAddress(ref)] {
						t.Fatalf("address %q is not one of the page's\n%s", ref, md)
					}
				case atom.P, atom.Em, atom.Strong, atom.Del, atom.Sub, atom.Sup, atom.Code, atom.Pre, atom.Ul, atom.Ol, atom.Li, atom.Blockquote,
					atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Hr, atom.Br, atom.Table, atom.Thead, atom.Tbody, atom.Tr, atom.Th, atom.Td, atom.Input, atom.Div:
				default:
					t.Fatalf("<%s> in %q", n.Data, md)
				}
			}
			if err := fencesClosed(md); err != nil {
				t.Fatalf("%v\n%s", err, md)
			}
			p := &page.Page{Blocks: blocks}
			if text := markdown.PlainText(p); !utf8.ValidString(text) {
				t.Fatalf("not UTF-8: %q", text)
			}
			markdown.Outline(p)
			checkWindows(t, md)
		}
	})
}

func checkWindows(t *testing.T, md string) {
	var b strings.Builder
	for at, n := 0, 0; ; n++ {
		part, next, cut := markdown.Window(md, at, 40)
		b.WriteString(part)
		if !cut {
			break
		}
		if next <= at || n > len(md) {
			t.Fatalf("no progress at %d", at)
		}
		at = next
	}
	if b.String() != md {
		t.Fatalf("windows do not add up: %q, %q", b.String(), md)
	}
}

func walkURLs(blocks []page.Block, to map[string]bool) {
	var inl func(in []page.Inline)
	inl = func(in []page.Inline) {
		for i := range in {
			if in[i].URL != "" {
				to[sameAddress(in[i].URL)] = true
			}
			inl(in[i].Children)
		}
	}
	for i := range blocks {
		inl(blocks[i].Inlines)
		walkURLs(blocks[i].Children, to)
		if tb := blocks[i].Table; tb != nil {
			inl(tb.Caption)
			for _, r := range tb.Rows {
				for _, c := range r {
					walkURLs(c.Blocks, to)
				}
			}
		}
	}
}

// sameAddress takes off what percent-encoding does not change.
func sameAddress(u string) string {
	if d, err := url.PathUnescape(u); err == nil {
		u = d
	}
	return u
}

// fencesClosed reads fences as CommonMark does at the top level and in lists.
func fencesClosed(md string) error {
	open := 0
	for line := range strings.SplitSeq(md, "\n") {
		l := strings.TrimLeft(line, " >-*0123456789.):")
		n := len(l) - len(strings.TrimLeft(l, "`"))
		if n < 3 || strings.Contains(l[n:], "`") { // a code span: info strings hold no backtick (CommonMark 4.5)
			continue
		}
		switch {
		case open == 0:
			open = n
		case n >= open && strings.TrimSpace(l[n:]) == "":
			open = 0
		}
	}
	if open > 0 {
		return fmt.Errorf("a fence of %d is open at the end", open)
	}
	return nil
}
