package convert

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// special converts elements that are known by their names rather than their
// tags: formulas, editors, footnotes, and the marks that page generators add
// to headings. It reports whether it took the element.
func (c *converter) special(n *html.Node, v dom.Choice) bool {
	if n.DataAtom == 0 {
		if n.Data == "mjx-container" {
			return c.mathJax3(n)
		}
		if n.Data == "mjx-assistive-mml" {
			return true
		}
	}
	var class, id, role string
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "class":
			class = n.Attr[i].Val
		case "id":
			id = n.Attr[i].Val
		case "role":
			role = n.Attr[i].Val
		}
	}
	if id != "" && c.isNoteBlock(n) {
		if label, ok := c.noteLabel(n); ok {
			c.footnote(n, v, label, &c.out)
			return true
		}
	}
	if role == "doc-endnotes" || len(class) >= 9 && strings.Contains(class, "footnotes") && holdsNotes(n) {
		c.endnotes(n, v)
		return true
	}
	return class != "" && len(class) <= 1024 && c.byClass(n, v, class)
}

// byClass converts an element that is known by its classes, and reports whether
// it did.
func (c *converter) byClass(n *html.Node, v dom.Choice, class string) bool {
	for tok := range strings.FieldsSeq(class) {
		switch k := markupOf(tok); k {
		case noMarkup:
		case noteLabelMarkup:
			// docutils repeats the label before the note.
			return c.inNote > 0 && len(c.out) == 0 && !c.started && n.DataAtom == atom.Span
		case selfLinkMarkup:
			return n.DataAtom != atom.Div && n.DataAtom != atom.Section
		case previewMarkup:
			return mathScriptFollows(n)
		case editorMarkup:
			if c.only == 0 && n.DataAtom == atom.Div {
				c.preformatted(n, v)
				return true
			}
		default:
			if c.drawnMath(n, k, class, tok) {
				return true
			}
		}
	}
	return false
}

// markup is the meaning that a class of a known library or generator has.
type markup uint8

const (
	noMarkup markup = iota
	noteLabelMarkup
	selfLinkMarkup // an edit link, an anchor of a heading
	editorMarkup   // a code editor
	previewMarkup  // what MathJax shows until it has drawn the formula
	katexMarkup
	assistiveMarkup
	mediaWikiMarkup
	mathJaxMarkup
	rawMathMarkup // TeX that a script has not drawn
)

func markupOf(class string) markup {
	switch class {
	case "label", "fn-bracket":
		return noteLabelMarkup
	case "mw-editsection", "mw-cite-backlink", "headerlink", "anchorjs-link", "hash-link", "mw-jump-link":
		return selfLinkMarkup
	case "CodeMirror", "cm-editor", "monaco-editor", "ace_editor", "view-lines", "cm-content", "ace_content":
		return editorMarkup
	case "MathJax_Preview":
		return previewMarkup
	case "katex", "katex-display":
		return katexMarkup
	case "katex-mathml", "MJX_Assistive_MathML":
		return assistiveMarkup
	case "mwe-math-element":
		return mediaWikiMarkup
	case "MathJax", "MathJax_Display", "MathJax_SVG", "MathJax_CHTML", "MathJax_SVG_Display", "MJXc-display", "mjx-chtml":
		return mathJaxMarkup
	case "math", "math-container", "arithmatex", "tex2jax_process", "mathjax":
		return rawMathMarkup
	}
	return noMarkup
}

// drawnMath converts a formula that a library has drawn, and reports whether it
// did.
func (c *converter) drawnMath(n *html.Node, k markup, class, tok string) bool {
	display := false
	switch k {
	case katexMarkup:
		display = tok == "katex-display" || parentHasClass(n, "katex-display")
	case mediaWikiMarkup:
		display = hasAttrToken(n, "mwe-math-element-block")
	case mathJaxMarkup:
		if mathScriptFollows(n) {
			return true
		}
		display = strings.HasSuffix(strings.ToLower(tok), "display")
	case rawMathMarkup:
		return n.DataAtom != atom.Math && c.rawMath(n, strings.Contains(class, "display"))
	}
	m := findMath(n)
	if m == nil {
		return false
	}
	c.mathML(m, display)
	return true
}

// isNoteBlock reports whether an element that is not a list item may be the text
// of a footnote.
func (c *converter) isNoteBlock(n *html.Node) bool {
	if len(c.notes.byID) == 0 {
		return false
	}
	switch n.DataAtom {
	case atom.Aside, atom.Div, atom.P, atom.Section:
		return true
	}
	return false
}

// endnotes converts an element that holds footnotes: without the rule and the
// heading that set them apart on paper.
func (c *converter) endnotes(n *html.Node, v dom.Choice) {
	c.flush()
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		switch k.DataAtom {
		case atom.Hr:
			continue
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			if hasAttrToken(k, "sr-only") || hasAttrToken(k, "visually-hidden") {
				continue
			}
		}
		c.node(k, v)
	}
	c.flush()
}

// hasAttrToken reports whether a class is one of the element's.
func hasAttrToken(n *html.Node, class string) bool {
	for tok := range strings.FieldsSeq(dom.Attr(n, "class")) {
		if tok == class {
			return true
		}
	}
	return false
}

func parentHasClass(n *html.Node, class string) bool {
	return n.Parent != nil && hasAttrToken(n.Parent, class)
}

