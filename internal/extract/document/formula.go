package document

import (
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

// group is a child in braces, after a mark; "" where there is no such child.
func group(n *node, mark, name string) string {
	if n.child(name) == nil {
		return ""
	}
	return mark + "{" + tex(n.child(name)) + "}"
}

func texElement(n *node) string {
	props := n.child(n.name + "Pr")
	switch n.name {
	case "r":
		return texSymbols(n.child("t").content())
	case "f":
		switch props.child("type").attr("val") {
		case "lin", "skw":
			return group(n, "", "num") + "/" + group(n, "", "den")
		case "noBar":
			return `\binom` + group(n, "", "num") + group(n, "", "den")
		}
		return `\frac` + group(n, "", "num") + group(n, "", "den")
	case "sSup", "sSub", "sSubSup":
		return group(n, "", "e") + group(n, "_", "sub") + group(n, "^", "sup")
	case "limUpp":
		return group(n, "", "e") + group(n, "^", "lim")
	case "limLow":
		return group(n, "", "e") + group(n, "_", "lim")
	case "sPre":
		return "{}" + group(n, "_", "sub") + group(n, "^", "sup") + group(n, "", "e")
	case "rad":
		degree := ""
		if d := tex(n.child("deg")); d != "" && !on(props.child("degHide")) {
			degree = "[" + d + "]"
		}
		return `\sqrt` + degree + group(n, "", "e")
	case "nary":
		sign := "∫"
		if c := props.child("chr"); c != nil {
			sign = texSymbols(c.attr("val"))
		}
		for _, limit := range [][2]string{{"_", "sub"}, {"^", "sup"}} {
			if !on(props.child(limit[1] + "Hide")) {
				sign += group(n, limit[0], limit[1])
			}
		}
		return sign + group(n, "", "e")
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
		return name + group(n, "", "e")
	case "acc":
		command := texAccents[props.child("chr").attr("val")]
		if command == "" {
			command = "hat"
		}
		return `\` + command + group(n, "", "e")
	case "bar", "groupChr":
		command := map[string]string{"bar": "line", "groupChr": "brace"}[n.name]
		if props.child("pos").attr("val") == "top" {
			return `\over` + command + group(n, "", "e")
		}
		return `\under` + command + group(n, "", "e")
	case "borderBox":
		return `\boxed` + group(n, "", "e")
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
