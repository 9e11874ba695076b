package convert

import (
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
)

// Formulas in MathML. The page's own TeX, which most generators put into an
// annotation, precedes TeX that we write from the elements. What we write has
// symbols as Unicode: models read α and ≤ as well as \alpha and \le, and
// no table has to be kept.

// mathML converts a math element.
func (c *converter) mathML(n *html.Node, display bool) {
	if dom.Attr(n, "display") == "block" || dom.Attr(n, "mode") == "display" {
		display = true
	}
	if tex := texAnnotation(n); tex != "" && tells(tex, n) {
		c.formula(stripDisplayStyle(tex), display)
		return
	}
	if tex := dom.Attr(n, "alttext"); strings.ContainsAny(tex, `\^_`) && tells(tex, n) {
		c.formula(stripDisplayStyle(tex), display)
		return
	}
	m := texWriter{b: c.tex[:0]}
	m.children(n, 0)
	c.tex = m.b
	c.formula(string(m.b), display)
}

// texAnnotation returns the TeX that a formula was made from, or "".
func texAnnotation(n *html.Node) string {
	for k := range dom.Below(n) {
		if k.Type != html.ElementNode || k.Data != "annotation" {
			continue
		}
		switch strings.ToLower(dom.Attr(k, "encoding")) {
		case "application/x-tex", "tex", "latex", "application/x-latex", "text/x-tex", "application/tex":
			return strings.TrimSpace(rawText(k))
		}
	}
	return ""
}

func rawText(n *html.Node) string {
	if k := n.FirstChild; k != nil && k == n.LastChild && k.Type == html.TextNode {
		return k.Data
	}
	var b strings.Builder
	for k := range dom.Below(n) {
		if k.Type == html.TextNode {
			b.WriteString(k.Data)
		}
	}
	return b.String()
}

type texWriter struct{ b []byte }

func (w *texWriter) s(s string) { w.b = append(w.b, s...) }

func (w *texWriter) children(n *html.Node, depth int) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		w.node(k, depth+1)
	}
}

// arg writes the i-th child element in braces.
func (w *texWriter) arg(n *html.Node, i, depth int) {
	w.s("{")
	w.bare(n, i, depth)
	w.s("}")
}

func (w *texWriter) bare(n *html.Node, i, depth int) {
	if k := elementAt(n, i); k != nil {
		w.node(k, depth+1)
	}
}

// base writes what carries an index: in braces unless it is one symbol.
func (w *texWriter) base(n *html.Node, depth int) {
	at := len(w.b)
	w.bare(n, 0, depth)
	if utf8.RuneCount(w.b[at:]) <= 1 || w.b[at] == '\\' && !strings.ContainsAny(string(w.b[at+1:]), `\{ `) {
		return
	}
	w.b = append(w.b, '{', '}')
	copy(w.b[at+1:len(w.b)-1], w.b[at:len(w.b)-2])
	w.b[at] = '{'
	w.b[len(w.b)-1] = '}'
}

func elementAt(n *html.Node, i int) *html.Node {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.ElementNode {
			if i == 0 {
				return k
			}
			i--
		}
	}
	return nil
}

func (w *texWriter) node(n *html.Node, depth int) {
	switch {
	case n.Type == html.TextNode:
		if dom.IsWordy(n) {
			w.text(strings.TrimSpace(n.Data))
		}
	case n.Type != html.ElementNode:
	case depth > maxFormula:
		w.text(strings.Join(strings.Fields(rawText(n)), " "))
	case !w.token(n):
		w.layout(n, depth)
	}
}

// token writes an element that holds text (MathML Core, section 3.2), and
// reports whether n is one.
func (w *texWriter) token(n *html.Node) bool {
	switch n.Data {
	case "mi":
		w.identifier(strings.TrimSpace(rawText(n)))
	case "mn":
		w.word(strings.TrimSpace(rawText(n)))
	case "mo":
		w.operator(strings.TrimSpace(rawText(n)))
	case "mtext", "ms":
		if t := strings.Join(strings.Fields(rawText(n)), " "); t != "" {
			w.s(`\text{`)
			w.text(t)
			w.s("}")
		} else {
			w.s(" ")
		}
	case "mspace":
		w.s(" ")
	case "mphantom", "annotation", "annotation-xml", "none", "mprescripts", "maligngroup", "malignmark", "script", "style":
	default:
		return false
	}
	return true
}

