package pagedata

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/pagestate"
	"golang.org/x/net/html"
)

// readLinked reads JSON-LD. A graph is the list of its items.
func (d *Data) readLinked(doc *html.Node) {
	values := pagestate.LinkedData(doc)
	for i := range values {
		d.linked(&values[i], 0)
	}
}

// linked reads a value at the top of a script.
func (d *Data) linked(v *pagestate.Value, depth int) {
	if depth > maxDepth {
		d.Cut = true
		return
	}
	list := v.Elements()
	for i := range list {
		d.linked(&list[i], depth+1)
	}
	if !v.IsObject() {
		return
	}
	graph := false
	for key, m := range v.Members() {
		if key == "@graph" {
			graph = true
			d.linked(m, depth+1)
		}
	}
	if graph {
		return // a graph with a name of its own is not an item of the page
	}
	if it := d.linkedItem(v, depth); it != nil && len(it.Members) > 0 {
		d.Items = append(d.Items, it)
	}
}

// linkedItem reads an object; nil if the bound is reached.
func (d *Data) linkedItem(v *pagestate.Value, depth int) *Item {
	if depth > maxDepth {
		d.Cut = true
		return nil
	}
	it := d.newItem(LinkedData, nil)
	if it == nil {
		return nil
	}
	for key, m := range v.Members() {
		switch key {
		case "@context":
		case "@id":
			if s, ok := m.String(); ok {
				d.named(it, s)
			}
		case "@type":
			it.Types = d.typesOf(m)
		default:
			d.member(it, key, m, depth+1)
		}
	}
	return it
}

func (d *Data) typesOf(v *pagestate.Value) (types []string) {
	one := func(v *pagestate.Value) {
		if s, ok := v.String(); ok && len(types) < 8 {
			if s = d.clean(plainName(s)); s != "" {
				types = append(types, s)
			}
		}
	}
	one(v)
	list := v.Elements()
	for i := range list {
		one(&list[i])
	}
	return types
}

// member reads a value of an item. A list is several values; {"@value": "x"} is x.
func (d *Data) member(it *Item, key string, v *pagestate.Value, depth int) {
	if depth > maxDepth {
		d.Cut = true
		return
	}
	if s, ok := v.String(); ok {
		d.add(it, key, Value{Text: d.clean(unescape(s))})
		return
	}
	list := v.Elements()
	for i := range list {
		d.member(it, key, &list[i], depth+1)
	}
	if !v.IsObject() {
		return
	}
	for inner, m := range v.Members() {
		if inner == "@value" || inner == "@list" || inner == "@set" {
			d.member(it, key, m, depth+1)
			return
		}
	}
	if o := d.linkedItem(v, depth); o != nil {
		d.add(it, key, Value{Item: o})
	}
}

// unescape resolves references, which many pages write into their JSON, some twice.
func unescape(s string) string {
	for range 2 {
		if strings.IndexByte(s, '&') < 0 {
			break
		}
		s = html.UnescapeString(s)
	}
	return s
}
