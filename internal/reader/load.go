package reader

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/sites"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file loads a page. What came by HTTP is looked at first, with all that its markup and
// data hold: a browser costs a hundred times as much. A page whose content comes from its
// scripts is then read again through a browser, where there is one. Decision 10 has the
// reasons.

// RenderRequest says what a browser has to open.
type RenderRequest struct {
	URL     weburl.URL
	Login   string // the saved login to read with; empty: none
	WaitFor string // see Request.WaitFor
	Scroll  bool   // see Request.Scroll
}

// Rendered is a page as its scripts have made it.
type Rendered struct {
	URL    weburl.URL // where it ended
	Status int        // of the document; 0 when the browser does not say
	// HTML is the markup, with marks at what a person does not see if Judged is set.
	HTML   []byte
	Judged bool
	// NoStore says that the page may not be kept.
	NoStore bool
	// Loading says that the page had not loaded when it was read, Grows that it still
	// brought more after Screens screens of scrolling.
	Loading, Grows bool
	Screens        int
}

// The values of Request.Render; the empty string is RenderAuto.
const (
	RenderAuto   = "auto"
	RenderNever  = "never"
	RenderAlways = "always"
)

// cache keeps what the browser gives; *fetch.Cache does. Each call has
// [fetch.Request.Variant] set.
type cache interface {
	Lookup(context.Context, fetch.Request) (*fetch.Response, bool)
	Store(context.Context, fetch.Request, *fetch.Response)
}

// loaded is a response and the page that it holds.
type loaded struct {
	res      *fetch.Response
	sum      [sha256.Size]byte // of the body
	page     *page.Page        // may be nil where err is not
	err      error             // why there is no content
	rendered bool
	vain     bool       // rendering it in a browser added nothing
	note     string     // how it was read and why, where there was something to decide
	tried    string     // the part of note about a browser that brought nothing
	readAs   string     // the variant of the page; empty for the page itself
	url      weburl.URL // of the page that readAs is in place of
	fetched  time.Duration
	read     time.Duration
	wanted   bool // the page is needed after the answer is made
}

// open gives the page of a request: as the server sends it, or as its scripts make it where
// that is more. In place of the page may come the variant that its site has for programs: the
// URL of the answer stays that of the page, and Metadata says what was read. What goes wrong
// on the way to a variant costs time and nothing else.
func (r *Reader) open(ctx context.Context, q compiled) (*loaded, error) {
	if q.inBrowser() {
		return r.fromBrowser(ctx, q, q.URL)
	}
	start := time.Now()
	u, variants := q.URL, q.takesVariant()
	if u.Scheme() == "http" {
		u = u.WithScheme("https") // where variants are
	}
	if v := sites.Find(q.URL); variants && v != nil {
		if s := r.readVariant(ctx, q, u, v, start); s != nil {
			return s, nil
		}
	}
	res, err := r.get(ctx, q)
	if err != nil {
		return nil, err
	}
	if v := variantOf(u, res); variants && v != nil {
		if s := r.readVariant(ctx, q, res.URL, v, start); s != nil {
			return s, nil
		}
	}
	plain := r.pageOf(ctx, q, res, start)
	if r.o.Render == nil || q.Render == RenderNever || q.Mode == Raw {
		return plain, nil
	}
	if why := plain.shell(q); why != "" {
		return r.orFromBrowser(ctx, q, plain, why)
	}
	return plain, nil
}

// fetch is the response to a request, or with Request.Stored its stored copy alone.
func (r *Reader) fetch(ctx context.Context, q compiled, req fetch.Request) (*fetch.Response, error) {
	if !q.Stored {
		return r.o.Fetch(ctx, req)
	}
	if r.o.Cache != nil {
		if res, ok := r.o.Cache.Lookup(ctx, req); ok {
			return res, nil
		}
	}
	return nil, tool.NewError(tool.NoContent, "there is no stored copy of the page that is new enough", "leave stored out, or give a longer max_age")
}

// get is the response of the server.
func (r *Reader) get(ctx context.Context, q compiled) (*fetch.Response, error) {
	header := http.Header{}
	for k, v := range q.Header {
		header.Set(k, v)
	}
	res, err := r.fetch(ctx, q, fetch.Request{URL: q.URL, Header: header, Redirects: q.redirects(), Timeout: q.Timeout, Auth: q.Auth,
		MaxAge: q.maxAge(), Fresh: q.Fresh, Jar: q.Jar, NoCookies: q.NoCookies})
	if err != nil {
		at := q.address()
		if fe := (*fetch.Error)(nil); q.URL.SchemeAssumed() && errors.As(err, &fe) && fe.URL != "" {
			at = fe.URL // with the scheme that was used
		}
		return nil, FetchError(at, err)
	}
	return res, nil
}

