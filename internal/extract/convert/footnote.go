package convert

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Footnotes. A reference is a link to a fragment that its role, its class or the name of
// the fragment calls one, or that is raised or in brackets and whose target links back.
// The text of the note is the block around the target, wherever it is.

// notes are the footnotes that were referred to so far.
type notes struct {
	byID    map[string]string     // label by fragment
	byLabel map[string]string     // fragment by label
	texts   map[*html.Node]string // label by the block of the note
	targets map[string]*html.Node // elements of the page by ID; nil until the first reference
}

// noteRef converts a reference to a footnote, given the link or a sup with nothing
// else, and reports whether n was one.
func (c *converter) noteRef(n *html.Node) bool {
	a := n
	if n.DataAtom == atom.Sup {
		if a = onlyLink(n); a == nil {
			return false
		}
	}
	before, id, _ := strings.Cut(dom.Attr(a, "href"), "#")
	label := noteText(shallowText(a, shortText))
	if id == "" || label == "" || isBackID(id) || before != "" && !isNoteID(id) || isBackLink(a, "") {
		return false
	}
	block := c.noteBlock(a, id)
	raised := n.DataAtom == atom.Sup || a.Parent.DataAtom == atom.Sup
	switch {
	case isMarkedRef(a), raised && isNoteID(id):
	case block != nil && (raised || isNumber(label)) && len(label) <= wordLetters && linksBack(block, a):
	default:
		return false
	}
	label = c.labelFor(id, label)
	if block != nil {
		if c.notes.texts == nil {
			c.notes.texts = map[*html.Node]string{}
		}
		c.notes.texts[block] = label
	}
	c.flushText()
	c.hold = true // a reference follows its word without a space
	c.inline(page.Inline{Kind: page.FootnoteRef, Text: label})
	return true
}

