package about

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
func Unpack(doc *html.Node, g *Graph, h dom.Head, url string, show Shown) bool {
	m := measure{chosen: show.Chosen, shell: show.Chosen <= shellTaken && show.Plain <= shellWords}
	if h.Body == nil || !m.shell && !g.hasBody(m.least()) {
		return false
	}
	grams, _ := gramsOf(string(show.Text))
	m.shown = make(map[uint64]bool, len(grams))
	for _, gram := range grams {
		m.shown[gram] = true
	}
	best := bestOf(doc, g, h, url, m)
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
func bestOf(doc *html.Node, g *Graph, h dom.Head, url string, m measure) (best []*html.Node) {
	words := int32(0)
	w := writer{Graph: g}
	if w.write(); w.words >= minUnpack {
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
	nodes, text := unpackUnits(stateOf(doc), h, url, longest)
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

// least is how many words data must have.
func (m measure) least() int32 {
	if m.shell {
		return max(minUnpack, 2*m.chosen)
	}
	return 2*m.chosen + longerBy
}

// hasBody reports whether an article of JSON-LD has a text of about so many words.
func (g *Graph) hasBody(words int32) bool {
	for it := range g.topItems() {
		for _, v := range it.values("articleBody") {
			if it.Source == LinkedData && len(v.Text) > meanWord*int(words) {
				return true
			}
		}
	}
	return false
}

// words returns the number of words of a text; 0 if the page shows most of them.
func (m measure) words(text string) int32 {
	grams, n := gramsOf(text)
	if n < m.least() || shareIn(grams, m.shown) > mostShared {
		return 0
	}
	return n
}

// unpackUnits finds the content in data without a vocabulary. One of its texts
// must have as many words as longest.
func unpackUnits(src *sources, h dom.Head, url string, longest int32) (nodes []*html.Node, text string) {
	if len(src.state) == 0 {
		return nil, ""
	}
	c := &search{budget: src.budget, refs: map[string]*value{}, seen: map[string]bool{}}
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
func (c *search) page(title, url string) {
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
func (c *search) build(pieces []piece, title string) (nodes []*html.Node, text string) {
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