// orFromBrowser gives the page that the server has sent, or the one that its scripts make,
// for which why speaks.
func (r *Reader) orFromBrowser(ctx context.Context, q compiled, plain *loaded, why page.Shell) (*loaded, error) {
	// What needed credentials is not asked for without them; a login goes along.
	anybody := q.credentials() == ""
	if !anybody && (q.Login == "" || len(q.Header) > 0) {
		return plain, nil
	}
	// What a login shows says nothing of the page that others get.
	stored, vain := anybody && r.o.HintStore != nil, inVain(q.URL, why, plain.err != nil)
	if stored && !q.Fresh {
		_, _, plain.vain = r.o.HintStore.Load(ctx, vain)
	}
	if plain.vain {
		plain.without(why, "rendering in a browser added nothing before; render=always renders it again")
		return plain, nil
	}
	full, err := r.fromBrowser(ctx, q, plain.res.URL)
	switch e := tool.AsError(err); {
	case e == nil && full.betterThan(plain):
		full.note = "in a browser, since " + because(why)
		return full, nil
	case e != nil && e.Type == tool.Busy && plain.err != nil:
		return nil, err // the page may have content, only not now
	case e != nil:
		plain.without(why, browserFailed(e))
	default:
		if stored {
			r.o.HintStore.Save(ctx, vain, nil, nil, keepVain)
		}
		plain.vain = true
		plain.without(why, "rendering in a browser added nothing within some seconds; wait_for waits for a text that the page shows later")
	}
	return plain, nil
}

func browserFailed(e *tool.Error) string {
	if e.Type == tool.BrowserMissing {
		return "no browser was found; spyhop doctor says what to install"
	}
	return "the browser failed (" + pageText(e.Message, 200) + ")"
}

// without notes that a page was read without a browser, for which why speaks; tried is
// what came of the browser.
func (s *loaded) without(why page.Shell, tried string) {
	s.note, s.tried = "as the server sent it, although "+because(why)+": "+tried, tried
}

// because says what speaks for a browser.
func because(why page.Shell) string {
	return cmp.Or(map[page.Shell]string{
		page.ShellRoot:     "the element that the page's scripts fill is empty without them",
		page.ShellUnlikely: "nothing on the page looks like content without its scripts",
		page.ShellComments: "the page's comments are not on it without its scripts",
		page.ShellWaiting:  "the page has placeholders for content without its scripts",
	}[why], "the page is empty without its scripts")
}

// shell is the reason to run the scripts of a page; empty where there is none.
// Where links were asked for, those of a shell are content enough.
func (s *loaded) shell(q compiled) page.Shell {
	if s.page == nil || s.readAs != "" || s.err == nil && q.Mode == Links && len(ownLinks(s.page)) > 0 {
		return ""
	}
	var ee *extract.Error
	if s.err != nil && (!errors.As(s.err, &ee) || ee.Code != extract.NoContent && ee.Code != extract.NoMatch) {
		return ""
	}
	return s.page.Shell
}

// A browser shows a little more of most pages: a banner, a counter. Only so many
// more tokens, and so much more of what was there, are worth the change.
const (
	minGain   = 20
	gainShare = 4 // one in so many

	commentShare = 50 // the same for comments, of a page whose text was there
)

// betterThan reports whether a rendered page has content that the plain one
// lacks.
func (s *loaded) betterThan(plain *loaded) bool {
	if s.err != nil || plain.err != nil {
		return s.err == nil
	}
	if s.page == nil {
		return false // it leads elsewhere
	}
	size := func(s *loaded) int { return text.Tokens(markdown.PlainText(s.page)) }
	had, share := size(plain), gainShare
	if plain.page.Shell == page.ShellComments {
		share = commentShare // the text above them is the same
	}
	return size(s) >= had+max(had/share, minGain)
}

