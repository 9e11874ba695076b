package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/inflight"
	"github.com/spyhop-dev/spyhop/internal/provenance"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// The defaults of [Options], and the limits that no option changes.
const (
	// DefaultMaxBytes bounds a text, in bytes after content decoding.
	DefaultMaxBytes = 5 << 20
	// defaultMaxDocumentBytes bounds a document that needs its end: PDF and
	// everything that is a zip file.
	defaultMaxDocumentBytes = 32 << 20
	// DefaultTimeout bounds a whole call with all of its hops.
	DefaultTimeout = 30 * time.Second
	// defaultMaxRedirects is the number of redirects that a call follows.
	defaultMaxRedirects = 10

	maxErrorBodyBytes = 256 << 10 // of a response with status 400 or above
	maxOpaqueBytes    = 64 << 10  // of content that is neither text nor a document
	maxLocationBytes  = 8 << 10
	maxAnyBytes       = 1 << 40 // in place of a limit that nothing reaches
	maxInterim        = 5       // 1xx answers before the real one
	maxConnections    = 5       // of one request: package net/http asks again on a new one
)

// Options configure a [Client]. The zero value of each field but the first two
// is the documented default.
type Options struct {
	// RoundTripper sends a single request. Required. It must not follow
	// redirects, decode bodies, or keep cookies, and it bounds the size of
	// response headers.
	RoundTripper http.RoundTripper
	// Judge says whether a URL may be requested, and returns the URL to be used
	// for it, which may be the same address with https for http. Required. Its
	// error is the Cause of an [Error] with Code [Blocked]; a method
	// BlockedByPolicy() (rule, reason, hint string) in its chain gives the words.
	Judge func(weburl.URL) (weburl.URL, error)
	// UserAgent is sent with each request. Empty means
	// DefaultUserAgent(""), which names no version.
	UserAgent string
	// MaxBytes bounds a text in bytes after content decoding; a longer one is
	// read up to there. 0 means DefaultMaxBytes.
	MaxBytes int64
	// MaxDocumentBytes bounds a PDF or zip-based document; a longer one is
	// [TooLarge]. 0 means defaultMaxDocumentBytes.
	MaxDocumentBytes int64
	// Timeout bounds a whole call. 0 means DefaultTimeout.
	Timeout time.Duration
	// Room waits until so many bytes of a body may be in memory; done says that the
	// body has been read. Bodies of up to 256 kB need none. Where it fails, what came
	// of a text so far is the answer, marked as cut. Nil means that there is always room.
	Room func(ctx context.Context, bytes int) (done func(), err error)
	// MaxRedirects is the number of redirects that are followed in a call.
	// 0 means defaultMaxRedirects; negative means none.
	MaxRedirects int
	// HostConcurrency bounds the requests to one site at a time: a registrable
	// domain, or an address and port. 0 means defaultHostConcurrency; negative
	// means no bound.
	HostConcurrency int
	// HostRate bounds the requests to one site per second; after a rest, two
	// seconds' worth may start at once. 0 means DefaultHostRate; negative means
	// no bound.
	HostRate float64
	// NegativeTTL is how long the client remembers a failure that the same
	// request would meet again. 0 means defaultNegativeTTL; negative means not at all.
	NegativeTTL time.Duration
	// NoCookies sends back no cookie that a server has set, as if each Request said so.
	NoCookies bool
	// Robots asks robots.txt before every request, as if each Request said so.
	Robots bool
	// Provenance says which addresses may be read because of their source; nil
	// means that the source does not matter. The target of a redirect from a given
	// address counts as given.
	Provenance *provenance.Ledger
	// Observe gets the events of each call; nil means that nothing does. It must
	// not block, and must be safe for concurrent use. The events of one call come
	// in order and before Get returns, except when a call leaves a request that
	// other calls wait for too.
	Observe func(Event)
}

// Client gets addresses. It is safe for concurrent use and holds nothing that
// needs closing.
type Client struct {
	options  Options
	limits   limits
	pace     *pace
	inflight inflight.Group[requestKey, *Response]
	failures *failures
	robots   *robots
}

// limits are the limits that options do not change. Tests set smaller ones. None
// of them is a time: each wait within a call lasts as long as the call has time
// left.
type limits struct {
	ratio     int64 // decoded bytes per wire byte …
	ratioFrom int64 // … after so many decoded bytes
}

