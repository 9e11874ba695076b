package search

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/tool"
)

// TestTopic: a topic goes to the first provider that has it, and fails where none is
// configured; a picture has its URL and size; scores and preferred hosts order results.
func TestTopic(t *testing.T) {
	asked := ""
	transport := roundTripper(func(r *http.Request) (*http.Response, error) {
		asked = r.URL.Host + r.URL.Path
		body := `{"type":"images","results":[{"title":"A whale","url":"https://a.example.com/","properties":{"url":"https://a.example.com/w.jpg","width":640,"height":480}},{"title":"A bad one","url":"https://b.example.com/","properties":{"url":"file:///etc/passwd","width":-1}},{"title":"A third whale at sea","url":"https://c.example.com/"}]}`
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	})
	s, err := New(Options{RoundTripper: transport, Keys: map[string]string{"exa": "exa-key-exa", "brave": "brave-key-b"}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Search(t.Context(), Query{Text: "whale at sea", Topic: "images", Prefer: []string{"c.example.com"}})
	if err != nil || asked != "api.search.brave.com/res/v1/images/search" || len(a.Results) != 3 {
		t.Fatalf("%v %s %+v", err, asked, a)
	}
	if r := a.Results[0]; r.URL != "https://c.example.com/" || r.Score <= 0 || r.Score > 1 {
		t.Errorf("%+v", r)
	}
	if r := a.Results[1]; r.Image != "https://a.example.com/w.jpg" || r.ImageWidth != 640 || r.ImageHeight != 480 {
		t.Errorf("%+v", r)
	}
	if r := a.Results[2]; r.Image != "" || r.ImageWidth != 0 {
		t.Errorf("%+v", r)
	}
	rated := []Result{{Score: 4}, {Score: 8}, {}}
	(&Terms{}).rate(rated)
	if rated[0].Score != .5 || rated[1].Score != 1 || rated[2].Score != 0 {
		t.Errorf("%+v", rated)
	}
	var e *tool.Error
	for _, q := range []Query{{Text: "x", Topic: "podcasts"}, {Text: "x", Topic: "news", Provider: "wikipedia"}, {Text: "x", Prefer: []string{"a b"}}} {
		if _, err := s.Search(t.Context(), q); !errors.As(err, &e) || e.Type != tool.InvalidInput {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if s, err = New(Options{RoundTripper: transport}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Search(t.Context(), Query{Text: "x", Topic: "news"}); !errors.As(err, &e) || !strings.Contains(e.Hint, "brave, tavily, serper, searxng") {
		t.Errorf("%v", err)
	}
}
