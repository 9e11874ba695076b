// Package schema provides JSON Schemas that the answer of a language model has to fit, or that
// selectors fill from a page.
//
//	form, err := schema.New(raw)
//	if err != nil {
//		return err // an InvalidInput error
//	}
//	value, problem := form.Fit(reply.Text) // what to tell the model where it does not fit
//
// A schema may be hostile, and so may be what is checked by it: the size of both and the work
// of a check are bounded, and nothing is fetched.
package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// The answer to a prompt with a schema is validated against it (JSON Schema,
// draft 2020-12 or 7). Who writes the schema may be hostile, and so may the
// model that answers: references stay within the schema and are never fetched,
// and everything that validation costs is bounded before it begins. The schema
// that the model sees is the text as it was given.

const (
	maxSchema      = 32 << 10 // bytes
	maxSchemaDepth = 64       // levels of JSON
	// maxPattern bounds a regular expression, in instructions of its program;
	// RE2 takes time in proportion to it and to the text.
	maxPattern = 1_000
	// maxValidation bounds what one validation may look at, in bytes: the text
	// of each value counts once for each schema that is applied to it.
	maxValidation = 8 << 20
	maxReference  = 120 // characters of a reference in an error
	// maxApplied bounds how many schemas stand inside each other when they are
	// applied, references included.
	maxApplied = 200
)

// Form is a JSON Schema that the answer of a model has to fit. It is safe for concurrent use.
type Form struct {
	text     json.RawMessage
	root     *jsonschema.Schema
	resolved *jsonschema.Resolved
	// places are all subschemas, by the fragments that references name.
	places map[string]*jsonschema.Schema
	// patterns are the sizes of the regular expressions.
	patterns map[string]int
}

// New checks a schema. It must have fewer than 32 KiB; references stay within it and
// are never fetched. The error is an InvalidInput error.
func New(raw json.RawMessage) (*Form, error) {
	s, err := read(raw)
	if err != nil {
		return nil, unusable(err, `give a JSON Schema, for example {"type":"object","properties":{…}}`)
	}
	return s, nil
}

// read is New with an error that ends the sentence "the schema cannot be used: ".
func read(raw json.RawMessage) (*Form, error) {
	if len(raw) > maxSchema {
		return nil, fmt.Errorf("it has more than %d bytes", maxSchema)
	}
	if !json.Valid(raw) || !strings.ContainsAny(strings.TrimSpace(string(raw))[:1], "{tf") {
		return nil, errors.New("it is not a JSON object")
	}
	if depthOf(raw) > maxSchemaDepth {
		return nil, fmt.Errorf("it is nested deeper than %d levels", maxSchemaDepth)
	}
	s := &Form{text: raw, root: new(jsonschema.Schema), places: map[string]*jsonschema.Schema{}, patterns: map[string]int{}}
	if err := json.Unmarshal(raw, s.root); err != nil {
		return nil, fmt.Errorf("it is not a JSON Schema (%s)", text.Cause(err))
	}
	s.root.ID = "" // references stay within: its own address does not matter
	if !strings.Contains(s.root.Schema, "draft-07") {
		s.root.Schema = "" // an unknown draft is read as the newest
	}
	if err := s.collect("", s.root); err != nil {
		return nil, err
	}
	for _, place := range slices.Sorted(maps.Keys(s.places)) {
		if err := s.checkReference(s.places[place].Ref); err != nil {
			return nil, err
		}
	}
	var err error
	if s.resolved, err = s.root.Resolve(nil); err != nil { // without a loader nothing is fetched
		return nil, errors.New(text.Cause(err))
	}
	return s, nil
}

// depthOf is how deep valid JSON is nested.
func depthOf(text []byte) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// collect checks what stands at a place by itself, and finds what stands below.
func (s *Form) collect(place string, n *jsonschema.Schema) error {
	if n == nil {
		return fmt.Errorf("%q is null", place)
	}
	s.places[place] = n
	for _, t := range append(slices.Clone(n.Types), n.Type) {
		if !slices.Contains([]string{"", "object", "array", "string", "number", "integer", "boolean", "null"}, t) {
			return fmt.Errorf("type %s is unknown", text.Quoted(t))
		}
	}
	if n.DynamicRef != "" || n.DynamicAnchor != "" {
		return errors.New("it uses dynamic references; $ref and $defs are followed")
	}
	if n.ID != "" {
		return errors.New("it uses $id below its root; $defs and $anchor name a part of it")
	}
	if n.Anchor != "" {
		if s.places[n.Anchor] != nil {
			return fmt.Errorf("$anchor %s is there twice", text.Quoted(n.Anchor))
		}
		s.places[n.Anchor] = n
	}
	for _, pattern := range append(slices.Collect(maps.Keys(n.PatternProperties)), n.Pattern) {
		size, err := patternSize(pattern)
		if s.patterns[pattern] = size; err != nil || size > maxPattern {
			return fmt.Errorf("the pattern %s cannot be read (it has to be RE2 syntax), or is too large", text.Quoted(pattern))
		}
	}
	for _, p := range partsOf(n) {
		key := strings.NewReplacer("~", "~0", "/", "~1").Replace(p.key)
		if err := s.collect(place+"/"+p.keyword+strings.TrimSuffix("/"+key, "/"), p.schema); err != nil {
			return err
		}
	}
	return nil
}

