package browser

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// Cookie is a cookie without its value, which is never shown.
type Cookie struct {
	Name, Domain, Path string
	// Expires is zero for one that ends with the context.
	Expires time.Time
}

// NewCookie is a cookie to set.
type NewCookie struct {
	// URL is an address that it is for.
	URL         string
	Name, Value string
}

// Cookies lists those of a context, of a domain where one is given.
func (b *Browser) Cookies(ctx context.Context, at Place, domain string) ([]Cookie, error) {
	var out []Cookie
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, p *profile, _ *tab) error {
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
	return out, err
}

// SetCookie sets one for an address that the policy allows.
func (b *Browser) SetCookie(ctx context.Context, at Place, c NewCookie) error {
	u, err := weburl.ParseLenient(c.URL)
	if err != nil {
		return tool.NewError(tool.InvalidInput, fmt.Sprintf("a cookie needs the address that it is for: %v", err), "give url")
	}
	u, d := b.options.Guard.Judge(u)
	if !d.Allowed {
		return refusal(u.WithoutUserinfo().String(), d.Err())
	}
	return b.on(ctx, at, b.options.Timeout, func(ctx context.Context, p *profile, _ *tab) error {
		err := do(ctx, p.engine.root, storage.SetCookies, storage.SetCookiesParams{BrowserContextID: p.id,
			Cookies: []*network.CookieParam{{Name: c.Name, Value: c.Value, URL: u.String(), Secure: u.Scheme() == "https"}}})
		if refused(err) {
			// The cause could show the value.
			return tool.NewError(tool.InvalidInput, fmt.Sprintf("the cookie %q cannot be set", cut(c.Name, 100)), "")
		}
		return err
	})
}

// ClearCookies removes all of a context.
func (b *Browser) ClearCookies(ctx context.Context, at Place) error {
	return b.on(ctx, at, b.options.Timeout, func(ctx context.Context, p *profile, _ *tab) error {
		return do(ctx, p.engine.root, storage.ClearCookies, storage.ClearCookiesParams{BrowserContextID: p.id})
	})
}
