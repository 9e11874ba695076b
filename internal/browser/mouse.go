package browser

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"

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
	s, err := e.sight(ctx, nil)
	if err != nil {
		return err
	}
	points := make([]point, len(offsets))
	for i, o := range offsets {
		points[i] = o.in(s.box)
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
	// A page may draw, and only then know where the last move has led.
	if err := t.twoFrames(ctx); err != nil {
		return err
	}
	return hand.release(ctx)
}

// Drag drags one element onto another, or from a place to another one.
func (b *Browser) Drag(ctx context.Context, at Place, from, to string) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
		source, err := t.element(ctx, from)
		if err != nil {
			return err
		}
		sink, err := t.element(ctx, to)
		if err != nil {
			return err
		}
		if source.session != sink.session {
			return tool.NewError(tool.InvalidInput, text.Name(from)+" and "+text.Name(to)+" are in frames of different sites, which nothing is dragged between", "")
		}
		l, onto := source.locate(ctx), sink.locate(ctx)
		if err := drag(ctx, source, sink); err != nil {
			return err
		}
		if onto.code != "" {
			t.did(ctx, l, "dragTo("+onto.code+")")
		}
		return nil
	})
}

func drag(ctx context.Context, source, sink *element) error {
	t, s := source.tab, source.session
	begin, err := source.aim(ctx)
	if err != nil {
		return err
	}
	begin = begin.whole()
	begun, stop := overheard[input.EventDragIntercepted](t, input.DragIntercepted.Method)
	defer stop()
	if err := do(ctx, s, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}); err != nil {
		return err
	}
	defer func() { _ = do(ctx, s, input.SetInterceptDrags, input.SetInterceptDragsParams{}) }()
	// The goal is measured before anything moves: it may be a place in the dragged
	// element itself.
	end, seen, err := sink.goal(ctx, begin)
	if err != nil {
		return err
	}
	hand := source.hand()
	if err := hand.press(ctx, begin); err != nil {
		return err
	}
	var held *input.DragData // of a drag as HTML has it, whose events are ours to send
	move := func(p point) error {
		// Libraries measure in the next frame what they have moved in this one.
		if err := t.watch(ctx, frameWait, framesScript); err != nil {
			return err
		}
		if held == nil {
			if err := hand.move(ctx, p); err != nil {
				return err
			}
			select {
			case ev := <-begun:
				held = ev.Data
				return t.dragEvent(ctx, s, input.DispatchDragEventTypeDragEnter, p, held)
			default:
				return nil
			}
		}
		return t.dragEvent(ctx, s, input.DispatchDragEventTypeDragOver, p, held)
	}
	if !seen {
		// The page is scrolled with the button held.
		if err := move(point{begin.x + dragSteps, begin.y + dragSteps}); err != nil {
			return err
		}
		if err := do(ctx, s, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: sink.node}); err != nil {
			return sink.stale(err)
		}
		if end, _, err = sink.goal(ctx, begin); err != nil {
			return err
		}
	}
	for i := 1; i <= dragSteps; i++ {
		k := float64(i) / dragSteps
		if err := move(point{begin.x + (end.x-begin.x)*k, begin.y + (end.y-begin.y)*k}); err != nil {
			return err
		}
	}
	// The page may have moved the goal meanwhile, so it is measured again.
	if err := move(end); err != nil {
		return err
	}
	if held != nil {
		if err := t.dragEvent(ctx, s, input.DispatchDragEventTypeDrop, end, held); err != nil {
			return err
		}
	}
	hand.ev.X, hand.ev.Y = end.x, end.y
	return hand.release(ctx)
}

func (t *tab) dragEvent(ctx context.Context, s *session, kind input.DispatchDragEventType, p point, data *input.DragData) error {
	return t.send(ctx, s, input.DispatchDragEvent.Method, input.DispatchDragEventParams{Type: kind, X: p.x, Y: p.y, Data: data})
}

// drop drops files onto an element, like a file manager.
func (e *element) drop(ctx context.Context, files []string) error {
	p, err := e.aim(ctx)
	if err != nil {
		return err
	}
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: files, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		if err := e.tab.dragEvent(ctx, e.session, kind, p, data); err != nil {
			return err
		}
	}
	return nil
}

