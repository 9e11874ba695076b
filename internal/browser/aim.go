package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file finds the place of an element on the screen where input reaches it.

// aim scrolls an element into the window and returns a place where the element
// itself takes a click, and nothing covers it.
func (e *element) aim(ctx context.Context) (point, error) {
	if err := do(ctx, e.session, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: e.node}); err != nil {
		if refused(err) && !strings.Contains(err.Error(), "layout") {
			return point{}, staleRef(e.ref)
		}
		if !refused(err) {
			return point{}, err
		}
	}
	p, cover, err := e.free(ctx)
	begun := time.Now()
	for first := true; (err == nil && cover != "" || errors.Is(err, errNoPlace)) && time.Since(begun) < patience; first = false {
		if first {
			// A bar that stays at the edge of the window may cover the element, or what the mouse
			// has opened where it was.
			if _, err := e.run(ctx, `function() { this.scrollIntoView && this.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'}) }`); err != nil {
				return point{}, err
			}
			if err := e.hand().move(ctx, point{}); err != nil {
				return point{}, err
			}
		} else {
			// Or something that still moves.
			if err := pause(ctx, lookEvery); err != nil {
				return point{}, err
			}
		}
		if err := e.tab.drawn(ctx); err != nil {
			return point{}, err
		}
		p, cover, err = e.free(ctx)
	}
	if err != nil || cover == "" {
		return p, err
	}
	return point{}, e.covered(cover)
}

// errNoPlace is the cause of the error of an element whose box is empty, which may
// be for a moment only.
var errNoPlace = errors.New("no place on the screen")

func (e *element) covered(cover string) error {
	return tool.NewError(tool.BrowserError, fmt.Sprintf("element %s cannot be reached: %s lies over it", text.Name(e.ref), text.Quoted(cover)),
		"close what lies over it, or scroll; browser_snapshot shows what is there")
}

// free looks for a place of the element that nothing covers, else for one of its labels:
// a person clicks these where the box, the radio button or the field for files itself is
// not seen. If it finds none, it returns what covers the element.
func (e *element) free(ctx context.Context) (_ point, cover string, err error) {
	p, cover, err := e.ownPlace(ctx)
	if e.offset != nil || err == nil && cover == "" || err != nil && !errors.Is(err, errNoPlace) {
		return p, cover, err
	}
	for i := range mostLabels {
		label, none := e.related(ctx, labelScript, strconv.Itoa(i))
		if none != nil {
			return point{}, "", none
		}
		if label == nil {
			break
		}
		at, over, none := label.ownPlace(ctx)
		if none == nil && over == "" {
			return at, "", nil
		}
		if none != nil && !errors.Is(none, errNoPlace) {
			return point{}, "", none
		}
		if cover == "" {
			cover = over
		}
	}
	return p, cover, err
}

// labelScript returns the i-th label of the element, in the window. A click on the label of
// another control only gives it the focus.
const labelScript = `function(i) {
	const l = /^(checkbox|radio|file)$/.test(this.type) && this.labels && this.labels[Number(i)];
	if (l) l.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});
	return l || null;
}`

// related returns the element that a function returns with this one as "this", or nil. The
// ref stays that of this one.
func (e *element) related(ctx context.Context, function string, args ...any) (*element, error) {
	found, release, err := e.object(ctx, function, args...)
	if err != nil {
		return nil, err
	}
	defer release()
	if found == "" {
		return nil, nil
	}
	node, err := call(ctx, e.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: found})
	if err != nil {
		return nil, e.stale(err)
	}
	return &element{e.tab, e.session, e.ref, node.Node.BackendNodeID, e.frame, nil}, nil
}

// ownPlace is free without labels.
func (e *element) ownPlace(ctx context.Context) (_ point, cover string, err error) {
	quads, err := e.quads(ctx)
	if err != nil {
		return point{}, "", err
	}
	// Parts that nobody sees come last, such as a hidden field in a label.
	sort.SliceStable(quads, func(i, j int) bool { return min(quadArea(quads[i]), leastPart) > min(quadArea(quads[j]), leastPart) })
	var tried []point
	for _, q := range quads {
		tried = append(tried, e.tab.places(q)...)
		if len(tried) > 40 {
			break
		}
	}
	if b, ok := boxOf(quads); ok && e.offset != nil {
		tried = []point{e.offset.in(b)}
	}
	if len(tried) == 0 {
		if there, err := e.is(ctx, isConnectedScript); err != nil || !there {
			return point{}, "", cmp.Or(err, staleRef(e.ref))
		}
		return point{}, "", &tool.Error{Type: tool.BrowserError, Retryable: true, Message: "element " + text.Name(e.ref) + " has no place on the screen",
			Hint: "take a new browser_snapshot: it may be hidden by now", Cause: errNoPlace}
	}
	// The calls below use places in the document.
	var scrolled point
	if m, err := call(ctx, e.session, page.GetLayoutMetrics, cdp.Empty{}); err == nil && m.CSSVisualViewport != nil {
		scrolled = point{m.CSSVisualViewport.PageX, m.CSSVisualViewport.PageY}
	}
	var second *point
	for _, p := range tried {
		what, err := e.hit(ctx, p, point{p.x + scrolled.x, p.y + scrolled.y})
		if err != nil {
			return point{}, "", err
		}
		switch {
		case what == "", what == innerControl && e.offset != nil:
			return p, "", nil
		case what != innerControl:
			cover = what
		case second == nil:
			second = &p
		}
	}
	if second != nil {
		return *second, "", nil
	}
	return point{}, cover, nil
}

