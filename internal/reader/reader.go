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
// addresses under one budget. Passages, quotations and changes come from package
// passage, and the forms of data from package schema.
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
// for programs (package sites); Options.Render reads those whose content comes
// from their scripts, as far as that can be seen without running them. What is
// cached is what the server sent or the browser gave: a page is made of it each
// time. Without Options.Embed, passages are chosen by words, not by meaning.
package reader

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/inflight"
	"github.com/spyhop-dev/spyhop/internal/meaning"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// defaultMaxChars is the window where a request names none.
const defaultMaxChars = 20_000

// Options are what a Reader works with.
type Options struct {
	// Fetch gets an address. Required.
	Fetch func(context.Context, fetch.Request) (*fetch.Response, error)
	// MaxChars is the window of answers in characters; 0 means
	// defaultMaxChars, less no bound.
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
	// Recognize returns the text of a picture (see extract.Options.Recognize); nil: none.
	Recognize func(ctx context.Context, picture []byte, language string) ([]string, error)
	// Embed returns the vector of each text, by which passages for a query are ranked
	// beside their words; nil: by words alone.
	Embed func(ctx context.Context, texts []string) ([]meaning.Vector, error)
	// Login returns the login of a site, or that of a saved browser state, which belongs to
	// the caller of the context and is for a page; nil: none. Its error is a *tool.Error.
	Login func(ctx context.Context, name string, page weburl.URL) (*fetch.Login, error)
	// Unchecked reports whether the certificate of a host is not checked; nil: all are.
	Unchecked func(host string) bool
	// Cache keeps what Render gives; nil: nothing does.
	Cache cache
	// HintStore stores where Render added nothing; nil: nothing is stored.
	HintStore hintStore
	// Versions keeps the pages that are read; nil: they are not kept, and
	// Request.Since has nothing to compare with.
	Versions versions
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
	o       Options
	memory  memory
	parsing inflight.Group[pageKey, *page.Page]
	resting kept[string, time.Time] // hosts of variants that want to be left alone, until when
}

// New returns a Reader.
func New(o Options) *Reader {
	switch {
	case o.MaxChars == 0:
		o.MaxChars = defaultMaxChars
	case o.MaxChars < 0:
		o.MaxChars = 0 // as in Request.MaxLength
	}
	if o.Timeout <= 0 {
		o.Timeout = fetch.DefaultTimeout
	}
	if o.Setting == nil {
		o.Setting = func(variable string) string { return variable }
	}
	return &Reader{o: o}
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

// Address reads an address as a person or a model writes it, without its
// tracking parameters. The error is a *tool.Error.
func Address(raw string) (weburl.URL, error) {
	u, err := weburl.ParseLenient(strings.TrimSpace(raw))
	if err != nil {
		e := tool.NewError(tool.InvalidURL, "Failed to fetch "+text.URL(raw)+": "+text.Cause(err), "give an absolute URL, for example https://example.com/page")
		e.Cause = err
		return u, e
	}
	u, _ = u.Clean()
	return u, nil
}
