package browser

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Rules of rest. A page is complete when it has no request open and draws nothing
// new for a time, which depends on the page:
//
//   - shortQuiet for a page that shows text and no sign of waiting;
//   - longQuiet for a page that is almost empty, or shows a placeholder: a spinner, a
//     skeleton, the word "Loading". Such pages begin requests and draw by timers,
//     some hundred milliseconds after their load. The time of a page with a placeholder,
//     or with no text, begins anew with each answer that it gets;
//   - longer for a page that has text, and hides or veils its whole body.
//
// Numbers and clocks that change do not count: new elements or words do. A page that
// never rests is read after restLimit.

// rest waits until a page asks its server for nothing and draws nothing new.
func (t *tab) rest(ctx context.Context) error {
	wait, cancel := spare(ctx, restLimit)
	defer cancel()
	end, _ := wait.Deadline()
	for wait.Err() == nil {
		if late, err := t.awaitIn(ctx, wait, func() bool { return len(t.inflight) == 0 || t.dialog != nil }); late || err != nil {
			return err
		}
		begun := t.now()
		if begun.dialog != nil {
			return nil
		}
		most := max(0, time.Until(end))
		if err := t.watch(ctx, most, fmt.Sprintf("%s(%d,%d,%d,%d)", script("quiet"), shortQuiet.Milliseconds(), longQuiet.Milliseconds(), restText, most.Milliseconds())); err != nil {
			return err
		}
		t.mu.Lock()
		more := t.started > begun.started && len(t.inflight) > 0
		t.mu.Unlock()
		if !more {
			break
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return t.appear(ctx)
}

// isSelector reports whether what is waited for is a CSS selector and not a text.
func isSelector(s string) bool {
	return strings.ContainsAny(s, ".#[>:") && !strings.ContainsAny(s, "!?,;\"“”…") && !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, ":") ||
		strings.HasPrefix(s, "#") || strings.HasPrefix(s, "[")
}

// shows waits until the page shows a text or has an element, for half of the time
// that is left at most.
func (t *tab) shows(ctx context.Context, what string) error {
	limit := spareTime(ctx, showLimit)
	look := fmt.Sprintf("%s(%s, %v)", script("shows"), quoteJS(what), isSelector(what))
	for end := time.Now().Add(limit); time.Now().Before(end); {
		t.dismiss(ctx)
		shown := false
		switch err := t.ask(ctx, &shown, look); {
		case shown:
			return t.appear(ctx)
		case err != nil && !refused(err):
			return err
		}
		if err := pause(ctx, waitStep); err != nil {
			return err
		}
	}
	return tool.NewError(tool.Timeout, fmt.Sprintf("the page did not show %s within %s", text.Quoted(what), limit.Round(100*time.Millisecond)),
		"leave wait_for out to read the page as it is, or give a text that it shows or a CSS selector")
}

// settle waits until what an action has begun is done: drawn, answered by the
// server, or another page loaded. Each wait is bounded, and a page that never
// rests is read as it is.
func (t *tab) settle(ctx context.Context, started int) error {
	if err := t.drawn(ctx); err != nil {
		return err
	}
	t.mu.Lock()
	leaving := t.moving || !t.reached["load"] && len(t.reached) > 0
	asked := t.started > started
	asks, saves := t.dialog != nil, t.saving()
	t.mu.Unlock()
	switch {
	case asks:
		return nil
	case saves:
		if err := t.downloaded(ctx); err != nil {
			return err
		}
	case leaving:
		wait, cancel := deadline.Share(ctx, loadShare)
		defer cancel()
		if _, err := t.awaitIn(ctx, wait, func() bool { return !t.moving && t.reached["load"] || t.dialog != nil }); err != nil {
			return err
		}
	case asked:
		if _, err := t.awaitFor(ctx, requestWait, func() bool { return len(t.inflight) == 0 || t.dialog != nil || t.moving }); err != nil {
			return err
		}
	}
	if leaving {
		if err := t.calm(ctx); err != nil {
			return err
		}
	} else if err := t.pending(ctx); err != nil || !asked {
		return err
	}
	return t.drawn(ctx)
}

// drawn waits until the page has drawn what was done, for a moment at most.
func (t *tab) drawn(ctx context.Context) error { return t.still(ctx, motionWait, motionWait) }

// still waits until the page stands still, for most at most, and for entrances.
func (t *tab) still(ctx context.Context, most, entrance time.Duration) error {
	return t.watch(ctx, max(most, entrance)+frameWait, stillScript(most, entrance))
}

// stillScript is the script of [tab.still].
func stillScript(most, entrance time.Duration) string {
	return fmt.Sprintf("%s(%d,%d,%d)", script("drawn"), most.Milliseconds(), stillFor.Milliseconds(), entrance.Milliseconds())
}

// pending waits while the page says that an action is not complete: by a spinner, or
// by words such as "Saving…". One that says so without end is not waited for again.
func (t *tab) pending(ctx context.Context) error {
	most := spareTime(ctx, requestWait)
	return t.watch(ctx, most, fmt.Sprintf("globalThis.spyhopWaits || %s(0,%d,0,%d)", script("quiet"), requestWait.Milliseconds(), most.Milliseconds()*9/10))
}

// watch waits until a script of ours that looks at the page ends, for limit at
// most. A page that leaves, asks or hangs is not waited for.
func (t *tab) watch(ctx context.Context, limit time.Duration, script string) error {
	wait, cancel := within(ctx, limit)
	defer cancel()
	_ = t.unasked(wait, func(ctx context.Context) error {
		w, err := t.main.world(ctx, cdp.FrameID(t.target))
		if err != nil {
			return err
		}
		return do(ctx, t.main, runtime.Evaluate, runtime.EvaluateParams{ContextID: w, AwaitPromise: new(true), ReturnByValue: new(true), Expression: script})
	})
	if now := t.now(); now.gone != nil || now.dialog != nil {
		return now.gone
	}
	return ctx.Err()
}

// framesScript ends after two frames.
const framesScript = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))`

// twoFrames waits until the page has had time to draw what it was given.
func (t *tab) twoFrames(ctx context.Context) error { return t.watch(ctx, motionWait, framesScript) }

// Entrances. Some pages make text transparent, or place it beside the window, and bring it
// in by an animation; others bring in each part when a person scrolls to it. What no
// person sees is left out of what is read. A page that has just come is therefore looked at
// as a person does: its entrances are awaited, and where text below the window is transparent,
// the page is scrolled there, once, and back. What was seen on the way and is transparent again
// counts as seen. Animations without an end are not awaited.

// appear waits until a page that has just come stands still and shows what a person who
// looks through it sees.
func (t *tab) appear(ctx context.Context) error {
	most := spareTime(ctx, restLimit)
	end := time.Now().Add(most)
	if err := t.still(ctx, loadMotion, most); err != nil {
		return err
	}
	most = max(0, time.Until(end))
	look := fmt.Sprintf("%s(%d).then(came => came && %s)", script("scroll"), most.Milliseconds()/2, stillScript(loadMotion, most/2))
	if err := t.watch(ctx, most+frameWait, look); err != nil {
		return err
	}
	return t.noteRevealed(ctx)
}

// noteRevealed notes what was seen while the page was scrolled, and is transparent again. A
// page that asks, leaves or hangs has nothing of the kind.
func (t *tab) noteRevealed(ctx context.Context) error {
	t.revealed, t.revealedIn = nil, t.document()
	if now := t.now(); now.dialog != nil || now.moving {
		return nil
	}
	look, cancel := within(ctx, aliveLimit)
	defer cancel()
	t.revealed = t.idsOf(look, fmt.Sprintf(`[...(globalThis.spyhopSeen || [])].filter(e => !Element.prototype.checkVisibility.call(e, {opacityProperty: true})).slice(0, %d)`, mostRevealed))
	return ctx.Err()
}

// revealedOf returns what was revealed of a document.
func (t *tab) revealedOf(loader cdp.LoaderID) map[int64]bool {
	if t.revealedIn != loader {
		return nil
	}
	return t.revealed
}

// idsOf returns the ids of the elements of a list, which is an expression; none where the browser
// refuses. It asks for all at once, because a page that is busy takes its time for each question.
func (t *tab) idsOf(ctx context.Context, list string) map[int64]bool {
	defer t.main.release(ctx)
	w, err := t.main.world(ctx, cdp.FrameID(t.target))
	if err != nil {
		return nil
	}
	object, err := call(ctx, t.main, runtime.Evaluate, runtime.EvaluateParams{ContextID: w, Expression: list, ObjectGroup: world})
	if err != nil {
		return nil
	}
	members, err := call(ctx, t.main, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: object.Result.ObjectID, OwnProperties: new(true)})
	if err != nil {
		return nil
	}
	var waits []func(context.Context, any) error
	for _, m := range members.Result {
		if m.Value != nil && m.Value.ObjectID != "" {
			waits = append(waits, t.main.post(ctx, dom.DescribeNode.Method, dom.DescribeNodeParams{ObjectID: m.Value.ObjectID}))
		}
	}
	ids := make(map[int64]bool)
	for _, wait := range waits {
		var found dom.DescribeNodeResult
		if wait(ctx, &found) == nil && found.Node != nil {
			ids[int64(found.Node.BackendNodeID)] = true
		}
	}
	return ids
}

// calmLimit is how long the first look at a document waits for what its
// scripts have asked the server for.
const calmLimit = 1500 * time.Millisecond

// calm waits until a document that was not read before has drawn its content.
func (t *tab) calm(ctx context.Context) error {
	loader := t.document()
	if t.shownLoader == loader || t.calmLoader == loader {
		return nil
	}
	t.calmLoader = loader
	if _, err := t.awaitFor(ctx, calmLimit, func() bool { return len(t.inflight) == 0 || t.dialog != nil || t.moving }); err != nil {
		return err
	}
	if t.waiting(ctx) {
		return t.rest(ctx)
	}
	return t.appear(ctx)
}

// waiting reports whether a page that has loaded has scripts and either shows almost
// nothing or says itself that more comes. One with scripts may draw for afterLoad: of 137 pages
// of component libraries five showed more .8 s after their load than at once, and none more than
// after this. Others are not kept waiting.
func (t *tab) waiting(ctx context.Context) bool {
	t.mu.Lock()
	skip := t.dialog != nil || t.moving || !t.reached["load"]
	t.mu.Unlock()
	if skip {
		return false
	}
	ctx, cancel := within(ctx, aliveLimit)
	defer cancel()
	return t.is(ctx, fmt.Sprintf("%s(%d)", script("waiting"), afterLoad.Milliseconds()))
}
