package extract

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/extract/about"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Field is a value that selectors find on a page.
type Field struct {
	// Name is the key of a member of an object.
	Name string
	// Selector leads to the element of the value, below that of the field around it;
	// nil: it is that element itself.
	Selector *Selector
	// Attr names the attribute that has the value; empty for the element's text.
	Attr string
	Kind FieldKind
	// Members are those of an object, Element is one of a list.
	Members []*Field
	Element *Field
}

// FieldKind is the type of a value.
type FieldKind uint8

// The kinds. A boolean is true where the element, or its attribute, is there and does not say no.
const (
	TextField FieldKind = iota
	NumberField
	IntegerField // as NumberField, without a fraction of zeros
	BoolField
	ObjectField
	ListField
)

const (
	maxFilled    = 20_000  // values of a page
	maxFieldText = 20_000  // bytes of a value
	maxFillText  = 8 << 20 // bytes of all values
	fillSteps    = 10 * css.SelectSteps
)

// Fill reads the values of fields from an HTML page as a person sees it: strings,
// json.Number, booleans, []any and map[string]any. What is not there is nil in a
// list and missing in an object. cut reports that the page has more values than are
// read. The error has the code NoMatch where nothing is found at all, or is that of
// Options.Stop.
func Fill(body []byte, mediaType string, o Options, f *Field) (value any, cut bool, err error) {
	if !isHTML(mediaType) {
		return nil, false, &Error{Code: NoMatch, MediaType: mediaType}
	}
	r := reading{options: o}
	if err := r.see(body); err != nil {
		if stopped := o.stopped(); stopped != nil {
			return nil, false, stopped
		}
		return nil, false, &Error{Code: NoMatch, MediaType: mediaType}
	}
	defer r.seg.Release()
	b := filler{reading: &r, left: maxFilled, text: maxFillText, steps: fillSteps}
	value = b.value(f, r.doc)
	if b.err == nil && b.found == 0 {
		b.err = &Error{Code: NoMatch, MediaType: mediaType}
	}
	return value, b.left < 0, b.err
}

// filler reads the values of one page.
type filler struct {
	*reading
	left, found int // values
	text        int // bytes that may still be read
	steps       int // of matching that are left
	err         error
}

// value reads a field below an element; nil where it is not there.
func (b *filler) value(f *Field, in *html.Node) any {
	if f.Kind == ListField {
		list := []any{}
		of, selector := f.Element, f.Selector
		if selector == nil {
			// The list is what the selector of its elements fits.
			inner := *f.Element
			selector, inner.Selector = inner.Selector, nil
			of = &inner
		}
		for _, n := range b.all(selector, in) {
			if b.left < 0 || b.err != nil {
				break
			}
			if v := b.value(of, n); v != nil {
				list = append(list, v)
			}
		}
		return list
	}
	n := in
	if f.Selector != nil {
		found := b.all(f.Selector, in)
		if len(found) == 0 {
			if f.Kind == BoolField && b.err == nil {
				return false
			}
			return nil
		}
		n = found[max(slices.IndexFunc(found, isCurrent), 0)]
	}
	if f.Kind == ObjectField {
		object := map[string]any{}
		for _, m := range f.Members {
			if v := b.value(m, n); v != nil {
				object[m.Name] = v
			}
		}
		if len(object) == 0 {
			return nil
		}
		return object
	}
	return b.leaf(f, n)
}

// all returns the elements below another one that a selector fits.
func (b *filler) all(s *Selector, in *html.Node) []*html.Node {
	if b.err == nil {
		b.err = b.options.stopped()
	}
	if b.err != nil || s == nil {
		return nil
	}
	found, complete := s.compiled.SelectWithin(in, &b.steps)
	if !complete {
		b.err = &Error{Code: BadSelector}
	}
	return found
}