// goal is where a drag from a place ends: a place in an element as the window shows it,
// and whether the window shows it. It is a little beyond the middle: lists that are sorted
// take what comes to the middle from above for what stays above.
func (e *element) goal(ctx context.Context, from point) (p point, seen bool, err error) {
	s, err := e.sight(ctx, nil)
	b := s.box
	if err == nil && b == (box{}) {
		err = e.nowhere()
	}
	if err != nil {
		return point{}, false, err
	}
	p = point{b.x + b.w/2, b.y + b.h/2}
	if e.offset != nil {
		p = e.offset.in(b)
	} else {
		p.x += beyond(from.x, b.x, b.w)
		p.y += beyond(from.y, b.y, b.h)
	}
	p = p.whole()
	return p, s.frame.holds(p), nil
}

// beyond is how far a drag from a place outside of a box goes beyond the middle of the box, along
// one axis: a sixth of it, and not far in large boxes.
func beyond(from, begin, size float64) float64 {
	const most = 12 // pixels
	switch {
	case from < begin:
		return min(size/6, most)
	case from > begin+size:
		return -min(size/6, most)
	}
	return 0
}

// Scroll scrolls an element into the window, or the page. Direction is up,
// down, left, right, top or bottom; amount is in pixels, 0 for most of a window.
func (b *Browser) Scroll(ctx context.Context, at Place, ref, direction string, amount int) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
		if ref != "" {
			e, err := t.element(ctx, ref)
			if err != nil {
				return err
			}
			if direction == "" {
				err = e.stale(do(ctx, e.session, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: e.node}))
			} else {
				var p point
				if p, err = e.aim(ctx); err == nil {
					err = t.wheel(ctx, e.session, p, direction, amount)
				}
			}
			if err == nil && direction == "" {
				t.notePosition(ctx)
			}
			return err
		}
		if err := t.wheel(ctx, t.main, point{t.width / 2, t.height / 2}, direction, amount); err != nil {
			return err
		}
		if err := t.watch(ctx, requestWait, fmt.Sprintf("%s(%d)", script("grows"), requestWait.Milliseconds()*9/10)); err != nil {
			return err
		}
		t.notePosition(ctx)
		return nil
	})
}

// positionScript returns the first and the last pixel of the page that the window shows, and
// the height of the page.
const positionScript = `(() => { const e = document.scrollingElement || document.documentElement; return [scrollY, scrollY + innerHeight, e.scrollHeight].map(Math.round); })()`

// notePosition says how far a page is scrolled. A page that cannot say so has no note.
func (t *tab) notePosition(ctx context.Context) {
	var at [3]int
	if t.ask(ctx, &at, positionScript) != nil || at[2] <= 0 {
		return
	}
	end := ""
	if at[1] >= at[2]-1 {
		end = ", its end"
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.note(fmt.Sprintf("the window shows pixels %d to %d of %d of the page%s", at[0], min(at[1], at[2]), at[2], end))
}

func (t *tab) wheel(ctx context.Context, s *session, p point, direction string, amount int) error {
	const far = 1_000_000
	if amount <= 0 {
		amount = int(t.height * 8 / 10)
	}
	// The typed parameters leave out a delta of zero, which the browser wants.
	ev := struct {
		Type   input.DispatchMouseEventType `json:"type"`
		X      float64                      `json:"x"`
		Y      float64                      `json:"y"`
		DeltaX float64                      `json:"deltaX"`
		DeltaY float64                      `json:"deltaY"`
	}{Type: input.DispatchMouseEventTypeMouseWheel, X: p.x, Y: p.y}
	switch n := float64(min(amount, far)); direction {
	case "", "down":
		ev.DeltaY = n
	case "up":
		ev.DeltaY = -n
	case "right":
		ev.DeltaX = n
	case "left":
		ev.DeltaX = -n
	case "top":
		ev.DeltaY = -far
	case "bottom":
		ev.DeltaY = far
	default:
		return tool.NewError(tool.InvalidInput, "direction "+text.Quoted(direction)+" is unknown", "it is up, down, left, right, top or bottom")
	}
	return t.send(ctx, s, input.DispatchMouseEvent.Method, ev)
}
