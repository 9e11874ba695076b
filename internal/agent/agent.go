// Package agent provides answers to questions by a language model that reads the web
// with the tools of a catalog.
//
//	a := agent.New(agent.Options{Catalog: catalog, Model: client})
//	answer, err := a.Ask(ctx, agent.Request{Question: "When was the lighthouse of Ar-Men lit?"})
//	if err != nil {
//		return err // always a *tool.Error; answer has the steps until then
//	}
//	fmt.Println(answer.Text)      // It was lit on 31 August 1881 [1].
//	fmt.Println(answer.Citations) // [1] Ar-Men, https://…: "first lit on 31 August 1881"
//
// There are two depths. [result.Quick] makes one search, fetches the first results and asks the
// model once (quick.go). With [result.Deep] the model calls tools itself, in turns (loop):
// calls are checked against the catalog before they run, and problems with a call, and
// the errors of tools, go back to the model with the next step. The model can make
// several calls, of which one uses the result of another, in a plan (plan.go). When a
// bound of the [result.Budget] is reached, or the model repeats itself, the agent asks it once
// more, without tools, to answer from what it has read.
//
// Both end in the same check: each statement of the answer gets a quotation from a page
// (cite.go), each value of an answer with a schema its evidence (fields.go).
//
// # Guarantees
//
// A run stays within its Budget; tokens are estimated before a request is made. The
// agent calls only what the model itself writes as a call: the results of tools are data
// between marks that no page can forge. The model can call only the chosen tools, and
// with [Request].Domains only URLs of these. Each citation of an answer is a quotation
// that is on a page that was read in this run; statements without one are marked.
//
// # Limits
//
// The agent does not detect whether a page has manipulated the model; the tools and
// their policy bound what a manipulated model can do. A quotation that is on a page
// does not prove the statement before it.
package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/model"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The defaults of a Request.
const (
	defaultCalls   = 12
	defaultTokens  = 60_000
	defaultTimeout = 5 * time.Minute
	// DefaultAnswer and MostAnswer bound the tokens of an answer.
	DefaultAnswer, MostAnswer = 1500, 4000
)

// Options are what an Agent works with. Only Catalog is required.
type Options struct {
	// Catalog has the tools.
	Catalog *tool.Catalog
	// Model is the language model; nil means Request.Model, which can only answer
	// with the depth Quick.
	Model llm.Model
	// Price is what the model costs; the zero value means that it is unknown.
	Price Price
	// Version returns the Markdown of a version of a page that the caller of ctx has
	// read; nil means that quotations have no offsets.
	Version func(ctx context.Context, hash string) (md string, ok bool)
	// AnswerChars is the maximum length of a tool's result, in characters; 0 means
	// 9,500.
	AnswerChars int
	// Caller is the caller of the tools in the audit log; "" means "agent".
	Caller string
}

// Price is what a model costs, in US dollars for a million tokens.
type Price struct{ In, Out float64 }

// Request is a question. Only Question is required.
type Request struct {
	Question string
	// Schema is a JSON Schema for the answer; nil means text.
	Schema json.RawMessage
	// Depth is Quick or Deep.
	Depth result.Depth
	// URLs are pages to fetch; with Quick they take the place of the search. At most
	// 12.
	URLs []string
	// Domains are host patterns, for example example.com: nothing else is searched
	// and fetched. Empty means the web.
	Domains []string
	// Tools are the names of the tools that the model may call with Deep; nil means
	// the tools of the profiles core and browser.
	Tools []string
	// MaxTokens bounds the answer; 0 means 1,500, the most is 4,000.
	MaxTokens int
	Budget    result.Budget
	// Timeout bounds the run; 0 means 5 minutes.
	Timeout time.Duration
	// Model is the caller's own model, for an Agent without one.
	Model tool.Model
	// Observe is called twice for each step, when it begins and when it is Done, on
	// the goroutine of the run. Nil calls nothing.
	Observe func(result.Step)
	// Call has the options of the call that the run belongs to: its session and
	// identification.
	Call tool.Options
}

// Agent answers questions. It is safe for concurrent use.
type Agent struct{ o Options }

// New returns an Agent.
func New(o Options) *Agent {
	if o.AnswerChars <= 0 {
		o.AnswerChars = answerChars
	}
	if o.Caller == "" {
		o.Caller = "agent"
	}
	return &Agent{o}
}

