package reader

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// The answer to a prompt with a schema is held to the part of JSON Schema
// (draft 2020-12) that says what an answer looks like: type, enum, const,
// properties, required, additionalProperties, items, and the bounds of numbers,
// lists and texts. Other keywords are passed over; the model sees them.

const (
	maxSchema      = 32 << 10 // bytes
	maxSchemaDepth = 32
)

type schema struct {
	Type       any             `json:"type"`
	Enum       []any           `json:"enum"`
	Const      json.RawMessage `json:"const"`
	Properties map[string]json.RawMessage
	Required   []string
	Additional json.RawMessage `json:"additionalProperties"`
	Items      json.RawMessage
	MinItems   *int `json:"minItems"`
	MaxItems   *int `json:"maxItems"`
	MinLength  *int `json:"minLength"`
	MaxLength  *int `json:"maxLength"`
	Minimum    *float64
	Maximum    *float64
}

// checkSchema says what is wrong with a schema; "" when nothing is.
func checkSchema(raw json.RawMessage) string {
	if len(raw) > maxSchema {
		return fmt.Sprintf("it has more than %d bytes", maxSchema)
	}
	return walkSchema(raw, 0)
}

func walkSchema(raw json.RawMessage, depth int) string {
	if depth > maxSchemaDepth {
		return fmt.Sprintf("it is nested deeper than %d", maxSchemaDepth)
	}
	s, problem := readSchema(raw)
	if problem != "" || s == nil {
		return problem
	}
	for _, t := range s.types() {
		if !slices.Contains([]string{"object", "array", "string", "number", "integer", "boolean", "null"}, t) {
			return fmt.Sprintf("type %q is unknown", t)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if problem := walkSchema(s.Properties[name], depth+1); problem != "" {
			return problem
		}
	}
	for _, raw := range []json.RawMessage{s.Items, s.Additional} {
		if len(raw) > 0 {
			if problem := walkSchema(raw, depth+1); problem != "" {
				return problem
			}
		}
	}
	return ""
}

// readSchema reads one level; nil for true and false.
func readSchema(raw json.RawMessage) (*schema, string) {
	var yes bool
	if json.Unmarshal(raw, &yes) == nil {
		return nil, ""
	}
	s := new(schema)
	if err := json.Unmarshal(raw, s); err != nil || len(raw) == 0 || strings.TrimSpace(string(raw))[0] != '{' {
		return nil, "it is no JSON Schema object"
	}
	return s, ""
}

// types lists what type names: a text or a list of them.
func (s *schema) types() []string {
	switch t := s.Type.(type) {
	case string:
		return []string{t}
	case []any:
		out := make([]string, len(t))
		for i := range t {
			out[i] = fmt.Sprint(t[i])
		}
		return out
	case nil:
		return nil
	}
	return []string{fmt.Sprint(s.Type)}
}

// fits says how a value does not fit a schema that checkSchema has passed; ""
// when it does.
func fits(raw json.RawMessage, v any) string { return fitsAt(raw, v, "it") }

func fitsAt(raw json.RawMessage, v any, at string) string {
	if string(raw) == "false" {
		return at + " should not be there"
	}
	s, problem := readSchema(raw)
	if s == nil || problem != "" {
		return problem
	}
	if types := s.types(); types != nil && !slices.ContainsFunc(types, func(t string) bool { return isType(v, t) }) {
		return at + " is no " + strings.Join(types, " or ")
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return reflect.DeepEqual(e, v) }) {
		return at + " is none of the values that are allowed"
	}
	if len(s.Const) > 0 {
		var want any
		if json.Unmarshal(s.Const, &want) == nil && !reflect.DeepEqual(want, v) {
			return at + " is not the value that is asked for"
		}
	}
	switch v := v.(type) {
	case map[string]any:
		return s.fitsObject(v, at)
	case []any:
		return s.fitsList(v, at)
	case string:
		n := utf8.RuneCountInString(v)
		if s.MinLength != nil && n < *s.MinLength || s.MaxLength != nil && n > *s.MaxLength {
			return at + " is too short or too long"
		}
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
			return at + " is too small or too large"
		}
	}
	return ""
}

func (s *schema) fitsObject(v map[string]any, at string) string {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			return fmt.Sprintf("%s has no %q", at, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		raw, ok := s.Properties[name]
		if !ok {
			if raw = s.Additional; len(raw) == 0 {
				continue
			}
		}
		if problem := fitsAt(raw, v[name], fmt.Sprintf("its %q", name)); problem != "" {
			return problem
		}
	}
	return ""
}

func (s *schema) fitsList(v []any, at string) string {
	if s.MinItems != nil && len(v) < *s.MinItems || s.MaxItems != nil && len(v) > *s.MaxItems {
		return at + " has too few or too many elements"
	}
	if len(s.Items) == 0 {
		return ""
	}
	for i := range v {
		if problem := fitsAt(s.Items, v[i], fmt.Sprintf("its element %d", i)); problem != "" {
			return problem
		}
	}
	return ""
}

func isType(v any, t string) bool {
	switch v := v.(type) {
	case map[string]any:
		return t == "object"
	case []any:
		return t == "array"
	case string:
		return t == "string"
	case bool:
		return t == "boolean"
	case float64:
		return t == "number" || t == "integer" && v == math.Trunc(v)
	}
	return t == "null"
}

// jsonTexts are the texts in a JSON value that are long enough to be quotations,
// in their order.
func jsonTexts(text string) []string {
	var out []string
	d := json.NewDecoder(strings.NewReader(text))
	var open []bool // for each level: is it an object
	key := false    // the next text is a name
	for len(out) < mostQuotes {
		t, err := d.Token()
		if err != nil {
			return out
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				open = append(open, t == '{')
			} else {
				open = open[:len(open)-1]
			}
			key = len(open) > 0 && open[len(open)-1]
			continue
		case string:
			if !key && len(strings.Fields(t)) >= leastQuote && len(t) <= mostQuote {
				out = append(out, t)
			}
		}
		key = len(open) > 0 && open[len(open)-1] && !key
	}
	return out
}
