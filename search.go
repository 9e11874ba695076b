package spyhop

import (
	"context"

	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// SearchRequest is what is searched for. The zero value of each field but Text is
// its default. What a provider cannot filter by is filtered afterwards, or said
// in result.Search.Notices.
type SearchRequest struct {
	// Text is the query, at most 2,000 characters. Required.
	Text string
	// MaxResults bounds the results; 0 means 5, the most is 50.
	MaxResults int
	// Provider selects the provider for this search only, in the form of
	// Config.SearchProvider; "" means that one.
	Provider string
	// Site is a host, with or without a path; all results are below it.
	Site string
	// TimeRange is "day", "week", "month" or "year": the results were published
	// within the last one. It cannot be combined with the dates.
	TimeRange string
	// StartDate and EndDate bound the date of publication, both included, as
	// 2006-01-02; "" is open.
	StartDate, EndDate string
	// Country is an ISO 3166-1 code of two letters, Language an ISO 639 code of
	// two or three.
	Country, Language string
	// Topic is "web" (or ""), "news", "images" or "videos". Only some providers have the
	// others; a search for which none is configured fails.
	Topic string
	// Prefer are lists of hosts whose results come first.
	Prefer []string
	// Allowed and Blocked are lists of hosts in the form of Config.Blocklist: a
	// result matches one of Allowed, if there are any, and none of Blocked.
	Allowed, Blocked []string
	// IncludeContent reads the pages of the first results into Hit.Content;
	// MaxTokens bounds them together, 0 means 1,800.
	IncludeContent bool
	MaxTokens      int
}

// SearchProvider is a search service that a program brings, for example an index of its own.
// It is safe for concurrent use.
type SearchProvider interface {
	// Name is a word in lower case that no built-in provider has. Config.SearchProvider and
	// SearchRequest.Provider select the provider by it.
	Name() string
	// Search returns results, best first; of each, Title, URL, Snippet, Published, Score and
	// Image count. The request is complete: MaxResults is not 0. What it excludes by site, host or
	// date is filtered out of the results.
	Search(ctx context.Context, q SearchRequest) ([]result.Hit, error)
}

// ownSearch is a SearchProvider for package search.
type ownSearch struct{ SearchProvider }

func (p ownSearch) Search(ctx context.Context, t search.Terms) ([]result.Hit, error) {
	return p.SearchProvider.Search(ctx, SearchRequest(t.Query))
}

// Search asks the configured search provider, or the one that the request names.
// No results are an answer. The error is an *Error: SearchError when no provider
// has answered, InvalidInput when the request is not valid.
func (s *Client) Search(ctx context.Context, q SearchRequest) (*result.Search, error) {
	return operate(ctx, s, "search", func(ctx context.Context) (*result.Search, error) {
		return s.search.Search(ctx, search.Query(q))
	})
}

// readHit reads a page that a search found.
func (s *Client) readHit(ctx context.Context, u weburl.URL, tokens int) (content string, cut bool, err error) {
	a, err := s.reader.Read(ctx, reader.Request{URL: u, MaxLength: NoLimit, MaxTokens: tokens, Follow: s.follow})
	if err != nil {
		return "", false, err
	}
	if a.RedirectURL != "" {
		return "", false, tool.NewError(tool.NoContent, "The URL redirected to: "+text.URL(a.RedirectURL), "read that one with web_fetch")
	}
	return a.Part(), a.Truncated, nil
}
