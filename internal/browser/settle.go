package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/deadline"
)

const (
	// frameWait bounds the wait for the page to draw what an action has changed,
	// with what moves and fades by style sheets for a moment only.
	frameWait = 700 * time.Millisecond
	// requestWait bounds the wait for what an action has asked the server for.
	requestWait = 3 * time.Second
	// ChangeTokens bounds the answer to an action.
	ChangeTokens = 2000
)

// Changes are what came of an action.
type Changes struct {
	Page
	// Text says what changed on the page; the whole page where another one came.
	Text string
	// Left says that another document has come.
	Left bool
}

// act runs an action in a tab and says what changed since.
func (b *Browser) act(ctx context.Context, at Place, f func(context.Context, *browserContext, *tab) error) (*Changes, error) {
	var out *Changes
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, p *browserContext, t *tab) (err error) {
		t.dismiss(ctx)
		out, err = t.changes(ctx, func() error { return f(ctx, p, t) })
		end := time.Now().Add(anewLimit)
		for n := 0; errors.Is(err, errStale) && t.shownLoader == t.document() && (n < anewTries || time.Now().Before(end)); n++ {
			// The page may have drawn itself anew since it was seen.
			before := t.last
			now, failed := t.capture(ctx)
			if failed != nil {
				err = failed
				break
			}
			if t.last = now; !now.Redrawn(before) {
				break
			}
			out, err = t.changes(ctx, func() error { return f(ctx, p, t) })
		}
		if err != nil && t.isGone() && !errors.Is(t.why(), errCrashed) && ctx.Err() == nil {
			out, err = p.closed(ctx, t)
		}
		return err
	})
	return out, err
}

// An action is repeated on a page that keeps redrawing itself for
// anewLimit, and anewTries times on a machine on which each try takes long.
const (
	anewLimit = 2 * time.Second
	anewTries = 12
)

// document names the document that is in the tab.
func (t *tab) document() cdp.LoaderID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.loader
}

// closed is the answer to an action by which a page closed its own window.
func (p *browserContext) closed(ctx context.Context, t *tab) (*Changes, error) {
	now, err := p.tab(ctx, "")
	if err != nil {
		return nil, err
	}
	where, err := now.describe(ctx)
	if err != nil {
		return nil, err
	}
	where.Notices = append(where.Notices, "tab "+t.id+" was closed by its page; the current tab is "+now.id)
	return &Changes{Page: *where, Left: true}, nil
}

func (t *tab) changes(ctx context.Context, f func() error) (*Changes, error) {
	t.mu.Lock()
	loader, started, url := t.loader, t.started, t.url
	t.mu.Unlock()
	before := t.last
	if before == nil || t.shownLoader != loader {
		var err error
		if before, err = t.capture(ctx); err != nil {
			return nil, err
		}
		t.last = before
	}
	if err := f(); err != nil {
		return nil, err
	}
	if err := t.settle(ctx, started); err != nil {
		return nil, err
	}
	t.mu.Lock()
	asks, left := t.dialog != nil, t.loader != loader
	moved := t.url != url
	t.mu.Unlock()
	if left {
		if err := t.showsAnswer(); err != nil {
			return nil, err
		}
	}
	out := &Changes{Left: left}
	if !asks {
		// A page that asks something is not read: it stands still until it has its
		// answer.
		after, err := t.capture(ctx)
		if err != nil {
			return nil, err
		}
		t.last = after
		if left {
			out.Text = after.Within(ChangeTokens)
		} else {
			out.Text = snapshot.Diff(before, after, ChangeTokens)
		}
	}
	where, err := t.describe(ctx)
	if err != nil {
		return nil, err
	}
	out.Page = *where
	switch {
	case left:
		out.Text = fmt.Sprintf("Now at %s\n%s", line(where.URL, 500), out.Text)
	case moved:
		out.Text = fmt.Sprintf("Now at %s, in the same document\n%s", line(where.URL, 500), out.Text)
	case out.Text == "" && !asks:
		out.Notices = append(out.Notices, "nothing to be seen changed")
	}
	return out, nil
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
	asks := t.dialog != nil
	t.mu.Unlock()
	switch {
	case asks:
		return nil
	case leaving:
		wait, cancel := deadline.Share(ctx, loadShare)
		defer cancel()
		err := t.await(wait, func() bool { return !t.moving && t.reached["load"] || t.dialog != nil })
		if err != nil && wait.Err() == nil {
			return err
		}
	case asked:
		wait, cancel := spare(ctx, requestWait)
		defer cancel()
		err := t.await(wait, func() bool { return len(t.inflight) == 0 || t.dialog != nil || t.moving })
		if err != nil && wait.Err() == nil {
			return err
		}
	default:
		return ctx.Err()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return t.drawn(ctx)
}

// drawnScript ends after two frames, when the page has the same size in both,
// and after the animations of style sheets that end soon. Some pages never have
// one size: they get no more than other pages that move.
const drawnScript = `new Promise(done => {
	const root = document.documentElement, body = document.body;
	const size = () => [root && root.scrollHeight, body && body.scrollHeight, body && body.offsetHeight, document.getElementsByTagName('*').length].join();
	const end = () => setTimeout(() => {
		const soon = document.getAnimations().filter(a => a.playState === 'running' && a.effect && a.effect.getComputedTiming().endTime - (a.currentTime || 0) < 600);
		Promise.allSettled(soon.slice(0, 100).map(a => a.finished)).then(done);
	}, 0);
	let before = null;
	const frame = () => requestAnimationFrame(() => {
		const now = size();
		if (now === before) return end();
		before = now;
		frame();
	});
	frame();
})`

// drawn waits until the page has drawn what was done, for a moment at most. A page that
// leaves, asks or hangs is not waited for.
func (t *tab) drawn(ctx context.Context) error {
	ctx2, cancel := within(ctx, frameWait)
	done := make(chan struct{})
	defer func() { cancel(); <-done }()
	go func() {
		defer close(done)
		w, err := t.main.world(ctx2, cdp.FrameID(t.target))
		if err != nil {
			return
		}
		_ = do(ctx2, t.main, runtime.Evaluate, runtime.EvaluateParams{ContextID: w, AwaitPromise: new(true), ReturnByValue: new(true),
			Expression: drawnScript})
	}()
	for {
		t.mu.Lock()
		stop, gone, changed := t.dialog != nil, t.gone, t.changed
		t.mu.Unlock()
		if gone != nil {
			return gone
		}
		if stop {
			return nil
		}
		select {
		case <-done:
			return ctx.Err()
		case <-ctx2.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}
