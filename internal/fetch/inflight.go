package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
)

// Equal requests in flight are one.

// requestKey is a hash of everything that decides about the response.
type requestKey [sha256.Size]byte

func (r *Request) key() requestKey {
	d := digest{sha256.New()}
	d.text(r.URL.String())
	d.numbers(r.MaxBytes, int64(r.Redirects), int64(r.origin), int64(r.maxRedirects))
	d.flags(r.Robots, r.Opaque, r.NoCookies)
	d.header(r.Header)
	if r.Jar != nil {
		d.text("jar", r.Jar.id)
	}
	d.auth(r.Auth)
	return requestKey(d.Sum(nil))
}

// digest is a hash of values, each with its length.
type digest struct{ hash.Hash }

func (d digest) numbers(all ...int64) { _ = binary.Write(d, binary.BigEndian, all) } // a hash does not fail
func (d digest) flags(all ...bool)    { _ = binary.Write(d, binary.BigEndian, all) }

func (d digest) text(parts ...string) {
	for _, s := range parts {
		d.numbers(int64(len(s)))
		_, _ = io.WriteString(d, s)
	}
}

func (d digest) header(h http.Header) {
	d.numbers(int64(len(h)))
	for _, name := range slices.Sorted(maps.Keys(h)) {
		d.text(name)
		d.numbers(int64(len(h[name])))
		d.text(h[name]...)
	}
}

func (d digest) auth(a *Auth) {
	if a == nil {
		return
	}
	d.text("auth", a.Username, a.Password, a.Bearer)
	for _, c := range a.Cookies {
		d.text(c.Name, c.Value, c.Domain)
	}
	if a.Login != nil {
		d.text("login", a.Login.Fingerprint())
	}
}

// undated is a context that hides its deadline. A dialer sets a timer by the
// deadline that it sees when it begins, and would miss a later one; the end of
// the context is enough for it.
type undated struct{ context.Context }

func (undated) Deadline() (time.Time, bool) { return time.Time{}, false }

// joined gets a request, together with the equal ones in flight.
func (c *Client) joined(ctx context.Context, req Request) (*Response, error) {
	admission.Pause(ctx)
	res, shared, err := c.inflight.Do(ctx, req.key(), func(own context.Context) (*Response, error) {
		g := &call{client: c, req: req, ctx: own, jar: req.Jar}
		if g.jar == nil && !req.NoCookies && !c.options.NoCookies {
			g.jar = new(Jar)
		}
		return g.run()
	})
	var e *Error
	if err != nil && !errors.As(err, &e) {
		err = left(req.URL.WithoutUserinfo(), err)
	}
	if res != nil {
		mine := *res
		mine.Shared = shared
		res = &mine
	}
	return res, err
}
