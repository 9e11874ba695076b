package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// Navigation is a request for another page.
type Navigation struct {
	// URL is the address, or "back", "forward" or "reload"; https:// is added
	// if it has no scheme.
	URL string
	// WaitUntil is what to wait for: "load" (the default), "domcontentloaded",
	// "networkidle" or "commit".
	WaitUntil string
	// Given says that a person gave the address, for Options.Provenance.
	Given bool
	// WaitFor is what Render waits for: a text or a CSS selector. Empty: until the page
	// has come to rest. Other operations do not heed it.
	WaitFor string
	// Scroll has Render scroll the page until nothing new comes, see [Scrolled]. Without
	// it, only a page that looks cut is scrolled a little. Other operations do not heed it.
	Scroll bool
	// State is what sites have stored in the context that Render makes; nil:
	// nothing. Other operations do not heed it.
	State *State
}

// lifecycle are the names of the moments in the protocol.
func lifecycle(wait string) (string, error) {
	switch wait {
	case "", "load":
		return "load", nil
	case "domcontentloaded":
		return "DOMContentLoaded", nil
	case "networkidle":
		return "networkIdle", nil
	case "commit":
		return "commit", nil
	}
	return "", tool.NewError(tool.InvalidInput, "wait_until "+text.Quoted(wait)+" is unknown", "it is one of load, domcontentloaded, networkidle, commit")
}

// Navigate opens an address in a tab.
func (b *Browser) Navigate(ctx context.Context, at Place, to Navigation) (*Page, error) {
	n := needsNothing
	switch to.URL {
	case "back", "forward", "reload":
		n = needsPage
	}
	var out *Page
	visit := func() error {
		return b.run(ctx, at, b.options.Timeout, n, func(ctx context.Context, p *browserContext, t *tab) (err error) {
			out, err = b.navigate(ctx, p, t, to)
			return err
		})
	}
	err := visit()
	if n == needsNothing && errors.Is(err, errLost) && ctx.Err() == nil {
		err = visit() // the browser ended in the meantime; another one opens the address
	}
	return out, err
}

func (b *Browser) navigate(ctx context.Context, p *browserContext, t *tab, n Navigation) (*Page, error) {
	page, err := b.goTo(ctx, p, t, n)
	if b.options.Visited != nil {
		b.options.Visited(ctx, n.URL, page, err)
	}
	return page, err
}

func (b *Browser) goTo(ctx context.Context, p *browserContext, t *tab, n Navigation) (*Page, error) {
	moment, err := lifecycle(n.WaitUntil)
	if err != nil {
		return nil, err
	}
	t.dismiss(ctx)
	if !t.revive() {
		// A caller that leaves a page need not know that it hangs.
		if t, err = p.replace(ctx, t); err != nil {
			return nil, err
		}
	}
	t.engine.endDownloads(t)
	switch n.URL {
	case "back", "forward":
		err = t.history(ctx, n.URL)
	case "reload":
		err = t.leave(ctx, func() error { return do(ctx, t.main, page.Reload, page.ReloadParams{}) })
	default:
		t, err = b.visit(ctx, p, t, n)
	}
	if err != nil {
		return nil, err
	}
	if err := t.settleLoad(ctx, moment); err != nil {
		return nil, err
	}
	if n.URL == "back" || n.URL == "forward" {
		// A page that its scripts make shows the place that it goes back to a while later,
		// and no document loads for it.
		if err := t.rest(ctx); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(t.showsAnswer(), b.leavesRefused(ctx, t)); err != nil {
		return nil, err
	}
	t.sweep()
	switch n.URL {
	case "back":
		t.remember(ctx, "page.goBack()")
	case "forward":
		t.remember(ctx, "page.goForward()")
	case "reload":
		t.remember(ctx, "page.reload()")
	default:
		t.remember(ctx, "page.goto("+quoteJS(maskedAddress(n.URL))+")")
	}
	t.picture(ctx)
	return t.describe(ctx)
}

func (t *tab) sweep() {
	if t.visits++; t.visits%sweepEvery == 0 {
		t.engine.background(func(ctx context.Context) {
			_ = do(ctx, t.main, heapprofiler.CollectGarbage, cdp.Empty{})
		})
	}
}

// visit opens an address that the policy allows. It returns the tab with the page:
// another tab if the page in this one hangs.
func (b *Browser) visit(ctx context.Context, p *browserContext, t *tab, n Navigation) (*tab, error) {
	u, err := b.admit(ctx, p, n)
	if err != nil {
		return t, err
	}
	// A page that keeps navigating by itself can win against one attempt, as long as it is there.
	for try := range navigateTries {
		came, err := t.open(ctx, p, u, try == navigateTries-1)
		switch {
		case errors.Is(err, errLeft) && try == 0:
			err = nil
		case errors.Is(err, errLeft):
			t.engine.closePage(ctx, t)
			fallthrough
		case errors.Is(err, errHung):
			t, err = p.replace(ctx, t)
		}
		if err != nil || came {
			return t, err
		}
	}
	return t, errHung
}

// open requests an address once, and reports whether its document has come. If another one came in
// its place, the error is errLeft. That the request was ended is an error on the last attempt.
func (t *tab) open(ctx context.Context, p *browserContext, u weburl.URL, last bool) (came bool, err error) {
	before := t.document()
	stays := func() bool { return t.loader == before }
	err = t.leaving(ctx, stays, func() error {
		came, err = t.request(ctx, u, stays, last)
		return err
	})
	return came, err
}

// request is open while the page before is watched.
func (t *tab) request(ctx context.Context, u weburl.URL, stays func() bool, last bool) (came bool, err error) {
	t.update(func() { t.untrusted = "" })
	res, err := call(ctx, t.main, page.Navigate, page.NavigateParams{URL: u.String()})
	switch {
	case err != nil:
		return false, err
	case res.IsDownload:
		_ = t.downloaded(ctx)
		return false, tool.NewError(tool.UnsupportedContent, "Failed to fetch "+text.URL(u.String())+": it is a download and no page", "read it with web_fetch; the next answer of the browser says where a copy is, if one was kept")
	case strings.Contains(res.ErrorText, "PROXY_CONNECTION_FAILED"):
		// Chromium's network process has died, and the one that follows knows the
		// contexts' proxies no longer. It has no other way out: a new browser has.
		t.engine.abandon()
		return false, errLost
	case t.distrusts(u):
		return false, t.unreachable(u, res.LoaderID, "CERT")
	case (strings.Contains(res.ErrorText, "ABORTED") || strings.Contains(res.ErrorText, "NETWORK_CHANGED")) && !last:
		return false, nil
	case res.ErrorText != "":
		return false, t.unreachable(u, res.LoaderID, res.ErrorText)
	case res.LoaderID == "":
		return true, nil // within the document
	}
	arrived := func() bool { return t.loader == res.LoaderID || t.dialog != nil && !stays() }
	for try := range commitTries {
		wait, cancel := spare(ctx, patience)
		if try > 0 {
			cancel()
			wait, cancel = deadline.Share(ctx, 2)
		}
		err = t.await(wait, func() bool { return arrived() || try > 0 && !stays() })
		cancel()
		t.mu.Lock()
		came, elsewhere := arrived(), !stays()
		t.mu.Unlock()
		switch {
		case came:
			return true, nil
		case err != nil && (!errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil):
			return false, err
		case elsewhere:
			return false, errLeft
		case !t.revive():
			return false, errHung
		}
	}
	return false, err
}

// distrusts reports whether the certificate of the server of a URL was refused.
func (t *tab) distrusts(u weburl.URL) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.untrusted != "" && t.untrusted == u.Host() && t.url != u.String()
}

