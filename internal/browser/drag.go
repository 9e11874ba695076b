package browser

import (
	"context"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

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

// goal is where a drag from a place ends: a place in an element as it stands in the window,
// and whether the window shows it. It is a little beyond the middle: lists that are sorted
// take what comes to the middle from above for what stays above.
func (e *element) goal(ctx context.Context, from point) (p point, seen bool, err error) {
	quads, err := e.quads(ctx)
	if err != nil {
		return point{}, false, err
	}
	b, ok := boxOf(quads)
	if !ok {
		return point{}, false, tool.NewError(tool.BrowserError, "element "+text.Name(e.ref)+" has no place on the screen", "take a new browser_snapshot: it may be hidden by now")
	}
	p = point{b.x + b.w/2, b.y + b.h/2}
	if e.offset != nil {
		p = e.offset.in(b)
	} else {
		p.x += beyond(from.x, b.x, b.w)
		p.y += beyond(from.y, b.y, b.h)
	}
	p = p.whole()
	return p, e.tab.holds(p), nil
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
