// Package tool provides the catalog mechanism: what a tool is, how its
// arguments are read, how it is called and printed, and the one error value
// that every surface shows.
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
// A [Declaration] is written once. The command line, the library, the servers
// and the agent are made from it: they see this package and no engine. A
// [Schema] is plain data with ordered properties, so that what is printed is
// what was written. Arguments are read leniently where the meaning is plain
// and strictly where it is not ([Schema.Read]). What a handler returns as an
// error leaves as an [*Error] with a type of a closed set, whether a retry can
// help, and the next step.
//
// # Guarantees
//
// The package is pure: it reads no files, dials nothing, and imports nothing
// of ours. A [Catalog] is safe for concurrent use. [Catalog.Call] fails only
// with an [*Error]; a handler that panics costs its own call. Printing is
// deterministic: the order of registration and of declaration.
//
// # Limits
//
// Arguments are bounded by [MaxArgumentBytes]. Schemas know the types of JSON
// and no combination of them: no anyOf, no references, no type lists, since
// clients and model providers read these differently.
package tool

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
)

// Declaration is everything that is known about a tool. A registered
// declaration must not be changed.
type Declaration struct {
	// Name is what callers use: lower-case letters, digits and "_".
	Name string
	// Title is the name for people.
	Title string
	// Description is Markdown for a model: what the tool is for and when to use
	// it. Its first line stands alone as a summary.
	Description string
	// Input is an object schema; the zero value takes no arguments.
	Input Schema
	// Output describes Result.Data, or Result.Text when its type is
	// TypeString. The zero value says nothing.
	Output Schema
	// Data describes Result.Data where Output says nothing, because clients
	// are answered in text alone: plans and programs read by it.
	Data Schema
	// Kind tells tools and browser tools apart.
	Kind Kind
	// Level is the step in a typical workflow.
	Level Level
	// Permission is what the tool may do.
	Permission Permission
	// Annotations are hints for clients.
	Annotations Annotations
	// Strengths are short phrases for a planner.
	Strengths []string
	// Profile is the group that the tool is listed in; AlsoIn are further ones.
	Profile Profile
	AlsoIn  []Profile
	// Aliases are other names under which it can be called and is never listed.
	Aliases []string
	// Variants are names like Aliases that give some arguments too.
	Variants []Variant
	// Structured says that Result.Data is small and says all that Result.Text
	// does, so that a model may be shown either. Else surfaces for models give
	// the text alone: clients that get both drop the text.
	Structured bool
	// TakesAccess reports whether the handler uses Options.Access.
	TakesAccess bool
	// AsksModel names the arguments with which the tool asks a language model. An
	// agent, which reads for itself and counts its tokens, does not offer them.
	AsksModel []string
	// Handler does the work. Required.
	Handler Handler
}

// Variant is another name of a tool, and what its arguments are by default under
// that name; an argument that it gives is not required.
type Variant struct {
	Name string
	Args Arguments
}

// In reports whether the tool is listed in one of the profiles.
func (d Declaration) In(profiles ...Profile) bool {
	return slices.Contains(profiles, All) || slices.Contains(profiles, d.Profile) ||
		slices.ContainsFunc(d.AlsoIn, func(p Profile) bool { return slices.Contains(profiles, p) })
}

// as returns the declaration as a variant has it.
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

// Form describes what the steps of a plan and programs get: Output, else Data;
// the zero value says nothing.
func (d Declaration) Form() Schema {
	if d.Output.IsZero() {
		return d.Data
	}
	return d.Output
}

// Kind tells tools apart that need a browser.
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

// Permission is what a tool may do.
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

// The profiles. All is none of its own: it selects every tool.
const (
	Core         Profile = "core"
	BrowserTools Profile = "browser"
	Classic      Profile = "classic"
	All          Profile = "all"
)

// Annotations are the hints of the Model Context Protocol (schema
// ToolAnnotations) about what a call does. They are hints: nothing here
// enforces them.
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// Fence puts text from the web between two lines with a random boundary, which
// mark it as untrusted and which no page can forge.
func Fence(text string) string {
	boundary := rand.Text()
	return "<<<untrusted web content " + boundary + ">>>\n" + text + "\n<<<end of untrusted web content " + boundary + ">>>"
}

