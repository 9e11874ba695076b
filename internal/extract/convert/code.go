package convert

import (
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// preformatted converts an element whose text is laid out in lines.
func (c *converter) preformatted(n *html.Node, v dom.Choice) {
	if c.only > 0 {
		c.code++
		c.block(n, v)
		c.code--
		return
	}
	c.flush()
	var w codeWriter
	w.c = c
	w.start = true
	w.children(n)
	if len(w.b) == 0 && c.emptied(n) {
		c.add(page.Block{Kind: page.Code, Lang: language(n)})
		return
	}
	c.addCode(w.b, language(n))
}

func (c *converter) addCode(b []byte, lang string) {
	text := strings.TrimSuffix(string(b), "\n")
	if strings.TrimSpace(text) == "" && len(text) < 2 {
		return
	}
	c.add(page.Block{Kind: page.Code, Text: text, Lang: lang})
}

// codeWriter collects the lines of code. Lines end at newlines, at br, and
// around elements that are displayed as blocks.
type codeWriter struct {
	c     *converter
	b     []byte
	start bool // at the start of a line
}

func (w *codeWriter) children(n *html.Node) {
	// White space around a code element in a pre is the template's.
	lone := n.DataAtom == atom.Pre && hasChild(n, atom.Code) && !wordyChild(n)
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch k.Type {
		case html.TextNode:
			if lone {
				continue
			}
			if len(k.Data) > 0 {
				w.b = w.c.appendCode(w.b, k.Data)
				if len(w.b) > 0 {
					w.start = w.b[len(w.b)-1] == '\n'
				}
			}
		case html.ElementNode:
			w.element(k)
		}
	}
}

func (w *codeWriter) element(n *html.Node) {
	a := n.DataAtom
	switch a {
	case atom.Br:
		w.b = append(w.b, '\n')
		w.start = true
		return
	case atom.Img:
		if alt := dom.Attr(n, "alt"); alt != "" && !isGutter(n) {
			w.b = w.c.appendCode(w.b, alt)
			w.start = false
		}
		return
	case atom.Button, atom.Thead:
		return
	case atom.Td, atom.Th:
		if prevCell(n) && !w.start {
			w.b = append(w.b, '\t')
		}
		if !isGutter(n) {
			w.children(n)
		}
		return
	}
	if unreadable(a) || isGutter(n) {
		return
	}
	switch a {
	case atom.Div, atom.P, atom.Li, atom.Tr, atom.Pre, atom.Section, atom.Article, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Table, atom.Ol, atom.Ul:
	default:
		w.children(n)
		return
	}
	if !w.start {
		w.b = append(w.b, '\n')
		w.start = true
	}
	before := len(w.b)
	w.children(n)
	if !w.start || len(w.b) == before && isLine(n) {
		w.b = append(w.b, '\n')
		w.start = true
	}
}

// isLine reports whether an element without text is an empty line.
func isLine(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Table, atom.Ol, atom.Ul, atom.Section, atom.Article:
		return false
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type == html.ElementNode && !dom.IsInline(k.DataAtom) {
			return false
		}
	}
	return true
}

func prevCell(n *html.Node) bool {
	for k := n.PrevSibling; k != nil; k = k.PrevSibling {
		if k.Type == html.ElementNode {
			return !isGutter(k)
		}
	}
	return false
}

func hasChild(n *html.Node, a atom.Atom) bool {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.DataAtom == a {
			return true
		}
	}
	return false
}

func wordyChild(n *html.Node) bool {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if dom.IsWordy(k) {
			return true
		}
	}
	return false
}

// isGutter reports whether an element of a code block holds line numbers or
// controls.
func isGutter(n *html.Node) bool {
	class := dom.Attr(n, "class")
	if class == "" {
		return dom.HasAttr(n, "data-line-number") && n.FirstChild == nil
	}
	if (strings.Contains(class, "copy") || strings.Contains(class, "clipboard")) && isCopyLabel(shallowText(n, 24)) {
		return true
	}
	for tok := range strings.FieldsSeq(class) {
		switch tok {
		case "lineno", "linenos", "linenumber", "linenumbers", "line-number", "line-numbers-rows", "lnt", "ln", "gutter", "gl",
			"rouge-gutter", "hljs-ln-numbers", "hljs-ln-n", "CodeMirror-gutter", "CodeMirror-gutters", "CodeMirror-gutter-wrapper", "CodeMirror-linenumber",
			"CodeMirror-cursors", "CodeMirror-measure", "CodeMirror-hscrollbar", "CodeMirror-vscrollbar",
			"cm-gutters", "cm-layer", "cm-announced", "blob-num", "margin-view-overlays", "ace_gutter", "react-line-number", "linenodiv", "crayon-nums", "crayon-num",
			"copy-btn", "copybtn", "clipboard-copy", "code-toolbar-item", "react-syntax-highlighter-line-number":
			return true
		}
	}
	return false
}

