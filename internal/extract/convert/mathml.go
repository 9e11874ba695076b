package convert

import (
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
)

// Formulas in MathML. The page's own TeX, which most generators put into an
// annotation, precedes TeX that is written from the elements. That has
// symbols as Unicode: models read α and ≤ as well as \alpha and \le, and
// no table has to be kept.

// mathML converts a math element.
func (c *converter) mathML(n *html.Node, display bool) {
	display = display || dom.Attr(n, "display") == "block" || dom.Attr(n, "mode") == "display"
	tex := dom.Attr(n, "alttext")
	for k := range dom.Below(n) {
		if k.Data == "annotation" && strings.Contains(strings.ToLower(dom.Attr(k, "encoding")), "tex") {
			tex = rawText(k)
			break
		}
	}
	if !strings.ContainsAny(tex, `\^_`) && n.FirstChild != nil && n.FirstChild.Data != "semantics" || strings.TrimSpace(tex) == "" || !tells(tex, n) {
		m := texWriter{b: c.tex[:0]}
		m.children(n, 0)
		c.tex = m.b
		tex = string(m.b)
	}
	c.formula(stripDisplayStyle(tex), display)
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
	for k := range n.ChildNodes() {
		w.node(k, depth+1)
	}
}

// form writes an element by a form: a digit stands for the child element of that number,
// @ for the first one as the base of an index, and * for all children.
func (w *texWriter) form(form string, n *html.Node, depth int) {
	for _, c := range form {
		switch {
		case c >= '0' && c <= '9':
			if k := elementAt(n, int(c-'0')); k != nil {
				w.node(k, depth+1)
			}
		case c == '@':
			w.base(n, depth)
		case c == '*':
			w.children(n, depth)
		default:
			w.s(string(c))
		}
	}
}

// base writes what carries an index: in braces unless it is one symbol or command.
func (w *texWriter) base(n *html.Node, depth int) {
	k := elementAt(n, 0)
	if k == nil {
		return
	}
	at := len(w.b)
	w.node(k, depth+1)
	if base := string(w.b[at:]); utf8.RuneCountInString(base) > 1 && (base[0] != '\\' || strings.ContainsAny(base[1:], `\{ `)) {
		w.b = append(append(append(w.b[:at], '{'), base...), '}')
	}
}

func elementAt(n *html.Node, i int) *html.Node {
	for k := range n.ChildNodes() {
		if k.Type != html.ElementNode {
			continue
		}
		if i--; i < 0 {
			return k
		}
	}
	return nil
}

// childText returns the first bytes of the text of the i-th child element.
func childText(n *html.Node, i int) string {
	if k := elementAt(n, i); k != nil {
		return strings.TrimSpace(shallowText(k, shortText))
	}
	return ""
}

