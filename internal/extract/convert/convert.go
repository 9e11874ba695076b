// Package convert provides the step from the chosen part of an HTML tree to the
// blocks of a [page.Page]: headings, paragraphs, lists, tables, code, formulas,
// notes, with their inline formatting.
//
//	blocks := convert.Blocks(dom.Body(doc), chosen.Of, convert.Options{
//		Resolve: resolver.Linkable, // absolute URLs
//		Omissions: p,               // counts what is left out
//	})
//
// It is one walk. The choice says of each node whether it is taken whole, looked
// into or left out; nil takes everything. A file has one kind of element: inline.go,
// link.go, list.go, table.go, code.go, formula.go and mathml.go, footnote.go,
// tab.go, control.go (controls and drawings), picture.go (pictures and media), text.go
// (white space and numbers). The thresholds are in limits.go.
//
// # Guarantees
//
// The functions are pure and safe for concurrent use, and linear in the size of
// the tree. No input panics. Blocks are at most page.MaxDepth deep, and their text
// holds no invisible character. Addresses that carry code or data never come
// out.
//
// # Limits
//
// What package page cannot express is lost: colours, layout, forms. Blocks
// that are too deep are flattened into their ancestor and keep their text.
package convert

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Options say what [Blocks] needs to know about the page. The zero value keeps
// URLs as they are written.
type Options struct {
	// Resolve makes a URL absolute. It reports false for a URL that
	// is not to be linked; the text of such a link stays. Nil keeps URLs.
	// Addresses that carry code or data (javascript:, data:, blob:, …) are
	// dropped before it is asked.
	Resolve func(ref string) (abs string, ok bool)
	// Picture is Resolve for the URLs of pictures; nil: Resolve.
	Picture func(ref string) (abs string, ok bool)
	// Omissions receives the counts of what was left out; nil drops them too.
	Omissions *page.Page
	// Stop is asked once in a while; where it returns an error, the conversion leaves off.
	// nil is never asked.
	Stop func() error
	// Empty keeps headings, quotations, code, lists and links that were written
	// empty, links to the page itself, and pictures that say nothing: in a
	// conversion of the whole body they are part of the document.
	Empty bool
	// Controls keeps the text of buttons, of fields that are filled in, of lists of
	// options and of image maps. On a short page a person sees them at a glance.
	Controls bool
	// Drawings keeps the text of SVG drawings. Without it sentences are kept, with a mark.
	Drawings bool
}

// Blocks turns the chosen part of a tree into blocks. choice is asked about
// every element and text node outside a subtree that was taken whole; nil takes
// everything. root itself is not asked about.
//
// It is one walk, linear in the size of the tree. Blocks deeper than
// page.MaxDepth are flattened into their ancestor; their text stays.
//
// Inline formatting is kept apart from blocks: the walk keeps a stack of the
// marks that are open in the tree (c.marks), and opens them in the paragraph
// only when there is something to mark. So a block within a link or a bold
// element closes and opens them again by itself, empty marks never come to be,
// and white space at their edges falls outside, where Markdown needs it.
func Blocks(root *html.Node, choice func(*html.Node) dom.Choice, o Options) []page.Block {
	c := &converter{o: o, choice: choice, root: root, patience: dom.Patience{Stop: o.Stop}}
	c.frames = append(c.frames, frame{})
	v := dom.Descend
	if choice == nil {
		v = dom.KeepAll
	}
	if mark := dom.MarkOf(root); mark != page.NoMark {
		c.add(page.Block{Kind: page.Group, Mark: mark})
	}
	c.children(root, v)
	c.flush()
	return c.out
}

type converter struct {
	o        Options
	patience dom.Patience
	choice   func(*html.Node) dom.Choice
	root     *html.Node

	out   []page.Block // of the open container
	depth int          // of containers

	inlines              // the open paragraph
	check    *page.Check // of the item that has no text yet
	notes    notes
	inNote   string     // label of the footnote around
	heading  int        // within a heading
	folded   bool       // within details that are closed
	unmarked *html.Node // its mark is written
	only     int        // within something with inlines only: blocks become breaks

	tables   map[*html.Node]*tableFacts // made at the first table
	tabs     tabSurvey                  // made at the first element
	tex      []byte                     // buffer for formulas
	formulas int                        // found in texts
	pictures map[string]string          // texts of the pictures since the last text, by key
	lastAlt  string                     // text and key of the picture directly before
	lastKey  string
}