// isCopyLabel reports whether a text is that of a control that copies code.
func isCopyLabel(s string) bool {
	s = strings.ToLower(strings.Trim(s, " \t\n\r!"))
	switch s {
	case "copy", "copied", "copy code", "copy to clipboard", "copy snippet":
		return true
	}
	return false
}

// codeTable converts a table that lays out code with its line numbers, and
// reports whether n is one.
func (c *converter) codeTable(n *html.Node) bool {
	td := firstCell(n)
	if td == nil {
		return false
	}
	isCode := false
	for k := td; k != nil; k = k.NextSibling {
		if k.Type == html.ElementNode && isCodeCell(k) {
			isCode = true
		}
	}
	if !isCode {
		return false
	}
	c.flush()
	w := codeWriter{c: c, start: true}
	lang := language(n)
	for k := range dom.Below(n) {
		if k.DataAtom == atom.Pre && lang == "" {
			lang = language(k)
		}
		if k.Type != html.ElementNode || k.DataAtom != atom.Td || !isCodeCell(k) || isGutter(k) {
			continue
		}
		if !w.start {
			w.b = append(w.b, '\n')
			w.start = true
		}
		before := len(w.b)
		w.children(k)
		if len(w.b) == before { // an empty line
			w.b = append(w.b, '\n')
			w.start = true
		}
	}
	c.addCode(w.b, lang)
	return true
}

// firstCell returns the first cell of a table, looking only at its head.
func firstCell(n *html.Node) *html.Node {
	k := n.FirstChild
	for k != nil {
		switch {
		case k.DataAtom == atom.Td || k.DataAtom == atom.Th:
			return k
		case k.DataAtom == atom.Tbody || k.DataAtom == atom.Tr:
			if k.FirstChild != nil {
				k = k.FirstChild
				continue
			}
		}
		k = k.NextSibling
	}
	return nil
}

func isCodeCell(n *html.Node) bool {
	for tok := range strings.FieldsSeq(dom.Attr(n, "class")) {
		switch tok {
		case "code", "rouge-code", "hljs-ln-code", "blob-code", "blob-code-inner", "crayon-code":
			return true
		case "lntd":
			for k := range dom.Below(n) {
				if hasAttrToken(k, "lnt") {
					return false
				}
			}
			return true
		}
	}
	return false
}

// language finds the name of a code block's language: on the element, on a
// code element within it, on the elements around it.
func language(n *html.Node) string {
	if l := languageOf(n, true); l != "" {
		return l
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.DataAtom == atom.Code {
			if l := languageOf(k, true); l != "" {
				return l
			}
		}
	}
	p := n.Parent
	for i := 0; i < 3 && p != nil && p.Type == html.ElementNode && p.DataAtom != atom.Body; i++ {
		if l := languageOf(p, false); l != "" {
			return l
		}
		p = p.Parent
	}
	return ""
}

// languageOf reads the conventions of highlighters. direct says that n holds
// the code itself, where a bare name may be the language.
func languageOf(n *html.Node, direct bool) string {
	var class string
	for i := range n.Attr {
		if n.Attr[i].Key == "class" {
			class = n.Attr[i].Val
		} else if l := languageIn(n, &n.Attr[i], direct); l != "" {
			return l
		}
	}
	if class == "" || len(class) > 1024 {
		return ""
	}
	if l := brush(class); l != "" {
		return l
	}
	return languageOfClass(class, direct)
}

// languageIn reads the attributes that name a language, other than class.
func languageIn(n *html.Node, a *html.Attribute, direct bool) string {
	switch a.Key {
	case "data-lang", "data-language", "data-code-language", "data-enlighter-language":
		return languageName(a.Val)
	case "lang":
		// Not the human language of the text, whose names are short.
		l := languageName(a.Val)
		if direct && (n.DataAtom == atom.Pre && len(l) > 3 || isCommonLanguage(l)) && !strings.Contains(l, "-") {
			return l
		}
	case "syntax":
		if direct {
			return languageName(a.Val)
		}
	}
	return ""
}

// brush reads "brush: name;" of SyntaxHighlighter.
func brush(class string) string {
	_, name, ok := strings.Cut(class, "brush:")
	if !ok {
		return ""
	}
	name = strings.TrimLeft(name, " ")
	if j := strings.IndexAny(name, "; "); j >= 0 {
		name = name[:j]
	}
	return languageName(name)
}

