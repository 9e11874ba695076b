package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The limits of a plan.
const (
	MaxPlanBytes = 1 << 20
	MaxPlanSteps = 50
	// maxPlanDepth bounds the nesting of arguments, and the number of names and
	// indices in a reference.
	maxPlanDepth = 32
)

// Plan is a list of calls; the arguments of a step may refer to the results of
// earlier steps:
//
//	{"steps":[
//		{"id":"s1","tool":"google_search","args":{"query":"fog at sea"}},
//		{"id":"s2","tool":"web_fetch","args":{"url":"${s1.results[0].link}"}}]}
//
// A string that consists of one reference is replaced by the value, which keeps
// its type; in a longer string, the value is written as text. The names in a
// reference are fields of the step's result ([Declaration.Form]). "$${" stands
// for "${".
type Plan struct {
	Steps []Step `json:"steps"`
}

// Step is one call of a plan.
type Step struct {
	// ID is the name by which later steps refer to this one: a letter, then
	// letters, digits, "_" and "-".
	ID string `json:"id"`
	// Tool is the name of a tool of the catalog.
	Tool string `json:"tool"`
	// Args is a JSON object whose strings may hold references; nil for none.
	Args json.RawMessage `json:"args,omitempty"`
}

// Problem is an error in a plan.
type Problem struct {
	// Step is the step's id.
	Step    string `json:"step"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Text is the problem on one line, for people.
func (p Problem) Text() string {
	text := "step " + p.Step + ": " + p.Message
	if p.Hint != "" {
		text += "; " + p.Hint
	}
	return text
}

// ParsePlan reads a plan. It fails with an *Error when data is not JSON, has an
// unknown member, a step without id or tool, an id that is used twice, or too
// many steps. [Catalog.CheckPlan] checks whether the steps can run.
func ParsePlan(data []byte) (*Plan, error) {
	if len(data) > MaxPlanBytes {
		return nil, notAPlan("it is longer than %d bytes", MaxPlanBytes)
	}
	data = bytes.TrimSpace(data)
	if !json.Valid(data) {
		return nil, notAPlan("it is not JSON: %s", shorten(string(data)))
	}
	top, err := membersOf(data, "the plan", "steps")
	if err != nil {
		return nil, err
	}
	var steps []json.RawMessage
	if json.Unmarshal(top["steps"], &steps) != nil || len(steps) == 0 {
		return nil, notAPlan("it has no steps")
	}
	if len(steps) > MaxPlanSteps {
		return nil, notAPlan("it has %d steps; the limit is %d", len(steps), MaxPlanSteps)
	}
	p := &Plan{}
	for i, raw := range steps {
		s, err := parseStep(i, raw)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(p.Steps, func(o Step) bool { return o.ID == s.ID }) {
			return nil, notAPlan("two steps have the id %q", shorten(s.ID))
		}
		p.Steps = append(p.Steps, s)
	}
	return p, nil
}

func parseStep(i int, raw json.RawMessage) (Step, error) {
	at := fmt.Sprintf("step %d", i+1)
	m, err := membersOf(raw, at, "id", "tool", "args")
	if err != nil {
		return Step{}, err
	}
	s := Step{Args: m["args"]}
	if json.Unmarshal(m["id"], &s.ID) != nil || !isID(s.ID) {
		return s, notAPlan("%s has no valid id; an id is a letter, then letters, digits, _ or -", at)
	}
	if json.Unmarshal(m["tool"], &s.Tool) != nil || s.Tool == "" {
		return s, notAPlan("%s has no tool", at)
	}
	if len(s.Args) > 0 && s.Args[0] != '{' && string(s.Args) != "null" {
		return s, notAPlan("the args of %s are not an object", at)
	}
	return s, nil
}

// membersOf reads an object and fails when it has a member that is not in names.
func membersOf(raw json.RawMessage, at string, names ...string) (map[string]json.RawMessage, error) {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return nil, notAPlan("%s is not an object: %s", at, shorten(string(raw)))
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if slices.Contains(names, name) {
			continue
		}
		e := notAPlan("%s has a member %q, which is unknown", at, shorten(name))
		e.Hint = "the members are " + strings.Join(names, ", ")
		if near := Nearest(name, names); near != "" {
			e.Hint = fmt.Sprintf("did you mean %q?", near)
		}
		return nil, e
	}
	return m, nil
}

func notAPlan(format string, args ...any) *Error {
	return NewError(InvalidInput, "this is not a valid plan: "+fmt.Sprintf(format, args...),
		`write {"steps":[{"id":"s1","tool":"web_search","args":{"query":"…"}}]}`)
}

// isID reports whether s can name a step.
func isID(s string) bool {
	return s != "" && len(s) <= maxNameLength && nameLength(s) == len(s) && s[0] != '_' && s[0] != '-' && (s[0] < '0' || s[0] > '9')
}

// CheckPlan returns the errors in a plan, step by step: unknown tools,
// arguments that are unknown, missing or of a wrong type, references to steps
// that are unknown or come later, and references to fields that the schema of a
// result does not have. The hint of a problem has the nearest right name.
func (c *Catalog) CheckPlan(p *Plan) []Problem {
	k := planCheck{plan: p, forms: make([]Schema, len(p.Steps))}
	for i, s := range p.Steps {
		k.step(c, i, s)
	}
	return k.problems
}

// planCheck is the state of one check.
type planCheck struct {
	plan     *Plan
	forms    []Schema // results of the steps so far; zero: unknown
	at       int
	problems []Problem
}

func (k *planCheck) wrong(message, hint string) {
	k.problems = append(k.problems, Problem{shorten(k.plan.Steps[k.at].ID), message, hint})
}

func (k *planCheck) step(c *Catalog, i int, s Step) {
	k.at = i
	d, e := c.Find(s.Tool)
	if e != nil {
		k.wrong(e.Message, e.Hint)
	}
	k.forms[i] = d.Form()
	given, err := members(s.Args)
	if err != nil {
		k.wrong(shorten(err.Error()), "give the arguments as one JSON object")
		return
	}
	for _, m := range given {
		k.references(m.name, m.value)
	}
	if e != nil {
		return
	}
	_, _, problems := d.Input.readAll(given, func(p Property, v any) bool {
		if r := wholeReference(v); r != nil {
			from, ok := k.form(r)
			to := p
			if from.Type == TypeArray && p.Plural != "" {
				to, _ = d.Input.Property(p.Plural)
			}
			if ok && !from.fits(to.Schema) {
				k.wrong(fmt.Sprintf("argument %q: %s is %s", p.Name, r, from.article()), fmt.Sprintf("%s takes %s", p.Name, p.want()))
			}
			return true
		}
		return hasTemplate(v)
	})
	for _, e := range problems {
		k.wrong(e.Message, e.Hint)
	}
}

// references checks every reference in a value.
func (k *planCheck) references(argument string, v any) {
	deep := eachString(v, maxPlanDepth, func(s string) {
		parts, problem := parseTemplate(s)
		if problem != "" {
			k.wrong(fmt.Sprintf("argument %q: %s", shorten(argument), problem), `write a reference like ${s1.results[0].url}, and "$${" for a literal "${"`)
			return
		}
		for _, p := range parts {
			if p.ref == nil {
				continue
			}
			from, message, hint := k.resolve(p.ref)
			if message == "" && len(parts) > 1 && (from.Type == TypeObject || from.Type == TypeArray) {
				message, hint = fmt.Sprintf("%s is %s, which cannot be part of a longer string", p.ref, from.article()), "name a field of it"
			}
			if message != "" {
				k.wrong(fmt.Sprintf("argument %q: %s", shorten(argument), message), hint)
			}
		}
	})
	if deep {
		k.wrong(fmt.Sprintf("argument %q is nested deeper than %d", shorten(argument), maxPlanDepth), "")
	}
}

// form is resolve without the message.
func (k *planCheck) form(r *reference) (Schema, bool) {
	s, message, _ := k.resolve(r)
	return s, message == ""
}

// resolve returns the schema of the value that a reference names. When there is
// no such value, message says why.
func (k *planCheck) resolve(r *reference) (s Schema, message, hint string) {
	j := slices.IndexFunc(k.plan.Steps, func(s Step) bool { return s.ID == r.step })
	var before []string
	for _, s := range k.plan.Steps[:k.at] {
		before = append(before, shorten(s.ID))
	}
	switch {
	case j == k.at:
		return s, fmt.Sprintf("%s refers to its own step", r), stepsBefore(before)
	case j > k.at:
		return s, fmt.Sprintf("%s refers to step %s, which comes later", r, shorten(r.step)), stepsBefore(before)
	case j < 0:
		hint = stepsBefore(before)
		if near := Nearest(r.step, before); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return s, fmt.Sprintf("%s refers to step %q, which is unknown", r, shorten(r.step)), hint
	}
	s = k.forms[j]
	at := shorten(r.step)
	for _, sel := range r.path {
		next, message, hint := s.selected(at, sel)
		if message != "" {
			return s, fmt.Sprintf("%s: %s", r, message), hint
		}
		s, at = next, at+sel.String()
	}
	return s, "", ""
}

func stepsBefore(ids []string) string {
	if len(ids) == 0 {
		return "the first step has no steps before it"
	}
	return "the steps before it are " + strings.Join(ids, ", ")
}

// selected returns the schema of a field or an element. When none exists,
// message says why.
func (s *Schema) selected(at string, sel selector) (next Schema, message, hint string) {
	switch {
	case s.Type == "":
		return Schema{}, "", ""
	case sel.name == "" && s.Type == TypeArray:
		if s.Items == nil {
			return Schema{}, "", ""
		}
		return *s.Items, "", ""
	case sel.name == "":
		return next, fmt.Sprintf("%s is %s and has no elements", at, s.article()), ""
	case s.Type == TypeArray:
		return next, fmt.Sprintf("%s is a list and has no field %q", at, shorten(sel.name)), "name an element, for example " + at + "[0]"
	case s.Type != TypeObject:
		return next, fmt.Sprintf("%s is %s and has no fields", at, s.article()), "leave out " + sel.String()
	}
	if p, ok := s.Property(sel.name); ok {
		return p.Schema, "", ""
	}
	if s.Open {
		return Schema{}, "", ""
	}
	var names []string
	for _, p := range s.Properties {
		names = append(names, p.Name)
	}
	hint = "its fields are " + strings.Join(names, ", ")
	if near := Nearest(sel.name, names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return next, fmt.Sprintf("%s has no field %q", at, shorten(sel.name)), hint
}

// fits reports whether a value of schema s can be an argument of schema to,
// with the leniency of Read.
func (s *Schema) fits(to Schema) bool {
	switch {
	case s.Type == TypeArray && to.Type == TypeArray && s.Items != nil && to.Items != nil:
		return s.Items.fits(*to.Items)
	case s.Type == "" || to.Type == "" || s.Type == to.Type:
		return true
	case to.Type == TypeArray:
		return to.Items == nil || s.fits(*to.Items)
	}
	number := s.Type == TypeInteger || s.Type == TypeNumber
	// "5" and "true" are read, a number as a string too
	return s.Type == TypeString && to.Type != TypeObject || number && to.Type != TypeObject && to.Type != TypeBoolean
}

// article is the type with its article, for a sentence.
func (s *Schema) article() string {
	switch s.Type {
	case TypeObject:
		return "an object"
	case TypeArray:
		return "a list"
	case TypeInteger, TypeNumber:
		return "a number"
	case TypeBoolean:
		return "true or false"
	}
	return "a string"
}
