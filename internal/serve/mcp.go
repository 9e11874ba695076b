package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/tool"
)

// The Model Context Protocol, revisions 2024-11-05 to 2025-11-25, which have
// sessions, and 2026-07-28, which has none. One mcp.Server speaks to everybody:
// over HTTP behind the router of mcp_http.go, over stdio on the lines of
// mcp_stdio.go. What it does not declare it does not answer, though the SDK
// would.

const (
	// listTTL is how long a client may keep a list: tools and templates stay as
	// they are while the process runs.
	listTTL = time.Hour
	// defaultAnswerChars is Options.AnswerChars where it is 0.
	defaultAnswerChars = 9500
)

// Stdio serves MCP on a pair of streams, a message a line, until in ends or ctx
// does. Calls that run when in ends have Options.Grace to answer. Nothing but
// the protocol is written to out. It closes in where in can be closed, so that
// nothing goes on reading from it.
func Stdio(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	o.fill()
	server, err := newMCPServer(o, make(chan struct{}, o.MaxCalls), true)
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
	calls  chan struct{} // holds a value for each call that runs
	// process says that the client has the process for itself.
	process bool
}

// newMCPServer returns a server for the tools that Options.Tools selects.
func newMCPServer(o Options, calls chan struct{}, process bool) (*mcp.Server, error) {
	served, err := o.selected(tool.Core, tool.BrowserTools)
	if err != nil {
		return nil, err
	}
	m := &mcpServer{o: o, served: served, calls: calls, process: process}
	capabilities := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	if o.Versions != nil {
		capabilities.Resources = &mcp.ResourceCapabilities{}
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "spyhop", Title: "Spyhop", Version: o.Version}, &mcp.ServerOptions{
		Capabilities: capabilities,
		SetCacheable: cacheable,
	})
	for _, d := range served {
		t, err := declaration(d)
		if err != nil {
			return nil, err
		}
		s.AddTool(t, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return m.call(ctx, d, r)
		})
	}
	if o.Versions != nil {
		m.addResources(s)
	}
	s.AddReceivingMiddleware(declared(capabilities), m.named)
	return s, nil
}

// declaration is a tool as clients are shown it: the schemas as the catalog has
// them, the output's only where the structured answer is given.
func declaration(d tool.Declaration) (*mcp.Tool, error) {
	input, err := json.Marshal(d.Input)
	if err != nil {
		return nil, err
	}
	t := &mcp.Tool{
		Name: d.Name, Title: d.Title, Description: trimmed(d.Description), InputSchema: json.RawMessage(input),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: d.Annotations.ReadOnly, IdempotentHint: d.Annotations.Idempotent, OpenWorldHint: &d.Annotations.OpenWorld},
	}
	if !d.Annotations.ReadOnly { // "meaningful only when readOnlyHint == false"
		t.Annotations.DestructiveHint = &d.Annotations.Destructive
	}
	if d.Structured {
		output, err := json.Marshal(d.Output)
		if err != nil {
			return nil, err
		}
		t.OutputSchema = json.RawMessage(output)
	}
	return t, nil
}

// cacheable says how long a client may keep what it was given. A page version
// is somebody's; the rest is the same for all.
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

// declared refuses the methods of what a server does not declare.
func declared(c *mcp.ServerCapabilities) mcp.Middleware {
	open := func(method string) bool {
		switch method {
		case "tools/list", "tools/call":
			return c.Tools != nil
		case "prompts/list", "prompts/get":
			return c.Prompts != nil
		case "resources/list", "resources/templates/list", "resources/read":
			return c.Resources != nil
		case "resources/subscribe", "resources/unsubscribe":
			return c.Resources != nil && c.Resources.Subscribe
		case "completion/complete":
			return c.Completions != nil
		case "logging/setLevel":
			//lint:ignore SA1019 deprecated, and to be refused as long as it is there
			return c.Logging != nil
		}
		return true
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if !open(method) {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method " + quoted(method) + " is not offered: this server does not declare it"}
			}
			return next(ctx, method, r)
		}
	}
}

// named gives calls by an alias to the tool that is meant. A name that is none
// is an error that the model sees, with what was probably meant: as one of the
// protocol most clients would keep it from the model.
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
		ctx = context.WithValue(ctx, nameKey{}, call.Params.Name)
		call.Params.Name = d.Name
		return next(ctx, method, r)
	}
}

// nameKey is the key of the name that a client used for a tool.
type nameKey struct{}

// mistakeKey is the key of the *tool.Error about a name that is no tool's.
type mistakeKey struct{}

// find returns the served tool of a name or alias.
func (m *mcpServer) find(name string) (tool.Declaration, *tool.Error) {
	d, e := m.o.Catalog.Find(name)
	if e == nil && !slices.ContainsFunc(m.served, func(t tool.Declaration) bool { return t.Name == d.Name }) {
		e = tool.NewError(tool.InvalidInput, "tool "+quoted(name)+" is not served here", "tools/list has the tools; the operator can serve more with --tools")
	}
	return d, e
}
