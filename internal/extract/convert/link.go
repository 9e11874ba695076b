package convert

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// anchor converts a link: to one where it leads somewhere, to its text where
// it only points at itself or carries code.
func (c *converter) anchor(n *html.Node, v dom.Choice) {
	href := strings.TrimSpace(dom.Attr(n, "href"))
	has := dom.HasAttr(n, "href")
	if isSelfLink(n, href, c.heading > 0) || has && c.noteRef(n) || c.inNote != "" && isBackLink(n, href) {
		return
	}
	if !has || c.heading > 0 && strings.HasPrefix(href, "#") {
		c.children(n, v)
		return
	}
	url, ok := c.resolved(href)
	if !ok || c.inLink() { // HTML has no links in links
		c.children(n, v)
		return
	}
	m := mark{kind: page.LinkInline, url: url}
	facts := surveyLink(n)
	if !facts.text && facts.image && !c.o.Empty {
		if isPicture(href) { // the link leads to the picture itself
			c.children(n, v)
			return
		}
		if !hasImage(n) && isLinkedAgain(n, href) {
			return
		}
	}
	if !facts.text && !facts.image {
		c.icon(n, v, m)
		return
	}
	m.link, m.title = facts.form(), c.clean(dom.Attr(n, "title"))
	blocky := facts.block && c.only == 0
	if blocky {
		c.flush()
	}
	c.push(m)
	c.children(n, v)
	if blocky {
		c.flush()
	}
	c.pop()
}

// inLink reports whether a link is open.
func (c *converter) inLink() bool {
	for i := range c.marks {
		if c.marks[i].kind == page.LinkInline && !c.marks[i].none {
			return true
		}
	}
	return false
}

// icon converts a link without text or picture: its label is its text.
func (c *converter) icon(n *html.Node, v dom.Choice, m mark) {
	if label := c.clean(dom.FirstNonBlank(dom.Attr(n, "aria-label"), dom.Attr(n, "title"))); label != "" && v == dom.KeepAll {
		c.push(m)
		c.begin(true)
		c.buf = append(c.buf, label...)
		c.pop()
	} else if len(n.Attr) == 1 && c.emptied(n) {
		c.inline(page.Inline{Kind: page.LinkInline, URL: m.url}) // no icon: nothing but a URL
	}
}

// isLinkedAgain reports whether a link with the same target follows: the title of a card
// follows its picture.
func isLinkedAgain(n *html.Node, href string) bool {
	for up, i := n, 0; up != nil && i <= 2; up, i = up.Parent, i+1 {
		next, nodes := nextElement(up), 0
		if next == nil {
			continue
		}
		for k := next; k != nil && nodes < maxSiblings; k, nodes = dom.Following(k, next), nodes+1 {
			if k.DataAtom == atom.A && strings.TrimSpace(dom.Attr(k, "href")) == href {
				return true
			}
		}
	}
	return false
}

type linkFacts struct{ text, image, block, heading bool }

// form says which part of a link around blocks carries the URL.
func (f linkFacts) form() linkForm {
	switch {
	case !f.block:
		return linkPlain
	case f.heading:
		return linkHeading
	case f.text:
		return linkText
	}
	return linkAny
}

// surveyLink looks through a link. Links are not nested, so that each node is
// looked at once.
func surveyLink(n *html.Node) (f linkFacts) {
	for k := range dom.Below(n) {
		switch k.Type {
		case html.TextNode:
			f.text = f.text || dom.IsWordy(k) && k.Parent.DataAtom != atom.Style && k.Parent.DataAtom != atom.Script && !underSvg(k, n)
		case html.ElementNode:
			switch k.DataAtom {
			case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
				f.heading, f.block = true, true
			case atom.Img, atom.Math:
				f.image = true
			default:
				f.block = f.block || k.DataAtom != 0 && !dom.IsInline(k.DataAtom) && !unreadable(k.DataAtom) && k.Namespace == ""
			}
		}
		if f.heading && f.text {
			break
		}
	}
	return f
}

func underSvg(k, top *html.Node) bool {
	return k.Parent != nil && k.Parent.Namespace == "svg"
}

// isSelfLink reports whether a link only offers the URL of the heading in or beside which
// it is.
func isSelfLink(n *html.Node, href string, inHeading bool) bool {
	if href != "" && strings.IndexByte(href, '#') < 0 || hasImage(n) {
		return false
	}
	t := strings.TrimSpace(shallowText(n, shortText))
	switch t {
	case "":
		return inHeading || strings.HasPrefix(href, "#") && n.FirstChild != nil // an icon
	case "#", "¶", "§", "🔗", "∞":
		return inHeading || strings.HasPrefix(href, "#")
	case "Anchor", "Permalink", "anchor", "permalink", "link", "Link":
		return inHeading
	}
	for _, p := range [...]string{"link to ", "permalink", "permanent link", "direct link to", "anchor link", "copy link", "section titled"} {
		if dom.HasPrefixFold(t, p) && (inHeading && n.Parent.FirstChild != n.Parent.LastChild || besideHeading(n)) {
			return true
		}
	}
	return false
}

// besideHeading reports whether a heading is the sibling of n.
func besideHeading(n *html.Node) bool {
	i := 0
	for k := n.PrevSibling; k != nil && i < 2; k, i = k.PrevSibling, i+1 {
		if dom.HeadingLevel(k) > 0 {
			return true
		}
	}
	next := nextElement(n)
	return next != nil && dom.HeadingLevel(next) > 0
}

func hasImage(n *html.Node) bool {
	for k := range dom.Below(n) {
		if k.DataAtom == atom.Img && dom.Attr(k, "alt") != "" {
			return true
		}
	}
	return false
}

// shallowText returns the text of n, about the first limit bytes of it.
func shallowText(n *html.Node, limit int) string {
	if k := n.FirstChild; k != nil && k == n.LastChild && k.Type == html.TextNode {
		return k.Data[:min(len(k.Data), 2*limit)]
	}
	var b []byte
	for k := range dom.Below(n) {
		if k.Type == html.TextNode && k.Parent.DataAtom != atom.Style && k.Parent.DataAtom != atom.Script {
			b = append(b, k.Data...)
			if len(b) > limit {
				break
			}
		}
	}
	return string(b)
}

// resolved makes a URL absolute and reports whether it may be linked.
func (c *converter) resolved(ref string) (string, bool) {
	if isCodeOrData(ref) {
		if dom.HasPrefixFold(ref, "data:") {
			c.omit(page.OmittedDataURI, 1)
		}
		return "", false
	}
	if c.o.Resolve == nil {
		return ref, true
	}
	if ref == "" && !c.o.Empty {
		return "", false // most often a control that its script has left
	}
	return c.o.Resolve(ref)
}

// isCodeOrData reports whether a URL is code or data. Browsers ignore control
// characters and white space within the name of a scheme, so they are ignored here.
func isCodeOrData(ref string) bool {
	scheme, _, ok := strings.Cut(ref[:min(len(ref), labelBytes)], ":")
	scheme = strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, scheme)
	return ok && dom.HasToken("javascript vbscript livescript data blob file filesystem about", scheme)
}
