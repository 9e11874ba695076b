package fetch

import "github.com/spyhop-dev/spyhop/internal/weburl"

// origin is the source of the address of a request, for [Options.Provenance].
type origin uint8

const (
	related origin = iota // it belongs to a known domain
	known                 // it was given itself
	ourOwn                // robots.txt: it needs no source, and its redirects give none
)

// judgeOrigin checks the source of the address of a request.
func (c *Client) judgeOrigin(req *Request) error {
	l := c.options.Provenance
	if !req.InPlaceOf.IsZero() {
		page := Request{URL: req.InPlaceOf, Given: req.Given}
		if _, err := c.options.Judge(page.URL); err != nil {
			return refused(page.URL.WithoutUserinfo().String(), err)
		}
		if err := c.judgeOrigin(&page); err != nil {
			return err
		}
		if weburl.SameSite(req.URL, page.URL) {
			return nil // made of an address that may be read
		}
	} else if req.Given {
		l.Give(req.URL)
	}
	if err := l.Judge(req.URL); err != nil {
		return refused(req.URL.WithoutUserinfo().String(), err)
	}
	if l.Knows(req.URL) {
		req.origin = known
	}
	return nil
}

// judgeNext checks the target of a redirect. Within a domain it is allowed: the
// server learns nothing from an address that it made. From a known address every
// target is allowed, and becomes known. From another address, the target has to
// be one that could be read by itself.
func (g *call) judgeNext(from, next weburl.URL) error {
	l := g.client.options.Provenance
	switch {
	case g.req.origin == known:
		l.Give(next)
	case g.req.origin == related && !weburl.SameSite(from, next):
		if err := l.Judge(next); err != nil {
			return refused(next.WithoutUserinfo().String(), err)
		}
	}
	return nil
}
