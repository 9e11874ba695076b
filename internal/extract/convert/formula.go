package convert

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Formulas: TeX in scripts, in attributes and in text, and MathML within what a library
// has drawn. mathml.go translates MathML that has no TeX.

// drawnFormula converts an element of a library for formulas by the TeX or the MathML in
// it, e.g. <span class="katex">, <mjx-container> or <span data-tex="x^2">, and reports
// whether n is one.
func (c *converter) drawnFormula(n *html.Node, class string) bool {
	display := dom.Attr(n, "display") == "true" || dom.Attr(n, "display") == "block" || dom.Attr(n, "data-math-style") == "display"
	known := n.DataAtom == 0 && n.Data == "mjx-container"
	for tok := range strings.FieldsSeq(class) {
		switch {
		case strings.HasPrefix(tok, "MathJax"), strings.HasPrefix(tok, "MJX"), tok == "mjx-chtml":
			if scriptFollows(n) {
				return true
			}
			known, display = true, display || strings.HasSuffix(strings.ToLower(tok), "display")
		case tok == "katex", tok == "katex-display", tok == "katex-mathml", tok == "mwe-math-element":
			known, display = true, display || tok == "katex-display"
		case tok == "mwe-math-element-block", tok == "block-equation":
			display = true
		case tok == "math":
			if n.DataAtom == atom.Code || n.DataAtom == atom.Pre {
				c.formula(rawText(n), display)
				return true
			}
		}
	}
	if tex := texAttribute(n); tex != "" {
		c.formula(tex, display)
		return true
	}
	if !known {
		return false
	}
	nodes := 0
	for k := range dom.Below(n) {
		switch {
		case k.Type != html.ElementNode:
		case k.Data == "math":
			c.mathML(k, display || hasClass(n.Parent, "katex-display"))
			return true
		case isMathScript(k):
			c.formula(rawText(k), display)
			return true
		case k.Parent == n && texAttribute(k) != "":
			c.formula(texAttribute(k), display)
			return true
		}
		if nodes++; nodes > mathNodes {
			break
		}
	}
	if n.Data != "mjx-container" {
		return false
	}
	c.text(c.clean(dom.Attr(n, "aria-label")))
	return true
}

// texAttribute returns the TeX in an attribute of an element that draws it, or "".
func texAttribute(n *html.Node) string {
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "data-tex", "data-latex", "data-math", "data-formula", "data-expr", "data-original":
			tex := n.Attr[i].Val
			if n.DataAtom != atom.Img && len(tex) <= maxTeX && (strings.ContainsAny(tex, `\^_=+<>`) || utf8.RuneCountInString(tex) == 1) && tells(tex, n) {
				return tex
			}
		}
	}
	return ""
}

func isMathScript(n *html.Node) bool {
	return n.DataAtom == atom.Script && strings.HasPrefix(dom.Attr(n, "type"), "math/tex")
}

// scriptFollows reports whether the source of a formula that MathJax has drawn follows it.
func scriptFollows(n *html.Node) bool {
	for k := n.NextSibling; k != nil && !dom.IsWordy(k); k = k.NextSibling {
		if isMathScript(k) {
			return true
		}
		if k.Type == html.ElementNode && !strings.Contains(dom.Attr(k, "class"), "MathJax") {
			return false
		}
	}
	return false
}

func (c *converter) mathScript(n *html.Node) {
	if isMathScript(n) {
		c.formula(rawText(n), strings.Contains(dom.Attr(n, "type"), "mode=display"))
	}
}

// formula adds a formula, as a block where display says so and blocks can be.
func (c *converter) formula(tex string, display bool) {
	tex = strings.TrimSpace(string(c.appendCode(nil, tex)))
	if tex == "" {
		return
	}
	if display && c.only == 0 {
		c.add(page.Block{Kind: page.Math, Text: tex})
		return
	}
	c.inline(page.Inline{Kind: page.MathInline, Text: tex})
}

