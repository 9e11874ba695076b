package search

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// slow answers each host after a while.
type slow struct {
	script
	after map[string]time.Duration
}

func (s *slow) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-time.After(s.after[r.URL.Host]):
		return s.script.RoundTrip(r)
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// A search has one limit, of which each provider and each page gets a share.
func TestSearchHasOneDeadline(t *testing.T) {
	const brave, tavily = "api.search.brave.com", "api.tavily.com"
	for _, c := range []struct {
		name, selection string
		limit           time.Duration // 0: the default, 30 s
		after           map[string]time.Duration
		read            time.Duration // each page; 0: none is read
		took            time.Duration
		provider        string // or the error
	}{
		{"one, slow", "brave", 0, map[string]time.Duration{brave: 12 * time.Second}, 0, 12 * time.Second, "brave"},
		{"one, too slow", "brave", 5 * time.Second, map[string]time.Duration{brave: 12 * time.Second}, 0, 5 * time.Second, "brave: no answer: it timed out after 5 seconds"},
		{"one that never answers", "brave", 0, map[string]time.Duration{brave: time.Hour}, 0, 30 * time.Second, "brave: no answer: it timed out after 30 seconds"},
		{"the next is asked in time", "brave,tavily", 0, map[string]time.Duration{brave: time.Hour, tavily: 12 * time.Second}, 0, 27 * time.Second, "tavily"},
		{"both never answer", "brave,tavily", 0, map[string]time.Duration{brave: time.Hour, tavily: time.Hour}, 0, 30 * time.Second, "brave: no answer: it timed out after 15 seconds"},
		{"fuse, one never answers", "fuse,brave,tavily", 0, map[string]time.Duration{brave: time.Hour}, 0, 15 * time.Second, "tavily"},
		{"pages that never come", "brave", 0, map[string]time.Duration{brave: 12 * time.Second}, time.Hour, 30 * time.Second, "brave"},
		{"slow pages", "brave", 0, map[string]time.Duration{brave: 12 * time.Second}, 17 * time.Second, 29 * time.Second, "brave"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rt := &slow{script: script{bodies: map[string]string{brave: braveOne, tavily: tavilyOne}}, after: c.after}
				s, err := New(Options{RoundTripper: rt, Keys: map[string]string{"brave": "k1", "tavily": "k2"}, Selection: c.selection, Timeout: c.limit,
					Read: func(ctx context.Context, _ weburl.URL, _ int) (string, bool, error) {
						select {
						case <-time.After(c.read):
							return "text", false, nil
						case <-ctx.Done():
							return "", false, ctx.Err()
						}
					}})
				if err != nil {
					t.Fatal(err)
				}
				begun := time.Now()
				a, err := s.Search(t.Context(), Query{Text: "q", IncludeContent: c.read > 0})
				if took := time.Since(begun); took != c.took {
					t.Errorf("took %v", took)
				}
				var te *tool.Error
				switch {
				case errors.As(err, &te):
					if te.Type != tool.SearchError || !te.Retryable || !strings.Contains(te.Message, c.provider) {
						t.Errorf("%s: %s", te.Type, te.Message)
					}
				case a.Provider != c.provider:
					t.Errorf("%+v", a)
				}
			})
		})
	}
}
