package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file decides which context an operation gets:
//
//   - contexts belong to an owner, and no name gives access to another owner's;
//   - without a name it is the context that the owner used last;
//   - only an operation that goes to an address makes one, by the name that it
//     gives or by a new one; every other operation is refused if nothing is open,
//     so that no caller gets a blank page.

// claim returns the context for an operation, which touch(p, -1) gives back.
func (b *Browser) claim(ctx context.Context, at Place, n need) (*browserContext, error) {
	if p := b.claimOpen(at); p != nil {
		return p, nil
	}
	if err := b.hold(ctx); err != nil {
		return nil, err
	}
	defer func() { <-b.starting }()
	if p := b.claimOpen(at); p != nil {
		return p, nil // another call has opened it meanwhile
	}
	if n != needsNothing {
		return nil, b.notOpen(at)
	}
	return b.openContext(ctx, at)
}

// claimOpen is claim for a context that is open; it returns nil if none is.
func (b *Browser) claimOpen(at Place) *browserContext {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.engine == nil || !b.engine.alive() {
		return nil
	}
	p := b.contexts[contextKey{at.Owner, at.Context}]
	if at.Context == "" {
		p = b.latest(at.Owner)
	}
	if p != nil {
		b.use(p, 1)
	}
	return p
}

// latest is the context that an owner used last; nil: none is open. b.mu is
// held.
func (b *Browser) latest(owner string) *browserContext {
	var last *browserContext
	for key, p := range b.contexts {
		if key.owner == owner && (last == nil || p.used.After(last.used)) {
			last = p
		}
	}
	return last
}

// names are those of an owner's open contexts, sorted. b.mu is held.
func (b *Browser) names(owner string) []string {
	var out []string
	for key := range b.contexts {
		if key.owner == owner {
			out = append(out, key.name)
		}
	}
	slices.Sort(out)
	return out
}

// notOpen is the error for a context that is not open. b.starting is held.
func (b *Browser) notOpen(at Place) error {
	b.mu.Lock()
	lost := b.engine != nil && !b.engine.alive()
	open := b.names(at.Owner)
	b.mu.Unlock()
	if lost {
		b.drop()
		return errLost
	}
	if _, err := b.find(); err != nil {
		return err
	}
	switch {
	case at.Context == "":
		return nothingOpen("no page is open", "")
	case len(open) == 0:
		return nothingOpen("the browser context "+text.Quoted(at.Context)+" is not open", "")
	}
	return nothingOpen("the browser context "+text.Quoted(at.Context)+" is not open",
		"open contexts: "+quoted(open)+"; leave context out for the one used last")
}

// openContext makes a context, and starts the browser where none runs.
// b.starting is held.
func (b *Browser) openContext(ctx context.Context, at Place) (*browserContext, error) {
	if at.Context != "" && !isContextName(at.Context) {
		return nil, tool.NewError(tool.InvalidInput, text.Quoted(at.Context)+" cannot be the name of a browser context",
			fmt.Sprintf("a name has 1 to %d letters, digits, points, - and _; leave context out for the one used last", maxContextName))
	}
	for try := 0; ; try++ {
		p, err := b.openNew(ctx, at)
		// A browser that makes no pages is replaced after its second failure.
		if err == nil || ctx.Err() != nil || try == 2 || errors.As(err, new(*tool.Error)) {
			return p, err
		}
	}
}

// openNew is openContext for a valid name, in one attempt.
func (b *Browser) openNew(ctx context.Context, at Place) (*browserContext, error) {
	if !b.options.Attach.IsZero() {
		if err := b.onlyLocal(ctx); err != nil {
			return nil, err
		}
	}
	e, err := b.running(ctx)
	if err != nil {
		return nil, err
	}
	if err := b.makeRoom(ctx, at); err != nil {
		return nil, err
	}
	b.mu.Lock()
	key := contextKey{at.Owner, at.Context}
	inProfile := b.inProfile(ctx, at)
	if inProfile {
		key.name = profileContext
	}
	for at.Context == "" && (key.name == "" || b.contexts[key] != nil) {
		b.lastName++
		key.name = fmt.Sprintf("c%d", b.lastName)
	}
	b.mu.Unlock()
	p, err := b.newContext(ctx, e, key.name, inProfile)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.assign(ctx, key, p, at.private)
	return p, nil
}

