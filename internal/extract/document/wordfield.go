package document

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file follows the fields of a docx file, whose instructions are not shown.

// wordField is a complex field (section 17.16.2): an instruction, and then what
// it gives.
type wordField struct {
	instruction string
	form        string // what a field of a form shows that has no result
	result      bool   // the result is being read
	from        int    // where it begins in the inlines of its paragraph
}

// field follows the marks of complex fields. The result of HYPERLINK becomes a
// link if it ends in the paragraph in which it began.
func (w *word) field(mark *node, out []page.Inline, depth int) []page.Inline {
	n := len(w.fields)
	switch kind := mark.attr("fldCharType"); {
	case kind == "begin" && n < 64:
		w.fields = append(w.fields, wordField{form: formOf(mark.child("ffData")), from: len(out)})
	case kind == "separate" && n > 0:
		w.fields[n-1].result, w.fields[n-1].from = true, len(out)
	case kind == "end" && n > 0:
		f := w.fields[n-1]
		w.fields = w.fields[:n-1]
		if n <= depth || f.from > len(out) {
			break
		}
		if address := addressIn(f.instruction); address != "" {
			return append(out[:f.from], w.linked(address, joined(out[f.from:]))...)
		}
		if s := w.b.clean(f.form); s != "" && page.InlineText(out[f.from:]) == "" {
			out = append(out, page.Inline{Kind: page.Text, Text: s})
		}
	}
	return out
}

// addressIn is the address in the instruction of a HYPERLINK; "" for others.
func addressIn(instruction string) string {
	name, rest, _ := strings.Cut(strings.TrimSpace(instruction), " ")
	if !strings.EqualFold(name, "HYPERLINK") {
		return ""
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(rest), `"`), `"`)
	return address
}

// formOf is what a box to check or a list to choose from shows (section 17.16.17).
func formOf(data *node) string {
	if box := data.child("checkBox"); box != nil {
		checked := box.child("checked")
		if checked == nil {
			checked = box.child("default")
		}
		if on(checked) {
			return "☒"
		}
		return "☐"
	}
	entries := data.child("ddList").kids("listEntry")
	chosen := data.child("ddList").child("result")
	if chosen == nil {
		chosen = data.child("ddList").child("default")
	}
	if i, _ := chosen.number("val"); i >= 0 && i < len(entries) {
		return entries[i].attr("val")
	}
	return ""
}

// brokenFields are the marks at which fields begin that never end: what follows them
// is text.
func brokenFields(story *node) map[*node]bool {
	var open []*node
	var walk func(n *node)
	walk = func(n *node) {
		for _, c := range n.children {
			if c.name != "fldChar" {
				walk(c)
				continue
			}
			switch c.attr("fldCharType") {
			case "begin":
				open = append(open, c)
			case "end":
				open = open[:max(len(open)-1, 0)]
			}
		}
	}
	walk(story)
	broken := make(map[*node]bool, len(open))
	for _, mark := range open {
		broken[mark] = true
	}
	return broken
}

// instructed reports whether the instruction of a field is being read, which is
// not shown.
func (w *word) instructed() bool {
	for _, f := range w.fields {
		if !f.result {
			return true
		}
	}
	return false
}
