package browser

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
)

// An operation gets a context and a tab, and its turn there.

// on runs an operation in a tab that shows a page. No other operation of the tab
// runs meanwhile; those of other tabs do. The limit is the deadline of the call that the
// operation belongs to, or else limit. The error is nil or a *tool.Error.
func (b *Browser) on(ctx context.Context, at Place, limit time.Duration, f func(context.Context, *browserContext, *tab) error) error {
	return b.run(ctx, at, limit, needsPage, f)
}

// run is on for an operation with another need.
func (b *Browser) run(ctx context.Context, at Place, limit time.Duration, n need, f func(context.Context, *browserContext, *tab) error) error {
	return b.within(ctx, at, limit, n, func(ctx context.Context, p *browserContext) error {
		t, err := p.take(ctx, at.Tab)
		if err != nil {
			return err
		}
		defer t.giveBack()
		if n == needsPage {
			if err := t.showsPage(); err != nil {
				return err
			}
		}
		before := t.document()
		err = f(ctx, p, t)
		if n == needsPage {
			// The page may have moved to a refused address while it was read.
			err = cmp.Or(t.refusedMeanwhile(ctx), err)
			if (refused(err) || errors.Is(err, errLeft)) && t.document() != before {
				err = t.wentOn(err)
			}
		}
		if err != nil {
			return b.failure(ctx, t, err)
		}
		return nil
	})
}

// beside runs an operation that asks the browser and not a page: it needs no turn, so that
// a tab that hangs does not hold it up. The tab is the one that the place names; it returns where
// that is.
func (b *Browser) beside(ctx context.Context, at Place, n need, f func(context.Context, *browserContext, *tab) error) (where Place, err error) {
	err = b.within(ctx, at, b.options.Timeout, n, func(ctx context.Context, p *browserContext) error {
		t, err := p.tab(ctx, at.Tab)
		if err != nil {
			return err
		}
		where = t.where()
		return f(ctx, p, t)
	})
	return where, err
}

// within runs an operation in a context.
func (b *Browser) within(ctx context.Context, at Place, limit time.Duration, n need, f func(context.Context, *browserContext) error) error {
	done, err := b.begin()
	if err != nil {
		return err
	}
	defer done()
	if deadline.Limit(ctx) == 0 {
		var cancel context.CancelFunc
		ctx, cancel = deadline.With(ctx, limit)
		defer cancel()
	}
	p, err := b.claim(ctx, at, n)
	if err != nil {
		return b.failure(ctx, nil, err)
	}
	defer b.touch(p, -1)
	if err := f(ctx, p); err != nil {
		return b.failure(ctx, nil, err)
	}
	return nil
}

// take returns a tab when no other operation of it runs. The caller gives it back with
// giveBack. For an empty id it is the tab that is the current one then.
func (p *browserContext) take(ctx context.Context, id string) (*tab, error) {
	for {
		t, err := p.tab(ctx, id)
		if err != nil {
			return nil, err
		}
		select {
		case t.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if !t.isGone() && (id != "" || p.now() == t) {
			return t, nil
		}
		t.giveBack()
	}
}

// giveBack ends an operation of a tab.
func (t *tab) giveBack() { <-t.turn }
