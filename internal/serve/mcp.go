package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/tool"
)

// The Model Context Protocol, revisions 2024-11-05 to 2025-11-25, which have
// sessions, and 2026-07-28, which has none. One mcp.Server serves all clients:
// over HTTP behind the router of mcp_http.go, over stdio on the lines of
// mcp_stdio.go.

const (
	// listTTL is how long a client may keep a list: tools and templates stay as
	// they are while the process runs.
	listTTL = time.Hour
	// defaultAnswerChars is Options.AnswerChars where it is 0.
	defaultAnswerChars = 9500
)

// Stdio serves MCP on a pair of streams, a message a line, until in ends or ctx
// does. Calls that run when in ends have Options.Grace to answer. It writes only
// messages of the protocol to out. It closes in if in is an io.Closer, so that no
// goroutine goes on reading from it.
func Stdio(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	o.fill()
	var q quotas
	q.most.Store(int64(o.MaxRunning))
	server, _, err := newMCPServer(o, &q, true)
	if err != nil {
		return err
	}
	session, err := server.Connect(ctx, newLines(ctx, in, out, o.Grace), nil)
	if err != nil {
		return err
	}
	err = session.Wait()
	if c, ok := in.(io.Closer); ok {
		_ = c.Close()
	}
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// mcpServer is what the handlers of one mcp.Server share.
type mcpServer struct {
	o      Options
	served []tool.Declaration
	quotas *quotas
	sessions
	// process says that the client has the process for itself.
	process bool
}

// newMCPServer returns a server for the tools that Options.Tools selects.
func newMCPServer(o Options, q *quotas, process bool) (*mcp.Server, *sessions, error) {
	served, err := o.selected(tool.Core, tool.Crawl, tool.BrowserTools)
	if err != nil {
		return nil, nil, err
	}
	if len(o.Tools) == 0 { // google_search does what web_search does
		served = slices.DeleteFunc(served, func(d tool.Declaration) bool { return d.Name == googleSearch })
	}
	m := &mcpServer{o: o, served: served, quotas: q, sessions: sessions{ended: o.SessionEnded}, process: process}
	capabilities := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	if o.Versions != nil {
		capabilities.Resources = &mcp.ResourceCapabilities{}
	}
	options := &mcp.ServerOptions{Capabilities: capabilities, SetCacheable: cacheable, Instructions: m.instructions()}
	prompts := m.prompts()
	if len(prompts) > 0 {
		capabilities.Prompts = &mcp.PromptCapabilities{}
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "spyhop", Title: "Spyhop", Version: o.Version,
		Description: "Web access for language-model agents", WebsiteURL: website, Icons: icons()}, options)
	for _, p := range prompts {
		s.AddPrompt(p.Prompt, p.handle)
	}
	for _, d := range served {
		t, err := declaration(d)
		if err != nil {
			return nil, nil, err
		}
		s.AddTool(t, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return m.call(ctx, d, r)
		})
	}
	if o.Versions != nil {
		m.addResources(s)
	}
	s.AddReceivingMiddleware(m.owned, m.named, m.able)
	return s, &m.sessions, nil
}

// metaKey is the key of what a planner wants to know of a tool: its kind, its
// level, and its permission where that is not "cautious". Each word of it counts
// against the budget of tools/list.
const metaKey = "dev.spyhop/tool"

// toolMeta is the value of metaKey.
type toolMeta struct {
	Kind       tool.Kind       `json:"kind"`
	Level      tool.Level      `json:"level"`
	Permission tool.Permission `json:"permission,omitempty"`
}

func metaOf(d tool.Declaration) mcp.Meta {
	m := toolMeta{Kind: d.Kind, Level: d.Level, Permission: d.Permission}
	if m.Permission == tool.Cautious {
		m.Permission = ""
	}
	return mcp.Meta{metaKey: m}
}