// Handler does the work of one call. It returns before its context's deadline.
// An error that is no [*Error] is shown as an internal one.
type Handler func(context.Context, Call) (Result, error)

// Call is one call of a tool.
type Call struct {
	// Tool is the name of the declaration, also when an alias was used.
	Tool string
	// Name is the name that the caller used: Tool, or an alias.
	Name string
	// Args are the arguments as [Schema.Read] left them: declared names, right
	// types, defaults filled in.
	Args Arguments
	// Notices say which arguments were understood otherwise than they were
	// written. The catalog adds them to the result's; a handler that puts them
	// into its answer sets Result.Noted.
	Notices []string
	// Options come from the surface.
	Options
}

// Options are what a surface adds to a call. The zero value is a caller that
// nothing is known about.
type Options struct {
	// Caller names the surface, as "cli", "library" or "mcp".
	Caller string
	// Given says that a person gave the addresses in the arguments.
	Given bool
	// Access is what the site may be shown of the caller; nil: nothing. It never
	// comes from a model, and only tools with TakesAccess use it.
	Access *Access
	// Session names the caller that browser state belongs to: empty for the process
	// itself, Stateless for calls over HTTP without a session, Alone for the only
	// call of a process.
	Session string
	// Progress hears how the call goes on; nil: nobody listens. Handlers call
	// it from the goroutine that they were called on.
	Progress func(Progress)
	// AnswerChars is the window of an answer, in characters, where the arguments
	// name none; the whole text then has at most AnswerFrame bytes more, since
	// clients cut what is longer in the middle. 0 means the tool's own window.
	AnswerChars int
	// AnswerBytes bounds the whole text where AnswerChars applies, in bytes; 0
	// means AnswerChars and AnswerFrame together.
	AnswerBytes int
	// Model and Person are what the caller can answer with while the call runs;
	// nil: it cannot.
	Model  Model
	Person Person
}

// AnswerFrame is the room for what stands around the content of an answer:
// address, title, notices.
const AnswerFrame = 500

// Access is what a site is shown of a caller, for the origin of the address
// alone. What is empty is not sent; Bearer wins over Username and Password.
type Access struct {
	UserAgent          string
	Username, Password string // Basic (RFC 7617)
	Bearer             string // RFC 6750
	Cookie             string // as the Cookie header has it
}

// String hides the secrets.
func (*Access) String() string { return "access" }

// GoString hides the secrets.
func (*Access) GoString() string { return "tool.Access{…}" }

// Sessions of calls that belong to none of a protocol's.
const (
	// Stateless is the one of calls over HTTP: they share what they leave behind,
	// since they have shown the same bearer token, or none is asked for.
	Stateless = "stateless"
	// Alone is the one of a call that no other call of its process comes before or
	// after.
	Alone = "alone"
)

// Report passes p on to whoever listens.
func (o Options) Report(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

// Progress is a step of a call. Total is 0 when it is not known.
type Progress struct {
	Message     string
	Done, Total int64
}

// Result is what a call came to.
type Result struct {
	// Text is the answer as a model reads it.
	Text string
	// Data is the answer as a program reads it: a value that encoding/json can
	// write, which fits Declaration.Output. Nil when the text is all.
	Data any
	// Pictures belong to the answer beside its text.
	Pictures []Picture
	// File is the path of a file that the call has written and that a surface
	// may serve; empty: none.
	File string
	// Notices say what was understood otherwise than it was written, as a
	// number that was clamped.
	Notices []string
	// Noted says that Text and Data have the Notices already.
	Noted bool
}

// Object is the answer as a JSON object for programs: Data, or the text as
// "result". Its member "notices" has the Notices, after those of Data.
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
			return object, nil // it means something else by the name
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

// Picture is an image as it is in a file.
type Picture struct {
	MediaType string // "image/png"
	Data      []byte
}
