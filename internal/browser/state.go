package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// Cookie is a cookie without its value, which is never shown.
type Cookie struct {
	Name   string `json:"name"`
	Domain string `json:"domain"`
	Path   string `json:"path"`
	// Expires is zero for one that ends with the context.
	Expires time.Time `json:"expires,omitzero"`
}

// NewCookie is a cookie to set.
type NewCookie struct {
	// URL is an address to which the cookie is sent.
	URL         string
	Name, Value string
}

// Cookies lists the cookies of a context, or only those of a domain.
func (b *Browser) Cookies(ctx context.Context, at Place, domain string) (out []Cookie, where Place, err error) {
	where, err = b.beside(ctx, at, needsContext, func(ctx context.Context, p *browserContext, _ *tab) error {
		res, err := call(ctx, p.engine.root, storage.GetCookies, storage.GetCookiesParams{BrowserContextID: p.id})
		if err != nil {
			return err
		}
		for _, c := range res.Cookies {
			if d := strings.TrimPrefix(c.Domain, "."); domain != "" && d != domain && !strings.HasSuffix(d, "."+domain) {
				continue
			}
			o := Cookie{Name: line(c.Name, 200), Domain: c.Domain, Path: line(c.Path, 200)}
			if c.Expires > 0 {
				o.Expires = time.Unix(int64(c.Expires), 0).UTC()
			}
			out = append(out, o)
		}
		return nil
	})
	return out, where, err
}

// SetCookie sets a cookie for a URL that the policy allows; without one, for the page that is
// open.
func (b *Browser) SetCookie(ctx context.Context, at Place, c NewCookie) (where Place, err error) {
	n := needsNothing
	if c.URL == "" {
		n = needsContext
	}
	err = b.run(ctx, at, b.options.Timeout, n, func(ctx context.Context, p *browserContext, t *tab) error {
		where = t.where()
		if c.URL == "" {
			if err := t.showsPage(); err != nil {
				return err
			}
			c.URL = t.now().url
		}
		u, err := weburl.ParseLenient(c.URL)
		if err != nil {
			return tool.NewError(tool.InvalidInput, "a cookie needs the URL that it is for: "+text.Cause(err), "give url")
		}
		u, d := b.options.Guard.Judge(u)
		if !d.Allowed {
			return refusal(text.URL(u.WithoutUserinfo().String()), d.Err())
		}
		err = do(ctx, p.engine.root, storage.SetCookies, storage.SetCookiesParams{BrowserContextID: p.id,
			Cookies: []*network.CookieParam{{Name: c.Name, Value: c.Value, URL: u.String(), Secure: u.Scheme() == "https"}}})
		if refused(err) {
			// The cause could show the value.
			return tool.NewError(tool.InvalidInput, fmt.Sprintf("the cookie %s cannot be set", text.Quoted(c.Name)), "")
		}
		return err
	})
	return where, err
}

// ClearCookies removes all cookies of a context.
func (b *Browser) ClearCookies(ctx context.Context, at Place) (where Place, err error) {
	return b.beside(ctx, at, needsContext, func(ctx context.Context, p *browserContext, _ *tab) error {
		if err := p.keepsCookies(); err != nil {
			return err
		}
		return do(ctx, p.engine.root, storage.ClearCookies, storage.ClearCookiesParams{BrowserContextID: p.id})
	})
}

// What a person is signed in by, taken out of a context and put into another:
// cookies, and the localStorage, sessionStorage and IndexedDB of the origins that the
// context knows. It does not cover caches of service workers, storage of frames within
// pages of other sites, which browsers keep apart, and of IndexedDB what has no form in
// JSON: files and keys of cryptography.

// String hides the secrets.
func (*State) String() string { return "state of a browser" }

// GoString hides the secrets.
func (*State) GoString() string { return "browser.State{…}" }

// Empty reports whether nothing is stored.
func (s *State) Empty() bool { return len(s.Cookies) == 0 && len(s.Origins) == 0 }

// Of returns what belongs to a site, which is a registrable domain or an
// address.
func (s *State) Of(site string) *State {
	out := new(State)
	for _, c := range s.Cookies {
		if u, err := weburl.Parse(c.url()); err == nil && u.RegistrableDomain() == site {
			out.Cookies = append(out.Cookies, c)
		}
	}
	for _, o := range s.Origins {
		if u, err := weburl.Parse(o.Origin); err == nil && u.RegistrableDomain() == site {
			out.Origins = append(out.Origins, o)
		}
	}
	return out
}

