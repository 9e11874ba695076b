package browser

import (
	"context"
	"errors"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// How an engine begins, and how pages come to it.

// newEngine starts a browser. One that does not start in a namespace, such as one
// that snap starts, is started without; one that finds no sandbox on this machine is
// started without it. A browser can crash at its start: the namespace is given up only
// where a second one ends, too.
func newEngine(ctx context.Context, o launchOptions) (*engine, error) {
	p, err := start(o)
	if err != nil {
		return nil, err
	}
	e, err := p.engine(ctx)
	switch {
	case err == nil || ctx.Err() != nil:
		return e, err
	case !o.noSandbox && p.lacksSandbox():
		o.noSandbox = true
		return newEngine(ctx, o)
	case p.listeners != nil && !o.again && errors.Is(err, errLost):
		o.again = true
		return newEngine(ctx, o)
	case p.listeners != nil:
		o.helper, o.why = Helper{}, err
		return newEngine(ctx, o)
	}
	return e, err
}

// engine waits until a browser answers, and ends it if it does not.
func (p *process) engine(ctx context.Context) (*engine, error) {
	e := newEngineOf(p)
	err := p.awaitVersion(ctx, e.root)
	if err == nil {
		err = autoAttach(ctx, e.root)
	}
	if err != nil {
		e.close()
		return nil, err
	}
	return e, nil
}

func newEngineOf(p *process) *engine {
	e := &engine{process: p, pages: make(map[target.ID]*tab), homes: make(map[cdp.BrowserContextID]*browserContext), downloads: make(map[string]*download), changed: make(chan struct{})}
	e.ctx, e.stop = context.WithCancel(context.Background())
	e.root = p.conn.attach("", e.event)
	return e
}

// event handles pages that open and close.
func (e *engine) event(method string, params []byte) {
	switch method {
	case target.AttachedToTarget.Method:
		if ev, ok := event(params, target.AttachedToTarget); ok {
			e.attached(ev)
		}
	case target.TargetCreated.Method:
		if ev, ok := event(params, target.TargetCreated); ok && e.isTheirs() && ev.TargetInfo.Type == "page" {
			e.mu.Lock()
			ours := e.pages[ev.TargetInfo.OpenerID] != nil
			e.mu.Unlock()
			if ours {
				e.background(func(ctx context.Context) { _ = e.follow(ctx, ev.TargetInfo.TargetID) })
			}
		}
	case cdpbrowser.DownloadWillBegin.Method:
		if ev, ok := event(params, cdpbrowser.DownloadWillBegin); ok {
			e.downloadBegins(ev)
		}
	case cdpbrowser.DownloadProgress.Method:
		if ev, ok := event(params, cdpbrowser.DownloadProgress); ok {
			e.downloadGoesOn(ev)
		}
	case target.DetachedFromTarget.Method:
		if ev, ok := event(params, target.DetachedFromTarget); ok {
			e.mu.Lock()
			var gone *tab
			for id, t := range e.pages {
				if t.main.id == ev.SessionID {
					gone = t
					delete(e.pages, id)
				}
			}
			e.mu.Unlock()
			if gone != nil {
				gone.close(errDetached)
			}
			// Last: who waits for an answer of the page looks then whether it is gone.
			e.process.conn.detach(ev.SessionID)
		}
	}
}

// attached handles a new page. A window that a page has opened goes to the context
// of that page.
func (e *engine) attached(ev target.EventAttachedToTarget) {
	info := ev.TargetInfo
	if info.Type != "page" {
		// Shared workers, for example: they run, and their traffic goes through the
		// proxy of their context.
		s := e.process.conn.attach(ev.SessionID, nil)
		e.background(func(ctx context.Context) { _ = release(ctx, s) })
		return
	}
	t := newTab(e, info.TargetID, ev.SessionID)
	e.mu.Lock()
	e.pages[t.target] = t
	t.opener = e.pages[info.OpenerID]
	home := e.homes[info.BrowserContextID]
	if home == nil && t.opener != nil {
		home = t.opener.home
	}
	close(e.changed)
	e.changed = make(chan struct{})
	e.mu.Unlock()
	for t.opener != nil && t.opener.isGone() {
		t.opener = t.opener.opener // so that closed windows are not kept
	}
	popup := info.OpenerID != "" && home != nil
	if popup && !home.adopt(t) {
		// The page that opened it stands still until the window runs.
		e.background(func(ctx context.Context) {
			_ = release(ctx, t.main)
			e.closePage(ctx, t)
		})
		return
	}
	e.background(func(ctx context.Context) { t.prepare(ctx) })
}

// newPage opens a page in a context and returns when it is set up.
func (e *engine) newPage(ctx context.Context, home cdp.BrowserContextID) (*tab, error) {
	ctx, cancel := step(ctx, stepLimit)
	defer cancel()
	q := target.CreateTargetParams{URL: "about:blank", BrowserContextID: home}
	if e.isTheirs() {
		q.Background = new(true) // the person may be working in another tab
	}
	made, err := call(ctx, e.root, target.CreateTarget, q)
	if err == nil && e.isTheirs() {
		err = e.follow(ctx, made.TargetID)
	}
	if err != nil {
		return nil, err
	}
	return e.prepared(ctx, made.TargetID)
}

// prepared waits until a page is set up.
func (e *engine) prepared(ctx context.Context, id target.ID) (*tab, error) {
	for {
		e.mu.Lock()
		t, changed := e.pages[id], e.changed
		e.mu.Unlock()
		if t != nil {
			select {
			case <-t.prepared:
				return t, t.prepareErr
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-e.process.conn.lost:
			return nil, errLost
		}
	}
}
