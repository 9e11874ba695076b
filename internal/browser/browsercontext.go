package browser

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
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

// letGo gives the tabs of an attached browser or of a profile back: those that were opened here
// are closed.
func (p *browserContext) letGo(ctx context.Context) {
	for _, t := range p.list() {
		if !t.borrowed {
			p.engine.closePage(ctx, t)
			continue
		}
		_ = do(ctx, p.engine.root, target.DetachFromTarget, target.DetachFromTargetParams{SessionID: t.main.id})
	}
}

// remember keeps a line of the test.
func (t *tab) remember(ctx context.Context, code string) {
	p := t.home
	if p == nil || p.private {
		return
	}
	s := deed{at: time.Now(), code: code, url: t.now().url}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.steps) >= maxSteps {
		p.steps = p.steps[1:]
	}
	p.steps = append(p.steps, s)
	p.untaken = p.traced
}

// where is the place of the tab.
func (t *tab) where() Place { return Place{Context: t.home.name, Tab: t.id} }

// nextTab returns an id that no tab had before. It takes no lock, since its callers hold
// that of a context.
func (b *Browser) nextTab() string {
	return "t" + strconv.FormatInt(b.lastTab.Add(1), 10)
}

// beginSessions has the tab begin its next documents with sessionStorage.
func (t *tab) beginSessions(ctx context.Context, script string) error {
	if t.begins != "" {
		_ = do(ctx, t.main, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: t.begins})
		t.begins = ""
	}
	if script == "" {
		return nil
	}
	res, err := call(ctx, t.main, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script, WorldName: world})
	t.begins = res.Identifier
	return err
}
