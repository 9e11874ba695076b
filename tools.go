package spyhop

import "github.com/spyhop-dev/spyhop/tool"

// This file gives names to what a program needs for tools of its own, and to
// what it compares errors with.

// Tool declares a tool: what it is called, what it takes, what it does.
type Tool = tool.Declaration

// Catalog holds tools; it prints itself for models, and checks and runs plans.
type Catalog = tool.Catalog

// ToolCall is one call of a tool, as its handler gets it; CallOptions are what
// the caller adds to its arguments, CallResult is what comes back.
type (
	ToolCall    = tool.Call
	CallOptions = tool.Options
	CallResult  = tool.Result
)

// Schema describes what a tool takes and gives; Property is a member of it.
type (
	Schema   = tool.Schema
	Property = tool.Property
)

// Object returns the schema of an object, as a tool's input has to be.
//
//	spyhop.Object(
//		spyhop.String("path", "the file to write").Require(),
//		spyhop.Integer("width", "columns").Between(20, 200).WithDefault(80))
func Object(properties ...Property) Schema { return tool.Object(properties...) }

// Text returns the schema of an answer that is one string.
func Text() Schema { return tool.Text() }

// String returns an optional property; its methods make it required, give it a
// default, bounds or other names.
func String(name, description string) Property { return tool.String(name, description) }

// Integer returns an optional property that is a whole number.
func Integer(name, description string) Property { return tool.Integer(name, description) }

// Number returns an optional property that is a number.
func Number(name, description string) Property { return tool.Number(name, description) }

// Boolean returns an optional property that is true or false.
func Boolean(name, description string) Property { return tool.Boolean(name, description) }

// Array returns an optional property that is a list.
func Array(name, description string, items Schema) Property {
	return tool.Array(name, description, items)
}

// Map returns an optional property that is an object with free names.
func Map(name, description string) Property { return tool.Map(name, description) }

// The levels of tools: the step of a workflow at which one is used.
const (
	LevelSearch  = tool.Search
	LevelRead    = tool.Read
	LevelCapture = tool.Capture
	LevelCleanUp = tool.CleanUp
)

// ErrorType is what went wrong. The set is closed.
type ErrorType = tool.ErrorType

// The types of errors.
const (
	InvalidURL         = tool.InvalidURL
	InvalidInput       = tool.InvalidInput
	Blocked            = tool.Blocked // by our policy, not by the site
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
	ModelError         = tool.ModelError
	Cancelled          = tool.Cancelled
	InternalError      = tool.Internal
)

// NewError returns an error for a tool of the program's own; hint is the next
// step, and may be empty.
func NewError(t ErrorType, message, hint string) *Error { return tool.NewError(t, message, hint) }

// Plan is a list of calls in which later ones take what earlier ones gave.
// [Catalog.CheckPlan] says what is wrong with one, [Catalog.RunPlan] runs it.
type (
	Plan        = tool.Plan
	PlanProblem = tool.Problem
	StepResult  = tool.StepResult
)

// ParsePlan reads a plan from JSON.
func ParsePlan(data []byte) (*Plan, error) { return tool.ParsePlan(data) }

// Prompt prints a line for each tool, for the system prompt of a model; OpenAI
// and Anthropic print the "tools" member of a request to their interfaces.
func Prompt(tools []Tool) string { return tool.Prompt(tools) }

// OpenAI prints tools as the "tools" member of an OpenAI chat request.
func OpenAI(tools []Tool) ([]byte, error) { return tool.OpenAI(tools) }

// Anthropic prints tools as the "tools" member of an Anthropic messages request.
func Anthropic(tools []Tool) ([]byte, error) { return tool.Anthropic(tools) }
