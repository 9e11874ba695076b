package browser

import (
	"context"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// autoAttach makes every page, frame and worker of s wait at its start until it is
// set up.
func autoAttach(ctx context.Context, s *session) error {
	return do(ctx, s, target.SetAutoAttach, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true)})
}

// release starts a target that waits.
func release(ctx context.Context, s *session) error {
	return do(ctx, s, runtime.RunIfWaitingForDebugger, cdp.Empty{})
}

// alive reports whether the browser still answers.
func (e *engine) alive() bool {
	select {
	case <-e.process.conn.lost:
		return false
	case <-e.ctx.Done():
		return false
	default:
		return true
	}
}

// answers reports whether the browser itself still answers, even if its pages hang.
func (e *engine) answers() bool {
	ctx, cancel := within(e.ctx, patience)
	defer cancel()
	return e.root.Call(ctx, "Browser.getVersion", nil, nil) == nil
}

// made notes whether a page could be made. A browser that fails twice in a row, such
// as one whose zygote has died, is ended, because it will never make a page. A page
// that hung before counts as a failure: the browser could not give it a process.
func (e *engine) made(ctx context.Context, err error) error {
	switch {
	case err == nil:
		e.failures.Store(0)
		e.hung.Store(false)
	case ctx.Err() == nil && (e.failures.Add(1) >= 2 || e.hung.Load()):
		e.abandon()
		return errLost
	}
	return err
}

// abandon ends a browser that no longer works; the next call starts another.
func (e *engine) abandon() {
	if e.isTheirs() {
		_ = e.process.conn.pipe.Close()
		return
	}
	killGroup(e.process.cmd.Process.Pid)
	_ = e.process.cmd.Process.Kill()
	select {
	case <-e.process.conn.lost:
	case <-e.ctx.Done():
	}
}

// close ends the browser, and returns when no process or file of it is left.
func (e *engine) close() {
	e.closing.Lock()
	e.stop()
	e.closing.Unlock()
	e.process.kill()
	e.work.Wait()
	if e.proxy != nil {
		_ = e.proxy.Close()
	}
}

// background runs what an event asks for, off the reading goroutine, unless
// the engine is closed.
func (e *engine) background(f func(context.Context)) (begun bool) {
	e.closing.RLock()
	defer e.closing.RUnlock()
	if e.ctx.Err() != nil {
		return false
	}
	e.work.Go(func() {
		ctx, cancel := within(e.ctx, stepLimit)
		defer cancel()
		f(ctx)
	})
	return true
}

// closePage closes a page without asking it.
func (e *engine) closePage(ctx context.Context, t *tab) {
	_ = do(ctx, e.root, target.CloseTarget, target.CloseTargetParams{TargetID: t.target})
	t.close(errDetached)
}

// isTheirs reports whether the engine is a browser that a person runs.
func (e *engine) isTheirs() bool { return e.process != nil && e.process.cmd == nil }

// follow attaches to a target, which becomes a tab.
func (e *engine) follow(ctx context.Context, id target.ID) error {
	return do(ctx, e.root, target.AttachToTarget, target.AttachToTargetParams{TargetID: id, Flatten: new(true)})
}

// closeOrderly has the browser end itself.
func (e *engine) closeOrderly() {
	ctx, cancel := within(e.ctx, endLimit)
	defer cancel()
	_ = do(ctx, e.root, browser.Close, cdp.Empty{})
	select {
	case <-e.process.exited:
	case <-ctx.Done():
	}
}
