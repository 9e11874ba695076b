package spyhop

import (
	"context"
	"errors"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Explain reads an HTML page as the server sends it and says how its main content was
// chosen: each block of text with its score, and why. It follows redirects. The error
// is an *Error: UnsupportedContent when the page is not HTML.
func (s *Client) Explain(ctx context.Context, url string) (*result.Explanation, error) {
	return operate(ctx, s, "explain", func(ctx context.Context) (x *result.Explanation, err error) {
		u, err := reader.Address(url)
		if err != nil {
			return nil, err
		}
		ctx, stop := deadline.With(ctx, s.timeout)
		defer stop()
		at := u.WithoutUserinfo().String()
		ctx, end := admission.Call(ctx)
		defer end(false)
		res, err := s.get(ctx, fetch.Request{URL: u})
		if err != nil {
			return nil, reader.FetchError(at, err)
		}
		if !res.Redirect.IsZero() {
			return nil, tool.NewError(tool.NoContent, text.URL(at)+" leads to another host, "+text.URL(res.Redirect.String()), "explain that URL")
		}
		if res.MediaType != "text/html" && res.MediaType != "application/xhtml+xml" {
			return nil, tool.NewError(tool.UnsupportedContent, "only HTML pages have blocks to explain, and this is "+text.Name(res.MediaType), "read it without an explanation")
		}
		if e := s.admit(ctx, len(res.Body), func() {
			p, blocks, cause := extract.Explain(res.Body, extract.Options{URL: res.URL.String(), Stop: ctx.Err})
			if p == nil || ctx.Err() != nil {
				err = errors.Join(cause, ctx.Err())
				return
			}
			x = reader.Explained(p, blocks)
		}); e != nil {
			return nil, e
		}
		return x, err
	})
}

// Compare returns the blocks that differ between two versions of a page, given as
// Markdown, in the order of the second.
func Compare(before, after string) []result.Change {
	d, _ := passage.Compare(before, after, nil) // nothing stops it
	return d.Changes
}
