package serve

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/tool"
)

// readPages are versions of pages that a caller has read.
type readPages struct{ tool.Versions }

func (readPages) Recent(context.Context, int) []tool.Version {
	return []tool.Version{
		{URL: "https://example.com/fog", Hash: "aaaa1111", Seen: time.Unix(1, 0)},
		{URL: "https://example.com/tides", Hash: "bbbb2222", Seen: time.Unix(1, 0)},
		{URL: "https://other.example.org/x?token=secret", Hash: "cccc3333", Seen: time.Unix(1, 0)},
	}
}

// webTools is a catalog with tools of the names that prompts and resources need.
func webTools(t *testing.T) Options {
	t.Helper()
	o, _ := fixture(t)
	o.Catalog = tool.NewCatalog()
	for _, name := range []string{"web_search", "web_fetch"} {
		err := o.Catalog.Register(tool.Declaration{Name: name, Description: "Test.", Level: tool.Read, Profile: tool.Core, Input: tool.Object(tool.String("url", "")),
			Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
				if strings.Contains(c.Args.String("url"), "10.0.0.1") {
					return tool.Result{}, tool.NewError(tool.Blocked, "blocked", "use a public host")
				}
				return tool.Result{Text: "read " + c.Args.String("url")}, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
	}
	o.Versions = readPages{}
	return o
}

// TestMCPBesideTools: instructions, an icon, prompts and templates, for both
// eras and ways.
func TestMCPBesideTools(t *testing.T) {
	each(t, webTools(t), nil, func(t *testing.T, s *mcp.ClientSession) {
		hello := s.InitializeResult()
		if i := hello.Instructions; !strings.Contains(i, "web_search") || strings.Contains(i, "browser") || len(i) > 1_200 {
			t.Errorf("instructions: %s", i)
		}
		if icons := hello.ServerInfo.Icons; len(icons) != 1 || !strings.HasPrefix(icons[0].Source, "data:image/svg+xml;base64,") {
			t.Errorf("icons: %+v", icons)
		}
		list, err := s.ListPrompts(t.Context(), nil)
		if err != nil || len(list.Prompts) != 2 {
			t.Fatalf("prompts: %+v, %v", list, err)
		}
		got, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "research", Arguments: map[string]string{"question": "how do whales sleep?", "site": "example.com"}})
		if err != nil {
			t.Fatal(err)
		}
		text := got.Messages[0].Content.(*mcp.TextContent).Text
		if got.Messages[0].Role != "user" || !strings.Contains(text, "how do whales sleep?") || !strings.Contains(text, "only pages of example.com") {
			t.Errorf("%s: %s", got.Messages[0].Role, text)
		}
		for _, p := range []*mcp.GetPromptParams{{Name: "compare"}, {Name: "research", Arguments: map[string]string{"question": strings.Repeat("x", 5_000)}}, {Name: "none"}} {
			if r, err := s.GetPrompt(t.Context(), p); err == nil {
				t.Errorf("%s with wrong arguments: %+v", p.Name, r.Messages[0].Content)
			}
		}
		templates, err := s.ListResourceTemplates(t.Context(), nil)
		if err != nil || len(templates.ResourceTemplates) != 2 {
			t.Errorf("templates: %+v, %v", templates, err)
		}
		page, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "spyhop://page/https://example.com/fog"})
		if err != nil || page.Contents[0].Text != "read https://example.com/fog" {
			t.Errorf("page: %+v, %v", page, err)
		}
		if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "spyhop://page/http://10.0.0.1/"}); err == nil || !strings.Contains(err.Error(), "use a public host") {
			t.Errorf("a refused page: %v", err)
		}
	})
}

// TestMCPSilentTool: a client that asked for progress hears of a call whose tool says
// nothing.
func TestMCPSilentTool(t *testing.T) {
	o, p := fixture(t)
	heard := make(chan string, 1)
	client := &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		select {
		case heard <- r.Params.Message:
		default:
		}
	}}
	c := mcp.NewClient(&mcp.Implementation{Name: "test client", Version: "1"}, client)
	s, err := c.Connect(t.Context(), serveStdio(t, o), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	params := &mcp.CallToolParams{Name: "slow"}
	params.SetProgressToken("here")
	done := make(chan error, 1)
	go func() {
		_, err := s.CallTool(t.Context(), params)
		done <- err
	}()
	<-p.started
	if message := <-heard; !strings.HasPrefix(message, "slow: ") {
		t.Errorf("heard %q", message)
	}
	close(p.let)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
