package convert

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Code blocks. A line ends at a newline, at br, around elements that are boxes, and
// between elements that are a line each. Line numbers and controls are no code.

// preformatted converts an element whose text is laid out in lines.
func (c *converter) preformatted(n *html.Node, v dom.Choice) {
	if c.only > 0 {
		c.code++
		c.block(n, v)
		c.code--
		return
	}
	if isNumberColumn(n) {
		return
	}
	w := codeWriter{c: c, start: true}
	w.children(n)
	if len(w.b) == 0 && c.emptied(n) {
		c.add(page.Block{Kind: page.Code, Lang: language(n)})
		return
	}
	c.addCode(w.b, language(n))
}

// addCode adds a code block. A paragraph before it that only names a language is its
// label, and that of a control to copy it says nothing.
func (c *converter) addCode(b []byte, lang string) {
	text := strings.TrimSuffix(string(b), "\n")
	if strings.TrimSpace(text) == "" && len(text) < 2 {
		return
	}
	c.flush()
	c.dropRendered(text)
	for i := len(c.out) - 1; i >= 0 && c.out[i].Kind == page.Paragraph && len(c.out[i].Inlines) == 1 && c.out[i].Inlines[0].Kind == page.Text; i-- {
		label := c.out[i].Inlines[0].Text
		if len(label) > shortText || !isCopyLabel(label) && (len(label) < 2 || !dom.HasToken(languages, label)) && (lang == "" || !strings.EqualFold(label, lang)) {
			break
		}
		if lang == "" && !isCopyLabel(label) {
			lang = strings.ToLower(label)
		}
		c.out = c.out[:i]
	}
	c.out = append(c.out, page.Block{Kind: page.Code, Text: text, Lang: lang})
}

// dropRendered drops the paragraphs before a code block that are its lines. Highlighters write
// both, and hide one of them with a sheet that may be missing.
func (c *converter) dropRendered(code string) {
	rest := strings.Join(strings.Fields(code), "")
	for i := len(c.out) - 1; i >= 0 && c.out[i].Kind == page.Paragraph; i-- {
		line := strings.Join(strings.Fields(page.InlineText(c.out[i].Inlines)), "")
		before, ok := strings.CutSuffix(rest, line)
		if !ok || line == "" {
			return
		}
		if rest = before; rest == "" {
			c.out = c.out[:i]
			return
		}
	}
}

// isCodeBlock reports whether an element other than pre is a code block: a code element
// in lines with no text beside it, or a box of a fixed-width font that keeps white space.
func isCodeBlock(n *html.Node) bool {
	style := dom.Attr(n, "style")
	keepsSpace := strings.Contains(style, "white-space") && strings.Contains(style, "pre")
	if n.DataAtom != atom.Code {
		return keepsSpace && (strings.Contains(style, "mono") || strings.Contains(style, "ourier") || strings.Contains(style, "onsol"))
	}
	if dom.IsWordy(n.PrevSibling) || dom.IsWordy(n.NextSibling) {
		return false
	}
	for k := range n.ChildNodes() {
		switch k.DataAtom {
		case atom.Br, atom.Div, atom.Pre, atom.P:
			return true
		}
	}
	return keepsSpace || hasLineElements(n)
}

// codeWriter collects the lines of code.
type codeWriter struct {
	c     *converter
	b     []byte
	start bool // at the start of a line
}

func (w *codeWriter) newline() {
	w.b = append(w.b, '\n')
	w.start = true
}

func (w *codeWriter) add(s string) {
	w.b = w.c.appendCode(w.b, s)
	if len(w.b) > 0 {
		w.start = w.b[len(w.b)-1] == '\n'
	}
}

func (w *codeWriter) children(n *html.Node) {
	// White space around the one code element of a pre is the template's.
	lone := n.DataAtom == atom.Pre && isAroundCode(n)
	lines := hasLineElements(n)
	for k := range n.ChildNodes() {
		switch {
		case k.Type == html.TextNode && !lone:
			w.add(k.Data)
		case k.Type == html.ElementNode:
			w.element(k, lines)
		}
	}
}

