package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/tool"
)

// An MCP server of the configuration may be private and plain http, for
// searching and for nothing else; it is what "auto" asks.
func TestSearchMCP(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "find", Description: "Search the web", InputSchema: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Title: Whales\nURL: https://whales.example.org/?utm_source=x\nContent: They sing."}}}, nil
		})
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer srv.Close()
	client, err := spyhop.New(spyhop.Config{SearchMCP: srv.URL + "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	a, err := client.Search(t.Context(), spyhop.SearchRequest{Text: "whales", Country: "DE"})
	if err != nil || a.Provider != "mcp" || len(a.Results) != 1 || a.Results[0].URL != "https://whales.example.org/" || len(a.Notices) != 1 {
		t.Errorf("%v %+v", err, a)
	}
	_, err = client.Fetch(t.Context(), spyhop.FetchRequest{URL: srv.URL + "/mcp"})
	var e *spyhop.Error
	if !errors.As(err, &e) || e.Type != tool.Blocked {
		t.Errorf("%v", err)
	}
	for _, bad := range []string{"https://user:secret@example.com/", `server "x`} {
		if _, err := spyhop.New(spyhop.Config{SearchMCP: bad}); !errors.As(err, &e) || e.Type != tool.InvalidInput || strings.Contains(e.Text(), "secret") {
			t.Errorf("%v", err)
		}
	}
}

// TestBridges runs the real servers of Brave and Tavily from npm: what they
// send goes through the guard's proxy to a double of the internet. `make
// bridges` installs them.
func TestBridges(t *testing.T) {
	dir := os.Getenv("SPYHOP_BRIDGES")
	if dir == "" {
		t.Skip("SPYHOP_BRIDGES names no folder with the servers: make bridges runs this")
	}
	reply := func(w http.ResponseWriter, query, nothing, found, limited string) {
		switch w.Header().Set("Content-Type", "application/json"); query {
		case "nothing":
			w.Write([]byte(nothing))
		case "limited":
			w.WriteHeader(http.StatusTooManyRequests)
			w.Write([]byte(limited))
		default:
			w.Write([]byte(found))
		}
	}
	n := newInternet(t, spyhop.Config{}, map[string]http.HandlerFunc{
		"api.search.brave.com": func(w http.ResponseWriter, r *http.Request) {
			reply(w, r.FormValue("q"), `{"type":"search","web":{"type":"search","results":[]}}`,
				`{"type":"search","web":{"type":"search","results":[{"title":"The Go Programming Language","url":"https://go.dev/?utm_source=x","description":"<strong>Go</strong> is &amp; fast"}]}}`,
				`{"type":"ErrorResponse","error":{"status":429,"code":"RATE_LIMITED","detail":"Request rate limit exceeded for plan."}}`)
		},
		"api.tavily.com": func(w http.ResponseWriter, r *http.Request) {
			var q struct{ Query string }
			_ = json.NewDecoder(r.Body).Decode(&q) // an empty query is found
			reply(w, q.Query, `{"query":"x","results":[]}`, `{"query":"x","images":[],"results":[{"title":"The Go Programming Language","url":"https://go.dev/?utm_source=x","content":"Go is & fast","score":0.9}]}`,
				`{"detail":{"error":"Your request has been blocked due to excessive requests."}}`)
		},
	})
	authority := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(authority, n.pem, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("NODE_EXTRA_CA_CERTS", authority)
	t.Setenv("BRAVE_API_KEY", "BSA-c4n4ry-0123456789")
	t.Setenv("TAVILY_API_KEY", "tvly-c4n4ry-0123456789")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	for name, command := range map[string]string{
		"brave":  "@brave/brave-search-mcp-server/dist/index.js --transport stdio",
		"tavily": "tavily-mcp/build/index.js",
	} {
		t.Run(name, func(t *testing.T) {
			n.config.SearchMCP = strconv.Quote(node) + " " + filepath.Join(dir, "node_modules", command)
			client := n.client(t)
			n.requests()
			a, err := client.Search(t.Context(), spyhop.SearchRequest{Text: "go"})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Results) != 1 || a.Results[0].URL != "https://go.dev/" || a.Results[0].Title != "The Go Programming Language" || a.Results[0].Snippet != "Go is & fast" {
				t.Errorf("%+v", a)
			}
			if got := n.requests(); len(got) != 1 {
				t.Errorf("it did not go through the proxy: %q", got)
			}
			if a, err := client.Search(t.Context(), spyhop.SearchRequest{Text: "nothing"}); err != nil || len(a.Results) != 0 {
				t.Errorf("nothing: %v %+v", err, a)
			}
			var e *search.Error
			if _, err := client.Search(t.Context(), spyhop.SearchRequest{Text: "limited"}); !errors.As(err, &e) || e.Code != search.RateLimited {
				t.Errorf("limited: %v", err)
			}
			// No network: the policy refuses what the server wants.
			n.config.Blocklist = []string{"api.search.brave.com", "api.tavily.com"}
			defer func() { n.config.Blocklist = nil }()
			if _, err := n.client(t).Search(t.Context(), spyhop.SearchRequest{Text: "go"}); !errors.As(err, &e) || e.Code != search.Network {
				t.Errorf("no network: %v", err)
			}
			if got := n.requests(); len(got) != 2 {
				t.Errorf("asked for %q", got)
			}
		})
	}
}