// declaration is a tool as clients are shown it: without rare arguments, and without an
// output schema, since clients that see structured content drop the text or the picture.
// What is the protocol's default is left out.
func declaration(d tool.Declaration) (*mcp.Tool, error) {
	input, err := json.Marshal(d.Input.Common())
	if err != nil {
		return nil, err
	}
	t := &mcp.Tool{
		Name: d.Name, Title: d.Title, Description: trimmed(d.Description), InputSchema: json.RawMessage(input), Meta: metaOf(d),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: d.Annotations.ReadOnly, IdempotentHint: d.Annotations.Idempotent},
	}
	if !d.Annotations.OpenWorld {
		t.Annotations.OpenWorldHint = &d.Annotations.OpenWorld
	}
	if !d.Annotations.ReadOnly { // "meaningful only when readOnlyHint == false"
		t.Annotations.DestructiveHint = &d.Annotations.Destructive
	}
	return t, nil
}

// cacheable says how long a client may keep an answer. A page version belongs to its
// caller; all other answers are the same for all callers.
func cacheable(_ context.Context, r mcp.Request, c *mcp.Cacheable) {
	switch r.(type) {
	case *mcp.ListResourcesRequest:
		c.CacheScope = "private"
	case *mcp.ReadResourceRequest:
		c.TTLMs, c.CacheScope = int(listTTL.Milliseconds()), "private"
	default:
		c.TTLMs, c.CacheScope = int(listTTL.Milliseconds()), "public"
	}
}

// named passes calls by an alias to the tool. An unknown name is an error of the tool
// that the model sees, with the nearest name: most clients do not show a protocol
// error to the model.
func (m *mcpServer) named(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		call, ok := r.(*mcp.CallToolRequest)
		if !ok {
			return next(ctx, method, r)
		}
		d, e := m.find(call.Params.Name)
		if e != nil && len(m.served) > 0 {
			// Only what a tool returns is marked as complete in the later era, and
			// only the SDK can do so: any tool's handler has to return it.
			ctx, d = context.WithValue(ctx, mistakeKey{}, e), m.served[0]
		}
		if e == nil && !m.lists(d.Name) {
			ctx, d = context.WithValue(ctx, unlistedKey{}, d), m.served[0]
		}
		// The SDK knows the listed names only; the one that was called may be a variant.
		ctx = context.WithValue(ctx, calledKey{}, call.Params.Name)
		call.Params.Name = d.Name
		return next(ctx, method, r)
	}
}

// able leaves the tools that need a language model out of the list of a client that has
// none, where the server has none.
func (m *mcpServer) able(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, r)
		list, ok := res.(*mcp.ListToolsResult)
		if !ok || m.o.hasModel() {
			return res, err
		}
		list.CacheScope = "private" // clients differ
		if q, ok := r.(interface {
			ClientCapabilities() *mcp.ClientCapabilities
		}); ok {
			//lint:ignore SA1019 clients of today have it
			if c := q.ClientCapabilities(); c != nil && c.Sampling != nil {
				return list, err
			}
		}
		list.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t *mcp.Tool) bool {
			return slices.ContainsFunc(m.served, func(d tool.Declaration) bool { return d.Name == t.Name && d.NeedsModel })
		})
		return list, err
	}
}

// calledKey is the key of the name by which a tool was called.
type calledKey struct{}

// mistakeKey is the key of the *tool.Error about an unknown name of a tool.
type mistakeKey struct{}

// googleSearch is the name under which an older design searches. It is listed only where
// its profile is asked for.
const googleSearch = "google_search"

// unlistedKey is the key of the tool.Declaration of a tool that is called and not listed.
type unlistedKey struct{}

// lists reports whether tools/list has a tool.
func (m *mcpServer) lists(name string) bool {
	return slices.ContainsFunc(m.served, func(d tool.Declaration) bool { return d.Name == name })
}

// find returns the tool of a name or alias, if it is served. google_search is accepted
// wherever there is web_search.
func (m *mcpServer) find(name string) (tool.Declaration, *tool.Error) {
	d, e := m.o.Catalog.Find(name)
	if e == nil && !m.lists(d.Name) && !(d.Name == googleSearch && m.lists("web_search")) {
		e = tool.NewError(tool.InvalidInput, "tool "+quoted(name)+" is not served here",
			"tools/list has the tools; the operator can serve this one with --tools "+string(d.Profile)+", its profile, beside others")
	}
	return d, e
}
