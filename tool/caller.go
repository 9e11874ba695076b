package tool

import (
	"context"
	"encoding/json"
)

// What the caller of a tool can do for it while it waits. A surface puts these
// into Options where its caller said that it can.
//
// Some callers cannot be asked in the middle of a call: they are given the
// question as its answer, and call once more with what they came to. Handlers
// therefore return the error of a question at once, as it is, and have done
// nothing before it that must not be done twice.

// Model is the language model of the caller.
type Model interface {
	// Complete answers a question. The error is an *[Error]. The answer is as much
	// to be trusted as the caller is.
	Complete(context.Context, Question) (string, error)
}

// Question is what a model is asked.
type Question struct {
	// System says how to answer; may be empty.
	System string
	// Text is the question, with all that it is about.
	Text string
	// MaxTokens bounds the answer; 0 means 1,000.
	MaxTokens int
	// Schema asks for a JSON value of that form, which Text describes too: not
	// every model can be held to it. Nil: any text.
	Schema json.RawMessage
}

// Person is whoever sits before the caller.
type Person interface {
	// Confirm asks a question that yes or no answers. Who does not answer has
	// said no. The error is an *[Error].
	Confirm(ctx context.Context, question string) (bool, error)
}
