package about

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
)

// Graph is what a page states as data.
type Graph struct {
	// Items are those that are not values of others, in page order.
	Items []*Item
	// Properties are those of Open Graph and its kin (article:, product:, twitter:).
	Properties []property
	// Cut reports that the page states more than the graph contains.
	Cut bool

	byID          map[string]*Item
	items, values int
	bytes         int
}

// The formats of items.
const (
	LinkedData = "json-ld"
	Microdata  = "microdata"
	RDFa       = "rdfa"
)

// Item is one thing, for example a product.
type Item struct {
	Source string // one of the formats
	// Types are names without their vocabulary, for example Product.
	Types   []string
	ID      string
	Members []member
}

// member is a property of an item.
type member struct {
	Name   string
	Values []Value
}

// Value is a text or an item. Text is as the page has it: it may be markup, and have
// references and line breaks.
type Value struct {
	Text string
	Item *Item
}

// property is one of Open Graph.
type property struct{ Name, Content string }

// Empty reports whether a page states nothing.
func (g *Graph) Empty() bool { return len(g.Items)+len(g.Properties) == 0 }

// bounded is a text within the bounds of the graph.
func (g *Graph) bounded(s string) string {
	if s = strings.TrimSpace(s); len(s) > maxText {
		g.Cut = true
	}
	if g.bytes += len(s); g.bytes > maxAllText {
		g.Cut = true
		return ""
	}
	return s
}

// newItem adds an item; nil where there are too many.
func (g *Graph) newItem(source string, types ...string) *Item {
	if g.items == maxItems {
		g.Cut = true
		return nil
	}
	g.items++
	it := &Item{Source: source}
	for _, t := range types {
		if t = plainName(t); t != "" && len(it.Types) < maxTypes {
			it.Types = append(it.Types, t)
		}
	}
	return it
}

// add adds a value to a member.
func (g *Graph) add(it *Item, name string, v Value) {
	if v.Item == nil && v.Text == "" {
		return
	}
	if g.values == maxValues {
		g.Cut = true
		return
	}
	g.values++
	name = plainName(name)
	for i := range it.Members {
		if it.Members[i].Name == name {
			it.Members[i].Values = append(it.Members[i].Values, v)
			return
		}
	}
	if len(it.Members) < maxMembers {
		it.Members = append(it.Members, member{name, []Value{v}})
	}
}

// named notes the ID of an item, and returns the item. An item with only an ID is a
// reference to another one.
func (g *Graph) named(it *Item, id string) *Item {
	if it.ID = text.Line(text.CutBytes(g.bounded(id), maxText)); it.ID != "" {
		if had := g.byID[it.ID]; had == nil || len(had.Members) == 0 {
			if g.byID == nil {
				g.byID = map[string]*Item{}
			}
			g.byID[it.ID] = it
		}
	}
	return it
}

// plainName is a name without its vocabulary: schema:name, http://schema.org/name.
func plainName(s string) string {
	s = strings.TrimSpace(s)
	return text.Cut(text.Line(s[strings.LastIndexAny(s, ":/#")+1:]), maxName)
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

// Values returns the values of the first of these members that the item has.
func (it *Item) Values(names ...string) []Value {
	if it == nil {
		return nil
	}
	for _, name := range names {
		for i := range it.Members {
			if it.Members[i].Name == name {
				return it.Members[i].Values
			}
		}
	}
	return nil
}

// resolved is an item, or the one that a reference names.
func (g *Graph) resolved(it *Item) *Item {
	if it != nil && len(it.Members) == 0 && it.ID != "" && g.byID[it.ID] != nil {
		return g.byID[it.ID]
	}
	return it
}

// Inner returns the items of a member.
func (g *Graph) Inner(it *Item, names ...string) (out []*Item) {
	for _, v := range it.Values(names...) {
		if v.Item != nil {
			out = append(out, g.resolved(v.Item))
		}
	}
	return out
}

// first is the first item of a member, or nil.
func (g *Graph) first(it *Item, names ...string) *Item {
	if all := g.Inner(it, names...); len(all) > 0 {
		return all[0]
	}
	return nil
}

// Text is the first text among these members: a value, or the name of an item.
func (g *Graph) Text(it *Item, names ...string) string {
	for _, name := range names {
		for _, v := range it.Values(name) {
			if s := g.textOf(v); s != "" {
				return s
			}
		}
	}
	return ""
}

// textOf is a value as one line.
func (g *Graph) textOf(v Value) string {
	if v.Item == nil {
		return v.String()
	}
	it := g.resolved(v.Item)
	for _, name := range [...]string{"name", "value", "text", "url"} {
		for _, inner := range it.Values(name) {
			if inner.Item == nil {
				return inner.String()
			}
		}
	}
	if strings.Contains(it.ID, "schema.org/") {
		return it.ID
	}
	return ""
}

// url is the first URL of a member: a text, or the URL or the ID of an item.
func (g *Graph) url(it *Item, name string) string {
	list := it.Values(name)
	switch {
	case len(list) == 0:
		return ""
	case list[0].Item == nil:
		return list[0].Text
	}
	if inner := list[0].Item.Values("url", "contentUrl"); len(inner) > 0 {
		return inner[0].Text
	}
	return list[0].Item.ID
}

// String is a text as one line, without references, some of which are escaped twice.
func (v Value) String() string { return text.Line(unescape(text.CutBytes(v.Text, maxText))) }

func unescape(s string) string {
	for range 2 {
		if strings.IndexByte(s, '&') < 0 {
			break
		}
		s = html.UnescapeString(s)
	}
	return s
}

// MarshalJSON writes an item as an object whose members keep their order.
func (it *Item) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	var err error
	write := func(key string, v any, one bool, only any) {
		if one {
			v = only
		}
		k, err1 := plainJSON(key)
		raw, err2 := plainJSON(v)
		if err1 != nil || err2 != nil {
			err = err2
			return
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, k...), ':'), raw...)
	}
	if it.ID != "" {
		write("@id", it.ID, false, nil)
	}
	if len(it.Types) > 0 {
		write("@type", it.Types, len(it.Types) == 1, it.Types[0])
	}
	for _, m := range it.Members {
		write(m.Name, m.Values, len(m.Values) == 1, m.Values[0])
	}
	return append(b, '}'), err
}

// MarshalJSON writes a text or an item.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.Item != nil {
		return v.Item.MarshalJSON()
	}
	return plainJSON(v.String())
}

// plainJSON is json.Marshal without escapes for & < >: the result is not put into HTML.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