func (w *texWriter) identifier(t string) {
	switch {
	case isFunction(t):
		w.command(t)
	case utf8.RuneCountInString(t) > 1:
		w.s(`\mathrm{`)
		w.text(t)
		w.s("}")
	default:
		w.word(t)
	}
}

// layout writes an element that arranges others (MathML Core, sections 3.3 to
// 3.5).
func (w *texWriter) layout(n *html.Node, depth int) {
	switch n.Data {
	case "msup":
		w.base(n, depth)
		if t := childText(n, 1); t == "′" || t == "'" {
			w.s("'")
			return
		}
		w.index("^", n, 1, depth)
	case "msub":
		w.base(n, depth)
		w.index("_", n, 1, depth)
	case "msubsup", "munderover", "mmultiscripts":
		w.base(n, depth)
		w.index("_", n, 1, depth)
		w.index("^", n, 2, depth)
	case "munder":
		w.under(n, depth)
	case "mover":
		w.over(n, depth)
	case "mfrac":
		w.fraction(n, depth)
	case "msqrt":
		w.s(`\sqrt{`)
		w.children(n, depth)
		w.s("}")
	case "mroot":
		w.s(`\sqrt[`)
		w.bare(n, 1, depth)
		w.s("]")
		w.arg(n, 0, depth)
	case "mfenced":
		w.fenced(n, depth)
	case "mtable":
		w.matrix(n, depth)
	case "semantics":
		w.bare(n, 0, depth)
	default: // mrow, mstyle, mpadded, menclose, merror, maction, math
		w.children(n, depth)
	}
}

// index writes the i-th child as an index: sign is ^ or _.
func (w *texWriter) index(sign string, n *html.Node, i, depth int) {
	w.s(sign)
	w.arg(n, i, depth)
}

// childText returns the first bytes of the text of the i-th child element.
func childText(n *html.Node, i int) string {
	if k := elementAt(n, i); k != nil {
		return strings.TrimSpace(shallowText(k, 8))
	}
	return ""
}

func (w *texWriter) under(n *html.Node, depth int) {
	if k := elementAt(n, 0); k != nil && isLimit(k) {
		w.base(n, depth)
		w.index("_", n, 1, depth)
		return
	}
	w.s(`\underset`)
	w.arg(n, 1, depth)
	w.arg(n, 0, depth)
}

func (w *texWriter) over(n *html.Node, depth int) {
	if accent := accentOf(childText(n, 1)); accent != "" {
		w.s(accent)
		w.arg(n, 0, depth)
		return
	}
	if k := elementAt(n, 0); k != nil && isLimit(k) {
		w.base(n, depth)
		w.index("^", n, 1, depth)
		return
	}
	w.s(`\overset`)
	w.arg(n, 1, depth)
	w.arg(n, 0, depth)
}

// accentOf returns the command of a mark above a symbol, or "".
func accentOf(t string) string {
	switch t {
	case "¯", "‾", "―", "_":
		return `\overline`
	case "^", "ˆ", "̂":
		return `\hat`
	case "~", "˜":
		return `\tilde`
	case "→", "⃗":
		return `\vec`
	case "˙", ".":
		return `\dot`
	case "¨":
		return `\ddot`
	}
	return ""
}

func (w *texWriter) fraction(n *html.Node, depth int) {
	switch dom.Attr(n, "linethickness") {
	case "0", "0px":
		w.s(`\binom`)
	default:
		w.s(`\frac`)
	}
	w.arg(n, 0, depth)
	w.arg(n, 1, depth)
}

