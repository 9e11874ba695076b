package dom

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// For each attribute, the tokenizer makes six small objects, which is a third of
// what a page allocates. Attributes are cut out with the scripts, a mark stands for all
// those of a tag, and they are read here when the tree is built. Tags stay as they are
// where the tree builder looks at their attributes: in math, of html and
// body, which collect those of several tags, of input, and of formatting elements, three
// equal ones of which are the most that stay open. Links are formatting elements too,
// but a link closes the one before it. In svg, it changes the names of some attributes;
// tags with names that svgNames has not stay as they are.

const (
	// One short attribute costs as much as a mark. Tags with many attributes stay as they
	// are, for the limits of Parse.
	minAttrBytes, minAttrs    = 40, 2
	mostAttrBytes, mostMarked = 4 << 10, 32
)

// cutAttrs cuts out what stands between the name of a start tag, which ends at from, and
// its end, which is before w.i. n is how many attributes that is.
func (w *rawWalk) cutAttrs(raw []byte, from, n int, selfClosing bool) {
	text := w.body[from : w.i-1]
	if w.keepAttrs || n == 0 || n < minAttrs && len(text) < minAttrBytes || n > mostMarked || len(text) > mostAttrBytes ||
		bytes.IndexByte(text, 0) >= 0 || w.strange || w.foreign != nil && w.foreign[0] != "svg" || readsAttrs(raw) {
		return
	}
	w.out = append(w.out, w.body[w.done:from]...)
	w.out = appendAttrMark(w.out, len(w.attrs))
	if selfClosing {
		w.out = append(w.out, " /"...)
	}
	w.attrs, w.done = append(w.attrs, span{int32(from), int32(w.i - 1)}), w.i-1
	w.equals += bytes.Count(text, []byte{'='})
}

// appendAttrMark writes the attribute that stands for the attributes with number n: its name is
// one byte, and its value where it has one another, because the tokenizer makes no objects of
// strings of one byte. These bytes are no text in UTF-8, so that no page can write the mark.
func appendAttrMark(out []byte, n int) []byte {
	out = append(out, ' ', 0x80|byte(n))
	if n >>= 7; n > 0 {
		out = append(out, '=')
	}
	for ; n > 0; n >>= 7 {
		out = append(out, 0x80|byte(n))
	}
	return out
}

// attrMarkOf returns the number of the attributes that the attributes of an element stand for, or -1.
func attrMarkOf(attrs []html.Attribute) int {
	if len(attrs) != 1 || len(attrs[0].Key) != 1 || attrs[0].Key[0] < 0x80 {
		return -1
	}
	n, v := 0, attrs[0].Val
	for i := len(v) - 1; i >= 0; i-- {
		n = n<<7 | int(v[i]&0x7f)
	}
	return n<<7 | int(attrs[0].Key[0]&0x7f)
}

// svgNames has the attributes that svg elements have most often, and the names that the
// tree builder gives them (HTML 13.2.6.1). It changes no name with a hyphen.
var svgNames = map[string]string{
	"class": "class", "d": "d", "fill": "fill", "focusable": "focusable", "height": "height", "href": "href", "id": "id", "name": "name",
	"opacity": "opacity", "points": "points", "role": "role", "stroke": "stroke", "style": "style", "tabindex": "tabindex",
	"transform": "transform", "version": "version", "width": "width", "xmlns": "xmlns",
	"x": "x", "y": "y", "x1": "x1", "y1": "y1", "x2": "x2", "y2": "y2", "r": "r", "cx": "cx", "cy": "cy", "rx": "rx", "ry": "ry",
	"gradienttransform": "gradientTransform", "gradientunits": "gradientUnits", "preserveaspectratio": "preserveAspectRatio", "viewbox": "viewBox",
	"xlink:href": "xlink:href", "xml:space": "xml:space", "xmlns:xlink": "xmlns:xlink",
}

// isSVGName reports whether it is known what the tree builder makes of the name of an
// attribute in svg.
func isSVGName(name []byte) bool {
	if bytes.IndexByte(name, '-') >= 0 {
		return true
	}
	var lower [20]byte
	if len(name) > len(lower) {
		return false
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower[i] = c
	}
	_, ok := svgNames[string(lower[:len(name)])]
	return ok
}

// adjustSVG gives attributes the names that they have in svg; those of other namespaces
// have a prefix until then.
func adjustSVG(attrs []html.Attribute) {
	for i := range attrs {
		a := &attrs[i]
		name, ok := svgNames[a.Key]
		if !ok {
			continue
		}
		if space, local, ok := strings.Cut(name, ":"); ok {
			a.Namespace, name = space, local
		}
		a.Key = name
	}
}

