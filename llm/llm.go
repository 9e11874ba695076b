// Package llm provides the types of a conversation with a language model: a
// request, the reply, and the interface that a program implements to bring a
// model of its own.
//
//	type echo struct{}
//
//	func (echo) Name() string { return "echo" }
//
//	func (echo) Ask(ctx context.Context, q llm.Request) (*llm.Reply, error) {
//		last := q.Messages[len(q.Messages)-1]
//		return &llm.Reply{Text: last.Text, Stop: llm.StopEnd}, nil
//	}
//
//	client, err := spyhop.New(spyhop.Config{LanguageModel: echo{}})
//
// # Limits
//
// Text goes in and text comes out: no pictures, no stored reasoning, no cache
// marks. Call arguments are passed on as the model wrote them; package tool
// checks whether they are JSON of the right form.
package llm

import (
	"context"
	"encoding/json"
)

// Model is a language model. Implementations must be safe for concurrent use.
type Model interface {
	// Ask continues a conversation. It returns when the reply is complete or ctx
	// ends. The reply is nil exactly when the error is not. An error that is a
	// *tool.Error is shown to the caller as it is; any other error is reported
	// as a ModelError.
	Ask(ctx context.Context, q Request) (*Reply, error)
	// Name identifies the model in answers and logs, for example
	// "ollama/qwen3".
	Name() string
}

// Request is a conversation and what is wanted next.
type Request struct {
	// System says how to answer; may be empty.
	System string
	// Messages are the conversation, oldest first; at least one.
	Messages []Message
	// Tools may be called; none: the model can do nothing but write.
	Tools []Tool
	// Schema is a JSON Schema: the answer is one JSON value of that form, as far
	// as the endpoint keeps to it. Nil: text. It does not go with Tools.
	Schema json.RawMessage
	// MaxTokens bounds the reply; 0 means 4,096.
	MaxTokens int
}

// DefaultMaxTokens bounds a reply where the request does not.
const DefaultMaxTokens = 4096

// Tool is what a model is told of a tool.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage // of the arguments: an object
}

// Message is one turn: of the user (Text), of the model (Calls, or Text that
// FromModel says is its own), or what the calls came to (Results).
type Message struct {
	FromModel bool
	Text      string
	Calls     []Call
	Results   []CallResult
}

// Call is a call that a model wants to be made.
type Call struct {
	// ID ties the result to the call.
	ID, Name string
	// Args is what the model wrote: mostly a JSON object.
	Args string
	// State is the endpoint's own and has to go back with the call.
	State string `json:"-"`
}

// CallResult is what a call came to, as the model reads it.
type CallResult struct {
	ID, Name, Text string
	Failed         bool
}

// Reply is what came back.
type Reply struct {
	Text  string
	Calls []Call
	Stop  Stop
	// Usage counts tokens; Usage.Estimated says that the endpoint did not.
	Usage Usage
	// Model is what the endpoint calls itself; may be empty.
	Model string
}

// Message is the reply as a turn of the conversation.
func (r *Reply) Message() Message {
	return Message{FromModel: true, Text: r.Text, Calls: r.Calls}
}

// Stop is why a reply ended. The set is closed.
type Stop string

// The reasons.
const (
	StopEnd    Stop = "end"
	StopCalls  Stop = "calls"
	StopLength Stop = "length" // MaxTokens, or the model's own window
)

// Usage counts the tokens of one request.
type Usage struct {
	In, Out   int
	Estimated bool
}

// EstimateTokens is the estimate that is used where an endpoint does not count:
// a token for four bytes.
func EstimateTokens(bytes int) int { return (bytes + 3) / 4 }

// Size is the length of a request in bytes, as far as tokens are made of it.
func (q *Request) Size() int {
	n := len(q.System) + len(q.Schema)
	for _, t := range q.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	for i := range q.Messages {
		n += q.Messages[i].Size()
	}
	return n
}

// Size is the length of a message in bytes.
func (m *Message) Size() int {
	n := len(m.Text)
	for _, c := range m.Calls {
		n += len(c.Name) + len(c.Args)
	}
	for _, r := range m.Results {
		n += len(r.Name) + len(r.Text)
	}
	return n
}