func (w *texWriter) fenced(n *html.Node, depth int) {
	open, shut := "(", ")"
	if dom.HasAttr(n, "open") {
		open = dom.Attr(n, "open")
	}
	if dom.HasAttr(n, "close") {
		shut = dom.Attr(n, "close")
	}
	w.operator(open)
	first := true
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.ElementNode {
			if !first {
				w.s(", ")
			}
			first = false
			w.node(k, depth+1)
		}
	}
	w.operator(shut)
}

func (w *texWriter) matrix(n *html.Node, depth int) {
	w.s(`\begin{matrix}`)
	rows := 0
	for r := n.FirstChild; r != nil; r = r.NextSibling {
		if r.Data != "mtr" && r.Data != "mlabeledtr" {
			continue
		}
		if rows++; rows > 1 {
			w.s(` \\ `)
		}
		cells := 0
		for d := r.FirstChild; d != nil; d = d.NextSibling {
			if d.Data == "mtd" {
				if cells++; cells > 1 {
					w.s(" & ")
				}
				w.children(d, depth+1)
			}
		}
	}
	w.s(`\end{matrix}`)
}

// isLimit reports whether an operator carries its indices below and above.
func isLimit(n *html.Node) bool {
	switch t := strings.TrimSpace(shallowText(n, 12)); t {
	case "∑", "∏", "∐", "∫", "∮", "∬", "⋃", "⋂", "⨁", "⨂", "⋁", "⋀", "lim", "max", "min", "sup", "inf", "limsup", "liminf", "argmax", "argmin", "det", "Pr", "gcd":
		return true
	}
	return false
}

func isFunction(t string) bool {
	switch t {
	case "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan",
		"log", "ln", "lg", "exp", "lim", "max", "min", "sup", "inf", "det", "dim", "ker", "deg", "gcd", "arg", "hom", "Pr", "mod":
		return true
	}
	return false
}

func (w *texWriter) command(name string) {
	w.b = append(w.b, '\\')
	w.s(name)
}

// word writes text that must not run into a command before it.
func (w *texWriter) word(t string) {
	if t == "" {
		return
	}
	if b := t[0] | 0x20; (b >= 'a' && b <= 'z' || b >= 0x80) && w.afterCommand() {
		w.b = append(w.b, ' ')
	}
	w.text(t)
}

func (w *texWriter) afterCommand() bool {
	i := len(w.b)
	for i > 0 && (w.b[i-1]|0x20) >= 'a' && (w.b[i-1]|0x20) <= 'z' {
		i--
	}
	return i < len(w.b) && i > 0 && w.b[i-1] == '\\'
}

func (w *texWriter) operator(t string) {
	switch t = text.Line(t); t {
	case "": // U+2061 to U+2064 too: function application, invisible times, comma, plus
	case "∑":
		w.command("sum")
	case "∏":
		w.command("prod")
	case "∫":
		w.command("int")
	case "{", "}":
		w.command(t)
	case "−":
		w.binary("-")
	case "=", "+", "<", ">", "≤", "≥", "≠", "≈", "→", "↦", "⇒", "⇔", "∈", "∉", "⊂", "⊆", "∪", "∩", "≡", "∼", "∝", "±", "×", "⋅", "∧", "∨":
		w.binary(t)
	default:
		if isFunction(t) {
			w.command(t)
			return
		}
		w.word(t)
	}
}

// binary writes an operator with space around it, where it has two sides.
func (w *texWriter) binary(t string) {
	if n := len(w.b); n > 0 && w.b[n-1] != '{' && w.b[n-1] != '(' && w.b[n-1] != ' ' {
		w.s(" ")
		w.s(t)
		w.s(" ")
		return
	}
	w.s(t)
}

// text writes text, with TeX's own characters escaped.
func (w *texWriter) text(t string) {
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '{', '}', '$', '%', '#', '&', '_':
			w.b = append(w.b, '\\', t[i])
		case '\\':
			w.s(`\backslash `)
		default:
			w.b = append(w.b, t[i])
		}
	}
}
