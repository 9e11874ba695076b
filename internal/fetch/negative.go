package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"github.com/spyhop-dev/spyhop/internal/lru"
)

// This file remembers failures for a short time: models request the same dead
// address repeatedly, and a hint helps them more than the same failure.

const (
	// defaultNegativeTTL is how long a failure is remembered.
	defaultNegativeTTL = time.Minute
	maxFailures        = 1024
)

type failures struct {
	ttl time.Duration // 0: nothing is remembered

	mu  sync.Mutex
	all *lru.Map[requestKey, pastFailure]
}

type pastFailure struct {
	err   Error // without Response and Cause, which can be large
	at    time.Time
	until time.Time
}

func newFailures(ttl time.Duration) *failures {
	if ttl == 0 {
		ttl = defaultNegativeTTL
	}
	return &failures{ttl: max(ttl, 0), all: lru.New[requestKey, pastFailure](maxFailures)}
}

// remembered gets a request, unless a remembered failure answers it.
func (c *Client) remembered(ctx context.Context, req Request) (*Response, error) {
	key := req.key()
	if !req.Fresh {
		if e := c.failures.get(key); e != nil {
			return nil, e
		}
	}
	res, err := c.joined(ctx, req)
	c.failures.put(key, err)
	return res, err
}

// get returns the remembered failure of a request, or nil.
func (f *failures) get(key requestKey) *Error {
	f.mu.Lock()
	defer f.mu.Unlock()
	known, ok := f.all.Get(key)
	if !ok {
		return nil
	}
	now := time.Now()
	if !now.Before(known.until) {
		f.all.Delete(key)
		return nil
	}
	e := known.err
	e.Remembered = true
	e.Hint = fmt.Sprintf("this failed %.0f seconds ago and is not asked again for %.0f: %s",
		now.Sub(known.at).Seconds(), known.until.Sub(now).Seconds(), e.instead())
	return &e
}

// put remembers a failure; a success removes it.
func (f *failures) put(key requestKey, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var e *Error
	if !errors.As(err, &e) {
		f.all.Delete(key)
		return
	}
	ttl := f.lasts(e)
	if ttl == 0 || e.Remembered {
		return
	}
	now := time.Now()
	kept := *e
	kept.Response, kept.Cause = nil, nil
	f.all.Put(key, pastFailure{kept, now, now.Add(ttl)})
}

// lasts returns how long a failure is remembered: 0 where another try can
// succeed at once, and for decisions of the caller and of the policy.
func (f *failures) lasts(e *Error) time.Duration {
	switch e.Code {
	case HTTPError:
		if e.Status >= 500 || e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooEarly || e.Status == http.StatusTooManyRequests {
			// The failure can be temporary, and the caller is told so; Retry-After says
			// for how long.
			return min(e.RetryAfter, f.ttl)
		}
		return f.ttl
	case TLSError, TooManyRedirects:
		return f.ttl
	case ConnectionError:
		var dns *net.DNSError
		if errors.As(e.Cause, &dns) && dns.IsNotFound || errors.Is(e.Cause, syscall.ECONNREFUSED) {
			return f.ttl
		}
	}
	return 0
}

// instead says what to do instead of the same call.
func (e *Error) instead() string {
	switch {
	case e.Code == HTTPError:
		switch e.Status {
		case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusUnavailableForLegalReasons:
			return "the site shows this page only to some visitors; look for another source"
		case http.StatusNotFound, http.StatusGone:
			return "search for the page, or begin at the site's front page"
		}
		if e.RetryAfter > 0 {
			return "wait, or look for another source"
		}
		return "look for another source"
	case e.Code == TLSError:
		return "the site cannot be reached safely; look for another source"
	case e.Code == TooManyRedirects:
		return "try another address of the site"
	}
	return "check the spelling of the host, or look for another source"
}
