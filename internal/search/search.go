// Package search provides results for queries: one interface to many search
// services, each asked through the transport that the caller passes in.
//
//	s, err := search.New(search.Options{
//		RoundTripper: guard.RoundTripper(),
//		Keys:         map[string]string{"brave": key},
//		Selection:    "brave,duckduckgo",
//	})
//	if err != nil {
//		return err // names what is unknown
//	}
//	answer, err := s.Search(ctx, search.Query{Text: "how whales sleep", MaxResults: 5})
//
// A caller passes a [Query]; a searchProvider turns it into requests to its service
// and returns results in the service's order. The [Searcher] does what all
// providers share: it checks the query, cleans, filters and de-duplicates the
// results, fails over along a list of providers, merges the results of several
// providers by reciprocal rank ("fuse"), and caches answers. To add a
// provider, describe it in apis.go (an [api]: URL, parameters, members of a result),
// and add a row to the table of table.go and a txtar to searchtest/testdata.
//
// # Guarantees
//
// A [Searcher] is safe for concurrent use. Every error is a *tool.Error; when a
// provider failed, its cause is an [*Error] that names the provider and has a
// code of a closed set. A page that a service shows to bots is codeChallenge,
// never an empty answer. API keys appear in no result, error or notice.
// Endpoints are fixed https origins, except that of SearXNG; redirects are not
// followed; at most 2 MiB of a body are read. The MCP server is the one that the
// configuration names; its process starts with the first search, has a minute
// to start, and has ended, with its children, when Close returns.
//
// # Limits
//
// When a provider cannot filter by a part of the query, the Searcher filters
// the results afterwards; where the results do not say enough for that, a
// notice says so. Wikipedia, Hacker News, GitHub, arXiv, Crossref and Marginalia
// cannot filter by site. DuckDuckGo returns one page of about ten results.
// Relative dates, for example "3 days ago", are passed on unchanged. Keys of
// fewer than 8 characters are not masked in what a service returns.
package search

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/inflight"
	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
)

// Result is one hit and Answer the outcome of a search; package result defines
// and documents both.
type (
	Result = result.Hit
	Answer = result.Search
)

// searchProvider is one search service.
type searchProvider interface {
	// Name is the name in settings and answers, in lower case.
	Name() string
	// Search returns hits, best first, with texts and addresses as the service
	// wrote them; the caller cleans them. The error is an *Error or that of the
	// context.
	Search(ctx context.Context, t Terms) ([]Result, error)
}

