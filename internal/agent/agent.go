// Package agent provides answers to questions by a language model that uses
// the tools of a catalog: it thinks, calls, reads what came of it, and goes on
// until it can answer or its budget ends.
//
//	a, err := agent.New(agent.Options{Catalog: catalog, Model: client})
//	if err != nil {
//		return err
//	}
//	answer, err := a.Ask(ctx, "When was the lighthouse of Ar-Men lit?")
//	if err != nil {
//		return err // always a *tool.Error; answer has what was done until then
//	}
//	fmt.Println(answer.Text)
//
// A turn of the model is an answer, or calls. Calls are checked against the
// catalog before they run; what is wrong with one, and each error and verdict of
// a tool, goes back to the model with the next step. Several calls of which one
// takes what another gave can be made as a plan (plan.go), which is checked as a
// whole before its first step and again at each. When steps, tokens, time or
// patience end, the model is asked once more, without tools, to answer from what
// it has read.
//
// # Guarantees
//
// A run has at most [Options.MaxSteps] calls, and no request to the model is
// made that its tokens, by estimate, do not leave room for. Only what the model
// itself writes as a call is called: what tools give is data between marks that
// no page can forge, and nothing here reads it for instructions. Only tools that
// were chosen can be called. A citation in an answer names a page that a tool
// has read in this run; others are marked as not read. Quotations are looked up
// in what was read and marked when they are not there.
//
// # Limits
//
// Whether the model is fooled by what it reads is not decided here; what a
// fooled model can do is bounded by its tools and their policy. That a quotation
// stands on a page does not make it an answer.
package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/model"
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
	// Model answers. Required.
	Model llm.Model
	// Tools are the names of those that may be called; nil means those of the
	// profiles core and browser.
	Tools []string
	// MaxSteps bounds the calls of a run; 0 means 12.
	MaxSteps int
	// MaxTokens bounds what the model reads and writes in a run, over all its
	// turns; 0 means 60,000.
	MaxTokens int
	// AnswerChars is the most that the window of a result may be, in characters;
	// 0 means 9,500.
	AnswerChars int
	// Timeout bounds a run; 0 means 5 minutes.
	Timeout time.Duration
	// Caller is who calls the tools, for the audit log; empty means "agent".
	Caller string
	// Observe hears of each step twice, when it begins and when it is Done, on
	// the goroutine of the run.
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

// Answer is the result of a run, Step one of its calls, Source a page that was
// read, as package result has them.
type (
	Answer = result.Answer
	Step   = result.Step
	Source = result.Source
)

// Ask answers a question. The answer is there beside an error too, with what was
// done until then.
func (a *Agent) Ask(ctx context.Context, question string) (*Answer, error) {
	r := newRun(a, strings.TrimSpace(question))
	if r.answer.Question == "" {
		return r.answer, tool.NewError(tool.InvalidInput, "there is no question", "ask something")
	}
	start := time.Now()
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, a.o.Timeout)
	defer cancel()
	err := r.loop(ctx)
	if err != nil && outer.Err() == nil && ctx.Err() != nil {
		r.answer.Stopped = result.StoppedByTime
		err = &tool.Error{Type: tool.Timeout, Message: fmt.Sprintf("no answer within %s", a.o.Timeout), Retryable: true,
			Hint: "allow more time, or ask for less", Cause: err}
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
			r.history = append(r.history, llm.Message{Text: "You wrote nothing. Call a tool, or answer the question."})
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

// last asks for an answer from what was read, without tools.
func (r *run) last(ctx context.Context) error {
	q, ok := r.lastRequest()
	if !ok {
		return tool.NewError(tool.NoContent, fmt.Sprintf("the run ended without an answer: %d tokens leave no room for one", r.a.o.MaxTokens),
			"allow more tokens, or ask for less")
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

// take takes a reply for the answer; false when it has no text.
func (r *run) take(reply *llm.Reply) bool {
	r.text = strings.TrimSpace(reply.Text)
	if reply.Stop == llm.StopLength && r.answer.Stopped == "" && r.text != "" {
		r.answer.Stopped = result.StoppedByLength
	}
	return r.text != ""
}

// ask makes a request to the model and counts it.
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

// left is what remains of the tokens.
func (r *run) left() int {
	return r.a.o.MaxTokens - r.answer.Usage.TokensIn - r.answer.Usage.TokensOut
}

// finish fills in what is known at the end.
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
