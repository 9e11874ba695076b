package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
)

// Reading further by scrolling. Many pages bring the rest of a list, or a part below the
// window, when a person scrolls there, and remove again what leaves the window (virtual
// lists). Render scrolls a page to its end where that is asked for, and a page that looks
// cut a little, so that it can say that there is more.

// Scrolled is what scrolling a page brought.
type Scrolled struct {
	// Screens is how often the page was scrolled.
	Screens int
	// Grows says that the last step brought more, so that the page goes on.
	Grows bool
}

// scrollFor scrolls a page as far as the caller asks for, or a little if it looks cut.
func (t *tab) scrollFor(ctx context.Context, asked bool) (Scrolled, error) {
	switch {
	case asked:
		return t.scroll(ctx, scrollScreens)
	case t.is(ctx, script("cut")):
		return t.scroll(ctx, probeScreens)
	}
	return Scrolled{}, nil
}

// loads reports whether the document has not come to its end, or shows little more than
// that it loads.
func (t *tab) loads(ctx context.Context) bool {
	t.mu.Lock()
	whole := t.reached["DOMContentLoaded"]
	t.mu.Unlock()
	if !whole {
		return true
	}
	return t.is(ctx, script("loads"))
}

// scroll scrolls a page until nothing new comes, or for so many screens. A page that asks,
// leaves or hangs meanwhile is read as it is.
func (t *tab) scroll(ctx context.Context, screens int) (s Scrolled, err error) {
	wait, cancel := spare(ctx, time.Duration(screens)*time.Second)
	defer cancel()
	ended, last, still := false, -recentGrowth, 0 // last is the latest step that brought more, still counts those since then at the end
	for !ended && s.Screens < screens && wait.Err() == nil {
		begun := t.now()
		if begun.dialog != nil || begun.moving {
			break
		}
		quiet := scrollQuiet
		if still > 0 {
			quiet = scrollSure
		}
		var step struct{ Grew, End, Full bool }
		if t.ask(wait, &step, fmt.Sprintf("%s(%d,%d,%d)", script("step"), quiet, scrollBusyWait, scrollRecords)) != nil {
			break
		}
		s.Screens++
		asks := func() bool { return t.started > begun.started && len(t.inflight) > 0 && t.dialog == nil }
		t.mu.Lock()
		more := asks()
		t.mu.Unlock()
		if more {
			answer, done := within(wait, requestWait)
			_ = t.await(answer, func() bool { return !asks() })
			done() // what came of it shows in the next step
		}
		switch {
		case step.Full:
			s.Grows, ended = true, true
		case step.Grew:
			last, still = s.Screens, 0
		case step.End:
			// A list that has grown gets a second, longer look: a busy machine is slow. What
			// the page requests at each step may be for its statistics only.
			still++
			ended = !more && (last < 0 || still > 1) || still > 3
		}
	}
	s.Grows = s.Grows || !ended && last >= 0 && (wait.Err() != nil || s.Screens-last < recentGrowth)
	if ctx.Err() != nil {
		return s, ctx.Err()
	}
	_, err = t.main.ask(ctx, cdp.FrameID(t.target), script("restore"))
	return s, unlessRefused(err)
}
