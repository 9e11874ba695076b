package browser

import (
	"context"
	"errors"

	"github.com/spyhop-dev/spyhop/tool"
)

// While a page asks something it answers no command, and the browser never answers some
// commands for a document after the next one has come: that for a picture is one. This
// file ends the waits for such answers.

var (
	// errAsks is the error of a command that a page does not answer because it asks
	// something.
	errAsks = errors.New("the page asked something meanwhile")
	// errLeft is the error of a command for a document after which another one came.
	errLeft = errors.New("the page went elsewhere meanwhile")
)

// unasked runs f, and ends it with errAsks where the page asks something.
func (t *tab) unasked(ctx context.Context, f func(context.Context) error) error {
	return t.unless(ctx, func() error { return t.asks() }, f)
}

// asks returns errAsks while a question is open. t.mu is held.
func (t *tab) asks() error {
	if t.dialog != nil {
		return errAsks
	}
	return nil
}

// reading runs f, which reads a document and changes nothing. If another document comes
// meanwhile, f runs again for that one, and so it does where the browser refuses it while the
// document arrives. It is not begun again after readLimit.
func (t *tab) reading(ctx context.Context, f func(context.Context) error) error {
	again, cancel := spare(ctx, readLimit)
	defer cancel()
	for try := 1; ; try++ {
		loader := t.document()
		err := t.unless(ctx, func() error {
			if t.loader != loader {
				return errLeft
			}
			return t.asks()
		}, f)
		early := refused(err) && t.arrives() // Chromium takes no picture of a page in its first moment
		if refused(err) {
			t.stay(ctx)
		}
		if t.document() == loader && !early || t.isGone() || again.Err() != nil || try == readTries {
			return err
		}
		if _, err = t.awaitFor(again, requestWait, func() bool { return t.reached["DOMContentLoaded"] || t.dialog != nil }); err == nil {
			err = t.calm(again)
		}
		if err != nil && (ctx.Err() != nil || again.Err() == nil) {
			return err
		}
	}
}

// readAnyway is reading for what can be read of a page that keeps going elsewhere, too: the browser
// gives its commands to the document that is there next.
func (t *tab) readAnyway(ctx context.Context, f func(context.Context) error) error {
	err := t.reading(ctx, f)
	if !errors.Is(err, errLeft) {
		return err
	}
	last, cancel := spare(ctx, readLimit)
	defer cancel()
	if err = t.unasked(last, f); last.Err() != nil && ctx.Err() == nil {
		return tool.NewError(tool.BrowserError, "the page keeps going elsewhere by itself, and none of its documents can be read", "open another address")
	}
	return err
}

// outcome is how a function in another goroutine has ended.
type outcome struct {
	err   error
	panic any
}

// result is the error of the function. A panic is raised again: in the other goroutine it would
// end the process.
func (o outcome) result() error {
	if o.panic != nil {
		panic(o.panic)
	}
	return o.err
}

// unless runs f until over, which is called with t.mu held, returns an error. That is
// the error then, unless f is complete.
func (t *tab) unless(ctx context.Context, over func() error, f func(context.Context) error) error {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panic = recover()
			done <- o
		}()
		o.err = f(within)
	}()
	for {
		t.mu.Lock()
		why, changed := over(), t.changed
		t.mu.Unlock()
		var err error
		if why == nil {
			select {
			case <-changed:
				continue
			case o := <-done:
				err = o.result()
			}
		} else {
			cancel()
			err = (<-done).result()
		}
		if err == nil || ctx.Err() != nil {
			return err
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if why == nil {
			why = over()
		}
		if why != nil {
			return why
		}
		return err
	}
}

// arrives reports whether the document has come and is not complete.
func (t *tab) arrives() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.reached["load"] && len(t.reached) > 0
}

// stay waits until a navigation that has begun is over.
func (t *tab) stay(ctx context.Context) {
	if t.now().moving {
		_, _ = t.awaitFor(ctx, requestWait, func() bool { return !t.moving || t.dialog != nil }) // what came is looked at
	}
}
