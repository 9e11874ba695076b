package browser

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"
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