// children converts the children of n into the open container and paragraph.
func (c *converter) children(n *html.Node, v dom.Choice) {
	for k := n.FirstChild; k != nil && !c.patience.Over(); k = k.NextSibling {
		c.node(k, v)
	}
}

// contained converts the children of n into a container of their own.
func (c *converter) contained(n *html.Node, v dom.Choice) []page.Block {
	return c.within(func() {
		c.cellMark(n)
		c.children(n, v)
	})
}

// within returns the blocks that convert adds, for a container of their own.
func (c *converter) within(convert func()) []page.Block {
	c.flush()
	saved := c.out
	c.out = nil
	c.depth++
	convert()
	c.flush()
	c.depth--
	blocks := c.out
	c.out = saved
	return blocks
}

// cellMark writes the mark of an element that its list or table converts.
func (c *converter) cellMark(n *html.Node) {
	switch n.DataAtom {
	case atom.Li, atom.Td, atom.Th, atom.Dt, atom.Dd, atom.Caption, atom.Summary:
		if mark := dom.MarkOf(n); mark != page.NoMark {
			c.word(mark.String() + " ")
		}
	}
}

// inlineContent converts the children of n into inlines.
func (c *converter) inlineContent(n *html.Node, v dom.Choice) []page.Inline {
	c.flush()
	c.only++
	c.cellMark(n)
	c.children(n, v)
	c.only--
	return c.takeInlines()
}

// deep reports whether no two more levels of blocks may be opened.
func (c *converter) deep() bool {
	if c.depth < page.MaxDepth-nesting {
		return false
	}
	c.omit(page.OmittedNesting, 1)
	return true
}

func (c *converter) omit(k page.OmissionKind, n int) {
	if c.o.Omissions != nil {
		c.o.Omissions.Omit(k, n)
	}
}

func (c *converter) add(b page.Block) {
	c.flush()
	c.out = append(c.out, b)
}

// emptied reports whether n is kept although it has no content: its markup is empty,
// except for a wrapper or two. More markup is content that could not be read.
func (c *converter) emptied(n *html.Node) bool {
	if !c.o.Empty {
		return false
	}
	i := 0
	for k := range dom.Below(n) {
		if i++; i > emptyNodes || k.Type == html.TextNode && dom.IsWordy(k) ||
			k.Type == html.ElementNode && k.DataAtom != atom.Div && k.DataAtom != atom.P && k.DataAtom != atom.Span && k.DataAtom != atom.Code {
			return false
		}
	}
	return true
}

// asked returns the choice for n, given that for its parent.
func (c *converter) asked(n *html.Node, v dom.Choice) dom.Choice {
	if v == dom.KeepAll || c.choice == nil {
		return dom.KeepAll
	}
	return c.choice(n)
}

func (c *converter) node(n *html.Node, v dom.Choice) {
	switch n.Type {
	case html.TextNode:
		if v != dom.KeepAll && c.asked(n, v) == dom.DropAll {
			if len(n.Data) > 0 && dom.IsSpace(n.Data[0]) {
				c.space = true
			}
			return
		}
		c.textNode(n.Data)
	case html.ElementNode:
		c.element(n, v)
	}
}

func (c *converter) element(n *html.Node, v dom.Choice) {
	if c.void(n, v) {
		return
	}
	if v = c.asked(n, v); v == dom.DropAll {
		if !dom.IsInline(n.DataAtom) {
			c.flush()
		}
		return
	}
	if c.tab(n, v) {
		return
	}
	if mark := dom.MarkOf(n); mark != page.NoMark && c.unmarked != n && c.withMark(n, v, mark) {
		return
	}
	if c.byName(n, v) {
		return
	}
	switch n.DataAtom {
	case atom.Div, atom.P, atom.Section, atom.Article, atom.Main: // most elements
		c.block(n, v)
	default:
		if !c.phrasing(n, v) && !c.flow(n, v) {
			c.other(n, v)
		}
	}
}

