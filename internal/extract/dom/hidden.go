package dom

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file takes out what a page hides from a person by attributes, inline
// styles and style sheets in the page. Such text is no content, and a place
// for words that only a model is meant to read. What waits behind a control of
// the page (a tab, an accordion) is content: a person reaches it with a click.
//
// Package css says what is painted. The html and body elements are never
// hidden: pages that fade themselves in would be empty.

// waitingShare is from which share on of the text that can be seen, or of the
// largest such group, a group of hidden text is taken for a page that waits for
// its scripts to show it: entrance animations and streamed content hide whole
// articles in this way. Text that is slipped in is less.
const waitingShare = .5

// Entrance animations come in numbers: with so many elements that start from
// nothing by the same means, a smaller share will do.
const (
	animated      = 8
	animatedShare = .1
)

// fewBytes is the text of a short page. Without a script, what such a page does
// not display stays so: a style sheet can animate opacity and place, but not
// display. Longer pages are often saved without their scripts.
const fewBytes = 1500

// RemoveHidden takes out of the tree what a person does not see, in one walk,
// and counts it in the notes of p. What is read later, metadata and links
// included, does not see it either.
func RemoveHidden(body *html.Node, p *page.Page) { takeHidden(body, p, false) }

// RemoveHiddenStatic is removeHidden for a document in which no script runs:
// nothing in it waits to be shown.
func RemoveHiddenStatic(body *html.Node, p *page.Page) { takeHidden(body, p, true) }

func takeHidden(body *html.Node, p *page.Page, static bool) {
	sheets := readSheets(body)
	f := findHidden(body, sheets)
	still := f.inSight+f.largest <= fewBytes && len(f.found) > 0 && !HasScript(rootOf(body))
	for _, h := range f.found {
		if !static && f.stays(h) && !(still && h.why == css.Display) {
			continue
		}
		p.Note(noteOf(h.why), 1)
		if h.node.Type == html.TextNode {
			h.node.Data = " "
		} else {
			h.node.Parent.RemoveChild(h.node)
		}
	}
	if !static { // else who looks next counts them
		p.Note(page.NoteComments, f.comments)
	}
	p.SheetsRead = !sheets.Unread && sheets.Complete()
}

func findHidden(body *html.Node, sheets *css.Sheets) *hiddenFinder {
	f := &hiddenFinder{body: body, view: sheets.View(), groups: map[group]extent{}}
	if up := body.Parent; up != nil && up.Type == html.ElementNode {
		f.view.Push(up)
	}
	f.view.Push(body)
	f.view.Reset()
	f.children(body)
	return f
}

