// Package reader provides the answer to one address and one purpose: it
// fetches, extracts, renders what was asked for, cuts it to a window, and says
// honestly what the reader has in hand.
//
//	r := reader.New(reader.Options{Fetch: client.Get})
//	a, err := r.Read(ctx, reader.Request{URL: u})
//	if err != nil {
//		return err // always a *tool.Error
//	}
//	fmt.Println(a.Text())
//
// Every surface reads through here: the command, the library and the tools.
// What differs between them is in the [Request] (who follows redirects, how
// large the window is) and in the form that is printed of the [Answer].
//
// # Guarantees
//
// Read never panics on any content, does not outlive its context, and fails
// only with a *tool.Error. An answer that is cut says where it goes on. A
// Reader is safe for concurrent use.
//
// # Limits
//
// Pages are read as the server sends them; nothing runs their scripts. What is
// cached is what the server sent: a page is made of it each time.
package reader

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/tool"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// DefaultMaxChars is the window where a request names none.
const DefaultMaxChars = 20_000

// Options are what a Reader works with.
type Options struct {
	// Fetch gets an address. Required.
	Fetch func(context.Context, fetch.Request) (*fetch.Response, error)
	// MaxChars is the window of answers in characters; 0 means
	// DefaultMaxChars.
	MaxChars int
}

// Reader answers requests.
type Reader struct {
	fetch    func(context.Context, fetch.Request) (*fetch.Response, error)
	maxChars int
}

// New returns a Reader.
func New(o Options) *Reader {
	if o.MaxChars == 0 {
		o.MaxChars = DefaultMaxChars
	}
	return &Reader{fetch: o.Fetch, maxChars: o.MaxChars}
}

// Mode is what is made of a page.
type Mode string

// The modes. The zero value is Markdown.
const (
	Markdown Mode = "markdown"
	Text     Mode = "text"
	HTML     Mode = "html"
	Raw      Mode = "raw"
	Links    Mode = "links"
	Outline  Mode = "outline"
	JSON     Mode = "json" // the content as in Markdown; the surface prints the whole answer
)

// Modes lists the modes in the order in which they are documented.
var Modes = [...]Mode{Markdown, Text, HTML, Raw, Links, Outline, JSON}

// Request is one address and one purpose.
type Request struct {
	URL  weburl.URL
	Mode Mode
	// MaxLength is the window in characters: nil for the reader's, 0 for no
	// window.
	MaxLength *int
	// MaxTokens limits the window further, by estimate; 0 means no limit.
	MaxTokens int
	// StartIndex is where the window begins, in characters of the whole
	// content.
	StartIndex int
	// Images keeps pictures as ![alt](src) instead of [image: alt].
	Images bool
	// Whole reads the whole body instead of the main content.
	Whole bool
	// Comments is "auto" (or empty: left out on articles), "always" or
	// "never".
	Comments string
	// Follow follows redirects to other hosts instead of reporting them.
	Follow bool
	// Timeout bounds the call; 0 means fetch's default.
	Timeout time.Duration
	// Header holds further request headers; who lets a model set some has
	// chosen which.
	Header map[string]string
	Auth   *fetch.Auth
	// MaxAge and Fresh are fetch's: how old a cached answer may be, and none at
	// all.
	MaxAge *time.Duration
	Fresh  bool
}

// Auth makes credentials of what callers write; nil where all is empty.
func Auth(username, password, bearer, cookie string) (*fetch.Auth, error) {
	if username == "" && password == "" && bearer == "" && cookie == "" {
		return nil, nil
	}
	a := &fetch.Auth{Username: username, Password: password, Bearer: bearer}
	if cookie != "" {
		var err error
		if a.Cookies, err = http.ParseCookie(cookie); err != nil {
			// The cause would show the cookie.
			return nil, tool.NewError(tool.InvalidInput, "the cookie cannot be sent", "write it as name=value; name=value")
		}
	}
	return a, nil
}

// address is the URL as messages show it.
func (q *Request) address() string { return q.URL.WithoutUserinfo().String() }

