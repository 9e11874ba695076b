package browser

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Stroke is a path of the mouse with its button down.
type Stroke struct {
	// Ref is the element that the path is in; empty: the page.
	Ref string
	// At is the first point of a path on the page; nil: it is in Path.
	At *Point
	// Path are points within the element, as "20,5" or "50%,50%"; none is its middle. On the
	// page they are pixels.
	Path []string
	// Hold is how long the button is held at the first point.
	Hold time.Duration
}

// Mouse presses the button of the mouse at the first point of a path, holds it, moves
// along the path and lets the button go: curves, signatures, long presses.
func (b *Browser) Mouse(ctx context.Context, at Place, q Stroke) (*Changes, error) {
	// Several points may stand in one text.
	q.Path = strings.Fields(strings.ReplaceAll(strings.Join(q.Path, " "), ", ", ","))
	if len(q.Path) > maxPath {
		return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("the path has %d points, at most %d", len(q.Path), maxPath), "draw it in several calls")
	}
	if q.Hold < 0 || q.Hold > maxHold {
		return nil, tool.NewError(tool.InvalidInput, "hold_ms is too long", fmt.Sprintf("it is at most %d", maxHold.Milliseconds()))
	}
	switch {
	case q.At != nil && q.Ref == "":
		q.Path = slices.Insert(q.Path, 0, fmt.Sprintf("%g,%g", q.At.X, q.At.Y))
	case q.At != nil:
		return nil, tool.NewError(tool.InvalidInput, "x and y are of the page and do not go with a ref", "give the points within the ref as path")
	case q.Ref == "" && len(q.Path) == 0:
		return nil, tool.NewError(tool.InvalidInput, "there is no place for the mouse", "give ref, or x and y, or a path of points of the page")
	case len(q.Path) == 0:
		q.Path = []string{"50%,50%"}
	}
	offsets := make([]*offset, len(q.Path))
	for i, p := range q.Path {
		_, o, ok := cutOffset("@" + strings.Trim(p, "()[] "))
		if !ok {
			return nil, tool.NewError(tool.InvalidInput, "point "+text.Quoted(p)+" cannot be read", "points of a path are written as 20,5 or 50%,50%")
		}
		offsets[i] = o
	}
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
		if q.Ref == "" {
			return t.strokeOnPage(ctx, offsets, q.Hold)
		}
		e, err := t.element(ctx, q.Ref)
		if err != nil {
			return err
		}
		return e.stroke(ctx, offsets, q.Hold)
	})
}

// strokeOnPage is a stroke over points of the page.
func (t *tab) strokeOnPage(ctx context.Context, offsets []*offset, hold time.Duration) error {
	first, err := t.pointOf(ctx, Point{offsets[0].x, offsets[0].y})
	if err != nil {
		return err
	}
	points := make([]point, len(offsets))
	for i, o := range offsets {
		if o.xPercent || o.yPercent {
			return tool.NewError(tool.InvalidInput, "a path on the page has no percents", "points of the page are written as 120,300; percents are of a ref")
		}
		points[i] = point{first.x + o.x - offsets[0].x, first.y + o.y - offsets[0].y}
	}
	return t.stroke(ctx, t.main, points, hold)
}

func (e *element) stroke(ctx context.Context, offsets []*offset, hold time.Duration) error {
	if err := do(ctx, e.session, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: e.node}); err != nil && !refused(err) {
		return err
	}
	e.offset = offsets[0]
	if _, err := e.aim(ctx); err != nil {
		return err // the first point is covered
	}
	quads, err := e.quads(ctx)
	if err != nil {
		return err
	}
	b, ok := boxOf(quads)
	if !ok {
		return staleRef(e.ref)
	}
	points := make([]point, len(offsets))
	for i, o := range offsets {
		points[i] = o.in(b)
	}
	return e.tab.stroke(ctx, e.session, points, hold)
}

// stroke presses the button at the first of the points of the window, and lets it go at the
// last one.
func (t *tab) stroke(ctx context.Context, s *session, points []point, hold time.Duration) error {
	at, hand := points[0].whole(), t.hand(s)
	if err := hand.press(ctx, at); err != nil {
		return err
	}
	if hold > 0 {
		if err := pause(ctx, hold); err != nil {
			return err
		}
	}
	for _, p := range points[1:] {
		next := p.whole()
		n := min(maxStrokes, max(1, int(math.Hypot(next.x-at.x, next.y-at.y)/strokeStep)))
		for i := 1; i <= n; i++ {
			k := float64(i) / float64(n)
			if err := hand.move(ctx, point{at.x + (next.x-at.x)*k, at.y + (next.y-at.y)*k}.whole()); err != nil {
				return err
			}
		}
		at = next
	}
	return hand.release(ctx)
}
