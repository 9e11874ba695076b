package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"github.com/spyhop-dev/spyhop/internal/deadline"
)

// settle waits until what an action has begun is done: drawn, answered by the
// server, or another page loaded. Each wait is bounded, and a page that never
// rests is read as it is.
func (t *tab) settle(ctx context.Context, started int) error {
	if err := t.drawn(ctx); err != nil {
		return err
	}
	t.awaitWindows(ctx)
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

// awaitWindows waits until the windows that the page has opened have a page, or turn out to be
// downloads.
func (t *tab) awaitWindows(ctx context.Context) {
	if t.home == nil {
		return
	}
	for _, w := range t.home.list() {
		if w.opener != t || w.seen {
			continue
		}
		w.seen = true
		soon, cancel := within(ctx, delayed)
		_ = w.await(soon, func() bool { return w.moving || !w.blank() })
		cancel()
		wait, cancel := spare(ctx, requestWait)
		_ = w.await(wait, func() bool { return !w.moving || !w.blank() })
		cancel()
	}
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