// url is an address that the cookie is for.
func (c StateCookie) url() string {
	scheme, port := "http", ""
	if c.FromTLS || c.Secure {
		scheme = "https"
	}
	if c.Port > 0 {
		port = fmt.Sprintf(":%d", c.Port)
	}
	host := strings.TrimPrefix(c.Domain, ".")
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	return scheme + "://" + host + port + "/"
}

// State returns what sites have stored in a context.
func (b *Browser) State(ctx context.Context, at Place) (out *State, where Place, err error) {
	where, err = b.beside(ctx, at, needsContext, func(ctx context.Context, p *browserContext, _ *tab) (err error) {
		out, err = p.state(ctx)
		return err
	})
	return out, where, err
}

// Restore puts a state into a context, which it makes if none is open. The state
// replaces the cookies of the context and the storage of its origins. Open pages
// notice it only when they load again.
func (b *Browser) Restore(ctx context.Context, at Place, s *State) (where Place, err error) {
	return b.beside(ctx, at, needsNothing, func(ctx context.Context, p *browserContext, _ *tab) error {
		if err := p.keepsCookies(); err != nil {
			return err
		}
		return p.restore(ctx, s)
	})
}

func (p *browserContext) state(ctx context.Context) (*State, error) {
	s := new(State)
	var err error
	if s.Cookies, err = p.cookies(ctx); err != nil {
		return nil, err
	}
	origins := p.origins(ctx, s.Cookies)
	if len(origins) == 0 {
		return s, nil
	}
	blank, err := p.blank(ctx)
	if err != nil {
		return nil, err
	}
	defer blank.close(ctx)
	size := 0
	for _, origin := range origins {
		items, err := blank.run(ctx, origin, script("read_storage"))
		if err != nil {
			return nil, err
		}
		databases, err := blank.run(ctx, origin, script("read_databases"))
		if err != nil {
			return nil, err
		}
		session := p.sessionOf(ctx, origin)
		if items+session+databases == "" {
			continue
		}
		if size += len(items) + len(session) + len(databases); size > maxStateBytes || slices.Contains([]string{items, session, databases}, tooLong) {
			return nil, tool.NewError(tool.TooLarge, fmt.Sprintf("the sites of this context have stored more than %d MiB", maxStateBytes>>20), "save the state in a context of its own")
		}
		s.Origins = append(s.Origins, OriginStorage{origin, items, session, databases})
	}
	return s, nil
}

func (p *browserContext) cookies(ctx context.Context) ([]StateCookie, error) {
	res, err := call(ctx, p.engine.root, storage.GetCookies, storage.GetCookiesParams{BrowserContextID: p.id})
	if err != nil {
		return nil, err
	}
	out := make([]StateCookie, 0, len(res.Cookies))
	for _, c := range res.Cookies {
		if c.PartitionKeyOpaque {
			continue // no origin can be named for it
		}
		o := StateCookie{Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly,
			SameSite: string(c.SameSite), FromTLS: c.SourceScheme == network.CookieSourceSchemeSecure, Port: int(c.SourcePort)}
		if c.Expires > 0 {
			o.Expires = time.UnixMicro(int64(c.Expires * 1e6)).UTC()
		}
		if k := c.PartitionKey; k != nil {
			o.TopSite, o.Nested = k.TopLevelSite, k.HasCrossSiteAncestor
		}
		out = append(out, o)
	}
	return out, nil
}

