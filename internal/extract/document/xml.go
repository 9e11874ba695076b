package document

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file reads XML into a tree of elements by their local names: the
// formats here have no two elements of one name with different meanings in one
// place. encoding/xml does not expand entities that a document defines.

// node is an element, or a text between elements (name "").
type node struct {
	name     string
	space    string
	attrs    []xml.Attr
	children []*node
	text     string
}

var errXML = errors.New("no XML element")

// parseXML reads a document. If it breaks off, the elements before count; more reports
// whether something is left out, because it is beyond the bounds or not XML.
func parseXML(b []byte) (root *node, more bool, err error) {
	d := xml.NewDecoder(bytes.NewReader(b))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	// Bytes are UTF-8 by now, or so few that a charset does not matter.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	root = &node{}
	stack := []*node{root}
	count, skip := 0, 0
	for {
		t, err := d.RawToken()
		if err != nil {
			if len(root.children) == 0 || !root.hasElement() {
				if err == io.EOF {
					err = errXML
				}
				return nil, false, err
			}
			return root, more || err != io.EOF, nil
		}
		top := stack[len(stack)-1]
		switch t := t.(type) {
		case xml.StartElement:
			if count++; count > maxNodes {
				return root, true, nil
			}
			if len(stack) >= maxXMLDepth {
				skip, more = skip+1, true
				continue
			}
			n := &node{name: t.Name.Local, space: t.Name.Space, attrs: append([]xml.Attr(nil), t.Attr...)}
			top.children = append(top.children, n)
			stack = append(stack, n)
		case xml.EndElement:
			if skip > 0 {
				skip--
				continue
			}
			stack = ended(stack, t.Name.Local)
		case xml.CharData:
			if count++; count > 2*maxNodes {
				return root, true, nil
			}
			top.children = append(top.children, &node{text: string(t)})
		}
	}
}

// ended closes the elements up to the one that an end tag ends; one that was never begun ends
// nothing.
func ended(stack []*node, name string) []*node {
	for i := len(stack) - 1; i > 0; i-- {
		if stack[i].name == name {
			return stack[:i]
		}
	}
	return stack
}

func (n *node) hasElement() bool {
	for _, c := range n.children {
		if c.name != "" {
			return true
		}
	}
	return false
}

// attr is the value of an attribute by its local name, or "".
func (n *node) attr(name string) string {
	if n == nil {
		return ""
	}
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// child is the first child element with a name, or nil.
func (n *node) child(name string) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// childrenOf are the children; none of nil.
func (n *node) childrenOf() []*node {
	if n == nil {
		return nil
	}
	return n.children
}

// attributes are the attributes; none of nil.
func (n *node) attributes() []xml.Attr {
	if n == nil {
		return nil
	}
	return n.attrs
}

// kids are the child elements with a name.
func (n *node) kids(name string) []*node {
	if n == nil {
		return nil
	}
	var out []*node
	for _, c := range n.children {
		if c.name == name {
			out = append(out, c)
		}
	}
	return out
}

// number is an attribute as a whole number; ok is false if it is not one.
func (n *node) number(name string) (int, bool) {
	v, err := strconv.Atoi(n.attr(name))
	return v, err == nil
}

// first is the first descendant with a name, or nil.
func (n *node) first(name string) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.children {
		if c.name == name {
			return c
		}
		if f := c.first(name); f != nil {
			return f
		}
	}
	return nil
}

// find returns the outermost descendants with a name.
func (n *node) find(name string) []*node {
	if n == nil {
		return nil
	}
	var out []*node
	for _, c := range n.children {
		if c.name == name {
			out = append(out, c)
			continue
		}
		out = append(out, c.find(name)...)
	}
	return out
}

// content is all text of a node.
func (n *node) content() string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	b.WriteString(n.text)
	for _, c := range n.children {
		c.write(b)
	}
}

// metadata sets what a document states in the elements of Dublin Core, with its own names
// for the two dates.
func (b *builder) metadata(t *node, published, modified string) {
	line := func(name string) string { return text.Line(t.first(name).content()) }
	var creators []string
	for _, c := range t.find("creator") {
		creators = append(creators, text.Line(c.content()))
	}
	b.Meta.Title, b.Meta.Byline, b.Meta.Excerpt, b.Meta.Language = line("title"), b.joinNames(creators), line("description"), line("language")
	b.Meta.Published, b.Meta.Modified = isoDate(line(published)), isoDate(line(modified))
}

// writeHTML writes an element as HTML, with the attributes that its text needs.
// What a formula was made from is left out.
func writeHTML(b *bytes.Buffer, n *node) {
	if n.name == "" {
		b.WriteString(escapeHTML.Replace(n.text))
		return
	}
	name := strings.ToLower(n.name)
	if strings.HasPrefix(name, "annotation") {
		return
	}
	b.WriteString("<" + name)
	for _, a := range n.attrs {
		switch a.Name.Local {
		case "href", "src", "alt", "title", "style", "class", "hidden", "colspan", "rowspan", "start", "display", "open", "close", "separators", "linethickness":
			b.WriteString(" " + a.Name.Local + `="` + escapeHTML.Replace(a.Value) + `"`)
		}
	}
	b.WriteString(">")
	if isVoid(name) {
		return
	}
	for _, c := range n.children {
		writeHTML(b, c)
	}
	b.WriteString("</" + name + ">")
}

var escapeHTML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