// byName converts an element that its role, its classes or its attributes name rather than
// its tag: formulas, footnotes, editors, and the links of generators beside headings. It
// reports whether n is one.
func (c *converter) byName(n *html.Node, v dom.Choice) bool {
	if len(n.Attr) == 0 && c.inNote == "" && len(c.notes.texts) == 0 {
		return false
	}
	class := dom.Attr(n, "class")
	if n.Data == "mjx-assistive-mml" || c.repeatsLabel(n) || isCopyControl(n, class) || class != "" && isGutter(n) && besideCode(n) {
		return true
	}
	if isMachineText(n) {
		c.space = true
		return true
	}
	if n.DataAtom == atom.Li || n.DataAtom == atom.Dd { // of a list
	} else if label, ok := c.noteLabel(n); ok {
		c.footnote(n, v, label, &c.out)
		return true
	}
	if c.drawnFormula(n, class) {
		return true
	}
	isList := n.DataAtom == atom.Ol || n.DataAtom == atom.Ul
	if !isList && dom.Attr(n, "role") == "doc-endnotes" {
		c.endnotes(n, v)
		return true
	}
	for tok := range strings.FieldsSeq(class) {
		switch tok {
		case "footnotes", "footnotes-list", "footnote-list":
			if !isList {
				c.endnotes(n, v)
				return true
			}
		case "mw-editsection", "mw-cite-backlink", "headerlink", "anchorjs-link", "hash-link", "mw-jump-link":
			if n.DataAtom != atom.Div && n.DataAtom != atom.Section {
				return true
			}
		case "classifier": // of docutils: the colon is in its sheet
			if n.Parent.DataAtom == atom.Dt && prevElement(n) != atom.Span {
				c.text(" : ")
			}
		case "CodeMirror", "cm-editor", "monaco-editor", "ace_editor", "view-lines", "cm-content", "ace_content":
			if n.DataAtom == atom.Div && c.only == 0 {
				c.preformatted(n, v)
				return true
			}
		}
	}
	return class != "" && c.admonition(n, v, class)
}

// admonition converts a box with a label, such as a warning, to a quotation that begins
// with the label in bold. It reports whether n is one.
func (c *converter) admonition(n *html.Node, v dom.Choice, class string) bool {
	if c.only > 0 || n.DataAtom != atom.Div && n.DataAtom != atom.Aside && n.DataAtom != atom.Section || !hasPart(class, "admonition alert callout notecard aside tip warning custom") || c.deep() {
		return false
	}
	title := n.FirstChild
	if title != nil && title.Type != html.ElementNode {
		title = nextElement(title)
	}
	if title == nil || !isTitleClass(dom.Attr(title, "class")) || dom.HeadingLevel(title) > 0 || c.asked(title, v) == dom.DropAll {
		return false
	}
	label := text.Line(dom.NodeText(title, 2*labelBytes))
	if label == "" || len(label) > labelBytes {
		return false
	}
	blocks := c.within(func() {
		c.push(mark{kind: page.Strong, fold: true})
		c.children(title, c.asked(title, v))
		c.flush()
		c.pop()
		for k := title.NextSibling; k != nil; k = k.NextSibling {
			c.node(k, v)
		}
	})
	c.add(page.Block{Kind: page.Quote, Children: blocks})
	return true
}

// isTitleClass reports whether a class is that of the label of a box, e.g. "admonition-title" or
// "admonitionHeading_x1".
func isTitleClass(class string) bool {
	return hasPart(class, "title heading header label") || strings.Contains(class, "Heading") || strings.Contains(class, "Title")
}

// other converts an element that has no special rule.
func (c *converter) other(n *html.Node, v dom.Choice) {
	switch {
	case unreadable(n.DataAtom):
	case n.DataAtom == 0 && dom.InSentence(n):
		c.children(n, v)
	default:
		c.block(n, v)
	}
}

// void converts an element that no selection names, because its text, if it has
// any, is not a text of the page's blocks. It reports whether n is one.
func (c *converter) void(n *html.Node, v dom.Choice) bool {
	switch n.DataAtom {
	case atom.Br:
		c.br++
	case atom.Wbr:
	case atom.Script:
		c.mathScript(n)
	case atom.Noscript:
		if dom.IsRevived(n) {
			return false
		}
		c.noscript(n)
	default:
		return c.control(n, v)
	}
	return true
}

