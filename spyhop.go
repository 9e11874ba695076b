// Package spyhop provides the web for language-model agents: an address in,
// clean Markdown out, and never a byte from where none should come.
//
//	client, err := spyhop.New(spyhop.Config{})
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	page, err := client.Fetch(ctx, spyhop.FetchRequest{URL: "https://example.com/"})
//	if err != nil {
//		return err // always a *spyhop.Error
//	}
//	fmt.Println(page.Title, page.Markdown)
//
// A [Client] has one guard, one HTTP client, one reader, one searcher and one
// catalog of tools. Its methods are the operations of the command: what a person types
// after "spyhop" a program calls here. [Client.Call] calls a tool by name with
// JSON, as a model does.
//
// # Guarantees
//
// A Client is safe for concurrent use. Every error that an operation returns
// is an [*Error]: its Type is from a closed set, Retryable says whether the
// same call can succeed later, and Hint says what to do next. No operation
// outlives its context. Nothing is dialled that the policy in [Config] has not
// judged, redirects included; the zero Config allows the public web over https
// and nothing else.
//
// # Limits
//
// Fetch reads pages as the server sends them; one that probably lacks content until
// its scripts run is read through a browser, where there is one. Answers are cached only
// where [Config] names a folder.
package spyhop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/session"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/internal/toolset"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// Version is the version of this library and of the command.
const Version = "0.1.0-dev"

// Error is the one error of every operation.
type Error = tool.Error

// FetchResult is the answer to a fetch. Its JSON form is that of every
// surface.
type FetchResult = reader.Answer

// Decision is a verdict of the policy on an address.
type Decision = egress.Decision

// Progress is a step of a fetch.
type Progress = fetch.Event

// MaxTimeout is the longest that a call may be given.
const MaxTimeout = 2 * time.Minute

// Client reads the web. Make one with [New] and share it.
type Client struct {
	guard    *egress.Guard
	reader   *reader.Reader
	search   *search.Searcher
	child    *childProxy
	model    LanguageModel // nil where there is none
	catalog  *tool.Catalog
	audit    *audit.Log
	caller   string
	browser  *browser.Browser
	store    *store.Store // nil where nothing is kept
	cache    *fetch.Cache // likewise
	sessions *session.Keeper
	load     func(context.Context, fetch.Request) (*fetch.Response, error)
	follow   bool
	captures string
}

