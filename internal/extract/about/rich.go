package about

import (
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
)

// Editors keep text as trees: Portable Text, ProseMirror, Contentful, Slate,
// Lexical, Draft.js, Editor.js and React elements differ in the names of the
// same things. This file writes such a tree as HTML.

// richTag is the HTML element for the type of a node, and false for a type that is not
// rich text. Headings are of the second level or a lower one: the title has the first.
func richTag(t string) (tag string, ok bool) {
	t = strings.TrimPrefix(strings.ToLower(t), "core/")
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, t)
	if tag, ok = richTypes()[name]; ok {
		return strings.Trim(tag, "-"), true
	}
	switch {
	case name != "h" && !strings.HasPrefix(name, "head") && name != "subheading":
		return "", false
	case strings.HasSuffix(t, "3") || strings.HasSuffix(t, "three"):
		return "h3", true
	case strings.ContainsAny(t, "456") || strings.HasSuffix(t, "four"):
		return "h4", true
	}
	return "h2", true
}

// richType returns the type that a node states.
func richType(v *value) string {
	if t := v.text("style"); t != "" && v.text("_type") == "block" { // Portable Text
		if item := v.text("listItem"); item != "" {
			return item
		}
		return t
	}
	for _, k := range [...]string{"nodeType", "_type", "type", "tagName", "tag", "name", "blockName"} {
		if t := v.text(k); t != "" && t != "tag" && t != "element" {
			return t
		}
	}
	return ""
}

// richContent returns the content of a node: a list, or the text of a leaf.
func richContent(v *value) (children *value, text string) {
	for _, k := range [...]string{"children", "content", "nodes", "items", "data", "text", "value", "attributes", "innerHTML"} {
		switch m := v.get(k); {
		case m == nil:
		case m.kind == listKind:
			return m, ""
		case m.kind == stringKind:
			return nil, m.str
		case m.kind == objectKind && k == "children":
			return &value{kind: listKind, list: []value{*m}}, ""
		case m.kind == objectKind && (k == "data" || k == "attributes"): // Editor.js
			if l, t := richContent(m); l != nil || t != "" {
				return l, t
			}
		}
	}
	return nil, ""
}

// isRich reports whether a list, or the children of an object, are rich text: most
// members are nodes of known types that have content, and one of them is a block.
func isRich(v *value) bool {
	if v.kind == objectKind {
		if tag, ok := richTag(richType(v)); !ok || tag == "" && !strings.HasPrefix(richType(v), "doc") {
			return false
		}
		if v, _ = richContent(v); v == nil {
			return false
		}
	}
	nodes, blocks, others := 0, 0, 0
	for i := range v.list {
		m := &v.list[i]
		tag, ok := richTag(richType(m))
		l, text := richContent(m)
		switch {
		case m.kind == stringKind, m.kind == objectKind && (!ok || l == nil && text == ""):
			others++
		case m.kind == objectKind:
			if nodes++; tag != "" || richType(m) == "text" {
				blocks++
			}
		}
	}
	return v.kind == listKind && blocks > 0 && 2*nodes >= others
}

// writeRich writes a node or a list of nodes within an element. Some editors have items
// without a list, and lists of which the members are no items.
func writeRich(b *strings.Builder, v *value, within string, depth int) {
	if depth > maxDepth || b.Len() > maxValueBytes {
		return
	}
	isList := within == "ul" || within == "ol"
	switch v.kind {
	case stringKind:
		s := v.str
		if !isMarkup(s) {
			s = html.EscapeString(s)
		}
		if isList {
			s = "<li>" + s + "</li>"
		}
		b.WriteString(s)
	case objectKind:
		tag, ok := richTag(richType(v))
		if isList && richType(v) == "" {
			tag, ok = "li", true
		}
		writeNode(b, v, tag, ok, depth)
	case listKind:
		open := ""
		for i := range v.list {
			m, want := &v.list[i], ""
			if tag, _ := richTag(richType(m)); !isList && (tag == "li" || m.kind == stringKind && within == "") {
				if want = "ul"; strings.HasPrefix(richType(m), "number") || strings.HasPrefix(richType(m), "ordered") {
					want = "ol"
				}
			}
			if want != open {
				b.WriteString(endTag(open) + startTag(want))
				open = want
			}
			if want == "" {
				want = within
			}
			writeRich(b, m, want, depth+1)
		}
		b.WriteString(endTag(open))
	}
}

func startTag(tag string) string {
	if tag == "" {
		return ""
	}
	return "<" + tag + ">"
}

func endTag(tag string) string {
	if tag == "" {
		return ""
	}
	return "</" + tag + ">"
}

func writeNode(b *strings.Builder, v *value, tag string, known bool, depth int) {
	children, text := richContent(v)
	if !known && children == nil && v.text("text") == "" {
		return // an image, an embed, an advertisement
	}
	holders := [...]*value{v, v.get("attrs"), v.get("data"), v.get("attributes"), v.get("attribs"), v.get("fields")}
	open := startTag(tag)
	for _, h := range holders {
		switch {
		case tag == "ul" && (h.text("style") == "ordered" || h.text("listType") == "number" || h.text("format") == "ordered"):
			tag, open = "ol", "<ol>"
		case tag == "h2":
			if l := h.get("level"); l != nil && l.kind == numberKind && l.str > "2" {
				tag, open = "h3", "<h3>"
			}
		case tag == "a" && open == "<a>":
			if u := dom.FirstNonBlank(h.text("href"), h.text("url"), h.text("uri")); u != "" {
				open = `<a href="` + html.EscapeString(u) + `">`
			}
		}
	}
	if b.WriteString(open); tag == "br" {
		return
	}
	if children != nil {
		within := tag
		if within == "" {
			within = "-"
		}
		writeRich(b, children, within, depth+1)
	} else {
		writeRich(b, &value{kind: stringKind, str: text}, "", depth)
	}
	b.WriteString(endTag(tag))
}

// markupSigns are parts of strings that are fragments of HTML.
var markupSigns = strings.Fields("<p> <br <div <h2 <h3 <ul <ol <li <strong <em> <b> <i> <span <table <section <blockquote <figure </ &nbsp; &amp; &# &quot;")

// isMarkup reports whether a string is a fragment of HTML.
func isMarkup(s string) bool {
	if strings.IndexByte(s, '<') < 0 && strings.IndexByte(s, '&') < 0 {
		return false
	}
	for _, sign := range markupSigns {
		if strings.Contains(s, sign) {
			return true
		}
	}
	return false
}