// leaf reads the value of an element.
func (b *filler) leaf(f *Field, n *html.Node) any {
	if b.left--; b.left < 0 {
		return nil
	}
	if f.Kind == BoolField {
		if f.Attr != "" && !dom.HasAttr(n, f.Attr) {
			return false
		}
		b.found++
		said := dom.Attr(n, f.Attr)
		if f.Attr == "" {
			said = dom.NodeText(n, 2*mostNo)
		}
		return !saysNo(said)
	}
	var s string
	if f.Attr == "" {
		if s = dom.NodeText(n, maxFieldText); f.Kind == NumberField || f.Kind == IntegerField {
			if current := currentText(n); current != "" {
				s = current
			}
		}
		if n.DataAtom == atom.Img {
			s = dom.Attr(n, "alt")
		}
	} else {
		s = b.attribute(n, f.Attr)
	}
	if b.text -= len(s); b.text < 0 {
		b.left = -1
		return nil
	}
	if s = text.Line(text.CutBytes(s, maxFieldText)); s == "" {
		return nil
	}
	if f.Kind == NumberField || f.Kind == IntegerField {
		number, ok := about.Number(s)
		if !ok {
			return nil
		}
		if whole, fraction, _ := strings.Cut(number, "."); f.Kind == IntegerField && strings.Trim(fraction, "0") == "" {
			number = whole
		}
		b.found++
		return json.Number(number)
	}
	b.found++
	return s
}

// A value that is struck through is not the value any more, for example the price before a
// sale: of several elements the first one counts that is not, and of the text of a number the
// part that is not.

// isStruck reports whether an element is struck through by itself.
func isStruck(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Del, atom.S, atom.Strike:
		return true
	}
	return strings.Contains(dom.Attr(n, "style"), "line-through")
}

// isCurrent reports whether neither an element nor one around it is struck through.
func isCurrent(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Type == html.ElementNode && isStruck(n) {
			return false
		}
	}
	return true
}

// currentText is the text of an element without the parts that are struck through; "" where it
// has none of these.
func currentText(n *html.Node) string {
	var b strings.Builder
	struck := false
	for k := range n.Descendants() {
		switch {
		case k.Type == html.ElementNode && isStruck(k):
			struck = true
		case k.Type == html.TextNode && b.Len()+len(k.Data) <= maxFieldText && isCurrent(k.Parent):
			b.WriteString(k.Data)
		}
	}
	if !struck {
		return ""
	}
	return b.String()
}

const mostNo = 8 // bytes

// saysNo reports whether a text says no, as the cell of a table or an attribute may.
func saysNo(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "no", "false", "0", "off", "nein", "non", "não", "nee", "nej", "nie", "нет", "否":
		return true
	}
	return false
}

// attribute is the value of an attribute; an address is absolute, and "" where it
// does not lead anywhere.
func (b *filler) attribute(n *html.Node, name string) (s string) {
	value := dom.Attr(n, name)
	switch name {
	case "href", "cite", "action":
		s, _ = b.base.Linkable(value)
	case "src", "poster", "data-src", "data-original":
		s, _ = b.base.Picture(value)
	default:
		s = value
	}
	return strings.TrimSpace(s)
}

// CompileField reads x-selector: a CSS selector, an attribute behind "@", or both.
// An empty selector is that of the element around it. The error has the code
// BadSelector.
func CompileField(s string) (*Selector, string, error) {
	s = strings.TrimSpace(s)
	attr := ""
	if i := strings.LastIndexByte(s, '@'); i >= 0 && isAttribute(s[i+1:]) {
		s, attr = strings.TrimSpace(s[:i]), strings.ToLower(s[i+1:])
	}
	if s == "" || s == ":scope" {
		if attr == "" && s == "" {
			return nil, "", &Error{Code: BadSelector}
		}
		return nil, attr, nil
	}
	compiled, err := css.Compile(s)
	if err != nil {
		return nil, "", &Error{Code: BadSelector}
	}
	return &Selector{compiled}, attr, nil
}

// isAttribute reports whether s can be the name of an attribute.
func isAttribute(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') && s[i] != '-' && s[i] != '_' && s[i] != ':' {
			return false
		}
	}
	return s != ""
}
