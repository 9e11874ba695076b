package about

import (
	"slices"
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Shown is the text that the elements of a page show.
type Shown struct {
	Text   []byte
	Plain  int32 // words of blocks that are not mostly links
	Chosen int32 // words of the blocks that are chosen
	Sure   int32 // words of blocks that are rather content than not
}

// Unpack replaces the body of a page by the content of its data, if that has many
// more words than the chosen blocks and the page does not show them. It reports
// whether it did. The state of scripts is only read of a page that shows next to nothing.
func Unpack(doc *html.Node, g *Graph, h dom.Head, show Shown) bool {
	m := measure{chosen: show.Chosen, isShell: show.Sure <= shellSure && show.Plain <= shellWords}
	if h.Body == nil || !m.isShell && !g.hasBody(m.least()) {
		return false
	}
	m.shown = map[uint64]bool{}
	grams, _ := gramsOf(string(show.Text))
	for _, gram := range grams {
		m.shown[gram] = true
	}
	var content []*html.Node
	w := writer{Graph: g}
	w.write()
	words := m.words(dom.TokenText([]byte(w.b.String())))
	if words > 0 && w.words >= minUnpack {
		content = dom.ParseFragment(w.b.String())
	}
	if m.isShell {
		// JSON-LD names its parts; other data must have much more.
		if nodes, said := m.unpackState(doc, h.Title); m.words(said) > words+words/2 {
			content = nodes
		}
	}
	if content == nil {
		return false
	}
	for h.Body.FirstChild != nil {
		h.Body.RemoveChild(h.Body.FirstChild)
	}
	root := dom.Element(atom.Main, "")
	for _, n := range content {
		root.AppendChild(n)
	}
	h.Body.AppendChild(root)
	return true
}

// hasBody reports whether an article of JSON-LD has a text of about so many words.
func (g *Graph) hasBody(words int32) bool {
	for it := range g.topItems() {
		for _, v := range it.Values("articleBody") {
			if it.Source == LinkedData && len(v.Text) > meanWord*int(words) {
				return true
			}
		}
	}
	return false
}

// unpackState makes elements of the state of scripts, and returns their text. Where the
// page shows some words, one of the texts must be long.
func (m measure) unpackState(doc *html.Node, title string) (nodes []*html.Node, said string) {
	src := stateOf(doc)
	s := &search{budget: src.budget, refs: map[string]*value{}, seen: map[string]bool{}}
	for rest := text.CutBytes(title, maxText); rest != ""; {
		var part string
		part, rest = dom.CutTitle(rest)
		if part = dom.PlainWords(part); strings.Contains(part, " ") || len(s.titles) == 0 && part != "" {
			s.titles = append(s.titles, part)
		}
	}
	for i := range src.state {
		s.entities(&src.state[i], 0)
	}
	for i := range src.state {
		s.walk(&src.state[i], -1, 0)
	}
	chosen := s.choose()
	if m.chosen > bareShell && !slices.ContainsFunc(chosen, func(p piece) bool { return p.words >= 2*m.chosen }) {
		return nil, ""
	}
	return s.build(chosen, title)
}

// measure says how much of a text the page does not show.
type measure struct {
	shown   map[uint64]bool // runs of words
	chosen  int32           // words
	isShell bool
}

// least is how many words data must have.
func (m measure) least() int32 {
	if m.isShell {
		return max(minUnpack, 2*m.chosen)
	}
	return 2*m.chosen + longerBy
}

// words returns the number of words of a text; 0 if the page shows most of them.
func (m measure) words(text string) int32 {
	grams, n := gramsOf(text)
	if n < m.least() || shareIn(grams, m.shown) > mostShared {
		return 0
	}
	return n
}

// gramsOf hashes runs of words (FNV-1a), and counts the words; two CJK characters are one.
func gramsOf(s string) (grams []uint64, words int32) {
	const offset, prime = 14695981039346656037, 1099511628211
	var hashes []uint64
	h, in, wide := uint64(offset), false, 0
	end := func() {
		if in {
			hashes = append(hashes, h)
		}
		h, in = offset, false
	}
	for _, r := range s {
		isWide := text.IsCJK(r)
		if isWide || !text.IsWord(r) {
			end()
		}
		if !text.IsWord(r) {
			continue
		}
		if h, in = (h^uint64(unicode.ToLower(r)))*prime, true; isWide {
			wide++
			end()
		}
	}
	end()
	for i := range hashes {
		if run := hashes[i:min(i+gramWords, len(hashes))]; i == 0 || len(run) == gramWords {
			g := uint64(offset)
			for _, w := range run {
				g = (g ^ w) * prime
			}
			grams = append(grams, g)
		}
	}
	return grams, int32(len(hashes) - wide/2)
}

// shareIn is the share of grams that are in a set.
func shareIn(grams []uint64, set map[uint64]bool) float64 {
	n := 0
	for _, g := range grams {
		if set[g] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(grams)))
}
