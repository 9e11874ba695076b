package search

import (
	"context"
	"sync/atomic"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	// defaultContentTokens is the default budget of all contents of one answer,
	// in tokens. With titles and addresses, such an answer stays below 10,000
	// bytes.
	defaultContentTokens = 1800
	// MostRead is the number of results whose pages are read, from the first on.
	MostRead   = 5
	readAtOnce = 4 // pages that are read at the same time
)

// read reads the pages of the first results, readAtOnce at a time, and divides
// the tokens between them. When a page fails, its result has what the provider has of it,
// or else the error; provided counts the former.
func (s *Searcher) read(ctx context.Context, results []Result, tokens int) (provided int) {
	if tokens <= 0 {
		tokens = defaultContentTokens
	}
	for i := min(len(results), MostRead); i < len(results); i++ {
		results[i].Content = ""
	}
	results = results[:min(len(results), MostRead)]
	var have atomic.Int64
	deadline.Each(ctx, len(results), readAtOnce, func(ctx context.Context, i int) {
		r := &results[i]
		theirs := r.Content
		r.Content = ""
		u, err := weburl.Parse(r.URL)
		if err == nil {
			r.Content, r.Truncated, err = s.o.Read(ctx, u, tokens)
		}
		if err != nil && theirs != "" {
			r.Content, r.Truncated, err = theirs, false, nil
			have.Add(1)
		}
		r.Error = tool.AsError(err)
	})
	share(results, tokens)
	return int(have.Load())
}

// share cuts the contents so that all of them together have at most so many tokens.
func share(results []Result, tokens int) {
	sizes := make([]int, len(results))
	for i := range results {
		sizes[i] = text.Tokens(results[i].Content)
	}
	for i, most := range passage.Shares(sizes, tokens) {
		r := &results[i]
		if sizes[i] <= most {
			continue
		}
		window := func(limit int) (string, int, bool) { return markdown.Window(r.Content, 0, limit) }
		r.Content, _, _, _ = markdown.Fit(window, 0, most)
		if r.Truncated = true; most == 0 {
			r.Content = ""
		}
	}
}
