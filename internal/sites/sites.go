// Package sites provides the better form in which some sites give their pages
// to machines: a raw file, an API, a Markdown twin.
//
//	form := sites.Find(u)
//	if form == nil {
//		return nil // the page itself is the best there is
//	}
//	var have []sites.Response
//	for q, ok := form.Next(have); ok; q, ok = form.Next(have) {
//		r, err := get(q) // judged, bounded and cached like any other request
//		if err != nil {
//			break
//		}
//		have = append(have, r)
//	}
//	p, err := form.Page(have, sites.Options{URL: u.String(), Read: read})
//
// A site is a file: from an address to requests, and from what they give to a
// [page.Page]. [Find] knows sites by their addresses; [Declared] knows pages
// that name a form themselves. Texts within answers, as the HTML of a comment,
// are read by Options.Read like any page, so that what they hide goes.
//
// # Guarantees
//
// The functions are pure and safe for concurrent use, and never panic. A form
// asks for at most [MaxRequests] addresses, and none of them depends on
// anything but the page's address and what the site itself has answered. An
// answer that is not of the form that the site documents gives an [Error], never
// half a page; what was left out is counted on the page and said at its end.
// Time and memory are linear in the bytes.
//
// # Limits
//
// Nothing is asked with a key, so that the sites' limits for strangers hold. At
// most 500 comments of a thread are shown.
package sites

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// MaxRequests bounds the requests of a form.
const MaxRequests = 3

// Variant is the machine form of one page.
type Variant struct {
	// As names the form for people: "raw file", "GitHub API".
	As string

	first ask
	// more is the request after those that have been answered, without an
	// address where there is none; nil: the first is alone.
	more func(have []Response) ask
	// page makes the content. Its error means that the answers are not of the
	// form.
	page func(b *builder, have []Response) error
}

// Request is an address to get.
type Request struct {
	URL    weburl.URL
	Accept string // the Accept header; empty for the usual one
}

// Response is what came of a request.
type Response struct {
	MediaType string // in lower case, without parameters
	Body      []byte
	Truncated bool // Body is not all
}

// Options are what a page is made with.
type Options struct {
	// URL is the address of the page, the base of its links.
	URL string
	// NoComments leaves out what others than the author wrote under the page.
	NoComments bool
	// Read reads a part in another format, of which it takes all, or what
	// selector fits. base is the address that its links go by. Required.
	Read func(body []byte, mediaType, base, selector string) (*page.Page, error)
}

// Error says that the answers are not what the site documents.
type Error struct {
	As    string // of the form
	Cause error  // may be nil
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return "not of the form (" + e.As + "): " + e.Cause.Error()
	}
	return "not of the form (" + e.As + ")"
}

func (e *Error) Unwrap() error { return e.Cause }

// Find returns the form of the page at an address; nil where none is known. Ports
// other than the usual ones are other sites.
func Find(u weburl.URL) *Variant {
	if !isWeb(u) || u.Port() != "" {
		return nil
	}
	return siteOf(u.Host()).find(u)
}

// RateLimited reports whether an answer with an error says that its host has had
// enough of us: by its status, by what is left of the limit (X-RateLimit-Remaining,
// as GitHub sends it with 403), or by Stack Exchange's name for it.
func RateLimited(status int, remaining string, body []byte) bool {
	return status == 429 || status == 403 && remaining == "0" || bytes.Contains(body[:min(len(body), 4096)], []byte(`"throttle_violation"`))
}

func isWeb(u weburl.URL) bool {
	return (u.Scheme() == "https" || u.Scheme() == "http") && !u.HasUserinfo()
}

// Next is the request after those that have been answered, in their order. ok is
// false when there is nothing more to ask for.
func (v *Variant) Next(have []Response) (q Request, ok bool) {
	next := v.first
	if len(have) > 0 {
		if len(have) >= MaxRequests || v.more == nil {
			return q, false
		}
		next = v.more(have)
	}
	u, err := weburl.Parse(next.address)
	return Request{u, next.accept}, err == nil
}

// Page makes the page of what the requests of Next have given, in their order:
// the first answer at least. The error is an *[Error].
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

// errShape means that an answer is valid and says something else than was asked
// for.
var errShape = shapeError{}

type shapeError struct{}

func (shapeError) Error() string { return "the answer has another shape" }

// decode reads the JSON of an answer.
func decode(r Response, v any) error {
	if r.Truncated {
		return errShape
	}
	return json.Unmarshal(r.Body, v)
}

// ask is a request with its address as text: literal parts that belong to the
// site, and parts of the page's own path, which are encoded already.
type ask struct{ address, accept string }

// variant is a variant with one request.
func variant(as string, q ask, make func(b *builder, have []Response) error) *Variant {
	return &Variant{As: as, first: q, page: make}
}

// then adds further requests.
func (v *Variant) then(more func(have []Response) ask) *Variant {
	v.more = more
	return v
}

// segments are the parts of a path, without empty ones at its ends; nil where
// one within is empty or has a dot alone, which no site's page has.
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

// isNumber reports whether s is a short run of digits, as in an address.
func isNumber(s string) bool {
	if s == "" || len(s) > 18 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
