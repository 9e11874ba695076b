package dom

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The tokenizer reads scripts and style sheets byte by byte, which is a quarter
// of the time that it takes for a page. They are cut out before it sees them,
// and put back into the tree: what comes of it is the same tree. So are long texts,
// attributes (rawattr.go) and the shapes of icons (rawsvg.go).
//
// The walk that finds them follows the tokenizer (HTML 13.2.5), and gives up,
// which leaves the rest of the page as it is, where only the tree builder knows
// what follows: at markup that leaves an svg or math element without an end
// tag, within a script that holds the start tag of another behind "<!--", at
// plaintext and framesets.

const (
	// rawMark begins the text that stands for a script or a style sheet, textMark what stands for
	// a long text. They are not UTF-8, so that no page can write them.
	rawMark  = "\xfe"
	minRaw   = 64 // shorter texts are not cut out
	textMark = 0xff
	minText  = 48
)

// cutOut is what was cut out of markup.
type cutOut struct {
	raws  [][]byte // scripts and style sheets
	texts []span   // of the markup: long texts
	attrs []cutTag

	tags   int // start tags, up to where the walk gave up
	roots  int // of these, tags of html and body
	drawn  int // see cutShapes
	unread int // bytes at the end that the walk has not read
	equals int // "=" within attrs
}

// cutTag is what was cut out of a tag, as parts of the markup: its attributes, and of an svg
// element the shapes in it.
type cutTag struct{ attrs, inner span }

// span is a part of a text.
type span struct{ from, to int32 }

// withoutRaw replaces the scripts, style sheets, long texts and attributes of markup, which is
// UTF-8, by marks, and notes what they were. The result is body itself where there are none; otherwise, it holds
// until w is used again.
func (w *rawWalk) withoutRaw(body []byte) []byte {
	*w = rawWalk{body: body, out: w.out[:0], cutOut: cutOut{attrs: w.attrs[:0], texts: w.texts[:0]}}
	w.keepAttrs = len(body) > math.MaxInt32
	w.walk()
	w.unread = len(body) - w.i
	if w.done == 0 {
		return body
	}
	w.out = append(w.out, body[w.done:]...)
	return w.out
}

// rawWalks are used again: the tree builder copies what it keeps.
var rawWalks = sync.Pool{New: func() any { return new(rawWalk) }}

const mostMarkup = 4 << 20 // larger buffers are not kept

// release gives a walk back.
func (w *rawWalk) release() {
	if cap(w.out) <= mostMarkup {
		w.body, w.raws, w.foreign = nil, nil, nil
		rawWalks.Put(w)
	}
}

// restore puts back into the tree what withoutRaw took.
func (w *rawWalk) restore(doc *html.Node) {
	if w.done == 0 {
		return
	}
	attrs := attrReader{body: w.body, tags: w.attrs}
	for n := range Below(doc) {
		if n.Type == html.TextNode {
			w.restoreText(n)
		}
		if n.Type != html.ElementNode {
			continue
		}
		attrs.restore(n)
		if n.DataAtom != atom.Script && n.DataAtom != atom.Style || n.FirstChild == nil || !strings.HasPrefix(n.FirstChild.Data, rawMark) {
			continue
		}
		if i, err := strconv.Atoi(n.FirstChild.Data[len(rawMark):]); err == nil && i < len(w.raws) {
			n.FirstChild.Data = newlines(string(w.raws[i]))
		}
	}
}

// cutText cuts out what a text says. What it begins and ends with stays, because the tree builder
// looks at white space.
func (w *rawWalk) cutText(from, to int) {
	b := w.body
	for from < to && isBlank(b[from]) {
		from++
	}
	for to > from && isBlank(b[to-1]) {
		to--
	}
	if to-from < minText || bytes.IndexByte(b[from:to], 0) >= 0 || len(b) > math.MaxInt32 {
		return
	}
	w.out = append(append(w.out, b[w.done:from]...), textMark)
	for n := len(w.texts); n > 0; n >>= 6 {
		w.out = append(w.out, 0x80|byte(n&0x3f))
	}
	w.texts, w.done = append(w.texts, span{int32(from), int32(to)}), to
}

// restoreText puts back what was cut out of a text.
func (w *rawWalk) restoreText(n *html.Node) {
	at := strings.IndexByte(n.Data, textMark)
	if at < 0 {
		return
	}
	before := n.Data[:at]
	text, rest := w.textAt(n.Data[at:])
	if at = strings.IndexByte(rest, textMark); at < 0 {
		n.Data = before + text + rest
		return
	}
	out := []byte(before + text) // of several texts, between which were tags or "<"
	for ; at >= 0; at = strings.IndexByte(rest, textMark) {
		out = append(out, rest[:at]...)
		text, rest = w.textAt(rest[at:])
		out = append(out, text...)
	}
	n.Data = string(append(out, rest...))
}

