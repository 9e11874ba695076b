package dom

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file takes out what a page hides from a person by attributes, inline
// styles and style sheets in the page. Such text is not content: it is a place
// for words that only a model is meant to read. What waits behind a control of
// the page (a tab, an accordion) is content: a person reaches it with a click.
//
// It is longer than other files: what is hidden, what is kept although it is hidden, and
// the marks for it are one decision for each element, in one walk.
//
// Package css says what is painted. The html and body elements are never
// hidden: pages that fade themselves in would be empty.

// waitingShare is from which share on of the text that can be seen, or of the
// largest such group, a group of hidden text is taken for a page that waits for
// its scripts to show it: entrance animations and streamed content hide whole
// articles in this way. Text that is slipped in is less.
const waitingShare = .5

// Pages have many entrance animations: with so many elements that are hidden by the
// same means, a smaller share is enough.
const (
	animated      = 8
	animatedShare = .1
)

// fewBytes is the text of a short page. Without a script, what such a page does
// not display stays so: a style sheet can animate opacity and place, but not
// display. Longer pages are often saved without their scripts.
const fewBytes = 1500

// RemoveHidden takes out of the tree what a person does not see, in one walk,
// and counts it in the omissions of p. What is read later, metadata and links
// included, does not see it either. Where stop, which may be nil, returns an error, it
// leaves off. It returns the prose that scripts of the page may show later.
func RemoveHidden(body *html.Node, p *page.Page, stop func() error) []Withheld {
	return takeHidden(body, p, false, new(int), stop)
}

// RemoveHiddenStatic is [RemoveHidden] for a document in which no script runs:
// nothing in it waits to be shown. spent is what its sheets and those of documents before
// it, which are parts of the same one, have cost; it is added to.
func RemoveHiddenStatic(body *html.Node, p *page.Page, spent *int, stop func() error) {
	takeHidden(body, p, true, spent, stop)
}

func takeHidden(body *html.Node, p *page.Page, static bool, spent *int, stop func() error) (withheld []Withheld) {
	sheets := readSheets(body)
	sheets.Charge(*spent)
	f := findHidden(body, sheets, stop)
	still := f.inSight+f.largest <= fewBytes && len(f.found) > 0 && !f.scripted
	for _, h := range f.found {
		if h.why == css.Color && f.isBacked(h, sheets) {
			continue
		}
		if h.look.Adrift && (sheets.PaintsOther(h.look) || hasPictureBeside(h.node)) {
			f.doubts, f.unknown = append(f.doubts, h.node), true
			continue
		}
		if !static && (h.traced || h.why == css.Covered || f.stays(h) && !(still && h.why == css.Display)) {
			setMark(h.marked(), page.NotShown)
			continue
		}
		p.Omit(kindOf(h.why), 1)
		if f.scripted && !f.judged {
			withheld = h.withhold(withheld)
		}
		if h.node.Type == html.TextNode {
			h.node.Data = " "
		} else {
			h.node.Parent.RemoveChild(h.node)
		}
	}
	setMarks(f.doubts, page.VisibilityUnknown)
	if !f.judged && !sheets.Complete() {
		setMark(body, page.VisibilityUnknown)
		f.unknown = true
		if static { // the next look would spend as much again
			removeSheets(rootOf(body))
		}
	}
	if !static { // else the next look counts them
		f.markCovered(sheets)
		p.Omit(page.HiddenComments, f.comments)
	}
	p.SheetsRead = !sheets.Unread && sheets.Complete()
	p.Judged = f.judged
	p.VisibilityUnknown = p.VisibilityUnknown || f.unknown
	*spent = sheets.Spent()
	sheets.Release()
	return withheld
}

// removeSheets takes the style sheets out of a tree.
func removeSheets(root *html.Node) {
	var all []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.DataAtom == atom.Style {
			all = append(all, n)
		}
	}
	for _, n := range all {
		n.Parent.RemoveChild(n)
	}
}