// onlyLink returns the one link of a sup, in brackets or not, or nil.
func onlyLink(sup *html.Node) (a *html.Node) {
	for k := range sup.ChildNodes() {
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

// isMarkedRef reports whether role, attributes or classes make a link a reference.
func isMarkedRef(a *html.Node) bool {
	if dom.Attr(a, "role") == "doc-noteref" || dom.Attr(a, "epub:type") == "noteref" || dom.HasAttr(a, "data-footnote-ref") {
		return true
	}
	return hasAny(a, "footnote-ref footnote-reference footnote_referrer noteref footnote-anchor fn-ref")
}

// hasAny reports whether n has one of some classes.
func hasAny(n *html.Node, classes string) bool {
	for tok := range strings.FieldsSeq(dom.Attr(n, "class")) {
		if strings.Contains(classes, tok) && dom.HasToken(classes, tok) {
			return true
		}
	}
	return false
}

// noteBlock returns the block around the target of a reference, nil for none: a block
// with the reference in it is no note.
func (c *converter) noteBlock(a *html.Node, id string) *html.Node {
	if c.notes.targets == nil {
		c.notes.targets = map[string]*html.Node{}
		for k := range dom.Below(c.root) {
			if k.Type != html.ElementNode {
				continue
			}
			key := dom.Attr(k, "id")
			if key == "" && k.DataAtom == atom.A {
				key = dom.Attr(k, "name")
			}
			if key != "" && (c.notes.targets[key] == nil || hasAny(k, "footnote") && !hasAny(c.notes.targets[key], "footnote")) {
				c.notes.targets[key] = k
			}
		}
	}
	n := c.notes.targets[id]
	for n != nil && dom.IsInline(n.DataAtom) {
		n = n.Parent
	}
	if n != nil && n.DataAtom == atom.Dt {
		n = nextElement(n)
	}
	if n == nil {
		return nil
	}
	switch n.DataAtom {
	case atom.Li, atom.P, atom.Div, atom.Dd, atom.Aside, atom.Section:
		for up := a; up != nil; up = up.Parent {
			if up == n {
				return nil
			}
		}
		return n
	}
	return nil
}

// linksBack reports whether a note links to its reference or to what is around that.
func linksBack(note, ref *html.Node) bool {
	nodes := 0
	for k := range dom.Below(note) {
		if nodes++; nodes > noteNodes {
			break
		}
		if k.DataAtom != atom.A {
			continue
		}
		id, ok := strings.CutPrefix(dom.Attr(k, "href"), "#")
		for up, i := ref, 0; ok && id != "" && up != nil && i <= 2; up, i = up.Parent, i+1 {
			if dom.Attr(up, "id") == id || dom.Attr(up, "name") == id {
				return true
			}
		}
	}
	return false
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

// isBackID reports whether a fragment is named as that of a reference, e.g. "fnref:1".
func isBackID(id string) bool {
	for _, p := range [...]string{"fnref", "cite_ref", "footnote-ref", "footnoteref", "footnote-anchor", "user-content-fnref", "_ftnref", "ftnt_ref", "_ednref"} {
		if dom.HasPrefixFold(id, p) {
			return true
		}
	}
	return false
}

// noteText makes a label of the text of a reference: without brackets and other
// characters that a label cannot have.
func noteText(s string) string {
	var b strings.Builder
	for _, r := range strings.TrimSpace(s) {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('-')
		case r <= ' ' || strings.ContainsRune("[]()^\\`<>|*_", r) || r >= utf8.RuneSelf && text.ClassOf(r) != text.Plain:
		default:
			b.WriteRune(r)
		}
		if b.Len() > noteLabelLn {
			break
		}
	}
	return strings.Trim(b.String(), "-.")
}

// labelFor returns the label of the footnote with an ID, and makes it where there is
// none: unique, and the text of the reference if that is free.
func (c *converter) labelFor(id, label string) string {
	if l := c.notes.byID[id]; l != "" {
		return l
	}
	if c.notes.byID == nil {
		c.notes.byID, c.notes.byLabel = map[string]string{}, map[string]string{}
	}
	if c.notes.byLabel[label] != "" {
		l := noteText(id)
		if l == "" || c.notes.byLabel[l] != "" {
			return label // two notes of one name: the page says no more
		}
		label = l
	}
	c.notes.byID[id], c.notes.byLabel[label] = label, id
	return label
}

// noteLabel reports whether n is the text of a footnote that was referred to, and its label.
func (c *converter) noteLabel(n *html.Node) (string, bool) {
	l := c.notes.texts[n]
	return l, l != "" && c.inNote == "" && c.only == 0
}

// footnote converts the text of a footnote and adds it to the blocks around it.
func (c *converter) footnote(n *html.Node, v dom.Choice, label string, to *[]page.Block) {
	c.flush()
	c.inNote = label
	blocks := c.contained(n, v)
	c.inNote = ""
	if len(blocks) > 0 {
		*to = append(*to, page.Block{Kind: page.Footnote, ID: label, Children: blocks})
	}
}

// repeatsLabel reports whether an element at the beginning of a note is its number.
func (c *converter) repeatsLabel(n *html.Node) bool {
	if c.inNote == "" || c.started || len(c.out) > 0 || !dom.IsInline(n.DataAtom) {
		return false
	}
	t := noteText(dom.NodeText(n, shortText))
	return t == c.inNote || t != "" && isNumber(t)
}

// endnotes converts an element with footnotes, without the rule and the hidden heading
// that set them apart.
func (c *converter) endnotes(n *html.Node, v dom.Choice) {
	c.flush()
	for k := range n.ChildNodes() {
		if k.DataAtom != atom.Hr && !(dom.HeadingLevel(k) > 0 && hasAny(k, "sr-only visually-hidden")) {
			c.node(k, v)
		}
	}
	c.flush()
}

// isBackLink reports whether a link in a footnote leads back to its reference.
func isBackLink(n *html.Node, href string) bool {
	if dom.Attr(n, "role") == "doc-backlink" || dom.HasAttr(n, "data-footnote-backref") || dom.HasToken("backlink referrer", dom.Attr(n, "epub:type")) ||
		hasAny(n, "footnote-backref footnote-back reversefootnote fn-backref data-footnote-backref footnote-number") {
		return true
	}
	if _, id, ok := strings.Cut(href, "#"); !ok || !isBackID(id) && strings.ContainsFunc(shallowText(n, shortText), isLetterOrDigit) {
		return false
	}
	return true
}
