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
	if c.heading > 0 && isSelfLink(n, href) || has && c.noteRef(n) || c.inNote > 0 && isBackLink(n, href) {
		return
	}
	if !has || c.heading > 0 && strings.HasPrefix(href, "#") {
		c.children(n, v)
		return
	}
	url, ok := c.address(href)
	if !ok || c.inLink() { // HTML has no links in links
		c.children(n, v)
		return
	}
	m := mark{kind: page.LinkInline, url: url}
	facts := surveyLink(n)
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
	label := dom.Attr(n, "aria-label")
	if label == "" {
		label = dom.Attr(n, "title")
	}
	if label = c.clean(label); label != "" && v == dom.KeepAll {
		c.push(m)
		c.begin(true)
		c.buf = append(c.buf, label...)
		c.pop()
	} else if len(n.Attr) == 1 && c.emptied(n) {
		c.inline(page.Inline{Kind: page.LinkInline, URL: m.url}) // no icon: nothing but an address
	}
}

type linkFacts struct{ text, image, block, heading bool }

// form says which part of a link around blocks carries the address.
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

// isSelfLink reports whether a link in a heading only offers the heading's own
// address.
func isSelfLink(n *html.Node, href string) bool {
	if href != "" && strings.IndexByte(href, '#') < 0 {
		return false
	}
	t := strings.TrimSpace(shallowText(n, 32))
	switch t {
	case "", "#", "¶", "§", "🔗", "∞", "Anchor", "Permalink", "anchor", "permalink", "link", "Link":
		return !hasImage(n)
	}
	for _, p := range [...]string{"link to ", "permalink", "permanent link", "direct link to", "anchor link", "copy link", "section titled"} {
		if dom.HasPrefixFold(t, p) && n.Parent.FirstChild != n.Parent.LastChild {
			return true
		}
	}
	return false
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
		return k.Data[:min(len(k.Data), 4*limit)]
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

// address makes an address absolute and reports whether it may be linked.
func (c *converter) address(ref string) (string, bool) {
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

// pictureAddress is address for pictures, "" for one that has none.
func (c *converter) pictureAddress(ref string) string {
	resolve := c.o.Picture
	if resolve == nil || isCodeOrData(ref) {
		resolve = c.address
	}
	if url, ok := resolve(ref); ok {
		return url
	}
	return ""
}

// isCodeOrData reports whether an address is not one. Browsers ignore control
// characters and white space within a scheme's name, so they are ignored here.
func isCodeOrData(ref string) bool {
	var scheme [12]byte
	n := 0
	for i := 0; i < len(ref); i++ {
		b := ref[i]
		switch {
		case b <= ' ':
			continue
		case b == ':':
			switch string(scheme[:n]) {
			case "javascript", "vbscript", "livescript", "data", "blob", "file", "filesystem", "about":
				return true
			}
			return false
		case n == len(scheme) || b == '/' || b == '#' || b == '?':
			return false
		case 'A' <= b && b <= 'Z':
			b |= 0x20
		}
		scheme[n] = b
		n++
	}
	return false
}

// imageFacts are the attributes of an img element.
type imageFacts struct {
	src, lazy, set string // lazy: an address that a script puts into src
	alt, title     string
	class          string
	width, height  string
}

func factsOfImage(n *html.Node) (f imageFacts) {
	for i := range n.Attr {
		val := n.Attr[i].Val
		switch n.Attr[i].Key {
		case "src":
			f.src = strings.TrimSpace(val)
		case "data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-orig-file", "data-url":
			if f.lazy == "" {
				f.lazy = strings.TrimSpace(val)
			}
		case "srcset", "data-srcset", "data-lazy-srcset":
			if f.set == "" {
				f.set = val
			}
		case "alt":
			f.alt = val
		case "title":
			f.title = val
		case "class":
			f.class = val
		case "width":
			f.width = val
		case "height":
			f.height = val
		}
	}
	return f
}

// image converts a picture. A picture of a formula or an emoji becomes text; a
// tracking pixel is left out.
func (c *converter) image(n *html.Node) {
	f := factsOfImage(n)
	if (f.width == "0" || f.width == "1") && (f.height == "0" || f.height == "1") {
		return // a tracking pixel
	}
	alt := c.clean(f.alt)
	if alt != "" && c.imageAsText(f.class, alt) {
		return
	}
	url := ""
	if src := c.imageSource(f); src != "" && (c.o.Empty || !isIcon(f)) {
		url = c.pictureAddress(src)
	}
	if url == "" && alt == "" {
		return
	}
	c.inline(page.Inline{Kind: page.ImageInline, URL: url, Title: c.clean(f.title), Text: alt})
}

// imageAsText writes the alternative text of a picture that its class calls a
// formula or an emoji, and reports whether it did.
func (c *converter) imageAsText(class, alt string) bool {
	for tok := range strings.FieldsSeq(class) {
		switch tok {
		case "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display", "mwe-math-fallback-image", "tex", "latex":
			c.formula(stripDisplayStyle(alt), strings.HasSuffix(tok, "display"))
			return true
		case "emoji", "wp-smiley", "twemoji", "emojione":
			if len(alt) < 40 {
				c.textNode(alt)
				return true
			}
		}
	}
	return false
}

// imageSource returns the address of a picture as the page has it, or "".
func (c *converter) imageSource(f imageFacts) string {
	src := f.src
	if dom.HasPrefixFold(src, "data:") {
		if f.lazy == "" && f.set == "" {
			c.omit(page.OmittedDataURI, 1)
		}
		src = ""
	}
	if f.lazy != "" && !dom.HasPrefixFold(f.lazy, "data:") {
		src = f.lazy
	}
	if f.set != "" && (src == "" || !c.o.Empty && isPlaceholder(src)) {
		src = firstCandidate(f.set)
	}
	return src
}

// firstCandidate returns the address of the first candidate of a srcset.
func firstCandidate(set string) string {
	for f := range strings.FieldsSeq(set) {
		f = strings.Trim(f, ",")
		if f != "" && !dom.HasPrefixFold(f, "data:") {
			return f
		}
	}
	return ""
}
