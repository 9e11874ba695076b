package spyhop

import (
	"context"
	"fmt"
	"time"

	"github.com/spyhop-dev/spyhop/internal/agent"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/model"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file connects the language model with what uses it.

// LanguageModel answers conversations. A program can bring its own.
type LanguageModel = llm.Model

// ModelRequest, ModelReply and their parts are what a LanguageModel is asked and
// answers.
type (
	ModelRequest = llm.Request
	ModelReply   = llm.Reply
	ModelMessage = llm.Message
	ModelCall    = llm.Call
)

// Agent answers questions with the tools of a Client.
type Agent = agent.Agent

// AgentAnswer is what a run of an Agent came to; its JSON form is a transcript.
type (
	AgentAnswer = agent.Answer
	AgentStep   = agent.Step
)

// AgentOptions bound an Agent. The zero value is the default of each field.
type AgentOptions struct {
	// Tools are the names of those that may be called; nil means web_search,
	// web_fetch and the browser's.
	Tools []string
	// MaxSteps bounds the calls of a run; 0 means 12.
	MaxSteps int
	// MaxTokens bounds what the model reads and writes in a run; 0 means 60,000.
	MaxTokens int
	// Timeout bounds a run; 0 means 5 minutes.
	Timeout time.Duration
	// Observe hears of each call when it begins and when it is done.
	Observe func(AgentStep)
}

// Agent returns an agent over the client's tools and its model. It fails with an
// InvalidInput error when no model is configured, or a tool is unknown.
func (s *Client) Agent(o AgentOptions) (*Agent, error) {
	if s.model == nil {
		return nil, tool.NewError(tool.InvalidInput, "no language model is configured",
			"set WEB_MODEL to provider/name, as in ollama/qwen3 or anthropic/claude-sonnet-5, and the provider's key")
	}
	return agent.New(agent.Options{Catalog: s.catalog, Model: s.model, Tools: o.Tools, MaxSteps: o.MaxSteps,
		MaxTokens: o.MaxTokens, Timeout: o.Timeout, Caller: s.caller, Observe: o.Observe})
}

// modelEndpoint is where the configured model is asked; zero where there is none.
func (c Config) modelEndpoint() (weburl.URL, error) {
	if c.Model == "" || c.LanguageModel != nil {
		return weburl.URL{}, nil
	}
	var u weburl.URL
	if c.ModelURL != "" {
		var err error
		// The value could hold a password.
		if u, err = weburl.Parse(c.ModelURL); err != nil {
			return u, invalid("ModelURL", "", fmt.Errorf("it is an http or https URL without a user name"))
		}
	}
	u, err := model.Endpoint(c.Model, u)
	if err != nil {
		return u, invalid("Model", c.Model, err)
	}
	return u, nil
}

// languageModel makes the client of the model; nil where there is none.
func (c Config) languageModel(guard *egress.Guard) (LanguageModel, error) {
	if c.LanguageModel != nil || c.Model == "" {
		return c.LanguageModel, nil
	}
	u, err := c.modelEndpoint()
	if err != nil {
		return nil, err
	}
	rt, err := guard.Endpoint(u)
	if err != nil {
		return nil, invalid("ModelURL", "", err)
	}
	client, err := model.New(model.Options{Model: c.Model, URL: u, Key: c.ModelKeys[model.KeySetting(c.Model)], RoundTripper: rt, UserAgent: "spyhop/" + Version})
	if err != nil {
		return nil, invalid("Model", c.Model, err)
	}
	return client, nil
}

// completer is a model as prompts use it: one question, no tools.
type completer struct{ LanguageModel }

// Complete implements tool.Model.
func (c completer) Complete(ctx context.Context, q tool.Question) (string, error) {
	if q.MaxTokens == 0 {
		q.MaxTokens = 1000
	}
	r, err := c.Ask(ctx, llm.Request{System: q.System, Messages: []llm.Message{{Text: q.Text}}, Schema: q.Schema, MaxTokens: q.MaxTokens})
	if err != nil {
		return "", err
	}
	return r.Text, nil
}