// New returns a Client. It fails with an InvalidInput error that names the
// field when a value of the configuration cannot be kept. Nothing is dialled.
func New(c Config) (*Client, error) {
	policy, err := c.policy()
	if err != nil {
		return nil, err
	}
	ledger, err := c.ledger()
	if err != nil {
		return nil, err
	}
	log, err := c.openAudit()
	if err != nil {
		return nil, err
	}
	policy.Observe = verdict(log)
	guard, err := egress.New(policy)
	if err != nil {
		return nil, invalid("policy", "", err)
	}
	pages, err := c.openBrowser(guard, ledger)
	if err != nil {
		return nil, err
	}
	if c.UserAgent == "" {
		c.UserAgent = fetch.DefaultUserAgent(Version)
	}
	client, err := fetch.New(fetch.Options{
		RoundTripper: guard.RoundTripper(),
		Judge: func(u weburl.URL) (weburl.URL, error) {
			u, d := guard.Judge(u)
			return u, d.Err()
		},
		UserAgent:       c.UserAgent,
		MaxBytes:        c.MaxResponseBytes,
		Timeout:         min(c.Timeout, MaxTimeout),
		HostConcurrency: c.HostConcurrency,
		HostRate:        c.HostRate,
		NegativeTTL:     c.NegativeTTL,
		Robots:          c.Robots,
		Provenance:      ledger,
		Observe:         c.Progress,
	})
	if err != nil {
		return nil, invalid("limits", "", err)
	}
	language, err := c.languageModel(guard)
	if err != nil {
		return nil, err
	}
	s := &Client{
		guard:    guard,
		model:    language,
		catalog:  tool.NewCatalog(),
		audit:    log,
		caller:   c.Caller,
		child:    &childProxy{guard: guard},
		browser:  pages,
		sessions: session.New(session.Options{Dir: c.DataDir, KeyFile: c.SessionKey}),
		follow:   c.Redirects != "same-host",
		captures: c.captureDir(),
	}
	if s.caller == "" {
		s.caller = "library"
	}
	s.load = client.Get
	if c.DataDir != "" && c.CacheTTL >= 0 {
		s.store = store.New(store.Options{Dir: c.DataDir, MaxBytes: c.CacheBytes, Report: c.Trouble})
		cache, err := fetch.NewCache(client, fetch.CacheOptions{Store: s.store, TTL: c.CacheTTL, Scope: c.scope()})
		if err != nil {
			return nil, invalid("cache", "", err)
		}
		s.load, s.cache = cache.Get, cache
	}
	readerOptions := reader.Options{Fetch: s.get, Render: s.render, Early: !c.Robots, Login: s.sessions.Login, MaxChars: c.MaxContentChars, Timeout: min(c.Timeout, MaxTimeout)}
	if s.model != nil {
		readerOptions.Model, readerOptions.ModelName = completer{s.model}, s.model.Name()
	}
	if s.store != nil {
		readerOptions.Versions, readerOptions.Notes, readerOptions.Cache = versions{s.store}, s.store, renderedCache{s}
	}
	s.reader = reader.New(readerOptions)
	if s.search, err = c.searcher(s, ledger); err != nil {
		return nil, err
	}
	s.catalog.Around(s.around)
	err = toolset.Register(s.catalog, toolset.Options{
		Reader:          s.reader,
		Searcher:        s.search,
		Browser:         s.browser,
		Sessions:        s.sessions,
		DenyInteractive: c.DenyInteractive,
		AllowScript:     c.AllowScript,
		HeadersAllowed:  c.HeadersAllowed,
		Follow:          c.Redirects == "follow",
		Timeout:         min(c.Timeout, MaxTimeout),
	})
	if err != nil {
		return nil, tool.AsError(err)
	}
	return s, nil
}

// Close ends the browser and the MCP server that was started, lets go of idle connections and
// of the cache's file, and closes the audit log. Calls after it are not written
// there.
func (s *Client) Close() error {
	err := errors.Join(s.browser.Shut(), s.search.Close(), s.child.close())
	s.guard.CloseIdle()
	if s.store != nil {
		err = errors.Join(err, s.store.Close())
	}
	return errors.Join(err, s.audit.Close())
}

// childProxy is the proxy of the guard for programs that dial by themselves. It
// is opened for the first of them.
type childProxy struct {
	guard *egress.Guard
	mu    sync.Mutex
	proxy *egress.Proxy
}

// environ leads a program to the proxy.
func (c *childProxy) environ() ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proxy == nil {
		var err error
		if c.proxy, err = c.guard.Proxy(egress.ProxyOptions{Session: "mcp"}); err != nil {
			return nil, err
		}
	}
	return c.proxy.Environ(), nil
}

func (c *childProxy) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proxy == nil {
		return nil
	}
	return c.proxy.Close()
}

// CaptureDir is the folder of screenshots and PDFs, each of which stays there
// for a day; empty where there is none.
func (s *Client) CaptureDir() string { return s.captures }

// CacheStats are the place and the size of the cache.
type CacheStats = store.Stats

// CacheStats counts what is cached. All of it is zero where nothing is.
func (s *Client) CacheStats(ctx context.Context) (CacheStats, error) {
	if s.store == nil {
		return CacheStats{}, nil
	}
	return s.store.Stats(ctx)
}

