package about

import (
	"strings"

	"golang.org/x/net/html"
)

// Editors keep text as trees: Portable Text, ProseMirror, Contentful, Slate,
// Lexical, Draft.js, Editor.js and React elements differ in the names of the
// same things. This file writes such a tree as HTML.

// richTags are the HTML elements for types of nodes in lower case; "" is for a
// node that only holds others.
var richTags = map[string]string{
	"paragraph": "p", "p": "p", "block": "p", "unstyled": "p", "normal": "p", "text-block": "p", "textblock": "p", "core/paragraph": "p",
	"heading": "h2", "header": "h2", "subheading": "h2", "headline": "h2", "h2": "h2", "heading-2": "h2", "heading2": "h2", "header-two": "h2", "heading_2": "h2", "core/heading": "h2",
	"h1": "h2", "heading-1": "h2", "heading1": "h2", "header-one": "h2", "heading_1": "h2", // the title has the first level
	"h3": "h3", "heading-3": "h3", "heading3": "h3", "header-three": "h3", "heading_3": "h3",
	"h4": "h4", "heading-4": "h4", "heading4": "h4", "header-four": "h4", "h5": "h4", "heading-5": "h4", "h6": "h4", "heading-6": "h4",
	"ul": "ul", "list": "ul", "bulletlist": "ul", "bullet_list": "ul", "bulleted-list": "ul", "unordered-list": "ul", "unorderedlist": "ul", "ul_list": "ul", "core/list": "ul",
	"ol": "ol", "orderedlist": "ol", "ordered_list": "ol", "ordered-list": "ol", "numbered-list": "ol", "numberedlist": "ol",
	"li": "li", "listitem": "li", "list_item": "li", "list-item": "li", "unordered-list-item": "li", "ordered-list-item": "li", "bullet": "li", "number": "li",
	"blockquote": "blockquote", "quote": "blockquote", "block_quote": "blockquote", "block-quote": "blockquote", "pullquote": "blockquote",
	"pre": "pre", "code": "pre", "codeblock": "pre", "code_block": "pre", "code-block": "pre",
	"table": "table", "thead": "thead", "tbody": "tbody", "tr": "tr", "td": "td", "th": "th", "strong": "strong", "em": "em", "b": "b", "i": "i", "sub": "sub", "sup": "sup", "dl": "dl", "dt": "dt", "dd": "dd", "figcaption": "figcaption",
	"tablerow": "tr", "table_row": "tr", "table-row": "tr",
	"tablecell": "td", "table_cell": "td", "table-cell": "td",
	"tableheader": "th", "table_header": "th", "table-header-cell": "th",
	"bold":   "strong",
	"italic": "em", "emphasis": "em",
	"a": "a", "link": "a", "hyperlink": "a", "entry-hyperlink": "a", "autolink": "a",
	"br": "br", "hardbreak": "br", "hard_break": "br", "linebreak": "br", "line-break": "br",
	"text": "", "span": "", "doc": "", "document": "", "root": "", "div": "", "section": "", "article": "", "main": "", "fragment": "", "body": "",
}

// richTag is the HTML element for the type of a node, "" for a node that only
// holds others, and false for a type that is not rich text.
func richTag(t string) (tag string, ok bool) {
	tag, ok = richTags[strings.ToLower(t)]
	return tag, ok
}

// richType returns the type that a node states.
func richType(v *value) string {
	if t := v.text("style"); t != "" && v.text("_type") == "block" {
		if item := v.text("listItem"); item != "" {
			return item
		}
		return t
	}
	for _, k := range [...]string{"nodeType", "_type", "type", "tagName", "tag", "name", "blockName"} {
		t := v.text(k)
		if t == "tag" || t == "element" {
			continue // the name is elsewhere
		}
		if t != "" {
			return t
		}
	}
	return ""
}

// richChildren returns the content of a node: a list, or the text of a leaf.
func richChildren(v *value) (list *value, text string) {
	for _, k := range [...]string{"children", "content", "nodes", "items", "data", "text", "value", "attributes", "innerHTML"} {
		switch m := v.get(k); {
		case m == nil:
		case m.kind == listKind:
			return m, ""
		case m.kind == stringKind:
			return nil, m.str
		case m.kind == objectKind && (k == "data" || k == "attributes"):
			if l, t := richChildren(m); l != nil || t != "" {
				return l, t // Editor.js
			}
		case m.kind == objectKind && k == "children":
			return &value{kind: listKind, list: []value{*m}}, ""
		}
	}
	return nil, ""
}

// isRich reports whether a list is rich text: most of its members are nodes of
// known types that hold something, and one of them is a block.
func isRich(v *value) bool {
	if v.kind != listKind || len(v.list) == 0 {
		return false
	}
	nodes, blocks, others := 0, 0, 0
	for i := range v.list {
		m := &v.list[i]
		if m.kind != objectKind {
			if m.kind == stringKind {
				others++
			}
			continue
		}
		t := richType(m)
		tag, ok := richTag(t)
		if l, text := richChildren(m); !ok || l == nil && text == "" {
			others++
			continue
		}
		nodes++
		if tag != "" || t == "text" {
			blocks++
		}
	}
	return blocks > 0 && 2*nodes >= others
}