// phrasing converts an element of a line of text, and reports whether n is one.
func (c *converter) phrasing(n *html.Node, v dom.Choice) bool {
	c.space = c.space || beginsField(n)
	switch n.DataAtom {
	case atom.A:
		c.anchor(n, v)
	case atom.B, atom.Strong, atom.Em, atom.I, atom.Cite, atom.Var, atom.Dfn, atom.Del, atom.S, atom.Strike, atom.Sub, atom.Sup:
		c.marked(n, v, markOf[n.DataAtom])
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		c.codeInline(n, v)
	case atom.Q:
		c.word("“")
		c.children(n, v)
		c.glue("”")
	case atom.Img:
		c.image(n)
	case atom.Rp:
	case atom.Rt:
		c.glue("(")
		c.children(n, v)
		c.glue(")")
	case atom.Math:
		c.mathML(n, false)
	case atom.Span, atom.Font, atom.Label:
		c.span(n, v)
	case atom.U, atom.Small, atom.Big, atom.Abbr, atom.Acronym, atom.Mark, atom.Time, atom.Bdi,
		atom.Bdo, atom.Ins, atom.Data, atom.Output, atom.Ruby, atom.Rb, atom.Rtc, atom.Nobr, atom.Picture, atom.Slot, atom.Map:
		c.children(n, v)
	case atom.Button:
		c.button(n, v)
	default:
		return false
	}
	return true
}

// markOf has what elements do to their text.
var markOf = map[atom.Atom]page.InlineKind{
	atom.B: page.Strong, atom.Strong: page.Strong, atom.Em: page.Emphasis, atom.I: page.Emphasis, atom.Cite: page.Emphasis, atom.Var: page.Emphasis,
	atom.Dfn: page.Emphasis, atom.Del: page.Strike, atom.S: page.Strike, atom.Strike: page.Strike, atom.Sub: page.Sub, atom.Sup: page.Sup,
}

// flow converts an element that has its own kind of block, and reports whether n
// is one.
func (c *converter) flow(n *html.Node, v dom.Choice) bool {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		c.headingBlock(n, v, int(n.Data[1]-'0'))
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		c.list(n, v)
	case atom.Li:
		c.strayItem(n, v)
	case atom.Dl:
		c.definitions(n, v)
	case atom.Pre, atom.Xmp, atom.Listing, atom.Plaintext:
		c.preformatted(n, v)
	case atom.Blockquote:
		c.quote(n, v)
	case atom.Hr:
		if c.only == 0 {
			c.add(page.Block{Kind: page.Rule})
		}
	case atom.Table:
		c.table(n, v)
	case atom.Details:
		c.details(n, v)
	case atom.Iframe, atom.Video, atom.Audio:
		c.media(n)
	default:
		return false
	}
	return true
}

// block converts an element that only bounds its content.
func (c *converter) block(n *html.Node, v dom.Choice) {
	if dom.Attr(n, "role") == "heading" && c.only == 0 && !isProse(n) {
		level := 2
		if l := dom.Attr(n, "aria-level"); len(l) == 1 && l[0] >= '1' && l[0] <= '6' {
			level = int(l[0] - '0')
		}
		c.headingBlock(n, v, level)
		return
	}
	if c.only == 0 && isCodeBlock(n) {
		c.preformatted(n, v)
		return
	}
	if c.only == 0 && isRoleTable(n) {
		c.table(n, v)
		return
	}
	c.flush()
	c.children(n, v)
	c.flush()
}

// isProse reports whether an element holds paragraphs that no heading has: several, a long
// one, or one that ends as a sentence does.
func isProse(n *html.Node) bool {
	paragraphs := 0
	for k := range n.ChildNodes() {
		if k.DataAtom == atom.P {
			paragraphs++
		}
	}
	t := text.Line(dom.NodeText(n, 2*proseBytes))
	return paragraphs > 1 || paragraphs == 1 && (len(t) > proseBytes || strings.HasSuffix(t, ".") || strings.HasSuffix(t, "!"))
}

// withMark converts an element with a mark: into a group with the mark where blocks
// can be; else the mark is written before the text. It reports whether it did.
func (c *converter) withMark(n *html.Node, v dom.Choice, mark page.Mark) bool {
	if c.only > 0 || dom.IsInline(n.DataAtom) || n.DataAtom == atom.Li || c.deep() {
		c.word(mark.String() + " ")
		return false
	}
	return c.grouped(n, v, c.clean(dom.Attr(n, "aria-label")), mark)
}