// leaving runs f, by which the page is left that still is there while stays, which is called
// with t.mu held, says so. What it asks meanwhile is cancelled: a page that asks is not
// replaced, and the browser takes no answer for it once the next document has begun to come.
func (t *tab) leaving(ctx context.Context, stays func() bool, f func() error) error {
	watch, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		for t.await(watch, func() bool { return t.dialog != nil && stays() }) == nil && watch.Err() == nil {
			t.dismiss(watch)
		}
	})
	defer watching.Wait()
	defer stop()
	return f()
}

// admit decides whether the caller may open an address.
func (b *Browser) admit(ctx context.Context, p *browserContext, n Navigation) (weburl.URL, error) {
	u, err := weburl.ParseLenient(strings.TrimSpace(n.URL))
	if err != nil {
		e := tool.NewError(tool.InvalidURL, "Failed to fetch "+text.URL(n.URL)+": "+text.Cause(err),
			"give an absolute URL, for example https://example.com/page, or back, forward or reload")
		e.Cause = err
		return u, e
	}
	u, _ = u.Clean()
	if n.Given {
		b.options.Provenance.Give(ctx, u)
	}
	if err := b.options.Provenance.Judge(ctx, u); err != nil {
		return u, refusal(text.URL(u.WithoutUserinfo().String()), err)
	}
	judged, d := b.judge(ctx, p, u)
	if !d.Allowed {
		return u, refusal(text.URL(u.WithoutUserinfo().String()), d.Err())
	}
	if _, shared := egress.CallsHome(judged.Host()); shared && p.proxy != nil {
		if host, err := weburl.ParseHostList([]string{judged.Host()}); err == nil {
			p.proxy.Admit(host)
		}
	}
	return judged, nil
}

// unreachable makes the error of a main document that did not come.
func (t *tab) unreachable(u weburl.URL, loader cdp.LoaderID, failure string) error {
	if err := t.home.failed(u.String(), cmp.Or(t.arrival(loader).url, u.String())); err != nil {
		return err
	}
	kind, cause := tool.ConnectionError, failure
	switch {
	case strings.Contains(failure, "CERT") || strings.Contains(failure, "SSL"):
		kind = tool.TLSError
		if failure == "CERT" {
			cause = "its certificate is not trusted"
		}
	case strings.Contains(failure, "TIMED_OUT"):
		kind = tool.Timeout
	case strings.Contains(failure, "TOO_MANY_REDIRECTS"):
		return tool.NewError(tool.HTTPError, "Failed to fetch "+text.URL(u.String())+": too many redirects", "")
	case strings.Contains(failure, "TUNNEL_CONNECTION_FAILED"), strings.Contains(failure, "EMPTY_RESPONSE"):
		cause = "the server cannot be reached"
	case strings.Contains(failure, "ABORTED"):
		return tool.NewError(tool.UnsupportedContent, "Failed to fetch "+text.URL(u.String())+": it is not a page", "read it with web_fetch")
	}
	hint := "check the address, or try again later"
	if kind == tool.TLSError {
		hint = "SSL_CERT_FILE can name further authorities, and WEB_TLS_INSECURE test machines whose certificates are not checked"
	}
	return tool.NewError(kind, "Failed to connect to "+text.URL(u.String())+": '"+text.Name(cause)+"'", hint)
}