// hintStore stores where a browser added nothing, between calls and between processes, so
// that it is not used again there for a while; *store.Store does. It never fails: a hint that
// cannot be stored or found does not exist.
type hintStore interface {
	Load(ctx context.Context, key [sha256.Size]byte) (meta, body []byte, ok bool)
	Save(ctx context.Context, key [sha256.Size]byte, meta, body []byte, keep time.Duration)
}

// keepVain is how long a hint holds.
const keepVain = 24 * time.Hour

// inVain is the key of a hint. It holds for the pages of a site with the same reason for a
// browser that are in one folder, which are mostly made in one way: /products/1 and
// /products/a/2 are in one, / and /about in another. A page with nothing in it is read
// without a browser only if the browser added nothing to that same page.
func inVain(u weburl.URL, why page.Shell, nothing bool) [sha256.Size]byte {
	where := u.WithoutFragment().String()
	if !nothing {
		top, _, below := strings.Cut(strings.TrimPrefix(u.Path(), "/"), "/")
		if !below {
			top = ""
		}
		where = u.Origin() + "/" + top
	}
	return sha256.Sum256([]byte("browser in vain\n" + string(why) + "\n" + where))
}

// inBrowser reports whether nothing but a browser gives what is asked for.
func (q *Request) inBrowser() bool { return q.Render == RenderAlways || q.WaitFor != "" || q.Scroll }

func (q *Request) redirects() fetch.RedirectMode {
	if q.Follow {
		return fetch.Follow
	}
	return fetch.SameHost
}

// fromBrowser has the browser read a page, where it has not done so a short while
// ago. A redirect to another host is reported where it is not to be followed.
// What may not be kept is not.
func (r *Reader) fromBrowser(ctx context.Context, q compiled, u weburl.URL) (*loaded, error) {
	switch {
	case r.o.Render == nil:
		return nil, tool.NewError(tool.BrowserMissing, "there is no browser here to run the page's scripts", "leave render out to read the page as the server sends it")
	case q.Auth != nil && q.Login == "":
		return nil, badRequest("render=always does not go with credentials", "leave one of them out")
	}
	begun := time.Now()
	// The browser sends no header of the caller's, so that all get the same
	// without a login.
	shared := r.o.Cache != nil && q.Login == "" && q.WaitFor == "" && !q.Scroll
	key := fetch.Request{URL: u, Redirects: q.redirects(), MaxAge: q.maxAge(), Fresh: q.Fresh, Variant: "browser"}
	if page.IsRoute(u.Fragment()) {
		key.Variant += "#" + u.Fragment() // each view of a page has its own
	}
	if shared {
		if res, ok := r.o.Cache.Lookup(ctx, key); ok {
			s := r.pageOf(ctx, q, res, begun)
			s.rendered = true
			return s, nil
		}
	}
	if q.Stored {
		return nil, tool.NewError(tool.NoContent, "there is no stored copy of the page as a browser shows it", "leave stored or render out")
	}
	p, err := r.o.Render(ctx, RenderRequest{u, q.loginFor(u), q.WaitFor, q.Scroll})
	if err != nil {
		return nil, tool.AsError(err)
	}
	if p.Status >= http.StatusBadRequest {
		return nil, FetchError(q.address(), &fetch.Error{Code: fetch.HTTPError, URL: p.URL.String(), Status: p.Status})
	}
	res := p.response(u, begun, q.Follow)
	s := r.pageOf(ctx, q, res, begun)
	s.rendered = true
	s.miss(p)
	if shared && s.err == nil && p.complete() {
		r.o.Cache.Store(ctx, key, res)
	}
	return s, nil
}

// loginFor is the login of a request at u, which a redirect may have left; "" for none.
func (q *Request) loginFor(u weburl.URL) string {
	if q.Login == "" || !q.Auth.Login.Covers(u) {
		return ""
	}
	return q.Login
}

// complete reports whether the page can be kept for other calls.
func (p *Rendered) complete() bool { return !p.NoStore && !p.Loading && !p.Grows }

// response is what the browser gives for u as a response.
func (p *Rendered) response(u weburl.URL, begun time.Time, follow bool) *fetch.Response {
	res := &fetch.Response{
		URL: p.URL, Hops: []weburl.URL{u, p.URL}, Status: p.Status, Header: http.Header{}, MediaType: "text/html", Charset: "utf-8",
		DecodedBytes: int64(len(p.HTML)), DeclaredBytes: -1, FetchedAt: begun,
	}
	res.AddNoStore(p.NoStore)
	if !follow && !weburl.SameHost(u, p.URL) {
		res.URL, res.Redirect = u, p.URL
	} else {
		res.Body, res.Judged = p.HTML, p.Judged
	}
	return res
}

