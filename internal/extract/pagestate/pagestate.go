// Package pagestate provides the content of pages that show next to nothing and
// carry their content as data: as JSON-LD, or as the state from which their
// scripts would make elements.
//
//	shown := pagestate.Shown{Text: text, Plain: words, Chosen: chosen}
//	if pagestate.Unpack(doc, head, url, shown, articleBytes) {
//		// the body of doc holds the content of the data: read it again
//	}
//
// source.go collects data from scripts and attributes, json.go reads it, item.go
// finds the object that is the page by its title and address and takes the prose
// of that object, ld.go writes JSON-LD as elements, rich.go writes the trees of
// editors. The result is put into the body, so that the later stages handle it
// as any page: hidden parts are removed, markup is converted, and the data is
// trusted no more than markup.
//
// # Guarantees
//
// Scripts are never run: a value is read where a script assigns a literal. The
// functions are pure but for the tree that they are given. Every input ends
// within fixed numbers of bytes, values and levels, and none panics.
//
// # Limits
//
// There are no rules for single sites. Data that a script computes, or fetches from
// another address, is not found.
package pagestate

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	shellWords = 200 // words outside of links up to which a page may be a shell
	shellTaken = 150 // words chosen of it
	bareShell  = 60  // words chosen of it from which on data needs one long text
	minUnpack  = 20  // words that are worth a replacement
	longerBy   = 100 // words by which JSON-LD must exceed a page that is not a shell
	mostShared = .5  // share of the data's word runs that the page may show already
)

// Shown is the text that the elements of a page show.
type Shown struct {
	Text   []byte
	Plain  int32 // words of blocks that are not mostly links
	Chosen int32 // words of the blocks that are chosen
}

// Unpack replaces the body of a page by the content of its data, if that has many
// more words than the chosen blocks and the page does not show them. It reports
// whether it did. bodyBytes is the length of the text of an article in
// JSON-LD, or 0.
func Unpack(doc *html.Node, h dom.Head, url string, show Shown, bodyBytes int) bool {
	shell := show.Chosen <= shellTaken && show.Plain <= shellWords
	if h.Body == nil || !shell && bodyBytes <= 5*(2*int(show.Chosen)+longerBy) {
		return false
	}
	src := readSources(doc, !shell)
	best := bestOf(src, h, url, newMeasure(show, shell))
	if best == nil {
		return false
	}
	for h.Body.FirstChild != nil {
		h.Body.RemoveChild(h.Body.FirstChild)
	}
	content := dom.Element(atom.Main, "")
	for _, n := range best {
		content.AppendChild(n)
	}
	h.Body.AppendChild(content)
	return true
}

// bestOf returns the content of the data, or nil if it has few words that the page
// does not show.
func bestOf(src *stateSources, h dom.Head, url string, m measure) (best []*html.Node) {
	words := int32(0)
	w := writeLD(src.ld)
	if w.body >= minUnpack {
		if words = m.words(dom.TokenText([]byte(w.b.String()))); words > 0 {
			best = dom.ParseFragment(w.b.String())
		}
	}
	if !m.shell {
		return best
	}
	longest := int32(0)
	if m.chosen > bareShell {
		longest = 2 * m.chosen
	}
	nodes, text := unpackUnits(src, h, url, longest)
	// JSON-LD names its parts; other data has to have much more.
	if n := m.words(text); n > words+words/2 {
		best = nodes
	}
	return best
}

// measure says how much of a text the page does not show.
type measure struct {
	shown  map[uint64]bool // runs of words
	chosen int32           // words
	shell  bool
}

func newMeasure(show Shown, shell bool) measure {
	m := measure{shown: map[uint64]bool{}, chosen: show.Chosen, shell: shell}
	grams, _ := gramsOf(string(show.Text))
	for _, g := range grams {
		m.shown[g] = true
	}
	return m
}

// words returns the number of words of a text; 0 if the page shows most of them.
func (m measure) words(text string) int32 {
	grams, n := gramsOf(text)
	if n < max(minUnpack, 2*m.chosen) || !m.shell && n < 2*m.chosen+longerBy || shareIn(grams, m.shown) > mostShared {
		return 0
	}
	return n
}

// unpackUnits finds the content in data without a vocabulary. One of its texts
// must have as many words as longest.
func unpackUnits(src *stateSources, h dom.Head, url string, longest int32) (nodes []*html.Node, text string) {
	if len(src.state) == 0 {
		return nil, ""
	}
	c := &collector{budget: src.budget, refs: map[string]*Value{}, seen: map[string]bool{}}
	c.page(h.Title, url)
	for i := range src.state {
		c.entities(&src.state[i], 0)
	}
	for i := range src.state {
		c.walk(&src.state[i], "", -1, 0)
	}
	// Pieces outside of any object have no unit to be judged by.
	kept := c.pieces[:0]
	for _, p := range c.pieces {
		if p.unit >= 0 {
			kept = append(kept, p)
		}
	}
	c.pieces = kept
	chosen := c.choose(h.Description)
	if !slices.ContainsFunc(chosen, func(p piece) bool { return p.words >= longest }) {
		return nil, ""
	}
	return c.build(chosen, h.Title)
}

// page records the page's title and address.
func (c *collector) page(title, url string) {
	for rest := title[:min(len(title), 400)]; rest != ""; {
		var part string
		part, rest = dom.CutTitle(rest)
		if part = dom.PlainWords(part); strings.Contains(part, " ") || len(c.titles) == 0 && part != "" {
			c.titles = append(c.titles, part)
		}
	}
	_, c.path = dom.HostAndPath(url)
	c.path, _, _ = strings.Cut(c.path, "?")
	c.path, _, _ = strings.Cut(c.path, "#")
	trimmed := strings.Trim(c.path, "/")
	c.slug = trimmed[strings.LastIndexByte(trimmed, '/')+1:]
}

// build makes elements of pieces. Each is parsed for itself, so that markup in
// one cannot reach into the next.
func (c *collector) build(pieces []piece, title string) (nodes []*html.Node, text string) {
	var b strings.Builder
	var into *html.Node
	last := int32(-1)
	for _, p := range pieces {
		if p.unit != last {
			u := &c.units[p.unit]
			into = dom.Element(atom.Div, "")
			if len(nodes) > 0 && u.author != "" {
				into = dom.Element(atom.Div, "topic-post post")
			}
			nodes = append(nodes, into)
			tag := atom.H2
			if len(nodes) == 1 {
				tag = atom.H1
				if u.title == "" {
					u.title, _ = dom.CutTitle(title)
				}
			}
			if t := strings.TrimSpace(u.title); t != "" {
				into.AppendChild(dom.Leaf(tag, "", t))
			}
			if who := strings.TrimSpace(u.author + " " + u.date); u.author != "" && len(pieces) > 1 {
				into.AppendChild(dom.Leaf(atom.P, "names", who))
			}
			last = p.unit
		}
		part := dom.Element(atom.Div, "")
		for _, n := range dom.ParseFragment(p.html) {
			part.AppendChild(n)
		}
		into.AppendChild(part)
		b.WriteString(dom.TokenText([]byte(p.html)))
		b.WriteByte('\n')
	}
	return nodes, b.String()
}
