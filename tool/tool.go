// Package tool provides the catalog of tools: it declares them, reads their
// arguments, calls them and prints them, and defines the error value that every
// surface shows.
//
//	catalog := tool.NewCatalog()
//	err := catalog.Register(tool.Declaration{
//		Name:        "web_browse",
//		Title:       "Browse",
//		Description: "Browse a website and return content as Markdown.",
//		Input:       tool.Object(tool.String("url", "the address to read").Require()),
//		Output:      tool.Text(),
//		Level:       tool.Read,
//		Profile:     tool.Classic,
//		Handler:     browse,
//	})
//	if err != nil {
//		return err
//	}
//	result, err := catalog.Call(ctx, "web_browse", json.RawMessage(`{"url":"https://example.com/"}`), tool.Options{})
//
// Each tool has one [Declaration]. The command line, the library, the servers
// and the agent are built from it; they import this package and not the
// packages that do the work. A [Schema] is plain data with ordered properties,
// so the printed order is the declared order. Arguments are read leniently
// where the meaning is clear and strictly where it is not ([Schema.Read]). The
// error of a call is an [*Error]: a type of a closed set, whether a retry can
// help, and the next step.
//
// # Guarantees
//
// The package reads no files, opens no connections, and imports no other
// package of Spyhop. A [Catalog] is safe for concurrent use. [Catalog.Call]
// fails only with an [*Error]; a panic in a handler fails only that call.
// Printing is deterministic: tools in the order of registration, properties in
// the order of declaration.
//
// # Limits
//
// Arguments are bounded by [MaxArgumentBytes]. Schemas have the types of JSON
// but no combinations of them (anyOf, references, lists of types), because
// clients and model providers read these differently.
package tool

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// Declaration describes a tool and has its handler. A declaration must not be
// changed after it is registered.
type Declaration struct {
	// Name is what callers use: lower-case letters, digits and "_".
	Name string
	// Title is the name for people.
	Title string
	// Description is Markdown for a model: what the tool is for and when to use
	// it. Its first line is the summary.
	Description string
	// Input is an object schema; the zero value takes no arguments.
	Input Schema
	// Output describes Result.Data, or Result.Text when its type is
	// TypeString, for programs: MCP clients get text only.
	Output Schema
	// Data describes Result.Data when Output is zero, for plans and programs.
	Data Schema
	// Kind is Plain, or Browser for tools that need a browser.
	Kind Kind
	// Level is the step in a typical workflow.
	Level Level
	// Permission is what the tool may do.
	Permission Permission
	// Annotations are hints for clients.
	Annotations Annotations
	// Strengths are short phrases for a planner.
	Strengths []string
	// Profile is the group that lists the tool; AlsoIn are further groups.
	Profile Profile
	AlsoIn  []Profile
	// Aliases are other names that callers may use and that are never listed.
	Aliases []string
	// Variants are aliases that also set arguments.
	Variants []Variant
	// FixedForm reports whether Result.Text has a fixed length limit of its own,
	// so that Options.AnswerChars does not apply.
	FixedForm bool
	// TakesAccess reports whether the handler uses Options.Access.
	TakesAccess bool
	// AsksModel names the arguments that make the tool ask a language model. An
	// agent does not offer them: it reads pages itself and counts its tokens.
	AsksModel []string
	// NeedsModel reports whether the tool does nothing without a language model. It is
	// listed only where the server or the client has one, and no agent calls it.
	NeedsModel bool
	// Handler does the work. Required.
	Handler Handler
}

// Variant is another name of a tool with defaults of its own. An argument with
// such a default is not required.
type Variant struct {
	Name string
	Args Arguments
}

// In reports whether the tool is listed in one of the profiles.
func (d Declaration) In(profiles ...Profile) bool {
	return slices.Contains(profiles, All) || slices.Contains(profiles, d.Profile) ||
		slices.ContainsFunc(d.AlsoIn, func(p Profile) bool { return slices.Contains(profiles, p) })
}

// as returns the declaration with the defaults of a variant.
func (d Declaration) as(v Variant) Declaration {
	d.Input.Properties = slices.Clone(d.Input.Properties)
	for i := range d.Input.Properties {
		p := &d.Input.Properties[i]
		if value, ok := v.Args[p.Name]; ok {
			p.Default, p.Required = value, false
		}
	}
	return d
}

// Summary is the first line of the description.
func (d Declaration) Summary() string {
	line, _, _ := strings.Cut(strings.TrimSpace(d.Description), "\n")
	return strings.TrimSpace(line)
}

// Form is the schema of a result for plans and programs: Output, or Data when
// Output is zero. The zero value means that the result is not described.
func (d Declaration) Form() Schema {
	if d.Output.IsZero() {
		return d.Data
	}
	return d.Output
}

// Kind separates tools that need a browser from those that do not.
type Kind string

// The kinds. The zero value means Plain.
const (
	Plain   Kind = "tool"
	Browser Kind = "browser_tool"
)

// Level is the step of a workflow at which a tool is used. The zero value is
// not a level.
type Level int

// The levels.
const (
	Search  Level = 1
	Read    Level = 2 // and navigate
	Capture Level = 3
	CleanUp Level = 4
)

// String names the level as the tree prints it.
func (l Level) String() string {
	switch l {
	case Search:
		return "search"
	case Read:
		return "read and navigate"
	case Capture:
		return "capture"
	case CleanUp:
		return "clean up"
	}
	return "unknown"
}

// Permission says whether a tool only reads or also acts.
type Permission string

