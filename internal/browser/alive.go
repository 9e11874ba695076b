package browser

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// This file finds out whether a page still answers, and ends one that does not.

// dismiss closes a question that the caller has not answered, because it would block
// the page. A page that opens more than maxDialogs of them is closed.
func (t *tab) dismiss(ctx context.Context) {
	for range maxDialogs {
		t.mu.Lock()
		d := t.dialog
		if d != nil {
			t.note("the page's question was cancelled")
			t.said(d.text())
			t.dialog = nil
		}
		t.mu.Unlock()
		if d == nil {
			return
		}
		_ = t.answer(ctx, false, "")
		t.awaitQuestion(ctx)
	}
	t.close(errHung)
	t.kill(ctx)
}

// awaitQuestion waits until the page asks again or is seen to do nothing of the
// kind.
func (t *tab) awaitQuestion(ctx context.Context) {
	ctx, cancel := within(ctx, aliveLimit)
	quiet, ended := false, make(chan struct{})
	go func() {
		defer close(ended)
		t.answers(ctx)
		t.update(func() { quiet = true })
	}()
	_ = t.await(ctx, func() bool { return quiet || t.dialog != nil })
	cancel()
	<-ended
}

// revive reports whether the page still answers. A script that runs without
// end is stopped; if that does not help, the page is ended.
func (t *tab) revive() bool {
	ctx, cancel := within(t.engine.ctx, 4*time.Second)
	defer cancel()
	if t.now().moving {
		// Chromium asks no page anything while another one is on its way: a server
		// that says nothing would look like a page that hangs.
		halt, done := within(ctx, 500*time.Millisecond)
		_ = do(halt, t.main, page.StopLoading, cdp.Empty{})
		done()
	}
	if t.lives(ctx) {
		return true
	}
	stop, done := within(ctx, 500*time.Millisecond)
	_ = do(stop, t.main, runtime.TerminateExecution, cdp.Empty{})
	done()
	if t.answers(ctx) {
		return true
	}
	t.kill(ctx)
	return false
}

// lives reports whether the page's main thread is free after what it asks was cancelled.
func (t *tab) lives(ctx context.Context) bool {
	for range maxDialogs {
		t.dismiss(ctx)
		err := t.unasked(ctx, func(ctx context.Context) error {
			if t.answers(ctx) {
				return nil
			}
			return errHung
		})
		if !errors.Is(err, errAsks) {
			return err == nil
		}
	}
	return false
}

// answers reports whether the page's main thread is free.
func (t *tab) answers(ctx context.Context) bool {
	ctx, cancel := within(ctx, aliveLimit)
	defer cancel()
	return do(ctx, t.main, runtime.Evaluate, runtime.EvaluateParams{Expression: "0", ThrowOnSideEffect: new(true)}) == nil
}

// kill ends the page's process, which does not answer, and closes the tab.
func (t *tab) kill(ctx context.Context) {
	crash, cancel := within(ctx, 500*time.Millisecond)
	_ = do(crash, t.main, page.Crash, cdp.Empty{})
	cancel()
	t.engine.closePage(ctx, t)
}

// answer closes the dialog that is open.
func (t *tab) answer(ctx context.Context, accept bool, text string) error {
	return do(ctx, t.main, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: accept, PromptText: text})
}
