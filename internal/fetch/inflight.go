package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
)

// Equal requests in flight are one.

// requestKey is a hash of everything that decides about the response.
type requestKey [sha256.Size]byte

func (r *Request) key() requestKey {
	h := sha256.New()
	write := func(parts ...string) {
		for _, s := range parts {
			var n [8]byte
			binary.BigEndian.PutUint64(n[:], uint64(len(s)))
			h.Write(n[:])
			h.Write([]byte(s))
		}
	}
	var numbers [12]byte
	binary.BigEndian.PutUint64(numbers[:], uint64(r.MaxBytes))
	numbers[8] = byte(r.Redirects)
	if r.Robots {
		numbers[9] = 1
	}
	if r.Opaque {
		numbers[9] |= 1 << 7
	}
	if r.NoCookies {
		numbers[9] |= 1 << 6
	}
	numbers[9] |= byte(r.origin) << 1
	numbers[10], numbers[11] = byte(r.maxRedirects), byte(r.maxRedirects>>8)
	write(r.URL.String(), string(numbers[:]))
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		write(name)
		write(r.Header[name]...)
		write("") // separates values from the next name
	}
	if r.Jar != nil {
		write("jar", r.Jar.id)
	}
	if a := r.Auth; a != nil {
		write("auth", a.Username, a.Password, a.Bearer)
		for _, c := range a.Cookies {
			write(c.Name, c.Value, c.Domain)
		}
		if a.Login != nil {
			write("login", a.Login.Fingerprint())
		}
	}
	return requestKey(h.Sum(nil))
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
		g := &call{client: c, req: req, ctx: own, started: time.Now(), jar: req.Jar}
		if g.jar == nil && !req.NoCookies && !c.options.NoCookies {
			g.jar = new(Jar)
		}
		res, err := g.run()
		if res != nil {
			res.saved = new(savings)
		}
		return res, err
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

// savings are the keys under which a response was stored. The calls that share a
// response share them, so that one of them stores it. Nil stores nothing twice, because
// no other call has the response.
type savings struct {
	mu   sync.Mutex
	keys map[[sha256.Size]byte]bool
}

// first reports whether a key was not there yet, and adds it.
func (s *savings) first(key [sha256.Size]byte) bool {
	if s == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys[key] {
		return false
	}
	if s.keys == nil {
		s.keys = make(map[[sha256.Size]byte]bool)
	}
	s.keys[key] = true
	return true
}
