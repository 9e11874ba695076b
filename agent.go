package spyhop

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/agent"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// AgentAnswer is the result of one run of an Agent; its JSON form is the
// transcript. AgentStep is one call of a run.
type (
	AgentAnswer = result.Answer
	AgentStep   = result.Step
)

// AgentOptions bound an Agent. The zero value of each field is its default.
type AgentOptions struct {
	// Tools are the names of the tools that may be called; nil means web_search,
	// web_fetch and those of the browser.
	Tools []string
	// MaxSteps bounds the calls of a run; 0 means 12.
	MaxSteps int
	// MaxTokens bounds what the model reads and writes in a run; 0 means 60,000.
	MaxTokens int
	// Timeout bounds a run; 0 means 5 minutes.
	Timeout time.Duration
	// OnStep is called with each call of a run, when it begins and when it is
	// Done, on the goroutine of the run. Nil means that no function is called.
	OnStep func(AgentStep)
}

// Agent answers questions with the tools of a Client and a language model. It is
// safe for concurrent use.
type Agent struct {
	agent *agent.Agent
	hints hints
}

// Agent returns an agent over the client's tools and its model. It fails with an
// InvalidInput error when no model is configured, or when a tool is unknown.
func (s *Client) Agent(o AgentOptions) (*Agent, error) {
	if s.model == nil {
		return nil, s.hints.explain(tool.NewError(tool.InvalidInput, "no language model is configured",
			"set WEB_MODEL to provider/name, for example ollama/qwen3 or anthropic/claude-sonnet-5, and the provider's key"))
	}
	a, err := agent.New(agent.Options{Catalog: s.catalog, Model: s.model, Tools: o.Tools, MaxSteps: o.MaxSteps, AnswerChars: s.window,
		MaxTokens: o.MaxTokens, Timeout: o.Timeout, Caller: s.caller, Observe: o.OnStep})
	if err != nil {
		return nil, s.hints.explain(err)
	}
	return &Agent{a, s.hints}, nil
}

// Ask answers a question: the model calls tools and reads what they return until
// it can answer or a bound of AgentOptions ends the run. The answer is never nil;
// With an error, which is an *Error, the answer holds the steps until then.
func (a *Agent) Ask(ctx context.Context, question string) (*AgentAnswer, error) {
	answer, err := a.agent.Ask(ctx, question)
	return answer, a.hints.explain(err)
}
