package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// StepResult is the outcome of one step of a plan.
type StepResult struct {
	ID, Tool string
	Result   Result
	// Err is why the step failed, which ended the plan; nil on success.
	Err *Error
}

// MarshalJSON writes the id, the tool, and the error, or the data, or the text
// without data.
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

// value is the result for programs: the data, or the text if none exists.
func (r Result) value() any {
	if r.Data != nil {
		return r.Data
	}
	return r.Text
}

// RunPlan checks a plan and runs its steps in order until one fails. It calls
// see after each step, on the same goroutine; see may be nil. The error is an
// *Error; when a step failed, the results end with that step. Options.Given
// applies only to steps without references: values from a page do not count as
// given by a person.
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
		o.Report(Progress{Message: "step " + shorten(s.ID) + ": " + shorten(s.Tool), Done: int64(i), Total: int64(len(p.Steps))})
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

// planRun is the state of one run.
type planRun struct {
	plan   *Plan
	done   []StepResult
	values []any // results of done, decoded from JSON; nil: not needed yet
	// room is how many bytes are left for the arguments of the current step.
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
		e.Message, e.Cause = "step "+shorten(s.ID)+": "+cause.Message, cause
		out.Err = &e
	}
	return out
}

// planned returns the name by which a step calls its tool: the tool's own name,
// because a handler may answer an alias in another schema than the one that
// references are checked against. A variant keeps its name, because it sets
// arguments.
func (c *Catalog) planned(name string) string {
	d, ok := c.Lookup(name)
	if !ok || slices.ContainsFunc(d.Variants, func(v Variant) bool { return v.Name == name }) {
		return name
	}
	return d.Name
}

// arguments returns the arguments of a step with its references filled in;
// changed reports whether there were any.
func (run *planRun) arguments(s Step) (args json.RawMessage, changed bool, err error) {
	if !bytes.Contains(s.Args, []byte("${")) && !bytes.Contains(s.Args, []byte(`\u`)) { // "$" can be written as \u0024
		return s.Args, false, nil
	}
	given, err := members(s.Args)
	if err != nil {
		return nil, false, NewError(InvalidInput, shorten(err.Error()), "")
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

// text fills in the references of a string. The result is the value itself when
// the string consists of one reference, else a string.
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
			return nil, NewError(InvalidInput, fmt.Sprintf("%s is neither a string nor a number, so it cannot be part of a longer string", p.ref), "")
		}
	}
	return b.String(), nil
}

// lookup returns the value that a reference names.
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
				return nil, NewError(NoContent, fmt.Sprintf("%s does not exist: %s has %d elements", r, shorten(at), len(x)), "refer to an earlier element, or change step "+shorten(r.step)+" so that it returns more")
			}
		}
		if at += sel.String(); !found || v == nil {
			return nil, NewError(NoContent, fmt.Sprintf("%s does not exist: step %s did not return %s", r, shorten(r.step), shorten(at)), "")
		}
	}
	return v, nil
}
