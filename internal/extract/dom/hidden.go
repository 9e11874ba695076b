package dom

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file removes what a page hides from a person by attributes, style attributes and its own
// style sheets (package css). Such text is not content: it is a place for words that only a
// model is meant to read. What a control of the page shows (a tab, an accordion) is content, and
// so is what the page's scripts will show.

// RemoveHidden removes from the tree what a person does not see, and counts it in the omissions
// of p. Metadata and links, which are read later, do not see it either. Where stop, which may be
// nil, returns an error, it ends early.
func RemoveHidden(body *html.Node, p *page.Page, stop func() error) {
	removeHidden(body, p, false, new(int), stop)
}

// RemoveHiddenStatic is [RemoveHidden] for a document in which no script runs: nothing in it
// waits to be shown. spent is what its sheets and those of documents before it, which are parts
// of the same one, have cost; it is added to.
func RemoveHiddenStatic(body *html.Node, p *page.Page, spent *int, stop func() error) {
	removeHidden(body, p, true, spent, stop)
}

func removeHidden(body *html.Node, p *page.Page, static bool, spent *int, stop func() error) {
	sheets, scripted := readSheets(body)
	sheets.Spent = *spent
	f := &hiddenFinder{patience: Patience{Stop: stop}, body: body, view: sheets.View(), scripted: scripted, static: static, groups: map[group]int{}}
	if f.judged = isJudged(body); f.judged {
		f.unseen = unseenElements(body)
	}
	if up := body.Parent; up != nil && up.Type == html.ElementNode {
		f.view.Push(up)
	}
	f.view.Push(body)
	f.children(body)
	f.view.Finish()
	f.sum()
	for _, h := range f.found {
		if f.waits(h) {
			continue
		}
		p.Omit(kinds[h.why], 1)
		if h.node.Type == html.TextNode {
			h.node.Data = " "
		} else {
			h.node.Parent.RemoveChild(h.node)
		}
	}
	if static { // the next look would read the sheets again, and counts the comments
		removeSheets(body)
	} else {
		p.Omit(page.HiddenComments, f.comments)
	}
	p.SheetsRead = !sheets.Unread && sheets.Complete()
	p.Judged = f.judged
	*spent = sheets.Spent
}

// kinds are the kinds of omission that count what is hidden.
var kinds = [...]page.OmissionKind{
	css.Seen: page.HiddenDisplay, css.ByDisplay: page.HiddenDisplay, css.ByVisibility: page.HiddenVisibility, css.ByOpacity: page.HiddenOpacity,
	css.BySize: page.HiddenSize, css.ByFont: page.HiddenSize, css.ByPlace: page.HiddenOffScreen, css.ByClip: page.HiddenClip, css.ByColor: page.HiddenColor,
}

type hiddenFinder struct {
	patience Patience
	body     *html.Node
	view     *css.View
	found    []hiddenNode
	comments int
	inSight  int           // bytes of text that is seen
	largest  int           // bytes of the largest group that may wait
	faded    int           // elements with text that are hidden by their opacity
	groups   map[group]int // bytes of text
	scripted bool          // the page has scripts
	static   bool
	judged   bool                // a browser has judged the document
	unseen   map[*html.Node]bool // elements in which it sees no text
	panels   int                 // elements around the walk that a control shows: the browser has not judged what is in them
	controls map[string]bool     // identifiers that controls of the page name; made at first need
	alike    map[kind]int        // elements by kind; made at first need
}

// group is what is hidden by the same means: a rule of a sheet, or style attributes that differ
// only in numbers.
type group struct {
	why   css.Cause
	rule  any // identifies the rule
	style string
}

type hiddenNode struct {
	node *html.Node
	group
	bytes int // of its text
}

// waits reports whether a hidden node is a part of a page that waits for its scripts.
func (f *hiddenFinder) waits(h hiddenNode) bool {
	if f.static || f.judged || !h.why.Waits() || !f.scripted && h.why == css.ByDisplay && f.inSight+f.largest <= fewBytes {
		return false
	}
	return h.why == css.ByOpacity && f.faded >= animated || float64(f.groups[h.group]) > waitingShare*float64(max(f.inSight, f.largest))
}

// hide notes a hidden element or text.
func (f *hiddenFinder) hide(n *html.Node, why css.Cause, rule any) {
	h := hiddenNode{node: n, group: group{why: why, rule: rule}}
	size := 0
	if n.Type == html.TextNode {
		size = len(strings.TrimSpace(n.Data))
	} else {
		if rule == css.StyleRule {
			h.style = withoutDigits(Attr(n, "style"))
		}
		for c := range Below(n) {
			if c.Type == html.TextNode && !IsDropped(c.Parent.DataAtom) {
				size += len(strings.TrimSpace(c.Data))
			}
		}
	}
	h.bytes = size
	f.found = append(f.found, h)
}

