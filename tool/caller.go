package tool

import (
	"context"
	"encoding/json"
)

// Model and Person are what the client of a call can answer while the call
// runs. A surface sets them in Options when its client supports it.
//
// Some clients cannot answer in the middle of a call (stateless MCP): the call
// returns the question as its answer, and the client calls again with the
// reply. Handlers therefore return the error of Complete and Confirm at once
// and unchanged, and do nothing before it that must not happen twice.

// Model is the language model of the client.
type Model interface {
	// Complete answers a question. The error is an *[Error]. The answer is only as
	// trustworthy as the client.
	Complete(context.Context, Question) (string, error)
}

// Question is a prompt for a model.
type Question struct {
	// System is the system prompt; may be empty.
	System string
	// Text is the question with the text that it is about.
	Text string
	// MaxTokens bounds the answer; 0 means 1,000.
	MaxTokens int
	// Schema is the JSON Schema of the wanted answer. Text describes it too,
	// because not every model supports schemas. Nil: any text.
	Schema json.RawMessage
}

// Person is the user of the client.
type Person interface {
	// Confirm asks a yes-or-no question. No answer counts as no. The error is an
	// *[Error].
	Confirm(ctx context.Context, question string) (bool, error)
}
