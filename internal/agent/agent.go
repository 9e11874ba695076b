// Package agent provides answers to questions by a language model that uses the
// tools of a catalog: it calls tools and reads their results until it can answer
// or its budget ends.
//
//	a, err := agent.New(agent.Options{Catalog: catalog, Model: client})
//	if err != nil {
//		return err
//	}
//	answer, err := a.Ask(ctx, "When was the lighthouse of Ar-Men lit?")
//	if err != nil {
//		return err // always a *tool.Error; answer has the steps until then
//	}
//	fmt.Println(answer.Text)
//
// In each turn the model answers or calls tools. The agent checks calls against
// the catalog before they run. Problems with a call, and the errors and content
// verdicts of tools, go back to the model with the next step. The model can make
// several calls, of which one uses the result of another, in a plan (plan.go); the
// agent checks the whole plan before its first step, and each step before it
// runs. When the calls or the tokens are used up, or the model repeats itself, the
// agent asks it once more, without tools, to answer from what it has read.
//
// # Guarantees
//
// A run has at most [Options.MaxSteps] calls. The agent makes no request to the
// model that exceeds the remaining tokens, by estimate. It calls only what the
// model itself writes as a call: the results of tools are data between marks that
// no page can forge, and the agent does not look for instructions in them. The
// model can call only the chosen tools. An unmarked citation in an answer names a
// page that a tool has read in this run; other citations are marked as not read.
// Quotations that are not in the pages are marked.
//
// # Limits
//
// The agent does not detect whether a page has manipulated the model; the tools
// and their policy bound what a manipulated model can do. A quotation that is on a
// page is not necessarily an answer.
package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/model"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The defaults of Options.
const (
	DefaultMaxSteps  = 12
	DefaultMaxTokens = 60_000
	DefaultTimeout   = 5 * time.Minute
)

// Options are what an Agent works with.
type Options struct {
	// Catalog has the tools. Required.
	Catalog *tool.Catalog
	// Model is the language model. Required.
	Model llm.Model
	// Tools are the names of the tools that the model may call; nil means the
	// tools of the profiles core and browser.
	Tools []string
	// MaxSteps bounds the calls of a run; 0 means 12.
	MaxSteps int
	// MaxTokens bounds what the model reads and writes in a run, over all its
	// turns; 0 means 60,000.
	MaxTokens int
	// AnswerChars is the maximum length of a tool's result, in characters; 0 means
	// 9,500.
	AnswerChars int
	// Timeout bounds a run; 0 means 5 minutes.
	Timeout time.Duration
	// Caller is the caller of the tools in the audit log; "" means "agent".
	Caller string
	// Observe is called twice for each step, when it begins and when it is Done,
	// on the goroutine of the run. Nil calls nothing.
	Observe func(Step)
}

// Agent answers questions. It is safe for concurrent use.
type Agent struct {
	o     Options
	tools []tool.Declaration
}

// New returns an Agent. It fails with an InvalidInput error for a tool that the
// catalog does not have.
func New(o Options) (*Agent, error) {
	if o.MaxSteps <= 0 {
		o.MaxSteps = DefaultMaxSteps
	}
	if o.MaxTokens <= 0 {
		o.MaxTokens = DefaultMaxTokens
	}
	if o.AnswerChars <= 0 {
		o.AnswerChars = answerChars
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Caller == "" {
		o.Caller = "agent"
	}
	a := &Agent{o: o}
	if o.Tools == nil {
		a.tools = o.Catalog.List(tool.Core, tool.BrowserTools)
	}
	for _, name := range o.Tools {
		d, err := o.Catalog.Find(name)
		if err != nil {
			return nil, err
		}
		a.tools = append(a.tools, d)
	}
	return a, nil
}

// Answer is the result of a run, Step one of its calls, Source a page that a tool
// has read; package result defines and documents them.
type (
	Answer = result.Answer
	Step   = result.Step
	Source = result.Source
)

// Ask answers a question. The answer is never nil: beside an error it has the
// steps until then. The error is a *tool.Error.
func (a *Agent) Ask(ctx context.Context, question string) (*Answer, error) {
	r := newRun(a, strings.TrimSpace(question))
	if r.answer.Question == "" {
		return r.answer, tool.NewError(tool.InvalidInput, "the question is empty", "ask a question")
	}
	start := time.Now()
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, a.o.Timeout)
	defer cancel()
	err := r.loop(ctx)
	if err != nil && outer.Err() == nil && ctx.Err() != nil {
		r.answer.Stopped = result.StoppedByTime
		err = &tool.Error{Type: tool.Timeout, Message: fmt.Sprintf("no answer within %s", a.o.Timeout), Retryable: true,
			Hint: "allow more time, or ask a narrower question", Cause: err}
	}
	r.answer.Usage.Seconds = time.Since(start).Seconds()
	if err != nil {
		return r.finish(""), tool.AsError(err)
	}
	return r.finish(r.text), nil
}

