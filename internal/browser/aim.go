package browser

import (
	"context"
	"errors"
	"fmt"
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
			if _, err := e.run(ctx, script("center")); err != nil {
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

// covered is the error of an element that a click does not reach.
func (e *element) covered(cover string) error {
	return tool.NewError(tool.BrowserError, "element "+text.Name(e.ref)+" cannot be reached: "+cover,
		"close what lies over it, or scroll; browser_snapshot shows what is there")
}

// A sight is what [element.sight] has found.
type sight struct {
	at    *point // where a click reaches the element; nil: nowhere
	box   box    // of the element; the zero value: none
	cover string // says what a click reaches instead; "" where there is a point, or no box in the window
	frame box    // of the element's frame, with its corner at 0,0
}

// free looks for a point of the window where a click reaches the element, or else says why not: it
// is covered, or the error is that it has no place on the screen.
func (e *element) free(ctx context.Context) (_ point, cover string, err error) {
	s, err := e.sight(ctx, nil)
	if e.offset != nil && err == nil && s.box != (box{}) {
		at := e.offset.in(s.box)
		s, err = e.sight(ctx, []float64{(at.x - s.box.x) / s.box.w, (at.y - s.box.y) / s.box.h})
	}
	switch {
	case err != nil:
		return point{}, "", err
	case s.at != nil:
		return *s.at, "", nil
	case s.cover != "":
		return point{}, s.cover, nil
	}
	return point{}, "", e.nowhere()
}

func (e *element) nowhere() error {
	return &tool.Error{Type: tool.BrowserError, Retryable: true, Message: "element " + text.Name(e.ref) + " has no place on the screen",
		Hint: "take a new browser_snapshot: it may be hidden by now", Cause: errNoPlace}
}

// sight finds the element in the window, and a point where a click reaches it: any, or that at an
// offset from its upper left corner, in widths and heights of its box. One script does both, so that
// no element moves in between.
func (e *element) sight(ctx context.Context, offset []float64) (sight, error) {
	var found struct {
		At     []float64  `json:"at"`
		Box    [4]float64 `json:"box"`
		Window [2]float64 `json:"window"`
		Cover  string     `json:"cover"`
		Around bool       `json:"around"`
		Gone   bool       `json:"gone"`
	}
	if err := e.ask(ctx, &found, script("free"), offset); err != nil {
		return sight{}, err
	}
	if found.Gone {
		return sight{}, staleRef(e.ref)
	}
	s := sight{box: box{found.Box[0], found.Box[1], found.Box[2], found.Box[3]}, frame: box{0, 0, found.Window[0], found.Window[1]}}
	if len(found.At) == 2 {
		s.at = &point{found.At[0], found.At[1]}
	}
	switch what := line(found.Cover, 120); {
	case found.Around:
		s.cover = "a click there is one on " + text.Quoted(what) + ", which it is in"
	case what != "":
		s.cover = text.Quoted(what) + " lies over it"
	}
	if e.frame == "" || e.frame == cdp.FrameID(e.tab.target) {
		return s, nil
	}
	err := e.outside(ctx, &s)
	return s, err
}

// outside changes what was found in a frame to the window of its process, where something outside of
// the frame can cover it.
func (e *element) outside(ctx context.Context, s *sight) error {
	owner, err := call(ctx, e.session, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: e.frame})
	if err != nil {
		return unlessRefused(err) // the frame is the window of another process
	}
	model, err := call(ctx, e.session, dom.GetBoxModel, dom.GetBoxModelParams{BackendNodeID: owner.BackendNodeID})
	if err != nil {
		return e.stale(err)
	}
	frame := boxOf(model.Model.Content)
	if frame == (box{}) || s.frame.w == 0 || s.frame.h == 0 {
		return e.nowhere()
	}
	scale := point{frame.w / s.frame.w, frame.h / s.frame.h}
	to := func(p point) point { return point{frame.x + p.x*scale.x, frame.y + p.y*scale.y} }
	corner := to(point{s.box.x, s.box.y})
	s.box, s.frame = box{corner.x, corner.y, s.box.w * scale.x, s.box.h * scale.y}, frame
	if s.at == nil {
		return nil
	}
	at := to(*s.at)
	s.at = &at
	metrics, err := call(ctx, e.session, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return err
	}
	// The place is one in the document.
	p := point{at.x + metrics.CSSVisualViewport.PageX, at.y + metrics.CSSVisualViewport.PageY}
	there, err := call(ctx, e.session, dom.GetNodeForLocation, dom.GetNodeForLocationParams{X: int64(p.x), Y: int64(p.y)})
	if err == nil && there.FrameID == e.frame || err != nil && !refused(err) {
		return err
	}
	s.at, s.cover = nil, "something outside of its frame lies over it"
	return nil
}

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
