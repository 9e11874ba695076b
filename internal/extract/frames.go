package extract

import (
	"cmp"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// frames are the pages that a page without text of its own shows, a link each.
func frames(doc *html.Node, resolve func(string) (string, bool)) (out []page.Block) {
	const maxFrames = 50
	for n := range dom.Below(doc) {
		if n.DataAtom != atom.Frame && n.DataAtom != atom.Iframe || len(out) == maxFrames {
			continue
		}
		url, ok := resolve(strings.TrimSpace(dom.Attr(n, "src")))
		if width := dom.Attr(n, "width"); !ok || !strings.HasPrefix(url, "http") || width == "0" || width == "1" {
			continue
		}
		name := text.Line(cmp.Or(dom.Attr(n, "title"), dom.Attr(n, "aria-label"), dom.Attr(n, "name"), url))
		name = text.Cut(name, 200)
		link := page.Inline{Kind: page.LinkInline, URL: url, Children: []page.Inline{{Kind: page.Text, Text: name}}}
		out = append(out, page.Block{Kind: page.Paragraph, Inlines: []page.Inline{link}})
	}
	return out
}

// linksOf lists the links of blocks that are one link each.
func linksOf(blocks []page.Block) (out []page.Link) {
	for i := range blocks {
		in := blocks[i].Inlines[0]
		out = append(out, page.Link{URL: in.URL, Text: in.Children[0].Text, Count: 1})
	}
	return out
}