// noteOf returns the kind of note that counts what is hidden in a way.
func noteOf(r css.Reason) page.NoteKind {
	switch r {
	case css.Visibility:
		return page.NoteVisibility
	case css.Opacity:
		return page.NoteOpacity
	case css.Size:
		return page.NoteSize
	case css.Place:
		return page.NoteOffScreen
	case css.Clip:
		return page.NoteClip
	case css.Color:
		return page.NoteColor
	}
	return page.NoteDisplay
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
	s.Quirks = root.FirstChild == nil || root.FirstChild.Type != html.DoctypeNode
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
				s.Add(n.FirstChild.Data, Attr(n, "media"))
			}
		case atom.Link:
			s.Unread = addLink(s, n) || s.Unread
		}
		for i := range n.Attr {
			if n.Attr[i].Key == "style" && css.Tells(n.Attr[i].Val) {
				s.AddAttribute(n.Attr[i].Val)
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
	for n != root && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}

// addLink reads a linked style sheet that the address itself holds, and
// reports whether the link asks for one that it does not.
func addLink(s *css.Sheets, n *html.Node) (unread bool) {
	sheet := false
	for rel := range strings.FieldsSeq(strings.ToLower(Attr(n, "rel"))) {
		switch rel {
		case "stylesheet":
			sheet = true
		case "alternate":
			return false
		}
	}
	href := strings.TrimSpace(Attr(n, "href"))
	if !sheet || href == "" || HasAttr(n, "disabled") {
		return false
	}
	if len(href) < 5 || !strings.EqualFold(href[:5], "data:") {
		return true
	}
	kind, data, _ := strings.Cut(href[5:], ",")
	if kind = strings.ToLower(kind); !strings.HasPrefix(kind, "text/css") {
		return false
	}
	data, err := url.PathUnescape(data)
	if err == nil && strings.HasSuffix(kind, ";base64") {
		var raw []byte
		raw, err = base64.StdEncoding.DecodeString(data)
		data = string(raw)
	}
	if err != nil {
		return true
	}
	s.Add(data, Attr(n, "media"))
	return false
}

type hiddenFinder struct {
	body     *html.Node
	view     *css.View
	found    []hiddenNode
	comments int
	inSight  int // bytes of text that can be seen
	largest  int // bytes of the largest group that waits
	groups   map[group]extent
	// controls are the identifiers that a control of the page names; made at
	// first need.
	controls map[string]bool
}

// group is what is hidden by the same means: one rule of a sheet, or style
// attributes that differ in numbers alone. A page that waits hides its text in
// few ways; what somebody slips into it with a style of his own is judged by
// itself.
type group struct {
	why   css.Reason
	rule  int32
	style string
}

// extent is how much a group hides.
type extent struct{ elements, bytes int }

type hiddenNode struct {
	node *html.Node
	group
	waits bool
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
	h := hiddenNode{node: n, group: group{why: look.Why, rule: look.Rule}, waits: look.Waits}
	size := 0
	if n.Type == html.TextNode {
		size = len(strings.TrimSpace(n.Data))
	} else {
		if look.Rule == css.Inline {
			h.style = withoutDigits(Attr(n, "style"))
		}
		for c := range n.Descendants() {
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
	look := f.view.Text()
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			text := strings.TrimSpace(c.Data)
			switch {
			case text == "" || IsDropped(n.DataAtom):
			case look.Why != css.InSight:
				f.hide(c, look)
			default:
				f.inSight += len(text)
			}
		case html.CommentNode:
			f.comments++
		case html.ElementNode:
			f.element(c)
		}
	}
}

// element notes a hidden element, or looks inside.
func (f *hiddenFinder) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Math:
		return // no text of theirs is shown, or it has rules of its own
	case atom.Noscript:
		if !IsRevived(n) {
			return
		}
	}
	before := f.view.Text().Why
	class := Attr(n, "class")
	look := f.lookOf(n, class)
	defer f.view.Pop()
	why := look.Why
	if why == css.InSight && before == css.InSight {
		why = f.view.Text().Why // what begins to be invisible here
	}
	if why != css.InSight && (holdsFormula(n) || f.behindControl(n, class, why)) {
		f.view.Reset()
		if !holdsFormula(n) && !strings.HasPrefix(Attr(n, "id"), streamed) {
			n.Attr = append(n.Attr, html.Attribute{Key: CollapsedAttr})
		}
	} else if look.Why != css.InSight {
		f.hide(n, look)
		return
	}
	f.children(n)
}

// lookOf enters an element and says how it is painted.
func (f *hiddenFinder) lookOf(n *html.Node, class string) css.Look {
	look := f.view.Push(n)
	if class != "" && look.Why == css.InSight && forScreenReaders(class) {
		look = css.Look{Why: css.Clip, Rule: css.Attribute}
	}
	if n.DataAtom == atom.Img && look.Why != css.Display {
		return css.Look{} // pictures fade in when they are loaded
	}
	return look
}

// CollapsedAttr marks an element that waits behind a control, for the converter.
// A page that writes it itself marks its own text.
const CollapsedAttr = "spyhop-collapsed"

// streamed begins the identifiers of hidden elements in which React streams
// content that its script moves at once.
const streamed = "S:"

// holdsFormula reports whether an element wraps MathML, which sites hide beside
// a picture of the formula.
func holdsFormula(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Math {
			return true
		}
	}
	return false
}

// forScreenReaders reports whether a class is one of the established names for
// text that is there for the ear alone.
func forScreenReaders(class string) bool {
	if len(class) > 200 || !strings.Contains(class, "sr-only") && !strings.Contains(class, "hidden") && !strings.Contains(class, "screen-reader") {
		return false
	}
	for c := range strings.FieldsSeq(class) {
		switch c {
		case "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screen-reader-only", "u-visually-hidden":
			return true
		}
	}
	return false
}

// behindControl reports whether a hidden element is what a control of the page
// shows: a tab panel, a part of an accordion, what stands behind a button, or
// what a control names by its identifier.
func (f *hiddenFinder) behindControl(n *html.Node, class string, why css.Reason) bool {
	if n.DataAtom == atom.Dialog || HasAttr(n, "popover") {
		return false
	}
	id := Attr(n, "id")
	if Attr(n, "role") == "tabpanel" || strings.EqualFold(Attr(n, "hidden"), "until-found") || strings.HasPrefix(id, streamed) {
		return true
	}
	if isPanel(class) {
		return true
	}
	switch why {
	case css.Display, css.Visibility, css.Opacity, css.Size:
		if besideControl(n, collapsible(n)) || isSlide(n, class) {
			return true
		}
	}
	return id != "" && f.isControlled(id)
}

