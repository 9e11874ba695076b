package browser

import (
	"context"
	"errors"
	"os"
	"runtime"
	"time"

	"github.com/spyhop-dev/spyhop/tool"
)

// Attend opens an address in a context of its own and leaves the window to a person, until done is
// closed or the last window is, and returns what sites have stored by then.
// If the person ended the whole browser, only the cookies that Attend read last are
// returned. The error is a Timeout if limit is over before.
func (b *Browser) Attend(ctx context.Context, n Navigation, done <-chan struct{}, limit time.Duration) (*State, error) {
	if b.plain != nil {
		return b.plain.Attend(ctx, n, done, limit)
	}
	if err := b.display(os.Getenv); err != nil {
		return nil, err
	}
	at := private("login")
	defer b.endPrivate(ctx, at, true)
	var out *State
	err := b.run(ctx, at, limit+b.options.Timeout, needsNothing, func(ctx context.Context, p *browserContext, t *tab) error {
		if _, err := b.navigate(ctx, p, t, n); err != nil {
			return err
		}
		seen, err := p.attend(ctx, done, limit)
		if err != nil {
			return err
		}
		ctx, cancel := within(ctx, b.options.Timeout)
		defer cancel()
		out, err = p.state(ctx)
		if errors.Is(err, errLost) && len(seen) > 0 {
			out, err = &State{Cookies: seen}, nil
		}
		return err
	})
	return out, err
}

// display returns an error if this machine cannot show a window.
func (b *Browser) display(env func(string) string) error {
	if runtime.GOOS == "darwin" || !b.options.Headed || env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "" {
		return nil
	}
	return &tool.Error{Type: tool.BrowserError, Message: "there is no display to show a browser on: neither DISPLAY nor WAYLAND_DISPLAY is set",
		Hint: "sign in with spyhop browser (open, type, click) and run spyhop browser state save NAME: login=NAME then reads with it; or run this in a desktop session or over ssh -X"}
}

// attend waits for the person and returns the cookies that it saw last.
func (p *browserContext) attend(ctx context.Context, done <-chan struct{}, limit time.Duration) ([]StateCookie, error) {
	end := time.NewTimer(limit)
	defer end.Stop()
	tick := time.NewTicker(attendStep)
	defer tick.Stop()
	var seen []StateCookie
	for len(p.list()) > 0 {
		select {
		case <-done:
			return seen, nil
		case <-p.engine.process.conn.lost:
			return seen, nil
		case <-end.C:
			return nil, tool.NewError(tool.Timeout, "nobody has signed in within "+limit.String(), "try again")
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
		if now, err := p.cookies(ctx); err == nil {
			seen = now
		}
	}
	return seen, nil
}
