package convert

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// noteLabels are the footnotes that were referred to so far: the label of each
// fragment, and the fragment of each label.
type noteLabels struct {
	byID    map[string]string
	byLabel map[string]string
}

// noteRef converts a reference to a footnote, given the link or a sup that
// holds nothing else, and reports whether n was one.
func (c *converter) noteRef(n *html.Node) bool {
	a := n
	if n.DataAtom == atom.Sup {
		if a = onlyLink(n); a == nil {
			return false
		}
	}
	id := noteFragment(dom.Attr(a, "href"))
	if id == "" {
		return false
	}
	marked, back := noteMarks(a)
	if back {
		return false
	}
	if n.DataAtom == atom.Sup || a.Parent != nil && a.Parent.DataAtom == atom.Sup {
		marked = marked || isNoteID(id)
	}
	if !marked || c.inNote > 0 && c.notes.byID[id] == "" && isBackID(id) {
		return false
	}
	label := noteText(shallowText(a, 40))
	if label == "" {
		return false
	}
	c.flushText()
	// A reference follows its word without a space.
	c.hold = true
	c.inline(page.Inline{Kind: page.FootnoteRef, Text: c.labelFor(id, label)})
	return true
}

// onlyLink returns the one link that a sup holds, in brackets or not, or nil.
func onlyLink(sup *html.Node) (a *html.Node) {
	for k := sup.FirstChild; k != nil; k = k.NextSibling {
		switch {
		case k.DataAtom == atom.A && a == nil:
			a = k
		case k.Type == html.TextNode && strings.Trim(k.Data, " \n\t[]") == "":
		default:
			return nil
		}
	}
	return a
}

// noteFragment returns the fragment that a reference leads to, or "". Where the
// rest of the address is written out, the fragment has to be named as that of
// a note.
func noteFragment(href string) string {
	before, id, _ := strings.Cut(href, "#")
	if before != "" && !isNoteID(id) {
		return ""
	}
	return id
}

// noteMarks says what role, attributes and classes make of a link: marked, a
// reference to a note; back, a link from a note to its reference.
func noteMarks(a *html.Node) (marked, back bool) {
	switch dom.Attr(a, "role") {
	case "doc-noteref":
		marked = true
	case "doc-backlink":
		return false, true
	}
	switch dom.Attr(a, "epub:type") { // of books: EPUB Structural Semantics Vocabulary
	case "noteref":
		marked = true
	case "backlink", "referrer":
		return false, true
	}
	marked = marked || dom.HasAttr(a, "data-footnote-ref")
	for tok := range strings.FieldsSeq(dom.Attr(a, "class")) {
		switch tok {
		case "footnote-ref", "footnote-reference", "footnote_referrer", "noteref", "footnote-anchor", "fn-ref":
			marked = true
		case "footnote-backref", "footnote-back", "reversefootnote", "footnote-number":
			return false, true
		}
	}
	return marked, false
}

// isNoteID reports whether a fragment is named as footnotes are.
func isNoteID(id string) bool {
	for _, p := range [...]string{"fn", "cite_note", "footnote", "note-", "endnote", "user-content-fn", "ftnt", "_ftn", "_edn"} {
		if dom.HasPrefixFold(id, p) {
			return !isBackID(id)
		}
	}
	return false
}

func isBackID(id string) bool {
	return dom.HasPrefixFold(id, "fnref") || dom.HasPrefixFold(id, "cite_ref") || dom.HasPrefixFold(id, "footnote-ref") ||
		dom.HasPrefixFold(id, "user-content-fnref") || dom.HasPrefixFold(id, "_ftnref") || dom.HasPrefixFold(id, "ftnt_ref") || dom.HasPrefixFold(id, "footnoteref") ||
		dom.HasPrefixFold(id, "_ednref")
}

// noteText makes a label of a reference's text: the text between the brackets,
// without characters that a label cannot have.
func noteText(s string) string {
	b := make([]byte, 0, 16)
	for _, r := range strings.TrimSpace(s) {
		switch {
		case r <= ' ' || r == 0xa0:
			b = append(b, '-')
		case strings.ContainsRune("[]()^\\`<>|*_", r):
		case r >= 0x80 && text.ClassOf(r) != text.Plain:
		default:
			b = append(b, string(r)...)
		}
		if len(b) > 24 {
			break
		}
	}
	return strings.Trim(string(b), "-")
}

