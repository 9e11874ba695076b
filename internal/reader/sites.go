package reader

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/sites"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A page of which its site has a form for machines is read in that form. What
// goes wrong on the way costs time and nothing else: the page itself is read
// then. The form stands in place of the page: the address of the answer stays
// that of the page, and Metadata says what was read.

const (
	// siteShare: a form may take one part in so many of the time that is left,
	// because the page is still to be read when it fails.
	siteShare = 3
	// A site that has had enough is left alone for so long where it does not
	// say for how long, and never longer than …
	siteRest    = 5 * time.Minute
	maxSiteRest = time.Hour
	maxResting  = 64 // hosts
)

// backoff remembers hosts that want to be left alone. The zero value knows none.
type backoff struct {
	mu    sync.Mutex
	until *lru.Map[string, time.Time]
}

func (t *backoff) is(host string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.until == nil {
		return false
	}
	until, ok := t.until.Get(host)
	return ok && time.Now().Before(until)
}

// note remembers a host whose answer says that it has had enough.
func (t *backoff) note(host string, err error) {
	var e *fetch.Error
	if !errors.As(err, &e) || e.Response == nil || !sites.RateLimited(e.Status, e.Response.Header.Get("X-Ratelimit-Remaining"), e.Response.Body) {
		return
	}
	rest := e.RetryAfter
	if rest == 0 {
		rest = siteRest
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.until == nil {
		t.until = lru.New[string, time.Time](maxResting)
	}
	t.until.Put(host, time.Now().Add(min(rest, maxSiteRest)))
}

// takesForm reports whether a request may be answered from another form of the
// page: it asks neither for its markup, nor as somebody, nor for what its scripts
// do.
func (q *Request) takesForm() bool {
	switch q.Mode {
	case Markdown, Text, Outline, JSON:
		return q.Selector == "" && q.JQ == "" && !q.Whole && q.Auth == nil && len(q.Header) == 0 && q.Render != RenderAlways && q.WaitFor == ""
	}
	return false
}

// fromServer reads what the server sends: the form of the page that its site has for
// machines, or the page.
func (r *Reader) fromServer(ctx context.Context, q compiled) (*loaded, error) {
	start := time.Now()
	u, forms := q.URL, q.takesForm()
	if u.Scheme() == "http" {
		u = u.WithScheme("https") // where forms are
	}
	if f := sites.Find(q.URL); forms && f != nil {
		if s := r.readVariant(ctx, &q, u, f, start); s != nil {
			return s, nil
		}
	}
	res, err := r.get(ctx, q)
	if err != nil {
		return nil, err
	}
	if forms && res.Redirect.IsZero() && res.Status < http.StatusMultipleChoices {
		var f *sites.Variant
		if !weburl.SameHost(u, res.URL) {
			f = sites.Find(res.URL)
		}
		if f == nil && (res.MediaType == "text/html" || res.MediaType == "application/xhtml+xml") {
			f = sites.Declared(res.URL, res.Header["Link"], res.Body)
		}
		if f != nil {
			if s := r.readVariant(ctx, &q, res.URL, f, start); s != nil {
				return s, nil
			}
		}
	}
	return r.parse(ctx, q, res, start), nil
}

// readVariant reads a variant of the page at u; nil when nothing came of it.
func (r *Reader) readVariant(ctx context.Context, q *compiled, u weburl.URL, f *sites.Variant, start time.Time) *loaded {
	ctx, cancel := deadline.Share(ctx, siteShare)
	defer cancel()
	var all []*fetch.Response
	var have []sites.Response
	for next, ok := f.Next(have); ok; next, ok = f.Next(have) {
		res, err := r.formPart(ctx, q, u, next)
		if err != nil {
			break
		}
		all = append(all, res)
		have = append(have, sites.Response{MediaType: res.MediaType, Body: res.Body, Truncated: res.Truncated})
	}
	if len(all) == 0 {
		return nil
	}
	s := &loaded{readAs: f.As, url: u, fetched: time.Since(start)}
	s.res, s.sum = together(all)
	var err error
	if s.page, err = r.formPage(ctx, q, u, f, have, s.sum); err != nil {
		return nil
	}
	s.read = time.Since(start) - s.fetched
	return s
}

// errNoForm means that a form cannot be had: its address leads elsewhere, or its host
// wants to be left alone.
var errNoForm = errors.New("the form cannot be had")

// formPart gets one answer of a form.
func (r *Reader) formPart(ctx context.Context, q *compiled, u weburl.URL, part sites.Request) (*fetch.Response, error) {
	if r.backoff.is(part.URL.Host()) {
		return nil, errNoForm
	}
	header := http.Header{}
	if part.Accept != "" {
		header.Set("Accept", part.Accept)
	}
	res, err := r.o.Fetch(ctx, fetch.Request{URL: part.URL, InPlaceOf: u, Header: header, Timeout: q.Timeout, MaxAge: q.MaxAge, Fresh: q.Fresh, NoCookies: q.NoCookies})
	if err != nil {
		r.backoff.note(part.URL.Host(), err)
		return nil, err
	}
	if !res.Redirect.IsZero() || res.Status >= http.StatusMultipleChoices {
		return nil, errNoForm
	}
	return res, nil
}

// together is what several answers are as one: the first, with what holds for
// all of them.
func together(all []*fetch.Response) (*fetch.Response, [sha256.Size]byte) {
	one := *all[0]
	h := sha256.New()
	for i, res := range all {
		part := sha256.Sum256(res.Body)
		h.Write(part[:])
		if i > 0 {
			one.DecodedBytes += res.DecodedBytes
			one.Cached = one.Cached && res.Cached
			one.AddNoStore(res.NoStore())
		}
	}
	return &one, [sha256.Size]byte(h.Sum(nil))
}

// formPage makes the page, or finds it as it was made for another window of it.
func (r *Reader) formPage(ctx context.Context, q *compiled, u weburl.URL, f *sites.Variant, have []sites.Response, sum [sha256.Size]byte) (*page.Page, error) {
	key := pageKey{sum: sum, url: u.String(), media: f.As, comments: q.comments}
	if p := r.memory.get(key); p != nil {
		return p, nil
	}
	size := 0
	for _, h := range have {
		size += len(h.Body)
	}
	var p *page.Page
	err := r.admitted(ctx, size, func() (err error) {
		p, err = f.Page(have, sites.Options{URL: u.String(), NoComments: q.comments == extract.CommentsNever, Read: readPart})
		return err
	})
	if err != nil {
		return nil, err
	}
	if size <= maxKeptBytes {
		r.memory.put(key, p)
	}
	return p, nil
}

// readPart is how forms read what they carry in other formats.
func readPart(body []byte, mediaType, base, selector string) (*page.Page, error) {
	o := extract.Options{URL: base, Whole: selector == "" && mediaType == "text/html", Static: true}
	if selector != "" {
		var err error
		if o.Selector, err = extract.CompileSelector(selector); err != nil {
			return nil, err
		}
	}
	return extract.Document(body, mediaType, o)
}