// Options configure a [Searcher]. Only RoundTripper is required.
type Options struct {
	// RoundTripper carries requests to the fixed endpoints. Required.
	RoundTripper http.RoundTripper
	// Searxng is the address of the SearXNG instance; the zero value means that
	// none exists. SearxngRoundTripper carries requests to it.
	Searxng             weburl.URL
	SearxngRoundTripper http.RoundTripper
	// MCP is the MCP server that searches; the zero value means that there is
	// none.
	MCP MCP
	// Keys are API keys by the provider's name.
	Keys map[string]string
	// Own are providers of the program, which "auto" asks first. Their names differ from
	// each other and from [Names].
	Own []searchProvider
	// Selection is "auto" (the same as ""), "none", "fuse", a name or a list of
	// names separated by commas; see [CheckSelection].
	Selection string
	// UserAgent is the User-Agent header of each request; "" sets none.
	UserAgent string
	// Timeout bounds a search with all providers that it asks and all pages that
	// it reads; 0 means 30 s. While other providers remain, a provider gets only
	// its share of the time that is left.
	Timeout time.Duration
	// TTL is how long an answer is kept in memory, of which the last 256 are; 0 means 15
	// minutes, a negative TTL keeps none.
	TTL time.Duration
	// Read reads the page of a result for Query.IncludeContent; nil refuses such queries. It
	// returns the main content as Markdown of at most so many tokens, and whether that was
	// cut. Its error is a *tool.Error.
	Read func(ctx context.Context, u weburl.URL, tokens int) (content string, cut bool, err error)
	// Readable reports whether the operator's lists let a canonical host through. The
	// Searcher drops the other results, because their pages could not be read. It is
	// asked for each result, and may change its mind; nil lets all hosts through.
	Readable func(host string) bool
	// Found is called with the results of each answer, cached ones included, on
	// the goroutine that searches; nil calls nothing.
	Found func(context.Context, []Result)
	// Asked is called after each question to a provider; nil calls nothing. It may be
	// called concurrently.
	Asked func(context.Context, Asked)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Asked is a question to a provider, for the audit log.
type Asked struct {
	Query, Provider string
	Host            string // that the requests went to; "" if there was none
	Took            time.Duration
	Err             error // nil when it was answered
}

// hostKey is the context key of a *string that [service.send] sets to the host of a request.
type hostKey struct{}

// Searcher answers queries. It is safe for concurrent use. Make one with [New].
type Searcher struct {
	o      Options
	rows   []row
	bridge *bridge // nil without an MCP server
	// running are the searches under way: equal ones are made once.
	running inflight.Group[string, *Answer]

	mu   sync.Mutex
	kept *lru.Map[string, kept] // by the key of the query
}

// kept is an answer as JSON, until its time is over.
type kept struct {
	answer []byte
	until  time.Time
}

// mostKept bounds the answers that are kept, maxKept the bytes of each.
const mostKept, maxKept = 256, 256 << 10

// New returns a Searcher. It sends no request. The error is that of
// [CheckSelection], or of a name in Options.Own.
func New(o Options) (*Searcher, error) {
	s := &Searcher{rows: slices.Concat(ownRows(o.Own), providers[:])}
	for i, p := range o.Own {
		if names, _ := selection(p.Name()); len(names) != 1 || names[0] != p.Name() || slices.Contains([]string{"auto", "none"}, p.Name()) || slices.ContainsFunc(s.rows[i+1:], func(r row) bool { return r.name == p.Name() }) {
			return nil, invalid("a name is a word in lower case that no other provider has", "search provider %s cannot have this name", text.Quoted(p.Name()))
		}
	}
	if err := checkSelection(o.Selection, s.rows); err != nil {
		return nil, err
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.TTL == 0 {
		o.TTL = 15 * time.Minute
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s.o, s.kept = o, lru.New[string, kept](mostKept)
	if !o.MCP.isZero() {
		s.bridge = newBridge(o.MCP)
	}
	return s, nil
}

// Close ends the MCP server, if a search has started it. Running searches of
// that server fail, and later ones too. The error is always nil.
func (s *Searcher) Close() error {
	if s.bridge != nil {
		s.bridge.close()
	}
	return nil
}

// Search answers a query from the cache or from the selected providers. The
// error is a *tool.Error: InvalidInput for the query, SearchError or Blocked for
// a provider, Timeout or Cancelled for the time.
func (s *Searcher) Search(ctx context.Context, q Query) (*Answer, error) {
	if q.IncludeContent && s.o.Read == nil {
		return nil, invalid("", "nothing can read the pages of results here")
	}
	limited, stop := deadline.With(ctx, s.o.Timeout)
	defer stop()
	a, err := s.search(limited, q)
	if err != nil {
		return nil, toolError(ctx, err)
	}
	if s.o.Found != nil {
		s.o.Found(ctx, a.Results)
	}
	if q.IncludeContent {
		if n := s.read(limited, a.Results, q.MaxTokens); n > 0 {
			a.Notices = append(a.Notices, text.Count(n, "page")+" could not be fetched; the content is the provider's.")
		}
	}
	return a, nil
}

func (s *Searcher) search(ctx context.Context, q Query) (*Answer, error) {
	t, notices, err := q.terms(s.o.Now())
	if err != nil {
		return nil, err
	}
	t.readable = s.o.Readable
	selection := s.o.Selection
	if q.Provider != "" && !s.off() {
		selection = q.Provider
	}
	names, fuse, err := s.pick(selection)
	if err != nil {
		return nil, err
	}
	if names, err = s.having(t.Topic, names, selection); err != nil {
		return nil, err
	}
	key := t.key(names, fuse)
	if a := s.cached(key); a != nil {
		a.Results = slices.DeleteFunc(a.Results, func(r Result) bool { return !s.readable(r.URL) })
		a.Notices = append(notices, a.Notices...)
		return a, nil
	}
	ask := s.failover
	if fuse {
		ask = s.fuse
	}
	shared, _, err := s.running.Do(ctx, key, func(ctx context.Context) (*Answer, error) {
		a, err := ask(ctx, names, t)
		if err == nil {
			t.rate(a.Results)
			s.keep(key, a)
		}
		return a, err
	})
	if err != nil {
		return nil, err
	}
	a := *shared // its results are completed for each call
	a.Results, a.Notices = slices.Clone(a.Results), append(notices, a.Notices...)
	return &a, nil
}

// readable reports whether the operator's lists still let the page of a result through.
func (s *Searcher) readable(raw string) bool {
	if s.o.Readable == nil {
		return true
	}
	u, err := weburl.Parse(raw)
	return err == nil && s.o.Readable(u.Host())
}

func (s *Searcher) cached(key string) *Answer {
	s.mu.Lock()
	k, ok := s.kept.Get(key)
	s.mu.Unlock()
	var a Answer
	if !ok || !s.o.Now().Before(k.until) || json.Unmarshal(k.answer, &a) != nil {
		return nil
	}
	a.Cached = true
	return &a
}

func (s *Searcher) keep(key string, a *Answer) {
	data, err := json.Marshal(a)
	if s.o.TTL < 0 || err != nil || len(data) > maxKept {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Put(key, kept{data, s.o.Now().Add(s.o.TTL)})
}

// failover asks the providers in order until one of them answers.
func (s *Searcher) failover(ctx context.Context, names []string, t Terms) (*Answer, error) {
	var first error
	var notices []string
	for i, name := range names {
		a, err := s.askWithin(ctx, len(names)-i, name, t)
		if err == nil {
			a.Notices = append(notices, a.Notices...)
			return a, nil
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil {
			break
		}
		notices = append(notices, text.Cause(err)+"; the next provider was asked")
	}
	return nil, first
}

// askWithin asks one of n providers that may be asked.
func (s *Searcher) askWithin(ctx context.Context, n int, name string, t Terms) (*Answer, error) {
	ctx, stop := deadline.Share(ctx, n)
	defer stop()
	return s.ask(ctx, name, t)
}

// fuse asks all providers at the same time and merges their results. It fails
// only when all providers fail. It takes at most half of the time that is left:
// a provider that does not answer must leave time to read the pages that the
// others have found.
func (s *Searcher) fuse(ctx context.Context, names []string, t Terms) (*Answer, error) {
	ctx, stop := deadline.Share(ctx, min(len(names), 2))
	defer stop()
	answers, errs := make([]*Answer, len(names)), make([]error, len(names))
	var running sync.WaitGroup
	for i, name := range names {
		running.Go(func() { answers[i], errs[i] = s.ask(ctx, name, t) })
	}
	running.Wait()
	out := &Answer{}
	var lists [][]Result
	var who []string
	var first error
	for i, a := range answers {
		if a == nil {
			if first == nil {
				first = errs[i]
			}
			out.Notices = append(out.Notices, text.Cause(errs[i]))
			continue
		}
		lists, who = append(lists, a.Results), append(who, a.Provider)
		out.Notices = append(out.Notices, a.Notices...)
	}
	if lists == nil {
		return nil, first
	}
	out.Results, out.Provider = fuseLists(lists, t.MaxResults), strings.Join(who, ",")
	return out, nil
}

// ask asks one provider and cleans its results.
func (s *Searcher) ask(ctx context.Context, name string, t Terms) (_ *Answer, failed error) {
	p, d, err := s.provider(name)
	if err != nil {
		return nil, err
	}
	if s.o.Asked != nil {
		asked, begun := Asked{Query: t.Text, Provider: name}, time.Now()
		outer := ctx
		ctx = context.WithValue(ctx, hostKey{}, &asked.Host)
		defer func() {
			asked.Took, asked.Err = time.Since(begun), failed
			s.o.Asked(outer, asked)
		}()
	}
	raw, err := p.Search(ctx, t)
	if err != nil {
		var e *Error
		if ctx.Err() == nil && !errors.As(err, &e) { // of a provider of the program
			err = &Error{Provider: name, Code: Network, Cause: text.Quoted(err.Error())}
		}
		return nil, err
	}
	results, undated := t.clean(raw, name, d)
	return &Answer{Results: results, Provider: name, Notices: t.shortfalls(name, d, undated)}, nil
}
