package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
)

// What an action has changed, as its caller reads it.

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
		end := time.Now().Add(patience)
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
	if !asks { // a page with an open question stands still until it has its answer
		if asks, err = t.compare(ctx, out, before, begun, moved, toast); err != nil {
			return nil, err
		}
		left = out.Left
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

// compare looks at the page until it shows something else than before, for the time of a toast, and
// writes that. It reports whether the page asks instead.
func (t *tab) compare(ctx context.Context, out *Changes, before *snapshot.Page, begun moment, moved bool, toast time.Duration) (asks bool, err error) {
	for end, look := time.Now().Add(toast), 0; ; look++ {
		after, err := t.look(ctx)
		if errors.Is(err, errAsks) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		out.Left = out.Left || t.shownLoader != begun.loader // another document came while the page was read
		if out.Left {
			out.Text = after.Within(changeTokens)
		} else if out.Text = snapshot.Diff(before, after, changeTokens); out.Text == "" {
			out.Text = snapshot.Looks(before, after, t.refs)
		}
		wait := time.Until(end)
		if out.Text != "" && !isBetween(after, out.Text) || moved || look == toastLooks || wait <= 0 {
			return false, nil
		}
		// Menus and messages may come a moment later.
		if err := t.watch(ctx, wait, mutationScript); err != nil {
			return false, err
		}
		if err := t.drawn(ctx); err != nil {
			return false, err
		}
	}
}

// isBetween reports whether things only went from a page, and nothing is left to act on: what comes in their
// place, as the answer to a form, is still to come.
func isBetween(p *snapshot.Page, diff string) bool {
	for l := range strings.Lines(diff) {
		if !strings.HasPrefix(l, "- ") {
			return false
		}
	}
	return !slices.ContainsFunc(p.Lines, func(l snapshot.Line) bool { return len(l.Refs) > 0 })
}

// canvasNotice follows NothingChanged on a page that shows something on a canvas.
const canvasNotice = "what a canvas shows is not text: take_web_screenshot shows it"

// mutationScript ends when something in the page has changed.
const mutationScript = `new Promise(done => {
	const eye = new MutationObserver(() => { eye.disconnect(); done(); });
	eye.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
})`

// A Mark is a page before several actions, see [Browser.Since].
type Mark struct {
	tab      *tab
	document cdp.LoaderID
	page     *snapshot.Page
}

// Mark notes the page of a place.
func (b *Browser) Mark(ctx context.Context, at Place) (*Mark, error) {
	var out *Mark
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		now, err := t.lookOnce(ctx)
		out = &Mark{t, t.document(), now}
		return err
	})
	return out, err
}

// Since says what has changed since a mark: the new page if another one has come. A nil mark
// is that of a page that was not there yet.
func (b *Browser) Since(ctx context.Context, at Place, m *Mark) (*Changes, error) {
	out := new(Changes)
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		asks := t.isAsking()
		if !asks {
			if _, err := t.lookOnce(ctx); err != nil {
				return err
			}
		}
		where, err := t.describe(ctx)
		if err != nil {
			return err
		}
		out.Page = *where
		out.Left = m == nil || m.tab != t || m.document != t.document()
		switch {
		case asks:
		case out.Left:
			out.Text = fmt.Sprintf("Now at %s\n%s", line(where.URL, 500), t.last.Within(changeTokens))
		default:
			out.Text = snapshot.Diff(m.page, t.last, changeTokens)
		}
		if out.Text == "" && !asks {
			out.Notices = append(out.Notices, NothingChanged)
		}
		return nil
	})
	return out, err
}
