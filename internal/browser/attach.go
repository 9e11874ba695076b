package browser

import (
	"context"
	"slices"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// Rules of a browser that a person runs and that the operator names (Options.Attach):
//
//   - Operations work in tabs that they open, and in those that a caller names. The other
//     tabs are listed and left alone. Nothing is changed for the whole browser: its cookies
//     are neither cleared nor replaced, its downloads go where they went before.
//   - The connection ends, the browser goes on. Tabs that were opened here are closed.
//   - The policy cannot hold what the browser loads by itself. Each URL that a tool opens is
//     checked with the addresses of its name, and the URL at which it ends, too. The first
//     answer and [Browser.Facts] say so.
//   - It belongs to the local principal. Pages that are rendered for a read ([Browser.Render])
//     and logins ([Browser.Attend]) have a browser of their own, with all of the policy.

// attach connects to the browser of Options.Attach.
func (b *Browser) attach(ctx context.Context) (*engine, error) {
	at := b.options.Attach
	failed := func(err error) error {
		return &tool.Error{Type: tool.BrowserError, Retryable: true, Message: "cannot attach to the browser at " + text.URL(at.String()) + ": " + text.Cause(err),
			Hint: "start Chrome with --remote-debugging-port and --user-data-dir, or unset WEB_BROWSER_CDP", Cause: err}
	}
	rt, err := b.options.Guard.Endpoint(at)
	if err != nil {
		return nil, failed(err)
	}
	dial, cancel := step(ctx, stepLimit)
	defer cancel()
	socket, err := dialBrowser(dial, rt, at)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, failed(err)
	}
	p := &process{conn: newConn(socket, socket), reader: make(chan struct{})}
	go func() {
		defer close(p.reader)
		p.conn.read()
	}()
	e := newEngineOf(p)
	if err := p.awaitVersion(ctx, e.root); err == nil {
		// Windows that pages open are followed, see [engine.event].
		err = do(ctx, e.root, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true})
		if err == nil {
			return e, nil
		}
	}
	e.close()
	return nil, failed(errLost)
}

// others are the tabs of an attached browser that belong to nobody here.
func (e *engine) others(ctx context.Context) []*target.Info {
	if !e.isTheirs() {
		return nil
	}
	res, err := call(ctx, e.root, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.DeleteFunc(res.TargetInfos, func(i *target.Info) bool { return i.Type != "page" || e.pages[i.TargetID] != nil })
}

// otherID is the id of a tab that belongs to nobody here. It stays the same.
func (b *Browser) otherID(e *engine, id target.ID) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ids == nil {
		e.ids = make(map[target.ID]string)
	}
	if e.ids[id] == "" {
		e.ids[id] = b.nextTab()
	}
	return text.Name(e.ids[id])
}

// borrow takes the tab of another with an id, nil where none has it. It is not closed in the
// end.
func (p *browserContext) borrow(ctx context.Context, id string) (*tab, error) {
	e := p.engine
	for _, info := range e.others(ctx) {
		if p.browser.otherID(e, info.TargetID) != id {
			continue
		}
		if err := e.follow(ctx, info.TargetID); err != nil {
			return nil, err
		}
		t, err := e.prepared(ctx, info.TargetID)
		if err != nil {
			return nil, err
		}
		t.update(func() { t.opened = true }) // it has a page, if an empty one
		p.mu.Lock()
		defer p.mu.Unlock()
		t.home, t.id, t.borrowed = p, p.browser.otherID(e, info.TargetID), true
		p.tabs = append(p.tabs, t)
		return t, nil
	}
	return nil, nil
}

// leavesRefused leaves the page of an attached browser at a URL that the policy refuses, to
// which a redirect has led. It returns the refusal.
func (b *Browser) leavesRefused(ctx context.Context, t *tab) error {
	if !t.engine.isTheirs() {
		return nil
	}
	u, err := weburl.Parse(t.now().url)
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" {
		return nil
	}
	if _, d := b.options.Guard.Check(ctx, u); !d.Allowed {
		_ = do(ctx, t.main, page.Navigate, page.NavigateParams{URL: "about:blank"})
		return refusal(text.URL(u.WithoutUserinfo().String()), d.Err())
	}
	return nil
}

// judge decides whether a URL may be opened. Where the browser has no proxy of ours, the name
// is resolved here.
func (b *Browser) judge(ctx context.Context, p *browserContext, u weburl.URL) (weburl.URL, egress.Decision) {
	if p.engine.isTheirs() {
		return b.options.Guard.Check(ctx, u)
	}
	return b.options.Guard.Judge(u)
}

// onlyLocal returns the error of a caller who may not use the browser or the profile of a person.
func (b *Browser) onlyLocal(ctx context.Context) error {
	if principal.Of(ctx).Keys() == principal.Local {
		return nil
	}
	return tool.NewError(tool.Blocked, "this browser belongs to the person who runs the server", "only that person's own calls can use it")
}

// keepsCookies returns the error of an operation that would change what a person's browser has
// stored.
func (p *browserContext) keepsCookies() error {
	if !p.engine.isTheirs() {
		return nil
	}
	return tool.NewError(tool.Blocked, "the cookies and the storage of a person's browser are not cleared or replaced", "give another context, or do it in the browser")
}

// Rules of a profile that lasts (Options.Profile):
//
//   - Calls of the local principal that name no context work in the profile, with its cookies
//     and storage. Contexts with names are new ones, as without a profile.
//   - The browser has the proxy of the profile from its start, by its flags alone: it runs
//     without a network namespace. Pages that are rendered for a read, and logins, have a
//     browser of their own, as without a profile.
//   - One browser uses a profile at a time. It is ended in order, so that it writes what it
//     has, and the folder stays.

// inProfile reports whether a new context without a name is that of the profile.
func (b *Browser) inProfile(ctx context.Context, at Place) bool {
	return b.options.Profile != "" && !at.private && (at.Context == "" || at.Context == profileContext) && principal.Of(ctx).Keys() == principal.Local
}
