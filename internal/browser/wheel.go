package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

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
