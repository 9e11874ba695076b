package reader

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// fitting takes the JSON value out of an answer, or says what is wrong with it.
// The same answer is given the same words: a caller that cannot be asked in the
// middle of a call knows its question by them.
func (s *schema) fitting(text string) (value, problem string) {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "```"); ok { // as many models write it
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest[i:]), "```"))
		}
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return "", "it is not JSON"
	}
	return text, s.fits(v)
}

// maxProblem bounds what is said of a value, in characters: the path to a place has the
// names that the model chose.
const maxProblem = 400

// fits says how a value does not fit; "" when it does.
func (s *schema) fits(v any) string {
	left := maxValidation
	if !s.spend(&left, s.root, v, 0) {
		return "it takes too much work to validate: the schema refers to itself, or has too many alternatives for a value of this size"
	}
	if s.resolved.Validate(v) == nil {
		return ""
	}
	if problem := s.problem(s.root, v, "it"); problem != "" {
		return text.Cut(problem, maxProblem)
	}
	return "it does not fit " + strings.Join(s.alternatives(), ", ") + " of the schema"
}

// lacks names the first value that the schema requires and the value does not have, as a
// path: "books[3].price"; "" where nothing is missing. It looks at properties and items; n is
// part of a schema whose selectors were read, so that it refers to nothing.
func lacks(n *jsonschema.Schema, v any, at string) string {
	switch v := v.(type) {
	case map[string]any:
		if n == nil {
			return ""
		}
		for _, name := range n.Required {
			if _, ok := v[name]; !ok {
				return strings.TrimPrefix(at+"."+name, ".")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if missing := lacks(n.Properties[name], v[name], at+"."+name); missing != "" {
				return strings.TrimPrefix(missing, ".")
			}
		}
	case []any:
		if n == nil || n.Items == nil {
			return ""
		}
		for i, item := range v {
			if missing := lacks(n.Items, item, at+"["+strconv.Itoa(i)+"]"); missing != "" {
				return strings.TrimPrefix(missing, ".")
			}
		}
	}
	return ""
}

// spend takes from left what it costs to apply a schema to a value, and reports
// whether enough was there. Validation applies no more than is counted here.
func (s *schema) spend(left *int, n *jsonschema.Schema, v any, applied int) bool {
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

// problem finds the first place where a value does not fit, in the order of the
// schema; at names the value. It follows what every value has to fit; "" where
// that is not the reason.
func (s *schema) problem(n *jsonschema.Schema, v any, at string) string {
	if n.Not != nil && reflect.ValueOf(*n.Not).IsZero() { // false
		return at + " should not be there"
	}
	if problem := ownProblem(n, v); problem != "" {
		return at + ": " + problem
	}
	if object, ok := v.(map[string]any); ok {
		for _, name := range n.Required {
			if _, ok := object[name]; !ok {
				return at + " has no " + text.Quoted(name)
			}
		}
	}
	if n.Ref != "" {
		if problem := s.problem(s.target(n.Ref), v, at); problem != "" {
			return problem
		}
	}
	for _, x := range n.AllOf {
		if problem := s.problem(x, v, at); problem != "" {
			return problem
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			member := n.Properties[name]
			if member == nil && len(n.PatternProperties) == 0 {
				member = n.AdditionalProperties
			}
			if member == nil {
				continue
			}
			if problem := s.problem(member, v[name], below(at, text.Quoted(name))); problem != "" {
				return problem
			}
		}
	case []any:
		first := max(len(n.PrefixItems), len(n.ItemsArray))
		for i, x := range v {
			element := n.Items
			if i < first {
				element = append(slices.Clip(n.PrefixItems), n.ItemsArray...)[i]
			}
			if element == nil {
				continue
			}
			if problem := s.problem(element, x, below(at, fmt.Sprintf("element %d", i))); problem != "" {
				return problem
			}
		}
	}
	return ""
}

// below names a part of the value that at names.
func below(at, part string) string {
	if at == "it" {
		return "its " + part
	}
	return at + ", " + part
}

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

// alternatives are the keywords of the schema that problem does not follow.
func (s *schema) alternatives() (out []string) {
	for _, place := range slices.Sorted(maps.Keys(s.places)) {
		if s.places[place].DependentRequired != nil && !slices.Contains(out, "dependentRequired") {
			out = append(out, "dependentRequired")
		}
		for _, p := range partsOf(s.places[place]) {
			switch p.keyword {
			case "anyOf", "oneOf", "not", "if", "contains", "patternProperties", "propertyNames", "dependentSchemas", "dependencies", "unevaluatedItems", "unevaluatedProperties", "additionalItems":
				if !slices.Contains(out, p.keyword) {
					out = append(out, p.keyword)
				}
			}
		}
	}
	return out
}
