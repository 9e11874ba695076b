package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Type is a type of JSON Schema.
type Type string

// The types. The zero value is any type.
const (
	TypeObject  Type = "object"
	TypeString  Type = "string"
	TypeInteger Type = "integer"
	TypeNumber  Type = "number"
	TypeBoolean Type = "boolean"
	TypeArray   Type = "array"
)

// Schema is a JSON Schema in the small subset that every client supports. It is
// plain data; the zero value accepts any value.
type Schema struct {
	Type        Type
	Description string
	// Enum lists the allowed strings; nil allows all.
	Enum []string
	// Default is the value of a missing property; nil for none. It has a Go type
	// that Read returns: string, int, float64, bool, []any, map[string]any.
	Default any
	// Minimum and Maximum bound a number, both included; nil for no bound.
	Minimum, Maximum *float64
	// Items describes the elements of an array; nil for any.
	Items *Schema
	// Properties are the members of an object, in the order in which they are
	// printed.
	Properties []Property
	// Open allows properties of an object that are not declared.
	Open bool
}

// Property is a named member of an object.
type Property struct {
	Name string
	Schema
	// Required reports whether a caller must give a value.
	Required bool
	// Aliases are other accepted names.
	Aliases []string
	// Synonyms are other accepted spellings of values, for example "readability"
	// for "markdown".
	Synonyms map[string]string
	// Plural names the array property that a list of several values goes to.
	Plural string
	// Clamped replaces a number that is out of bounds by the bound and adds a
	// notice, instead of refusing it.
	Clamped bool
	// Booleans makes a string property accept true and false, as the strings
	// "true" and "false".
	Booleans bool
	// Unlisted properties are accepted but not printed in any list of arguments.
	Unlisted bool
	// Rare properties are accepted and documented, but [Schema.Common] leaves them out
	// of what a model is shown, which pays for each of them in every conversation.
	Rare bool
	// Length reports whether the property says how long the answer may be. It then
	// replaces Options.AnswerChars in calls that set it.
	Length bool
	// Stored reports whether the property uses something that is stored for the caller,
	// for example a login or a job. Over HTTP it is taken from a body only.
	Stored bool
}

// Object returns the schema of an object with these properties.
func Object(properties ...Property) Schema {
	return Schema{Type: TypeObject, Properties: properties}
}

// Text returns the schema of an output that is one string.
func Text() Schema { return Schema{Type: TypeString} }

// String returns an optional string property.
func String(name, description string) Property { return property(TypeString, name, description) }

// Integer returns an optional integer property.
func Integer(name, description string) Property { return property(TypeInteger, name, description) }

// Number returns an optional number property.
func Number(name, description string) Property { return property(TypeNumber, name, description) }

// Boolean returns an optional boolean property.
func Boolean(name, description string) Property { return property(TypeBoolean, name, description) }

// Array returns an optional array property.
func Array(name, description string, items Schema) Property {
	p := property(TypeArray, name, description)
	p.Items = &items
	return p
}

// Map returns an optional property that is an object with free names.
func Map(name, description string) Property {
	p := property(TypeObject, name, description)
	p.Open = true
	return p
}

// Member returns an optional property with the schema s.
func Member(name, description string, s Schema) Property {
	s.Description = description
	return Property{Name: name, Schema: s}
}

func property(t Type, name, description string) Property {
	return Property{Name: name, Schema: Schema{Type: t, Description: description}}
}

// Require returns a copy of the property that is required.
func (p Property) Require() Property { p.Required = true; return p }

// WithDefault returns the property with a default.
func (p Property) WithDefault(v any) Property { p.Default = v; return p }

// OneOf returns the property with its allowed values.
func (p Property) OneOf(values ...string) Property { p.Enum = values; return p }

// AtLeast returns the property with a lower bound.
func (p Property) AtLeast(n float64) Property { p.Minimum = &n; return p }

// Between returns the property with both bounds.
func (p Property) Between(low, high float64) Property {
	p.Minimum, p.Maximum = &low, &high
	return p
}

// Clamp returns the property with bounds; a value outside them is replaced by
// the bound instead of refused.
func (p Property) Clamp(low, high float64) Property {
	p = p.Between(low, high)
	p.Clamped = true
	return p
}

// Alias returns the property with other names.
func (p Property) Alias(names ...string) Property { p.Aliases = names; return p }

// OrBoolean returns the string property, which then also accepts true and
// false.
func (p Property) OrBoolean() Property { p.Booleans = true; return p }

// Unlist returns the property, which is then accepted but not listed.
func (p Property) Unlist() Property { p.Unlisted = true; return p }

// Rarely returns the property, which a model is then not shown.
func (p Property) Rarely() Property { p.Rare = true; return p }

// SetsLength returns the property, which then says how long the answer may be.
func (p Property) SetsLength() Property { p.Length = true; return p }

