package document

import (
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file writes the formulas of Office Open XML (ECMA-376, part 1, section
// 22.1) as TeX. Symbols stay Unicode, as those of MathML do.

// formula appends a formula that stands by itself.
func (b *builder) formula(n *node) {
	if s := texOf(n); s != "" {
		b.add(page.Block{Kind: page.Math, Text: s})
	}
}

// texOf is the TeX of a formula, without delimiters.
func texOf(n *node) string {
	var w texWriter
	if n.name == "oMathPara" {
		for i, m := range n.kids("oMath") {
			if i > 0 {
				w.WriteString(` \\ `)
			}
			w.children(m)
		}
	} else {
		w.children(n)
	}
	return strings.TrimSpace(w.String())
}

type texWriter struct{ strings.Builder }

func (w *texWriter) children(n *node) {
	if n == nil {
		return
	}
	for _, c := range n.children {
		w.element(c)
	}
}

// group writes a child in braces.
func (w *texWriter) group(n *node, name string) {
	w.WriteByte('{')
	w.children(n.child(name))
	w.WriteByte('}')
}

func (w *texWriter) element(n *node) {
	props := n.child(n.name + "Pr")
	switch n.name {
	case "r":
		for _, t := range n.kids("t") {
			w.symbols(t.content())
		}
	case "f":
		w.fraction(n, props)
	case "sSup", "limUpp", "sSub", "limLow", "sSubSup":
		w.scripts(n)
	case "sPre":
		w.WriteString("{}_")
		w.group(n, "sub")
		w.WriteByte('^')
		w.group(n, "sup")
		w.group(n, "e")
	case "rad":
		w.root(n, props)
	case "nary":
		w.nary(n, props)
	case "d":
		w.delimited(n, props)
	case "m":
		w.rows(n.kids("mr"), " & ")
	case "eqArr":
		w.rows([]*node{n}, ` \\ `)
	case "func":
		w.function(n)
	case "acc", "bar", "groupChr", "borderBox":
		w.WriteString(decorationOf(n.name, props))
		w.group(n, "e")
	case "phant", "":
		// Room that is left empty, and white space between elements.
	default:
		if !strings.HasSuffix(n.name, "Pr") {
			w.children(n)
		}
	}
}

// decorationOf is the command that draws an accent, a line, a brace or a box at
// something.
func decorationOf(element string, props *node) string {
	above := props.child("pos").attr("val") == "top"
	switch {
	case element == "acc":
		return accentOf(props.child("chr").attr("val"))
	case element == "borderBox":
		return `\boxed`
	case element == "bar" && above:
		return `\overline`
	case element == "bar":
		return `\underline`
	case above:
		return `\overbrace`
	}
	return `\underbrace`
}

func (w *texWriter) fraction(n, props *node) {
	switch props.child("type").attr("val") {
	case "lin", "skw":
		w.group(n, "num")
		w.WriteByte('/')
		w.group(n, "den")
		return
	case "noBar":
		w.WriteString(`\binom`)
	default:
		w.WriteString(`\frac`)
	}
	w.group(n, "num")
	w.group(n, "den")
}

func (w *texWriter) root(n, props *node) {
	w.WriteString(`\sqrt`)
	if d := n.child("deg"); d != nil && len(d.children) > 0 && !shown(props.child("degHide")) {
		w.WriteByte('[')
		w.children(d)
		w.WriteByte(']')
	}
	w.group(n, "e")
}

// shown reports whether a property of a formula is on.
func shown(n *node) bool { return on(n) }

func (w *texWriter) scripts(n *node) {
	w.group(n, "e")
	for _, s := range [][2]string{{"_", "sub"}, {"^", "sup"}, {"_", "lim"}} {
		if n.child(s[1]) == nil {
			continue
		}
		if mark := s[0]; n.name == "limUpp" {
			w.WriteByte('^')
		} else {
			w.WriteString(mark)
		}
		w.group(n, s[1])
	}
}

func (w *texWriter) nary(n, props *node) {
	c := props.child("chr")
	if c == nil {
		w.WriteString("∫")
	} else {
		w.symbols(c.attr("val"))
	}
	if !shown(props.child("subHide")) && n.child("sub") != nil {
		w.WriteByte('_')
		w.group(n, "sub")
	}
	if !shown(props.child("supHide")) && n.child("sup") != nil {
		w.WriteByte('^')
		w.group(n, "sup")
	}
	w.group(n, "e")
}

func (w *texWriter) delimited(n, props *node) {
	sign := func(name, usual string) string {
		c := props.child(name)
		if c == nil {
			return usual
		}
		switch v := c.attr("val"); v {
		case "":
			return "."
		case "{", "}":
			return `\` + v
		case "‖":
			return `\|`
		default:
			return v
		}
	}
	var in texWriter
	for i, e := range n.kids("e") {
		if i > 0 {
			in.WriteString(sign("sepChr", "|"))
		}
		in.children(e)
	}
	open, end, body := sign("begChr", "("), sign("endChr", ")"), strings.TrimSpace(in.String())
	if strings.Contains(body, `\`) || open == "." || end == "." { // what is higher than a line
		w.WriteString(`\left` + open + " " + body + ` \right` + end)
		return
	}
	w.WriteString(open + body + end)
}

func (w *texWriter) rows(rows []*node, between string) {
	w.WriteString(`\begin{matrix} `)
	for i, r := range rows {
		if i > 0 {
			w.WriteString(` \\ `)
		}
		for k, e := range r.kids("e") {
			if k > 0 {
				w.WriteString(between)
			}
			w.children(e)
		}
	}
	w.WriteString(` \end{matrix}`)
}

func (w *texWriter) function(n *node) {
	var name texWriter
	name.children(n.child("fName"))
	s := strings.TrimSpace(name.String())
	if base, rest, _ := strings.Cut(strings.TrimPrefix(s, "{"), "}"); strings.HasPrefix(s, "{") && isFunction(base) {
		s = `\` + base + rest
	} else if isFunction(s) {
		s = `\` + s
	}
	w.WriteString(s)
	w.group(n, "e")
}

func isFunction(s string) bool {
	switch s {
	case "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "log", "ln", "lg", "exp",
		"lim", "max", "min", "sup", "inf", "det", "dim", "ker", "deg", "gcd", "arg":
		return true
	}
	return false
}

func accentOf(c string) string {
	switch c {
	case "\u0300", "`":
		return `\grave`
	case "\u0301", "´":
		return `\acute`
	case "\u030a", "˚":
		return `\mathring`
	case "\u20d6", "←":
		return `\overleftarrow`
	case "\u20e1", "↔":
		return `\overleftrightarrow`
	case "\u20db":
		return `\dddot`
	case "\u0303", "~":
		return `\tilde`
	case "\u0304", "\u0305", "¯":
		return `\bar`
	case "\u0307", "˙":
		return `\dot`
	case "\u0308", "¨":
		return `\ddot`
	case "\u20d7", "→":
		return `\vec`
	case "\u030c", "ˇ":
		return `\check`
	case "\u0306", "˘":
		return `\breve`
	}
	return `\hat`
}

// symbols writes text, with what TeX reads as commands escaped.
func (w *texWriter) symbols(s string) {
	for _, r := range s {
		switch r {
		case '\\':
			w.WriteString(`\backslash `)
		case '{', '}', '%', '#', '&', '$', '_':
			w.WriteByte('\\')
			w.WriteRune(r)
		default:
			switch c := text.ClassOf(r); {
			case unicode.IsSpace(r), c.Invisible() && c != text.Control: // such as an invisible "times"
				w.WriteByte(' ')
			case c != text.Control:
				w.WriteRune(r)
			}
		}
	}
}