// readsAttrs reports whether the tree builder looks at the attributes of an element.
func readsAttrs(name []byte) bool {
	if len(name) > len("strike") {
		return false
	}
	var lower [len("strike")]byte
	for i, c := range name {
		lower[i] = c | 0x20 // which makes none of these names of another one
	}
	switch string(lower[:len(name)]) {
	case "html", "body", "input", "math",
		"b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}

// attrReader reads the attributes that were cut out.
type attrReader struct {
	body  []byte
	texts []span
	room  []html.Attribute // for those of several elements
	held  strings.Builder  // the texts of several elements
	plain bool             // what is read has neither character references nor carriage returns
}

// restore puts the attributes of an element back.
func (r *attrReader) restore(n *html.Node) {
	i := attrMarkOf(n.Attr)
	if i < 0 || i >= len(r.texts) {
		return
	}
	n.Attr = r.read(r.hold(r.body[r.texts[i].from:r.texts[i].to]))
	switch {
	case n.Namespace == "svg":
		adjustSVG(n.Attr)
	case n.DataAtom == atom.A: // as the tree builder does
		slices.SortFunc(n.Attr, func(a, b html.Attribute) int { return cmp.Compare(a.Key, b.Key) })
	}
}

// hold returns a text as a string, in the memory of several.
func (r *attrReader) hold(text []byte) string {
	if r.held.Cap()-r.held.Len() < len(text) {
		r.held.Reset()
		r.held.Grow(max(len(text), mostAttrBytes))
	}
	from := r.held.Len()
	r.held.Write(text)
	return r.held.String()[from:]
}

// read reads what stands in a start tag behind the name (HTML 13.2.5.32 to 13.2.5.39).
func (r *attrReader) read(s string) []html.Attribute {
	if cap(r.room)-len(r.room) < mostMarked {
		r.room = make([]html.Attribute, 0, 16*mostMarked)
	}
	first := len(r.room)
	r.plain = strings.IndexByte(s, '&') < 0 && strings.IndexByte(s, '\r') < 0
	for i := 0; i < len(s); {
		if isBlank(s[i]) || s[i] == '/' {
			i++
			continue
		}
		begin := i
		// A first "=" belongs to the name.
		for i++; i < len(s) && s[i] != '=' && !endsName(s[i]); i++ {
		}
		key, value := s[begin:i], ""
		i = passBlank(s, i)
		if i < len(s) && s[i] == '=' {
			value, i = attrValue(s, passBlank(s, i+1))
		}
		r.add(first, lowerASCII(key), value)
	}
	return r.room[first:len(r.room):len(r.room)]
}

func passBlank(s string, i int) int {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	return i
}

// attrValue returns the value that begins at i, and where it ends.
func attrValue(s string, i int) (value string, end int) {
	if i >= len(s) {
		return "", i
	}
	if quote := s[i]; quote == '"' || quote == '\'' {
		if n := strings.IndexByte(s[i+1:], quote); n >= 0 {
			return s[i+1 : i+1+n], i + n + 2
		}
	}
	end = i
	for end < len(s) && !isBlank(s[end]) {
		end++
	}
	return s[i:end], end
}

// add adds an attribute to those from first on, unless there is one of its name.
func (r *attrReader) add(first int, key, value string) {
	for i := first; i < len(r.room); i++ {
		if r.room[i].Key == key {
			return
		}
	}
	if !r.plain {
		value = unescapeAttr(newlines(value))
	}
	r.room = append(r.room, html.Attribute{Key: key, Val: value})
}

func lowerASCII(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for k := i; k < len(b); k++ {
				if 'A' <= b[k] && b[k] <= 'Z' {
					b[k] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

// unescapeAttr replaces character references as they count in attributes (HTML
// 13.2.5.73): a name without a semicolon is none where "=" or a letter follows it.
func unescapeAttr(s string) string {
	at := strings.IndexByte(s, '&')
	if at < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for ; at >= 0; at = strings.IndexByte(s, '&') {
		out = append(out, s[:at]...)
		text, n := reference(s[at:])
		out = append(out, text...)
		s = s[at+n:]
	}
	return string(append(out, s...))
}

// reference reads the "&" that s begins with: its text, and how many bytes it stands in.
func reference(s string) (text string, n int) {
	const amp = "&amp;"
	if strings.HasPrefix(s, amp) {
		return "&", len(amp)
	}
	numeric := strings.HasPrefix(s, "&#")
	n = 1
	if numeric {
		n = 2
	}
	for n < len(s) && (isLetter(s[n]) || '0' <= s[n] && s[n] <= '9') {
		n++
	}
	equals := n < len(s) && s[n] == '='
	closed := n < len(s) && s[n] == ';'
	if closed {
		n++
	}
	text = html.UnescapeString(s[:n])
	// In texts, the beginning of a name counts too: then the rest of it is left.
	whole := numeric || utf8.RuneCountInString(text) == 1 && !equals
	if closed {
		whole = numeric || text == ";" || !strings.HasSuffix(text, ";")
	}
	if !whole {
		return "&", 1
	}
	return text, n
}
