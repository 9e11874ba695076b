package pagestate

import (
	"strings"

	"golang.org/x/net/html"
)

// Editors keep text as trees: Portable Text, ProseMirror, Contentful, Slate,
// Lexical, Draft.js, Editor.js and React elements differ in the names of the
// same things. This file writes such a tree as HTML.

// richTag is the HTML element for the type of a node, "" for a node that only
// holds others, and false for a type that is no rich text.
func richTag(t string) (tag string, ok bool) {
	switch strings.ToLower(t) {
	case "paragraph", "p", "block", "unstyled", "normal", "text-block", "textblock", "core/paragraph":
		return "p", true
	case "heading", "header", "subheading", "headline", "h2", "heading-2", "heading2", "header-two", "heading_2", "core/heading":
		return "h2", true
	case "h1", "heading-1", "heading1", "header-one", "heading_1":
		return "h2", true // the title has the first level
	case "h3", "heading-3", "heading3", "header-three", "heading_3":
		return "h3", true
	case "h4", "heading-4", "heading4", "header-four", "h5", "heading-5", "h6", "heading-6":
		return "h4", true
	case "ul", "list", "bulletlist", "bullet_list", "bulleted-list", "unordered-list", "unorderedlist", "ul_list", "core/list":
		return "ul", true
	case "ol", "orderedlist", "ordered_list", "ordered-list", "numbered-list", "numberedlist":
		return "ol", true
	case "li", "listitem", "list_item", "list-item", "unordered-list-item", "ordered-list-item", "bullet", "number":
		return "li", true
	case "blockquote", "quote", "block_quote", "block-quote", "pullquote":
		return "blockquote", true
	case "pre", "code", "codeblock", "code_block", "code-block":
		return "pre", true
	case "table", "thead", "tbody", "tr", "td", "th", "strong", "em", "b", "i", "sub", "sup", "dl", "dt", "dd", "figcaption":
		return strings.ToLower(t), true
	case "tablerow", "table_row", "table-row":
		return "tr", true
	case "tablecell", "table_cell", "table-cell":
		return "td", true
	case "tableheader", "table_header", "table-header-cell":
		return "th", true
	case "bold":
		return "strong", true
	case "italic", "emphasis":
		return "em", true
	case "a", "link", "hyperlink", "entry-hyperlink", "autolink":
		return "a", true
	case "br", "hardbreak", "hard_break", "linebreak", "line-break":
		return "br", true
	case "text", "span", "doc", "document", "root", "div", "section", "article", "main", "fragment", "body":
		return "", true
	}
	return "", false
}

// richType is what a node says that it is.
func richType(v *jsVal) string {
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

// richChildren is what a node holds: a list, or the text of a leaf.
func richChildren(v *jsVal) (list *jsVal, text string) {
	for _, k := range [...]string{"children", "content", "nodes", "items", "data", "text", "value", "attributes", "innerHTML"} {
		switch m := v.get(k); {
		case m == nil:
		case m.kind == jsList:
			return m, ""
		case m.kind == jsString:
			return nil, m.str
		case m.kind == jsObject && (k == "data" || k == "attributes"):
			if l, t := richChildren(m); l != nil || t != "" {
				return l, t // Editor.js
			}
		case m.kind == jsObject && k == "children":
			return &jsVal{kind: jsList, list: []jsVal{*m}}, ""
		}
	}
	return nil, ""
}

// isRich reports whether a list is rich text: most of its members are nodes of
// known types that hold something, and one of them is a block.
func isRich(v *jsVal) bool {
	if v.kind != jsList || len(v.list) == 0 {
		return false
	}
	nodes, blocks, others := 0, 0, 0
	for i := range v.list {
		m := &v.list[i]
		if m.kind != jsObject {
			if m.kind == jsString {
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
func writeRich(b *strings.Builder, v *jsVal, depth int) {
	if depth > maxStateDepth || b.Len() > maxStateValue {
		return
	}
	inList := ""
	for i := range v.list {
		m := &v.list[i]
		if m.kind == jsString {
			b.WriteString(html.EscapeString(m.str))
			continue
		}
		if m.kind == jsList {
			writeRich(b, m, depth+1)
			continue
		}
		if m.kind != jsObject {
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

func writeNode(b *strings.Builder, v *jsVal, tag string, known bool, depth int) {
	list, text := richChildren(v)
	if !known && list == nil && v.text("text") == "" {
		return // an image, an embed, an advertisement
	}
	switch tag {
	case "br":
		b.WriteString("<br>")
		return
	case "h2":
		for _, holder := range [...]*jsVal{v, v.get("attrs"), v.get("data")} {
			if l := holder.get("level"); l != nil && l.kind == jsNumber && l.str >= "3" {
				tag = "h3"
			}
		}
	case "ul":
		for _, holder := range [...]*jsVal{v, v.get("data"), v.get("attrs")} {
			if holder.text("style") == "ordered" || holder.text("listType") == "number" || holder.text("format") == "ordered" {
				tag = "ol"
			}
		}
	}
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
		items := tag == "ul" || tag == "ol"
		for i := range list.list {
			if m := &list.list[i]; items && m.kind == jsString {
				b.WriteString("<li>")
				writeText(b, m.str)
				b.WriteString("</li>")
			} else if items && m.kind == jsObject && richType(m) == "" {
				b.WriteString("<li>")
				writeNode(b, m, "", true, depth+1)
				b.WriteString("</li>")
			} else {
				writeRich(b, &jsVal{kind: jsList, list: list.list[i : i+1]}, depth+1)
			}
		}
	} else {
		open, end := emphasisOf(v)
		b.WriteString(open)
		writeText(b, text)
		b.WriteString(end)
	}
	b.WriteString(end)
}

// writeText writes the text of a leaf, which some editors keep as HTML.
func writeText(b *strings.Builder, s string) {
	if isMarkup(s) {
		b.WriteString(s)
	} else {
		b.WriteString(html.EscapeString(s))
	}
}

func richAddress(v *jsVal) string {
	for _, holder := range [...]*jsVal{v, v.get("data"), v.get("attrs"), v.get("attributes"), v.get("attribs"), v.get("fields")} {
		for _, k := range [...]string{"href", "url", "uri"} {
			if u := holder.text(k); u != "" {
				return u
			}
		}
	}
	return ""
}

// emphasisOf is the emphasis of a leaf.
func emphasisOf(v *jsVal) (open, end string) {
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
		if v.list[i].kind == jsOther && v.list[i].str == "true" {
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