// origins are those that the context has been at, as far as it knows: by the
// history and the frames of its tabs, by its cookies, and by what was restored.
func (p *browserContext) origins(ctx context.Context, cookies []StateCookie) []string {
	var out []string
	add := func(raw string) {
		u, err := weburl.Parse(raw)
		if err != nil || u.Scheme() != "http" && u.Scheme() != "https" || len(out) >= maxOrigins {
			return
		}
		if o := u.Origin(); !slices.Contains(out, o) && u.Host() != proxyHello {
			out = append(out, o)
		}
	}
	for _, t := range p.list() {
		for _, u := range t.visited(ctx) {
			add(u)
		}
	}
	for _, c := range cookies {
		add(c.url())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range p.restored {
		add(o)
	}
	return out
}

// visited are the addresses of a tab's history and of its frames, the last one
// first; fewer where the page does not answer.
func (t *tab) visited(ctx context.Context) []string {
	ctx, cancel := within(ctx, aliveLimit)
	defer cancel()
	var out []string
	if h, err := call(ctx, t.main, page.GetNavigationHistory, cdp.Empty{}); err == nil {
		for _, e := range slices.Backward(h.Entries) {
			out = append(out, e.URL)
		}
	}
	f, err := call(ctx, t.main, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return out
	}
	for frames := []*page.FrameTree{f.FrameTree}; len(frames) > 0; frames = frames[1:] {
		if f := frames[0]; f != nil && f.Frame != nil {
			out = append(out, f.Frame.URL)
			frames = append(frames, f.ChildFrames...)
		}
	}
	return out
}

func (p *browserContext) restore(ctx context.Context, s *State) error {
	if err := do(ctx, p.engine.root, storage.ClearCookies, storage.ClearCookiesParams{BrowserContextID: p.id}); err != nil {
		return err
	}
	if err := p.restoreCookies(ctx, s.Cookies); err != nil {
		return err
	}
	p.mu.Lock()
	p.restored = nil
	for _, o := range s.Origins {
		p.restored = append(p.restored, o.Origin)
	}
	p.mu.Unlock()
	if len(s.Origins) == 0 {
		return nil
	}
	blank, err := p.blank(ctx)
	if err != nil {
		return err
	}
	defer blank.close(ctx)
	for _, o := range s.Origins {
		if o.Items != "" {
			if _, err := blank.run(ctx, o.Origin, script("write_storage"), o.Items); err != nil {
				return err
			}
		}
		if o.Databases != "" {
			if _, err := blank.run(ctx, o.Origin, script("write_databases"), o.Databases); err != nil {
				return err
			}
		}
	}
	return p.restoreSessions(ctx, s)
}

// restoreCookies sets the cookies that have not expired.
func (p *browserContext) restoreCookies(ctx context.Context, saved []StateCookie) error {
	now := time.Now()
	var cookies []*network.CookieParam
	for _, c := range saved {
		if c.Expires.IsZero() || c.Expires.After(now) {
			cookies = append(cookies, c.param())
		}
	}
	if len(cookies) == 0 {
		return nil
	}
	err := do(ctx, p.engine.root, storage.SetCookies, storage.SetCookiesParams{BrowserContextID: p.id, Cookies: cookies})
	if refused(err) {
		// The cause could show a value.
		return tool.NewError(tool.BrowserError, "the browser does not take the cookies of the saved state", "save the state again with this browser")
	}
	return err
}

// sessionOf is the sessionStorage of an origin in the tab that was used last of those that
// are there.
func (p *browserContext) sessionOf(ctx context.Context, origin string) (out string) {
	tabs := p.list()
	slices.SortStableFunc(tabs, func(a, b *tab) int {
		if b == p.now() {
			return 1
		}
		return 0
	})
	for _, t := range tabs {
		at, err := weburl.Parse(t.now().url)
		if err != nil || at.Origin() != origin {
			continue
		}
		wait, cancel := within(ctx, aliveLimit)
		err = t.ask(wait, &out, fmt.Sprintf("(%s)(%q)", strings.ReplaceAll(script("read_storage"), "localStorage", "sessionStorage"), origin))
		cancel()
		if err == nil && out != "" {
			return out
		}
	}
	return ""
}

// restoreSessions has the tabs of the context, also later ones, begin with the sessionStorage
// of a state.
func (p *browserContext) restoreSessions(ctx context.Context, s *State) error {
	sessions := make(map[string]json.RawMessage)
	for _, o := range s.Origins {
		if o.Session != "" {
			sessions[o.Origin] = json.RawMessage(o.Session)
		}
	}
	script := ""
	if len(sessions) > 0 {
		all, err := json.Marshal(sessions)
		if err != nil {
			return err
		}
		script = "(" + beginSession + ")(" + string(all) + ")"
	}
	p.mu.Lock()
	p.sessions = script
	p.mu.Unlock()
	for _, t := range p.list() {
		if err := t.beginSessions(ctx, script); err != nil {
			return err
		}
	}
	return nil
}

func (c StateCookie) param() *network.CookieParam {
	out := &network.CookieParam{Name: c.Name, Value: c.Value, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly, SameSite: network.CookieSameSite(c.SameSite),
		SourcePort: int64(c.Port), SourceScheme: network.CookieSourceSchemeNonSecure}
	if c.FromTLS {
		out.SourceScheme = network.CookieSourceSchemeSecure
	}
	if strings.HasPrefix(c.Domain, ".") {
		out.Domain = c.Domain
	} else {
		// A cookie of the host alone has no domain. An https address would make it
		// a secure one.
		plain := c
		plain.FromTLS = false
		out.URL = plain.url()
	}
	if !c.Expires.IsZero() {
		out.Expires = cdp.TimeSinceEpoch(float64(c.Expires.UnixMicro()) / 1e6)
	}
	if c.TopSite != "" {
		out.PartitionKey = &network.CookiePartitionKey{TopLevelSite: c.TopSite, HasCrossSiteAncestor: c.Nested}
	}
	return out
}

// A blank is an invisible page. This package answers each of its requests with an
// empty document, so it is at an origin without a request to the network and without
// a script of that origin.
type blank struct {
	tab    *tab
	paused <-chan pausedEvent
}

type pausedEvent struct {
	RequestID fetch.RequestID `json:"requestId"`
}

func (p *browserContext) blank(ctx context.Context) (_ *blank, err error) {
	t, err := p.engine.newPage(ctx, p.id) // not one of the context's tabs
	if err != nil {
		return nil, err
	}
	b := &blank{tab: t}
	b.paused, _ = overheard[pausedEvent](t, fetch.RequestPaused.Method)
	defer func() {
		if err != nil {
			b.close(ctx)
		}
	}()
	// A service worker of the origin would answer otherwise.
	if err = do(ctx, t.main, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true}); err != nil {
		return nil, err
	}
	return b, do(ctx, t.main, fetch.Enable, fetch.EnableParams{})
}