func findHidden(body *html.Node, sheets *css.Sheets, stop func() error) *hiddenFinder {
	f := &hiddenFinder{patience: Patience{Stop: stop}, body: body, view: sheets.View(), scripted: sheets.Scripted, groups: map[group]extent{}}
	if f.judged = isJudged(body); f.judged {
		f.unseen = unseen(body)
	}
	why := css.InSight
	if up := body.Parent; up != nil && up.Type == html.ElementNode {
		why = f.view.Push(up).Why
	}
	look := f.view.Push(body)
	if why == css.InSight {
		why = look.Why
	}
	if why == css.InSight {
		why = f.view.Text().Why
	}
	f.view.Reset()
	f.children(body)
	if f.judged {
		return f
	}
	switch why {
	case css.Display, css.Visibility, css.Opacity:
		if f.inSight > 0 {
			setMark(body, page.NotShown)
		}
	}
	return f
}

// kindOf returns the kind of omission that counts what is hidden in a way.
func kindOf(r css.Reason) page.OmissionKind {
	switch r {
	case css.Visibility:
		return page.HiddenVisibility
	case css.Opacity:
		return page.HiddenOpacity
	case css.Size:
		return page.HiddenSize
	case css.Place:
		return page.HiddenOffScreen
	case css.Clip:
		return page.HiddenClip
	case css.Color:
		return page.HiddenColor
	}
	return page.HiddenDisplay
}

func rootOf(n *html.Node) *html.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// readSheets collects the style sheets that the page brings along. It also
// puts shadow roots in their place, since it is the first to see them.
func readSheets(body *html.Node) *css.Sheets {
	s := &css.Sheets{}
	root := rootOf(body)
	first := root.FirstChild
	for first != nil && first.Type == html.CommentNode {
		first = first.NextSibling
	}
	s.Quirks = first == nil || first.Type != html.DoctypeNode
	if trees := treesOf(root); trees != nil {
		s.Tree = func(n *html.Node) int32 { return trees[n] }
	}
	for n := nextNode(root, root); n != nil; n = nextNode(n, root) {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.DataAtom {
		case atom.Template:
			if HasAttr(n, "shadowrootmode") && attachShadows(root) {
				return readSheets(body)
			}
		case atom.Style:
			if t := Attr(n, "type"); (t == "" || strings.EqualFold(t, "text/css")) && n.FirstChild != nil {
				s.Add(n.FirstChild.Data, css.Source{Media: Attr(n, "media"), Element: n})
			}
		case atom.Script:
			s.Scripted = s.Scripted || runs(Attr(n, "type"))
		case atom.Link:
			s.Unread = addLink(s, n) || s.Unread
		}
		for i := range n.Attr {
			switch a := &n.Attr[i]; a.Key {
			case "style":
				if css.Tells(a.Val) {
					s.AddAttribute(a.Val)
				}
			case "bgcolor":
				s.AddColor(a.Val, true)
			case "color", "text":
				s.AddColor(a.Val, false)
			}
		}
	}
	return s
}

// nextNode returns the node after n in the order of the document, without what
// is in templates.
func nextNode(n, root *html.Node) *html.Node {
	if n.FirstChild != nil && n.DataAtom != atom.Template {
		return n.FirstChild
	}
	return behind(n, root)
}

// addLink reads a linked style sheet that the address itself holds, and
// reports whether the link asks for one that it does not.
func addLink(s *css.Sheets, n *html.Node) (unread bool) {
	isSheet := false
	for rel := range strings.FieldsSeq(strings.ToLower(Attr(n, "rel"))) {
		switch rel {
		case "stylesheet":
			isSheet = true
		case "alternate":
			return false
		}
	}
	href := strings.TrimSpace(Attr(n, "href"))
	if !isSheet || href == "" || HasAttr(n, "disabled") {
		return false
	}
	sheet, ok := css.DataSheet(href)
	if !ok {
		return true
	}
	s.Add(sheet, css.Source{Media: Attr(n, "media")})
	return false
}

type hiddenFinder struct {
	patience Patience
	body     *html.Node
	view     *css.View
	found    []hiddenNode
	comments int
	inSight  int // bytes of text that can be seen
	largest  int // bytes of the largest group that waits
	groups   map[group]extent
	scripted bool // the page has scripts
	unknown  bool // an element was marked so
	judged   bool // a browser has judged the document
	// panels counts the elements around that a control shows, and the like: what is in them
	// the browser has not judged.
	panels int
	unseen map[*html.Node]css.Look // see unseen
	doubts []*html.Node            // texts that may be seen
	tables []columns
	covers []cover
	stage  stage
	// controls are the identifiers that a control of the page names; made at
	// first need.
	controls map[string]bool
	tabs     bool // one of them has the role of a tab
	leaves   bool // the walk is in an element that is out of sight, see left
	outside  []outside
}

