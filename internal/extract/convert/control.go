package convert

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file converts text that a person sees in controls. Of long pages only
// sentences are read: the rest belongs to search boxes, filters and charts.

// maxOptions is the largest number of options of a list that is given whole. A
// longer one, for example of all countries, gives the option that it shows while
// it is closed.
const maxOptions = 50

// control converts a control whose text is not the text of its children, and
// reports whether n is one.
func (c *converter) control(n *html.Node, v dom.Choice) bool {
	read := c.o.Controls || v == dom.KeepAll
	switch n.DataAtom {
	case atom.Input:
		c.checkbox(n)
		if read {
			c.input(n)
		}
	case atom.Area:
		if c.o.Controls {
			c.area(n)
		}
	case atom.Select:
		if read {
			c.options(n)
		}
	case atom.Textarea:
		if read {
			c.textarea(n)
		}
	case atom.Svg:
		if c.o.Drawings || saysSentence(n) {
			c.drawing(n, ink{})
		}
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

// input converts an input that shows a text: a button, or a field that is filled
// in.
func (c *converter) input(n *html.Node) {
	switch strings.ToLower(dom.Attr(n, "type")) {
	case "submit", "button", "reset", "", "text", "search", "url", "tel", "email", "number", "date", "time", "month", "week", "datetime-local":
		c.said(dom.Attr(n, "value"))
	}
}

// said adds the text of a control as a paragraph, on long pages if it is a sentence.
func (c *converter) said(s string) {
	if c.o.Controls || isSentence(s) {
		c.line(s)
	}
}

// sentenceWords is from how many words on a text of a control or a drawing is no label.
const sentenceWords = 6

// isSentence reports whether a text is more than a label: it has some words with letters.
func isSentence(s string) bool {
	n := 0
	for w := range strings.FieldsSeq(s) {
		if strings.ContainsFunc(w, unicode.IsLetter) {
			n++
		}
	}
	return n >= sentenceWords
}

// line adds a text as a paragraph.
func (c *converter) line(s string) {
	if s != "" {
		c.flush()
		c.textNode(s)
		c.flush()
	}
}

// options converts the options of a list.
func (c *converter) options(n *html.Node) {
	var first []string // the first maxOptions
	shown, count := "", 0
	for k := range dom.Below(n) {
		if k.DataAtom != atom.Option || count > maxOptions && !dom.HasAttr(k, "selected") {
			continue
		}
		label := c.clean(cmp.Or(dom.Attr(k, "label"), dom.NodeText(k, maxOptionBytes)))
		if label == "" {
			continue
		}
		if count++; count == 1 || dom.HasAttr(k, "selected") {
			shown = label
		}
		if count <= maxOptions {
			first = append(first, label)
		}
	}
	if count <= 1 || count > maxOptions || c.only > 0 || c.deep() || !c.o.Controls && !isOpenList(n) {
		c.said(shown)
		return
	}
	if !c.o.Controls && !slices.ContainsFunc(first, isSentence) {
		return
	}
	items := make([]page.Block, len(first))
	for i, label := range first {
		items[i] = page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: []page.Inline{{Kind: page.Text, Text: label}}}}}
	}
	c.add(page.Block{Kind: page.List, Children: items})
}

// isOpenList reports whether a list shows several of its options.
func isOpenList(n *html.Node) bool {
	size, _ := strconv.Atoi(strings.TrimSpace(dom.Attr(n, "size")))
	return size > 1 || dom.HasAttr(n, "multiple")
}

// maxOptionBytes is the most bytes of an option's text.
const maxOptionBytes = 1000

// textarea converts the text that a field holds: one line as a paragraph, several
// as they are.
func (c *converter) textarea(n *html.Node) {
	if n.FirstChild == nil {
		return
	}
	var removed text.Removed
	s := strings.Trim(text.Clean(n.FirstChild.Data, text.Verbatim, &removed), "\n")
	c.omit(page.HiddenCharacters, removed.Total())
	switch {
	case strings.TrimSpace(s) == "", !c.o.Controls && !isSentence(s):
	case !strings.Contains(s, "\n") || c.only > 0:
		c.line(s)
	default:
		c.add(page.Block{Kind: page.Code, Text: s})
	}
}

// area converts an area of an image map, a line each.
func (c *converter) area(n *html.Node) {
	name := c.clean(dom.Attr(n, "alt"))
	url, ok := c.address(strings.TrimSpace(dom.Attr(n, "href")))
	if name == "" || !ok || url == "" {
		return
	}
	c.flush()
	c.inline(page.Inline{Kind: page.LinkInline, URL: url, Children: []page.Inline{{Kind: page.Text, Text: name}}})
	c.flush()
}
