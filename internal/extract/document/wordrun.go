package document

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file converts the runs of a docx paragraph (sections 17.3 and 17.16).

// inlines converts the runs of a paragraph. Deleted text, and moved text at its
// old position, are left out.
func (w *word) inlines(n *node, look wordLook) []page.Inline {
	var out []page.Inline
	depth := len(w.fields)
	for _, c := range n.children {
		switch c.name {
		case "r":
			if f := c.child("fldChar"); f != nil {
				out = w.field(f, out, depth)
			}
			out = append(out, w.run(c, look)...)
		case "hyperlink":
			in := joined(w.inlines(c, look))
			address := w.links.byID(c.attr("id"))
			if anchor := c.attr("anchor"); address != "" && anchor != "" && !strings.Contains(address, "#") {
				address += "#" + anchor
			}
			out = append(out, w.b.linked(address, in)...)
		case "fldSimple":
			in := w.inlines(c, look)
			if address := addressIn(c.attr("instr")); address != "" {
				in = w.b.linked(address, joined(in))
			}
			out = append(out, in...)
		case "ins", "moveTo", "smartTag", "sdt", "sdtContent", "customXml", "dir", "bdo", "rubyBase":
			out = append(out, w.inlines(c, look)...)
		case "oMath", "oMathPara":
			if s := texOf(c); s != "" {
				out = append(out, page.Inline{Kind: page.MathInline, Text: s})
			}
		case "AlternateContent":
			out = append(out, w.inlines(alternative(c), look)...)
		}
	}
	return out
}

func (w *word) run(r *node, look wordLook) []page.Inline {
	props := r.child("rPr")
	own := w.styles.run(props, look)
	if own.vanish {
		w.hide(r)
		return nil
	}
	out := w.runContent(r)
	if page.InlineText(out) == "" {
		return out
	}
	out = asCode(out, own.mono && !look.mono)
	align := props.child("vertAlign").attr("val")
	return marked(out, on(props.child("b")), on(props.child("i")), on(props.child("strike")) || on(props.child("dstrike")), align == "superscript", align == "subscript")
}

// runContent converts what a run shows.
func (w *word) runContent(r *node) []page.Inline {
	var out []page.Inline
	var b strings.Builder
	flush := func() {
		if s := w.b.fold(b.String()); s != "" {
			out = append(out, page.Inline{Kind: page.Text, Text: s})
		}
		b.Reset()
	}
	for _, c := range r.children {
		switch c.name {
		case "instrText":
			w.instruct(c.content())
		case "t":
			if !w.instructed() {
				b.WriteString(c.content())
			}
		case "tab", "ptab":
			b.WriteByte(' ')
		case "br", "cr":
			flush()
			out = append(out, page.Inline{Kind: page.Break})
		case "noBreakHyphen":
			b.WriteByte('-')
		case "sym":
			if v, err := strconv.ParseUint(c.attr("char"), 16, 32); err == nil {
				b.WriteString(symbolOf(c.attr("font"), rune(v)))
			}
		case "footnoteReference", "endnoteReference":
			flush()
			out = append(out, page.Inline{Kind: page.FootnoteRef, Text: w.label(strings.TrimSuffix(c.name, "Reference"), c.attr("id"))})
		case "ruby":
			flush()
			out = append(out, w.inlines(c, wordLook{})...)
		case "drawing", "pict", "object":
			flush()
			out = append(out, w.b.picture(pictureText(c))...)
			w.boxes = append(w.boxes, w.anchored(c)...)
		case "AlternateContent":
			flush()
			out = append(out, w.runContent(alternative(c))...)
		}
	}
	flush()
	return out
}

// codeLine is the text of a paragraph of code with all of its white space.
func (w *word) codeLine(n *node, look wordLook) string {
	var b strings.Builder
	for _, c := range n.children {
		switch c.name {
		case "t":
			b.WriteString(c.content())
		case "tab":
			b.WriteByte('\t')
		case "br", "cr":
			b.WriteByte('\n')
		case "noBreakHyphen":
			b.WriteByte('-')
		case "r":
			if !w.styles.run(c.child("rPr"), look).vanish {
				b.WriteString(w.codeLine(c, look))
			}
		case "hyperlink", "ins", "moveTo", "smartTag", "sdt", "sdtContent":
			b.WriteString(w.codeLine(c, look))
		}
	}
	return b.String()
}

// pictureText is the alternative text of the picture in a drawing.
func pictureText(drawing *node) string {
	for _, c := range drawing.children {
		switch {
		case c.name == "inline" || c.name == "anchor":
			if props := c.child("docPr"); c.first("pic") != nil && !isTrue(props.attr("hidden")) {
				return props.attr("descr")
			}
		case c.child("imagedata") != nil:
			return c.attr("alt")
		}
	}
	return ""
}

// wordField is a complex field (section 17.16.2): an instruction, and then its
// result.
type wordField struct {
	instruction string
	result      bool // the instruction is complete
	from        int  // where the result begins in the inlines of its paragraph
}

// field follows the marks of complex fields. The result of HYPERLINK becomes a
// link if it ends in the paragraph in which it began.
func (w *word) field(mark *node, out []page.Inline, depth int) []page.Inline {
	n := len(w.fields)
	switch kind := mark.attr("fldCharType"); {
	case kind == "begin" && n < maxFields:
		w.fields = append(w.fields, wordField{from: len(out)})
	case kind == "separate" && n > 0:
		w.fields[n-1].result, w.fields[n-1].from = true, len(out)
	case kind == "end" && n > 0:
		f := w.fields[n-1]
		w.fields = w.fields[:n-1]
		if n <= depth || f.from > len(out) {
			break
		}
		if address := addressIn(f.instruction); address != "" {
			return append(out[:f.from], w.b.linked(address, joined(out[f.from:]))...)
		}
	}
	return out
}

// instruct adds to the instruction of the innermost field.
func (w *word) instruct(s string) {
	if n := len(w.fields); n > 0 && len(w.fields[n-1].instruction) < maxInstruction {
		w.fields[n-1].instruction += s
	}
}

// instructed reports whether the text belongs to the instruction of a field,
// which is not shown.
func (w *word) instructed() bool {
	for _, f := range w.fields {
		if !f.result {
			return true
		}
	}
	return false
}

// dropInstructions ends the fields whose instruction is not complete at the end
// of a paragraph: they are broken, and what follows is text.
func (w *word) dropInstructions() {
	for i, f := range w.fields {
		if !f.result {
			w.fields = w.fields[:i]
			return
		}
	}
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

// symbolOf is the character that a font has at a code; "" where that is not known. The
// codes of fonts of symbols begin at U+F000 (ECMA-376, part 1, section 17.3.3.30).
func symbolOf(font string, code rune) string {
	switch {
	case font == "Symbol":
		return text.Symbol(code & 0xff)
	case code < 0xe000:
		return string(code)
	}
	return ""
}