// The permissions. The zero value means Cautious.
const (
	// Cautious reads the network and is audited.
	Cautious Permission = "cautious"
	// Interactive types, clicks, uploads or runs script.
	Interactive Permission = "interactive"
)

// Profile is a group of tools that a surface can list.
type Profile string

// The profiles. No tool belongs to All; it selects every tool.
const (
	Core         Profile = "core"
	BrowserTools Profile = "browser"
	Classic      Profile = "classic"
	Crawl        Profile = "crawl"
	All          Profile = "all"
)

// Annotations are the hints of the Model Context Protocol (schema
// ToolAnnotations) about what a call does. This package does not enforce them.
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// Handler does the work of one call. It must return before its context's
// deadline. An error that is not an [*Error] becomes an internal error
// ([AsError]).
type Handler func(context.Context, Call) (Result, error)

// Call is one call of a tool.
type Call struct {
	// Tool is the name of the declaration, also when the caller used an alias.
	Tool string
	// Name is the name that the caller used: Tool, or an alias.
	Name string
	// Args are the arguments as [Schema.Read] returns them: declared names, right
	// types, defaults filled in.
	Args Arguments
	// Notices say which arguments were changed before use, for example a number
	// that was clamped. The catalog adds them to the result's; a handler that puts
	// them into its answer sets Result.Noted.
	Notices []string
	// Options come from the surface.
	Options
}

// Options are what a surface adds to a call. The zero value is an unknown
// caller without special rights.
type Options struct {
	// Caller names the surface, for example "cli", "library" or "mcp".
	Caller string
	// RequestID identifies the request of a surface that the call belongs to, for the
	// audit log: 16 hexadecimal digits, or empty.
	RequestID string
	// Given reports whether a person gave the addresses in the arguments.
	Given bool
	// Access has the caller's credentials for the site; nil: none. It never comes
	// from a model, and only tools with TakesAccess use it.
	Access *Access
	// Session names the caller that owns the browser state of this call: empty for
	// the process itself, one that begins with Stateless for calls over HTTP without a
	// session, Alone
	// for the only call of a process.
	Session string
	// Progress is called with the progress of the call; nil: no reports. Handlers
	// call it from the goroutine that they were called on.
	Progress func(Progress)
	// AnswerChars is the window of an answer, in characters, when the arguments
	// set none; the whole text then has fewer than AnswerFrame bytes more, because
	// clients cut longer texts in the middle. 0 means the tool's own window and no
	// bound of the text. A handler gets 0 when the arguments set a window
	// (Property.Length) or the declaration has FixedForm.
	AnswerChars int
	// AnswerBytes is the number of bytes that the whole text stays below when
	// AnswerChars applies; 0 means the sum of AnswerChars and AnswerFrame.
	AnswerBytes int
	// Model and Person are the client's model and user, if the client can ask them
	// while the call runs; nil: it cannot.
	Model  Model
	Person Person
}

// AnswerFrame is the room, in bytes, for the text around the content of an
// answer: address, title, notices.
const AnswerFrame = 500

// Access has a caller's credentials for a site. They are sent only to the origin
// of the address. Empty fields are not sent; Bearer wins over Username and
// Password.
type Access struct {
	UserAgent          string
	Username, Password string // Basic (RFC 7617)
	Bearer             string // RFC 6750
	Cookie             string // value of the Cookie header
}

// String hides the secrets.
func (*Access) String() string { return "access" }

// GoString hides the secrets.
func (*Access) GoString() string { return "tool.Access{…}" }

// Sessions of calls that do not belong to a protocol's session.
const (
	// Stateless is the session of calls over HTTP without a session and without a
	// token: they share browser state. With a token it is followed by ":" and the
	// token's name.
	Stateless = "stateless"
	// Alone is the session of the only call of a process.
	Alone = "alone"
)

// Report calls o.Progress with p unless it is nil.
func (o Options) Report(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

// Progress is a step of a call. Total is 0 when it is not known. Step is the step as
// data, which encoding/json can write; nil: there is only the message.
type Progress struct {
	Message     string
	Done, Total int64
	Step        any
}

// Result is the answer of a call.
type Result struct {
	// Text is the answer for models.
	Text string
	// Data is the answer for programs: a value that encoding/json can write and
	// that fits Declaration.Output. Nil when there is only text.
	Data any
	// Pictures are part of the answer, in addition to the text.
	Pictures []Picture
	// File is the path of a file that the call has written and that a surface
	// may serve; empty: none.
	File string
	// Notices say which arguments were changed before use, for example a number
	// that was clamped.
	Notices []string
	// Noted reports whether Text and Data already have the Notices.
	Noted bool
}

// Object is the answer as a JSON object for programs: Data, or the text in the
// member "result". Its member "notices" has the Notices, after those of Data.
func (r Result) Object() (json.RawMessage, error) {
	data := r.Data
	if data == nil {
		data = map[string]string{"result": r.Text}
	}
	object, err := encode(data)
	if err != nil || r.Noted || len(r.Notices) == 0 || object[0] != '{' {
		return object, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(object, &members); err != nil {
		return nil, err
	}
	var notices []string
	if own, ok := members["notices"]; ok {
		if err := json.Unmarshal(own, &notices); err != nil {
			return object, nil // Data uses the name for something else
		}
	}
	for _, n := range r.Notices {
		if !slices.Contains(notices, n) {
			notices = append(notices, n)
		}
	}
	if members["notices"], err = encode(notices); err != nil {
		return nil, err
	}
	return encode(members)
}

// Picture is an encoded image.
type Picture struct {
	MediaType string // "image/png"
	Data      []byte
}