// Read answers a request. A redirect to another host that is not followed is
// a success with RedirectURL and no content. On an HTTP error the answer is
// not nil beside the error when the site sent a page with it.
func (r *Reader) Read(ctx context.Context, q Request) (*Answer, error) {
	if q.Mode == "" {
		q.Mode = Markdown
	}
	if _, ok := extract.ParseComments(q.Comments); !ok {
		return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("comments %q is unknown", q.Comments), "it is one of auto, always, never")
	}
	redirects := fetch.SameHost
	if q.Follow {
		redirects = fetch.Follow
	}
	start := time.Now()
	header := http.Header{}
	for k, v := range q.Header {
		header.Set(k, v)
	}
	res, err := r.fetch(ctx, fetch.Request{URL: q.URL, Header: header, Redirects: redirects, Timeout: q.Timeout, Auth: q.Auth,
		MaxAge: q.MaxAge, Fresh: q.Fresh})
	if err != nil {
		return nil, fetchError(q.address(), err)
	}
	a := newAnswer(q.URL, res)
	a.Metadata.Timings.FetchMS = ms(time.Since(start))
	if !res.Redirect.IsZero() {
		a.Success, a.RedirectURL = true, res.Redirect.String()
		return a, nil
	}
	start = time.Now()
	p, err := r.page(q, res)
	if p != nil {
		a.describe(p)
	}
	if err != nil {
		return a, extractError(q.address(), err)
	}
	if err := r.fill(a, p, q, res); err != nil {
		return a, extractError(q.address(), err)
	}
	a.Metadata.Timings.ReadMS = ms(time.Since(start))
	return a, nil
}

// page makes a page of a response; raw needs none.
func (r *Reader) page(q Request, res *fetch.Response) (*page.Page, error) {
	if q.Mode == Raw {
		return &page.Page{URL: res.URL.String(), Type: page.Other, Verdict: page.Complete}, nil
	}
	comments, _ := extract.ParseComments(q.Comments) // Read has seen to it
	p, err := extract.Document(res.Body, res.MediaType, extract.Options{URL: res.URL.String(), Whole: q.Whole, Comments: comments})
	if p != nil && res.Truncated {
		p.Note(page.NoteTruncated, 1)
		if p.Verdict.Success() {
			p.Verdict = page.Partial
		}
	}
	var ee *extract.Error
	if errors.As(err, &ee) && ee.Verdict == page.EmptyShell && q.Mode == Links && len(p.Links) > 0 {
		p.Verdict = page.Thin // the links of a shell are content enough
		return p, nil
	}
	return p, err
}

// fill makes the content of the answer and cuts it.
func (r *Reader) fill(a *Answer, p *page.Page, q Request, res *fetch.Response) error {
	limit := r.maxChars
	if q.MaxLength != nil {
		limit = *q.MaxLength
	}
	a.Success, a.Verdict = true, p.Verdict
	if res.Truncated {
		a.Verdict = page.Partial
	}
	var whole string
	var err error
	switch q.Mode {
	case Raw:
		if res.Charset == "" && len(res.Body) > 0 {
			return &extract.Error{Code: extract.Unsupported, MediaType: res.MediaType}
		}
		whole = extract.CleanText(string(res.Body))
	case Text:
		whole = markdown.PlainText(p)
	case Links:
		a.Links = ownLinks(p)
		text, cut := linkList(p.URL, a.Links, limit)
		a.Truncated, a.limit = cut, limit
		a.setContent(q.Mode, text)
		a.Metadata.Tokens = markdown.Tokens(a.Content)
		return nil
	case Outline:
		a.Outline = markdown.OutlineOf(p, markdown.Options{Images: q.Images})
		whole = markdown.OutlineText(a.Outline)
	case HTML:
		whole, err = extract.ToHTML(markdown.Render(p, markdown.Options{Images: true}))
	default:
		whole = markdown.Render(p, markdown.Options{Images: q.Images})
		if p.Method == page.MethodTokens {
			whole = "<error>Extraction to markdown failed; returning raw content</error>\n\n" + whole
		}
	}
	if err != nil {
		return err
	}
	a.Metadata.Tokens = markdown.Tokens(whole)
	a.cut(q, whole, limit)
	return nil
}

func newAnswer(u weburl.URL, res *fetch.Response) *Answer {
	sum := sha256.Sum256(res.Body)
	return &Answer{
		URL:      u.WithoutUserinfo().String(),
		FinalURL: res.URL.String(),
		PageType: page.Other,
		Metadata: Metadata{
			ContentType:   res.MediaType,
			ContentLength: res.DecodedBytes,
			Status:        res.Status,
			FetchedAt:     res.FetchedAt.UTC(),
			Cached:        res.Cached,
			Version:       hex.EncodeToString(sum[:6]),
			HiddenCheck:   "inline",
		},
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Valid reports whether m is one of Modes.
func (m Mode) Valid() bool { return slices.Contains(Modes[:], m) }
