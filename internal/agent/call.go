package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	// maxRepeats is the number of repeated calls after which the agent ends a run.
	maxRepeats = 3
	// maxSubject is the maximum length of a step's subject, in characters.
	maxSubject = 200
	// answerChars is the default of Options.AnswerChars. A result can always have
	// leastAnswerChars, even when few tokens are left.
	answerChars, leastAnswerChars = 9_500, 1_500
)

// made is a call that the model has made.
type made struct {
	step      int
	id        string // the ID of the model's call
	again     bool   // the model may repeat it
	forgotten bool   // its result is no longer in the conversation
}

// offer makes the catalog of the run: the chosen tools, wrapped so that the run
// counts and records their calls, and the tool for plans.
func (r *run) offer(tools []tool.Declaration) {
	r.catalog = tool.NewCatalog()
	for _, d := range tools {
		d.Handler = r.around(d)
		d.Input.Properties = slices.DeleteFunc(slices.Clone(d.Input.Properties), func(p tool.Property) bool { return slices.Contains(d.AsksModel, p.Name) })
		// Register cannot fail: the declaration comes from another catalog.
		if err := r.catalog.Register(d); err != nil {
			continue
		}
		r.tools = append(r.tools, llm.Tool{Name: d.Name, Description: strings.TrimSpace(d.Description), Schema: schemaOf(d.Input.Common())})
	}
	if len(r.tools) > 1 {
		plans := r.plans()
		if r.catalog.Register(plans) == nil {
			r.tools = append(r.tools, llm.Tool{Name: plans.Name, Description: strings.TrimSpace(plans.Description), Schema: schemaOf(plans.Input)})
		}
	}
}

// call makes a call for the model and returns the result for the model.
func (r *run) call(ctx context.Context, c llm.Call) llm.CallResult {
	out := llm.CallResult{ID: c.ID, Name: c.Name}
	before := r.answer.Usage.Steps
	if before >= r.q.Budget.Calls {
		out.Failed, out.Text = true, fmt.Sprintf("not called: all %d calls are used up\nanswer the question from what you have read", r.q.Budget.Calls)
		return out
	}
	args := strings.TrimSpace(c.Args)
	if args == "" {
		args = "{}"
	}
	known := len(r.sources)
	start := time.Now()
	res, err := r.catalog.Call(context.WithValue(ctx, callKey{}, c.ID), c.Name, json.RawMessage(args), tool.Options{})
	if err != nil {
		e := tool.AsError(err)
		if r.answer.Usage.Steps == before {
			// The catalog refused the call. It counts as a step all the same.
			r.endStep(result.Step{Tool: shorten(c.Name), Title: shorten(c.Name), Args: rawArgs(args), Subject: shorten(args)}, start, e)
		}
		out.Failed, out.Text = true, string(e.Type)+": "+e.Text()
		if e.Retryable {
			out.Text += "\nThe same call can succeed later."
		}
		return out
	}
	out.Text = r.written(res, known)
	return out
}

// written returns a result in the form for the model: the numbers of new pages,
// the text between marks, and the notices. known is the number of pages before
// the call.
func (r *run) written(res tool.Result, known int) string {
	var b strings.Builder
	for i := known; i < len(r.sources); i++ {
		fmt.Fprintf(&b, "Page [%d] is %s\n", r.sources[i].N, r.sources[i].URL)
	}
	b.WriteString(fence(res.Text))
	for _, n := range res.Notices {
		b.WriteString("\n" + n)
	}
	return b.String()
}

type callKey struct{}

// around returns a handler that makes the call in the catalog that the tool comes
// from. It refuses repeated calls, bounds the result, and counts and records the
// step.
func (r *run) around(d tool.Declaration) tool.Handler {
	return func(ctx context.Context, c tool.Call) (tool.Result, error) {
		args, err := json.Marshal(c.Args)
		if err != nil {
			return tool.Result{}, err
		}
		if r.answer.Usage.Steps >= r.q.Budget.Calls {
			return tool.Result{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("all %d calls are used up", r.q.Budget.Calls), "answer the question from what you have read")
		}
		key := d.Name + " " + string(args)
		if m, ok := r.made[key]; ok && !m.again && !m.forgotten {
			r.repeats++
			return tool.Result{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("the same call was already made in step %d", m.step),
				"its result is above; make another call, or answer")
		}
		if e := r.inDomains(d, c.Args); e != nil {
			return tool.Result{}, e
		}
		if args, err = json.Marshal(c.Args); err != nil {
			return tool.Result{}, err
		}
		step := result.Step{Tool: d.Name, Title: d.Title, Args: args, Subject: subject(d, c.Args)}
		step.N = r.answer.Usage.Steps + 1
		r.observe(step)
		start := time.Now()
		res, err := r.a.o.Catalog.Call(ctx, d.Name, args, r.options(c.Args))
		e := tool.AsError(err)
		id, _ := ctx.Value(callKey{}).(string)
		// The same call of a browser tool can have another effect on a page that has
		// changed. A call that failed temporarily may be repeated once.
		m := made{step: step.N, id: id, again: d.Kind == tool.Browser && !d.Annotations.ReadOnly || e != nil && e.Retryable && r.made[key].step == 0}
		r.made[key] = m
		if err == nil {
			r.learn(d, c.Args, res, &step)
		}
		r.endStep(step, start, e)
		if err == nil && d.Kind == tool.Browser && len(res.Text) > shortResult {
			r.supersede(r.browserTools())
		}
		return res, err
	}
}

