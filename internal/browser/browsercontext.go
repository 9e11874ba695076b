package browser

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// A browserContext has cookies, storage, tabs and a proxy of its own.
type browserContext struct {
	browser *Browser
	engine  *engine
	id      cdp.BrowserContextID
	proxy   *egress.Proxy
	opening chan struct{} // held by the operation that opens a tab where none is
	name    string
	mark    string    // of the principal, in the names of its captures
	used    time.Time // guarded by browser.mu
	private bool      // made by an operation for itself
	calls   int       // that use it now; guarded by browser.mu

	// downloads is the folder of its downloads; saved and savedBytes are those that it
	// had, which belong to the engine's lock.
	downloads  *os.Root // nil: downloads are refused
	saved      int
	savedBytes int64

	mu       sync.Mutex
	copied   string   // the clipboard
	restored []string // origins of a restored state
	steps    []deed   // what was done, the last of it
	traced   bool     // a trace is made
	untaken  bool     // of the last step, a picture is due
	shots    int      // of the trace
	sessions string   // the script that fills the sessionStorage of its tabs; "": none
	tabs     []*tab
	current  *tab
	failures []egress.Exchange // the last ones, for the errors of navigations
}

const keptFailures = 32

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

// dispose ends the context in the browser.
func (p *browserContext) dispose(ctx context.Context) {
	if p.id == "" && p.engine.alive() {
		ctx, cancel := within(context.WithoutCancel(ctx), stepLimit)
		defer cancel()
		p.letGo(ctx)
	}
	if p.id != "" && p.engine.alive() {
		ctx, cancel := within(context.WithoutCancel(ctx), stepLimit)
		defer cancel()
		_ = do(ctx, p.engine.root, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: p.id})
		p.engine.mu.Lock()
		delete(p.engine.homes, p.id)
		p.engine.mu.Unlock()
	}
	if p.downloads != nil {
		_ = os.RemoveAll(p.downloads.Name())
		_ = p.downloads.Close()
	}
	p.closeProxy()
}

func (p *browserContext) closeProxy() {
	if p.proxy != nil && p.proxy != p.engine.proxy {
		_ = p.proxy.Close()
	}
}

// open makes a tab. The first tab of a context is the current one.
func (p *browserContext) open(ctx context.Context) (*tab, error) {
	t, err := p.engine.newPage(ctx, p.id)
	if err = p.engine.made(ctx, err); err != nil {
		return nil, err
	}
	p.mu.Lock()
	sessions := p.sessions
	p.mu.Unlock()
	if err := t.beginSessions(ctx, sessions); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t.home = p
	p.tabs = append(p.tabs, t)
	if len(p.tabs) == 1 {
		p.current = t
	}
	return t, nil
}

// replace makes a tab in place of one that hangs and was closed. The operation that runs in
// that one goes on here.
func (p *browserContext) replace(ctx context.Context, hung *tab) (*tab, error) {
	t, err := p.open(ctx)
	if err != nil {
		return hung, err
	}
	t.turn = hung.turn
	p.list() // gives it its id
	p.selectTab(t)
	return t, nil
}

// adopt adds a window that a page has opened to the tabs, unless the context has
// maxTabs of them. The reading goroutine calls it.
func (p *browserContext) adopt(t *tab) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tabs = slices.DeleteFunc(p.tabs, (*tab).isGone)
	if at := cmp.Or(t.opener, p.current); at != nil {
		full := len(p.tabs) >= maxTabs
		at.update(func() {
			if full {
				at.note(fmt.Sprintf("the page opened a window, which was closed: %d tabs are the most", maxTabs))
			} else {
				t.id = p.browser.nextTab()
				at.note(t.openedNotice())
			}
		})
		if full {
			return false
		}
	}
	t.opened, t.home = true, p
	p.tabs = append(p.tabs, t)
	return true
}

// openedNotice is what is said of a window that a page has opened.
func (t *tab) openedNotice() string {
	return "the page opened tab " + t.id + ": give tab=" + t.id + " to see it and to act there"
}

// list returns the open tabs.
func (p *browserContext) list() []*tab {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tabs = slices.DeleteFunc(p.tabs, (*tab).isGone)
	for _, t := range p.tabs {
		if t.id == "" {
			t.id = p.browser.nextTab()
		}
	}
	return slices.Clone(p.tabs)
}

// tab returns the tab with an id. For an empty id it returns the current tab, or a
// new tab if none is open.
func (p *browserContext) tab(ctx context.Context, id string) (*tab, error) {
	if id == "" {
		if t := p.now(); t != nil {
			return t, nil
		}
		select {
		case p.opening <- struct{}{}:
			defer func() { <-p.opening }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if t := p.now(); t != nil {
			return t, nil // another operation has opened it
		}
		t, err := p.open(ctx)
		if err == nil {
			p.list() // gives it its id
			p.selectTab(t)
		}
		return t, err
	}
	var ids []string
	for _, t := range p.list() {
		if t.id == id {
			return t, nil
		}
		ids = append(ids, t.id)
	}
	if t, err := p.borrow(ctx, id); t != nil || err != nil {
		return t, err
	}
	return nil, tool.NewError(tool.InvalidInput, "there is no tab "+text.Quoted(id), "open tabs: "+quoted(ids))
}

// now returns the current tab, nil if none is open. Where a window was closed, a person
// is back in the one that had opened it.
func (p *browserContext) now() *tab {
	tabs := p.list()
	if len(tabs) == 0 {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.current
	for t != nil && !slices.Contains(tabs, t) {
		t = t.opener
	}
	p.current = cmp.Or(t, tabs[len(tabs)-1])
	return p.current
}

func (p *browserContext) selectTab(t *tab) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current = t
}

// observe keeps the last failed requests, which explain a page that does not load.
func (p *browserContext) observe(x egress.Exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.failures) == keptFailures {
		p.failures = slices.Delete(p.failures, 0, 1)
	}
	p.failures = append(p.failures, x)
}

// failed returns the error of what the proxy answered in place of a server for
// a main document, nil where it let the request through. The address that was
// asked for first led to last by redirects.
func (p *browserContext) failed(first, last string) error {
	u, err := weburl.Parse(last)
	if err != nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range slices.Backward(p.failures) {
		// The proxy knows only the host of a tunnel.
		if x.Decision.Host != u.Host() || u.Scheme() == "http" && x.Decision.URL != u.WithoutUserinfo().WithoutFragment().String() {
			continue
		}
		where := text.URL(first)
		if first != last {
			where += " (which redirects to " + text.URL(last) + ")"
		}
		if !x.Decision.Allowed {
			return refusal(where, x.Decision.Err())
		}
		e := tool.NewError(tool.ConnectionError, "Failed to connect to "+where+": 'the server cannot be reached'", "check the address, or try again later")
		e.Cause = x.Err
		return e
	}
	return nil
}

func random(n int) string { return strings.ToLower(rand.Text())[:n] }
