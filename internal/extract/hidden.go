package extract

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file finds what a page hides from a person by attributes and inline
// styles. Such text is no content, and a place for words that only a model is
// meant to read. What waits behind a control of the page (a tab, an accordion)
// is content: a person reaches it with a click.
//
// The rules follow CSS where it matters here: declarations are parsed, later
// ones win, !important wins over them, visibility and font size and colours
// are inherited and can be restored further in. The html and body elements are
// never hidden: pages that fade themselves in would be empty.

// paint is the state that children inherit.
type paint struct {
	invisible bool // visibility
	tiny      bool // font size
	color     rgb
	back      rgb
	flat      bool // colour and background are known to be the same
}

// rgb is a colour. The zero value is unknown; alpha 0 with known is
// transparent.
type rgb struct {
	r, g, b uint8
	clear   bool
	known   bool
}

// cause is why something is out of sight.
type cause uint8

const (
	inSight      cause = iota
	byDisplay          // display, the hidden attribute, a closed dialog
	byOpacity          // opacity, zoom, transforms: what animations start from
	byPlace            // off screen, clipped, without size
	byVisibility       // visibility
	byPaint            // font size, colour
	byClass            // names for screen readers
	numCauses
)

// waitingShare is from which share on of the text that can be seen a cause is
// taken for a page that waits for its scripts to show it: entrance animations
// and streamed content hide whole articles in this way. Text that is slipped
// in is less.
const waitingShare = .5

// removeHidden takes out of the tree what a person does not see, in one walk,
// and counts it in the notes of p. What is read later, metadata and links
// included, does not see it either.
func removeHidden(body *html.Node, p *page.Page) {
	f := hiddenFinder{body: body}
	white, black := rgb{255, 255, 255, false, true}, rgb{0, 0, 0, false, true}
	start := paint{color: black, back: white}
	if s := attr(body, "style"); s != "" {
		start = parseStyle(s).inherit(start)
		start.invisible, start.tiny, start.flat = false, false, false
	}
	f.children(body, start)
	removed := 0
	for _, h := range f.found {
		switch h.why {
		case byDisplay, byOpacity, byVisibility:
			if float64(f.size[h.why]) > waitingShare*float64(f.size[inSight]) {
				continue
			}
		}
		removed++
		if h.node.Type == html.TextNode {
			h.node.Data = " "
		} else {
			h.node.Parent.RemoveChild(h.node)
		}
	}
	p.Note(page.NoteHidden, removed)
}

type hiddenFinder struct {
	body  *html.Node
	found []hiddenNode
	size  [numCauses]int // bytes of text by cause, those in sight too
	// controls are the identifiers that a control of the page names; made at
	// first need.
	controls map[string]bool
}

type hiddenNode struct {
	node *html.Node
	why  cause
}

func (f *hiddenFinder) hide(n *html.Node, why cause) {
	f.found = append(f.found, hiddenNode{n, why})
	if n.Type == html.TextNode {
		f.size[why] += len(n.Data)
		return
	}
	for c := range n.Descendants() {
		if c.Type == html.TextNode && !dropped(c.Parent.DataAtom) {
			f.size[why] += len(strings.TrimSpace(c.Data))
		}
	}
}

func (f *hiddenFinder) children(n *html.Node, p paint) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			text := strings.TrimSpace(c.Data)
			switch {
			case text == "" || dropped(n.DataAtom):
			case p.invisible:
				f.hide(c, byVisibility)
			case p.tiny || p.flat:
				f.hide(c, byPaint)
			default:
				f.size[inSight] += len(text)
			}
		case html.ElementNode:
			f.element(c, p)
		}
	}
}

// element notes a hidden element, or looks inside.
func (f *hiddenFinder) element(n *html.Node, p paint) {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Math:
		return // no text of theirs is shown, or it has rules of its own
	case atom.Noscript:
		if !revived(n) {
			return
		}
	}
	style, class := "", ""
	why := inSight
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "style":
			style = a.Val
		case "class":
			class = a.Val
		case "hidden":
			if !strings.EqualFold(a.Val, "until-found") {
				why = byDisplay
			}
		}
	}
	if n.DataAtom == atom.Dialog && !hasAttr(n, "open") {
		why = byDisplay
	}
	if class != "" && forScreenReaders(class) {
		why = byClass
	}
	if style != "" {
		d := parseStyle(style)
		if w := d.hides(); w != inSight && (n.DataAtom != atom.Img || w == byDisplay) {
			why = w // pictures fade in when they are loaded
		}
		p = d.inherit(p)
	}
	if why != inSight && !holdsFormula(n) && !f.behindControl(n, class) {
		f.hide(n, why)
		return
	}
	f.children(n, p)
}

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
// shows: a tab panel, a part of an accordion, or what a control names by its
// identifier.
func (f *hiddenFinder) behindControl(n *html.Node, class string) bool {
	if n.DataAtom == atom.Dialog {
		return false
	}
	id := attr(n, "id")
	if attr(n, "role") == "tabpanel" || strings.HasPrefix(id, "S:") { // React streams content in hidden S: elements
		return true
	}
	for c := range strings.FieldsSeq(class) {
		switch strings.ToLower(c) {
		case "tab-pane", "tab-content", "tabpanel", "tab-panel", "accordion-collapse", "accordion-content", "accordion-body", "accordion-panel", "collapse", "panel-collapse":
			return true
		}
	}
	if id == "" {
		return false
	}
	if f.controls == nil {
		f.controls = map[string]bool{}
		for c := range f.body.Descendants() {
			for i := range c.Attr {
				switch a := &c.Attr[i]; a.Key {
				case "aria-controls", "data-target", "data-bs-target":
					f.controls[strings.TrimPrefix(strings.TrimSpace(a.Val), "#")] = true
				case "href":
					if len(a.Val) > 1 && a.Val[0] == '#' && attr(c, "role") == "tab" {
						f.controls[a.Val[1:]] = true
					}
				}
			}
		}
	}
	return f.controls[id]
}
