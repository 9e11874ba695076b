package reader

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/tool"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A page that is empty until its scripts run is read again through a browser,
// where there is one. What came by HTTP is looked at first, with all that its
// markup and data hold: a browser costs a hundred times as much.

// Rendered is a page as its scripts have made it.
type Rendered struct {
	URL    weburl.URL // where it ended
	Status int        // of the document; 0 when the browser does not say
	HTML   []byte
}

// The values of Request.Render; the empty string is RenderAuto.
const (
	RenderAuto   = "auto"
	RenderNever  = "never"
	RenderAlways = "always"
)

// get is the response to a request: from the server, or from the browser where
// that is asked for.
func (r *Reader) get(ctx context.Context, q Request) (*fetch.Response, error) {
	if q.Render == RenderAlways {
		return r.rendered(ctx, q, q.URL)
	}
	redirects := fetch.SameHost
	if q.Follow {
		redirects = fetch.Follow
	}
	header := http.Header{}
	for k, v := range q.Header {
		header.Set(k, v)
	}
	res, err := r.fetch(ctx, fetch.Request{URL: q.URL, Header: header, Redirects: redirects, Timeout: q.Timeout, Auth: q.Auth,
		MaxAge: q.MaxAge, Fresh: q.Fresh})
	if err != nil {
		return nil, fetchError(q.address(), err)
	}
	return res, nil
}

// needsScripts reports whether a browser may find more on a page that was read
// in vain. What needed credentials is not asked for without them; a login goes
// along.
func (r *Reader) needsScripts(q Request, err error) bool {
	var ee *extract.Error
	return r.render != nil && q.Render != RenderNever && q.Render != RenderAlways && (q.Auth == nil || q.Login != "") && q.Mode != Raw &&
		errors.As(err, &ee) && ee.Verdict == page.EmptyShell
}

// rendered has the browser read a page. A redirect to another host is reported
// where it is not to be followed.
func (r *Reader) rendered(ctx context.Context, q Request, u weburl.URL) (*fetch.Response, error) {
	if r.render == nil {
		return nil, tool.NewError(tool.BrowserMissing, "there is no browser here to run the page's scripts", "leave render out to read the page as the server sends it")
	}
	if q.Auth != nil && q.Login == "" {
		return nil, tool.NewError(tool.InvalidInput, "render=always does not go with credentials", "leave one of them out")
	}
	if q.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, q.Timeout)
		defer cancel()
	}
	begun := time.Now()
	login := q.Login
	if login != "" && !q.Auth.Login.Covers(u) {
		login = "" // a redirect has left its site
	}
	p, err := r.render(ctx, u, login)
	if err != nil {
		return nil, tool.AsError(err)
	}
	if p.Status >= http.StatusBadRequest {
		return nil, fetchError(q.address(), &fetch.Error{Code: fetch.HTTPError, URL: p.URL.String(), Status: p.Status})
	}
	res := &fetch.Response{
		URL: p.URL, Hops: []weburl.URL{p.URL}, Status: p.Status, Header: http.Header{}, MediaType: "text/html", Charset: "utf-8",
		DecodedBytes: int64(len(p.HTML)), DeclaredBytes: -1, FetchedAt: begun,
	}
	if !q.Follow && !weburl.SameHost(u, p.URL) {
		res.URL, res.Redirect = u, p.URL
		return res, nil
	}
	res.Body = p.HTML
	return res, nil
}