// textAt returns the text that stands for the mark s begins with, and what follows the mark.
func (w *rawWalk) textAt(s string) (text, rest string) {
	n, i := 0, 1
	for shift := 0; i < len(s) && s[i]&0xc0 == 0x80; i, shift = i+1, shift+6 {
		n |= int(s[i]&0x3f) << shift
	}
	if n < 0 || n >= len(w.texts) {
		return "", s[i:]
	}
	return html.UnescapeString(newlines(string(w.body[w.texts[n].from:w.texts[n].to]))), s[i:]
}

// newlines normalises line ends as the tokenizer does (HTML 13.2.3.5).
func newlines(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

type rawWalk struct {
	body []byte
	i    int // the next byte
	out  []byte
	done int // up to here body is in out
	cutOut
	keepAttrs bool
	strange   bool // the tag that was read last has attributes that svgNames has not

	// inSelect is set where elements are left out and their white space stays: in select, and
	// behind col in a template.
	inSelect, inTemplate bool
	foreign              []string
}

func (w *rawWalk) walk() {
	for {
		next := bytes.IndexByte(w.body[w.i:], '<')
		if next < 0 || w.i+next+1 >= len(w.body) {
			return
		}
		if next >= minText {
			w.cutText(w.i, w.i+next)
		}
		w.i += next + 1
		switch c := w.body[w.i]; {
		case isLetter(c):
			if !w.startTag() {
				return
			}
		case c == '/':
			if w.i++; w.i >= len(w.body) {
				return
			}
			if c := w.body[w.i]; isLetter(c) {
				if !w.endTag() {
					return
				}
			} else if !w.past(">") {
				return
			}
		case c == '!' || c == '?':
			if !w.declaration() {
				return
			}
		}
	}
}

func isLetter(c byte) bool { c |= 0x20; return 'a' <= c && c <= 'z' }

// past moves behind the next occurrence of a text.
func (w *rawWalk) past(end string) bool {
	n := bytes.Index(w.body[w.i:], []byte(end))
	if n < 0 {
		return false
	}
	w.i += n + len(end)
	return true
}

// declaration passes a comment, a doctype, or what is taken for one.
func (w *rawWalk) declaration() bool {
	if !bytes.HasPrefix(w.body[w.i:], []byte("!--")) {
		// CDATA sections are text in foreign elements.
		return w.foreign == nil && w.past(">")
	}
	w.i += len("!--")
	dashes, beginning := 0, true
	for ; w.i < len(w.body); w.i++ {
		switch w.body[w.i] {
		case '-':
			dashes++
			continue
		case '>':
			if dashes >= 2 || beginning {
				w.i++
				return true
			}
		case '!':
			if dashes >= 2 {
				if w.i+1 < len(w.body) && w.body[w.i+1] == '>' {
					w.i += 2
					return true
				}
				if w.i+1 < len(w.body) && w.body[w.i+1] == '-' {
					w.i++
					dashes, beginning = 1, false
					continue
				}
			}
		}
		dashes, beginning = 0, false
		// Most of a comment holds no dash.
		n := bytes.IndexByte(w.body[w.i+1:], '-')
		if n < 0 {
			return false
		}
		w.i += n
	}
	return false
}

// tag reads a name and passes the attributes, which it counts; w.i is at the name's
// first byte.
func (w *rawWalk) tag() (name []byte, attrs int, selfClosing, ok bool) {
	b, i := w.body, w.i
	for i < len(b) && !endsName(b[i]) {
		i++
	}
	name = b[w.i:i]
	isSVG := len(name) == len("svg") && bytes.EqualFold(name, []byte("svg"))
	w.strange = false
	for i < len(b) {
		switch c := b[i]; {
		case c == '>':
			w.i = i + 1
			return name, attrs, b[i-1] == '/', true
		case isBlank(c), c == '/':
			i++
			continue
		}
		// An attribute: a first "=" belongs to its name.
		attrs++
		from := i
		i++
		for i < len(b) && b[i] != '=' && !endsName(b[i]) {
			i++
		}
		if w.foreign != nil || isSVG {
			w.strange = w.strange || !isSVGName(b[from:i])
		}
		for i < len(b) && isBlank(b[i]) {
			i++
		}
		if i >= len(b) || b[i] != '=' {
			continue
		}
		for i++; i < len(b) && isBlank(b[i]); i++ {
		}
		if i >= len(b) {
			break
		}
		switch quote := b[i]; quote {
		case '"', '\'':
			n := bytes.IndexByte(b[i+1:], quote)
			if n < 0 {
				return name, attrs, false, false
			}
			i += n + 2
		default:
			for i < len(b) && !isBlank(b[i]) && b[i] != '>' {
				i++
			}
			if i < len(b) && b[i] == '>' {
				w.i = i + 1
				return name, attrs, false, true
			}
		}
	}
	return name, attrs, false, false
}

func isBlank(c byte) bool {
	const blanks = 1<<' ' | 1<<'\n' | 1<<'\r' | 1<<'\t' | 1<<'\f'
	return c <= ' ' && uint64(blanks)>>c&1 != 0
}

func endsName(c byte) bool { return isBlank(c) || c == '/' || c == '>' }

// matters tells most names from those that startTag looks at.
func matters(name []byte) bool {
	switch len(name) {
	case 3, 4, 5, 6, 7, 8, 9:
		switch name[0] | 0x20 {
		case 's', 'm', 't', 'i', 'n', 'x', 'p', 'f', 'c':
			return true
		}
	}
	return false
}

// lowerName returns the name of an element in lower case; the common ones do
// not allocate.
func lowerName(b []byte) string {
	if a := atom.Lookup(b); a != 0 && a != atom.ForeignObject { // which has capitals
		return a.String()
	}
	return strings.ToLower(string(b))
}

func (w *rawWalk) startTag() bool {
	begin := w.i
	raw, attrs, selfClosing, ok := w.tag()
	if !ok {
		return false
	}
	w.tags++
	if isRoot(raw) {
		w.roots++
	}
	if w.foreign == nil {
		w.cutAttrs(raw, begin+len(raw), attrs, selfClosing)
		if !matters(raw) {
			return true
		}
	}
	name := lowerName(raw)
	if w.foreign != nil {
		if leavesForeign(name) || slices.Contains(w.foreign, "title") || slices.Contains(w.foreign, "desc") {
			return false // what stands within title and desc is HTML
		}
		w.cutAttrs(raw, begin+len(raw), attrs, selfClosing)
		if !selfClosing {
			w.foreign = append(w.foreign, name)
		}
		return len(w.foreign) < maxDepth
	}
	switch name {
	case "svg", "math":
		if !selfClosing {
			if w.foreign = append(w.foreign, name); name == "svg" {
				w.cutShapes()
			}
		}
	case "script", "style":
		return w.raw(name)
	case "title", "textarea", "iframe", "noembed", "noframes", "noscript", "xmp":
		end := w.rawEnd(name)
		w.i = max(end, w.i)
		return end >= 0
	case "select":
		w.inSelect = true
	case "template":
		w.inTemplate = true
	case "col":
		w.inSelect = w.inSelect || w.inTemplate
	case "plaintext", "frameset":
		return false
	}
	return true
}

func (w *rawWalk) endTag() bool {
	raw, _, _, ok := w.tag()
	if !ok {
		return false
	}
	if w.inSelect && strings.EqualFold(string(raw), "select") {
		w.inSelect = false
	}
	if w.foreign == nil {
		return true
	}
	name := lowerName(raw)
	for i := len(w.foreign) - 1; i >= 0; i-- {
		if w.foreign[i] == name {
			if w.foreign = w.foreign[:i]; i == 0 {
				w.foreign = nil
			}
			return true
		}
	}
	return false
}

// raw cuts out the text of an element that has just begun.
func (w *rawWalk) raw(name string) bool {
	begin, end := w.i, w.rawEnd(name)
	if end < 0 {
		return false
	}
	text := w.body[begin:end]
	if name == "script" && bytes.Contains(text, []byte("<!--")) && containsFold(text, "<script") {
		return false
	}
	w.i = end
	if w.inSelect || len(text) < minRaw || bytes.IndexByte(text, 0) >= 0 {
		return true
	}
	w.out = append(w.out, w.body[w.done:begin]...)
	w.out = append(w.out, rawMark...)
	w.out = strconv.AppendInt(w.out, int64(len(w.raws)), 10)
	w.raws, w.done = append(w.raws, text), end
	return true
}

// rawEnd returns where the end tag of an element of raw text begins, or -1.
func (w *rawWalk) rawEnd(name string) int {
	for i := w.i; ; {
		n := bytes.Index(w.body[i:], []byte("</"))
		if n < 0 {
			return -1
		}
		i += n + 2
		if after := i + len(name); after < len(w.body) && endsName(w.body[after]) && strings.EqualFold(string(w.body[i:after]), name) {
			return i - 2
		}
	}
}

// containsFold reports whether b holds a text that is in lower case.
func containsFold(b []byte, text string) bool {
	for len(b) >= len(text) {
		n := bytes.IndexByte(b, text[0])
		if n < 0 || len(b)-n < len(text) {
			return false
		}
		if strings.EqualFold(string(b[n:n+len(text)]), text) {
			return true
		}
		b = b[n+1:]
	}
	return false
}

// leavesForeign reports whether the start tag of an element may end svg and
// math elements (HTML 13.2.6.5) or hold text that is raw in an integration
// point.
func leavesForeign(name string) bool {
	switch name {
	case "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "font",
		"h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre",
		"ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var",
		"foreignobject", "annotation-xml", "mi", "mo", "mn", "ms", "mtext",
		"textarea", "iframe", "noembed", "noframes", "noscript", "xmp", "plaintext", "frameset", "select", "template":
		return true
	}
	return false
}
