// Package search provides results for queries: one face over many search
// services, each asked through the transport that it is given.
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
// A [Query] says what is wanted; a [Provider] turns it into requests of its
// service and gives results in the service's order. Around the providers stands
// what all share: the query is checked, results are cleaned, filtered and
// de-duplicated, a list of providers fails over, "fuse" merges the answers of
// several by reciprocal rank, and answers are kept for a while. To add a
// provider, add a file with its definition, a row in the table of table.go, and
// a txtar in searchtest/testdata.
//
// # Guarantees
//
// A [Searcher] is safe for concurrent use. Every error is a *tool.Error whose
// cause is an [*Error] that names the provider, with a closed code. A bot page
// is [Challenge], never an empty answer. API keys stand in no result, no error
// and no notice. Endpoints are fixed https origins, save that of SearXNG;
// redirects are not followed; a body is read up to 2 MiB; a provider has 15
// seconds. An MCP server is the one that the configuration names; its process
// begins with the first search, has a minute to start, and has ended, with its
// children, when Close returns.
//
// # Limits
//
// What a provider cannot filter by is filtered afterwards where the results
// say enough, and else said in a notice: Wikipedia, Hacker News, GitHub, arXiv,
// Crossref and Marginalia know no sites. DuckDuckGo gives one page of about ten
// results. Relative dates, as "3 days ago", are passed on as they are. Keys of
// fewer than 8 characters are not looked for in what a service says.
package search

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
)

// Result is one hit, and Answer what a search came to, as package result has
// them.
type (
	Result = result.Hit
	Answer = result.Search
)

// Provider is one search service.
type Provider interface {
	// Name is the name in settings and answers, in lower case.
	Name() string
	// Search returns hits, best first, as the service wrote them: they are
	// cleaned by the caller. An error is an *Error or that of the context.
	Search(ctx context.Context, t Terms) ([]Result, error)
}

// Options are what a Searcher works with.
type Options struct {
	// RoundTripper carries requests to the fixed endpoints. Required.
	RoundTripper http.RoundTripper
	// Searxng is the instance of "searxng"; zero: none. SearxngRoundTripper
	// carries requests to it.
	Searxng             weburl.URL
	SearxngRoundTripper http.RoundTripper
	// MCP is the server of "mcp"; zero: none.
	MCP MCP
	// Keys are API keys by provider.
	Keys map[string]string
	// Selection is "auto" (as when it is empty), "none", "fuse", a name or a
	// list of names separated by commas; see [CheckSelection].
	Selection string
	// UserAgent is sent with each request; empty sends none of our own.
	UserAgent string
	// Timeout bounds a search with all providers that it asks and all pages that
	// it reads; 0 means 30 s. A provider after which others can be asked gets its
	// share of that.
	Timeout time.Duration
	// Cache keeps answers; nil means 256 answers in memory. TTL is how long; 0
	// means 15 minutes, less keeps nothing.
	Cache Cache
	TTL   time.Duration
	// Read reads pages for Query.IncludeContent; nil: that is refused.
	Read Reader
	// Allowed and Blocked are the operator's lists: results outside of them are
	// left out, since nobody could read them. A nil Allowed allows all.
	Allowed, Blocked weburl.HostList
	// Found hears of all results that are given out, from the cache too; may be
	// nil. It is called by the goroutine that searches.
	Found func([]Result)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Searcher answers queries. Make one with [New].
type Searcher struct {
	o      Options
	bridge *bridge // nil where there is no MCP server
}

// New returns a Searcher; it fails when the selection names what is unknown.
func New(o Options) (*Searcher, error) {
	if err := CheckSelection(o.Selection); err != nil {
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
	if o.Cache == nil {
		o.Cache = NewMemory(256, o.Now)
	}
	s := &Searcher{o: o}
	if !o.MCP.IsZero() {
		s.bridge = newBridge(o.MCP)
	}
	return s, nil
}

// Close ends the MCP server that was started; searches that are under way
// fail.
func (s *Searcher) Close() error {
	if s.bridge != nil {
		s.bridge.close()
	}
	return nil
}

// Search answers a query. The error is a *tool.Error.
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
		s.o.Found(a.Results)
	}
	if q.IncludeContent {
		s.read(limited, a.Results, q.MaxTokens)
	}
	return a, nil
}

func (s *Searcher) search(ctx context.Context, q Query) (*Answer, error) {
	t, notices, err := q.terms(s.o.Now())
	if err != nil {
		return nil, err
	}
	t.readable = lists{s.o.Allowed, s.o.Blocked}
	selection := s.o.Selection
	if q.Provider != "" && !s.off() {
		selection = q.Provider
	}
	names, fuse, err := s.pick(selection)
	if err != nil {
		return nil, err
	}
	key := t.key(names, fuse)
	if a := s.cached(key); a != nil {
		a.Notices = append(notices, a.Notices...)
		return a, nil
	}
	ask := s.failover
	if fuse {
		ask = s.fuse
	}
	a, err := ask(ctx, names, t)
	if err != nil {
		return nil, err
	}
	s.keep(key, a)
	a.Notices = append(notices, a.Notices...)
	return a, nil
}

// stored is an answer as the cache has it.
type stored struct {
	Answer
	Notices []string
}

func (s *Searcher) cached(key string) *Answer {
	if s.o.TTL < 0 {
		return nil
	}
	data, ok := s.o.Cache.Get(key)
	var kept stored
	if !ok || json.Unmarshal(data, &kept) != nil || kept.Results == nil {
		return nil
	}
	kept.Answer.Cached, kept.Answer.Notices = true, kept.Notices
	return &kept.Answer
}

func (s *Searcher) keep(key string, a *Answer) {
	if s.o.TTL < 0 {
		return
	}
	if data, err := json.Marshal(stored{*a, a.Notices}); err == nil {
		s.o.Cache.Put(key, data, s.o.TTL)
	}
}

// failover asks one provider after the other until one answers.
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
		notices = append(notices, err.Error()+"; the next provider was asked")
	}
	return nil, first
}

// askWithin asks one of n providers that may be asked.
func (s *Searcher) askWithin(ctx context.Context, n int, name string, t Terms) (*Answer, error) {
	ctx, stop := deadline.Share(ctx, n)
	defer stop()
	return s.ask(ctx, name, t)
}

// fuse asks all and merges what comes. It fails when all fail. Half of the time
// is enough for that: one provider that does not answer must not hold up what
// the others have found until no time is left to read it.
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
			out.Notices = append(out.Notices, errs[i].Error())
			continue
		}
		lists, who = append(lists, a.Results), append(who, a.Provider)
		out.Notices = append(out.Notices, a.Notices...)
	}
	if lists == nil {
		return nil, first
	}
	out.Results, out.Provider = Fuse(lists, t.MaxResults), strings.Join(who, ",")
	return out, nil
}

// ask asks one provider and cleans what it gives.
func (s *Searcher) ask(ctx context.Context, name string, t Terms) (*Answer, error) {
	p, d, err := s.provider(name)
	if err != nil {
		return nil, err
	}
	var raw []Result
	if b, isBridge := p.(*bridge); isBridge {
		raw, d.takes, err = b.search(ctx, t) // its tool says what it filters by
	} else {
		raw, err = p.Search(ctx, t)
	}
	if err != nil {
		return nil, err
	}
	results, undated := t.clean(raw, name, d)
	return &Answer{Results: results, Provider: name, Notices: t.shortfalls(name, d, undated)}, nil
}
