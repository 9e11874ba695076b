package reader

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/sites"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

const (
	// siteShare: a variant may take one part in so many of the time that is left,
	// because the page is still to be read when it fails.
	siteShare = 3
	// A site that has had enough is left alone for so long where it does not
	// say for how long, and never longer than …
	siteRest    = 5 * time.Minute
	maxSiteRest = time.Hour
	maxResting  = 64 // hosts
)

// takesVariant reports whether a request may be answered from a variant of the
// page: it asks neither for its markup, nor as somebody, nor for what its scripts
// do.
func (q *Request) takesVariant() bool {
	switch q.Mode {
	case Markdown, Text, Outline, JSON:
		return q.Selector == "" && q.JQ == "" && !q.Whole && q.Auth == nil && len(q.Header) == 0 && q.Render != RenderAlways && q.WaitFor == ""
	}
	return false
}

// variantOf is the variant of what came for u, where that is another host or names one; nil:
// none.
func variantOf(u weburl.URL, res *fetch.Response) (v *sites.Variant) {
	if !res.Redirect.IsZero() || res.Status >= http.StatusMultipleChoices {
		return nil
	}
	if !weburl.SameHost(u, res.URL) {
		v = sites.Find(res.URL)
	}
	if v == nil && (res.MediaType == "text/html" || res.MediaType == "application/xhtml+xml") {
		v = sites.Declared(res.URL, res.Header["Link"], res.Body)
	}
	return v
}

// readVariant reads a variant of the page at u; nil when nothing came of it.
func (r *Reader) readVariant(ctx context.Context, q compiled, u weburl.URL, v *sites.Variant, start time.Time) *loaded {
	ctx, cancel := deadline.Share(ctx, siteShare)
	defer cancel()
	s := &loaded{readAs: v.As, url: u}
	var have []sites.Response
	sums := sha256.New()
	size := 0
	for next, ok := v.Next(have); ok; next, ok = v.Next(have) {
		res := r.variantPart(ctx, q, u, next)
		if res == nil {
			break
		}
		part := sha256.Sum256(res.Body)
		sums.Write(part[:])
		size += len(res.Body)
		have = append(have, sites.Response{MediaType: res.MediaType, Body: res.Body, Truncated: res.Truncated})
		if s.res == nil { // several responses are as one: the first, with what holds for all of them
			one := *res
			s.res = &one
			continue
		}
		s.res.DecodedBytes += res.DecodedBytes
		s.res.Cached = s.res.Cached && res.Cached
		s.res.AddNoStore(res.NoStore())
	}
	if s.res == nil {
		return nil
	}
	s.sum, s.fetched = [sha256.Size]byte(sums.Sum(nil)), time.Since(start)
	key := pageKey{sum: s.sum, url: u.String(), media: v.As, comments: q.comments}
	var err error
	s.page, err = r.makePage(ctx, key, size, func(context.Context) (*page.Page, error) {
		return v.Page(have, sites.Options{URL: key.url, NoComments: q.comments == extract.CommentsNever, Read: readPart})
	})
	if err != nil {
		return nil
	}
	s.read = time.Since(start) - s.fetched
	return s
}

// variantPart gets one response of a variant; nil where it cannot be had, leads elsewhere, or
// its host wants to be left alone.
func (r *Reader) variantPart(ctx context.Context, q compiled, u weburl.URL, part sites.Request) *fetch.Response {
	host := part.URL.Host()
	if until, ok := r.resting.get(host); ok && time.Now().Before(until) {
		return nil
	}
	header := http.Header{}
	if part.Accept != "" {
		header.Set("Accept", part.Accept)
	}
	res, err := r.fetch(ctx, q, fetch.Request{URL: part.URL, InPlaceOf: u, Header: header, Timeout: q.Timeout, MaxAge: q.maxAge(), Fresh: q.Fresh, NoCookies: q.NoCookies})
	var e *fetch.Error
	if errors.As(err, &e) && e.Response != nil && sites.RateLimited(e.Status, e.Response.Header.Get("X-Ratelimit-Remaining"), e.Response.Body) {
		r.resting.put(host, time.Now().Add(min(cmp.Or(e.RetryAfter, siteRest), maxSiteRest)), maxResting)
	}
	if err != nil || !res.Redirect.IsZero() || res.Status >= http.StatusMultipleChoices {
		return nil
	}
	return res
}

// readPart is how variants read what they carry in other formats.
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