// group is what is hidden by the same means: one rule of a sheet, or style
// attributes that differ in numbers alone. A page that waits hides its text in
// few ways; text that was slipped in with a style of its own is a group of its own.
type group struct {
	why   css.Reason
	rule  int32
	style string
}

// extent is how much a group hides.
type extent struct{ elements, bytes int }

type hiddenNode struct {
	node  *html.Node
	whole *html.Node // the element all text of which is hidden in this way; nil for none
	group
	look   css.Look
	waits  bool
	traced bool // see css.Look
}

// marked is the node that is marked where a hidden one stays. What something is painted over
// is marked block by block: the cover may hide much of a page.
func (h hiddenNode) marked() *html.Node {
	switch {
	case h.whole == nil:
		return h.node
	case h.why != css.Covered:
		return h.whole
	}
	n := h.node
	for n != h.whole && (n.Type == html.TextNode || IsInline(n.DataAtom)) {
		n = n.Parent
	}
	return n
}

// stays reports whether a hidden node is part of a page that waits.
func (f *hiddenFinder) stays(h hiddenNode) bool {
	if !h.waits {
		return false
	}
	g, share := f.groups[h.group], waitingShare
	if h.why == css.Opacity && g.elements >= animated {
		share = animatedShare
	}
	return float64(g.bytes) > share*float64(max(f.inSight, f.largest))
}

func (f *hiddenFinder) hide(n *html.Node, look css.Look) {
	if f.leaves {
		f.outside = append(f.outside, outside{n, look})
		return
	}
	h := hiddenNode{node: n, look: look, group: group{why: look.Why, rule: look.Rule}, waits: look.Waits, traced: look.Traced}
	size := 0
	if n.Type == html.TextNode {
		size = len(strings.TrimSpace(n.Data))
	} else {
		if look.Rule == css.Inline {
			h.style = withoutDigits(Attr(n, "style"))
		}
		for c := range Below(n) {
			if c.Type == html.TextNode && !IsDropped(c.Parent.DataAtom) {
				size += len(strings.TrimSpace(c.Data))
			}
		}
	}
	g := f.groups[h.group]
	f.groups[h.group] = extent{g.elements + 1, g.bytes + size}
	if h.waits {
		f.largest = max(f.largest, g.bytes+size)
	}
	f.found = append(f.found, h)
}

func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '.' || r == ' ' {
			return -1
		}
		return r
	}, s)
}

func (f *hiddenFinder) children(n *html.Node) {
	for c := n.FirstChild; c != nil && !f.patience.Over(); c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			text := strings.TrimSpace(c.Data)
			if text == "" || IsDropped(n.DataAtom) && n.DataAtom != atom.Textarea {
				continue
			}
			switch look := f.textLook(c); {
			case look.Why == css.Unknown:
				f.unknown = true
				f.doubts = append(f.doubts, c)
				f.inSight += len(text)
			case look.Why != css.InSight:
				f.hide(c, look)
			default:
				f.inSight += len(text)
				f.view.Wrote(len(text))
			}
		case html.CommentNode:
			f.comments++
		case html.ElementNode:
			f.element(c)
		}
	}
}

// showsFallback reports whether an object element shows its content: it names no resource, or
// one for a plugin that browsers no longer have.
func showsFallback(n *html.Node) bool {
	media, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(Attr(n, "type"))), ";")
	switch media {
	case "application/x-shockwave-flash", "application/x-silverlight-2", "application/x-java-applet":
		return true
	}
	return strings.TrimSpace(Attr(n, "data")) == ""
}

// followsBrowser reports whether the browser has judged what the walk is at.
func (f *hiddenFinder) followsBrowser() bool { return f.judged && f.panels == 0 }

// textLook says how a text is painted.
func (f *hiddenFinder) textLook(n *html.Node) css.Look {
	if f.followsBrowser() {
		if told := toldOf(n); told.Why != css.Skipped {
			return told
		}
	}
	return f.view.Text()
}

// inside looks inside an element whose content the browser has not judged.
func (f *hiddenFinder) inside(n *html.Node) {
	f.panels++
	f.children(n)
	f.panels--
}

