package blocks

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A generator is a program that makes threads: how its pages and posts are
// recognized.
type generator struct {
	name      string
	page      *css.Selector // of an element that only its pages have; nil: items
	items     bool          // its pages have items of microdata
	post      *css.Selector
	author    []*css.Selector // the best first
	attribute string          // of the author's name, in the place of author
	date      []*css.Selector
	votes     *css.Selector
	score     string        // of the attribute with the votes, in the place of votes
	beside    *css.Selector // what is not text in a post
	accepted  string
	below     bool
}

//go:embed generator.txt
var generatorFile string

// generators reads the data file, which is ours; a test reads it too.
var generators = sync.OnceValue(func() []generator {
	var out []generator
	for line := range strings.Lines(generatorFile) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			out = append(out, generator{name: strings.Trim(line, "[]")})
		default:
			out[len(out)-1].set(line)
		}
	}
	return out
})

func (g *generator) set(line string) {
	key, value, _ := strings.Cut(line, " ")
	value = strings.TrimSpace(value)
	compiled := func(value string) *css.Selector {
		s, err := css.Compile(value)
		if err != nil {
			panic("generator.txt: " + g.name + ": " + value)
		}
		return s
	}
	inOrder := func() (list []*css.Selector) {
		for one := range strings.SplitSeq(value, ", ") {
			list = append(list, compiled(one))
		}
		return list
	}
	switch key {
	case "page":
		g.page = compiled(value)
	case "items":
		g.items = true
	case "post":
		g.post = compiled(value)
	case "author":
		if name, ok := strings.CutPrefix(value, "@"); ok {
			g.attribute = name
			return
		}
		g.author = inOrder()
	case "date":
		g.date = inOrder()
	case "votes":
		if name, ok := strings.CutPrefix(value, "@"); ok {
			g.score = name
			return
		}
		g.votes = compiled(value)
	case "beside":
		g.beside = compiled(value)
	case "below":
		g.below = true
	case "accepted":
		g.accepted = value
	default:
		panic("generator.txt: " + g.name + ": " + key)
	}
}

// generatorOf returns the program that made a page, nil where none of its marks is
// known.
func (seg *Segmentation) generatorOf(body *html.Node) *generator {
	marked, list := seg.mayBeMarked(body), generators()
	for i := range list {
		if g := &list[i]; g.items && seg.items || g.page != nil && slices.ContainsFunc(marked, g.page.Match) {
			return g
		}
	}
	return nil
}

// firstElements is how many elements are asked whether they have the mark of a program.
const firstElements = 300

// mayBeMarked returns the elements in which programs leave their marks: html, body, the generator
// that the page states, and of the first elements each div with attributes and those that HTML
// does not know: of the div elements of one class without an identifier, the first.
func (seg *Segmentation) mayBeMarked(body *html.Node) []*html.Node {
	list := []*html.Node{body}
	if root := body.Parent; root != nil {
		list = append(list, root)
		for head := range root.ChildNodes() {
			if head.DataAtom != atom.Head {
				continue
			}
			for m := range head.ChildNodes() {
				if m.DataAtom == atom.Meta && strings.EqualFold(dom.Attr(m, "name"), "generator") {
					list = append(list, m)
				}
			}
		}
	}
	seen := map[string]bool{} // class attributes
	for i := range seg.elems[:min(len(seg.elems), firstElements)] {
		n := seg.elems[i].node
		switch class := dom.Attr(n, "class"); {
		case n.DataAtom == atom.Div && len(n.Attr) > 0 && (!seen[class] || dom.Attr(n, "id") != ""):
			seen[class] = true
			list = append(list, n)
		case n.DataAtom == 0 && len(n.Attr) > 0:
			list = append(list, n)
		}
	}
	return list
}

// knownPosts returns the posts that the marks of the program that made the page name;
// none where it is not known.
func (seg *Segmentation) knownPosts() []post {
	if !seg.asked && len(seg.elems) > 0 {
		seg.asked = true
		body := seg.elems[0].node
		if seg.program = seg.generatorOf(body); seg.program != nil {
			seg.known = seg.postsOf(seg.program, body)
		}
	}
	return slices.Clone(seg.known)
}

// mostOutside is the share of a thread's words that its page has as content outside of
// the posts at most.
const mostOutside = .2

// IsThread reports whether the marks of the program that made the page say that it is a
// thread, not something with comments below. p has the probabilities of the blocks.
func (seg *Segmentation) IsThread(p []float32) bool {
	known := seg.knownPosts()
	if len(known) == 0 || !seg.program.below {
		return len(known) > 0
	}
	return seg.isMostly(known, p)
}

// LooksLikeThread reports whether the structure of a page shows posts and nearly all of
// its content stands in them. It is asked about pages that would be articles otherwise,
// and would lose their comments.
func (seg *Segmentation) LooksLikeThread(p []float32) bool {
	return seg.isMostly(seg.repeatedPosts(nil), p)
}

// isMostly reports whether little of what is probably content stands outside of posts:
// no more than an opening post may have. One that holds most of the words is an article
// with its author.
func (seg *Segmentation) isMostly(posts []post, p []float32) bool {
	var in, outside, longest int32
	for _, p := range posts {
		longest = max(longest, seg.facts.words[p.b1]-seg.facts.words[p.b0])
	}
	next := 0
	for i := range seg.blocks {
		for next < len(posts) && posts[next].b1 <= int32(i) {
			next++
		}
		switch w := seg.blocks[i].words; {
		case next < len(posts) && posts[next].b0 <= int32(i):
			in += w
		case p[i] > .5:
			outside += w
		}
	}
	return 2*longest < in && outside <= longest && float32(outside) < mostOutside*float32(in)
}

