package convert

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Text that a person sees in controls and drawings. Of long pages only sentences are
// content: the rest belongs to search boxes, filters and charts.

// control converts a control or a drawing, and reports whether n is one.
func (c *converter) control(n *html.Node, v dom.Choice) bool {
	read := c.o.Controls || v == dom.KeepAll
	switch n.DataAtom {
	case atom.Input:
		c.checkbox(n)
		if kind := strings.ToLower(dom.Attr(n, "type")); read && !dom.HasToken("hidden password checkbox radio file image color range", kind) {
			c.said(c.clean(dom.Attr(n, "value")))
		}
	case atom.Select:
		if read {
			c.options(n)
		}
	case atom.Textarea:
		if read && n.FirstChild != nil && (c.o.Controls || isSentence(n.FirstChild.Data)) {
			c.textarea(n.FirstChild.Data)
		}
	case atom.Area:
		if c.o.Controls {
			c.linkLine(dom.Attr(n, "href"), c.clean(dom.Attr(n, "alt")))
		}
	case atom.Svg:
		c.drawing(n)
	default:
		return false
	}
	return true
}

// checkbox makes the item of a list that begins with a checkbox a task.
func (c *converter) checkbox(n *html.Node) {
	if c.check == nil || c.started || len(c.out) > 0 || !strings.EqualFold(dom.Attr(n, "type"), "checkbox") {
		return
	}
	*c.check = page.Unchecked
	if dom.HasAttr(n, "checked") {
		*c.check = page.Checked
	}
}

// textarea converts the text in a field: one line as a paragraph, several as they are.
func (c *converter) textarea(s string) {
	if s = strings.TrimSpace(s); !strings.Contains(s, "\n") || c.only > 0 {
		c.said(s)
		return
	}
	c.addCode(c.appendCode(nil, s), "")
}

// said adds the text of a control as a paragraph, on long pages if it is a sentence.
func (c *converter) said(s string) {
	if s != "" && (c.o.Controls || isSentence(s)) {
		c.flush()
		c.textNode(s)
		c.flush()
	}
}

// isSentence reports whether a text is more than a label: it has some words with letters.
func isSentence(s string) bool {
	n := 0
	for w := range strings.FieldsSeq(s) {
		if strings.ContainsFunc(w, unicode.IsLetter) {
			n++
		}
	}
	return n >= commandLen
}

// options converts the options of a list: all of a short one on a short page, else the
// one that is selected.
func (c *converter) options(n *html.Node) {
	var items []page.Block
	shown := ""
	for k := range dom.Below(n) {
		if k.DataAtom != atom.Option {
			continue
		}
		label := c.clean(dom.FirstNonBlank(dom.Attr(k, "label"), dom.NodeText(k, lookBytes)))
		if shown == "" || dom.HasAttr(k, "selected") {
			shown = label
		}
		if label != "" && len(items) <= maxOptions {
			items = append(items, page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: []page.Inline{{Kind: page.Text, Text: label}}}}})
		}
	}
	if len(items) <= 1 || len(items) > maxOptions || c.only > 0 || c.deep() || !c.o.Controls {
		c.said(shown)
		return
	}
	c.add(page.Block{Kind: page.List, Children: items})
}

// drawing converts the texts of an SVG drawing, a paragraph each.
func (c *converter) drawing(n *html.Node) {
	for k := n.FirstChild; k != nil; k = dom.Following(k, n) {
		if k.Data != "text" && k.Data != "foreignObject" || k.Type != html.ElementNode || isUnpainted(k, n) {
			continue
		}
		if c.o.Drawings || isSentence(dom.NodeText(k, lookBytes)) {
			c.flush()
			if k.Data == "text" {
				c.textNode(dom.NodeText(k, maxClean)) // its parts have positions of their own
			} else {
				c.children(k, dom.KeepAll)
			}
			c.flush()
		}
	}
}

// isUnpainted reports whether an element of a drawing is a definition, or its attributes
// hide it.
func isUnpainted(n, top *html.Node) bool {
	for up := n; up != nil && up != top.Parent; up = up.Parent {
		if dom.HasToken("defs symbol clipPath mask pattern marker", up.Data) || dom.Attr(up, "display") == "none" || dom.Attr(up, "visibility") == "hidden" ||
			dom.Attr(up, "opacity") == "0" || dom.Attr(up, "fill-opacity") == "0" || dom.Attr(up, "font-size") == "0" ||
			dom.Attr(up, "width") == "0" || dom.Attr(up, "height") == "0" ||
			dom.HasToken("none transparent", dom.Attr(up, "fill")) && !dom.HasAttr(up, "stroke") && up == n {
			return true
		}
	}
	return false
}

// button converts a button whose text is content: of a heading or a summary, of a table
// cell, the visible part of what it opens, or more than the name of an action.
func (c *converter) button(n *html.Node, v dom.Choice) {
	if c.heading > 0 {
		if !c.started { // not "Copy link" after the heading's text
			c.block(n, v)
		}
		return
	}
	if dom.MidSentence(n) {
		// The box of a button has room around its text, which counts as spaces.
		t := dom.NodeText(n, proseBytes)
		c.between(n.PrevSibling.Data, t)
		c.children(n, v)
		c.between(t, n.NextSibling.Data)
		return
	}
	if besideCode(n) && len(shallowText(n, shortText)) <= shortText {
		return
	}
	if c.o.Controls || dom.HasAttr(n, "aria-expanded") || dom.HasAttr(n, "aria-controls") || speaks(n) {
		c.block(n, v)
	}
}

// between writes a space where one of two texts ends and the other begins with a word.
func (c *converter) between(before, after string) {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	if text.IsWord(last) && text.IsWord(first) {
		c.text(" ")
	}
}

// speaks reports whether the text of a button is more than the name of an action: it is in
// a table cell, has a structure, is a question or is long.
func speaks(n *html.Node) bool {
	t := text.Line(dom.NodeText(n, lookBytes))
	for up := n.Parent; up != nil && up.DataAtom != atom.Table; up = up.Parent {
		if isCell(up) && t != "" {
			return true
		}
	}
	for k := range dom.Below(n) {
		switch k.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.P, atom.Strong, atom.Code:
			return true
		}
	}
	return strings.HasSuffix(t, "?") || strings.HasSuffix(t, "？") || strings.Count(t, " ") > commandLen
}
