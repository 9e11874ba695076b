package dom

import (
	"bytes"
	"errors"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Parse builds the tree of a page. Markup within bounds, which is nearly
// all of it, goes to the tree builder as it is. Markup beyond them is first
// rewritten by [bounded], which keeps all text. It fails only where even the
// rewritten markup yields no tree, or with the error of stop, which may be nil.
func Parse(body []byte, p *page.Page, stop func() error) (*html.Node, error) {
	if suspicious(body) {
		body = bounded(body, p, stop)
	}
	doc, err := html.Parse(deadline.Reader(bytes.NewReader(body), stop))
	if err != nil {
		// The only error of html.Parse on a reader that does not fail is the
		// depth limit.
		var err2 error
		if doc, err2 = html.Parse(deadline.Reader(bytes.NewReader(bounded(body, p, stop)), stop)); err2 != nil {
			return nil, errors.Join(err, err2)
		}
	}
	return doc, nil
}

// suspicious reports in a few vectorised scans whether the markup may break a
// bound other than depth: too many tags, a tag that is too long (then some
// window holds no '>'), too many attributes with quoted values, or too many tags of the
// root elements: for each of them, the tree builder looks at all attributes before it. A script of
// that shape raises a false alarm, which costs a rewrite and changes nothing.
func suspicious(body []byte) bool {
	opened, equals := bytes.Count(body, []byte{'<'}), bytes.Count(body, []byte{'='})
	if opened > maxTags || equals > maxAttrs {
		ends := bytes.Count(body, []byte("</"))
		tags := opened - ends
		// An end tag of a paragraph that is not open makes one.
		if tags > maxTags || equals > usualAttrs*tags+maxAttrs || ends > tags+maxTags/4 {
			return true
		}
	}
	roots, unread := 0, body
	for at := bytes.IndexByte(unread, '<'); at >= 0 && roots <= maxRoots; {
		if isRoot(unread[at+1:]) {
			roots++
		}
		next := bytes.IndexByte(unread[at+1:], '<')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	for ; len(body) > maxTagBytes; body = body[maxTagBytes:] {
		if bytes.IndexByte(body[:maxTagBytes], '>') < 0 {
			return true
		}
	}
	return roots > maxRoots
}

// isRoot reports whether a text begins with the name of the html or the body element, or with
// a longer name that begins so.
func isRoot(s []byte) bool {
	return len(s) >= 4 && (s[0]|0x20 == 'b' && bytes.EqualFold(s[:4], []byte("body")) || s[0]|0x20 == 'h' && bytes.EqualFold(s[:4], []byte("html")))
}

// bounded rewrites markup so that it keeps within the bounds. What is dropped
// is counted in the omissions of p: nesting beyond the limit (the text stays),
// attributes, and everything after the last tag that is read.
func bounded(body []byte, p *page.Page, stop func() error) []byte {
	patience := Patience{Stop: stop}
	w := boundedWriter{z: html.NewTokenizer(bytes.NewReader(body)), out: make([]byte, 0, min(len(body), mostAtOnce)), page: p}
	for tags := 0; ; {
		tt := w.z.Next()
		switch tt {
		case html.ErrorToken:
			return w.out
		case html.TextToken, html.DoctypeToken:
			w.out = append(w.out, w.z.Raw()...)
			continue
		case html.CommentToken:
			continue // never content, and a place to hide text
		}
		if tt != html.EndTagToken {
			tags++
		}
		if tags > maxTags || patience.Over() {
			p.Omit(page.OmittedNodes, 1)
			return w.out
		}
		w.tag(tt)
	}
}

// boundedWriter writes tags within the bounds.
type boundedWriter struct {
	z    *html.Tokenizer
	out  []byte
	open []atomOrName
	page *page.Page

	roots int // tags of html and body
}

func (w *boundedWriter) tag(tt html.TokenType) {
	raw := w.z.Raw()
	name, hasAttr := w.z.TagName()
	a := atomOrName{atom.Lookup(name), ""}
	if a.a == 0 {
		a.name = string(name)
	}
	if tt != html.EndTagToken && (a.a == atom.Html || a.a == atom.Body) {
		if w.roots++; w.roots > maxRoots {
			w.page.Omit(page.OmittedAttrs, 1)
			return
		}
	}
	switch {
	case tt != html.EndTagToken:
		// Elements of raw text hold no others, and without their tags a script
		// would become text.
		void := tt == html.SelfClosingTagToken || isVoid(a.a) || isRawText(a.a)
		if void || w.push(a) {
			w.start(name, hasAttr)
		}
	case isRawText(a.a):
		w.out = append(w.out, raw...)
	default:
		w.end(a, name)
	}
}

// end closes the nearest open element of a name, if it is near: the tree
// builder does the rest.
func (w *boundedWriter) end(a atomOrName, name []byte) {
	for i := len(w.open) - 1; i >= 0 && i >= len(w.open)-16; i-- {
		if w.open[i] != a {
			continue
		}
		if i < maxDepth {
			w.out = append(w.out, "</"...)
			w.out = append(w.out, name...)
			w.out = append(w.out, '>')
		}
		w.open = w.open[:i]
		return
	}
}

// push opens an element, and reports whether its tag is to be written.
func (w *boundedWriter) push(a atomOrName) bool {
	// The end tags that HTML implies most often (13.1.2.4): long lists and
	// tables leave them out.
	for len(w.open) > 0 && impliesEnd(w.open[len(w.open)-1].a, a.a) {
		w.open = w.open[:len(w.open)-1]
	}
	w.closeUnclosed(a)
	w.open = append(w.open, a)
	if len(w.open) <= maxDepth {
		return true
	}
	w.page.Omit(page.OmittedNesting, 1)
	w.out = append(w.out, ' ') // words on both sides of a dropped tag stay apart
	return false
}

// closeUnclosed closes elements that are open only because their end tags are missing:
// before an element that would be too deep, those of its name that lie directly within each
// other, down to a depth that pages have.
func (w *boundedWriter) closeUnclosed(a atomOrName) {
	if len(w.open) < maxDepth || IsInline(a.a) {
		return
	}
	for _, o := range w.open[maxDepth/2:] {
		if o != a {
			return
		}
	}
	w.page.Omit(page.OmittedNesting, 1)
	for n := len(w.open); n > usualDepth && w.open[n-1] == a; n-- {
		if n <= maxDepth {
			w.out = append(append(append(w.out, "</"...), a.String()...), '>')
		}
		w.open = w.open[:n-1]
	}
}

// start writes a start tag.
func (w *boundedWriter) start(name []byte, hasAttr bool) {
	w.out = append(w.out, '<')
	w.out = append(w.out, name...)
	for n := 0; hasAttr; n++ {
		var k, v []byte
		k, v, hasAttr = w.z.TagAttr()
		if n >= maxAttrs || len(v) > maxAttrBytes || len(k) > 256 {
			w.page.Omit(page.OmittedAttrs, 1)
			if n >= maxAttrs {
				break
			}
			continue
		}
		w.out = append(w.out, ' ')
		w.out = append(w.out, k...)
		w.out = append(w.out, '=', '"')
		w.out = append(w.out, html.EscapeString(string(v))...)
		w.out = append(w.out, '"')
	}
	w.out = append(w.out, '>')
}

type atomOrName struct {
	a    atom.Atom
	name string
}

func (a atomOrName) String() string {
	if a.a != 0 {
		return a.a.String()
	}
	return a.name
}

// impliesEnd reports whether a start tag closes the open element before it.
func impliesEnd(open, start atom.Atom) bool {
	switch open {
	case atom.P:
		return !IsInline(start)
	case atom.Li, atom.Tr, atom.Option:
		return start == open
	case atom.Td, atom.Th:
		return start == atom.Td || start == atom.Th || start == atom.Tr
	case atom.Dt, atom.Dd:
		return start == atom.Dt || start == atom.Dd
	}
	return false
}

func isVoid(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input,
		atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

func isRawText(a atom.Atom) bool {
	switch a {
	case atom.Script, atom.Style, atom.Title, atom.Textarea, atom.Iframe, atom.Noembed, atom.Noframes, atom.Noscript, atom.Xmp:
		return true
	}
	return false
}

// TokenText returns the text of markup for which no tree could be built: what
// the tokenizer takes for text, without scripts and styles.
func TokenText(body []byte) string {
	var b strings.Builder
	z := html.NewTokenizer(bytes.NewReader(body))
	skip := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			skip = a == atom.Script || a == atom.Style
			if !IsInline(a) {
				b.WriteByte('\n')
			}
		case html.EndTagToken:
			skip = false
		case html.TextToken:
			if !skip {
				b.WriteString(text.Line(string(z.Text())))
				b.WriteByte(' ')
			}
		}
	}
}

// ParseFragment parses markup from data within the bounds of a page; what
// cannot be parsed comes as text.
func ParseFragment(s string) []*html.Node {
	if suspicious([]byte(s)) {
		s = string(bounded([]byte(s), &page.Page{}, nil))
	}
	in := Element(atom.Div, "")
	nodes, err := html.ParseFragment(strings.NewReader(s), in)
	if err != nil {
		return []*html.Node{Leaf(atom.P, "", TokenText([]byte(s)))}
	}
	return nodes
}