// findMath returns the first formula within n. It gives up after a few hundred
// nodes: a wrapper of one formula is smaller.
func findMath(n *html.Node) *html.Node {
	i := 0
	for k := range dom.Below(n) {
		if k.DataAtom == atom.Math || k.Type == html.ElementNode && k.Data == "math" {
			return k
		}
		if i++; i > 300 {
			return nil
		}
	}
	return nil
}

func isMathScript(n *html.Node) bool {
	return n.DataAtom == atom.Script && strings.HasPrefix(dom.Attr(n, "type"), "math/tex")
}

// mathScriptFollows reports whether the source of a rendered formula follows it.
func mathScriptFollows(n *html.Node) bool {
	i := 0
	for k := n.NextSibling; k != nil && i < 4; k, i = k.NextSibling, i+1 {
		if isMathScript(k) {
			return true
		}
		if dom.IsWordy(k) {
			return false
		}
	}
	return false
}

func (c *converter) mathScript(n *html.Node) {
	if !isMathScript(n) || n.FirstChild == nil {
		return
	}
	c.formula(n.FirstChild.Data, strings.Contains(dom.Attr(n, "type"), "mode=display"))
}

// mathJax3 converts the container of MathJax 3 and later by its hidden MathML
// or the source it keeps.
func (c *converter) mathJax3(n *html.Node) bool {
	display := dom.Attr(n, "display") == "true" || dom.Attr(n, "display") == "block"
	for _, key := range [...]string{"data-latex", "data-tex", "data-original"} {
		if tex := dom.Attr(n, key); tex != "" {
			c.formula(tex, display)
			return true
		}
	}
	i := 0
	for k := range dom.Below(n) {
		if k.Type == html.ElementNode {
			if tex := dom.Attr(k, "data-latex"); tex != "" && k.Data != "mjx-mi" && k.Parent == n {
				c.formula(tex, display)
				return true
			}
			if k.Data == "math" {
				c.mathML(k, display)
				return true
			}
		}
		if i++; i > 20_000 {
			break
		}
	}
	if l := c.clean(dom.Attr(n, "aria-label")); l != "" {
		c.text(l)
	}
	return true
}

// formula adds a formula. It is displayed where it may be.
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

// stripDisplayStyle takes off the wrapper that MediaWiki adds to all formulas.
func stripDisplayStyle(tex string) string {
	t := strings.TrimSpace(tex)
	if !strings.HasPrefix(t, "{") || !strings.HasSuffix(t, "}") {
		return t
	}
	in := strings.TrimSpace(t[1 : len(t)-1])
	for _, p := range [...]string{"\\displaystyle", "\\textstyle"} {
		if rest, ok := strings.CutPrefix(in, p); ok {
			return strings.TrimSpace(rest)
		}
	}
	return t
}

// rawMath converts an element that wraps unprocessed TeX and nothing else.
func (c *converter) rawMath(n *html.Node, display bool) bool {
	k := n.FirstChild
	if k == nil || k != n.LastChild || k.Type != html.TextNode {
		return false
	}
	t := strings.TrimSpace(k.Data)
	for _, d := range texDelims {
		if rest, ok := strings.CutPrefix(t, d.open); ok {
			if in, ok := strings.CutSuffix(rest, d.close); ok && !strings.Contains(in, d.close) {
				c.formula(in, d.display || display)
				return true
			}
		}
	}
	if in, ok := strings.CutPrefix(t, "$"); ok {
		if in, ok := strings.CutSuffix(in, "$"); ok && in != "" && !strings.Contains(in, "$") {
			c.formula(in, display)
			return true
		}
	}
	return false
}

// texDelims are the delimiters of TeX in text that have no other meaning.
var texDelims = [...]struct {
	open, close string
	display     bool
}{
	{`\(`, `\)`, false},
	{`\[`, `\]`, true},
	{`$$`, `$$`, true},
}

// maxFormulas is how many formulas are found in texts. Those behind them stay in their
// texts: each takes sixty times the memory of its letters, and no bound on elements counts it.
const maxFormulas = 50_000

// textWithTeX adds a text node that may hold TeX which a script of the page
// would have rendered.
func (c *converter) textWithTeX(s string) {
	// Where each pair opens next; len(s) for never again.
	var at [len(texDelims)]int
	for i := range at {
		at[i] = -1
	}
	from, pos := 0, 0 // text begins, search goes on
	for {
		which := 0
		for i, d := range texDelims {
			if at[i] < pos {
				if j := strings.Index(s[pos:], d.open); j >= 0 {
					at[i] = pos + j
				} else {
					at[i] = len(s)
				}
			}
			if at[i] < at[which] {
				which = i
			}
		}
		open := at[which]
		if open == len(s) || c.formulas >= maxFormulas {
			c.text(s[from:])
			return
		}
		d := texDelims[which]
		begin := open + len(d.open)
		n := strings.Index(s[begin:], d.close)
		if n < 0 {
			at[which] = len(s) // no other of its kind closes either
			pos = begin
			continue
		}
		in := s[begin : begin+n]
		pos = begin + n + len(d.close)
		if len(in) < 4000 && strings.TrimSpace(in) != "" && (which != 2 || strings.ContainsAny(in, `\^_=`)) {
			c.text(s[from:open])
			c.formula(in, d.display)
			c.formulas++
			from = pos
		}
	}
}
