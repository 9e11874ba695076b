package spyhop

import (
	"context"
	"encoding/json"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// FetchResult is a page as Fetch returns it.
type FetchResult = result.Fetch

// Mode says in which form a page is returned.
type Mode string

// The modes. The zero value means ModeMarkdown.
const (
	// ModeMarkdown is the main content as CommonMark with GFM tables.
	ModeMarkdown Mode = "markdown"
	// ModeText is the main content without markup.
	ModeText Mode = "text"
	// ModeHTML is the main content as cleaned HTML.
	ModeHTML Mode = "html"
	// ModeRaw is the body as the server sent it, decoded to UTF-8 and not
	// filtered.
	ModeRaw Mode = "raw"
	// ModeLinks is the list of links to the page's own site.
	ModeLinks Mode = "links"
	// ModeOutline is the list of headings with the IDs of their sections.
	ModeOutline Mode = "outline"
	// ModeJSON has the content of ModeMarkdown; a surface that prints text prints
	// the whole result as JSON.
	ModeJSON Mode = "json"
	// ModeData is what the page says about itself as data (JSON-LD, microdata, RDFa,
	// Open Graph), and its tables, as a JSON object.
	ModeData Mode = "data"
	// ModeCSV is the tables of the page as CSV, with an empty line between them.
	ModeCSV Mode = "csv"
)

// Comments says what happens to readers' comments on a page.
type Comments string

// The choices. The zero value means CommentsAuto.
const (
	// CommentsAuto leaves them out on articles.
	CommentsAuto Comments = "auto"
	// CommentsAlways keeps them.
	CommentsAlways Comments = "always"
	// CommentsNever leaves them out on every page.
	CommentsNever Comments = "never"
)

// Render says whether a browser runs the scripts of a page.
type Render = result.Render

// The choices. The zero value means RenderAuto.
const (
	// RenderAuto runs them where content is probably missing without them and
	// there is a browser.
	RenderAuto Render = "auto"
	// RenderNever reads the page as the server sends it.
	RenderNever Render = "never"
	// RenderAlways runs them; without a browser it fails with a BrowserMissing
	// error.
	RenderAlways Render = "always"
)

// Fetch reads an address. The result is nil exactly when the error is not, which
// is then an *Error: Blocked when the policy refuses the address, HTTPError,
// Timeout or ConnectionError when the site does not answer well, NoContent when
// the page has nothing to read, InvalidInput when fields of the request do not go
// together.
func (s *Client) Fetch(ctx context.Context, q FetchRequest) (*FetchResult, error) {
	s.warmUp()
	return operate(ctx, s, "fetch", func(ctx context.Context) (*FetchResult, error) {
		r, err := s.request(&q)
		if err != nil {
			return nil, err
		}
		if r.URL, err = reader.Address(q.URL); err != nil {
			return nil, err
		}
		a, err := s.reader.Read(ctx, r)
		if err != nil {
			return nil, err
		}
		return &a.Fetch, nil
	})
}

// request is q as the reader has it, without the address.
func (s *Client) request(q *FetchRequest) (reader.Request, error) {
	r, err := q.request()
	if err != nil {
		return r, err
	}
	r.Follow = s.follow
	r.Auth, err = reader.Auth(q.Username, q.Password, q.Bearer, q.Cookie)
	return r, err
}

// warmUp prepares, once and in the background, what the first page needs later: the model of
// the main content, and the files that store pages. A site takes at least as long to answer.
func (s *Client) warmUp() {
	s.warming.Do(func() {
		s.warm.Go(extract.WarmUp)
		for _, st := range []*store.Store{s.store, s.pages} {
			if st != nil {
				s.warm.Go(st.WarmUp)
			}
		}
	})
}

// FetchAll reads several addresses, four at a time, under one bound of length and
// tokens; q applies to each of them, its URL is ignored. The results are in the
// order of urls. An address that fails does not fail the others: its result has
// an Error. FetchAll itself fails when the request is not valid; it also fails
// when a Prompt was not answered, beside results that have the pages.
func (s *Client) FetchAll(ctx context.Context, urls []string, q FetchRequest) (*result.FetchAll, error) {
	if q.Username != "" || q.Password != "" || q.Bearer != "" || q.Cookie != "" {
		return nil, tool.NewError(tool.InvalidInput, "credentials belong to one URL", "fetch the URLs one by one")
	}
	return operate(ctx, s, "fetch", func(ctx context.Context) (pages *result.FetchAll, err error) {
		r, err := s.request(&q)
		if err != nil {
			return nil, err
		}
		pages = &s.reader.ReadAll(ctx, urls, r).FetchAll
		for _, page := range pages.Results {
			if page.Error != nil {
				page.Error = tool.AsError(s.hints.explain(page.Error))
			}
		}
		if pages.Error != nil {
			return pages, pages.Error
		}
		return pages, nil
	})
}

// Browse reads an address as the tool web_browse does: it returns the page as
// Markdown, at most 10,000 characters, or a string that begins with "Error: ".
func (s *Client) Browse(ctx context.Context, url string) string {
	args, err := json.Marshal(map[string]string{"url": url})
	if err != nil {
		return "Error: Invalid URL format - must start with http:// or https://"
	}
	r, err := s.tools().Call(ctx, "web_browse", args, tool.Options{Caller: s.caller, Given: true})
	if err != nil {
		return "Error: Failed to fetch URL - " + err.Error()
	}
	return r.Text
}
