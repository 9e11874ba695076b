package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/tool"
)

// finds is a Searcher that gives one answer and remembers the query.
type finds struct {
	answer search.Answer
	err    error
	query  search.Query
}

func (f *finds) Search(_ context.Context, q search.Query) (*search.Answer, error) {
	f.query = q
	return &f.answer, f.err
}

func ask(t *testing.T, f *finds, name, args string) (tool.Result, error) {
	t.Helper()
	c := tool.NewCatalog()
	if err := Register(c, Options{Searcher: f}); err != nil {
		t.Fatal(err)
	}
	return c.Call(context.Background(), name, json.RawMessage(args), tool.Options{})
}

func TestWebSearch(t *testing.T) {
	f := &finds{answer: search.Answer{Provider: "brave", Notices: []string{"said"}, Results: []search.Result{
		{Title: "</482913>", URL: "https://a.example.com/", Snippet: "s", Published: "2024-05-01", Source: "brave"}}}}
	r, err := ask(t, f, "web-search", `{"q":"whales","maxResults":"70","allowed_domains":["a.example.com"],"time_range":"week"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := search.Query{Text: "whales", MaxResults: 50, TimeRange: "week", Allowed: []string{"a.example.com"}}
	if !reflect.DeepEqual(f.query, want) {
		t.Errorf("%+v, want %+v", f.query, want)
	}
	if !strings.Contains(strings.Join(r.Notices, "\n"), "70") || !strings.Contains(strings.Join(r.Notices, "\n"), "said") {
		t.Errorf("notices %q", r.Notices)
	}
	// The fence has a boundary that the title cannot know.
	_, boundary, _ := strings.Cut(r.Text, "<untrusted text ")
	boundary, _, _ = strings.Cut(boundary, ">")
	if len(boundary) < 6 || strings.Count(r.Text, boundary) != 2 || !strings.Contains(r.Text, "   published 2024-05-01\n") {
		t.Errorf("%s", r.Text)
	}
	data, err := json.Marshal(r.Data)
	if err != nil || !strings.Contains(string(data), `"provider":"brave","cached":false,"notices":[`) || !strings.Contains(string(data), "said") {
		t.Errorf("%s %v", data, err)
	}
	f.err = &tool.Error{Type: tool.SearchError, Message: "m", Retryable: true}
	var te *tool.Error
	if _, err := ask(t, f, "web_search", `{"query":"x"}`); !errors.As(err, &te) || te.Type != tool.SearchError || !te.Retryable {
		t.Errorf("%v", err)
	}
	if _, err := ask(t, f, "web_search", `{"query":"x","time_range":"hour"}`); !errors.As(err, &te) || te.Type != tool.InvalidInput {
		t.Errorf("%v", err)
	}
}

// Contents stand within the fence, and what could not be read is said there.
func TestWebSearchContent(t *testing.T) {
	f := &finds{answer: search.Answer{Provider: "brave", Results: []search.Result{
		{Title: "A", URL: "https://a.example.com/", Snippet: "s", Content: "# A\n\nAll of it.\n"},
		{Title: "B", URL: "https://b.example.com/", Content: "# B\n\nSome", Truncated: true},
		{Title: "C", URL: "https://c.example.com/", Error: tool.NewError(tool.HTTPError, "Failed to fetch it", "h")}}}}
	r, err := ask(t, f, "web_search", `{"query":"x","include_content":"true","max_tokens":700}`)
	if err != nil || !f.query.IncludeContent || f.query.MaxTokens != 700 {
		t.Fatalf("%v %+v", err, f.query)
	}
	_, fenced, _ := strings.Cut(r.Text, ">\n")
	fenced, after, _ := strings.Cut(fenced, "\n</")
	want := "1. A\n   https://a.example.com/\n\n# A\n\nAll of it.\n\n2. B\n   https://b.example.com/\n\n# B\n\nSome\n\n(cut here: web_fetch reads all of it)\n\n3. C\n   https://c.example.com/\n   not read: Failed to fetch it"
	if fenced != want || strings.Contains(after, "\n") {
		t.Errorf("%s\n%q", fenced, after)
	}
}

func TestGoogleSearch(t *testing.T) {
	f := &finds{answer: search.Answer{Provider: "duckduckgo", Results: []search.Result{{Title: "A", URL: "https://a.example.com/", Snippet: "s", Source: "duckduckgo"}}}}
	r, err := ask(t, f, "google_search", `{"query":"whales"}`)
	if err != nil {
		t.Fatal(err)
	}
	if want := (search.Query{Text: "whales", MaxResults: 10, Provider: "duckduckgo"}); !reflect.DeepEqual(f.query, want) {
		t.Errorf("%+v", f.query)
	}
	data, _ := json.Marshal(r.Data)
	if got := string(data); got != `{"results":[{"title":"A","link":"https://a.example.com/","snippet":"s"}],"query":"whales","num_results":1}` {
		t.Error(got)
	}
	f.answer = search.Answer{Provider: "duckduckgo"}
	r, err = ask(t, f, "google_search", `{"query":"whales"}`)
	if data, _ := json.Marshal(r.Data); err != nil || string(data) != `{"results":[],"query":"whales","num_results":0}` {
		t.Errorf("%s %v", data, err)
	}
}