// tools returns the tools that a run may call, given their names; nil means those of the
// profiles core and browser. Tools that ask a model themselves are left out. It fails
// with an InvalidInput error for a tool that the catalog does not have.
func (a *Agent) tools(names []string) (out []tool.Declaration, err error) {
	if names == nil {
		out = a.o.Catalog.List(tool.Core, tool.BrowserTools)
	}
	for _, name := range names {
		d, e := a.o.Catalog.Find(name)
		if e != nil {
			return nil, e
		}
		out = append(out, d)
	}
	return slices.DeleteFunc(out, func(d tool.Declaration) bool { return d.NeedsModel }), nil
}

// Ask answers a question. The answer is never nil: beside an error it has the
// steps until then. The error is a *tool.Error.
func (a *Agent) Ask(ctx context.Context, q Request) (*result.Answer, error) {
	r, err := a.newRun(q)
	if err != nil {
		return r.finish(""), tool.AsError(err)
	}
	start := time.Now()
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, r.q.Timeout)
	defer cancel()
	r.ctx = ctx
	if r.q.Depth == result.Deep {
		err = r.loop(ctx)
	} else {
		err = r.quick(ctx)
	}
	if err != nil && outer.Err() == nil && ctx.Err() != nil {
		r.answer.Stopped = result.StoppedByTime
		err = &tool.Error{Type: tool.Timeout, Message: fmt.Sprintf("no answer within %s", r.q.Timeout), Retryable: true,
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
			if r.moneyLeft() < r.q.Budget.Tokens-r.spent() {
				r.answer.Stopped = result.StoppedByCost
			}
			break
		}
		reply, err := r.ask(ctx, q)
		if model.IsTooLong(err) && r.shrink() {
			continue // at most once for each result
		}
		if err != nil {
			return err
		}
		if len(reply.Calls) == 0 {
			if r.form != nil && strings.TrimSpace(reply.Text) != "" {
				return r.last(ctx) // the value has a request of its own
			}
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
		case r.answer.Usage.Steps >= r.q.Budget.Calls:
			r.answer.Stopped = result.StoppedBySteps
		}
	}
	return r.last(ctx)
}

// last asks the model to answer from what it has read, without tools.
func (r *run) last(ctx context.Context) error {
	q, ok := r.lastRequest()
	if !ok {
		return tool.NewError(tool.NoContent, fmt.Sprintf("the run ended without an answer: %d tokens leave no room for one", r.left()),
			"allow more tokens, or ask a narrower question")
	}
	reply, err := r.ask(ctx, q)
	if err != nil {
		return err
	}
	if r.form != nil {
		return r.fill(ctx, q, reply)
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
	reply, err := r.model.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	u.TokensIn += reply.Usage.In
	u.TokensOut += reply.Usage.Out
	u.Estimated = u.Estimated || reply.Usage.Estimated
	u.USD = (float64(u.TokensIn)*r.a.o.Price.In + float64(u.TokensOut)*r.a.o.Price.Out) / 1e6
	return reply, nil
}

// left returns the remaining tokens.
func (r *run) left() int { return min(r.q.Budget.Tokens-r.spent(), r.moneyLeft()) }

func (r *run) spent() int { return r.answer.Usage.TokensIn + r.answer.Usage.TokensOut }

// moneyLeft returns the tokens that the remaining money buys at the higher price.
func (r *run) moneyLeft() int {
	if r.q.Budget.USD == 0 {
		return r.q.Budget.Tokens
	}
	return int((r.q.Budget.USD - r.answer.Usage.USD) * 1e6 / max(r.a.o.Price.In, r.a.o.Price.Out))
}

// finish completes the answer at the end of the run.
func (r *run) finish(text string) *result.Answer {
	a := r.answer
	a.Citations = []result.Citation{}
	switch {
	case text == "":
	case r.form != nil:
		r.prove(text)
	default:
		a.Text = r.check(text)
	}
	a.Read = []result.Source{}
	for _, s := range r.sources {
		a.Read = append(a.Read, s.Source)
	}
	if a.Steps == nil {
		a.Steps = []result.Step{}
	}
	return a
}
