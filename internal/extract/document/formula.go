package document

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file writes the formulas of Office Open XML (ECMA-376, part 1, section
// 22.1) as TeX. Symbols stay Unicode, as those of MathML do.

// formula appends a formula that is a block of its own.
func (b *builder) formula(n *node) {
	if s := texOf(n); s != "" {
		b.add(page.Block{Kind: page.Math, Text: s})
	}
}

// texOf is the TeX of a formula, without delimiters.
func texOf(n *node) string {
	var parts []string
	if n.name == "oMathPara" {
		for _, m := range n.kids("oMath") {
			parts = append(parts, tex(m))
		}
		return strings.TrimSpace(strings.Join(parts, ` \\ `))
	}
	return strings.TrimSpace(tex(n))
}

// tex is the TeX of the children of an element.
func tex(n *node) string {
	var b strings.Builder
	for _, c := range n.childrenOf() {
		b.WriteString(texElement(c))
	}
	return b.String()
}

// texForms are the elements whose children have a fixed order: each name in braces is a
// child. A child that is missing is left out with the mark before it.
var texForms = map[string]string{
	"f": `\frac{num}{den}`, "f lin": `{num}/{den}`, "f skw": `{num}/{den}`, "f noBar": `\binom{num}{den}`,
	"sSup": "{e}^{sup}", "sSub": "{e}_{sub}", "sSubSup": "{e}_{sub}^{sup}", "sPre": "_{sub}^{sup}{e}",
	"limUpp": "{e}^{lim}", "limLow": "{e}_{lim}",
	"bar": `\underline{e}`, "bar top": `\overline{e}`, "groupChr": `\underbrace{e}`, "groupChr top": `\overbrace{e}`,
	"borderBox": `\boxed{e}`,
}

// fill writes the children of an element into a form.
func fill(n *node, form string) string {
	out := ""
	for part := range strings.SplitAfterSeq(form, "}") {
		mark, name, _ := strings.Cut(strings.TrimSuffix(part, "}"), "{")
		if c := n.child(name); c != nil {
			out += mark + "{" + tex(c) + "}"
		}
	}
	return out
}

func texElement(n *node) string {
	props := n.child(n.name + "Pr")
	kind := strings.TrimSpace(n.name + " " + props.child("type").attr("val") + props.child("pos").attr("val"))
	if form := cmp.Or(texForms[kind], texForms[n.name]); form != "" {
		return fill(n, form)
	}
	switch n.name {
	case "r":
		return texSymbols(n.child("t").content())
	case "rad":
		degree := ""
		if d := tex(n.child("deg")); d != "" && !on(props.child("degHide")) {
			degree = "[" + d + "]"
		}
		return fill(n, `\sqrt`+degree+"{e}")
	case "nary":
		form := ""
		for _, limit := range []string{"_{sub}", "^{sup}"} {
			if !on(props.child(strings.Trim(limit, "_^{}") + "Hide")) {
				form += limit
			}
		}
		sign := "∫"
		if c := props.child("chr"); c != nil {
			sign = texSymbols(c.attr("val"))
		}
		return sign + fill(n, form+"{e}")
	case "d":
		return texDelimited(n, props)
	case "m":
		var rows []string
		for _, r := range n.kids("mr") {
			rows = append(rows, strings.Join(texCells(r), " & "))
		}
		return texMatrix(rows)
	case "eqArr":
		return texMatrix(texCells(n))
	case "func":
		name := strings.TrimSpace(tex(n.child("fName")))
		base, rest, _ := strings.Cut(strings.TrimPrefix(name, "{"), "}")
		if isTexFunction(base) {
			name = `\` + base + rest
		}
		return name + fill(n, "{e}")
	case "acc":
		return fill(n, `\`+cmp.Or(texAccents[props.child("chr").attr("val")], "hat")+"{e}")
	case "phant", "": // empty space
		return ""
	}
	if strings.HasSuffix(n.name, "Pr") {
		return ""
	}
	return tex(n)
}

func texDelimited(n, props *node) string {
	sign := func(name, usual string) string {
		c := props.child(name)
		switch v := c.attr("val"); {
		case c == nil:
			return usual
		case v == "":
			return "."
		case v == "{" || v == "}":
			return `\` + v
		case v == "‖":
			return `\|`
		default:
			return v
		}
	}
	open, end := sign("begChr", "("), sign("endChr", ")")
	body := strings.TrimSpace(strings.Join(texCells(n), sign("sepChr", "|")))
	if strings.Contains(body, `\`) || open == "." || end == "." { // higher than a line
		return `\left` + open + " " + body + ` \right` + end
	}
	return open + body + end
}

// texCells are the elements of a row, an array or a pair of brackets.
func texCells(n *node) (out []string) {
	for _, e := range n.kids("e") {
		out = append(out, tex(e))
	}
	return out
}

func texMatrix(rows []string) string {
	return `\begin{matrix} ` + strings.Join(rows, ` \\ `) + ` \end{matrix}`
}

func isTexFunction(s string) bool {
	return s != "" && strings.Contains(" sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan log ln lg exp lim max min sup inf det dim ker deg gcd arg ", " "+s+" ")
}

// texAccents are the commands of accents; others are \hat.
var texAccents = map[string]string{
	"\u0300": "grave", "`": "grave", "\u0301": "acute", "´": "acute", "\u030a": "mathring", "˚": "mathring", "\u0303": "tilde", "~": "tilde",
	"\u0304": "bar", "\u0305": "bar", "¯": "bar", "\u0307": "dot", "˙": "dot", "\u0308": "ddot", "¨": "ddot", "\u20db": "dddot",
	"\u030c": "check", "ˇ": "check", "\u0306": "breve", "˘": "breve", "\u20d7": "vec", "→": "vec", "\u20d6": "overleftarrow", "←": "overleftarrow",
	"\u20e1": "overleftrightarrow", "↔": "overleftrightarrow",
}

// texSymbols is text, with what TeX parses as commands escaped.
func texSymbols(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch c := text.ClassOf(r); {
		case r == '\\':
			b.WriteString(`\backslash `)
		case strings.ContainsRune("{}%#&$_", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsSpace(r), c.Invisible() && c != text.Control: // e.g. an invisible "times"
			b.WriteByte(' ')
		case c != text.Control:
			b.WriteRune(r)
		}
	}
	return b.String()
}
