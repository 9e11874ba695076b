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
// A [Request] may ask for less than a page: for sections, for what a selector
// fits, for the passages that answer a query, for what has changed since a
// version, or only whether a text is there. [Reader.ReadAll] reads several
// addresses under one budget. [Evidence] looks up what a model says that a page
// says.
//
// Every surface reads through here: the command, the library and the tools.
// What differs between them is in the [Request] (who follows redirects, how
// large the window is) and in the form that is printed of the [Answer].
//
// # Guarantees
//
// Read never panics on any content, does not outlive its context, and fails
// only with a *tool.Error. An answer that is cut says where it goes on, and the
// windows of a page add up to it. What passages leave out is marked. A version
// that was read with credentials is compared with those of the same credentials
// alone. A Reader is safe for concurrent use.
//
// # Limits
//
// Pages are read as the server sends them, or in the form that their site has
// for machines (package sites); Options.Render reads those whose content comes
// from their scripts, as far as that can be seen without running them. What is
// cached is what the server sent or the browser gave: a page is made of it each
// time. Without Options.Embed, passages are chosen by words, not by meaning.
package reader

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/inflight"
	"github.com/spyhop-dev/spyhop/internal/meaning"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/sites"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// DefaultMaxChars is the window where a request names none.
const DefaultMaxChars = 20_000

// Options are what a Reader works with.
type Options struct {
	// Fetch gets an address. Required.
	Fetch func(context.Context, fetch.Request) (*fetch.Response, error)
	// MaxChars is the window of answers in characters; 0 means
	// DefaultMaxChars, less no bound.
	MaxChars int
	// Model answers prompts; nil: the caller's own, where it has one. ModelName
	// is what answers call it, for example "ollama/qwen3".
	Model     tool.Model
	ModelName string
	// Render opens a page in a browser; nil:
	// no browser. Its error is a *tool.Error.
	Render func(context.Context, RenderRequest) (*Rendered, error)
	// Documents gives a request to a process that reads documents, and returns
	// its reply (see extract.Options.Elsewhere); nil: they are read in this
	// process. Its error is a *tool.Error, or that of the context.
	Documents func(ctx context.Context, request ...[]byte) ([]byte, error)
	// Embed returns the vector of each text, by which passages for a query are ranked
	// beside their words; nil: by words alone.
	Embed func(ctx context.Context, texts []string) ([]meaning.Vector, error)
	// Login returns the login of a site, or that of a saved browser state, which belongs to
	// the caller of the context and is for a page; nil: none. Its error is a *tool.Error.
	Login func(ctx context.Context, name string, page weburl.URL) (*fetch.Login, error)
	// Unchecked reports whether the certificate of a host is not checked; nil: all are.
	Unchecked func(host string) bool
	// Cache keeps what Render gives; nil: nothing does.
	Cache Cache
	// HintStore stores render hints; nil: nothing is stored.
	HintStore HintStore
	// Early lets Render begin before the server's answer is there, where the
	// site has needed it before. Not where that answer says whether the page
	// may be asked for, as with robots.txt.
	Early bool
	// Versions keeps the pages that are read; nil: they are not kept, and
	// Request.Since has nothing to compare with.
	Versions Versions
	// Setting is how notices name a setting, given its variable; nil: by the
	// variable.
	Setting func(variable string) string
	// Timeout is how long a call may take that does not say; 0 means
	// fetch.DefaultTimeout.
	Timeout time.Duration
	// Admit waits until a page of so many bytes may be parsed, and calls work, which
	// parses it. Nil: at once. Its error, for which work is not called, is a *tool.Error.
	Admit func(ctx context.Context, bytes int, work func()) error
}

// Reader answers requests.
type Reader struct {
	setting   func(variable string) string
	admit     func(ctx context.Context, bytes int, work func()) error
	versions  Versions
	fetch     func(context.Context, fetch.Request) (*fetch.Response, error)
	render    func(context.Context, RenderRequest) (*Rendered, error)
	login     func(ctx context.Context, name string, page weburl.URL) (*fetch.Login, error)
	unchecked func(host string) bool
	cache     Cache
	documents func(context.Context, ...[]byte) ([]byte, error)
	embed     func(context.Context, []string) ([]meaning.Vector, error)
	hints     renderHints
	early     bool
	maxChars  int
	timeout   time.Duration
	memory    memory
	parsing   inflight.Group[pageKey, *page.Page]
	backoff   backoff
	model     tool.Model
	name      string // of model
}

