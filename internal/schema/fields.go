package schema

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Fields are the fields of a schema whose values have selectors, which are read from a page
// without a model; nil where none has one. The error is an InvalidInput error.
func (s *Form) Fields() (*extract.Field, error) {
	c := fieldCompiler{left: maxFields}
	f := c.field(s.root, "", true)
	switch {
	case c.err != nil:
	case c.selectors == 0:
		return nil, nil
	case len(c.without) > 0:
		c.err = fmt.Errorf("x-selector is missing at %s: either each value has one, or none", text.Quoted(strings.Join(c.without[:min(len(c.without), 5)], ", ")))
	}
	if c.err != nil {
		return nil, unusable(c.err, "give each value an x-selector, or none")
	}
	return f, nil
}

// maxFields bounds the fields of a schema with selectors: each one is looked for in
// the whole page, or in each element of a list.
const maxFields = 100

type fieldCompiler struct {
	left, selectors int
	without         []string // places without a selector
	err             error
}

// field compiles a subschema. needed: a value has to have a selector of its own.
func (c *fieldCompiler) field(n *jsonschema.Schema, place string, needed bool) *extract.Field {
	if c.left--; c.left < 0 && c.err == nil {
		c.err = fmt.Errorf("it has more than %d values with x-selector", maxFields)
	}
	f := new(extract.Field)
	raw, has := n.Extra["x-selector"]
	if has {
		c.selectors++
		s, ok := raw.(string)
		var err error
		if f.Selector, f.Attr, err = extract.CompileField(s); (err != nil || !ok) && c.err == nil {
			c.err = fmt.Errorf("x-selector %s at %s cannot be read; it is a CSS selector, @attribute, or both", text.Quoted(fmt.Sprint(raw)), text.Quoted(place+"/"))
		}
	}
	switch {
	case c.err != nil:
	case n.Ref != "" || len(n.AllOf)+len(n.AnyOf)+len(n.OneOf) > 0:
		c.without = append(c.without, place+"/"+" ($ref and alternatives are not followed)")
	case len(n.Properties) > 0:
		f.Kind = extract.ObjectField
		for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
			m := c.field(n.Properties[name], place+"/"+name, true)
			m.Name = name
			f.Members = append(f.Members, m)
		}
	case n.Items != nil:
		c.list(f, n.Items, place, has)
	default:
		if !has && needed {
			c.without = append(c.without, place)
		}
		f.Kind = kindOf(append(slices.Clone(n.Types), n.Type))
	}
	return f
}

// list compiles the elements of a list; has: it has a selector of its own.
func (c *fieldCompiler) list(f *extract.Field, items *jsonschema.Schema, place string, has bool) {
	f.Kind, f.Element = extract.ListField, c.field(items, place+"/items", !has)
	if !has && f.Element.Selector == nil {
		c.without = append(c.without, place)
	}
	if f.Attr != "" && f.Element.Attr == "" { // the list's attribute is that of its elements
		f.Element.Attr = f.Attr
	}
}

func kindOf(types []string) extract.FieldKind {
	switch {
	case slices.Contains(types, "number"):
		return extract.NumberField
	case slices.Contains(types, "integer"):
		return extract.IntegerField
	case slices.Contains(types, "boolean"):
		return extract.BoolField
	}
	return extract.TextField
}