// ListTo returns the property with the name of the array property that a list
// of several values goes to.
func (p Property) ListTo(plural string) Property { p.Plural = plural; return p }

// Property returns the declared property of that exact name.
func (s *Schema) Property(name string) (Property, bool) {
	for _, p := range s.Properties {
		if p.Name == name {
			return p, true
		}
	}
	return Property{}, false
}

// listed are the properties that callers are shown.
func (s *Schema) listed() []Property {
	if !slices.ContainsFunc(s.Properties, func(p Property) bool { return p.Unlisted }) {
		return s.Properties
	}
	return slices.DeleteFunc(slices.Clone(s.Properties), func(p Property) bool { return p.Unlisted })
}

// Common returns the schema as a model is shown it: without rare properties. If it has
// some, the result is Open, so that a client that checks arguments lets them pass.
func (s Schema) Common() Schema {
	rare := func(p Property) bool { return p.Rare }
	if slices.ContainsFunc(s.Properties, rare) {
		s.Properties = slices.DeleteFunc(slices.Clone(s.Properties), rare)
		s.Open = true
	}
	return s
}

// IsZero reports whether the schema says nothing.
func (s *Schema) IsZero() bool {
	return s.Type == "" && s.Description == "" && s.Enum == nil && s.Default == nil && s.Minimum == nil &&
		s.Maximum == nil && s.Items == nil && s.Properties == nil && !s.Open
}

// check returns the first error in the schema, or nil.
func (s *Schema) check(at string) error {
	if d := s.Default; d != nil {
		if v, err := s.read(d); err != "" || v != d && s.Type != TypeArray && s.Type != TypeObject {
			return fmt.Errorf("%s: default %v is not %s", at, d, s.want())
		}
	}
	if s.Items != nil {
		if err := s.Items.check(at + "[]"); err != nil {
			return err
		}
	}
	names := make(map[string]bool, len(s.Properties))
	for i := range s.Properties {
		p := &s.Properties[i]
		for _, n := range append([]string{p.Name}, p.Aliases...) {
			if n == "" || names[n] {
				return fmt.Errorf("%s: property name %q is empty or used twice", at, n)
			}
			names[n] = true
		}
		if q, _ := s.Property(p.Plural); p.Plural != "" && q.Type != TypeArray {
			return fmt.Errorf("%s.%s: a list goes to %q, which is not an array property", at, p.Name, p.Plural)
		}
		if err := p.check(at + "." + p.Name); err != nil {
			return err
		}
	}
	return nil
}

// MarshalJSON writes the schema with its members and properties in a fixed
// order. Objects that are not Open refuse further properties.
func (s Schema) MarshalJSON() ([]byte, error) {
	out := struct {
		Type        Type       `json:"type,omitempty"`
		Description string     `json:"description,omitempty"`
		Enum        []string   `json:"enum,omitempty"`
		Default     any        `json:"default,omitempty"`
		Minimum     *float64   `json:"minimum,omitempty"`
		Maximum     *float64   `json:"maximum,omitempty"`
		Items       *Schema    `json:"items,omitempty"`
		Properties  properties `json:"properties,omitzero"`
		Required    []string   `json:"required,omitempty"`
		Additional  *bool      `json:"additionalProperties,omitempty"`
	}{Type: s.Type, Description: s.Description, Enum: s.Enum, Default: s.Default, Minimum: s.Minimum, Maximum: s.Maximum, Items: s.Items}
	switch {
	case s.Type != TypeObject:
	case s.Open && s.Properties == nil: // strict clients refuse an object of which nothing is said
		out.Additional = &s.Open
	default:
		out.Properties = append(properties{}, s.listed()...)
		for _, p := range out.Properties {
			if p.Required {
				out.Required = append(out.Required, p.Name)
			}
		}
		if !s.Open {
			out.Additional = &s.Open
		}
	}
	return encode(out)
}

// properties are the members of an object, which JSON keeps in their order.
type properties []Property

func (p properties) MarshalJSON() ([]byte, error) {
	members := make([]string, len(p))
	for i, q := range p {
		name, _ := encode(q.Name) // a string always can be
		schema, err := encode(q.Schema)
		if err != nil {
			return nil, err
		}
		members[i] = string(name) + ":" + string(schema)
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// encode is json.Marshal without the escapes for <, > and &, which cost a model
// tokens and are only needed in HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// python is the name of the type in Python.
func (s *Schema) python() string {
	switch s.Type {
	case TypeString:
		return "str"
	case TypeInteger:
		return "int"
	case TypeNumber:
		return "float"
	case TypeBoolean:
		return "bool"
	case TypeArray:
		if s.Items != nil && s.Items.Type != "" {
			return "list[" + s.Items.python() + "]"
		}
		return "list"
	case TypeObject:
		return "dict"
	}
	return "Any"
}

// pythonLiteral writes a default as a Python literal; strings have double
// quotes.
func pythonLiteral(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = pythonLiteral(v[i])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	data, err := encode(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