// makeRoom ends a context if too many are open: of the owner with most contexts, the
// one that was idle for longest, so that one owner cannot displace the others. If
// all are in use, the error is Busy. Private contexts, such as those of Render, are
// counted separately. b.starting is held.
func (b *Browser) makeRoom(ctx context.Context, at Place) error {
	most := MaxContexts
	if at.private {
		most = privateContexts
	}
	b.mu.Lock()
	count, owned := 0, make(map[string]int)
	for key, p := range b.contexts {
		if p.private == at.private {
			count++
			owned[key.owner]++
		}
	}
	var idlest *browserContext
	var owner string
	for key, p := range b.contexts {
		if p.private || at.private || p.calls > 0 {
			continue
		}
		if more := owned[key.owner] - owned[owner]; idlest == nil || more > 0 || more == 0 && p.used.Before(idlest.used) {
			idlest, owner = p, key.owner
		}
	}
	if count < most {
		b.mu.Unlock()
		return nil
	}
	b.mu.Unlock()
	if idlest == nil {
		return busyError()
	}
	b.end(ctx, func(_ contextKey, p *browserContext) bool { return p == idlest }, false)
	return nil
}

// assign gives a context to its owner; one operation uses it. b.mu is held.
func (b *Browser) assign(ctx context.Context, key contextKey, p *browserContext, private bool) {
	p.mark = principal.Of(ctx).Mark()
	p.name, p.private = key.name, private
	b.contexts[key] = p
	b.use(p, 1)
}

// touch notes that an operation ends (-1) to use a context.
func (b *Browser) touch(p *browserContext, calls int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.use(p, calls)
}

// use notes that an operation begins (1) or ends (-1) to use a context, and has
// sweepIdle look later whether any does. b.mu is held.
func (b *Browser) use(p *browserContext, calls int) {
	p.used = time.Now()
	p.calls += calls
	if b.idle == nil {
		b.idle = time.AfterFunc(b.options.Idle, b.sweepIdle)
		return
	}
	b.idle.Reset(b.options.Idle)
}

// Ended is the result of CloseContexts.
type Ended struct {
	// Contexts are the names of the contexts that were ended, sorted.
	Contexts []string
	// Left are the names of the owner's contexts that stay open, sorted.
	Left []string
	// Stopped reports whether the browser was stopped; Running whether it still runs.
	Stopped, Running bool
}

// EndOwner ends the contexts of an owner that is gone, and the browser if no context
// is left. It does nothing if the owner has none.
func (b *Browser) EndOwner(ctx context.Context, owner string) error {
	b.mu.Lock()
	none := len(b.names(owner)) == 0
	b.mu.Unlock()
	if none {
		return nil
	}
	_, err := b.CloseContexts(ctx, Place{Owner: owner})
	return err
}

// CloseContexts ends a context of an owner, by default all of them, and the
// browser if no context of any owner is left.
func (b *Browser) CloseContexts(ctx context.Context, at Place) (Ended, error) {
	if err := b.hold(ctx); err != nil {
		return Ended{}, tool.AsError(err)
	}
	defer func() { <-b.starting }()
	b.mu.Lock()
	ran := b.engine != nil
	_, there := b.contexts[contextKey{at.Owner, at.Context}]
	b.mu.Unlock()
	if at.Context != "" && !there {
		return Ended{}, b.failure(ctx, nil, b.notOpen(at))
	}
	ended := b.end(ctx, func(key contextKey, _ *browserContext) bool {
		return key.owner == at.Owner && (at.Context == "" || key.name == at.Context)
	}, true)
	b.mu.Lock()
	defer b.mu.Unlock()
	running := b.engine != nil
	return Ended{Contexts: ended, Left: b.names(at.Owner), Stopped: ran && !running, Running: running}, nil
}

