package browser

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// now returns what is known of the tab.
func (t *tab) now() moment {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.moment
}

// isAsking reports whether the page asks a question.
func (t *tab) isAsking() bool { return t.now().dialog != nil }

// isGone reports whether the tab is closed.
func (t *tab) isGone() bool { return t.now().gone != nil }

// document names the document that is in the tab.
func (t *tab) document() cdp.LoaderID { return t.now().loader }

// wake wakes all operations that wait for the tab. t.mu is held.
func (t *tab) wake() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// update changes the state and wakes whoever waits.
func (t *tab) update(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
	t.wake()
}

// overheard returns events of the tab that have one of the methods, until stop is called. Where
// they are not taken, further ones are dropped.
func overheard[E any](t *tab, methods ...string) (_ <-chan E, stop func()) {
	events := make(chan E, 16)
	t.update(func() {
		t.overhear = func(method string, params []byte) {
			if !slices.Contains(methods, method) {
				return
			}
			if ev, ok := decodeEvent[E](params); ok {
				select {
				case events <- ev:
				default:
				}
			}
		}
	})
	return events, func() { t.update(func() { t.overhear = nil }) }
}

// close ends all waits for the tab; the first reason is kept.
func (t *tab) close(why error) {
	t.update(func() {
		if t.gone == nil {
			t.gone = why
		}
	})
}

// await waits until ready, which is called with t.mu held, says so.
func (t *tab) await(ctx context.Context, ready func() bool) error {
	for {
		t.mu.Lock()
		done, now := ready(), t.moment
		t.mu.Unlock()
		if done || now.gone != nil {
			if done {
				return nil
			}
			return now.gone
		}
		var end error
		select {
		case <-now.changed:
			continue
		case <-ctx.Done():
			end = ctx.Err()
		case <-t.engine.process.conn.lost:
			end = errLost
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if ready() { // it came before what ended the wait, or ended the context
			return nil
		}
		return end
	}
}

// awaitFor is await for d at most. The error is nil where only that time was over.
func (t *tab) awaitFor(ctx context.Context, d time.Duration, ready func() bool) (late bool, err error) {
	wait, cancel := spare(ctx, d)
	defer cancel()
	return t.awaitIn(ctx, wait, ready)
}

// awaitIn is awaitFor in the time of another context.
func (t *tab) awaitIn(ctx, wait context.Context, ready func() bool) (late bool, err error) {
	err = t.await(wait, ready)
	if late = errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil; late {
		return true, nil
	}
	return false, err
}

// note keeps a line for the next answer, unless there are too many. t.mu is held.
func (t *tab) note(line string) {
	if slices.Contains(t.notices, line) {
		return
	}
	if len(t.notices) >= maxNotices || t.noticed+len(line) > noticeBytes {
		t.unsaid++
		return
	}
	t.notices = append(t.notices, line)
	t.noticed += len(line)
}

// said notes what a dialog said. t.mu is held.
func (t *tab) said(line string) {
	if len(t.dialogs) < maxNotices && !slices.Contains(t.dialogs, line) {
		t.dialogs = append(t.dialogs, line)
	}
}

// takeNotices returns what happened since the last answer, and what dialogs said.
func (t *tab) takeNotices() (notices, dialogs []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	notices, dialogs = t.notices, t.dialogs
	if t.unsaid > 0 {
		notices = append(notices, "… and "+text.Count(t.unsaid, "more event")+" of this kind")
	}
	t.notices, t.dialogs, t.noticed, t.unsaid = nil, nil, 0, 0
	return notices, dialogs
}

// text is what a dialog says, by its kind.
func (d *openDialog) text() string {
	s := d.kind + " " + text.Quoted(d.message)
	if d.preset != "" {
		s += ", default " + text.Quoted(d.preset)
	}
	return s
}

// arrival is what is known of a main document.
func (t *tab) arrival(loader cdp.LoaderID) arrival {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.arrivals[loader]
}

// blank reports whether no document of a server has come to the tab. t.mu is held.
func (t *tab) blank() bool { return t.url == "" || t.url == "about:blank" }

// empty reports whether no address was opened in the tab. t.mu is held.
func (t *tab) empty() bool { return t.blank() && !t.opened && !t.moving }