func defaultLimits() limits { return limits{ratio: 100, ratioFrom: 1 << 20} }

// New returns a Client. It fails only when a required option is missing or a
// number is negative.
func New(o Options) (*Client, error) {
	switch {
	case o.RoundTripper == nil:
		return nil, errors.New("fetch: Options.RoundTripper is missing")
	case o.Judge == nil:
		return nil, errors.New("fetch: Options.Judge is missing")
	case o.MaxBytes < 0 || o.MaxDocumentBytes < 0 || o.Timeout < 0:
		return nil, errors.New("fetch: a limit in Options is negative")
	}
	if o.UserAgent == "" {
		o.UserAgent = DefaultUserAgent("")
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.MaxDocumentBytes == 0 {
		o.MaxDocumentBytes = defaultMaxDocumentBytes
	}
	o.MaxDocumentBytes = min(o.MaxDocumentBytes, maxAnyBytes)
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxRedirects == 0 {
		o.MaxRedirects = defaultMaxRedirects
	}
	return &Client{
		options: o, limits: defaultLimits(),
		pace: newPace(o), failures: newFailures(o.NegativeTTL), robots: newRobots(),
	}, nil
}

// RedirectMode says which redirects are followed.
type RedirectMode uint8

const (
	// SameHost follows redirects within a host, where a leading "www." and the
	// scheme make no difference, and reports others in Response.Redirect.
	SameHost RedirectMode = iota
	// Follow follows all redirects.
	Follow
)

// Request is one address to get. The zero value of each field but URL is the
// default.
type Request struct {
	// URL is the address; a fragment is kept for the answer and not sent.
	URL weburl.URL
	// Header holds further request headers, filtered by the caller. Headers of
	// the connection (Host, Content-Length and the like), Accept-Encoding and
	// Range are dropped. They are sent only to the origin of URL; Accept and
	// Accept-Language also follow redirects within the host.
	Header http.Header
	// Redirects says which redirects are followed.
	Redirects RedirectMode
	// Timeout bounds the call from its arrival to its answer, with all of its
	// hops, waits and retries; 0 means Options.Timeout. The context's deadline
	// holds as well.
	Timeout time.Duration
	// MaxBytes replaces Options.MaxBytes; 0 means that one.
	MaxBytes int64
	// Opaque reads content that is neither text nor a document, such as a compressed
	// file, up to MaxBytes. Without it only the head of such content is read.
	Opaque bool
	// Auth holds the caller's credentials for the origin of URL. May be nil.
	Auth *Auth
	// Jar contains the cookies that servers have set in earlier calls of one crawl, and
	// takes further ones; nil means that this call has cookies of its own. NoCookies sends
	// back none.
	Jar       *Jar
	NoCookies bool
	// Robots asks robots.txt (RFC 9309) before each hop.
	Robots bool
	// Given says that a person gave the URL, for Options.Provenance.
	Given bool
	// InPlaceOf is the page that URL replaces, for example by a site's API; zero
	// if none exists. The policy has to allow that page too. For a URL of the
	// same registrable domain, Given and Options.Provenance refer to that page.
	InPlaceOf weburl.URL
	// MaxAge is how old an answer of a [Cache] may be without asking the site;
	// nil means its TTL.
	MaxAge *time.Duration
	// Fresh requests everything from the site again: neither a stored response
	// nor a remembered failure is used.
	Fresh bool
	// Variant names another component that made the stored answer, for example
	// a browser; empty for the response of the site. For [Cache].
	Variant string

	origin       origin
	maxRedirects int // from Options; robots.txt has its own
}

// Response is the result of a call.
type Response struct {
	// URL is the address that answered, after upgrade and redirects, with the
	// fragment that applies.
	URL weburl.URL
	// Redirect is the target of a redirect that was not followed; then Body is
	// nil. Zero in other cases. The policy allows it.
	Redirect weburl.URL
	// Shared says that an equal request of another call was in flight, and that
	// this is its response. Hops, Header and Body are those of the other call's
	// Response and must not be changed.
	Shared bool

	// Hops are the addresses that were requested, in order; the last one is URL.
	Hops []weburl.URL
	// Status is the HTTP status: 200 to 299, 304, or 3xx without a target.
	// In [Error.Response] it is 400 and above.
	Status int
	// Header is that of the last answer. It must not be changed.
	Header http.Header
	// MediaType is the type of Body, in lower case and without parameters,
	// decided from what was declared and from the bytes. Never empty.
	MediaType string
	// DeclaredType is the type in the Content-Type header, in the same form;
	// empty when the header is missing or malformed.
	DeclaredType string
	// Charset is the WHATWG name of the encoding that Body was converted from;
	// empty for types that are not text.
	Charset string
	// Body is the body after content decoding. For text types it is valid UTF-8
	// without NUL (replaced by U+FFFD) and without byte order mark, and can be up
	// to three times as long as the bytes that were read. For other types it holds
	// the bytes as they came. It must not be changed.
	Body []byte
	// Judged says that a browser has written Body, with marks at the text that a person
	// does not see (package text, OwnMark). False for what a server has sent.
	Judged bool
	// WireBytes counts the bytes of the body as they were sent, DecodedBytes
	// after content decoding.
	WireBytes, DecodedBytes int64
	// DeclaredBytes is the Content-Length, which counts wire bytes; -1 if
	// the header was missing.
	DeclaredBytes int64
	// Truncated says that Body is incomplete; TruncatedWhy gives the reason, in
	// words that fit after "the content is cut: ".
	Truncated    bool
	TruncatedWhy string
	// FetchedAt is when the head of the last response came. For a Cached one it
	// is when the site last confirmed it.
	FetchedAt time.Time
	// Cached says that Body comes from a [Cache]; then WireBytes is 0.
	Cached bool

	noStore    bool // a hop said no-store
	incomplete bool // the body broke off; another request can get all of it
}

// NoStore reports whether a hop sent Cache-Control: no-store (RFC 9111 section
// 5.2.2.5).
func (r *Response) NoStore() bool { return r.noStore }

// AddNoStore makes NoStore true where it is true for another response, from which a part of
// this one was made.
func (r *Response) AddNoStore(noStore bool) { r.noStore = r.noStore || noStore }

// Get gets an address. Exactly one of its results is nil. The error is always
// an *[Error]. A redirect that is not followed is not an error, and neither is
// content that was cut.
func (c *Client) Get(ctx context.Context, req Request) (*Response, error) {
	started := time.Now()
	ctx, stop := c.bound(ctx, started, &req)
	defer stop()
	if err := c.complete(&req); err != nil {
		return nil, err
	}
	if err := c.judgeOrigin(ctx, &req); err != nil {
		return nil, err
	}
	c.observe(Event{Kind: eventStart, URL: req.URL.WithoutUserinfo().String(), Length: -1})
	res, err := c.remembered(ctx, req)
	done := Event{Kind: eventDone, URL: req.URL.WithoutUserinfo().String(), Length: -1, Err: err}
	if res != nil {
		done.URL, done.Status, done.Length, done.Bytes = res.URL.String(), res.Status, res.DeclaredBytes, res.WireBytes
	}
	c.observe(done)
	return res, err
}

// bound gives a call that arrived at started its deadline. A call within another
// keeps the deadline of the outer one.
func (c *Client) bound(ctx context.Context, started time.Time, req *Request) (context.Context, context.CancelFunc) {
	return deadline.From(ctx, started, cmp.Or(max(req.Timeout, 0), c.options.Timeout)+crawlDelay(ctx))
}

// complete checks a request and fills in the client's options.
func (c *Client) complete(req *Request) error {
	if req.URL.IsZero() {
		return &Error{Code: InvalidURL, cause: "there is no URL"}
	}
	header, err := callerHeader(req.Header)
	if err == nil {
		err = req.Auth.check()
	}
	if err == nil && req.Auth != nil && req.Auth.Login != nil && !req.Auth.Login.Covers(req.URL) {
		err = fmt.Errorf("the address does not belong to the site of the login, which is %s", req.Auth.Login.Site())
	}
	if err != nil {
		return &Error{Code: InvalidInput, URL: req.URL.WithoutUserinfo().String(), cause: text.Cause(err)}
	}
	req.Header = header
	if req.MaxBytes <= 0 {
		req.MaxBytes = c.options.MaxBytes
	}
	req.MaxBytes = min(req.MaxBytes, maxAnyBytes)
	req.Robots = req.Robots || c.options.Robots
	if req.NoCookies = req.NoCookies || c.options.NoCookies; req.NoCookies {
		req.Jar = nil
	}
	req.maxRedirects = max(c.options.MaxRedirects, 0)
	return nil
}