// isPanel reports whether a class is one of the established names for what a
// tab or an accordion shows.
func isPanel(class string) bool {
	for c := range strings.FieldsSeq(class) {
		switch strings.ToLower(c) {
		case "tab-pane", "tab-content", "tabpanel", "tab-panel", "accordion-collapse", "accordion-content", "accordion-body", "accordion-panel", "collapse", "panel-collapse":
			return true
		}
	}
	return false
}

// isControlled reports whether a control of the page names an identifier.
func (f *hiddenFinder) isControlled(id string) bool {
	if f.controls != nil {
		return f.controls[id]
	}
	f.controls = map[string]bool{}
	for c := range f.body.Descendants() {
		for i := range c.Attr {
			switch a := &c.Attr[i]; a.Key {
			case "aria-controls", "data-target", "data-bs-target":
				f.controls[strings.TrimPrefix(strings.TrimSpace(a.Val), "#")] = true
			case "href":
				if len(a.Val) > 1 && a.Val[0] == '#' && Attr(c, "role") == "tab" {
					f.controls[a.Val[1:]] = true
				}
			}
		}
	}
	return f.controls[id]
}

// collapsible reports whether the attributes of an element name it as something
// that folds.
func collapsible(n *html.Node) bool {
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key != "class" && a.Key != "id" && !strings.HasPrefix(a.Key, "data-") || len(a.Val) > 500 {
			continue
		}
		v := strings.ToLower(a.Val)
		for _, name := range [...]string{"accordi", "collaps", "expand", "faq", "answer", "toggle", "readmore", "read-more", "show-more"} {
			if strings.Contains(v, name) {
				return true
			}
		}
	}
	return false
}

// besideControl reports whether the element before n, or before its wrapper,
// is a control: a button or the like with a short label and nothing else. For
// what its own names call collapsible, a label before or behind it will do.
func besideControl(n *html.Node, collapsible bool) bool {
	for range 2 {
		prev := sibling(n, func(n *html.Node) *html.Node { return n.PrevSibling })
		if prev != nil && isControl(prev, collapsible) {
			return true
		}
		if collapsible {
			if next := sibling(n, func(n *html.Node) *html.Node { return n.NextSibling }); next != nil && isControl(next, true) {
				return true
			}
		}
		if n = n.Parent; prev != nil || n == nil || n.DataAtom == atom.Body {
			return false
		}
	}
	return false
}

// sibling returns the next element in a direction that can show text.
func sibling(n *html.Node, next func(*html.Node) *html.Node) *html.Node {
	for n = next(n); n != nil && (n.Type != html.ElementNode || IsDropped(n.DataAtom)); n = next(n) {
	}
	return n
}

// isSlide reports whether an element is one slide of several.
func isSlide(n *html.Node, class string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(class), " ")
	if !strings.Contains(class, "slide") && !strings.Contains(class, "carousel-") {
		return false
	}
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c != n && c.Type == html.ElementNode && c.DataAtom == n.DataAtom && strings.HasPrefix(strings.TrimSpace(Attr(c, "class")), first) {
			return true
		}
	}
	return false
}

// maxLabel is the longest label of a control, in bytes.
const maxLabel = 300

// isControl reports whether an element has a short text and, unless any label
// will do, a button in it that has most of that text.
func isControl(n *html.Node, anyLabel bool) bool {
	all, inside, steps := 0, 0, 0
	var walk func(n *html.Node, in bool)
	walk = func(n *html.Node, in bool) {
		if steps++; steps > 100 || all > maxLabel {
			return
		}
		if n.Type == html.TextNode {
			size := len(strings.TrimSpace(n.Data))
			all += size
			if in {
				inside += size
			}
			return
		}
		if IsDropped(n.DataAtom) {
			return
		}
		in = in || n.DataAtom == atom.Button || n.DataAtom == atom.Summary || HasAttr(n, "aria-expanded") || HasAttr(n, "aria-controls") ||
			Attr(n, "role") == "button" || Attr(n, "role") == "tab" || n.DataAtom == atom.A && leadsNowhere(Attr(n, "href"))
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, in)
		}
	}
	walk(n, false)
	return all > 0 && all <= maxLabel && (anyLabel || 2*inside > all)
}

// leadsNowhere reports whether an address only gives scripts something to
// listen to.
func leadsNowhere(href string) bool {
	return href == "#" || len(href) >= 11 && strings.EqualFold(href[:11], "javascript:")
}