// New returns a Reader.
func New(o Options) *Reader {
	switch {
	case o.MaxChars == 0:
		o.MaxChars = DefaultMaxChars
	case o.MaxChars < 0:
		o.MaxChars = 0 // as in Request.MaxLength
	}
	if o.Timeout <= 0 {
		o.Timeout = fetch.DefaultTimeout
	}
	if o.Setting == nil {
		o.Setting = func(variable string) string { return variable }
	}
	return &Reader{setting: o.Setting, admit: o.Admit, timeout: o.Timeout, fetch: o.Fetch, render: o.Render, documents: o.Documents, embed: o.Embed, login: o.Login, unchecked: o.Unchecked, cache: o.Cache, hints: renderHints{o.HintStore}, early: o.Early,
		maxChars: o.MaxChars, versions: o.Versions, model: o.Model, name: o.ModelName}
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
	Data     Mode = "data" // what the page says as data, and its tables, as JSON
	CSV      Mode = "csv"  // its tables
)

// Modes lists the modes in the order in which they are documented.
var Modes = [...]Mode{Markdown, Text, HTML, Raw, Links, Outline, JSON, Data, CSV}

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
	// Titles keeps the titles of links and pictures.
	Titles bool
	// Whole reads the whole body instead of the main content.
	Whole bool
	// Sections are IDs of the outline, or anchors: nothing else is read. Where
	// there are none, the address's fragment says at which section the window
	// begins.
	Sections []string
	// NoFragment reads from the top whatever the fragment says.
	NoFragment bool
	// Selector is a CSS selector: only what it fits is read.
	Selector string
	// Query asks for the passages that answer it best, within the window, which
	// then begins nowhere else than at the top.
	Query string
	// Prompt is a question that a language model answers from the page: the
	// configured one, else Model, the caller's own. Where there is neither it is
	// a Query, and the answer says so.
	Prompt string
	// Schema is a JSON Schema: the answer to Prompt is a JSON value of its form. Where
	// each of its values has an x-selector, they are read from the page without a model
	// and without a Prompt.
	Schema json.RawMessage
	Model  tool.Model
	// JQ is a filter of jq: its results over the JSON that the URL serves, or over the
	// data of a page as Data has them, are the answer.
	JQ string
	// MustContain asks whether a text is there, and where, instead of for the
	// content.
	MustContain string
	// Since names a version of the page, or Last: what has changed after it is
	// the answer.
	Since string
	// Exclude are CSS selectors of elements that are removed before anything is read.
	Exclude []string
	// Remove names kinds of content that are left out: see Removals.
	Remove []string
	// Links is "inline" (or empty), or "references": numbers in the text and the list
	// of URLs at its end.
	Links string
	// Comments is "auto" (or empty: left out on articles), "always" or
	// "never".
	Comments string
	// Render says whether a browser runs the page's scripts: RenderAuto (or
	// empty) where the page probably lacks content without them, RenderNever,
	// RenderAlways.
	Render string
	// WaitFor is a text or a CSS selector (one with ".", "#", "[", ":" or ">") that
	// has to be on the page before it is read. It implies RenderAlways; empty: the
	// page is read when it has come to rest.
	WaitFor string
	// Scroll scrolls the page in a browser until nothing new comes: at most 30 screens and
	// 2,000 records. It implies RenderAlways.
	Scroll bool
	// Follow follows redirects to other hosts instead of reporting them.
	Follow bool
	// Timeout bounds the call with all that is done for it, also in a browser and
	// by a model; 0 means that of Options. CallerSetsTimeout says that the caller
	// chooses it: where the time was too short, the hint says that more helps.
	Timeout           time.Duration
	CallerSetsTimeout bool
	// Header holds further request headers; who lets a model set some has
	// chosen which.
	Header map[string]string
	Auth   *fetch.Auth
	// Login names a site that a person has signed in to: the page is read with
	// what his browser was given there. It does not go with Auth.
	Login string
	// Jar contains the cookies that servers have set in earlier calls of one crawl; nil: this
	// call has its own. NoCookies sends back none.
	Jar       *fetch.Jar
	NoCookies bool
	// MaxAge and Fresh are fetch's: how old a cached answer may be, and none at
	// all.
	MaxAge *time.Duration
	Fresh  bool
	// Notices are what the surface has to say about the request, for example a
	// number that was clamped. They come first in the answer's.
	Notices []string
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
// a success with RedirectURL and no content. The error is a *tool.Error. The
// answer beside it is nil, except where a page came that has no content: then it
// describes that page.
func (r *Reader) Read(ctx context.Context, request Request) (a *Answer, err error) {
	ctx, stop := r.bound(ctx, request)
	defer stop()
	defer tool.Recovered(reading, &err)
	q, err := r.compile(request)
	if err != nil {
		return nil, err
	}
	ctx, end := admission.Call(ctx)
	defer func() { end(a != nil && len(a.Body()) > largeAnswer) }()
	a, err = r.read(ctx, q)
	return a, q.late(ctx, err)
}

