package snapshot

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Rules of the markup. It is the page as the HTML syntax has it, so that the extractor can
// read it, with shadow trees as they are drawn: in their hosts. The document of a frame is
// written as a declarative shadow root (HTML, section 4.12.3), because its sheets and ids are
// not those of the page around. The text of pseudo-elements is text. What a person does not see
// is between marks (text.OwnMark), the texts of pictures and fields too. No page can write such
// marks, because they are taken out of all its text. Scripts, styles, noscript and the head
// have none.

// Markup returns a page as HTML with marks at what a person does not see. At most `most`
// bytes come back, to which cut tags at the end can be added. shown has the ids of the frames whose documents are a part of the HTML.
func Markup(in Input, window Viewport, most int) (html string, shown []string) {
	all, d := newFrames(in)
	if d == nil {
		return "", nil
	}
	d.openIn(window)
	w := newMarkupWriter(d, all, most)
	w.children(0, 0)
	return w.out.String(), all.shown
}

// A markupWriter writes the nodes of a document.
type markupWriter struct {
	d     *doc
	views []view

	inCode int // elements around that hold a program's text

	frames *frames
	base   *weburl.URL // of a document in a frame; nil for the main one
	out    strings.Builder
	most   int
}

func newMarkupWriter(d *doc, f *frames, most int) *markupWriter {
	return &markupWriter{d: d, views: d.views(), most: most, frames: f}
}

// seen reports whether a person sees a node. What the browser has not laid out yet counts as seen.
func (w *markupWriter) seen(i int) bool {
	return w.d.seen(i, w.views[i]) || w.d.layout[i] == 0 && w.d.isSkipped(i)
}

// seesOption reports whether the text of an option is seen. Those of a closed list have no
// boxes: they count as seen with the list.
func (w *markupWriter) seesOption(option int) bool {
	list := option
	for list > 0 && w.d.tag(list) != "select" {
		list = max(w.d.up(list), 0)
	}
	if w.d.layout[option] > 0 || list == 0 || w.d.has(list, "multiple") || w.d.has(list, "size") {
		return w.seen(option)
	}
	return w.seen(list)
}

func (w *markupWriter) children(i, depth int) {
	if len(w.d.first) == 0 || depth > maxDepth {
		return
	}
	w.generated(i, "::marker")
	w.generated(i, "::before")
	for c := int(w.d.first[i]); c != 0 && w.out.Len() < w.most; c = int(w.d.next[c]) {
		w.node(c, depth+1)
	}
	w.generated(i, "::after")
}

// generated writes the text of a pseudo-element of an element. In a program's text it is not
// a part of the program: the numbers of lines are such text.
func (w *markupWriter) generated(i int, name string) {
	in := ""
	switch w.d.tag(i) {
	case "pre", "code", "q", "table", "thead", "tbody", "tfoot", "colgroup", "textarea", "select", "optgroup", "option", "head", "title":
		return // the syntax has no place for it, or the extractor does not take it for a text
	case "tr":
		in = "td"
	}
	for c := int(w.d.first[i]); c != 0; c = int(w.d.next[c]) {
		if w.d.tag(c) != name || w.inCode > 0 {
			continue
		}
		if !w.d.says(c) || name == "::marker" && !w.d.isWorded(c) {
			continue
		}
		if in != "" {
			w.out.WriteString("<" + in + ">")
		}
		_, _ = textEscaper.WriteString(&w.out, marked(w.seen(c), text.WithoutOwnMarks(w.d.spaced(c))))
		if in != "" {
			w.out.WriteString("</" + in + ">")
		}
	}
}

func (w *markupWriter) node(i, depth int) {
	switch w.d.kind(i) {
	case textNode:
		w.text(i)
	case commentNode:
		if s := text.WithoutOwnMarks(w.d.str(w.d.src.Nodes.Value[i])); !strings.Contains(s, "-->") && !strings.Contains(s, "--!>") && !strings.HasPrefix(s, ">") && !strings.HasPrefix(s, "->") {
			w.out.WriteString("<!--" + s + "-->")
		}
	case doctypeNode:
		if w.base == nil {
			w.out.WriteString("<!doctype html>")
		}
	case element:
		w.element(i, depth)
	}
}

func (w *markupWriter) element(i, depth int) {
	tag := w.d.tag(i)
	if strings.HasPrefix(tag, "::") || !isName(tag) {
		return
	}
	if w.base != nil && w.framed(i, tag, depth) || w.frame(i, tag, depth) {
		return
	}
	name := nameOf(tag)
	w.open(i, tag, name)
	switch tag {
	case "area", "base", "basefont", "bgsound", "br", "col", "embed", "hr", "img", "input", "keygen", "link", "meta", "param", "source", "track", "wbr":
		return
	case "frame", "noframes":
	case "script", "style", "noscript", "iframe", "noembed":
		w.code(i, tag)
	case "textarea":
		if v, ok := w.value(i, tag); ok {
			_, _ = textEscaper.WriteString(&w.out, marked(w.seen(i), v))
		} else {
			w.children(i, depth)
		}
	case "pre", "code":
		w.inCode++
		w.children(i, depth)
		w.inCode--
	default:
		w.children(i, depth)
	}
	w.out.WriteString("</" + name + ">")
}