const isConnectedScript = `function() { return this.isConnected }`

// quads returns the quadrilaterals of an element in the window; none if nothing of
// it shows.
func (e *element) quads(ctx context.Context) ([]dom.Quad, error) {
	e.tab.widen(ctx, e.session)
	own, err := call(ctx, e.session, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: e.node})
	if err != nil && !refused(err) {
		return nil, err
	}
	for _, q := range own.Quads {
		if len(e.tab.places(q)) > 0 {
			return own.Quads, nil
		}
	}
	part, release, err := e.object(ctx, script("drawn_part"))
	if err != nil {
		return nil, err
	}
	defer release()
	if part == "" {
		return own.Quads, nil
	}
	inner, err := call(ctx, e.session, dom.GetContentQuads, dom.GetContentQuadsParams{ObjectID: part})
	if err != nil && !refused(err) {
		return nil, err
	}
	return inner.Quads, nil
}

func quadArea(q dom.Quad) float64 {
	if len(q) != 8 {
		return 0
	}
	return math.Abs((q[2]-q[0])*(q[5]-q[1]) - (q[4]-q[0])*(q[3]-q[1]))
}

// places are points within a quadrilateral, its middle first. Those outside of
// the window are left out.
func (t *tab) places(q []float64) []point {
	if len(q) != 8 {
		return nil
	}
	cx, cy := (q[0]+q[2]+q[4]+q[6])/4, (q[1]+q[3]+q[5]+q[7])/4
	if quadArea(q) < 1 {
		return nil
	}
	out := []point{{cx, cy}}
	for i := 0; i < 8; i += 2 {
		// Three quarters of the way to each corner.
		out = append(out, point{cx + (q[i]-cx)*.75, cy + (q[i+1]-cy)*.75})
	}
	seen := out[:0]
	for _, p := range out {
		if t.holds(p) {
			seen = append(seen, p)
		}
	}
	return seen
}

// innerControl is the answer of hit for a control within the element that would
// take the click.
const innerControl = "~"

// hit returns what is at a point of the window, which is p in the document; "" if a
// click there goes to the element.
func (e *element) hit(ctx context.Context, seen, p point) (string, error) {
	res, err := call(ctx, e.session, dom.GetNodeForLocation, dom.GetNodeForLocationParams{X: int64(p.x), Y: int64(p.y), IncludeUserAgentShadowDOM: new(true)})
	if err != nil {
		if refused(err) {
			return "the edge of the window", nil
		}
		return "", err
	}
	if res.BackendNodeID == e.node {
		return "", nil
	}
	mine, err := e.resolve(ctx)
	if err != nil {
		return "", err
	}
	defer e.session.release(ctx)
	at, err := e.session.resolve(ctx, e.frame, res.BackendNodeID)
	if refused(err) { // a frame covers the element
		return "a frame", nil
	}
	if err != nil {
		return "", err
	}
	var what string
	raw, err := e.session.function(ctx, mine, script("hit"), at, seen.x, seen.y)
	if err == nil {
		err = json.Unmarshal(raw, &what)
	}
	if err != nil {
		return "", err
	}
	if what == "gone" {
		return "", staleRef(e.ref)
	}
	return line(what, 120), nil
}

// holds reports whether a point is in the window.
func (t *tab) holds(p point) bool {
	return p.x >= 0 && p.y >= 0 && p.x < max(t.width, t.shown.x) && p.y < max(t.height, t.shown.y)
}

// widen asks a telephone how much of a page it shows: of one without a setting of its
// viewport, more pixels than it has, each of them smaller. The mouse counts in those of
// the page.
func (t *tab) widen(ctx context.Context, s *session) {
	t.shown = point{}
	if !t.mobile || s != t.main {
		return
	}
	if m, err := call(ctx, s, page.GetLayoutMetrics, cdp.Empty{}); err == nil && m.CSSVisualViewport != nil {
		t.shown = point{m.CSSVisualViewport.ClientWidth, m.CSSVisualViewport.ClientHeight}
	}
}

func (e *element) hand() *hand { return e.tab.hand(e.session) }

// A Point is a place on a page, in CSS pixels from its upper left corner. A picture of the
// full page has the same coordinates; one of the window begins where the page is scrolled to.
type Point struct{ X, Y float64 }

// pointOf returns where a point of the page is in the window.
func (t *tab) pointOf(ctx context.Context, at Point) (point, error) {
	var is [4]float64
	if err := t.ask(ctx, &is, fmt.Sprintf("%s(%g, %g)", script("point"), at.X, at.Y)); err != nil {
		return point{}, err
	}
	if at.X < 0 || at.Y < 0 || at.X >= is[0] || at.Y >= is[1] {
		return point{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("the point %g,%g is not on the page, which is %g pixels wide and %g high", at.X, at.Y, is[0], is[1]),
			"take_web_screenshot with full_page shows the page in these pixels")
	}
	return point{is[2], is[3]}.whole(), nil
}