// options are those of a call for the model.
func (r *run) options(args tool.Arguments) tool.Options {
	o := r.q.Call
	o.Caller, o.Given, o.AnswerChars, o.AnswerBytes, o.Access, o.Progress, o.Model = cmp.Or(o.Caller, r.a.o.Caller), r.isGiven(args), r.window(), 0, nil, nil, nil
	return o
}

// inDomains keeps a call within the domains of the request: searches get them as a
// filter, other URLs are refused.
func (r *run) inDomains(d tool.Declaration, args tool.Arguments) error {
	if r.domains == nil {
		return nil
	}
	if _, ok := d.Input.Property("allowed_domains"); ok && len(args.Strings("allowed_domains")) == 0 {
		list := make([]any, len(r.q.Domains))
		for i, domain := range r.q.Domains {
			list[i] = domain
		}
		args["allowed_domains"] = list
	}
	for _, raw := range append(args.Strings("urls"), args.String("url")) {
		u, err := weburl.ParseLenient(strings.TrimSpace(raw))
		if raw == "" || err != nil {
			continue // the tool says what is wrong
		}
		if _, ok := r.domains.Match(u.Host()); !ok {
			return tool.NewError(tool.InvalidInput, text.URL(raw)+" is not in the domains of the question", "use only pages of "+text.Path(strings.Join(r.q.Domains, ", ")))
		}
	}
	return nil
}

// endStep counts and records a step.
func (r *run) endStep(s result.Step, start time.Time, e *tool.Error) {
	r.answer.Usage.Steps++
	s.N, s.Done, s.Err = r.answer.Usage.Steps, true, e
	s.Milliseconds = float64(time.Since(start).Microseconds()) / 1000
	r.answer.Steps = append(r.answer.Steps, s)
	r.observe(s)
}

func (r *run) observe(s result.Step) {
	if r.q.Observe != nil {
		r.q.Observe(s)
	}
}

// forget records that the result of a call is no longer in the conversation, so
// that the model may repeat the call.
func (r *run) forget(id string) {
	for key, m := range r.made {
		if m.id == id {
			m.forgotten = true
			r.made[key] = m
		}
	}
}

func (r *run) browserTools() map[string]bool {
	names := map[string]bool{}
	for _, d := range r.catalog.List() {
		if d.Kind == tool.Browser {
			names[d.Name] = true
		}
	}
	return names
}

// window returns the maximum length of a result in characters: a sixth of the
// remaining tokens, at 4 characters each.
func (r *run) window() int {
	return min(max(r.left()*4/6, leastAnswerChars), r.a.o.AnswerChars)
}

// subject returns what a call is about, for people: its address, its query, or its
// other arguments.
func subject(d tool.Declaration, args tool.Arguments) string {
	for _, name := range []string{"url", "query", "urls"} {
		switch v := args[name].(type) {
		case string:
			return shorten(v)
		case []any:
			if len(v) > 0 {
				return shorten(strings.Join(args.Strings(name), ", "))
			}
		}
	}
	given := map[string]any{}
	for name, v := range args {
		if p, ok := d.Input.Property(name); ok && p.Default != v {
			given[name] = v
		}
	}
	if len(given) == 0 {
		return ""
	}
	data, err := json.Marshal(given)
	if err != nil {
		return ""
	}
	return shorten(string(data))
}

func shorten(s string) string { return shortenTo(s, maxSubject) }

func shortenTo(s string, chars int) string { return text.Cut(text.Line(s), chars) }

// rawArgs returns the arguments that a model wrote, as a JSON string when they are
// not valid JSON.
func rawArgs(s string) json.RawMessage {
	if len(s) <= tool.MaxArgumentBytes && json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	data, err := json.Marshal(shorten(s))
	if err != nil {
		return nil
	}
	return data
}

// addresses returns the addresses in a question. They count as given by a person.
func addresses(question string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(question) {
		word = strings.Trim(word, `.,;:!?()[]<>{}"'“”‘’`)
		if !strings.Contains(word, ".") {
			continue
		}
		if u, ok := address(word); ok {
			out[u] = true
		}
	}
	return out
}

// address normalizes an address for comparison.
func address(raw string) (string, bool) {
	u, err := weburl.ParseLenient(strings.TrimSpace(raw))
	if err != nil {
		return "", false
	}
	u, _ = u.Clean()
	return u.WithoutFragment().String(), true
}

// isGiven reports whether a person gave every address in the arguments.
func (r *run) isGiven(args tool.Arguments) bool {
	all := args.Strings("urls")
	if u := args.String("url"); u != "" {
		all = append(all, u)
	}
	return len(all) > 0 && !slices.ContainsFunc(all, func(raw string) bool {
		u, ok := address(raw)
		return !ok || !r.given[u]
	})
}