// end ends the contexts that which chooses, and with stop the browser when none
// is left. It returns their names, sorted. b.starting is held.
func (b *Browser) end(ctx context.Context, which func(contextKey, *browserContext) bool, stop bool) []string {
	b.mu.Lock()
	var names []string
	var ended []*browserContext
	for key, p := range b.contexts {
		if which(key, p) {
			names, ended = append(names, key.name), append(ended, p)
			delete(b.contexts, key)
		}
	}
	last := stop && len(b.contexts) == 0
	b.mu.Unlock()
	for _, p := range ended {
		if p.engine.isTheirs() {
			p.dispose(ctx) // while it is connected
		}
	}
	if last {
		b.drop()
	}
	for _, p := range ended {
		p.dispose(ctx)
	}
	slices.Sort(names)
	return names
}

// endPrivate ends a context that an operation made for itself.
func (b *Browser) endPrivate(ctx context.Context, at Place, stop bool) {
	ctx, cancel := within(context.WithoutCancel(ctx), stepLimit)
	defer cancel()
	if b.hold(ctx) != nil {
		return // sweepIdle ends it
	}
	defer func() { <-b.starting }()
	b.end(ctx, func(key contextKey, _ *browserContext) bool { return key.owner == at.Owner }, stop)
}

// private returns the place of an operation in a context of its own, which no caller
// can name.
func private(what string) Place {
	return Place{Owner: what + "-" + random(16), Context: what, private: true}
}

// sweepIdle ends the contexts that were not used for Options.Idle, and looks
// again when the next one may be due. A context that an operation has claimed
// stays: claims count under the same lock.
func (b *Browser) sweepIdle() {
	done, err := b.begin()
	if err != nil {
		return
	}
	defer done()
	b.starting <- struct{}{}
	defer func() { <-b.starting }()
	ctx, cancel := context.WithTimeout(context.Background(), stepLimit)
	defer cancel()
	next := b.options.Idle
	b.end(ctx, func(_ contextKey, p *browserContext) bool {
		left := b.options.Idle - time.Since(p.used)
		if left > 0 {
			next = min(next, left)
		}
		return left <= 0 && p.calls == 0
	}, true)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.engine != nil {
		b.idle.Reset(next)
	}
}

// newContext makes a context with one tab, or one in the profile that lasts.
func (b *Browser) newContext(ctx context.Context, e *engine, name string, inProfile bool) (_ *browserContext, err error) {
	p := &browserContext{browser: b, engine: e, name: name, opening: make(chan struct{}, 1), used: time.Now()}
	if e.isTheirs() {
		t, err := p.open(ctx)
		if err != nil {
			return nil, err
		}
		t.update(func() { t.note(b.attachedNotice()) })
		return p, nil
	}
	proxy := egress.ProxyOptions{Session: name, Failing: p.observe}
	if listeners := e.process.listeners; listeners != nil {
		if proxy.Listener, err = listeners.Listen(); err != nil {
			return nil, err
		}
	}
	if inProfile {
		p.proxy = e.proxy
	} else if p.proxy, err = b.options.Guard.Proxy(proxy); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.dispose(ctx)
		}
	}()
	if !inProfile {
		made, err := call(ctx, e.root, target.CreateBrowserContext, target.CreateBrowserContextParams{
			DisposeOnDetach: new(true), ProxyServer: "http://" + p.proxy.Addr(), ProxyBypassList: cmp.Or(b.direct, "<-loopback>")})
		if err != nil {
			return nil, err
		}
		p.id = made.BrowserContextID
		e.mu.Lock()
		e.homes[p.id] = p
		e.mu.Unlock()
	}
	downloads, err := p.downloadsTo()
	if err != nil {
		return p, err
	}
	denied := e.root.post(ctx, cdpbrowser.SetDownloadBehavior.Method, downloads)
	// Copy buttons work. Nobody can answer a prompt for notifications, and a
	// page that asks would wait without end.
	var settled []func(context.Context, any) error
	for name, setting := range map[string]cdpbrowser.PermissionSetting{"clipboard-write": cdpbrowser.PermissionSettingGranted, "notifications": cdpbrowser.PermissionSettingDenied} {
		settled = append(settled, e.root.post(ctx, cdpbrowser.SetPermission.Method, cdpbrowser.SetPermissionParams{
			Permission: &cdpbrowser.PermissionDescriptor{Name: name}, Setting: setting, BrowserContextID: p.id}))
	}
	t, err := p.open(ctx)
	for _, wait := range settled {
		if e := wait(ctx, nil); err == nil && !refused(e) {
			err = e
		}
	}
	if e := denied(ctx, nil); err == nil {
		err = e
	}
	if err == nil && p.proxy.Token() != "" {
		err = p.authenticate(ctx, t)
	}
	return p, err
}