// element writes an element; line says that it is a line.
func (w *codeWriter) element(n *html.Node, line bool) {
	switch n.DataAtom {
	case atom.Br:
		w.newline()
		return
	case atom.Img:
		w.add(dom.Attr(n, "alt"))
		return
	case atom.Button, atom.Thead:
		return
	case atom.Td, atom.Th:
		if !w.start {
			w.b = append(w.b, '\t')
		}
		if !isGutter(n) {
			w.children(n)
		}
		return
	case atom.Div, atom.P, atom.Li, atom.Tr, atom.Pre, atom.Section, atom.Article, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Table, atom.Ol, atom.Ul:
		line = true
	}
	if unreadable(n.DataAtom) || isGutter(n) {
		return
	}
	if !line && !isBox(n) {
		w.children(n)
		return
	}
	if !w.start {
		w.newline()
	}
	before := len(w.b)
	w.children(n)
	if !w.start || len(w.b) == before && isEmptyLine(n) {
		w.newline()
	}
}

// isBox reports whether the style of an element makes it a box of its own.
func isBox(n *html.Node) bool {
	_, display, ok := strings.Cut(dom.Attr(n, "style"), "display:")
	display = strings.TrimSpace(display)
	return ok && (strings.HasPrefix(display, "block") || strings.HasPrefix(display, "flex") || strings.HasPrefix(display, "grid") || strings.HasPrefix(display, "table-row"))
}

// hasLineElements reports whether the child elements of an element of code are a line
// each: they are of one tag and class, no newline is between or in them, and their class
// says it, one of them is indented, or they are code elements.
func hasLineElements(n *html.Node) bool {
	var first *html.Node
	count, sign := 0, isBox(n) && n.DataAtom == atom.Code
	for k := range n.ChildNodes() {
		if k.Type == html.TextNode && (dom.IsWordy(k) || strings.Contains(k.Data, "\n")) {
			return false
		}
		if k.Type != html.ElementNode || isGutter(k) {
			continue
		}
		if count++; count == 1 {
			first = k
		}
		class := dom.Attr(k, "class")
		if k.DataAtom != first.DataAtom || class != dom.Attr(first, "class") {
			return false
		}
		text := dom.NodeText(k, 2*lookBytes)
		if strings.Contains(strings.TrimRight(text, "\n"), "\n") {
			return false
		}
		sign = sign || hasPart(class, "line row codeline") || dom.HasAttr(k, "data-line") || k.DataAtom == atom.Code || count > 1 && strings.HasPrefix(text, "  ")
	}
	return count > 1 && sign && (n.DataAtom == atom.Pre || n.DataAtom == atom.Code) && !endsInNewline(first)
}

// isAroundCode reports whether an element has one code element in it, and no other text.
func isAroundCode(n *html.Node) bool {
	found := 0
	for k := range n.ChildNodes() {
		switch {
		case k.Type == html.TextNode && dom.IsWordy(k), k.Type == html.ElementNode && k.DataAtom != atom.Code && !isGutter(k):
			return false
		case k.DataAtom == atom.Code:
			found++
		}
	}
	return found == 1
}

func endsInNewline(n *html.Node) bool { return strings.HasSuffix(rawText(n), "\n") }

// isEmptyLine reports whether an element without text is an empty line.
func isEmptyLine(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Table, atom.Ol, atom.Ul, atom.Section, atom.Article:
		return false
	}
	for k := range n.ChildNodes() {
		if k.Type == html.ElementNode && !dom.IsInline(k.DataAtom) {
			return false
		}
	}
	return true
}

// hasChild reports whether one of the first children of n is such an element.
func hasChild(n *html.Node, a atom.Atom) bool {
	i := 0
	for k := n.FirstChild; k != nil && i < maxSiblings; k, i = k.NextSibling, i+1 {
		if k.DataAtom == a {
			return true
		}
	}
	return false
}

// hasWords reports whether one of the first children of n is a text.
func hasWords(n *html.Node) bool {
	i := 0
	for k := n.FirstChild; k != nil && i < maxSiblings; k, i = k.NextSibling, i+1 {
		if dom.IsWordy(k) {
			return true
		}
	}
	return false
}

