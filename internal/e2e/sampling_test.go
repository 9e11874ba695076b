//lint:file-ignore SA1019 Sampling has been deprecated; clients of today have it.

package e2e_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spyhop-dev/spyhop"
	surface "github.com/spyhop-dev/spyhop/internal/serve"
)

// A prompt is answered by the client's own model, where the client offers one:
// in a session by sampling, without one by an input request. What that model
// quotes is looked up in the page. A client without a model gets the passages
// that match, and is told so.
func TestPromptByTheClient(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<title>Harbour</title><main><h1>Harbour</h1><p>The harbour was dug in 1842, when the old quay had silted up and no boat could land.</p>
			<p>Its light is kept by two families, who take turns by the month and have done so for four generations.</p></main>`)
	}))
	defer site.Close()
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(site.URL, "http://")}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	options := surface.Options{Catalog: client.Catalog(), Audit: client.Audit(), Version: "test"}
	server, err := surface.New(options)
	if err != nil {
		t.Fatal(err)
	}
	over := httptest.NewServer(server.Handler())
	defer over.Close()
	defer over.CloseClientConnections()

	var asked string
	model := &mcp.ClientOptions{CreateMessageHandler: func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
		asked = r.Params.SystemPrompt + "\n" + r.Params.Messages[0].Content.(*mcp.TextContent).Text
		return &mcp.CreateMessageResult{Model: "m", Role: "assistant",
			Content: &mcp.TextContent{Text: `It was dug in 1842: "The harbour was dug in 1842". It says "the king paid for it" too.`}}, nil
	}}
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		for name, way := range map[string]func() mcp.Transport{
			"http": func() mcp.Transport { return &mcp.StreamableClientTransport{Endpoint: over.URL + "/mcp"} },
			"stdio": func() mcp.Transport {
				in, toServer := io.Pipe()
				fromServer, out := io.Pipe()
				go func() {
					_ = surface.Stdio(context.WithoutCancel(t.Context()), in, out, options) // ends with the client's end of the pipe
					out.Close()
				}()
				return &mcp.IOTransport{Reader: fromServer, Writer: toServer}
			},
		} {
			t.Run(name+" "+era, func(t *testing.T) {
				prompt := func(o *mcp.ClientOptions) string {
					t.Helper()
					s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), way(), &mcp.ClientSessionOptions{ProtocolVersion: era})
					if err != nil {
						t.Fatal(err)
					}
					defer s.Close()
					r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "web_fetch", Arguments: map[string]any{"url": site.URL + "/", "prompt": "When was the harbour dug?"}})
					if err != nil || r.IsError {
						t.Fatalf("%v %+v", err, r)
					}
					return r.Content[0].(*mcp.TextContent).Text
				}
				asked = ""
				got := prompt(model)
				for _, want := range []string{`"the king paid for it" (unverified)`, "\nQuotation 1 is verified: characters 11-38 of version "} {
					if !strings.Contains(got, want) {
						t.Errorf("%q is not in %q", want, got)
					}
				}
				if !strings.Contains(asked, "silted up") || !strings.Contains(asked, "When was the harbour dug?") {
					t.Errorf("the model was asked %q", asked)
				}
				if got := prompt(nil); !strings.Contains(got, "silted up") || !strings.Contains(got, "\nNo language model is configured, ") {
					t.Errorf("without a model: %q", got)
				}
			})
		}
	}
}