// FetchRequest is an address and what is wanted of it. The zero value of each
// field but URL is the default.
type FetchRequest struct {
	// URL is the address; https:// is added where there is no scheme.
	URL string
	// Mode is "markdown" (the default), "text", "html", "raw", "links",
	// "outline" or "json".
	Mode string
	// MaxLength is the window in characters: nil for the Config's, 0 for all.
	MaxLength *int
	// MaxTokens limits the window by estimate; 0 for no limit.
	MaxTokens int
	// StartIndex is the character at which the window begins.
	StartIndex int
	// Sections are IDs of sections, which mode "outline" lists, or anchors:
	// nothing else is read. Without them the window begins at the section that
	// the fragment of URL names.
	Sections []string
	// Selector is a CSS selector: only what it fits is read.
	Selector string
	// Query asks for the passages that answer it best, in page order, within
	// MaxTokens and MaxLength; links are written as their text.
	Query string
	// Prompt is a question that the configured model answers from the page;
	// Schema is a JSON Schema for the answer, or nil. What the answer quotes is
	// looked up. Without a model it is a Query, and the answer says so.
	Prompt string
	Schema json.RawMessage
	// MustContain asks whether a text is on the page, and where, instead of for
	// its content.
	MustContain string
	// Since is "last" or a version of the page (Metadata.Version): what has
	// changed after it is the answer. Versions are kept where Config has a
	// DataDir.
	Since string
	// NoImages writes [image: alt] instead of ![alt](src).
	NoImages bool
	// Whole reads the whole body instead of the main content.
	Whole bool
	// Comments says what becomes of readers' comments: "auto" (the default)
	// leaves them out on articles, "always" takes them in, "never" leaves them
	// out everywhere.
	Comments string
	// Render says whether a browser runs the page's scripts: "auto" (the
	// default) where the page probably lacks content without them, "never",
	// "always".
	Render string
	// Timeout bounds the call; 0 for the Config's, at most [MaxTimeout].
	Timeout time.Duration
	// Header holds further request headers. Credentials belong into the
	// fields below, which bind them to the origin of URL.
	Header map[string]string
	// Username and Password are sent as Basic, Bearer as a bearer token,
	// Cookie as the Cookie header; to the origin of URL alone.
	Username, Password, Bearer, Cookie string
	// Login names a site that somebody has signed in to with [Client.Login]: the
	// page is read with what the browser was given there. It does not go with
	// the credentials above.
	Login string
	// MaxAge is how old a cached answer may be without asking the site; nil
	// for the Config's CacheTTL. Fresh asks the site anew.
	MaxAge *time.Duration
	Fresh  bool
}

// Fetch reads an address. On an HTTP error the result is nil.
func (s *Client) Fetch(ctx context.Context, q FetchRequest) (r *FetchResult, err error) {
	err = s.observed(ctx, "fetch", CallOptions{Caller: s.caller, Given: true}, func(ctx context.Context) error {
		r, err = s.fetch(ctx, q)
		return err
	})
	return r, err
}

func (s *Client) fetch(ctx context.Context, q FetchRequest) (*FetchResult, error) {
	r, err := q.request(s.follow)
	if err != nil {
		return nil, err
	}
	if r.URL, err = reader.Address(q.URL); err != nil {
		return nil, err
	}
	return s.reader.Read(ctx, r)
}

// FetchResults are the answers to a fetch of several addresses, in their order.
type FetchResults = reader.Answers

// FetchAll reads several addresses under one budget, as q says but for its URL.
// An address that fails does not fail the others: its result has an Error.
func (s *Client) FetchAll(ctx context.Context, urls []string, q FetchRequest) (all *FetchResults, err error) {
	if q.Username != "" || q.Password != "" || q.Bearer != "" || q.Cookie != "" {
		return nil, tool.NewError(tool.InvalidInput, "credentials belong to one address", "fetch the addresses one by one")
	}
	err = s.observed(ctx, "fetch", CallOptions{Caller: s.caller, Given: true}, func(ctx context.Context) error {
		r, err := q.request(s.follow)
		if err == nil {
			all = s.reader.ReadAll(ctx, urls, r)
			if all.Error != nil {
				return all.Error
			}
		}
		return err
	})
	return all, err
}