// isGutter reports whether an element of a code block has line numbers or is a control.
func isGutter(n *html.Node) bool {
	class := strings.ToLower(dom.Attr(n, "class"))
	if dom.Attr(n, "role") == "button" || hasPart(class, "gutter gutters gutterwrapper cursors cursor measure hscrollbar vscrollbar") || hasAny(n, "cm-layer cm-announced") {
		return true
	}
	text := strings.TrimSpace(shallowText(n, shortText))
	if n.DataAtom == atom.Div && isCopyLabel(text) && !hasPart(class, "line") {
		return true
	}
	if class == "" {
		return dom.HasAttr(n, "data-line-number") && n.FirstChild == nil
	}
	if strings.Contains(class, "cop") || strings.Contains(class, "clipboard") {
		return isCopyLabel(text) || hasPart(class, "clipboard copybtn")
	}
	if strings.Trim(text, "0123456789 \t\r\n.|") != "" || strings.Contains(class, "code") && text != "" && !strings.Contains(class, "num") {
		return false
	}
	return hasPart(class, "lineno linenos linenumber linenumbers lnt ln gl nums linenodiv") && text != "" || hasPart(class, "line lines ln blob crayon") && hasPart(class, "num nums number numbers n rows") ||
		hasPart(class, "lineno linenos linenumber linenumbers lnt")
}

// isCopyControl reports whether an element that is no button is a control to copy the
// code beside it.
func isCopyControl(n *html.Node, class string) bool {
	if dom.Attr(n, "role") != "button" && !hasPart(class, "copy copied copybtn clipboard Copy Clipboard") {
		return false
	}
	t := shallowText(n, shortText)
	return isCopyLabel(t) || len(t) <= shortText && besideCode(n)
}

// besideCode reports whether n is in a toolbar directly before or after a code block.
func besideCode(n *html.Node) bool {
	if dom.IsWordy(n.PrevSibling) || dom.IsWordy(n.NextSibling) {
		return false
	}
	for up, i := n, 0; up != nil && i <= 2; up, i = up.Parent, i+1 {
		if next := nextElement(up); next != nil && (next.DataAtom == atom.Pre || hasChild(next, atom.Pre)) {
			return true
		}
		if prev := up.PrevSibling; prev != nil && prev.DataAtom == atom.Pre {
			return true
		}
	}
	return false
}

// isNumberColumn reports whether a pre beside another one only has the numbers of lines.
func isNumberColumn(n *html.Node) bool {
	return n.NextSibling != nil && n.NextSibling.DataAtom == atom.Pre && len(strings.Fields(shallowText(n, shortText))) > 1 &&
		strings.Trim(rawText(n), "0123456789 \t\r\n") == ""
}

// isCopyLabel reports whether a text is that of a control that copies code.
func isCopyLabel(s string) bool {
	switch strings.ToLower(strings.Trim(s, " \t\n\r!")) {
	case "copy", "copied", "copy code", "copy to clipboard", "copy snippet", "plain text", "コピー", "コードをコピー", "复制", "复制代码", "複製", "kopieren", "copier", "copiar":
		return true
	}
	return false
}

// codeTable converts a table that lays out code with its line numbers, and
// reports whether n is one.
func (c *converter) codeTable(n *html.Node) bool {
	td := firstCell(n)
	isCode := false
	for k := td; k != nil; k = k.NextSibling {
		isCode = isCode || k.Type == html.ElementNode && isCodeCell(k)
	}
	if !isCode {
		return false
	}
	w := codeWriter{c: c, start: true}
	lang := language(n)
	for k := range dom.Below(n) {
		if k.DataAtom == atom.Pre && lang == "" {
			lang = language(k)
		}
		if k.DataAtom != atom.Td || !isCodeCell(k) || isGutter(k) {
			continue
		}
		if !w.start {
			w.newline()
		}
		before := len(w.b)
		w.children(k)
		if len(w.b) == before { // an empty line
			w.newline()
		}
	}
	c.addCode(w.b, lang)
	return true
}

// firstCell returns the first cell of a table, looking only at its head.
func firstCell(n *html.Node) *html.Node {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch {
		case isCell(k):
			return k
		case (k.DataAtom == atom.Tbody || k.DataAtom == atom.Tr) && k.FirstChild != nil:
			return firstCell(k)
		}
	}
	return nil
}

func isCodeCell(n *html.Node) bool {
	if hasClass(n, "lntd") { // of Chroma, for both columns
		for k := range dom.Below(n) {
			if hasClass(k, "lnt") {
				return false
			}
		}
		return true
	}
	return hasAny(n, "code rouge-code hljs-ln-code blob-code blob-code-inner crayon-code") || hasChild(n, atom.Pre) && isNumberCell(n.PrevSibling)
}

