package spyhop

import (
	"context"
	"encoding/json"

	"github.com/spyhop-dev/spyhop/tool"
)

// Error is the error of every operation; package tool has its types.
type Error = tool.Error

// CallOptions are what a caller adds to the arguments of a tool; CallResult is
// what the tool returns.
type (
	CallOptions = tool.Options
	CallResult  = tool.Result
)

// Call calls a tool by name, or by one of its aliases, with the JSON object that
// a model wrote; nil means no arguments. CallResult.Data is a *FetchResult, or
// *result.FetchAll for several addresses, for web_fetch, and a *result.Search for
// web_search. The error is an *Error: InvalidInput with the nearest name when the
// tool or an argument is unknown.
func (s *Client) Call(ctx context.Context, name string, args json.RawMessage, o CallOptions) (CallResult, error) {
	return s.tools().Call(ctx, name, args, o)
}

// Register adds a tool of the program's own, which is then listed, checked and
// called like the built-in ones. It fails when the name is taken or the
// declaration is not valid.
func (s *Client) Register(d tool.Declaration) error { return s.tools().Register(d) }

// Catalog returns the tools: to list them, to print them for a model
// (tool.Prompt, tool.OpenAI, tool.Anthropic), and to run plans of calls. It
// belongs to the Client.
func (s *Client) Catalog() *tool.Catalog { return s.tools() }
