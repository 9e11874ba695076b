package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	// maxRepeats is how often a run may try to repeat itself.
	maxRepeats = 3
	// maxSubject bounds what is shown of a call.
	maxSubject = 200
	// answerChars is Options.AnswerChars where it is 0; a run that has few tokens
	// left still gives a result leastAnswerChars.
	answerChars, leastAnswerChars = 9_500, 1_500
)

// made is a call that was made.
type made struct {
	step      int
	id        string // of the model's call
	again     bool   // it may be made again
	forgotten bool   // its result is no longer in the conversation
}

// offer makes the catalog of the run: each chosen tool, counted and noted, and
// plans of them.
func (r *run) offer() {
	r.catalog = tool.NewCatalog()
	for _, d := range r.a.tools {
		d.Handler = r.around(d)
		d.Input.Properties = slices.DeleteFunc(slices.Clone(d.Input.Properties), func(p tool.Property) bool { return slices.Contains(d.AsksModel, p.Name) })
		// The declaration comes from a catalog that has taken it.
		if err := r.catalog.Register(d); err != nil {
			continue
		}
		r.tools = append(r.tools, llm.Tool{Name: d.Name, Description: strings.TrimSpace(d.Description), Schema: schemaOf(d.Input)})
	}
	if len(r.tools) > 1 {
		plans := r.plans()
		if r.catalog.Register(plans) == nil {
			r.tools = append(r.tools, llm.Tool{Name: plans.Name, Description: strings.TrimSpace(plans.Description), Schema: schemaOf(plans.Input)})
		}
	}
}

// call makes a call of the model's and returns what it reads of it.
func (r *run) call(ctx context.Context, c llm.Call) llm.CallResult {
	out := llm.CallResult{ID: c.ID, Name: c.Name}
	before := r.answer.Usage.Steps
	if before >= r.a.o.MaxSteps {
		out.Failed, out.Text = true, fmt.Sprintf("not called: all %d calls are used up\nanswer the question from what you have read", r.a.o.MaxSteps)
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
			// It did not come as far as a tool: that counts all the same.
			r.note(Step{Tool: shorten(c.Name), Title: shorten(c.Name), Args: rawArgs(args), Subject: shorten(args)}, start, e)
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

// written is a result as the model reads it: the numbers of the pages that are
// new, the text between marks, and what was understood otherwise.
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

// around stands around the handler of a tool: it makes the call in the catalog
// that the tool comes from, and counts, bounds and notes it.
func (r *run) around(d tool.Declaration) tool.Handler {
	return func(ctx context.Context, c tool.Call) (tool.Result, error) {
		args, err := json.Marshal(c.Args)
		if err != nil {
			return tool.Result{}, err
		}
		if r.answer.Usage.Steps >= r.a.o.MaxSteps {
			return tool.Result{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("all %d calls are used up", r.a.o.MaxSteps), "answer the question from what you have read")
		}
		key := d.Name + " " + string(args)
		if m, ok := r.made[key]; ok && !m.again && !m.forgotten {
			r.repeats++
			return tool.Result{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("this very call was made in step %d", m.step),
				"its result stands above; call something else, or answer")
		}
		step := Step{Tool: d.Name, Title: d.Title, Args: args, Subject: subject(d, c.Args)}
		step.N = r.answer.Usage.Steps + 1
		r.observe(step)
		start := time.Now()
		res, err := r.a.o.Catalog.Call(ctx, d.Name, args, tool.Options{Caller: r.a.o.Caller, Given: r.isGiven(c.Args), AnswerChars: r.window()})
		e := tool.AsError(err)
		id, _ := ctx.Value(callKey{}).(string)
		// A browser's page changes under the same call; what failed for the
		// moment may be tried once more.
		m := made{step: step.N, id: id, again: d.Kind == tool.Browser && !d.Annotations.ReadOnly || e != nil && e.Retryable && r.made[key].step == 0}
		r.made[key] = m
		if err == nil {
			r.learn(d, c.Args, res, &step)
		}
		r.note(step, start, e)
		if err == nil && d.Kind == tool.Browser && len(res.Text) > shortResult {
			r.supersede(r.browserTools())
		}
		return res, err
	}
}

// note ends a step.
func (r *run) note(s Step, start time.Time, e *tool.Error) {
	r.answer.Usage.Steps++
	s.N, s.Done, s.Err = r.answer.Usage.Steps, true, e
	s.Milliseconds = float64(time.Since(start).Microseconds()) / 1000
	r.answer.Steps = append(r.answer.Steps, s)
	r.observe(s)
}

func (r *run) observe(s Step) {
	if r.a.o.Observe != nil {
		r.a.o.Observe(s)
	}
}

// forget notes that the result of a call is no longer in the conversation.
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
	for _, d := range r.a.tools {
		if d.Kind == tool.Browser {
			names[d.Name] = true
		}
	}
	return names
}

// window is how long a result may be: a sixth of what is left.
func (r *run) window() int {
	return min(max(r.left()*4/6, leastAnswerChars), r.a.o.AnswerChars)
}

// subject is what a call is about, as people read it: its address or its query.
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

func shorten(s string) string {
	return text.Cut(text.Line(s), maxSubject)
}

// rawArgs is what a model wrote, where it is JSON.
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

// addresses finds those that a question names: a person gave them.
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

// address is the form in which addresses are compared.
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
