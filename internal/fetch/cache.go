package fetch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file is a private cache (RFC 9111) with one difference: a response is
// fresh for a fixed time, whatever its headers say, because a caller that reads
// on in a page, or reads it in another mode, expects the same page. no-store is
// obeyed, and a stale response is validated.

// defaultCacheTTL is how long an answer is fresh.
const defaultCacheTTL = 15 * time.Minute

const (
	// cacheFormat is part of every key. It changes with [stored] and with the
	// conversion of bodies, so that older entries are not found.
	cacheFormat = "2"
	// A stale answer with a validator is worth keeping; one without is of use
	// only to a caller whose MaxAge is longer than the TTL.
	keepValidated = 30 * 24 * time.Hour
	keepOthers    = 24 * time.Hour
)

// responseStore keeps the entries of a [Cache]. Its methods return no error: an entry
// that cannot be kept or read is a cache miss.
type responseStore interface {
	// Load returns what was saved under a key; the caller may change it.
	Load(ctx context.Context, key [sha256.Size]byte) (meta, body []byte, ok bool)
	// Save keeps meta and body for at most keep; nobody changes the slices afterwards.
	// Later calls for the key see the entry.
	Save(ctx context.Context, key [sha256.Size]byte, meta, body []byte, keep time.Duration)
	// Refresh replaces meta and keep of the entry under a key.
	Refresh(ctx context.Context, key [sha256.Size]byte, meta []byte, keep time.Duration)
	Remove(ctx context.Context, key [sha256.Size]byte)
}

// CacheOptions configure a [Cache].
type CacheOptions struct {
	// Store keeps the answers. Required.
	Store responseStore
	// TTL is how long an answer is fresh; 0 means defaultCacheTTL.
	TTL time.Duration
	// Scope names the settings that decide about responses, for example the
	// private networks that may be reached and the upstream proxy. Entries of
	// another scope are not used.
	Scope string
}

// Cache gets addresses, and uses stored responses where it may. It is safe for
// concurrent use.
//
// An answer is kept for the URL without its fragment and for the caller's own
// headers and credentials, of which only a hash is stored. It is given out only
// while the policy allows each hop that led to it. Answers with no-store on any
// hop, with a status other than 2xx, and those that broke off are not kept;
// requests with conditions of their own (If-None-Match and the like) or with
// Cache-Control: no-store go past the cache.
type Cache struct {
	client  *Client
	options CacheOptions
}

// NewCache returns a Cache in front of a Client.
func NewCache(c *Client, o CacheOptions) (*Cache, error) {
	if c == nil || o.Store == nil {
		return nil, errors.New("fetch: a cache needs a client and a store")
	}
	if o.TTL <= 0 {
		o.TTL = defaultCacheTTL
	}
	return &Cache{client: c, options: o}, nil
}

// Get is [Client.Get] with a cache; [Response.Cached] reports a cache hit.
func (c *Cache) Get(ctx context.Context, req Request) (*Response, error) {
	started := time.Now()
	key, ok := c.key(ctx, req)
	if !ok {
		return c.client.Get(ctx, req)
	}
	if err := c.client.judgeOrigin(ctx, &req); err != nil {
		return nil, err
	}
	s, body, ok := c.load(ctx, key, req)
	if ok && s.freshFor(req.maxAge(c.options.TTL), time.Now()) {
		return s.response(req, body), nil
	}
	ctx, stop := c.client.bound(ctx, started, &req)
	defer stop()
	if ok && s.validates() {
		res, err := c.client.Get(ctx, s.condition(req))
		switch {
		case err != nil:
			c.forget(ctx, key, err)
			return nil, err
		case res.Status != http.StatusNotModified:
			c.save(ctx, key, req, res)
			return res, nil
		case s.confirmedBy(res):
			s.refresh(res)
			c.refresh(ctx, key, s, res)
			return s.response(req, body), nil
		}
		// The 304 is about another response: request without a condition.
	}
	res, err := c.client.Get(ctx, req)
	if err != nil {
		c.forget(ctx, key, err)
		return nil, err
	}
	c.save(ctx, key, req, res)
	return res, nil
}