// patternSize is how many instructions a regular expression compiles to.
func patternSize(pattern string) (int, error) {
	if len(pattern) > maxPattern {
		return len(pattern), nil
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0, err
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0, err
	}
	return len(prog.Inst), nil
}

func (s *Form) checkReference(ref string) error {
	if ref != "" && s.target(ref) == nil {
		why := "which is not in it"
		if !strings.HasPrefix(ref, "#") {
			why = "which is not fetched: put that schema into $defs"
		}
		return fmt.Errorf("$ref names %q, %s", text.Cut(text.Line(ref), maxReference), why)
	}
	return nil
}

// target is the subschema that a reference names; nil: none.
func (s *Form) target(ref string) *jsonschema.Schema {
	escaped, local := strings.CutPrefix(ref, "#")
	fragment, err := url.PathUnescape(escaped)
	if err != nil || !local {
		return nil
	}
	return s.places[fragment]
}

// subschema is a part of a schema and what it is applied to.
type subschema struct {
	keyword, key string
	schema       *jsonschema.Schema
	to           applied
}

// applied is what of a value a subschema is applied to.
type applied int

const (
	toNothing    applied = iota // it is there to be referred to
	toItself                    // the value itself
	toElements                  // elements of a list
	toMember                    // the member with the key of the subschema
	toMembers                   // members of an object
	toTheirNames                // names of members
)

// partsOf lists the subschemas of a schema in a fixed order.
func partsOf(n *jsonschema.Schema) (out []subschema) {
	for _, p := range []subschema{
		{"items", "", n.Items, toElements}, {"additionalItems", "", n.AdditionalItems, toElements}, {"contains", "", n.Contains, toElements},
		{"unevaluatedItems", "", n.UnevaluatedItems, toElements}, {"additionalProperties", "", n.AdditionalProperties, toMembers},
		{"unevaluatedProperties", "", n.UnevaluatedProperties, toMembers}, {"propertyNames", "", n.PropertyNames, toTheirNames},
		{"not", "", n.Not, toItself}, {"if", "", n.If, toItself}, {"then", "", n.Then, toItself}, {"else", "", n.Else, toItself},
		{"contentSchema", "", n.ContentSchema, toNothing},
	} {
		if p.schema != nil {
			out = append(out, p)
		}
	}
	for _, l := range []struct {
		keyword string
		schemas []*jsonschema.Schema
		to      applied
	}{{"prefixItems", n.PrefixItems, toElements}, {"items", n.ItemsArray, toElements}, {"allOf", n.AllOf, toItself}, {"anyOf", n.AnyOf, toItself}, {"oneOf", n.OneOf, toItself}} {
		for i, x := range l.schemas {
			out = append(out, subschema{l.keyword, fmt.Sprint(i), x, l.to})
		}
	}
	for _, m := range []struct {
		keyword string
		schemas map[string]*jsonschema.Schema
		to      applied
	}{{"$defs", n.Defs, toNothing}, {"definitions", n.Definitions, toNothing}, {"properties", n.Properties, toMember},
		{"patternProperties", n.PatternProperties, toMembers}, {"dependentSchemas", n.DependentSchemas, toItself}, {"dependencies", n.DependencySchemas, toItself}} {
		for _, key := range slices.Sorted(maps.Keys(m.schemas)) {
			out = append(out, subschema{m.keyword, key, m.schemas[key], m.to})
		}
	}
	return out
}

// unusable is the error of a schema, with the next step.
func unusable(err error, hint string) error {
	return tool.NewError(tool.InvalidInput, "the schema cannot be used: "+text.Cause(err), hint)
}

// Text is the schema as it was given.
func (s *Form) Text() json.RawMessage { return s.text }