func (b *blank) close(ctx context.Context) {
	ctx, cancel := within(context.WithoutCancel(ctx), aliveLimit)
	defer cancel()
	b.tab.engine.closePage(ctx, b.tab)
}

// run calls a function of ours at an origin and returns the string that it
// gives.
func (b *blank) run(ctx context.Context, origin, function string, args ...string) (string, error) {
	ctx, cancel := step(ctx, stepLimit)
	defer cancel()
	if err := b.goTo(ctx, origin+"/"); err != nil {
		return "", err
	}
	all, err := json.Marshal(append([]string{origin}, args...))
	if err != nil {
		return "", err
	}
	var out string
	err = b.tab.ask(ctx, &out, "("+function+")(..."+string(all)+")")
	if te := (*tool.Error)(nil); errors.As(err, &te) {
		err = errors.New("a site's storage cannot be used")
	}
	return out, err
}

// goTo moves the page to an address.
func (b *blank) goTo(ctx context.Context, url string) error {
	done := make(chan error, 1)
	var made page.NavigateResult
	go func() {
		var err error
		made, err = call(ctx, b.tab.main, page.Navigate, page.NavigateParams{URL: url})
		done <- err
	}()
	for {
		select {
		case ev := <-b.paused:
			err := do(ctx, b.tab.main, fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: ev.RequestID, ResponseCode: 200, Body: []byte(blankPage),
				ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html"}, {Name: "Cache-Control", Value: "no-store"}}})
			if err != nil && !refused(err) {
				return err
			}
		case err := <-done:
			if err == nil && made.ErrorText != "" {
				err = errors.New(made.ErrorText)
			}
			if err != nil {
				return err
			}
			return b.tab.await(ctx, func() bool { return b.tab.loader == made.LoaderID })
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// blankPage asks for no icon.
const blankPage = "<!doctype html><link rel=icon href=data:,>"

const (
	tooLong = "too long" // what the scripts return instead of JSON
	// beginSession fills the sessionStorage of a tab that has none of its origin yet.
	beginSession = `all => {
	if (window !== top || !all[location.origin] || sessionStorage.length) return;
	for (const [key, value] of all[location.origin]) sessionStorage.setItem(key, value);
}`
)