// Lookup returns the fresh answer that Store has put there for a request, if the
// policy still allows the way to it. The site is never asked.
func (c *Cache) Lookup(ctx context.Context, req Request) (*Response, bool) {
	key, ok := c.key(ctx, req)
	if !ok || c.client.judgeOrigin(ctx, &req) != nil {
		return nil, false
	}
	s, body, ok := c.load(ctx, key, req)
	if !ok || !s.freshFor(req.maxAge(c.options.TTL), time.Now()) {
		return nil, false
	}
	return s.response(req, body), true
}

// Store keeps an answer that another component has made of an address, which
// Request.Variant names. Only Lookup returns it, to requests with the
// same headers and credentials.
func (c *Cache) Store(ctx context.Context, req Request, res *Response) {
	if key, ok := c.key(ctx, req); ok && req.Variant != "" {
		c.save(ctx, key, req, res)
	}
}

// maxAge is how old a stored response may be without asking the site.
func (q *Request) maxAge(ttl time.Duration) time.Duration {
	if q.MaxAge != nil {
		return *q.MaxAge
	}
	return ttl
}

// key is a hash of all that decides about an answer. ok is false for a request
// that the cache has no part in; that may be one that fails.
func (c *Cache) key(ctx context.Context, req Request) (key [sha256.Size]byte, ok bool) {
	if req.URL.IsZero() || req.Auth.check() != nil {
		return key, false
	}
	header, err := callerHeader(req.Header)
	if err != nil || hasDirective(header, "no-store") {
		return key, false
	}
	for _, name := range []string{"If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"} {
		if header[name] != nil {
			return key, false
		}
	}
	u, err := c.client.options.Judge(req.URL)
	if err != nil {
		return key, false
	}
	d := digest{sha256.New()}
	o := &c.client.options
	d.text(cacheFormat, c.options.Scope, u.WithoutFragment().String(), o.UserAgent, req.Variant)
	d.numbers(cmp.Or(max(req.MaxBytes, 0), o.MaxBytes), o.MaxDocumentBytes)
	d.flags(req.Opaque, req.NoCookies)
	d.header(header)
	d.auth(req.Auth)
	// What was read with credentials stays with its principal; without, it is shared.
	if name := principal.Of(ctx).Keys(); name != principal.Local && (req.Auth != nil || !isShared(header)) {
		d.text("principal", name)
	}
	d.Sum(key[:0])
	return key, true
}

// isShared reports whether request headers are only those that every caller may set:
// no other can be a credential.
func isShared(h http.Header) bool {
	for name := range h {
		switch name {
		case "Accept", "Accept-Language", "Cache-Control", "Pragma", "Referer", "User-Agent":
		default:
			return false
		}
	}
	return true
}

// stored is what is kept of an answer beside its body, as JSON.
type stored struct {
	Hops []string
	// Fragment is that of the final URL where a redirect gave it one.
	Fragment string `json:",omitempty"`
	Redirect string `json:",omitempty"`
	// Crosses says that a redirect leads to another host; then the answer is
	// only for requests with the same mode.
	Crosses bool         `json:",omitempty"`
	Mode    RedirectMode `json:",omitempty"`

	Status                           int
	Header                           http.Header
	MediaType, DeclaredType, Charset string
	DecodedBytes, DeclaredBytes      int64
	Judged                           bool   `json:",omitempty"`
	Truncated                        bool   `json:",omitempty"`
	TruncatedWhy                     string `json:",omitempty"`
	// Fetched is when it came or was last found to be current.
	Fetched time.Time

	hops     []weburl.URL
	redirect weburl.URL
}