// loop lets the model take turns until it answers.
func (r *run) loop(ctx context.Context) error {
	silent := false
	for r.answer.Stopped == "" {
		q, ok := r.request()
		if !ok {
			r.answer.Stopped = result.StoppedByTokens
			break
		}
		reply, err := r.ask(ctx, q)
		var e *model.Error
		if errors.As(err, &e) && e.Code == model.TooLong && r.shrink() {
			continue // at most once for each result
		}
		if err != nil {
			return err
		}
		if len(reply.Calls) == 0 {
			if r.take(reply) {
				return nil
			}
			if silent {
				return saidNothing()
			}
			silent = true
			r.history = append(r.history, llm.Message{Text: "Your reply was empty. Call a tool, or answer the question."})
			continue
		}
		r.history = append(r.history, reply.Message())
		var results llm.Message
		for _, c := range reply.Calls {
			results.Results = append(results.Results, r.call(ctx, c))
		}
		r.history = append(r.history, results)
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case r.repeats > maxRepeats:
			r.answer.Stopped = result.StoppedByRepeating
		case r.answer.Usage.Steps >= r.a.o.MaxSteps:
			r.answer.Stopped = result.StoppedBySteps
		}
	}
	return r.last(ctx)
}

// last asks the model to answer from what it has read, without tools.
func (r *run) last(ctx context.Context) error {
	q, ok := r.lastRequest()
	if !ok {
		return tool.NewError(tool.NoContent, fmt.Sprintf("the run ended without an answer: %d tokens leave no room for one", r.a.o.MaxTokens),
			"allow more tokens, or ask a narrower question")
	}
	reply, err := r.ask(ctx, q)
	if err != nil {
		return err
	}
	if !r.take(reply) {
		return saidNothing()
	}
	return nil
}

func saidNothing() error {
	return tool.NewError(tool.ModelError, "the model gave no answer", "ask again, or choose another model in WEB_MODEL")
}

// take makes a reply the answer; it returns false when the reply has no text.
func (r *run) take(reply *llm.Reply) bool {
	// A model repeats what it has read, and can write any character.
	r.text = strings.TrimSpace(text.Clean(reply.Text, text.Verbatim, nil))
	if reply.Stop == llm.StopLength && r.answer.Stopped == "" && r.text != "" {
		r.answer.Stopped = result.StoppedByLength
	}
	return r.text != ""
}

// ask sends a request to the model and counts its tokens.
func (r *run) ask(ctx context.Context, q llm.Request) (*llm.Reply, error) {
	u := &r.answer.Usage
	u.Turns++
	reply, err := r.a.o.Model.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	u.TokensIn += reply.Usage.In
	u.TokensOut += reply.Usage.Out
	u.Estimated = u.Estimated || reply.Usage.Estimated
	return reply, nil
}

// left returns the remaining tokens.
func (r *run) left() int {
	return r.a.o.MaxTokens - r.answer.Usage.TokensIn - r.answer.Usage.TokensOut
}

// finish completes the answer at the end of the run.
func (r *run) finish(text string) *Answer {
	a := r.answer
	a.Text, a.Citations, a.Quotes = r.check(text)
	a.Read = []Source{}
	for _, s := range r.sources {
		a.Read = append(a.Read, s.Source)
	}
	if a.Steps == nil {
		a.Steps = []Step{}
	}
	return a
}
