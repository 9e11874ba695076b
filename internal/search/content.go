package search

import (
	"context"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	// DefaultContentTokens is what the pages of one answer may take together:
	// with their titles and addresses they stay below 10,000 bytes.
	DefaultContentTokens = 1800
	// MostRead is how many of the first results are read; readAtOnce, how many
	// at a time.
	MostRead   = 5
	readAtOnce = 4
	// charsPerToken is that of markdown.Tokens, for text without CJK.
	charsPerToken = 4
)

// Reader reads the page of a result, and returns its main content as Markdown,
// at most that many tokens of it, and whether it was cut. The error is a
// *tool.Error.
type Reader func(ctx context.Context, u weburl.URL, tokens int) (content string, cut bool, err error)

// read reads the pages of the first results, a few at a time, and shares the
// tokens out. A page that fails carries its error.
func (s *Searcher) read(ctx context.Context, results []Result, tokens int) {
	if tokens <= 0 {
		tokens = DefaultContentTokens
	}
	results = results[:min(len(results), MostRead)]
	slots := make(chan struct{}, readAtOnce)
	var reading sync.WaitGroup
	for i := range results {
		slots <- struct{}{}
		// Those that wait for a slot are to be read too when others are slow.
		rounds := (len(results) - i + readAtOnce - 1) / readAtOnce
		reading.Go(func() {
			defer func() { <-slots }()
			r := &results[i]
			u, err := weburl.Parse(r.URL)
			if err == nil {
				ctx, cancel := deadline.Share(ctx, rounds)
				defer cancel()
				r.Content, r.Truncated, err = s.o.Read(ctx, u, tokens)
			}
			r.Error = tool.AsError(err)
		})
	}
	reading.Wait()
	share(results, tokens)
}

// share cuts contents so that they have so many tokens together: each gets an
// equal part, and what short ones leave over goes to the long ones.
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

// fit is the beginning of a text that has at most so many tokens, or nearly.
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