// writeRich writes a list of nodes as HTML.
func writeRich(b *strings.Builder, v *value, depth int) {
	if depth > maxDepth || b.Len() > maxValueBytes {
		return
	}
	inList := ""
	for i := range v.list {
		m := &v.list[i]
		if m.kind == stringKind {
			b.WriteString(html.EscapeString(m.str))
			continue
		}
		if m.kind == listKind {
			writeRich(b, m, depth+1)
			continue
		}
		if m.kind != objectKind {
			continue
		}
		t := richType(m)
		tag, ok := richTag(t)
		// Portable Text and Draft.js have items without a list.
		want := ""
		if tag == "li" && depth == 0 {
			want = "ul"
			if t == "number" || t == "ordered-list-item" {
				want = "ol"
			}
		}
		if want != inList {
			if inList != "" {
				b.WriteString("</" + inList + ">")
			}
			if want != "" {
				b.WriteString("<" + want + ">")
			}
			inList = want
		}
		writeNode(b, m, tag, ok, depth)
	}
	if inList != "" {
		b.WriteString("</" + inList + ">")
	}
}

func writeNode(b *strings.Builder, v *value, tag string, known bool, depth int) {
	list, text := richChildren(v)
	if !known && list == nil && v.text("text") == "" {
		return // an image, an embed, an advertisement
	}
	if tag == "br" {
		b.WriteString("<br>")
		return
	}
	tag = variantOf(tag, v)
	open, end := "", ""
	if tag != "" {
		open, end = "<"+tag+">", "</"+tag+">"
	}
	if tag == "a" {
		if u := richAddress(v); u != "" {
			open = `<a href="` + html.EscapeString(u) + `">`
		}
	}
	b.WriteString(open)
	if list != nil {
		writeChildren(b, list, tag == "ul" || tag == "ol", depth)
	} else {
		open, end := emphasisOf(v)
		b.WriteString(open)
		writeText(b, text)
		b.WriteString(end)
	}
	b.WriteString(end)
}

// variantOf returns the tag of a heading or a list by the level or the style
// that its node names.
func variantOf(tag string, v *value) string {
	for _, holder := range [...]*value{v, v.get("attrs"), v.get("data")} {
		switch tag {
		case "h2":
			if l := holder.get("level"); l != nil && l.kind == numberKind && l.str >= "3" {
				return "h3"
			}
		case "ul":
			if holder.text("style") == "ordered" || holder.text("listType") == "number" || holder.text("format") == "ordered" {
				return "ol"
			}
		}
	}
	return tag
}

// writeChildren writes the content of a node. items: the node is a list, and its
// members may lack the item around them.
func writeChildren(b *strings.Builder, list *value, items bool, depth int) {
	for i := range list.list {
		switch m := &list.list[i]; {
		case items && m.kind == stringKind:
			b.WriteString("<li>")
			writeText(b, m.str)
			b.WriteString("</li>")
		case items && m.kind == objectKind && richType(m) == "":
			b.WriteString("<li>")
			writeNode(b, m, "", true, depth+1)
			b.WriteString("</li>")
		default:
			writeRich(b, &value{kind: listKind, list: list.list[i : i+1]}, depth+1)
		}
	}
}

// writeText writes the text of a leaf, which some editors keep as HTML.
func writeText(b *strings.Builder, s string) {
	if isMarkup(s) {
		b.WriteString(s)
	} else {
		b.WriteString(html.EscapeString(s))
	}
}

func richAddress(v *value) string {
	for _, holder := range [...]*value{v, v.get("data"), v.get("attrs"), v.get("attributes"), v.get("attribs"), v.get("fields")} {
		for _, k := range [...]string{"href", "url", "uri"} {
			if u := holder.text(k); u != "" {
				return u
			}
		}
	}
	return ""
}

// emphasisOf is the emphasis of a leaf.
func emphasisOf(v *value) (open, end string) {
	var strong, em, code bool
	note := func(name string) {
		switch name {
		case "bold", "strong":
			strong = true
		case "italic", "em", "emphasis":
			em = true
		case "code":
			code = true
		}
	}
	if m := v.get("marks"); m != nil {
		for i := range m.list {
			note(m.list[i].str)
			note(m.list[i].text("type"))
		}
	}
	for i, k := range v.keys {
		if v.list[i].kind == otherKind && v.list[i].str == "true" {
			note(k)
		}
	}
	switch {
	case code:
		return "<code>", "</code>"
	case strong && em:
		return "<strong><em>", "</em></strong>"
	case strong:
		return "<strong>", "</strong>"
	case em:
		return "<em>", "</em>"
	}
	return "", ""
}

// isMarkup reports whether a string is a fragment of HTML.
func isMarkup(s string) bool {
	i := strings.IndexByte(s, '<')
	if i < 0 {
		return strings.Contains(s, "&nbsp;") || strings.Contains(s, "&amp;") || strings.Contains(s, "&#") || strings.Contains(s, "&quot;")
	}
	for _, t := range [...]string{"<p>", "<p ", "<br", "<div", "<h2", "<h3", "<ul", "<ol", "<li", "<a ", "<strong", "<em>", "<b>", "<i>", "<span", "<table", "<section", "<blockquote", "<figure", "</p>"} {
		if strings.Contains(s, t) {
			return true
		}
	}
	return false
}