// isNumberCell reports whether a node, or the cell before it, is a cell of line numbers.
func isNumberCell(n *html.Node) bool {
	for ; n != nil; n = n.PrevSibling {
		if n.DataAtom == atom.Td {
			text := rawText(n)
			return hasChild(n, atom.Pre) && strings.TrimSpace(text) != "" && strings.Trim(text, "0123456789 \t\r\n") == ""
		}
	}
	return false
}

// language finds the language of a code block: on the element, on its code
// element, or on a wrapper around it.
func language(n *html.Node) string {
	if l := languageOf(n, true); l != "" {
		return l
	}
	for k := range n.ChildNodes() {
		if k.DataAtom == atom.Code {
			if l := languageOf(k, true); l != "" {
				return l
			}
		}
	}
	for p, i := n.Parent, 0; i <= 2 && p != nil && p.Type == html.ElementNode && p.DataAtom != atom.Body; p, i = p.Parent, i+1 {
		if l := languageOf(p, false); l != "" {
			return l
		}
	}
	return ""
}

// languageOf reads the attributes of highlighters. direct says that n has
// the code itself: there a bare class may be the language.
func languageOf(n *html.Node, direct bool) string {
	for i := range n.Attr {
		switch a := n.Attr[i]; a.Key {
		case "data-lang", "data-language", "data-code-language", "data-enlighter-language":
			if l := languageName(a.Val); l != "" {
				return l
			}
		case "lang", "syntax": // not the human language of the text
			if l := languageName(a.Val); direct && (a.Key == "syntax" || len(l) > len("en") || l == "js" || l == "sh" || l == "go") && !strings.Contains(l, "-") {
				return l
			}
		}
	}
	class := dom.Attr(n, "class")
	if _, name, ok := strings.Cut(class, "brush:"); ok {
		name, _, _ = strings.Cut(strings.TrimLeft(name, " "), ";")
		return languageName(name)
	}
	bare := ""
	for tok := range strings.FieldsSeq(class) {
		if strings.HasPrefix(tok, "highlight-text-html") {
			return "html"
		}
		for _, p := range [...]string{"language-", "lang-", "lang:", "highlight-source-", "highlight-text-", "highlight-", "sourceCode-", "brush-", "src-"} {
			if rest, ok := strings.CutPrefix(tok, p); ok {
				if l := languageName(rest); l != "" || p != "highlight-" {
					return l
				}
			}
		}
		if bare == "" && (direct || hasAny(n, "syntaxhighlighter")) && dom.HasToken(languages, tok) {
			bare = strings.ToLower(tok)
		}
	}
	return bare
}

// languageName makes a name fit for an info string, or returns "". The names of tools,
// themes and no language are none.
func languageName(s string) string {
	s = strings.TrimLeft(strings.ToLower(strings.TrimSpace(s)), "{.") // Pandoc's attributes
	if i := strings.IndexAny(s, " ,;{}:"); i > 0 {
		s = s[:i]
	}
	if len(s) > noteLabelLn || strings.ContainsFunc(s, func(r rune) bool { return !isLetterOrDigit(r) && !strings.ContainsRune("+#-./", r) }) || dom.HasToken(noLanguages, s) {
		return ""
	}
	return s
}

const noLanguages = `none plain plaintext text txt default nohighlight no-highlight undefined unknown null auto code notranslate
	hljs highlightjs highlight highlighted highlighter shiki shiki-themes prism chroma github-dark github-light light-plus dark-plus css-variables
	block wrapper container box toolbar line-numbers clipboard copy table body content lines line`

// languages are those that a bare class or a label can name.
const languages = `bash sh shell zsh console powershell batch dockerfile makefile cmake nginx apache ini toml yaml yml json json5 jsonc xml html css scss sass less
	c cpp c++ objectivec csharp c# java kotlin scala groovy clojure go golang rust swift zig nim d dart python py ruby perl php lua r julia matlab fortran
	javascript js jsx typescript ts tsx vue svelte graphql protobuf sql postgresql mysql haskell elm elixir erlang ocaml fsharp f# lisp scheme racket prolog
	markdown latex tex diff patch http regex asm nasm wasm solidity terraform hcl vim awk basic pascal ada cobol verilog vhdl glsl hlsl cuda jinja django twig handlebars liquid razor proto thrift`