// element notes a hidden element, or looks inside.
func (f *hiddenFinder) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template:
		return // no text of theirs is shown
	case atom.Br:
		f.view.Wrote(0)
	case atom.Noscript:
		if !IsRevived(n) {
			return
		}
		f.panels++
		defer func() { f.panels-- }()
	case atom.Table:
		f.tables = append(f.tables, columns{})
		defer func() { f.tables = f.tables[:len(f.tables)-1] }()
	case atom.Annotation:
		return // not painted; the converter decides
	case atom.Object:
		shows := showsFallback(n)
		if failing := !shows && !f.followsBrowser() && !HasPrefixFold(strings.TrimSpace(Attr(n, "data")), "data:"); shows || failing {
			n.DataAtom = 0 // as an element that HTML does not know
			if failing {   // shown where the resource does not come
				f.doubt(n)
			}
		}
	}
	class := Attr(n, "class")
	around := f.view.Text()
	look, why, before := f.looksOf(n, class)
	defer f.view.Pop()
	if look.Why == css.Unknown {
		f.doubt(n)
		look = css.Look{}
	}
	if f.inCollapsed(n, why) && !f.followsBrowser() {
		look = css.Look{Why: css.Visibility, Rule: css.Attribute}
	}
	if why != css.InSight && !around.Leaves {
		switch mark, keep := f.exempt(n, class, why); {
		case keep && mark == page.NoMark:
			f.formula(n)
			return
		case keep:
			f.view.Reset()
			setMark(n, mark)
			f.inside(n)
			return
		}
	}
	if look.Why != css.InSight {
		f.hide(n, look)
		return
	}
	if !f.followsBrowser() {
		text := f.view.Text()
		switch {
		case text.Leaves && !f.leaves:
			f.left(n, text)
			return
		case text.Why != css.InSight && (paintsAttribute(n) || text.Leaves && n.DataAtom == atom.Img):
			f.hide(n, text)
			return
		case !text.Leaves:
			f.noteCovers(n)
			if f.view.Sunk() {
				f.doubt(n)
			}
		}
	}
	first, inSight := len(f.found), f.inSight
	f.content(n)
	if why != css.InSight && before == css.InSight && f.inSight == inSight {
		for i := first; i < len(f.found); i++ {
			f.found[i].whole = n
		}
	}
}

// left looks into an element that is out of sight for what stands in sight all the same.
// Without it, all of the element is hidden.
func (f *hiddenFinder) left(n *html.Node, look css.Look) {
	inSight, comments, unknown, covers := f.inSight, f.comments, f.unknown, len(f.covers)
	f.leaves = true
	f.content(n)
	f.leaves = false
	out := f.outside
	f.outside = nil
	if f.inSight == inSight {
		f.comments, f.unknown, f.covers = comments, unknown, f.covers[:covers]
		f.hide(n, look)
		return
	}
	for _, h := range out {
		f.hide(h.node, h.look)
	}
}

// outside is something hidden in an element that is out of sight.
type outside struct {
	node *html.Node
	look css.Look
}

// doubt marks an element that may not be seen, if it has text: many icons are masks.
func (f *hiddenFinder) doubt(n *html.Node) {
	if holdsWords(n) {
		f.unknown = true
		setMark(n, page.VisibilityUnknown)
	}
}

// holdsWords reports whether an element holds text that could be seen.
func holdsWords(n *html.Node) bool {
	for c := range n.Descendants() {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" && !IsDropped(c.Parent.DataAtom) {
			return true
		}
	}
	return paintsAttribute(n)
}

// content looks at what is in an element that is in sight, or begins to be out of it.
func (f *hiddenFinder) content(n *html.Node) {
	switch {
	case n.DataAtom == atom.Details && !HasAttr(n, "open"): // its summary shows the rest
		f.inside(n)
	case f.followsBrowser() && f.unseen[n].Why == css.Skipped:
		f.inside(n)
	default:
		f.children(n)
	}
}

// exempt reports whether a hidden element is content all the same, and how it is
// marked: without a mark when what it says is painted beside it.
func (f *hiddenFinder) exempt(n *html.Node, class string, why css.Reason) (page.Mark, bool) {
	switch {
	case holdsFormula(n):
		return page.NoMark, true
	case f.behindControl(n, class, why), Attr(n, "role") == "tabpanel" && f.hasTabs():
		return page.Collapsed, true
	case strings.EqualFold(Attr(n, "hidden"), "until-found"):
		return page.Collapsed, true // a search shows it
	case f.looksControlled(n, class, why):
		return page.NotShown, true
	}
	return page.NoMark, false
}