// sum adds up the groups of hidden text.
func (f *hiddenFinder) sum() {
	for _, h := range f.found {
		f.groups[h.group] += h.bytes
		if h.why == css.ByOpacity && h.bytes > 0 {
			f.faded++
		}
		if h.why.Waits() {
			f.largest = max(f.largest, f.groups[h.group])
		}
	}
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
			f.text(c)
		case html.CommentNode:
			f.comments++
		case html.ElementNode:
			f.element(c)
		}
	}
}

func (f *hiddenFinder) text(n *html.Node) {
	text := strings.TrimSpace(n.Data)
	if text == "" || IsDropped(n.Parent.DataAtom) && n.Parent.DataAtom != atom.Textarea {
		return
	}
	if f.followsBrowser() {
		if isUnseen(n) {
			f.hide(n, css.Seen, nil)
			return
		}
	} else if state := f.view.Text(); state.Text != css.Seen && !f.mayStandOut(n, state) {
		f.hide(n, state.Text, state.Rule)
		return
	}
	f.inSight += len(text)
}

// followsBrowser reports whether the browser has judged what the walk is at.
func (f *hiddenFinder) followsBrowser() bool { return f.judged && f.panels == 0 }

// element notes a hidden element, or looks inside.
func (f *hiddenFinder) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Annotation:
		return // not painted; of annotations the converter decides
	case atom.Noscript:
		if IsRevived(n) {
			f.inside(n)
		}
		return
	case atom.Object:
		if showsFallback(n) {
			n.DataAtom = 0 // like an element that HTML does not know
		}
	case atom.Div:
		shape(n)
	}
	before := f.view.Text().Text
	state := f.view.Push(n)
	defer f.view.Pop()
	all, text := state.All, state.Text
	if f.followsBrowser() {
		all, text = css.Seen, css.Seen
		if f.unseen[n] || isUnseen(n) {
			all, text = css.ByDisplay, css.ByDisplay
		}
		before = css.Seen
		if f.unseen[n.Parent] {
			before = css.ByDisplay
		}
	}
	if n.DataAtom == atom.Img && f.scripted && all != css.ByDisplay {
		all, text = css.Seen, css.Seen // pictures fade in when they are loaded
	}
	begins := text != css.Seen && before == css.Seen
	if begins {
		if shown, collapsed := f.isShownLater(n, text); shown {
			if collapsed {
				setOwnAttr(n, collapsedAttr, "true")
			}
			f.view.Reset()
			f.inside(n)
			return
		}
	}
	switch {
	case all == css.Seen && isSpokenCopy(n):
		all = css.ByClip
	case all == css.Seen && text != css.Seen && paintsAttribute(n):
		all = text
	}
	switch {
	case all != css.Seen:
		f.hide(n, all, state.Rule)
	case n.DataAtom == atom.Details && !HasAttr(n, "open"): // its summary shows the rest
		f.inside(n)
	default:
		first, inSight := len(f.found), f.inSight
		f.children(n)
		if begins && f.inSight == inSight && len(f.found) > first { // nothing in it is seen
			f.found = f.found[:first]
			f.hide(n, text, state.Rule)
		}
	}
}

// inside looks inside an element whose content the browser has not judged.
func (f *hiddenFinder) inside(n *html.Node) {
	f.panels++
	f.children(n)
	f.panels--
}

// paintsAttribute reports whether the text of an element is in an attribute.
func paintsAttribute(n *html.Node) bool {
	return n.DataAtom == atom.Input && HasAttr(n, "value") || n.DataAtom == atom.Option && HasAttr(n, "label")
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

// mayStandOut reports whether a text in the colour of the background may be placed over a
// picture: one is near, and the background is that of an element around the text.
func (f *hiddenFinder) mayStandOut(n *html.Node, state css.State) bool {
	if state.Text != css.ByColor || !state.Guessed {
		return false
	}
	steps := 0
	for range mostAround {
		if n = n.Parent; n == nil || n.DataAtom == atom.Body {
			return false
		}
		for c := range Below(n) {
			if steps++; steps > mostBeside {
				return false
			}
			switch c.DataAtom {
			case atom.Img, atom.Picture, atom.Video, atom.Canvas, atom.Iframe, atom.Svg, atom.Object, atom.Embed:
				return true
			}
		}
	}
	return false
}