// load returns what is kept for a request, if the policy still allows the way
// to it.
func (c *Cache) load(ctx context.Context, key [sha256.Size]byte, req Request) (*stored, []byte, bool) {
	if req.Fresh {
		return nil, nil, false
	}
	meta, body, ok := c.options.Store.Load(ctx, key)
	if !ok {
		return nil, nil, false
	}
	s := new(stored)
	if json.Unmarshal(meta, s) != nil || len(s.Hops) == 0 || s.Crosses && s.Mode != req.Redirects {
		return nil, nil, false
	}
	var err error
	if s.hops, err = c.client.judgeHops(s.Hops); err != nil {
		return nil, nil, false
	}
	if s.Redirect != "" {
		if s.redirect, err = weburl.Parse(s.Redirect); err != nil {
			return nil, nil, false
		}
		if _, err := c.client.options.Judge(s.redirect); err != nil {
			return nil, nil, false
		}
	}
	return s, body, true
}

// save keeps an answer that may be kept, and removes what was kept before
// where it may not.
func (c *Cache) save(ctx context.Context, key [sha256.Size]byte, req Request, res *Response) {
	if res.Shared && req.Variant == "" { // the call that has asked stores it
		return
	}
	if res.noStore {
		c.options.Store.Remove(ctx, key)
		return
	}
	// Without a condition of ours, 304 has no content; 206 was not requested.
	if res.incomplete || len(res.Hops) == 0 || res.Redirect.IsZero() && (res.Status >= 300 || res.Status == http.StatusPartialContent) {
		return
	}
	s := &stored{
		Crosses: !res.Redirect.IsZero(), Mode: req.Redirects,
		Status: res.Status, Header: keptHeader(res.Header),
		MediaType: res.MediaType, DeclaredType: res.DeclaredType, Charset: res.Charset,
		DecodedBytes: res.DecodedBytes, DeclaredBytes: res.DeclaredBytes,
		Judged: res.Judged, Truncated: res.Truncated, TruncatedWhy: res.TruncatedWhy,
		Fetched: res.FetchedAt,
	}
	for i, u := range res.Hops {
		s.Hops = append(s.Hops, u.String())
		s.Crosses = s.Crosses || i > 0 && !weburl.SameHost(res.Hops[i-1], u)
	}
	s.setFragments(req, res)
	if meta, err := json.Marshal(s); err == nil {
		c.options.Store.Save(ctx, key, meta, res.Body, s.keep(c.options.TTL))
	}
}

// setFragments keeps the fragments that differ from that of the request: a key has none.
func (s *stored) setFragments(req Request, res *Response) {
	own := req.URL.Fragment()
	if f := res.URL.Fragment(); f != own {
		s.Fragment = f
	}
	switch to := res.Redirect; {
	case to.IsZero():
	case to.Fragment() == own:
		s.Redirect = to.WithoutFragment().String()
	default:
		s.Redirect = to.String()
	}
}

// refresh keeps what a 304 has changed.
func (c *Cache) refresh(ctx context.Context, key [sha256.Size]byte, s *stored, res *Response) {
	if res.noStore {
		c.options.Store.Remove(ctx, key)
		return
	}
	if meta, err := json.Marshal(s); err == nil {
		c.options.Store.Refresh(ctx, key, meta, s.keep(c.options.TTL))
	}
}

// forget removes an answer whose page is gone.
func (c *Cache) forget(ctx context.Context, key [sha256.Size]byte, err error) {
	var e *Error
	if errors.As(err, &e) && (e.Status == http.StatusNotFound || e.Status == http.StatusGone) {
		c.options.Store.Remove(ctx, key)
	}
}

func (s *stored) keep(ttl time.Duration) time.Duration {
	if s.validates() {
		return max(ttl, keepValidated)
	}
	return max(ttl, keepOthers)
}

// freshFor reports whether the answer is younger than age. One from the future
// is not: the clock was set back.
func (s *stored) freshFor(age time.Duration, now time.Time) bool {
	is := now.Sub(s.Fetched)
	return is >= 0 && is < age
}

// validates reports whether the site can be asked for changes.
func (s *stored) validates() bool {
	return s.Redirect == "" && (s.Header.Get("Etag") != "" || s.Header.Get("Last-Modified") != "")
}

