package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/deadline"
)

const (
	// motionWait bounds the wait for what an action moves: panels that slide,
	// messages that fade. loadMotion is that for a page that has just come. frameWait
	// is what a busy machine may need besides for two frames.
	motionWait = 1200 * time.Millisecond
	loadMotion = 400 * time.Millisecond
	frameWait  = 300 * time.Millisecond
	// stillFor is how long an element that a script has moved has to stand still.
	stillFor = 90 * time.Millisecond
	// requestWait bounds the wait for what an action has asked the server for.
	requestWait = 3 * time.Second
	// changeTokens bounds the answer to an action.
	changeTokens = 2000
)

// Changes is the result of an action.
type Changes struct {
	Page
	// Text is what changed on the page, or the whole page if another one was opened.
	Text string
	// Left reports whether another document was loaded.
	Left bool
}

// act runs an action in a tab and says what changed since.
func (b *Browser) act(ctx context.Context, at Place, f func(context.Context, *browserContext, *tab) error) (*Changes, error) {
	var out *Changes
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, p *browserContext, t *tab) (err error) {
		t.dismiss(ctx)
		out, err = t.changes(ctx, func(ctx context.Context) error { return f(ctx, p, t) })
		end := time.Now().Add(anewLimit)
		for n := 0; isStale(err) && t.shownLoader == t.document() && (n < anewTries || time.Now().Before(end)); n++ {
			// The page may have redrawn itself since it was read.
			before := t.last
			now, failed := t.look(ctx)
			if failed != nil {
				err = failed
				break
			}
			if !now.Redrawn(before) {
				break
			}
			out, err = t.changes(ctx, func(ctx context.Context) error { return f(ctx, p, t) })
		}
		if err == nil {
			t.picture(ctx)
		}
		out, err = p.unlessClosed(ctx, t, out, t.explainStale(ctx, err))
		return err
	})
	return out, err
}

// unlessClosed is the answer to an operation: where the page closed its own window
// meanwhile, the page that is left.
func (p *browserContext) unlessClosed(ctx context.Context, t *tab, out *Changes, err error) (*Changes, error) {
	if err == nil || !errors.Is(t.now().gone, errDetached) || ctx.Err() != nil {
		return out, err
	}
	return p.closed(ctx, t)
}

// An action is repeated on a page that keeps redrawing itself for
// anewLimit, and anewTries times on a machine on which each try takes long.
const (
	anewLimit = 2 * time.Second
	anewTries = 12
)

// closed is the answer to an action by which a page closed its own window.
func (p *browserContext) closed(ctx context.Context, t *tab) (*Changes, error) {
	now, err := p.take(ctx, "")
	if err != nil {
		return nil, err
	}
	defer now.giveBack()
	// What the window was opened for is done there.
	out, err := now.changes(ctx, func(context.Context) error { return nil })
	if err != nil {
		return nil, err
	}
	out.Left = true
	out.shows()
	out.Notices = append(out.Notices, "tab "+t.id+" was closed by its page; the current tab is "+now.id)
	return out, nil
}

// shows takes back the notice that nothing changed.
func (c *Changes) shows() {
	c.Notices = slices.DeleteFunc(c.Notices, func(s string) bool { return s == NothingChanged })
}

// NothingChanged is the notice of an action that did nothing that a person sees.
const NothingChanged = "nothing to be seen changed"

func (t *tab) changes(ctx context.Context, f func(context.Context) error) (*Changes, error) {
	return t.changesWithin(ctx, toastWait, f)
}

// changesWithin is changes for an action that is given another time to show something.
func (t *tab) changesWithin(ctx context.Context, toast time.Duration, f func(context.Context) error) (*Changes, error) {
	begun := t.now()
	before, err := t.lookOnce(ctx)
	if err != nil {
		return nil, err
	}
	err = t.unasked(ctx, f)
	if errors.Is(err, errAsks) {
		t.update(func() { t.note("the page asked while the action ran, which may not be complete") })
	} else if err != nil {
		return nil, err
	}
	if err := t.settle(ctx, begun.started); err != nil {
		return nil, err
	}
	ended := t.now()
	asks, left, moved := ended.dialog != nil, ended.loader != begun.loader, ended.url != begun.url
	if left {
		if err := t.showsAnswer(); err != nil {
			return nil, err
		}
	}
	out := &Changes{Left: left}
	if !asks {
		// A page with an open question is not read: it stands still until it has its
		// answer.
		for end, look := time.Now().Add(toast), 0; ; look++ {
			after, err := t.look(ctx)
			if asks = errors.Is(err, errAsks); asks {
				break
			}
			if err != nil {
				return nil, err
			}
			if t.shownLoader != begun.loader {
				left, out.Left = true, true // another document came while the page was read
			}
			if left {
				out.Text = after.Within(changeTokens)
			} else {
				out.Text = snapshot.Diff(before, after, changeTokens)
				if out.Text == "" {
					out.Text = snapshot.Looks(before, after, t.refs)
				}
			}
			wait := time.Until(end)
			if out.Text != "" || moved || look == toastLooks || wait <= 0 {
				break
			}
			// Menus and messages may come a moment later.
			if err := t.watch(ctx, wait, mutationScript); err != nil {
				return nil, err
			}
			if err := t.drawn(ctx); err != nil {
				return nil, err
			}
		}
	}
	if err := t.downloaded(ctx); err != nil {
		return nil, err
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
	case out.Text == "" && !asks && len(where.Notices) == 0:
		out.Notices = append(out.Notices, NothingChanged)
		if t.last.Canvas() {
			out.Notices = append(out.Notices, canvasNotice)
		}
		if t.now().thrown > begun.thrown {
			out.Notices = append(out.Notices, "a script of the page failed: browser_log shows its error")
		}
	}
	return out, nil
}

// canvasNotice follows NothingChanged on a page that shows something on a canvas.
const canvasNotice = "what a canvas shows is not text: take_web_screenshot shows it"

// toastWait is how long an action that seems to change nothing is given to show something:
// toasts come within a second. toastLooks bounds how often the page is read for that, since
// some pages change all the time and show nothing of it.
const (
	toastWait  = time.Second
	toastLooks = 3
)

// mutationScript ends when something in the page has changed.
const mutationScript = `new Promise(done => {
	const eye = new MutationObserver(() => { eye.disconnect(); done(); });
	eye.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
})`

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
	done := make(chan struct{})
	defer func() { cancel(); <-done }()
	go func() {
		defer close(done)
		w, err := t.main.world(wait, cdp.FrameID(t.target))
		if err != nil {
			return
		}
		_ = do(wait, t.main, runtime.Evaluate, runtime.EvaluateParams{ContextID: w, AwaitPromise: new(true), ReturnByValue: new(true), Expression: script})
	}()
	for {
		now := t.now()
		if now.gone != nil || now.dialog != nil {
			return now.gone
		}
		select {
		case <-done:
			return ctx.Err()
		case <-wait.Done():
			return t.unlessAsked(ctx.Err())
		case <-now.changed:
		}
	}
}
