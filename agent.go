package spyhop

import (
	"context"
	"encoding/json"
	"time"

	"github.com/spyhop-dev/spyhop/internal/agent"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// AgentAnswer is an answer with its evidence; its JSON form is the transcript.
// AgentStep is one call of a run, Budget the bounds of a run.
type (
	AgentAnswer = result.Answer
	AgentStep   = result.Step
	Budget      = result.Budget
)

// Depth says how much work a question is worth.
type Depth = result.Depth

// The depths. The zero value means DepthQuick.
const (
	// DepthQuick is one search, a fetch of its first results, and one request to the
	// model.
	DepthQuick = result.Quick
	// DepthDeep has the model call tools until it can answer.
	DepthDeep = result.Deep
)

// AnswerRequest is a question. The zero value of each field but Question is its
// default.
type AnswerRequest struct {
	// Question is what to find out. Required, at most 8,000 bytes.
	Question string
	// Schema is a JSON Schema: the answer is then AgentAnswer.Data, with evidence for
	// each value.
	Schema json.RawMessage
	// Depth is DepthQuick or DepthDeep.
	Depth Depth
	// URLs are pages to fetch, at most 12. With DepthQuick they take the place of the
	// search.
	URLs []string
	// Domains are host patterns as in Config.Blocklist: nothing else is searched and
	// fetched.
	Domains []string
	// Tools are the names of the tools that the model may call with DepthDeep; nil
	// means web_search, web_fetch and those of the browser.
	Tools []string
	// MaxTokens bounds the answer; 0 means 1,500, the most is 4,000.
	MaxTokens int
	// Budget bounds calls (12), tokens (60,000) and US dollars (no bound).
	Budget Budget
	// Timeout bounds the run; 0 means 5 minutes.
	Timeout time.Duration
	// Session names the caller whose browser contexts the tools use, as tool.Options has it.
	Session string
	// OnStep is called with each call of a run, when it begins and when it is
	// Done, on the goroutine of the run. Nil means that no function is called.
	OnStep func(AgentStep)
}

// Answer answers a question from the web with the configured model. Each statement of
// the answer has the number of a quotation from a page that was fetched, or the mark
// "(unverified)". The answer is never nil; with an error, which is an *Error, it has the
// steps until then.
func (s *Client) Answer(ctx context.Context, q AnswerRequest) (*AgentAnswer, error) {
	s.tools()
	a, err := s.agent.Ask(ctx, agent.Request{Question: q.Question, Schema: q.Schema, Depth: q.Depth, URLs: q.URLs, Domains: q.Domains, Tools: q.Tools,
		MaxTokens: q.MaxTokens, Budget: q.Budget, Timeout: q.Timeout, Observe: q.OnStep, Call: tool.Options{Session: q.Session}})
	return a, s.hints.explain(err)
}

// newAgent makes the agent of the client.
func (s *Client) newAgent(c Config) (*agent.Agent, error) {
	price, err := agent.ParsePrice(c.ModelPrice)
	if err != nil {
		return nil, invalid("ModelPrice", c.ModelPrice, err)
	}
	o := agent.Options{Catalog: s.catalog, Model: s.model, Price: price, AnswerChars: c.MaxContentChars, Caller: c.Caller}
	if s.pages != nil {
		o.Version = func(ctx context.Context, hash string) (string, bool) {
			v, ok := s.pages.Version(ctx, "", hash)
			return v.Content, ok
		}
	}
	s.catalog.HasModel(s.model != nil)
	return agent.New(o), nil
}