// condition returns the request for changes (RFC 9111 section 4.3.1). The
// conditions go only to the origin of the first hop, like all headers of the
// caller; another origin answers in full.
func (s *stored) condition(req Request) Request {
	header := req.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if etag := s.Header.Get("Etag"); etag != "" {
		header.Set("If-None-Match", etag)
	}
	if modified := s.Header.Get("Last-Modified"); modified != "" {
		header.Set("If-Modified-Since", modified)
	}
	req.Header = header
	return req
}

// confirmedBy reports whether a 304 speaks of this answer: of its address, and
// of its entity tag where it names one (RFC 9111 section 4.3.4).
func (s *stored) confirmedBy(res *Response) bool {
	if res.URL.WithoutFragment().String() != s.Hops[len(s.Hops)-1] {
		return false
	}
	tag := res.Header.Get("Etag")
	return tag == "" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(s.Header.Get("Etag"), "W/")
}

// refresh takes over what a 304 says (RFC 9111 section 3.2).
func (s *stored) refresh(res *Response) {
	for name, values := range keptHeader(res.Header) {
		switch name {
		case "Content-Length", "Content-Encoding", "Content-Type", "Content-Range":
		default:
			s.Header[name] = values
		}
	}
	s.Fetched = res.FetchedAt
	s.hops, s.Hops = res.Hops, s.Hops[:0]
	for _, u := range res.Hops {
		s.Hops = append(s.Hops, u.String())
	}
}

// response makes the answer to a request.
func (s *stored) response(req Request, body []byte) *Response {
	if s.Redirect != "" {
		body = nil
	}
	fragment := cmp.Or(s.Fragment, req.URL.Fragment())
	return &Response{
		URL: withFragment(s.hops[len(s.hops)-1], fragment), Redirect: s.redirected(fragment), Hops: s.hops,
		Status: s.Status, Header: s.Header,
		MediaType: s.MediaType, DeclaredType: s.DeclaredType, Charset: s.Charset, Body: body,
		DecodedBytes: s.DecodedBytes, DeclaredBytes: s.DeclaredBytes,
		Judged: s.Judged, Truncated: s.Truncated, TruncatedWhy: s.TruncatedWhy,
		FetchedAt: s.Fetched, Cached: true,
	}
}

// redirected is where the answer leads; the fragment goes along where the
// redirect has none (RFC 9110 section 10.2.2).
func (s *stored) redirected(fragment string) weburl.URL {
	if s.Redirect == "" || s.redirect.Fragment() != "" {
		return s.redirect
	}
	return withFragment(s.redirect, fragment)
}

func withFragment(u weburl.URL, fragment string) weburl.URL {
	if fragment == "" {
		return u
	}
	if with, err := u.Resolve("#" + fragment); err == nil {
		return with
	}
	return u
}

// keptHeader returns the headers that may be stored (RFC 9111 section 3.1),
// without cookies, because readers of the cache must not get them.
func keptHeader(h http.Header) http.Header {
	out := h.Clone()
	if out == nil {
		return http.Header{}
	}
	for _, line := range h["Connection"] {
		for name := range strings.SplitSeq(line, ",") {
			out.Del(strings.Trim(name, " \t"))
		}
	}
	for _, name := range []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Connection",
		"Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Set-Cookie", "Set-Cookie2"} {
		delete(out, name)
	}
	return out
}

// hasDirective reports whether Cache-Control holds a directive, given in lower
// case (RFC 9111 section 5.2). A comma in a quoted argument does not end one.
func hasDirective(h http.Header, name string) bool {
	for _, line := range h["Cache-Control"] {
		for line != "" {
			i, quoted := 0, false
			for i < len(line) && (quoted || line[i] != ',') {
				switch {
				case quoted && line[i] == '\\':
					i++
				case line[i] == '"':
					quoted = !quoted
				}
				i++
			}
			i = min(i, len(line))
			directive, _, _ := strings.Cut(line[:i], "=")
			if strings.EqualFold(strings.Trim(directive, " \t"), name) {
				return true
			}
			line = line[min(i+1, len(line)):]
		}
	}
	return false
}
