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
	result      bool // the result is being read
	from        int  // where it begins in the inlines of its paragraph
}

// field follows the marks of complex fields. The result of HYPERLINK becomes a
// link if it ends in the paragraph in which it began.
func (w *word) field(mark string, out []page.Inline, depth int) []page.Inline {
	n := len(w.fields)
	switch {
	case mark == "begin" && n < 64:
		w.fields = append(w.fields, wordField{})
	case mark == "separate" && n > 0:
		w.fields[n-1].result, w.fields[n-1].from = true, len(out)
	case mark == "end" && n > 0:
		f := w.fields[n-1]
		w.fields = w.fields[:n-1]
		name, rest, _ := strings.Cut(strings.TrimSpace(f.instruction), " ")
		if n > depth && f.from <= len(out) && strings.EqualFold(name, "HYPERLINK") {
			address, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(rest), `"`), `"`)
			return append(out[:f.from], w.linked(address, joined(out[f.from:]))...)
		}
	}
	return out
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
