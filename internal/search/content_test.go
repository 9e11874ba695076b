package search

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestShare: equal parts, what is left over goes to the long ones, and all of
// it together stays within the budget.
func TestShare(t *testing.T) {
	words := func(tokens int) string { return strings.Repeat("word 12 ", tokens/2) } // two tokens each
	for _, c := range []struct {
		name   string
		sizes  []int
		budget int
		want   []int // nearly
	}{
		{"all fit", []int{100, 200, 50}, 400, []int{100, 200, 50}},
		{"equal parts", []int{1000, 1000}, 400, []int{200, 200}},
		{"short ones leave some over", []int{50, 1000, 100, 1000}, 750, []int{50, 300, 100, 300}},
		{"one", []int{1000}, 300, []int{300}},
		{"failed ones take nothing", []int{0, 0, 900}, 500, []int{0, 0, 500}},
		{"none", nil, 500, nil},
		{"less than one each", []int{10, 10, 10}, 2, []int{0, 1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var results []Result
			for _, n := range c.sizes {
				results = append(results, Result{Content: words(n)})
			}
			share(results, c.budget)
			sum := 0
			for i, r := range results {
				got := text.Tokens(r.Content)
				sum += got
				if got > c.want[i] || got < c.want[i]-5 || r.Truncated != (c.want[i] < c.sizes[i]) {
					t.Errorf("%d: %d tokens, cut %v, want %d", i, got, r.Truncated, c.want[i])
				}
			}
			if sum > c.budget {
				t.Errorf("%d tokens of %d", sum, c.budget)
			}
		})
	}
	results := []Result{{Content: strings.Repeat("漢字", 500)}}
	if share(results, 100); text.Tokens(results[0].Content) > 100 || results[0].Content == "" {
		t.Errorf("%d tokens", text.Tokens(results[0].Content))
	}
}

// TestIncludeContent: the first results are read, a few at a time; one that
// fails carries its error; the cache has answers without contents.
func TestIncludeContent(t *testing.T) {
	var mu sync.Mutex
	now, most := 0, 0
	var read []string
	full, once := make(chan struct{}), sync.Once{}
	var hits []string
	for _, c := range "abcdefg" {
		hits = append(hits, `{"title":"T","url":"https://`+string(c)+`.example.com/","description":"s"}`)
	}
	rt := &script{bodies: map[string]string{"api.mojeek.com": `{"response":{"status":"OK","results":[` + strings.Join(hits, ",") + `]}}`}}
	s, err := New(Options{RoundTripper: rt, Keys: map[string]string{"mojeek": "k"}, Readable: func(host string) bool { return host != "b.example.com" }, Read: func(ctx context.Context, u weburl.URL, tokens int) (string, bool, error) {
		mu.Lock()
		now++
		most = max(most, now)
		read = append(read, u.Host())
		if now == readAtOnce {
			once.Do(func() { close(full) })
		}
		mu.Unlock()
		select { // as many as may, are there at once
		case <-full:
		case <-time.After(10 * time.Second):
		}
		mu.Lock()
		now--
		mu.Unlock()
		if u.Host() == "c.example.com" {
			return "", false, tool.NewError(tool.HTTPError, "Failed to fetch it", "")
		}
		return "words of " + u.Host(), false, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Search(t.Context(), Query{Text: "x", MaxResults: 6, IncludeContent: true})
	if err != nil || len(a.Results) != 6 {
		t.Fatalf("%v %+v", err, a)
	}
	if len(read) != MostRead || most != readAtOnce {
		t.Errorf("%d pages were read, %d at once", len(read), most)
	}
	for i, want := range []string{"words of a.example.com", "", "words of d.example.com", "words of e.example.com", "words of f.example.com", ""} {
		if r := a.Results[i]; r.Content != want || (r.Error != nil) != (i == 1) || r.URL == "https://b.example.com/" {
			t.Errorf("%+v, want %q", r, want)
		}
	}
	if a, err = s.Search(t.Context(), Query{Text: "x", MaxResults: 6}); err != nil || !a.Cached || a.Results[0].Content != "" || a.Results[1].Error != nil {
		t.Errorf("%v %+v", err, a)
	}
	s.o.Read = nil
	var e *tool.Error
	if _, err = s.Search(t.Context(), Query{Text: "x", IncludeContent: true}); !errors.As(err, &e) || e.Type != tool.InvalidInput {
		t.Errorf("%v", err)
	}
}

// TestProvidedContent: where a page cannot be fetched, its content is the provider's, cleaned
// and within the tokens; a page that can be is read.
func TestProvidedContent(t *testing.T) {
	for provider, body := range map[string]string{
		"tavily": `{"results":[{"title":"A","url":"https://a.example.com/","content":"s","raw_content":"from the pro\u200bvider"},{"title":"B","url":"https://b.example.com/","content":"s","raw_content":"unused"},{"title":"C","url":"https://c.example.com/","content":"s"}]}`,
		"brave":  `{"grounding":{"generic":[{"title":"A","url":"https://a.example.com/","snippets":["from the pro\u200bvider","and more"]},{"title":"B","url":"https://b.example.com/","snippets":["unused"]},{"title":"C","url":"https://c.example.com/","snippets":[]}]},"type":"search","web":{"results":[{"title":"A","url":"https://a.example.com/"}]}}`,
		"exa":    `{"results":[{"title":"A","url":"https://a.example.com/","text":"from the pro\u200bvider"},{"title":"B","url":"https://b.example.com/","text":"unused"},{"title":"C","url":"https://c.example.com/"}]}`,
	} {
		rt := &script{bodies: map[string]string{"api.tavily.com": body, "api.exa.ai": body, "api.search.brave.com": body}}
		s, err := New(Options{RoundTripper: rt, Keys: map[string]string{provider: "k"}, Selection: provider, Read: func(_ context.Context, u weburl.URL, _ int) (string, bool, error) {
			if u.Host() == "b.example.com" {
				return "read", false, nil
			}
			return "", false, tool.NewError(tool.HTTPError, "refused", "")
		}})
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.Search(t.Context(), Query{Text: "x", IncludeContent: true})
		if err != nil || len(a.Results) != 3 {
			t.Fatalf("%s: %v %+v", provider, err, a)
		}
		r := a.Results
		if !strings.HasPrefix(r[0].Content, "from the provider") || (provider == "brave") != strings.HasSuffix(r[0].Content, "\n\nand more") || r[0].Error != nil || r[1].Content != "read" || r[2].Content != "" || r[2].Error == nil || !strings.Contains(strings.Join(a.Notices, " "), "1 page could not be fetched") {
			t.Errorf("%s: %+v, notices %q", provider, r, a.Notices)
		}
		if a, err = s.Search(t.Context(), Query{Text: "x"}); err != nil || a.Results[0].Content != "" || len(rt.asked) != 2 {
			t.Errorf("%s: without contents: %v %+v, %d requests", provider, err, a.Results, len(rt.asked))
		}
	}
}
