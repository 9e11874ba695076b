package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Fit returns the JSON value in the answer of a model, which may be in a block of code.
// problem says why the value does not fit; empty when it does. The same answer is given the
// same words: a caller that cannot be asked in the middle of a call knows its question by them.
func (s *Form) Fit(text string) (value json.RawMessage, problem string) {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "```"); ok { // as many models write it
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest[i:]), "```"))
		}
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return nil, "it is not JSON"
	}
	problem, _ = s.Problem(v)
	return json.RawMessage(text), problem
}

// maxProblem bounds what is said of a value, in characters: the path to a place has the
// names that the model chose.
const maxProblem = 400

// Problem returns how a value does not fit; "" when it does. missing: it lacks something that
// is required.
func (s *Form) Problem(v any) (problem string, missing bool) {
	left := maxValidation
	if !s.spend(&left, s.root, v, 0) {
		return "it takes too much work to validate: the schema refers to itself, or has too many alternatives for a value of this size", false
	}
	if s.resolved.Validate(v) == nil {
		return "", false
	}
	where, problem := s.misfit(s.root, v, "")
	missing = problem == isMissing
	if where == "" {
		return text.Cut("it "+problem, maxProblem), missing
	}
	return text.Cut(text.Quoted(where)+" "+problem, maxProblem), missing
}

// spend takes from left what it costs to apply a schema to a value, and reports
// whether enough was there. Validation applies no more than is counted here.
func (s *Form) spend(left *int, n *jsonschema.Schema, v any, applied int) bool {
	cost := 1 + weight(v)
	if text, ok := v.(string); ok && n.Pattern != "" {
		cost += len(text) * s.patterns[n.Pattern] / 16
	}
	for _, e := range n.Enum {
		cost += weight(e)
	}
	if *left -= cost; *left < 0 || applied > maxApplied {
		return false
	}
	object, _ := v.(map[string]any)
	for pattern := range n.PatternProperties {
		for name := range object {
			*left -= len(name) * s.patterns[pattern] / 16
		}
	}
	if n.Ref != "" && !s.spend(left, s.target(n.Ref), v, applied+1) {
		return false
	}
	for _, p := range partsOf(n) {
		for _, x := range p.values(v) {
			if !s.spend(left, p.schema, x, applied+1) {
				return false
			}
		}
	}
	return true
}

// values are what a subschema is applied to, at most.
func (p subschema) values(v any) (out []any) {
	object, _ := v.(map[string]any)
	switch p.to {
	case toItself:
		return []any{v}
	case toElements:
		out, _ = v.([]any)
	case toMember:
		if x, ok := object[p.key]; ok {
			out = []any{x}
		}
	case toMembers:
		out = slices.Collect(maps.Values(object))
	case toTheirNames:
		for name := range object {
			out = append(out, name)
		}
	}
	return out
}

// weight is about the length of a value's text.
func weight(v any) int {
	switch v := v.(type) {
	case string:
		return len(v) + 2
	case []any:
		n := 2
		for _, x := range v {
			n += weight(x)
		}
		return n
	case map[string]any:
		n := 2
		for name, x := range v {
			n += len(name) + weight(x)
		}
		return n
	}
	return 8
}

// isMissing is what misfit says of a required value that is not there.
const isMissing = "is missing"

// misfit finds the first place where a value does not fit, in the order of the schema, as a
// path: books[3].price. It follows what every value has to fit; where that is not the
// reason, the place is that of the whole.
func (s *Form) misfit(n *jsonschema.Schema, v any, at string) (where, problem string) {
	if isFalse(n) {
		return at, "should not be there"
	}
	if problem := ownProblem(n, v); problem != "" {
		return at, "does not fit: " + problem
	}
	if object, ok := v.(map[string]any); ok {
		for _, name := range n.Required {
			if _, ok := object[name]; !ok {
				return strings.TrimPrefix(at+"."+name, "."), isMissing
			}
		}
	}
	for _, p := range s.below(n, v, at) {
		if where, problem := s.misfit(p.schema, p.value, p.at); problem != anotherReason {
			return where, problem
		}
	}
	return at, anotherReason
}

// isFalse reports whether a schema is false, which no value fits.
func isFalse(n *jsonschema.Schema) bool {
	if n.Not == nil {
		return false
	}
	not, err := json.Marshal(n.Not)
	return err == nil && string(not) == "true"
}

// placed is a value that a schema is applied to, and its path.
type placed struct {
	schema *jsonschema.Schema
	value  any
	at     string
}

// below lists what every value that fits has to fit too: the value itself, its members, its
// elements.
func (s *Form) below(n *jsonschema.Schema, v any, at string) (out []placed) {
	add := func(n *jsonschema.Schema, v any, at string) {
		if n != nil {
			out = append(out, placed{n, v, strings.TrimPrefix(at, ".")})
		}
	}
	add(s.target(n.Ref), v, at)
	for _, x := range n.AllOf {
		add(x, v, at)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			member := n.Properties[name]
			if member == nil && len(n.PatternProperties) == 0 {
				member = n.AdditionalProperties
			}
			add(member, v[name], at+"."+name)
		}
	case []any:
		first := append(slices.Clip(n.PrefixItems), n.ItemsArray...)
		for i, x := range v {
			if i < len(first) {
				add(first[i], x, fmt.Sprintf("%s[%d]", at, i))
			} else {
				add(n.Items, x, fmt.Sprintf("%s[%d]", at, i))
			}
		}
	}
	return out
}

// anotherReason is what misfit says where it finds no place.
const anotherReason = "does not fit the schema"

// ownProblem is what a schema without its subschemas has against a value.
func ownProblem(n *jsonschema.Schema, v any) string {
	own := &jsonschema.Schema{Type: n.Type, Types: n.Types, Enum: n.Enum, Const: n.Const, MultipleOf: n.MultipleOf,
		Minimum: n.Minimum, Maximum: n.Maximum, ExclusiveMinimum: n.ExclusiveMinimum, ExclusiveMaximum: n.ExclusiveMaximum,
		MinLength: n.MinLength, MaxLength: n.MaxLength, Pattern: n.Pattern, MinItems: n.MinItems, MaxItems: n.MaxItems, UniqueItems: n.UniqueItems,
		MinProperties: n.MinProperties, MaxProperties: n.MaxProperties}
	r, err := own.Resolve(nil)
	if err == nil {
		err = r.Validate(v)
	}
	if err == nil {
		return ""
	}
	return strings.TrimPrefix(text.Cause(err), "validating root: ")
}