// largeAnswer is the length from which an answer takes as much room as its page.
const largeAnswer = 256 << 10

// reading is what panics while a page is read are reported of.
const reading = "the reader"

// bound gives a call its deadline.
func (r *Reader) bound(ctx context.Context, q Request) (context.Context, context.CancelFunc) {
	return deadline.With(ctx, cmp.Or(max(q.Timeout, 0), r.timeout))
}

func (r *Reader) read(ctx context.Context, q compiled) (*Answer, error) {
	a, err := r.load(ctx, q)
	if err != nil {
		return a, err
	}
	a.noted = append(slices.Clone(q.Notices), a.noted...)
	if a.RedirectURL != "" {
		a.Notices = a.noted
		return a, nil
	}
	a.AnsweredBy = q.by
	if q.model != nil {
		p, err := answerPrompt(ctx, []*Answer{a}, q)
		if err != nil {
			return a, err
		}
		a.setPrompted(p)
	}
	if q.unanswered != "" {
		a.noted = append(a.noted, q.unanswered)
	}
	return a, r.work(ctx, len(a.content.whole), func(context.Context) error { a.cut(r.limit(q.Request), q.MaxTokens); return nil })
}

// limit is the window of a request in characters; 0 for none.
func (r *Reader) limit(q Request) int {
	if q.MaxLength != nil {
		return *q.MaxLength
	}
	return r.maxChars
}

// atOnce bounds the addresses of one call that are read at a time.
const atOnce = 4

// ReadAll answers one request for several addresses, as people write them, that
// share its budget; what short contents leave of it goes to longer ones. The
// answers stand in the order of the addresses, and one that failed carries its
// error.
func (r *Reader) ReadAll(ctx context.Context, addresses []string, request Request) *Answers {
	all := &Answers{answers: make([]*Answer, len(addresses)), limit: r.limit(request), tokens: request.MaxTokens, noted: slices.Clone(request.Notices)}
	ctx, stop := r.bound(ctx, request)
	defer stop()
	ctx, end := admission.Call(ctx)
	defer func() { end(all.limit == 0 || all.limit > largeAnswer) }()
	ctx = admission.WithTurns(ctx)
	q, bad := r.compile(request)
	room := make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for i, raw := range addresses {
		room <- struct{}{}
		// Those that wait for room are to be read too when others are slow.
		rounds := (len(addresses) - i + atOnce - 1) / atOnce
		running.Go(func() {
			defer func() { <-room }()
			ctx, stop := deadline.Share(ctx, rounds)
			defer stop()
			ctx, over := admission.OwnTurn(ctx)
			defer over()
			all.answers[i] = r.loadOne(ctx, raw, q, bad)
			if q.model == nil {
				all.answers[i].content.trim(all.limit, all.tokens)
			}
		})
	}
	running.Wait()
	all.Results = make([]*result.Fetch, len(all.answers))
	for i, a := range all.answers {
		all.Results[i] = &a.Fetch
	}
	if bad == nil {
		all.AnsweredBy = q.by
		if q.model != nil {
			r.answerAll(ctx, all, q)
		}
		if q.unanswered != "" {
			all.noted = append(all.noted, q.unanswered)
		}
	}
	all.cut(all.limit)
	return all
}

// loadOne is load with the error in the answer; bad is what is wrong with the
// request itself.
func (r *Reader) loadOne(ctx context.Context, raw string, q compiled, bad error) (a *Answer) {
	u, err := Address(raw)
	if err == nil {
		raw, q.URL = u.WithoutUserinfo().String(), u
		if err = bad; err == nil {
			if a, err = r.load(ctx, q); err == nil {
				if q.model == nil && a.RedirectURL == "" {
					a.AnsweredBy = q.by
				}
				return a
			}
		}
	}
	if a == nil {
		a = &Answer{Fetch: result.Fetch{URL: raw, PageType: page.Other}}
	}
	a.Success, a.Error = false, tool.AsError(q.late(ctx, err))
	a.UpstreamStatus = cmp.Or(a.UpstreamStatus, a.Error.UpstreamStatus())
	return a
}

// Address reads an address as a person or a model writes it, without its
// tracking parameters. The error is a *tool.Error.
func Address(raw string) (weburl.URL, error) {
	u, err := weburl.ParseLenient(strings.TrimSpace(raw))
	if err != nil {
		return u, URLError(raw, err)
	}
	u, _ = u.Clean()
	return u, nil
}