// miss notes what the browser has not seen of a page.
func (s *loaded) miss(p *Rendered) {
	if s.page == nil || !p.Loading && !p.Grows {
		return
	}
	own := *s.page // several calls share it
	own.Missing = slices.Clone(own.Missing)
	if p.Loading {
		own.Miss(page.Sign{Kind: page.MissingLoad})
	}
	if p.Grows {
		own.Miss(page.Sign{Kind: page.MissingScroll, To: p.Screens})
	}
	s.page = &own
}

// pageOf makes the page of a response, whose request was sent at begun; raw needs none.
func (r *Reader) pageOf(ctx context.Context, q compiled, res *fetch.Response, begun time.Time) *loaded {
	s := &loaded{res: res, sum: sha256.Sum256(res.Body), fetched: time.Since(begun)}
	switch start := time.Now(); {
	case !res.Redirect.IsZero():
	case q.Mode == Raw:
		s.page = &page.Page{URL: res.URL.String(), Type: page.Other, Verdict: page.Complete}
	default:
		key := pageKey{sum: s.sum, url: res.URL.String(), media: res.MediaType, whole: q.Whole, comments: q.comments,
			selector: q.Selector, exclude: q.excluded, bare: q.asksData() || q.Mode == Links, truncated: res.Truncated, judged: res.Judged, charset: res.Charset}
		s.page, s.err = r.makePage(ctx, key, len(res.Body), func(ctx context.Context) (*page.Page, error) {
			return key.judge(extract.Document(res.Body, res.MediaType, r.options(ctx, q, s)))
		})
		s.read = time.Since(start)
	}
	return s
}

// options are those of reading a response, until ctx ends.
func (r *Reader) options(ctx context.Context, q compiled, s *loaded) extract.Options {
	o := s.again(ctx)
	o.Whole, o.Comments, o.Selector, o.Exclude = q.Whole, q.comments, q.selector, q.exclude
	if r.o.Documents != nil {
		o.Elsewhere = func(request ...[]byte) ([]byte, error) { return r.o.Documents(ctx, request...) }
	}
	if r.o.Recognize != nil {
		end := time.Now().Add(ocrTime)
		if at, ok := ctx.Deadline(); ok && at.Add(-ocrReserve).Before(end) {
			end = at.Add(-ocrReserve)
		}
		o.Recognize = func(picture []byte, language string) ([]string, error) {
			ctx, cancel := context.WithDeadlineCause(ctx, end, errors.New("the time for that is over; a longer timeout reads more pages"))
			defer cancel()
			return r.o.Recognize(ctx, picture, language)
		}
	}
	return o
}

// again are the options that reading a response for another purpose has, until ctx ends.
func (s *loaded) again(ctx context.Context) extract.Options {
	return extract.Options{URL: s.res.URL.String(), Charset: s.res.Charset, Judged: s.res.Judged, Stop: ctx.Err}
}

// judge says what a page lacks whose response was cut off. A read for links or data is judged
// by these: a page without content is none of its errors.
func (k *pageKey) judge(p *page.Page, err error) (*page.Page, error) {
	if p != nil && k.truncated {
		p.Omit(page.OmittedRest, 1)
		p.Miss(page.Sign{Kind: page.MissingBytes})
	}
	var ee *extract.Error
	if k.bare && p != nil && errors.As(err, &ee) && ee.Code == extract.NoContent && (ee.Verdict == page.EmptyShell || ee.Verdict == "") {
		// Pages that are in the place of the page stay errors: their links are not the page's.
		p.Verdict = page.Complete
		p.Miss(page.Sign{Kind: page.MissingContent})
		return p, nil
	}
	return p, err
}

// ocrTime is how long the pictures of a document may take. They end ocrReserve before the
// deadline, so that the text of the others is returned.
const ocrTime, ocrReserve = time.Minute, 2 * time.Second

// canonical is the page, which also knows the canonical URL of the Link header.
func (s *loaded) canonical() *page.Page {
	if s.page == nil || s.page.Meta.Canonical != "" || s.readAs != "" {
		return s.page
	}
	p := *s.page // several calls share it
	p.Meta.Canonical = sites.Canonical(s.res.URL, s.res.Header["Link"])
	return &p
}