// node writes an element by MathML Core, sections 3.2 to 3.5, or a text.
func (w *texWriter) node(n *html.Node, depth int) {
	if n.Type == html.TextNode {
		w.text(strings.TrimSpace(n.Data))
		return
	}
	if n.Type != html.ElementNode {
		return
	}
	if depth > maxFormula {
		w.text(strings.Join(strings.Fields(rawText(n)), " "))
		return
	}
	switch n.Data {
	case "mi":
		switch t := strings.TrimSpace(rawText(n)); {
		case dom.HasToken(texFunctions, t):
			w.s(`\` + t)
		case utf8.RuneCountInString(t) > 1:
			w.s(`\mathrm{`)
			w.text(t)
			w.s("}")
		default:
			w.word(t)
		}
	case "mn":
		w.word(strings.TrimSpace(rawText(n)))
	case "mo":
		w.operator(rawText(n))
	case "mtext", "ms":
		if t := strings.Join(strings.Fields(rawText(n)), " "); t != "" {
			w.s(`\text{`)
			w.text(t)
			w.s("}")
			return
		}
		w.s(" ")
	case "mspace":
		w.s(" ")
	case "mphantom", "annotation", "annotation-xml", "none", "mprescripts", "maligngroup", "malignmark", "script", "style":
	case "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts":
		w.indices(n, depth)
	case "mfrac":
		if strings.HasPrefix(dom.Attr(n, "linethickness"), "0") {
			w.form(`\binom{0}{1}`, n, depth)
			return
		}
		w.form(`\frac{0}{1}`, n, depth)
	case "msqrt":
		w.form(`\sqrt{*}`, n, depth)
	case "mroot":
		w.form(`\sqrt[1]{0}`, n, depth)
	case "mfenced":
		w.fenced(n, depth)
	case "mtable":
		w.matrix(n, depth)
	case "semantics":
		w.form("0", n, depth)
	default: // mrow, mstyle, mpadded, menclose, merror, maction, math
		w.children(n, depth)
	}
}

// indices writes an element with indices or marks at its base.
func (w *texWriter) indices(n *html.Node, depth int) {
	second := childText(n, 1)
	limits := dom.HasToken(texLimits, childText(n, 0))
	form := "@_{1}^{2}"
	switch accent := texAccents[second]; {
	case n.Data == "mover" && accent != "":
		form = accent + "{0}"
	case n.Data == "munder" && !limits:
		form = `\underset{1}{0}`
	case n.Data == "mover" && !limits:
		form = `\overset{1}{0}`
	case n.Data == "msup" && (second == "′" || second == "'"):
		form = "@'"
	case n.Data == "msup", n.Data == "mover":
		form = "@^{1}"
	case n.Data == "msub", n.Data == "munder":
		form = "@_{1}"
	}
	w.form(form, n, depth)
}

var texAccents = map[string]string{"¯": `\overline`, "‾": `\overline`, "―": `\overline`, "_": `\overline`, "^": `\hat`, "ˆ": `\hat`, "̂": `\hat`,
	"~": `\tilde`, "˜": `\tilde`, "→": `\vec`, "⃗": `\vec`, "˙": `\dot`, ".": `\dot`, "¨": `\ddot`}

// texLimits are operators whose indices are below and above, texFunctions identifiers that are commands.
const (
	texLimits    = "∑ ∏ ∐ ∫ ∮ ∬ ⋃ ⋂ ⨁ ⨂ ⋁ ⋀ lim max min sup inf limsup liminf argmax argmin det Pr gcd"
	texFunctions = "sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lg exp lim max min sup inf det dim ker deg gcd arg hom Pr mod"
)

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
	for k := range n.ChildNodes() {
		if k.Type != html.ElementNode {
			continue
		}
		if !first {
			w.s(", ")
		}
		first = false
		w.node(k, depth+1)
	}
	w.operator(shut)
}

func (w *texWriter) matrix(n *html.Node, depth int) {
	w.s(`\begin{matrix}`)
	between := ""
	for r := range n.ChildNodes() {
		if r.Data != "mtr" && r.Data != "mlabeledtr" {
			continue
		}
		w.s(between)
		cell := ""
		for d := range r.ChildNodes() {
			if d.Data == "mtd" {
				w.s(cell)
				w.children(d, depth+1)
				cell = " & "
			}
		}
		between = ` \\ `
	}
	w.s(`\end{matrix}`)
}

// word writes text that must not run into a command before it.
func (w *texWriter) word(t string) {
	i := len(w.b)
	for i > 0 && isLetter(w.b[i-1]) && w.b[i-1] < utf8.RuneSelf {
		i--
	}
	if t != "" && isLetter(t[0]) && i < len(w.b) && i > 0 && w.b[i-1] == '\\' {
		w.s(" ")
	}
	w.text(t)
}

func (w *texWriter) operator(t string) {
	switch t = text.Line(t); t {
	case "": // U+2061 to U+2064 too: function application, invisible times, comma, plus
	case "∑":
		w.s(`\sum`)
	case "∏":
		w.s(`\prod`)
	case "∫":
		w.s(`\int`)
	case "−":
		w.binary("-")
	case "=", "+", "<", ">", "≤", "≥", "≠", "≈", "→", "↦", "⇒", "⇔", "∈", "∉", "⊂", "⊆", "∪", "∩", "≡", "∼", "∝", "±", "×", "⋅", "∧", "∨":
		w.binary(t)
	default:
		if dom.HasToken(texFunctions, t) {
			w.s(`\` + t)
			return
		}
		w.word(t)
	}
}

// binary writes an operator with space around it, where it has two sides.
func (w *texWriter) binary(t string) {
	if n := len(w.b); n > 0 && w.b[n-1] != '{' && w.b[n-1] != '(' && w.b[n-1] != ' ' {
		t = " " + t + " "
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
