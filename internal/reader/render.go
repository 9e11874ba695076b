package reader

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// A page whose content comes from its scripts is read again through a browser,
// where there is one. What came by HTTP is looked at first, with all that its
// markup and data hold: a browser costs a hundred times as much. It also
// decides about all that has to do with the site: whether it may be asked, what
// it redirects to, and what kind of thing it has. Decision 10 has the reasons.

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

// Cache keeps what the browser gives; *fetch.Cache does. Each call has
// [fetch.Request.Variant] set.
type Cache interface {
	Lookup(context.Context, fetch.Request) (*fetch.Response, bool)
	Store(context.Context, fetch.Request, *fetch.Response)
}

// open gives the page of a request: as the server sends it, or as its scripts
// make it where that is more.
func (r *Reader) open(ctx context.Context, q compiled) (*loaded, error) {
	if q.Render == RenderAlways || q.WaitFor != "" || q.Scroll {
		return r.fromBrowser(ctx, q, q.URL)
	}
	// What needed credentials is not asked for without them; a login goes along.
	// What it shows says nothing of the page that others get, and is not noted.
	anybody := q.credentials() == ""
	auto := r.o.Render != nil && q.Render != RenderNever && q.Mode != Raw && (anybody || q.Login != "" && len(q.Header) == 0)
	known := renderHints{r.o.HintStore}
	if !anybody {
		known = renderHints{}
	}
	plain, err := r.fromServer(ctx, q)
	if err != nil || !auto {
		return plain, err
	}
	why := plain.shell(q)
	if why == "" {
		return plain, nil
	}
	vain := inVain(q.URL, why, plain.err != nil)
	if !q.Fresh && known.has(ctx, vain) {
		plain.vain = true
		plain.without(why, "rendering in a browser added nothing before; render=always renders it again")
		return plain, nil
	}
	full, err := r.fromBrowser(ctx, q, plain.res.URL)
	var te *tool.Error
	switch {
	case errors.As(err, &te) && te.Type == tool.BrowserMissing:
		plain.without(why, "no browser was found; spyhop doctor says what to install")
	case errors.As(err, &te) && te.Type == tool.Busy && plain.err != nil:
		return nil, err // the page may have content, only not now
	case err != nil:
		plain.without(why, "the browser failed ("+pageText(tool.AsError(err).Message, 200)+")")
	case !full.betterThan(plain):
		known.add(ctx, vain)
		plain.vain = true
		plain.without(why, "rendering in a browser added nothing within some seconds; wait_for waits for a text that the page shows later")
	default:
		full.note = "in a browser, since " + because(why)
		return full, nil
	}
	return plain, nil
}

// without notes that a page was read without a browser, for which why speaks; tried is
// what came of the browser.
func (s *loaded) without(why page.Shell, tried string) {
	s.note, s.tried = "as the server sent it, although "+because(why)+": "+tried, tried
}

// because says what speaks for a browser.
func because(why page.Shell) string {
	switch why {
	case page.ShellRoot:
		return "the element that the page's scripts fill is empty without them"
	case page.ShellUnlikely:
		return "nothing on the page looks like content without its scripts"
	case page.ShellComments:
		return "the page's comments are not on it without its scripts"
	case page.ShellWaiting:
		return "the page has placeholders for content without its scripts"
	}
	return "the page is empty without its scripts"
}

// shell is the reason to run the scripts of a page; empty where there is none.
// Where links were asked for, those of a shell are content enough.
func (s *loaded) shell(q compiled) page.Shell {
	var ee *extract.Error
	switch {
	case s.page == nil, s.readAs != "", s.err == nil && q.Mode == Links && len(ownLinks(s.page)) > 0:
		return ""
	case s.err != nil && (!errors.As(s.err, &ee) || ee.Code != extract.NoContent && ee.Code != extract.NoMatch):
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
	if s.err != nil {
		return false
	}
	if plain.err != nil {
		return true
	}
	if s.page == nil {
		return false // it leads elsewhere
	}
	had, share := plain.size(), gainShare
	if plain.page.Shell == page.ShellComments {
		share = commentShare // the text above them is the same
	}
	return s.size() >= had+max(had/share, minGain)
}

// size is that of the content, in tokens.
func (s *loaded) size() int { return markdown.Tokens(markdown.PlainText(s.page)) }

// get asks the server.
func (r *Reader) get(ctx context.Context, q compiled) (*fetch.Response, error) {
	header := http.Header{}
	for k, v := range q.Header {
		header.Set(k, v)
	}
	res, err := r.o.Fetch(ctx, fetch.Request{URL: q.URL, Header: header, Redirects: q.redirects(), Timeout: q.Timeout, Auth: q.Auth,
		MaxAge: q.MaxAge, Fresh: q.Fresh, Jar: q.Jar, NoCookies: q.NoCookies})
	if err != nil {
		at := q.address()
		if fe := (*fetch.Error)(nil); q.URL.SchemeAssumed() && errors.As(err, &fe) && fe.URL != "" {
			at = fe.URL // with the scheme that was used
		}
		return nil, FetchError(at, err)
	}
	return res, nil
}

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
	if r.o.Render == nil {
		return nil, tool.NewError(tool.BrowserMissing, "there is no browser here to run the page's scripts", "leave render out to read the page as the server sends it")
	}
	if q.Auth != nil && q.Login == "" {
		return nil, tool.NewError(tool.InvalidInput, "render=always does not go with credentials", "leave one of them out")
	}
	begun := time.Now()
	login := q.Login
	if login != "" && !q.Auth.Login.Covers(u) {
		login = "" // a redirect has left its site
	}
	// The browser sends no header of the caller's, so that all get the same
	// without a login.
	shared := r.o.Cache != nil && q.Login == "" && q.WaitFor == "" && !q.Scroll
	key := fetch.Request{URL: u, Redirects: q.redirects(), MaxAge: q.MaxAge, Fresh: q.Fresh, Variant: variantOf(u)}
	if shared {
		if res, ok := r.o.Cache.Lookup(ctx, key); ok {
			s := r.parse(ctx, q, res, begun)
			s.rendered = true
			return s, nil
		}
	}
	p, err := r.o.Render(ctx, RenderRequest{u, login, q.WaitFor, q.Scroll})
	if err != nil {
		return nil, tool.AsError(err)
	}
	if p.Status >= http.StatusBadRequest {
		return nil, FetchError(q.address(), &fetch.Error{Code: fetch.HTTPError, URL: p.URL.String(), Status: p.Status})
	}
	res := &fetch.Response{
		URL: p.URL, Hops: []weburl.URL{u, p.URL}, Status: p.Status, Header: http.Header{}, MediaType: "text/html", Charset: "utf-8",
		DecodedBytes: int64(len(p.HTML)), DeclaredBytes: -1, FetchedAt: begun,
	}
	res.AddNoStore(p.NoStore)
	if !q.Follow && !weburl.SameHost(u, p.URL) {
		res.URL, res.Redirect = u, p.URL
	} else {
		res.Body, res.Judged = p.HTML, p.Judged
	}
	s := r.parse(ctx, q, res, begun)
	s.rendered = true
	s.miss(p)
	if shared && s.err == nil && !p.NoStore && !p.Loading && !p.Grows {
		r.o.Cache.Store(ctx, key, res)
	}
	return s, nil
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

// variantOf names what the browser makes of an address: each view of a page has its own.
func variantOf(u weburl.URL) string {
	if page.IsRoute(u.Fragment()) {
		return "browser#" + u.Fragment()
	}
	return "browser"
}
