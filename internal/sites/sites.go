// Package sites provides site variants: the form in which some sites offer their
// pages to programs, for example a raw file, an API or a Markdown version.
//
//	variant := sites.Find(u)
//	if variant == nil {
//		return nil // read the page itself
//	}
//	var have []sites.Response
//	for q, ok := variant.Next(have); ok; q, ok = variant.Next(have) {
//		r, err := get(q) // checked, bounded and cached like any other request
//		if err != nil {
//			break
//		}
//		have = append(have, r)
//	}
//	p, err := variant.Page(have, sites.Options{URL: u.String(), Read: read})
//
// [Find] finds the variant of a page by its URL: table.go lists the sites, routes.go makes
// requests of URLs, and the jq programs of the folder programs make a sheet of the JSON of
// the responses, from which program.go and builder.go make a [page.Page]. [Declared] finds
// a variant that the page itself names. Options.Read reads texts within responses, for
// example the HTML of a comment, in the same way as pages, so hidden text is removed from
// them too.
//
// # Guarantees
//
// The functions are pure and safe for concurrent use, and never panic. A variant
// requests at most three URLs, which depend only on the page's URL and on the
// responses of the site. A response that does not match the site's documentation is an
// [Error], never half a page. What was omitted is counted at the end of the page. Time and
// memory are linear in the bytes.
//
// # Limits
//
// No request has an API key, so the sites' limits for anonymous clients apply. A
// page has at most 500 comments of a thread.
package sites

import (
	"bytes"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// maxRequests is the maximum number of requests of a variant.
const maxRequests = 3

// Variant describes how to get one page in the form that its site offers to
// programs. It is immutable.
type Variant struct {
	// As is the name of the variant in answers: "raw file", "GitHub API".
	As string

	first ask
	// more returns the request that follows the answered ones; its address is ""
	// if none exists. Nil means that there is only the first request.
	more func(have []Response) ask
	// page adds the content. Its error means that the answers do not match the
	// site's documentation.
	page func(b *builder, have []Response) error
}

// Request is a GET request.
type Request struct {
	URL    weburl.URL
	Accept string // the Accept header; "" means the default one
}

// Response is the answer to a [Request].
type Response struct {
	MediaType string // in lower case, without parameters
	Body      []byte
	Truncated bool // Body is only the beginning of the answer
}

// Options configure [Variant.Page]. URL and Read are required.
type Options struct {
	// URL is the address of the page, the base of its links.
	URL string
	// NoComments leaves out what people other than the author wrote.
	NoComments bool
	// Read converts a part in another format to a page: all of it, or only the
	// elements that selector matches when that is not "". base is the base
	// address of its links.
	Read func(body []byte, mediaType, base, selector string) (*page.Page, error)
}

// Error says that the answers do not match the site's documentation.
type Error struct {
	As    string // the name of the variant
	Cause error  // may be nil
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return "the answer does not match the documentation of the " + e.As + ": " + e.Cause.Error()
	}
	return "the answer does not match the documentation of the " + e.As
}

func (e *Error) Unwrap() error { return e.Cause }

// Find returns the variant of the page at an address, or nil when none is known.
// An address with a port other than the scheme's default has none.
func Find(u weburl.URL) *Variant {
	if !isWeb(u) || u.Port() != "" {
		return nil
	}
	return siteOf(u.Host()).find(u)
}

// RateLimited reports whether an error answer means that the host's rate limit is
// reached: by its status, by the header X-RateLimit-Remaining (GitHub sends 0
// with status 403), or by the name of Stack Exchange's error in the body.
func RateLimited(status int, remaining string, body []byte) bool {
	return status == 429 || status == 403 && remaining == "0" || bytes.Contains(body[:min(len(body), 4096)], []byte(`"throttle_violation"`))
}

func isWeb(u weburl.URL) bool {
	return (u.Scheme() == "https" || u.Scheme() == "http") && !u.HasUserinfo()
}

// Next returns the request that follows the answered ones, whose answers are in
// have, in order. ok is false after the last request.
func (v *Variant) Next(have []Response) (q Request, ok bool) {
	next := v.first
	if len(have) > 0 {
		if len(have) >= maxRequests || v.more == nil {
			return q, false
		}
		next = v.more(have)
	}
	u, err := weburl.Parse(next.address)
	return Request{u, next.accept}, err == nil
}

// Page converts the answers to the requests of Next, in order, to a page. At
// least the first answer is required; without later ones, the page says what is
// missing. The error is an *[Error].
func (v *Variant) Page(have []Response, o Options) (*page.Page, error) {
	if len(have) == 0 {
		return nil, &Error{As: v.As}
	}
	b := &builder{
		Page: &page.Page{URL: o.URL, Type: page.Other, Method: page.MethodDocument, Verdict: page.Complete},
		o:    o, room: maxPosts,
	}
	if err := v.page(b, have); err != nil {
		return nil, &Error{As: v.As, Cause: err}
	}
	b.finish()
	if len(b.Blocks) == 0 {
		return nil, &Error{As: v.As}
	}
	return b.Page, nil
}

// errShape means that an answer is valid and has other content than the one that
// was requested.
var errShape = shapeError{}

type shapeError struct{}

func (shapeError) Error() string { return "it has other content" }

// ask is a [Request] with its address as text. The address consists of literals
// and of parts of the page's path, which are already percent-encoded.
type ask struct{ address, accept string }

// variant returns a Variant with one request.
func variant(as string, q ask, make func(b *builder, have []Response) error) *Variant {
	return &Variant{As: as, first: q, page: make}
}

// then adds further requests.
func (v *Variant) then(more func(have []Response) ask) *Variant {
	v.more = more
	return v
}

// segments returns the segments of a path, without empty ones at its ends; nil
// when an inner segment is empty, which no site's pages have.
func segments(u weburl.URL) []string {
	path := strings.Trim(u.Path(), "/")
	if path == "" {
		return nil
	}
	s := strings.Split(path, "/")
	for _, x := range s {
		if x == "" {
			return nil
		}
	}
	return s
}

// isNumber reports whether s consists of 1 to 19 digits.
func isNumber(s string) bool {
	if s == "" || len(s) > 19 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
