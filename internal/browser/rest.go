package browser

import (
	"context"
	"fmt"
	"strings"
	"time"

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
