package search

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/markdown"
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
	// charsPerToken is what markdown.Tokens assumes for text without CJK.
	charsPerToken = 4
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
	slots := make(chan struct{}, readAtOnce)
	var reading sync.WaitGroup
	for i := range results {
		slots <- struct{}{}
		// A slow page must leave time for the pages that wait for a slot.
		rounds := (len(results) - i + readAtOnce - 1) / readAtOnce
		reading.Go(func() {
			defer func() { <-slots }()
			r := &results[i]
			theirs := r.Content
			r.Content = ""
			u, err := weburl.Parse(r.URL)
			if err == nil {
				ctx, cancel := deadline.Share(ctx, rounds)
				defer cancel()
				r.Content, r.Truncated, err = s.o.Read(ctx, u, tokens)
			}
			if err != nil && theirs != "" {
				r.Content, r.Truncated, err = theirs, false, nil
				have.Add(1)
			}
			r.Error = tool.AsError(err)
		})
	}
	reading.Wait()
	share(results, tokens)
	return int(have.Load())
}

// share cuts the contents so that all of them together have at most tokens
// tokens. Each gets an equal part; what short contents do not use goes to the
// longer ones.
func share(results []Result, tokens int) {
	sizes, left, rest := make([]int, len(results)), len(results), tokens
	for i := range results {
		sizes[i] = markdown.Tokens(results[i].Content)
	}
	done := make([]bool, len(results))
	for again := true; again && left > 0; {
		again = false
		for i, size := range sizes {
			if !done[i] && size <= rest/left {
				done[i], again = true, true
				rest, left = rest-size, left-1
			}
		}
	}
	for i := range results {
		if r := &results[i]; !done[i] {
			r.Content, r.Truncated = fit(r.Content, rest/left), true
		}
	}
}

// fit returns the beginning of a text, of about tokens tokens at most.
func fit(text string, tokens int) string {
	if tokens == 0 {
		return ""
	}
	limit := tokens * charsPerToken
	part, _, _ := markdown.Window(text, 0, limit)
	if n := markdown.Tokens(part); n > tokens {
		part, _, _ = markdown.Window(text, 0, max(limit*tokens/n, 1))
	}
	return part
}