// load reads the page and makes the whole content of the answer, uncut.
func (r *Reader) load(ctx context.Context, q compiled) (a *Answer, err error) {
	defer tool.Recovered(reading, &err)
	if err := r.signIn(ctx, &q); err != nil {
		return nil, err
	}
	ctx, end := admission.Call(ctx)
	defer func() { end(a != nil && len(a.content.whole) > largeAnswer) }()
	s, err := r.open(ctx, q)
	if err != nil {
		return nil, err
	}
	return r.answer(ctx, q, s)
}

// Page reads a page whole: its answer, uncut and without a model's work, and the
// page itself, for callers that follow its links and keep its blocks. A redirect
// that is not followed has no page. The error is that of [Reader.Read].
func (r *Reader) Page(ctx context.Context, request Request) (a *Answer, p *page.Page, err error) {
	ctx, stop := r.bound(ctx, request)
	defer stop()
	defer tool.Recovered(reading, &err)
	q, err := r.compile(request)
	if err == nil {
		err = r.signIn(ctx, &q)
	}
	if err != nil {
		return nil, nil, err
	}
	ctx, end := admission.Call(ctx)
	defer end(false)
	s, err := r.open(ctx, q)
	if err != nil {
		return nil, nil, q.late(ctx, err)
	}
	s.wanted = true
	a, err = r.answer(ctx, q, s)
	return a, canonical(s), q.late(ctx, err)
}

// canonical is the page of s, which also knows the canonical address of the Link header.
func canonical(s *loaded) *page.Page {
	if s.page == nil || s.page.Meta.Canonical != "" || s.readAs != "" {
		return s.page
	}
	address := sites.Canonical(s.res.URL, s.res.Header["Link"])
	if address == "" {
		return s.page
	}
	p := *s.page // several calls share it
	p.Meta.Canonical = address
	return &p
}

// answer makes the whole content of a page, uncut.
func (r *Reader) answer(ctx context.Context, q compiled, s *loaded) (*Answer, error) {
	a := newAnswer(q.URL, s.res, s.sum)
	a.memory, a.fetched, a.renders, a.scrolled = &r.memory, true, r.render != nil, q.Scroll
	a.content.prompted = q.unanswered != ""
	a.Metadata.Rendered, a.Metadata.RenderNote, a.vain = s.rendered, s.note, s.vain
	a.Metadata.Timings.FetchMS = ms(s.fetched)
	if u := s.res.URL; r.unchecked != nil && u.Scheme() == "https" && r.unchecked(u.Host()) {
		a.noted = append(a.noted, "The certificate of "+text.Name(u.Host())+" was not checked (WEB_TLS_INSECURE).")
	}
	if !s.res.Redirect.IsZero() {
		a.Success, a.RedirectURL = true, s.res.Redirect.String()
		return a, nil
	}
	if s.readAs != "" {
		a.FinalURL = s.url.WithoutUserinfo().String()
		a.Metadata.ReadAs, a.Metadata.ReadFrom = s.readAs, s.res.URL.String()
	}
	start := time.Now()
	err := s.err
	if s.page != nil {
		a.describe(s.page)
	}
	s.wanted = s.wanted || q.model != nil
	if err == nil {
		err = r.work(ctx, len(s.res.Body), func(ctx context.Context) error { return a.fill(ctx, s, q) })
	}
	if err == nil {
		err = r.keep(ctx, a, s, q.Request)
	}
	if err == nil && q.model != nil {
		a.keepEvidence(s.page)
	}
	if err != nil {
		e := after(s.tried, extractError(q.address(), err))
		e.Status = cmp.Or(e.Status, s.res.Status)
		return a, e
	}
	if s.res.Truncated {
		a.noted = append(a.noted, "Not all of the page was read: "+s.res.TruncatedWhy+".")
	}
	if s.note != "" {
		a.noted = append(a.noted, "Read "+s.note+".")
	}
	if q.Mode == Links && len(a.Links) == 0 && a.Verdict == page.Complete && r.render != nil && !s.rendered && q.Render != RenderAlways {
		a.noted = append(a.noted, "render=always runs the scripts of the page in a browser.")
	}
	a.Metadata.Timings.ReadMS = ms(s.read + time.Since(start))
	return a, nil
}

func newAnswer(u weburl.URL, res *fetch.Response, sum [sha256.Size]byte) *Answer {
	return &Answer{argued: true, Fetch: result.Fetch{
		URL:      u.WithoutUserinfo().String(),
		FinalURL: res.URL.String(),
		PageType: page.Other, UpstreamStatus: res.Status,
		Metadata: result.Metadata{
			ContentType:   res.MediaType,
			ContentLength: res.DecodedBytes,
			Status:        res.Status,
			FetchedAt:     res.FetchedAt.UTC(),
			Cached:        res.Cached,
			Version:       hex.EncodeToString(sum[:6]),
			HiddenCheck:   "inline",
		},
	}}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