// labelFor returns the label of the footnote with an id, and makes it if need
// be: unique, as near to the text as can be.
func (c *converter) labelFor(id, label string) string {
	if l := c.notes.byID[id]; l != "" {
		return l
	}
	if c.notes.byID == nil {
		c.notes.byID, c.notes.byLabel = map[string]string{}, map[string]string{}
	}
	if c.notes.byLabel[label] != "" {
		if l := noteText(id); l != "" && c.notes.byLabel[l] == "" {
			label = l
		} else {
			return label // two notes of one name: the page says no more
		}
	}
	c.notes.byID[id], c.notes.byLabel[label] = label, id
	return label
}

// noteLabel reports whether n is the text of a footnote, and its label: one
// that was referred to, or an entry of an element that says it holds notes.
func (c *converter) noteLabel(n *html.Node) (string, bool) {
	if c.inNote > 0 || c.only > 0 {
		return "", false
	}
	id := dom.Attr(n, "id")
	if id == "" {
		return "", false
	}
	if l := c.notes.byID[id]; l != "" {
		return l, true
	}
	if n.DataAtom != atom.Li || n.Parent == nil {
		return "", false
	}
	for p, i := n.Parent, 0; p != nil && i < 2; p, i = p.Parent, i+1 {
		if holdsNotes(p) {
			ord := 1
			for k, steps := n.PrevSibling, 0; k != nil && steps < 2000; k, steps = k.PrevSibling, steps+1 {
				if k.DataAtom == atom.Li {
					ord++
				}
			}
			return c.labelFor(id, itoa(ord)), true
		}
	}
	return "", false
}

// holdsNotes reports whether an element says that footnotes are all it holds.
func holdsNotes(n *html.Node) bool {
	switch dom.Attr(n, "role") {
	case "doc-endnotes", "doc-footnotes":
		return true
	}
	switch dom.Attr(n, "epub:type") {
	case "footnotes", "endnotes", "rearnotes":
		return true
	}
	if dom.HasAttr(n, "data-footnotes") {
		return true
	}
	for tok := range strings.FieldsSeq(dom.Attr(n, "class")) {
		if tok == "footnotes" || tok == "footnotes-list" || tok == "footnote-list" {
			return true
		}
	}
	return false
}

// footnote converts the text of a footnote and puts it at the place of the list
// that contained it.
func (c *converter) footnote(n *html.Node, v dom.Choice, label string, to *[]page.Block) {
	c.flush()
	c.inNote++
	blocks := c.contained(n, v)
	c.inNote--
	if len(blocks) > 0 {
		*to = append(*to, page.Block{Kind: page.Footnote, ID: label, Children: blocks})
	}
}

// isBackLink reports whether a link leads from a footnote back to its place.
func isBackLink(n *html.Node, href string) bool {
	if dom.Attr(n, "role") == "doc-backlink" || dom.Attr(n, "epub:type") == "backlink" || dom.HasAttr(n, "data-footnote-backref") {
		return true
	}
	for tok := range strings.FieldsSeq(dom.Attr(n, "class")) {
		switch tok {
		case "footnote-backref", "footnote-back", "reversefootnote", "fn-backref", "data-footnote-backref", "footnote-number":
			return true
		}
	}
	i := strings.IndexByte(href, '#')
	if i < 0 {
		return false
	}
	if isBackID(href[i+1:]) {
		return true
	}
	switch strings.TrimRightFunc(strings.TrimSpace(shallowText(n, 16)), func(r rune) bool { return text.ClassOf(r) == text.Variation }) {
	case "↩", "^", "↑", "⏎", "⤴", "↵":
		return true
	}
	return false
}

func itoa(i int) string {
	var b [20]byte
	p := len(b)
	for {
		p--
		b[p] = byte('0' + i%10)
		if i /= 10; i == 0 {
			return string(b[p:])
		}
	}
}