// stripDisplayStyle removes the wrapper that MediaWiki adds to all formulas.
func stripDisplayStyle(tex string) string {
	t := strings.TrimSpace(tex)
	if !strings.HasPrefix(t, "{") || !strings.HasSuffix(t, "}") {
		return t
	}
	in := strings.TrimSpace(t[1 : len(t)-1])
	for _, p := range [...]string{`\displaystyle`, `\textstyle`} {
		if rest, ok := strings.CutPrefix(in, p); ok {
			return strings.TrimSpace(rest)
		}
	}
	return t
}

// textWithTeX adds a text that may have TeX which a script of the page would draw:
// \(…\), \[…\], $$…$$, and $…$ where it is no price.
func (c *converter) textWithTeX(s string) {
	from := 0
	for at := 0; at < len(s) && c.formulas < maxFormulas; {
		i := strings.IndexAny(s[at:], `\$`)
		if i < 0 {
			break
		}
		at += i
		closer := ""
		switch rest := s[at:]; {
		case strings.HasPrefix(rest, `\(`):
			closer = `\)`
		case strings.HasPrefix(rest, `\[`):
			closer = `\]`
		case strings.HasPrefix(rest, `$$`):
			closer = `$$`
		case rest[0] == '$':
			closer = `$`
		default:
			at++ // another command
			continue
		}
		begin := at + len(closer)
		n := strings.Index(s[begin:min(len(s), begin+maxTeX)], closer)
		if n < 0 {
			at = begin
			continue
		}
		in, end := strings.TrimSpace(s[begin:begin+n]), begin+n+len(closer)
		switch {
		case in == "", closer == `$$` && !strings.ContainsAny(in, `\^_=`), closer == `$` && !isInlineTeX(s[:at], s[begin:begin+n], s[end:]):
			at = begin
			continue
		case strings.Trim(in, `\`) == "begingroup", strings.Trim(in, `\`) == "endgroup": // shows nothing
			c.text(s[from:at])
		default:
			c.text(s[from:at])
			c.formula(in, closer == `\]` || closer == `$$`)
			c.formulas++
		}
		at, from = end, end
	}
	c.text(s[from:])
}

// isInlineTeX reports whether the text between two dollar signs is TeX, and not the text
// between two prices.
func isInlineTeX(before, in, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	if isLetterOrDigit(last) || isLetterOrDigit(next) || last == '\\' || strings.TrimSpace(in) != in || strings.HasSuffix(in, `\`) || strings.Contains(in, "\n\n") {
		return false
	}
	first, size := utf8.DecodeRuneInString(in)
	return strings.ContainsAny(in, `\^`) || strings.Contains(in, "_{") || size == len(in) && unicode.IsLetter(first) || strings.Contains(in, "_") && !hasLongWord(in)
}

// hasLongWord reports whether a text has a word of prose rather than of a formula.
func hasLongWord(s string) bool {
	run := 0
	for _, r := range s {
		if run++; !unicode.IsLetter(r) {
			run = 0
		}
		if run >= wordLetters {
			return true
		}
	}
	return false
}

func isLetterOrDigit(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// tells reports whether TeX says what the elements of a formula paint: an annotation
// is not painted, and would be a place for hidden prose.
func tells(tex string, n *html.Node) bool {
	painted, untold := "", 0
	for i := 0; i < len(tex); {
		command := tex[i] == '\\'
		if command {
			i++
		}
		start := i
		for i < len(tex) && isLetter(tex[i]) {
			i++
		}
		word := tex[start:i]
		if i == start {
			i++
		}
		if command || len(word) < wordLetters {
			continue
		}
		if painted == "" {
			var b strings.Builder
			for k := range dom.Below(n) {
				if k.Type == html.TextNode && !strings.HasPrefix(k.Parent.Data, "annotation") {
					b.WriteString(k.Data)
				}
			}
			painted = strings.Join(strings.Fields(b.String()), "") + " "
		}
		if !strings.Contains(painted, word) {
			untold++
		}
	}
	return untold <= mostUntold
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf }

// hasClass reports whether n has a class.
func hasClass(n *html.Node, class string) bool {
	return n != nil && dom.HasToken(dom.Attr(n, "class"), class)
}
