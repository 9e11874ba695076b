package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// StepResult is what became of one step of a plan.
type StepResult struct {
	ID, Tool string
	Result   Result
	// Err is why the step, and with it the plan, ended; nil on success.
	Err *Error
}

// MarshalJSON writes the id, the tool, and the data, or the text where there is
// none, or the error.
func (r StepResult) MarshalJSON() ([]byte, error) {
	out := struct {
		ID      string   `json:"id"`
		Tool    string   `json:"tool"`
		Result  any      `json:"result,omitempty"`
		Notices []string `json:"notices,omitempty"`
		Error   *Error   `json:"error,omitempty"`
	}{r.ID, r.Tool, r.Result.value(), r.Result.Notices, r.Err}
	if r.Err != nil {
		out.Result = nil
	}
	return encode(out)
}

// value is the answer as a program reads it.
func (r Result) value() any {
	if r.Data != nil {
		return r.Data
	}
	return r.Text
}

// RunPlan checks a plan and runs its steps one after the other, until one
// fails. see hears of each step that ended, on the same goroutine; it may be
// nil. The error is an *Error; when it is a step's, the results end with that
// step. Options.Given holds for steps without references alone: what a page
// said nobody has given.
func (c *Catalog) RunPlan(ctx context.Context, p *Plan, o Options, see func(StepResult)) ([]StepResult, error) {
	if problems := c.CheckPlan(p); len(problems) > 0 {
		e := NewError(InvalidInput, "the plan cannot be run: step "+problems[0].Step+": "+problems[0].Message, problems[0].Hint)
		if more := len(problems) - 1; more > 0 {
			e.Message += fmt.Sprintf(" (and %d more)", more)
		}
		return nil, e
	}
	run := planRun{plan: p, values: make([]any, len(p.Steps))}
	for i, s := range p.Steps {
		o.Report(Progress{Message: "step " + s.ID + ": " + s.Tool, Done: int64(i), Total: int64(len(p.Steps))})
		r := run.step(ctx, c, i, o)
		run.done = append(run.done, r)
		if see != nil {
			see(r)
		}
		if r.Err != nil {
			return run.done, r.Err
		}
	}
	return run.done, nil
}

// planRun is a plan under way.
type planRun struct {
	plan   *Plan
	done   []StepResult
	values []any // of done, as JSON; nil: not needed yet
	// room is how many bytes the arguments of the step may still take.
	room int
}

func (run *planRun) step(ctx context.Context, c *Catalog, i int, o Options) StepResult {
	s := run.plan.Steps[i]
	out := StepResult{ID: s.ID, Tool: s.Tool}
	args, changed, err := run.arguments(s)
	if err == nil {
		o.Given = o.Given && !changed
		out.Result, err = c.Call(ctx, c.planned(s.Tool), args, o)
	}
	if err != nil {
		cause := AsError(err)
		e := *cause
		e.Message, e.Cause = "step "+s.ID+": "+cause.Message, cause
		out.Err = &e
	}
	return out
}

// planned is the name by which a step calls its tool. By an alias the answer may
// have another form than the tool's, against which references are checked; a
// variant gives arguments, and keeps its name.
func (c *Catalog) planned(name string) string {
	d, ok := c.Lookup(name)
	if !ok || slices.ContainsFunc(d.Variants, func(v Variant) bool { return v.Name == name }) {
		return name
	}
	return d.Name
}

// arguments are those of a step with its references filled in; changed tells
// whether there were any.
func (run *planRun) arguments(s Step) (args json.RawMessage, changed bool, err error) {
	if !bytes.Contains(s.Args, []byte("${")) && !bytes.Contains(s.Args, []byte(`\u`)) { // "$" can be written as \u0024
		return s.Args, false, nil
	}
	given, err := members(s.Args)
	if err != nil {
		return nil, false, NewError(InvalidInput, err.Error(), "")
	}
	run.room = MaxArgumentBytes
	filled := make(map[string]any, len(given))
	for _, m := range given {
		changed = changed || hasTemplate(m.value)
		if filled[m.name], err = run.fill(m.value); err != nil {
			return nil, changed, err
		}
	}
	args, err = encode(filled)
	return args, changed, err
}

// fill returns a value with its references filled in.
func (run *planRun) fill(v any) (any, error) {
	switch v := v.(type) {
	case string:
		return run.text(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = run.fill(v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			var err error
			if out[k], err = run.fill(v[k]); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

// text fills in a string: its value where it is one reference, else a string.
func (run *planRun) text(s string) (any, error) {
	parts, problem := parseTemplate(s)
	if problem != "" {
		return nil, NewError(InvalidInput, problem, "")
	}
	var b strings.Builder
	for _, p := range parts {
		if p.ref == nil {
			b.WriteString(p.text)
			continue
		}
		v, err := run.lookup(p.ref)
		if err != nil {
			return nil, err
		}
		data, err := encode(v)
		if err != nil {
			return nil, err
		}
		if run.room -= len(data); run.room < 0 {
			return nil, NewError(InvalidInput, fmt.Sprintf("%s makes the arguments longer than %d bytes", p.ref, MaxArgumentBytes), "refer to less of it")
		}
		if len(parts) == 1 {
			return v, nil
		}
		switch v := v.(type) {
		case string:
			b.WriteString(v)
		case json.Number, bool:
			b.Write(data)
		default:
			return nil, NewError(InvalidInput, fmt.Sprintf("%s is neither a text nor a number, and stands within a text", p.ref), "")
		}
	}
	return b.String(), nil
}

// lookup returns what a reference names.
func (run *planRun) lookup(r *reference) (any, error) {
	i := slices.IndexFunc(run.done, func(d StepResult) bool { return d.ID == r.step })
	if i < 0 {
		return nil, NewError(InvalidInput, fmt.Sprintf("%s refers to a step that has not run", r), "")
	}
	if run.values[i] == nil {
		data, err := encode(run.done[i].Result.value())
		if err != nil {
			return nil, err
		}
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if err := d.Decode(&run.values[i]); err != nil {
			return nil, err
		}
	}
	v, at := run.values[i], r.step
	for _, sel := range r.path {
		found := false
		switch x := v.(type) {
		case map[string]any:
			if sel.name != "" {
				v, found = x[sel.name]
			}
		case []any:
			if sel.name == "" && sel.index < len(x) {
				v, found = x[sel.index], true
			} else if sel.name == "" {
				return nil, NewError(NoContent, fmt.Sprintf("%s is not there: %s has %d elements", r, at, len(x)), "let step "+r.step+" find more")
			}
		}
		if at += sel.String(); !found || v == nil {
			return nil, NewError(NoContent, fmt.Sprintf("%s is not there: step %s gave no %s", r, r.step, at), "")
		}
	}
	return v, nil
}
