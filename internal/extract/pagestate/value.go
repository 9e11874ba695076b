package pagestate

import (
	"iter"

	"golang.org/x/net/html"
)

// LinkedData returns the values of a page's JSON-LD, one for each script, in page
// order.
func LinkedData(doc *html.Node) []Value { return readSources(doc, true).ld }

// String returns a string, the digits of a number, or "true"; ok is false for another
// value.
func (v *Value) String() (s string, ok bool) {
	return v.str, v.kind == jsString || v.kind == jsNumber || v.kind == jsOther && v.str != ""
}

// Elements returns the elements of a list, nil for another value.
func (v *Value) Elements() []Value {
	if v.kind != jsList {
		return nil
	}
	return v.list
}

// IsObject reports whether a value is an object.
func (v *Value) IsObject() bool { return v.kind == jsObject }

// Members returns the members of an object in their order.
func (v *Value) Members() iter.Seq2[string, *Value] {
	return func(yield func(string, *Value) bool) {
		for i, key := range v.keys {
			if !yield(key, &v.list[i]) {
				return
			}
		}
	}
}