// request is q as the reader has it, without the address.
func (q FetchRequest) request(follow bool) (reader.Request, error) {
	mode := reader.Mode(q.Mode)
	if mode == "" {
		mode = reader.Markdown
	}
	if !mode.Valid() {
		return reader.Request{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("mode %q is unknown", q.Mode), "it is one of markdown, text, html, raw, links, outline, json")
	}
	auth, err := reader.Auth(q.Username, q.Password, q.Bearer, q.Cookie)
	return reader.Request{
		Mode:        mode,
		MaxLength:   q.MaxLength,
		MaxTokens:   q.MaxTokens,
		StartIndex:  q.StartIndex,
		Query:       q.Query,
		Prompt:      q.Prompt,
		Schema:      q.Schema,
		Sections:    q.Sections,
		Selector:    q.Selector,
		MustContain: q.MustContain,
		Since:       q.Since,
		Images:      !q.NoImages,
		Whole:       q.Whole,
		Comments:    q.Comments,
		Render:      q.Render,
		Timeout:     min(q.Timeout, MaxTimeout),

		CallerSetsTimeout: true,

		Follow:      follow,
		Header:      q.Header,
		Auth:        auth,
		Login:       q.Login,
		MaxAge:      q.MaxAge,
		Fresh:       q.Fresh,
	}, err
}

// Links lists the links to the page's own site, most frequent first.
func (s *Client) Links(ctx context.Context, q FetchRequest) (*FetchResult, error) {
	q.Mode = string(reader.Links)
	return s.Fetch(ctx, q)
}

// SearchRequest is a query; SearchAnswer is what it came to.
type (
	SearchRequest = search.Query
	SearchAnswer  = search.Answer
)

// Search asks the configured search provider, or the one that the request
// names. No results is an answer.
func (s *Client) Search(ctx context.Context, q SearchRequest) (*SearchAnswer, error) {
	var a *SearchAnswer
	err := s.observed(ctx, "search", CallOptions{Caller: s.caller, Given: true}, func(ctx context.Context) (err error) {
		a, err = s.search.Search(ctx, q)
		return err
	})
	return a, err
}

// readResult reads a page that a search found.
func (s *Client) readResult(ctx context.Context, u weburl.URL, tokens int) (content string, cut bool, err error) {
	a, err := s.reader.Read(ctx, reader.Request{URL: u, MaxLength: new(int), MaxTokens: tokens, Follow: s.follow})
	if err != nil {
		return "", false, err
	}
	if a.RedirectURL != "" {
		return "", false, tool.NewError(tool.NoContent, "The URL redirected to: "+a.RedirectURL, "read that one with web_fetch")
	}
	return a.Part(), a.Truncated, nil
}

// Browse reads an address as the web_browse tool does: it returns the page as
// Markdown, or a string that begins with "Error: ".
func (s *Client) Browse(ctx context.Context, url string) string {
	args, err := json.Marshal(map[string]string{"url": url})
	if err != nil {
		return "Error: Invalid URL format - must start with http:// or https://"
	}
	r, err := s.catalog.Call(ctx, "web_browse", args, tool.Options{Caller: s.caller, Given: true})
	if err != nil {
		return "Error: Failed to fetch URL - " + err.Error()
	}
	return r.Text
}

// Check judges an address as a fetch would, with its name resolved, and
// returns the address as it would be asked for. Nothing is sent to it.
func (s *Client) Check(ctx context.Context, url string) (string, Decision) {
	u, d := s.guard.CheckRaw(ctx, url)
	return u.String(), d
}

// Register adds a tool of the program's own: it is printed, checked and called
// like the built-in ones.
func (s *Client) Register(t Tool) error { return s.catalog.Register(t) }

// Catalog returns the tools.
func (s *Client) Catalog() *Catalog { return s.catalog }

// Call calls a tool by name with JSON arguments.
func (s *Client) Call(ctx context.Context, name string, args json.RawMessage, o CallOptions) (CallResult, error) {
	return s.catalog.Call(ctx, name, args, o)
}