// postsOf finds the posts of a program on its page.
func (seg *Segmentation) postsOf(g *generator, body *html.Node) []post {
	roots := g.rootsIn(body, nil, 0)
	if len(roots) == 0 {
		return nil
	}
	at := make(map[*html.Node]int32, len(roots))
	for _, n := range roots {
		at[n] = -1
	}
	for i := range seg.elems {
		if _, ok := at[seg.elems[i].node]; ok {
			at[seg.elems[i].node] = int32(i)
		}
	}
	var out []post
	for _, n := range roots {
		e := at[n]
		if e < 0 || seg.elems[e].b0 == seg.elems[e].b1 {
			continue
		}
		p := post{b0: seg.elems[e].b0, b1: seg.elems[e].b1, kind: seg.elems[e].kin, depth: seg.elems[e].depth}
		g.read(&p, n, at)
		if p.name != nil || p.author != "" {
			out = append(out, p)
		}
	}
	if g.items && len(out) < leastPosts {
		return nil // a page with one comment is not a thread
	}
	if g.beside != nil {
		seg.beside = map[*html.Node]bool{}
		found, _ := g.beside.Select(body)
		for _, n := range found {
			seg.beside[n] = true
		}
	}
	// A question holds its answers, and a comment those to it.
	for k := 0; k+1 < len(out); k++ {
		out[k].b1 = max(out[k].b0, min(out[k].b1, out[k+1].b0))
	}
	return out
}

// mostNested is how many levels of posts within posts are read.
const mostNested = 8

// rootsIn appends the elements of the posts below n, in page order: those within a post
// too.
func (g *generator) rootsIn(n *html.Node, roots []*html.Node, depth int) []*html.Node {
	found, _ := g.post.Select(n)
	for _, f := range found {
		if roots = append(roots, f); depth < mostNested {
			roots = g.rootsIn(f, roots, depth+1)
		}
	}
	return roots
}

// read reads author, date and votes of a post. at has all posts.
func (g *generator) read(p *post, n *html.Node, at map[*html.Node]int32) {
	if g.attribute != "" {
		for up, k := n, 0; up != nil && k < 3 && p.author == ""; up, k = up.Parent, k+1 {
			if s := text.Line(dom.Attr(up, g.attribute)); isName(s) {
				p.author = s
			}
		}
	} else {
		p.name = g.nameIn(n)
	}
	if f := nearest(g.date, n, p.name); f != nil {
		p.date = shownDate(f)
	}
	if g.votes != nil {
		p.votes = g.votesOf(n, at)
	} else if g.score != "" {
		p.votes = votesIn(dom.Attr(n, g.score))
	}
	for up, k := n, 0; up != nil && k < 4 && g.accepted != ""; up, k = up.Parent, k+1 {
		p.accepted = p.accepted || dom.HasToken(classOf(up), g.accepted)
	}
}

// nameIn returns the element with the name of the author below n: a link in one that the marks
// name, which may say more than the name, else that one; nil for none. A letter or two
// stand in the place of a picture.
func (g *generator) nameIn(n *html.Node) *html.Node {
	const letters = 2
	name := func(f *html.Node) string {
		if s := text.Line(dom.NodeText(f, 4*mostName)); isName(s) {
			return s
		}
		return ""
	}
	var link *html.Node
	f := first(g.author, n, func(f *html.Node) bool {
		for d := range dom.Below(f) {
			if d.DataAtom == atom.A && len(name(d)) > letters {
				link = d
				return true
			}
		}
		return name(f) != ""
	})
	return cmp.Or(link, f)
}

// first returns the first element below n that fits, of the selectors in their
// order; nil for none.
func first(list []*css.Selector, n *html.Node, fits func(*html.Node) bool) *html.Node {
	for _, s := range list {
		found, _ := s.Select(n)
		for _, f := range found {
			if fits(f) {
				return f
			}
		}
	}
	return nil
}

// nearest returns the date below n, of the selectors in their order: of several, the
// one that shares the innermost element with the name, since a post may say who changed
// it, and when.
func nearest(list []*css.Selector, n, name *html.Node) *html.Node {
	around := map[*html.Node]int{} // elements around the name, by depth from below
	for up, k := name, 0; up != nil && up != n; up, k = up.Parent, k+1 {
		around[up] = k
	}
	for _, s := range list {
		var best *html.Node
		least := len(around) + 1
		found, _ := s.Select(n)
		for _, f := range found {
			if shownDate(f) == "" {
				continue
			}
			level := len(around)
			for up := f; up != nil && up != n; up = up.Parent {
				if k, ok := around[up]; ok {
					level = k
					break
				}
			}
			if level < least {
				best, least = f, level
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// votesOf returns the votes within a post, or before it in an element that holds no
// other post before it, as "12 votes".
func (g *generator) votesOf(n *html.Node, at map[*html.Node]int32) string {
	for up, k := n, 0; up != nil && k < 2; up, k = up.Parent, k+1 {
		if k > 0 {
			for d := range dom.Below(up) {
				if d == n {
					break
				}
				if _, other := at[d]; other {
					return ""
				}
			}
		}
		if found, _ := g.votes.Select(up); len(found) > 0 {
			return votesIn(dom.NodeText(found[0], 40))
		}
	}
	return ""
}

// votesIn writes a number of votes as "12 votes"; "" for another text.
func votesIn(s string) string {
	switch s = text.Line(s); {
	case !hasDigit(s) || len(s) > 20:
		return ""
	case strings.Contains(s, " "): // "12 points"
		return s
	case s == "1" || s == "-1":
		return s + " vote"
	}
	return s + " votes"
}
