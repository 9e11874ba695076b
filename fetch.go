package spyhop

import (
	"context"
	"encoding/json"
	"reflect"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/readargs"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// FetchResult is a page as Fetch returns it.
type FetchResult = result.Fetch

// FetchResults are pages as FetchAll returns them.
type FetchResults = result.FetchAll

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

// FetchRequest is an address and what is wanted of it. The zero value of each
// field but URL is its default. The tag argument of a field names that of
// web_fetch that it stands for.
type FetchRequest struct {
	// URL is the address; https:// is added if the scheme is missing. Tracking
	// parameters are removed.
	URL string `argument:"url"`
	// Mode is the form of the content; "" means ModeMarkdown.
	Mode Mode `argument:"mode"`
	// MaxLength bounds the content, in characters; 0 means
	// Config.MaxContentChars, NoLimit all of it.
	MaxLength int `argument:"max_length"`
	// MaxTokens bounds the content, in estimated tokens (a token for four bytes,
	// one for each Chinese, Japanese or Korean character); 0 and NoLimit mean no
	// bound.
	MaxTokens int `argument:"max_tokens"`
	// StartIndex is the character of the whole content at which the answer
	// begins; FetchResult.NextStartIndex has the next one.
	StartIndex int `argument:"start_index"`
	// Sections are IDs of sections, as ModeOutline lists them, or anchors of the
	// page; the answer has only these. Nil means the whole page, from the section
	// on that the fragment of URL names.
	Sections []string `argument:"section"`
	// Selector is a CSS selector; only elements that match are read.
	Selector string `argument:"selector"`
	// Query asks for the passages that answer it best, in page order, within
	// MaxTokens and MaxLength. Links become their text.
	Query string `argument:"query"`
	// Prompt is a question that the configured model answers from the page. Each
	// quotation in the answer is looked up in the page. Without a model it is
	// treated as a Query, and the answer says so.
	Prompt string `argument:"prompt"`
	// Schema is a JSON Schema for the answer to Prompt; nil means text. Where each of
	// its values has an "x-selector" (a CSS selector, "@" and an attribute, or both),
	// they are read from the page without a model and without a Prompt.
	Schema json.RawMessage `argument:"schema"`
	// JQ is a filter of jq; its results over the JSON that the URL serves, or over the
	// data of a page (ModeData), are the content, one a line. It needs [RunWorker].
	JQ string `argument:"jq"`
	// MustContain asks whether the page has this text, and where. The answer
	// says so instead of giving the content.
	MustContain string `argument:"must_contain"`
	// Since is "last" or a version of the page (Metadata.Version); the answer is
	// what has changed after it. It needs the cache, which Config.CacheTTL can
	// switch off.
	Since string `argument:"since"`
	// NoImages writes [image: alt] instead of ![alt](src).
	NoImages bool `argument:"images,not"`
	// Whole reads the whole body instead of the main content.
	Whole bool `argument:"whole"`
	// Exclude are CSS selectors of elements that are left out.
	Exclude []string `argument:"exclude"`
	// Remove names kinds of content that are left out: "consent", "overlays",
	// "comments", "links" (their text stays), "images".
	Remove []string `argument:"remove"`
	// Links is "inline", or "references": numbers in the text, and the URLs at its end.
	// "" means "inline".
	Links string `argument:"links"`
	// Comments says what happens to readers' comments; "" means CommentsAuto.
	Comments Comments `argument:"comments"`
	// Render says whether a browser runs the page's scripts; "" means
	// RenderAuto.
	Render Render `argument:"render"`
	// WaitFor is a text, or a CSS selector (one with ".", "#", "[", ":" or ">"), that
	// has to be on the page before it is read. A browser runs the page's scripts.
	WaitFor string `argument:"wait_for"`
	// Scroll runs the page's scripts in a browser and scrolls until nothing new comes, at
	// most 30 screens and 2,000 records: for lists that grow, and for virtual lists.
	Scroll bool `argument:"scroll"`
	// Timeout bounds the call; 0 means Config.Timeout, more than MaxTimeout
	// means MaxTimeout.
	Timeout time.Duration `argument:"timeout_ms"`
	// Header holds further request headers. It must not hold credentials: these
	// belong into the fields below, which bind them to the origin of URL.
	Header map[string]string `argument:"headers"`
	// Username and Password are sent as Basic credentials, Bearer as a bearer
	// token, Cookie as the Cookie header, to the origin of URL only. Empty ones
	// are not sent.
	Username, Password, Bearer, Cookie string
	// Login names a site that a person has signed in to with [Client.Login]; the
	// page is read with that login. It cannot be combined with the credentials
	// above.
	Login string `argument:"login"`
	// MaxAge is how old a cached answer may be that is returned without asking
	// the site; 0 means Config.CacheTTL, NoLimit any age.
	MaxAge time.Duration `argument:"max_age"`
	// Revalidate asks the site whether the cached answer is still current,
	// whatever its age; MaxAge is then ignored.
	Revalidate bool `argument:"max_age,zero"`
	// Fresh ignores the cached answer and reads the page again.
	Fresh bool `argument:"fresh"`
}

// Fetch reads an address. The result is nil exactly when the error is not, which
// is then an *Error: Blocked when the policy refuses the address, HTTPError,
// Timeout or ConnectionError when the site does not answer well, NoContent when
// the page has nothing to read, InvalidInput when fields of the request do not go
// together.
func (s *Client) Fetch(ctx context.Context, q FetchRequest) (page *FetchResult, err error) {
	s.warmUp()
	err = s.operation(ctx, "fetch", func(ctx context.Context) error {
		r, err := q.request(s.follow)
		if err != nil {
			return err
		}
		if r.URL, err = reader.Address(q.URL); err != nil {
			return err
		}
		a, err := s.reader.Read(ctx, r)
		if err != nil {
			return err
		}
		page = &a.Fetch
		return nil
	})
	return page, err
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
func (s *Client) FetchAll(ctx context.Context, urls []string, q FetchRequest) (pages *FetchResults, err error) {
	if q.Username != "" || q.Password != "" || q.Bearer != "" || q.Cookie != "" {
		return nil, tool.NewError(tool.InvalidInput, "credentials belong to one URL", "fetch the URLs one by one")
	}
	err = s.operation(ctx, "fetch", func(ctx context.Context) error {
		r, err := q.request(s.follow)
		if err != nil {
			return err
		}
		pages = &s.reader.ReadAll(ctx, urls, r).FetchAll
		for _, page := range pages.Results {
			if page.Error != nil {
				page.Error = tool.AsError(s.hints.explain(page.Error))
			}
		}
		if pages.Error != nil {
			return pages.Error
		}
		return nil
	})
	return pages, err
}

// Links lists the links of a page to its own site (the same registrable domain),
// most frequent first, as FetchResult.Links. It is Fetch with ModeLinks.
func (s *Client) Links(ctx context.Context, q FetchRequest) (*FetchResult, error) {
	q.Mode = ModeLinks
	return s.Fetch(ctx, q)
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

// request is q as the reader has it, without the address.
func (q FetchRequest) request(follow bool) (reader.Request, error) {
	values := readargs.Values(q)
	notices, err := readargs.Check(values, readargs.Fields(reflect.TypeFor[FetchRequest]()))
	if err != nil {
		return reader.Request{}, err
	}
	r, err := readargs.Request(values)
	if err != nil {
		return r, err
	}
	r.Follow, r.Notices = follow, notices
	r.Auth, err = reader.Auth(q.Username, q.Password, q.Bearer, q.Cookie)
	return r, err
}