// languageOfClass reads the names in a class attribute.
func languageOfClass(class string, direct bool) string {
	marker := false // a class says that another is the language
	bare := ""
	for tok := range strings.FieldsSeq(class) {
		if l, ok := prefixedLanguage(tok, direct); ok {
			return l
		}
		switch tok {
		case "hljs", "sourceCode", "prettyprint", "highlight", "chroma", "shiki", "src", "code", "codehilite", "listing", "syntaxhighlighter":
			marker = true
		case "linenums", "copy", "numberSource", "prettyprinted", "wrap", "line-numbers", "notranslate", "numberLines", "astro-code", "github-dark", "github-light", "nohighlight", "undefined":
		default:
			if rest, ok := strings.CutPrefix(tok, "src-"); ok && marker {
				return languageName(rest)
			}
			if bare == "" && isLanguageLike(tok) {
				bare = tok
			}
		}
	}
	if (direct || classBegins(class, "syntaxhighlighter")) && marker && bare != "" {
		return languageName(bare)
	}
	if direct && isCommonLanguage(bare) {
		return bare
	}
	return ""
}

// prefixedLanguage reads a class such as "language-go". It reports whether the
// class decides: one with such a prefix does, whatever it names.
func prefixedLanguage(tok string, direct bool) (string, bool) {
	for _, p := range [...]string{"language-", "lang-", "highlight-source-", "highlight-text-", "sourceCode-", "brush-", "code-", "lang:"} {
		rest, ok := strings.CutPrefix(tok, p)
		if !ok || p == "code-" && !direct {
			continue
		}
		if p == "highlight-text-" {
			if rest = strings.TrimPrefix(rest, "html-"); rest == "basic" {
				rest = "html"
			}
		}
		if l := languageName(rest); isLanguageLike(l) {
			return l, true
		}
		return "", true
	}
	if rest, ok := strings.CutPrefix(tok, "highlight-"); ok {
		if l := languageName(rest); isLanguageLike(l) {
			return l, true
		}
	}
	return "", false
}

// classBegins reports whether tok is the first of the classes.
func classBegins(class, tok string) bool {
	rest, ok := strings.CutPrefix(class, tok)
	return ok && (rest == "" || dom.IsSpace(rest[0]))
}

// languageName makes a name fit for an info string, or returns "".
func languageName(s string) string {
	s = strings.TrimLeft(strings.ToLower(strings.TrimSpace(s)), "{.") // Pandoc's attributes
	s = strings.TrimRight(s, "}")
	if i := strings.IndexAny(s, " ,;{:"); i > 0 {
		s = s[:i]
	}
	if s == "" || len(s) > 24 {
		return ""
	}
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7f && unicode.IsLetter(r) || strings.ContainsRune("+#-_./", r)) {
			return ""
		}
	}
	switch s {
	case "none", "plain", "plaintext", "text", "txt", "default", "nohighlight", "no-highlight", "undefined", "unknown", "null", "auto", "code", "notranslate":
		return ""
	}
	return s
}

// isLanguageLike reports whether a class may name a language rather than a
// look.
func isLanguageLike(s string) bool {
	if len(s) > 20 || s == "" {
		return false
	}
	switch s {
	case "block", "wrapper", "container", "box", "toolbar", "snippet", "example", "light", "dark", "inline", "area", "body", "content", "lines", "line", "highlighted", "highlighter", "clipboard", "table":
		return false
	}
	for i, r := range s {
		if !isAlphanumeric(r) && r != '+' && r != '#' && r != '.' && (r != '-' || i == 0) {
			return false
		}
	}
	return true
}

// isAlphanumeric reports whether r is a letter of any script or an ASCII digit.
func isAlphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 0x7f && unicode.IsLetter(r)
}

// isCommonLanguage reports whether a class is, without a prefix such as
// "language-", the language of a pre or code element.
func isCommonLanguage(s string) bool {
	switch s {
	case "bash", "c", "clojure", "cpp", "csharp", "css", "diff", "dockerfile", "elixir", "erlang", "go", "graphql", "haskell", "html", "ini", "java",
		"javascript", "js", "json", "jsx", "julia", "kotlin", "latex", "lua", "makefile", "markdown", "matlab", "nginx", "objectivec", "ocaml", "perl",
		"php", "powershell", "protobuf", "python", "r", "ruby", "rust", "sass", "scala", "scss", "shell", "sh", "sql", "swift", "toml", "ts", "tsx", "typescript", "xml", "yaml", "yml", "zig":
		return true
	}
	return false
}