// authenticate gives the context the token of its proxy: the context asks for an
// address that does not exist, the proxy answers 407, and the browser remembers the
// token that it sends then. No program of the machine can read the token from a
// command line, and no page sees the exchange.
func (p *browserContext) authenticate(ctx context.Context, t *tab) error {
	ctx, cancel := step(ctx, stepLimit)
	defer cancel()
	// Status is the HTTP status; 0 before the answer.
	steps, stop := overheard[struct {
		ID        fetch.RequestID `json:"requestId"`
		Challenge *struct{}       `json:"authChallenge"` // of AuthRequired
		Status    int             `json:"responseStatusCode"`
	}](t, fetch.AuthRequired.Method, fetch.RequestPaused.Method)
	defer func() {
		stop()
		t.update(func() { t.journal = journal{} }) // no page has asked yet
	}()
	// The answer is dropped before it becomes a document, so that the page does not
	// change its process before its first address.
	enabled := t.main.post(ctx, fetch.Enable.Method, fetch.EnableParams{HandleAuthRequests: new(true)})
	gone := t.main.post(ctx, page.Navigate.Method, page.NavigateParams{URL: "http://" + proxyHello + "/"})
	if err := enabled(ctx, nil); err != nil {
		return err
	}
	for done := false; !done; {
		var err error
		select {
		case s := <-steps:
			done = s.Status != 0
			switch {
			case done:
				err = do(ctx, t.main, fetch.FailRequest, fetch.FailRequestParams{RequestID: s.ID, ErrorReason: network.ErrorReasonAborted})
			case s.Challenge == nil:
				err = do(ctx, t.main, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: s.ID, InterceptResponse: new(true)})
			default:
				err = do(ctx, t.main, fetch.ContinueWithAuth, fetch.ContinueWithAuthParams{RequestID: s.ID, AuthChallengeResponse: &fetch.AuthChallengeResponse{
					Response: fetch.AuthChallengeResponseResponseProvideCredentials, Username: proxyUser, Password: p.proxy.Token()}})
			}
		case <-p.engine.process.conn.lost:
			err = errLost
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	if err := gone(ctx, nil); err != nil {
		return err
	}
	return do(ctx, t.main, fetch.Disable, cdp.Empty{})
}

const (
	// proxyHello is asked for once by each context, see authenticate. The policy
	// refuses it by its form; nothing leaves.
	proxyHello = "spyhop.invalid"
	proxyUser  = "spyhop"
)

// attachedNotice is what the first answer of a context says.
func (b *Browser) attachedNotice() string {
	return "attached to the browser at " + text.URL(b.options.Attach.String()) + ": the egress policy checks the URLs that tools open, and cannot hold what this browser loads by itself; other tabs are left alone"
}