// unreadable reports whether an element holds nothing that can be read.
func unreadable(a atom.Atom) bool {
	switch a {
	case atom.Noscript:
		return false
	case atom.Frame, atom.Applet, atom.Bgsound, atom.Col, atom.Colgroup, atom.Base:
		return true
	}
	return dom.IsDropped(a)
}

func (c *converter) headingBlock(n *html.Node, v dom.Choice, level int) {
	if c.only > 0 {
		c.flush()
		c.children(n, v)
		c.flush()
		return
	}
	c.flush()
	c.heading++
	inl := c.inlineContent(n, v)
	c.heading--
	if len(inl) > 0 || c.emptied(n) {
		c.out = append(c.out, page.Block{Kind: page.Heading, Level: level, Inlines: inl, ID: text.Line(headingID(n))})
	}
}

// headingID finds the anchor of a heading: its own, that of an anchor in
// it, or that of the section it opens.
func headingID(n *html.Node) string {
	if id := dom.Attr(n, "id"); id != "" {
		return id
	}
	for k := range n.ChildNodes() {
		if k.DataAtom != atom.A && k.DataAtom != atom.Span {
			continue
		}
		href, isFragment := strings.CutPrefix(dom.Attr(k, "href"), "#")
		if !isFragment {
			href = ""
		}
		if id := dom.FirstNonBlank(dom.Attr(k, "id"), dom.Attr(k, "name"), href); id != "" {
			return id
		}
	}
	p, first := n.Parent, n.PrevSibling
	for first != nil && first.Type != html.ElementNode {
		first = first.PrevSibling
	}
	if p == nil || first != nil || p.DataAtom != atom.Section && p.DataAtom != atom.Div && p.DataAtom != atom.Article {
		return ""
	}
	return dom.Attr(p, "id")
}

func (c *converter) quote(n *html.Node, v dom.Choice) {
	if c.only > 0 || c.deep() {
		c.block(n, v)
		return
	}
	if blocks := c.contained(n, v); len(blocks) > 0 || c.emptied(n) {
		c.add(page.Block{Kind: page.Quote, Children: blocks})
	}
}

func (c *converter) details(n *html.Node, v dom.Choice) {
	if c.only > 0 || c.deep() {
		if !dom.HasAttr(n, "open") {
			c.word(page.Collapsed.String() + " ")
		}
		c.block(n, v)
		return
	}
	c.flush()
	mark := page.Collapsed
	folded := c.folded
	if dom.HasAttr(n, "open") && !folded {
		mark = page.NoMark
	}
	c.folded = mark == page.Collapsed
	label, titled := "", false
	var heading page.Block
	blocks := c.within(func() {
		for k := range n.ChildNodes() {
			if k.DataAtom != atom.Summary || label != "" || titled {
				c.node(k, v)
				continue
			}
			kv := c.asked(k, v)
			if kv == dom.DropAll {
				continue
			}
			h := headingIn(k)
			c.heading++ // its button is its text
			inl := c.inlineContent(k, kv)
			c.heading--
			if titled = h != nil && len(inl) > 0; titled {
				heading = page.Block{Kind: page.Heading, Level: int(dom.HeadingLevel(h)), Inlines: inl, ID: text.Line(headingID(h)), Mark: mark}
			} else {
				label = page.InlineText(inl)
			}
		}
	})
	c.folded = folded
	if titled {
		c.out = append(c.out, heading)
	}
	if label == "" && len(blocks) == 0 {
		return
	}
	if titled {
		mark = page.NoMark // the heading has it
	}
	c.add(page.Block{Kind: page.Group, Label: label, Children: blocks, Mark: mark})
}

// headingIn returns the heading that a summary holds, nil for none: it is a section of the
// page like those without a control.
func headingIn(summary *html.Node) *html.Node {
	for d := range dom.Below(summary) {
		if dom.HeadingLevel(d) > 0 {
			return d
		}
	}
	return nil
}

// span converts an element without meaning, as far as its style has none.
func (c *converter) span(n *html.Node, v dom.Choice) {
	if isSpokenNext(n) {
		c.space = true
		return
	}
	box := isBox(n)
	if box {
		c.flush()
	}
	c.children(n, v)
	if box {
		c.flush()
	}
}