// nameOf is the name that an element is written with. A frameset in another one is a second
// tag of the body, which the parser leaves out. The syntax has no end for the text
// of a plaintext element, and takes the tags in others for text.
func nameOf(tag string) string {
	switch tag {
	case "plaintext", "xmp", "listing":
		return "pre"
	case "frameset": // the syntax has no text in one
		return "body"
	case "frame":
		return "iframe"
	}
	return tag
}

// open writes a start tag.
func (w *markupWriter) open(i int, tag, as string) {
	w.out.WriteString("<" + as)
	seen := w.showsText(i, tag)
	put := func(name, value string) {
		w.out.WriteString(" " + name + `="`)
		_, _ = attributeEscaper.WriteString(&w.out, value)
		w.out.WriteByte('"')
	}
	live, changed := w.value(i, tag)
	if changed && tag == "input" {
		put("value", marked(seen, live))
	}
	a := w.d.src.Nodes.Attributes[i]
	for k := 0; k+1 < len(a); k += 2 {
		name, value := w.d.str(a[k]), text.WithoutOwnMarks(w.d.str(a[k+1]))
		if changed && name == "value" {
			continue
		}
		if !isName(name) || as != tag && name == "srcdoc" {
			continue
		}
		if w.base != nil {
			var ok bool
			if value, ok = w.inFrame(name, value); !ok {
				continue
			}
		}
		if name == "alt" || name == "value" && tag == "input" {
			value = marked(seen, value)
		}
		put(name, value)
	}
	w.out.WriteByte('>')
	if as == "pre" || tag == "textarea" {
		w.out.WriteByte('\n') // the syntax leaves out the first one
	}
}

// value is what a field holds now; false for one whose value nobody reads.
func (w *markupWriter) value(i int, tag string) (string, bool) {
	if tag == "input" {
		switch strings.ToLower(w.d.attr(i, "type")) {
		case "", "text", "search", "email", "tel", "url", "number", "date", "time", "datetime-local", "month", "week":
		default:
			return "", false
		}
	} else if tag != "textarea" {
		return "", false
	}
	v, ok := w.d.values[i]
	return text.WithoutOwnMarks(w.d.str(v)), ok
}

// showsText reports whether an element is seen whose text is in an attribute.
func (w *markupWriter) showsText(i int, tag string) bool {
	switch tag {
	case "input":
		return w.seen(i)
	case "img": // pictures fade in, and have no size, until they are loaded
		return w.d.layout[i] > 0 || w.seen(i)
	}
	return true
}

var (
	attributeEscaper = strings.NewReplacer("&", "&amp;", `"`, "&quot;")
	textEscaper      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
)

// isName reports whether a name can stand in a tag and means the same there.
func isName(s string) bool {
	return s != "" && !strings.ContainsAny(s, " \t\n\f\r\"'<>/=\x00") && text.WithoutOwnMarks(s) == s
}

// code writes the content of an element in which tags are text.
func (w *markupWriter) code(i int, tag string) {
	for c := int(w.d.first[i]); c != 0; c = int(w.d.next[c]) {
		if w.d.kind(c) != textNode {
			continue
		}
		s := text.WithoutOwnMarks(w.d.str(w.d.src.Nodes.Value[c]))
		if tag == "script" || tag == "style" {
			s = strings.ReplaceAll(s, "</", `<\/`) // the same in both languages
		} else if strings.Contains(strings.ToLower(s), "</"+tag) {
			continue
		}
		w.out.WriteString(s)
	}
}

// text writes a text with what is known of its visibility.
func (w *markupWriter) text(i int) {
	s := text.WithoutOwnMarks(w.d.str(w.d.src.Nodes.Value[i]))
	if strings.TrimSpace(s) != "" {
		s = marked(w.textSeen(i), s)
	}
	_, _ = textEscaper.WriteString(&w.out, s)
}

// unseenCode is the code of the marks at text that is not seen, see [text.OwnMark].
const unseenCode = 1

// marked returns a text with what is known of its visibility.
func marked(seen bool, s string) string {
	if seen {
		return s
	}
	return text.OwnMark(unseenCode, s)
}

// textSeen reports whether a text is seen. The text of an element that does not show it by
// itself counts as seen.
func (w *markupWriter) textSeen(i int) bool {
	up := w.d.up(i)
	if up < 0 {
		return true
	}
	switch w.d.tag(up) {
	case "title", "optgroup", "select", "datalist", "audio", "video", "canvas":
		return true
	case "textarea":
		return w.seen(up)
	case "option":
		return w.seesOption(up)
	}
	return w.seen(i)
}
