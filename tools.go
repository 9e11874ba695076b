package spyhop

import (
	"context"
	"encoding/json"

	"github.com/spyhop-dev/spyhop/tool"
)

// Error is the error of every operation; ErrorType is its type.
type (
	Error     = tool.Error
	ErrorType = tool.ErrorType
)

// The types of errors.
const (
	InvalidURL         = tool.InvalidURL
	InvalidInput       = tool.InvalidInput
	Blocked            = tool.Blocked // by the policy, not by the site
	HTTPError          = tool.HTTPError
	Timeout            = tool.Timeout
	ConnectionError    = tool.ConnectionError
	TLSError           = tool.TLSError
	TooLarge           = tool.TooLarge
	UnsupportedContent = tool.UnsupportedContent
	ParseError         = tool.ParseError
	NoContent          = tool.NoContent
	SearchError        = tool.SearchError
	BrowserError       = tool.BrowserError
	BrowserMissing     = tool.BrowserMissing
	Busy               = tool.Busy
	ModelError         = tool.ModelError
	Cancelled          = tool.Cancelled
	InternalError      = tool.Internal
)

// CallOptions are what a caller adds to the arguments of a tool; CallResult is
// what the tool returns.
type (
	CallOptions = tool.Options
	CallResult  = tool.Result
)

// Call calls a tool by name, or by one of its aliases, with the JSON object that
// a model wrote; nil means no arguments. CallResult.Data is a *FetchResult, or
// *FetchResults for several addresses, for web_fetch, and a *SearchAnswer for
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
