// Package model provides clients for language models: a conversation goes out,
// and a text or calls of tools come back.
//
//	client, err := model.New(model.Options{Model: "ollama/qwen3", RoundTripper: endpoint})
//	if err != nil {
//		return err
//	}
//	reply, err := client.Ask(ctx, model.Request{
//		System:   "Answer in one sentence.",
//		Messages: []model.Message{{Text: "Why do whales raise their heads?"}},
//	})
//	if err != nil {
//		return err // always a *tool.Error; its cause is an *Error
//	}
//	fmt.Println(reply.Text)
//
// There are three wire forms: chat completions (OpenAI, OpenRouter, Ollama,
// vLLM, llama.cpp and whatever else speaks it), Anthropic's messages, and
// Gemini's generateContent. Each is a file that writes a request and reads the
// events of a stream; what they have in common stands around them: requests and
// retries (ask.go), server-sent events (events.go), limits (reply.go).
//
// # Guarantees
//
// Ask does not outlive its context, [Options.Timeout], or a server that falls
// silent for [Options.Silence]. What is read is bounded in bytes, calls and the
// length of their arguments, whatever the server sends; a broken stream is an
// error and never half an answer. The key is sent to the endpoint alone, and
// stands in no error. A Client is safe for concurrent use.
//
// A request is sent again only when the model has not begun to answer: after
// 429, 503 or 529 when the server said how long to wait, once after another of
// these or 500, 502 and 504, and only if the wait ends within the call's time.
//
// # Limits
//
// Text goes in and text comes out: no pictures, no thinking that is kept, no
// caching marks. Arguments of calls are handed on as the model wrote them;
// whether they are JSON, and of the right form, is for package tool to say.
package model

import "encoding/json"

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