// showsAnswer returns the error of a main document that no server has sent: what
// the proxy answers for an address that it refuses or cannot reach, perhaps after
// redirects, and the browser's own page about that.
func (t *tab) showsAnswer() error {
	now := t.now()
	a, noPage := t.arrival(now.loader), strings.HasPrefix(now.url, errorPage)
	if a.status != http.StatusBadGateway && !noPage {
		return nil
	}
	if err := t.home.failed(a.first, a.url); err != nil || !noPage {
		return err
	}
	return tool.NewError(tool.ConnectionError, "Failed to connect to "+cmp.Or(text.URL(a.url), "the address")+": 'the server cannot be reached'", "check the address, or try again later")
}

// refusedMeanwhile returns the error of [tab.showsAnswer] at the end of an
// operation. A navigation that has begun is awaited, since what the operation has
// read, or why it failed, can be of the page that comes.
func (t *tab) refusedMeanwhile(ctx context.Context) error {
	t.stay(ctx)
	return t.showsAnswer()
}

// errorPage begins the address of the browser's own page about a failure.
const errorPage = "chrome-error:"

// showsPage returns the error of a tab that no address was opened in.
func (t *tab) showsPage() error {
	t.mu.Lock()
	empty := t.empty()
	t.mu.Unlock()
	if empty {
		return nothingOpen("no page is open in tab "+t.id, "")
	}
	return t.showsAnswer()
}

// history goes back or forward.
func (t *tab) history(ctx context.Context, way string) error {
	h, err := call(ctx, t.main, page.GetNavigationHistory, cdp.Empty{})
	if err != nil {
		return err
	}
	i := h.CurrentIndex + 1
	if way == "back" {
		i = h.CurrentIndex - 1
	}
	// The first entry of each tab is its empty start.
	if i < 0 || i >= int64(len(h.Entries)) || h.Entries[i].URL == "about:blank" {
		return tool.NewError(tool.InvalidInput, "there is no page to go "+text.Name(way)+" to", "open one by its address")
	}
	return t.leave(ctx, func() error {
		return do(ctx, t.main, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: h.Entries[i].ID})
	})
}

// leave runs a function that makes the tab navigate, and waits for the new document.
func (t *tab) leave(ctx context.Context, f func() error) error {
	before := t.now()
	stays := func() bool { return t.loader == before.loader && t.url == before.url }
	return t.leaving(ctx, stays, func() error {
		if err := f(); err != nil {
			return err
		}
		wait, cancel := deadline.Share(ctx, loadShare)
		defer cancel()
		_, err := t.awaitIn(ctx, wait, func() bool { return !stays() })
		return err // nil where the tab stayed where it was
	})
}

// settleLoad waits for a moment of the main document, and no longer than
// loadShare says: a page that never gets there is read as it is.
func (t *tab) settleLoad(ctx context.Context, moment string) error {
	wait, cancel := deadline.Share(ctx, loadShare)
	defer cancel()
	late, err := t.awaitIn(ctx, wait, func() bool { return t.reached[moment] || t.dialog != nil })
	if late {
		t.update(func() {
			t.note(fmt.Sprintf("the page has not reached %s after %s; it is read as it is", moment, deadline.Text(deadline.Limit(wait))))
		})
	}
	return err
}

// describe returns where the tab is. It asks the browser, not the page.
func (t *tab) describe(ctx context.Context) (*Page, error) {
	info, err := call(ctx, t.engine.root, target.GetTargetInfo, target.GetTargetInfoParams{TargetID: t.target})
	if err != nil {
		return nil, err
	}
	out := &Page{URL: info.TargetInfo.URL, Title: line(info.TargetInfo.Title, 300), Status: t.arrival(t.document()).status, Context: t.home.name, Tab: t.id}
	out.Notices, out.Dialogs = t.takeNotices()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.url != "" {
		out.URL = t.url
	}
	out.URL = cut(out.URL, answerURL)
	if n := t.home.browser.uncheckedNotice(out.URL); n != "" {
		out.Notices = append(out.Notices, n)
	}
	if strings.HasSuffix(out.URL, "//"+out.Title) {
		out.Title = "" // the browser's word for none
	}
	if t.dialog != nil {
		out.Notices = append(out.Notices, "the page asks something, see dialogs in the fence; answer with browser_dialog")
		out.Dialogs = append(out.Dialogs, t.dialog.text())
	}
	return out, nil
}
