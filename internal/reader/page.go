package reader

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file makes the page of a response, or finds it as it was made before.

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
	readAs   string     // the form of the page's site; empty for the page itself
	url      weburl.URL // of the page that readAs stands in place of
	fetched  time.Duration
	read     time.Duration
	wanted   bool // the page is needed after the answer is made
}

// parse makes a page of a response whose request was sent at begun.
func (r *Reader) parse(ctx context.Context, q compiled, res *fetch.Response, begun time.Time) *loaded {
	s := &loaded{res: res, sum: sha256.Sum256(res.Body), fetched: time.Since(begun)}
	if res.Redirect.IsZero() {
		start := time.Now()
		s.page, s.err = r.sharedPage(ctx, q, res, s.sum)
		s.read = time.Since(start)
	}
	return s
}

// sharedPage is the page of a response, made once for all calls that ask for it at a time;
// raw needs none.
func (r *Reader) sharedPage(ctx context.Context, q compiled, res *fetch.Response, sum [sha256.Size]byte) (p *page.Page, err error) {
	if q.Mode == Raw {
		return &page.Page{URL: res.URL.String(), Type: page.Other, Verdict: page.Complete}, nil
	}
	key := pageKey{sum: sum, url: res.URL.String(), media: res.MediaType, whole: q.Whole, comments: q.comments,
		selector: q.Selector, exclude: q.excluded, bare: q.Mode == Links || q.Mode == Data || q.Mode == CSV || q.fields != nil || q.JQ != "", truncated: res.Truncated, judged: res.Judged, charset: res.Charset}
	if p := r.memory.get(key); p != nil {
		return p, nil
	}
	err = inTime(ctx, func(in context.Context) error {
		// A herd that asks for one page gets one: the bytes are in its key.
		p, _, err = r.parsing.Do(in, key, func(own context.Context) (*page.Page, error) {
			p, err := r.extractPage(own, key, q, res)
			if err == nil && len(res.Body) <= maxKeptBytes {
				r.memory.put(key, p)
			}
			return p, err
		})
		return err
	})
	return p, err
}

// extractPage parses a response. Its context ends a little after the deadline of the calls
// that wait for the page.
func (r *Reader) extractPage(ctx context.Context, k pageKey, q compiled, res *fetch.Response) (p *page.Page, err error) {
	o := extract.Options{URL: k.url, Charset: k.charset, Judged: k.judged, Whole: k.whole, Comments: k.comments, Selector: q.selector, Exclude: q.exclude, Stop: ctx.Err}
	if r.o.Documents != nil {
		o.Elsewhere = func(request ...[]byte) ([]byte, error) { return r.o.Documents(ctx, request...) }
	}
	if r.o.Recognize != nil {
		ocr, cancel := sooner(ctx)
		defer cancel()
		o.Recognize = func(picture []byte, language string) ([]string, error) { return r.o.Recognize(ocr, picture, language) }
	}
	err = r.admitted(ctx, len(res.Body), func() (err error) {
		p, err = extract.Document(res.Body, k.media, o)
		return err
	})
	if p != nil && k.truncated {
		p.Omit(page.OmittedRest, 1)
		p.Miss(page.Sign{Kind: page.MissingBytes})
	}
	var ee *extract.Error
	if k.bare && p != nil && errors.As(err, &ee) && ee.Code == extract.NoContent && (ee.Verdict == page.EmptyShell || ee.Verdict == "") {
		// A read for links or data is judged by these. Pages that stand in the place
		// of the page stay errors: their links are not the page's.
		p.Verdict = page.Complete
		p.Miss(page.Sign{Kind: page.MissingContent})
		return p, nil
	}
	return p, err
}

// ocrTime is how long the pictures of a document may take. They end ocrReserve before the
// deadline, so that the text of the others is returned.
const ocrTime, ocrReserve = time.Minute, 2 * time.Second

func sooner(ctx context.Context) (context.Context, context.CancelFunc) {
	at := time.Now().Add(ocrTime)
	if end, ok := ctx.Deadline(); ok && end.Add(-ocrReserve).Before(at) {
		at = end.Add(-ocrReserve)
	}
	return context.WithDeadlineCause(ctx, at, errOCRTime)
}

var errOCRTime = errors.New("the time for that is over; a longer timeout reads more pages")

// documentOptions are those that reading a response again has, until ctx ends.
func documentOptions(ctx context.Context, res *fetch.Response) extract.Options {
	return extract.Options{URL: res.URL.String(), Charset: res.Charset, Judged: res.Judged, Stop: ctx.Err}
}
