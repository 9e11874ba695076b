package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spyhop-dev/spyhop"
	surface "github.com/spyhop-dev/spyhop/internal/serve"
	"github.com/spyhop-dev/spyhop/llm"
)

// written is a model whose answer was written beforehand.
type written struct{}

func (written) Name() string { return "double/written" }

func (written) Ask(context.Context, llm.Request) (*llm.Reply, error) {
	return &llm.Reply{Text: `In 1842: "The harbour was dug in 1842".`, Stop: llm.StopEnd}, nil
}

// TestAnswersAgree: the answering model and all notices are in REST's object, in
// the results of the library's Call and Fetch, and in the text, in the same words.
func TestAnswersAgree(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<title>Harbour</title><main><h1>Harbour</h1><p>The harbour was dug in 1842, when the old quay had silted up and no boat could land.</p>
			<p>Its light is kept by two families, who take turns by the month and have done so for four generations.</p></main>`)
	}))
	defer site.Close()
	for name, c := range map[string]struct {
		model  llm.Model
		by     string
		notice string
		cut    bool
	}{
		"a model":  {written{}, "model double/written", "Quotation 1 is verified: ", false},
		"no model": {nil, "passages", "No language model is configured, so the prompt was not answered: ", true},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(site.URL, "http://")}, LanguageModel: c.model})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			server, err := surface.New(surface.Options{Catalog: client.Catalog(), Audit: client.Audit(), Version: "test"})
			if err != nil {
				t.Fatal(err)
			}
			over := httptest.NewServer(server.Handler())
			defer over.Close()
			args := fmt.Sprintf(`{"url":"%s/","prompt":"When was it dug?","max_tokens":40,"timeout_ms":999999}`, site.URL)

			type object struct {
				Success    bool
				AnsweredBy string `json:"answered_by"`
				Truncated  bool
				Notices    []string
			}
			res, err := http.Post(over.URL+"/v1/tools/web_fetch", "application/json", strings.NewReader(args))
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			var rest object
			if err := json.NewDecoder(res.Body).Decode(&rest); err != nil {
				t.Fatal(err)
			}
			const clamped = "timeout_ms=999999 is out of bounds; 120000 was used"
			if !rest.Success || rest.AnsweredBy != c.by || rest.Truncated != c.cut || !slices.Contains(rest.Notices, clamped) ||
				!slices.ContainsFunc(rest.Notices, func(n string) bool { return strings.HasPrefix(n, c.notice) }) {
				t.Errorf("%+v", rest)
			}
			called, err := client.Call(t.Context(), "web_fetch", json.RawMessage(args), spyhop.CallOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range rest.Notices {
				if strings.Count(called.Text, "\n"+n) != 1 {
					t.Errorf("%q is not once in\n%s", n, called.Text)
				}
			}
			if !strings.Contains(called.Text, "; answered by "+c.by) {
				t.Errorf("%s", called.Text)
			}
			fetched, err := client.Fetch(t.Context(), spyhop.FetchRequest{URL: site.URL + "/", Prompt: "When was it dug?", MaxTokens: 40, Timeout: time.Hour})
			if err != nil {
				t.Fatal(err)
			}
			if fetched.AnsweredBy != c.by || fetched.Truncated != c.cut || !slices.Equal(append([]string{clamped}, fetched.Notices[1:]...), rest.Notices) || fetched.Notices[0] != "Timeout 1h0m0s is out of bounds; 2m0s was used." {
				t.Errorf("%q %v %q, want %q", fetched.AnsweredBy, fetched.Truncated, fetched.Notices, rest.Notices)
			}
			// Over MCP each notice is in the answer once, too.
			defer over.CloseClientConnections()
			session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: over.URL + "/mcp"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			told, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "WebFetch", Arguments: json.RawMessage(args)})
			if err != nil || told.IsError || told.StructuredContent != nil {
				t.Fatalf("%v %+v", err, told)
			}
			for _, n := range rest.Notices {
				if text := told.Content[0].(*mcp.TextContent).Text; strings.Count(text, n) != 1 {
					t.Errorf("%q is not once in\n%s", n, text)
				}
			}
			// By the name of a design, the object has that design's members too.
			res, err = http.Post(over.URL+"/v1/tools/WebFetch", "application/json", strings.NewReader(args))
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			var design struct {
				Content  string
				Metadata struct {
					Title         string
					ContentLength int `json:"contentLength"`
				}
				object
			}
			if err := json.NewDecoder(res.Body).Decode(&design); err != nil || design.Content == "" || design.Metadata.Title != "Harbour" || design.Metadata.ContentLength < 200 || design.AnsweredBy != c.by {
				t.Errorf("%v %+v", err, design)
			}
		})
	}
}
