// Package pagedata provides what a page says about itself as data: the items of its
// JSON-LD, microdata and RDFa, its Open Graph properties, and the facts about the
// subject of the page that follow from them.
//
//	d := pagedata.Read(doc)
//	facts := d.Facts(pagedata.Shown{Title: title, URL: url, Text: text})
//
// linked.go reads JSON-LD, element.go reads microdata and RDFa from the tree,
// facts.go chooses the item that is the subject of the page and takes its usual
// members, shown.go looks these up in the text that the page shows.
//
// # Guarantees
//
// The functions are pure and safe for concurrent use. Every input ends within fixed
// numbers of items, values and levels, and none panics. Text has no invisible
// character. A fact that the page does not show is marked: nobody who looks at the
// page could check it.
//
// # Limits
//
// Items are those of schema.org, by their names; others stand in the data, but give
// no facts. itemref, and RDFa vocabularies other than one for the whole element, are
// not read. A date in words counts as shown by its year and day.
package pagedata

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxItems    = 2_000 // of a page
	maxValues   = 20_000
	maxDepth    = 16
	maxText     = 2_000 // bytes of a value
	maxAllText  = 1 << 20
	maxProperty = 200 // Open Graph
)

// Data is what a page says as data.
type Data struct {
	// Items are those that are not values of others, in page order: of JSON-LD, then
	// of the elements.
	Items []*Item
	// Properties are those of Open Graph and its kin (article:, product:, twitter:).
	Properties []Property
	// Cut reports that the page has more than is read.
	Cut bool

	byID          map[string]*Item
	items, values int
	bytes         int
}

// Source is the format of an item.
type Source string

// The formats.
const (
	LinkedData Source = "json-ld"
	Microdata  Source = "microdata"
	RDFa       Source = "rdfa"
)

// Item is one thing, for example a product.
type Item struct {
	Source Source
	// Types are names without their vocabulary, for example Product.
	Types   []string
	ID      string
	Members []Member
}

// Member is a property of an item.
type Member struct {
	Name   string
	Values []Value
}

// Value is a text or an item.
type Value struct {
	Text string
	Item *Item
}

// Property is one of Open Graph.
type Property struct{ Name, Content string }

// Read reads the data of a page. Text of the tree that a person does not see should
// have been removed from it.
func Read(doc *html.Node) *Data {
	d := &Data{byID: map[string]*Item{}}
	d.readLinked(doc)
	d.readElements(doc)
	return d
}

// Empty reports whether a page has no data.
func (d *Data) Empty() bool { return len(d.Items)+len(d.Properties) == 0 }

// property notes a meta element.
func (d *Data) property(n *html.Node) {
	name := strings.ToLower(dom.Attr(n, "property"))
	if name == "" {
		name = strings.ToLower(dom.Attr(n, "name"))
	}
	prefix, _, ok := strings.Cut(name, ":")
	if !ok {
		return
	}
	switch prefix {
	case "og", "article", "product", "book", "video", "music", "profile", "twitter":
	default:
		return
	}
	if len(d.Properties) == maxProperty {
		d.Cut = true
		return
	}
	if content := d.clean(dom.Attr(n, "content")); content != "" {
		d.Properties = append(d.Properties, Property{text.Cut(text.Line(name), 80), content})
	}
}

// get returns the first content of an Open Graph property.
func (d *Data) get(names ...string) string {
	for _, name := range names {
		for _, p := range d.Properties {
			if p.Name == name {
				return p.Content
			}
		}
	}
	return ""
}

// clean bounds a text and makes one line of it.
func (d *Data) clean(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxText {
		d.Cut = true
		s = text.CutBytes(s, maxText)
	}
	if s = text.Line(s); d.bytes+len(s) > maxAllText {
		d.Cut = true
		return ""
	}
	d.bytes += len(s)
	return s
}

// newItem makes an item where there is room for one, else nil.
func (d *Data) newItem(source Source, types []string) *Item {
	if d.items == maxItems {
		d.Cut = true
		return nil
	}
	d.items++
	it := &Item{Source: source}
	for _, t := range types {
		if t = text.Cut(text.Line(plainName(t)), 80); t != "" && len(it.Types) < 8 {
			it.Types = append(it.Types, t)
		}
	}
	return it
}

// add adds a value to a member.
func (d *Data) add(it *Item, name string, v Value) {
	if v.Item == nil && v.Text == "" {
		return
	}
	if d.values == maxValues {
		d.Cut = true
		return
	}
	d.values++
	name = text.Cut(text.Line(plainName(name)), 80)
	for i := range it.Members {
		if it.Members[i].Name == name {
			it.Members[i].Values = append(it.Members[i].Values, v)
			return
		}
	}
	if len(it.Members) < 200 {
		it.Members = append(it.Members, Member{name, []Value{v}})
	}
}

// named notes an item by its address. One that has nothing but the address stands
// for another one.
func (d *Data) named(it *Item, id string) {
	if it.ID = d.clean(id); it.ID == "" {
		return
	}
	if had := d.byID[it.ID]; had == nil || len(had.Members) == 0 {
		d.byID[it.ID] = it
	}
}

// plainName is a name without its vocabulary: schema:name, http://schema.org/name.
func plainName(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexAny(s, ":/#")+1:]
}

// Is reports whether an item has one of some types, in any case.
func (it *Item) Is(types ...string) bool {
	for _, t := range it.Types {
		for _, want := range types {
			if strings.EqualFold(t, want) {
				return true
			}
		}
	}
	return false
}

// values returns the values of the first member that is there.
func (it *Item) values(names ...string) []Value {
	for _, name := range names {
		for i := range it.Members {
			if it.Members[i].Name == name {
				return it.Members[i].Values
			}
		}
	}
	return nil
}

// MarshalJSON writes an item as an object whose members keep their order.
func (it *Item) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	write := func(key string, v any) error {
		k, err := plainJSON(key)
		if err != nil {
			return err
		}
		raw, err := plainJSON(v)
		if err != nil {
			return err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, k...), ':'), raw...)
		return nil
	}
	if it.ID != "" {
		if err := write("@id", it.ID); err != nil {
			return nil, err
		}
	}
	var types any = it.Types
	if len(it.Types) == 1 {
		types = it.Types[0]
	}
	if len(it.Types) > 0 {
		if err := write("@type", types); err != nil {
			return nil, err
		}
	}
	for _, m := range it.Members {
		var v any = m.Values
		if len(m.Values) == 1 {
			v = m.Values[0]
		}
		if err := write(m.Name, v); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// MarshalJSON writes a text or an item.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.Item != nil {
		return v.Item.MarshalJSON()
	}
	return plainJSON(v.Text)
}

// plainJSON is json.Marshal without escapes for & < >: nobody puts it into HTML.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// isMeta reports whether an element has its value in an attribute.
func isMeta(a atom.Atom) bool { return a == atom.Meta || a == atom.Link }