// columns are the collapsed columns of a table.
type columns struct {
	hidden  []bool
	next    int // column that the next col element is about
	at      int // column of the next cell
	inGroup bool
}

// maxColumns bounds the columns of a table that are looked at.
const maxColumns = 1000

// inCollapsed notes an element of a table, and reports whether it is a cell of a column
// that is collapsed. why is how the element itself is hidden.
func (f *hiddenFinder) inCollapsed(n *html.Node, why css.Reason) bool {
	switch n.DataAtom {
	case atom.Col, atom.Colgroup:
		f.column(n, why == css.Visibility)
	case atom.Tr:
		if len(f.tables) > 0 {
			f.tables[len(f.tables)-1].at = 0
		}
	case atom.Td, atom.Th:
		return f.cellCollapsed(n)
	}
	return false
}

// column notes the columns that a col or colgroup element is about.
func (f *hiddenFinder) column(n *html.Node, hidden bool) {
	if len(f.tables) == 0 {
		return
	}
	t := &f.tables[len(f.tables)-1]
	if n.DataAtom == atom.Col {
		hidden = hidden || t.inGroup
	} else {
		t.inGroup = hidden
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.DataAtom == atom.Col {
				return // its col elements are counted
			}
		}
	}
	for range spanOf(n, "span") {
		if t.next < maxColumns {
			t.hidden = append(t.hidden, hidden)
			t.next++
		}
	}
}

// cellCollapsed reports whether a cell is in a collapsed column.
func (f *hiddenFinder) cellCollapsed(n *html.Node) bool {
	if len(f.tables) == 0 {
		return false
	}
	t := &f.tables[len(f.tables)-1]
	at := t.at
	t.at += spanOf(n, "colspan")
	return at < len(t.hidden) && t.hidden[at]
}

func spanOf(n *html.Node, attr string) int {
	span, err := strconv.Atoi(strings.TrimSpace(Attr(n, attr)))
	if err != nil {
		return 1
	}
	return min(max(span, 1), maxColumns)
}

// paintsAttribute reports whether the text of an element is in an attribute.
func paintsAttribute(n *html.Node) bool {
	return n.DataAtom == atom.Input && HasAttr(n, "value") || n.DataAtom == atom.Option && HasAttr(n, "label")
}

// looksOf enters an element. It says how the element is painted together with everything
// in it, by which reason something in it begins to be out of sight, and by which reason
// text around it is.
func (f *hiddenFinder) looksOf(n *html.Node, class string) (look css.Look, why, before css.Reason) {
	if f.followsBrowser() {
		sheet := f.view.Push(n)
		if sheet.Open {
			f.doubt(n)
		}
		told, all := f.unseen[n]
		switch {
		case told.Why == css.Skipped: // the sheets decide, from here on
			return sheet, sheet.Why, css.InSight
		case !all:
			told = toldOf(n) // of a picture or a field
			if n.DataAtom == atom.Img && told.Why == css.InSight && !f.scripted {
				told = sheet // the browser says of pictures only that they have a box: some fade in
			}
			return told, told.Why, css.InSight
		case sheet.Why == css.InSight || sheet.Why == css.Unknown:
			sheet = css.Look{} // what is in it tells
		}
		return sheet, told.Why, f.unseen[n.Parent].Why
	}
	before = f.view.Text().Why
	look = f.lookOf(n, class)
	if why = look.Why; why == css.Unknown {
		why = css.InSight
	}
	if why == css.InSight && before == css.InSight {
		why = f.view.Text().Why // what begins to be invisible here
	}
	return look, why, before
}

// lookOf enters an element and says how it is painted.
func (f *hiddenFinder) lookOf(n *html.Node, class string) css.Look {
	look := f.view.Push(n)
	if class != "" && look.Why == css.InSight && (forScreenReaders(class) && !f.view.Styled() || isSpokenCopy(n, class)) {
		look = css.Look{Why: css.Clip, Rule: css.Attribute}
	}
	if n.DataAtom == atom.Img && look.Why != css.Display && f.scripted {
		return css.Look{} // pictures fade in when they are loaded
	}
	if look.Why == css.InSight && isPhantom(n) {
		look = css.Look{Why: css.Visibility, Rule: css.Attribute}
	}
	return look
}
