package fetch

import (
	"context"
	"errors"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// origin is the source of the address of a request, for [Options.Provenance].
type origin uint8

const (
	related origin = iota // it belongs to a known domain
	known                 // it was given itself
	ourOwn                // robots.txt: it needs no source, and its redirects give none
)

// judgeOrigin checks the source of the address of a request.
func (c *Client) judgeOrigin(ctx context.Context, req *Request) error {
	l := c.options.Provenance
	if !req.InPlaceOf.IsZero() {
		page := Request{URL: req.InPlaceOf, Given: req.Given}
		if _, err := c.options.Judge(page.URL); err != nil {
			return Refused(page.URL.WithoutUserinfo().String(), err)
		}
		if err := c.judgeOrigin(ctx, &page); err != nil {
			return err
		}
		if weburl.SameSite(req.URL, page.URL) {
			return nil // made of an address that may be read
		}
	} else if req.Given {
		l.Give(ctx, req.URL)
	}
	if err := l.Judge(ctx, req.URL); err != nil {
		return Refused(req.URL.WithoutUserinfo().String(), err)
	}
	if l.Knows(ctx, req.URL) {
		req.origin = known
	}
	return nil
}

// Reopen reports whether a page that was read before may be shown again: whether
// the policy and Options.Provenance allow its address, and the policy each address
// of the redirects to it, as it allows a cached response. hops are the addresses
// that were requested, in order; given means that of [Request]. The error is an
// *Error.
func (c *Client) Reopen(ctx context.Context, hops []string, given bool) error {
	all, err := c.judgeHops(hops)
	if err != nil {
		return err
	}
	for _, u := range all[:min(len(all), 1)] {
		if err := c.judgeOrigin(ctx, &Request{URL: u, Given: given}); err != nil {
			return err
		}
	}
	return nil
}

// judgeHops has the policy judge the addresses that led to a stored response. Each
// has to be one that would be requested today, unchanged.
func (c *Client) judgeHops(hops []string) ([]weburl.URL, error) {
	out := make([]weburl.URL, 0, len(hops))
	for _, hop := range hops {
		u, err := weburl.Parse(hop)
		if err != nil {
			return nil, &Error{Code: InvalidURL, URL: hop, Cause: err, cause: "the address is not valid"}
		}
		judged, err := c.options.Judge(u)
		if err != nil {
			return nil, Refused(u.WithoutUserinfo().String(), err)
		}
		if judged.String() != hop {
			return nil, Refused(u.WithoutUserinfo().String(), errOther)
		}
		out = append(out, u)
	}
	return out, nil
}

var errOther = errors.New("the policy requests another address in its place now")
