package search_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/search"
)

// canned answers each request with one body, as the guard's transport answers
// with what the service says.
type canned string

func (c canned) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(c)))}, nil
}

func ExampleSearcher_Search() {
	s, err := search.New(search.Options{
		RoundTripper: canned(`{"type":"search","web":{"results":[{"title":"<b>Whale</b> songs","url":"https://example.com/songs?utm_source=x"}]}}`),
		Keys:         map[string]string{"brave": "a-key-of-yours"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := s.Search(context.Background(), search.Query{Text: "whale songs"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range a.Results {
		fmt.Println(r.Source, r.Title, r.URL)
	}
	// Output: brave Whale songs https://example.com/songs
}
