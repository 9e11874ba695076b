package crawl

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/terms"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// A crawl with a query reads the most promising page first. How promising a page is
// follows from what is known before it is read: its address, what links call it, the
// words around these links, and how well the pages match on which they stand. The
// weight of a word is how rare it is among the pages that are known. The weights
// below were chosen on the index of one manual (make focus) and are few, so that
// they hold for others.
const (
	weightAround = .35 // words around a link
	weightFrom   = .2  // the match of the best page that links here
	weightPhrase = .3  // the address has the query's words in a row ("createtableas")
	weightPairs  = .2  // two words follow each other as in the query: numbers of versions
	maxAround    = 400 // bytes: a longer block says little of one link
	maxCalled    = 100 // words of a link's text
	maxAnchors   = 8   // texts of links that are kept for one page
	maxFocus     = maxMapped
)

// Focus orders the pages of a crawl for a query. It is not safe for concurrent use.
type Focus struct {
	query  Query
	near   *nearness // nil: by words alone
	words  frequencies
	pages  map[string]*prospect
	listed []*prospect // in the order in which they became known
	// touched are those that the pages since the last call of changed link to. reads
	// counts pages, and fullAt is the count at which all scores are computed again.
	touched       []*prospect
	reads, fullAt int
}

// prospect is a page that is known and not read.
type prospect struct {
	url     string
	seq     int
	address []string
	phrase  bool       // the address has the words of the query in a row
	anchors [][]string // what links call it, as wordsIn has it
	around  []string   // of the best block so far, likewise
	from    float64
	like    likeness
	score   float64
	read    bool
}

// NewFocus returns a Focus for a query.
func NewFocus(query string) *Focus {
	q := NewQuery(query)
	return &Focus{query: q, words: q.frequencies(), pages: map[string]*prospect{}}
}

// Know makes a page known. title is what a source calls it; it may be empty.
func (f *Focus) Know(u weburl.URL, title string) {
	if p := f.know(u, f.query.wordsIn(title)); p != nil {
		f.near.describe(p, title)
	}
}

func (f *Focus) know(u weburl.URL, title []string) *prospect {
	name := u.String()
	p := f.pages[name]
	if p == nil {
		if len(f.listed) >= maxFocus {
			return nil
		}
		p = &prospect{url: name, seq: len(f.listed), address: wordsOfURL(u)}
		p.phrase = len(f.query.words) > 1 && strings.Contains(strings.Join(p.address, ""), strings.Join(f.query.words, ""))
		f.pages[name] = p
		f.listed = append(f.listed, p)
		f.words.add(p.address)
	}
	p.called(title)
	return p
}

// wordsIn are the words of a text with the others than the query's empty: these count only
// by their number. It is nil where none is the query's.
func (q Query) wordsIn(s string) (out []string) {
	found := false
	terms.Scan(s, func(w []byte) {
		if len(out) == maxCalled {
			return
		}
		word := ""
		if i := slices.Index(q.words, string(terms.Stem(w))); i >= 0 {
			word, found = q.words[i], true
		}
		out = append(out, word)
	})
	if !found {
		return nil
	}
	return out
}

// called adds what a link calls the page.
func (p *prospect) called(title []string) {
	if len(title) == 0 || len(p.anchors) == maxAnchors || slices.ContainsFunc(p.anchors, func(a []string) bool { return slices.Equal(a, title) }) {
		return
	}
	p.anchors = append(p.anchors, title)
}

// Read takes a page that was read: its words, and its links to pages that are known or
// that follows allows; nil allows all. It returns how well the page matches, from 0 to
// about 1.
func (f *Focus) Read(u weburl.URL, p *page.Page, follows func(weburl.URL) bool) float64 {
	if known := f.pages[u.String()]; known != nil {
		known.read = true
	}
	f.reads++
	counts, n := f.query.count(p)
	f.words.add(slices.Collect(maps.Keys(counts)))
	match := f.query.match(&f.words, counts, n)
	linked := map[string]*prospect{}
	for _, l := range p.Links {
		to, err := weburl.Parse(l.URL)
		if err != nil {
			continue
		}
		to, _ = to.WithoutUserinfo().WithoutFragment().Clean()
		if follows != nil && f.pages[to.String()] == nil && !follows(to) {
			continue // a page that is not read promises nothing
		}
		prospect := f.know(to, f.query.wordsIn(l.Text))
		if prospect == nil || prospect.read {
			continue
		}
		prospect.from = max(prospect.from, match)
		f.touched = append(f.touched, prospect)
		linked[l.URL] = prospect
	}
	contexts := linkContexts(p, func(url string) bool { return linked[url] != nil })
	for _, l := range p.Links {
		prospect := linked[l.URL]
		for _, c := range contexts[l.URL] {
			prospect.called(f.query.wordsIn(c.text))
			words := f.query.wordsIn(c.around)
			if len(prospect.around) == 0 || f.query.share(&f.words, words) > f.query.share(&f.words, prospect.around) {
				prospect.around = words
			}
		}
		if prospect == nil {
			continue
		}
		called := l.Text
		if c := contexts[l.URL]; len(c) > 0 {
			called = c[0].text + " " + c[0].around
		}
		f.near.describe(prospect, called)
	}
	return match
}

// scoreOf is how promising a page is. It changes with each page that is read.
func (f *Focus) scoreOf(u weburl.URL) float64 {
	if p := f.pages[u.String()]; p != nil {
		return f.score(p)
	}
	return 0
}

func (f *Focus) score(p *prospect) float64 {
	// What a page is called counts once, in its best form.
	called, pairs := f.query.share(&f.words, p.address), f.query.pairs(&f.words, p.address)
	for _, a := range p.anchors {
		called, pairs = max(called, f.query.share(&f.words, p.address, a)), max(pairs, f.query.pairs(&f.words, a))
	}
	called += weightPairs * pairs
	if p.phrase {
		called += weightPhrase
	}
	return called + weightAround*f.query.share(&f.words, nil, p.around) + weightFrom*p.from + weightMeant*f.near.of(p)
}

// Next returns the most promising page that is not read, "" when none is left.
func (f *Focus) Next() string {
	var best *prospect
	for _, p := range f.listed {
		if p.read {
			continue
		}
		if p.score = f.score(p); best == nil || p.score > best.score {
			best = p
		}
	}
	if best == nil {
		return ""
	}
	return best.url
}

// pairs is the part of the weight of the query's neighbouring words that follow each
// other in a text too.
func (q Query) pairs(f *frequencies, text []string) float64 {
	var got, all float64
	for i := 1; i < len(q.words); i++ {
		weight := max(f.idf(q.words[i-1]), f.idf(q.words[i]))
		all += weight
		for k := 1; k < len(text); k++ {
			if text[k-1] == q.words[i-1] && text[k] == q.words[i] {
				got += weight
				break
			}
		}
	}
	if all == 0 {
		return 0
	}
	return got / all
}

// match is how well a page matches: BM25 over the weight of the query.
func (q Query) match(f *frequencies, counts map[string]int, n int) float64 {
	const k1, b, usual = 1.2, .6, 900 // words of a usual page
	var got, all float64
	for _, w := range q.words {
		weight := f.idf(w)
		tf := float64(counts[w])
		got += weight * tf / (tf + k1*(1-b+b*float64(n)/usual))
		all += weight
	}
	if all == 0 {
		return 0
	}
	return got / all
}

// count counts how often each word of the query stands in a page's content, where it
// does, and all its words.
func (q Query) count(p *page.Page) (counts map[string]int, n int) {
	counts = map[string]int{}
	wanted := q.frequencies().texts
	word := func(w []byte) {
		w = terms.Stem(w)
		if _, ok := wanted[string(w)]; ok {
			counts[string(w)]++
		}
		n++
	}
	var x terms.Scanner
	scan := func(s string) { x.Scan(s, word) }
	scan(p.Meta.Title)
	eachText(p.Blocks, scan)
	return counts, n
}

// eachText calls f for the texts of blocks.
func eachText(blocks []page.Block, f func(string)) {
	for i := range blocks {
		b := &blocks[i]
		if b.Text != "" {
			f(b.Text)
		}
		if len(b.Inlines) > 0 {
			f(page.InlineText(b.Inlines))
		}
		eachText(b.Children, f)
		if b.Table != nil {
			for _, row := range b.Table.Rows {
				for _, c := range row {
					eachText(c.Blocks, f)
				}
			}
		}
	}
}

// linkContext is one link in the content.
type linkContext struct{ text, around string }

// linkContexts are the wanted links of the content with the blocks in which they stand.
func linkContexts(p *page.Page, wanted func(url string) bool) map[string][]linkContext {
	out := map[string][]linkContext{}
	var walk func(blocks []page.Block)
	walk = func(blocks []page.Block) {
		for i := range blocks {
			b := &blocks[i]
			if len(b.Inlines) > 0 {
				around := page.InlineText(b.Inlines)
				if len(around) > maxAround {
					around = ""
				}
				eachLink(b.Inlines, func(l *page.Inline) {
					u, _, _ := strings.Cut(l.URL, "#")
					if wanted(u) && len(out[u]) < maxAnchors {
						out[u] = append(out[u], linkContext{page.InlineText(l.Children), around})
					}
				})
			}
			walk(b.Children)
			if b.Table != nil {
				for _, row := range b.Table.Rows {
					for _, c := range row {
						walk(c.Blocks)
					}
				}
			}
		}
	}
	walk(p.Blocks)
	return out
}

func eachLink(in []page.Inline, f func(*page.Inline)) {
	for i := range in {
		if in[i].Kind == page.LinkInline {
			f(&in[i])
		}
		eachLink(in[i].Children, f)
	}
}

// priorityOf makes a priority of a score.
func priorityOf(score float64) int32 {
	return int32(math.Round(min(max(score, -100), 100) * 1e6))
}

// restore takes a page that is over: an earlier run has read it, or it cannot be read.
func (f *Focus) restore(url, title string) {
	u, err := weburl.Parse(url)
	if err != nil {
		return
	}
	if p := f.know(u, f.query.wordsIn(title)); p != nil {
		p.read = true
	}
}

// best is the score of the most promising page that is not read.
func (f *Focus) best() float64 {
	best := 0.
	for _, p := range f.listed {
		if !p.read {
			best = max(best, p.score)
		}
	}
	return best
}

// changed computes scores, and returns the priorities that differ from those in has,
// which it updates: at most mostRanked, the best ones first. Of many pages it computes
// only the scores of those that were linked since, and all of them each time when a
// quarter more has been read: the weights of words change slowly.
func (f *Focus) changed(has map[string]int32) (to []frontier.Rank) {
	const mostRanked, difference = 2000, 5000 // .005 of a score
	const many = 500
	look := f.listed
	if len(look) > many && f.reads < f.fullAt {
		look = f.touched
	} else {
		f.fullAt = f.reads + 1 + f.reads/4
	}
	f.touched = nil
	for _, p := range look {
		if p.read {
			delete(has, p.url)
			continue
		}
		p.score = f.score(p)
		old, queued := has[p.url]
		priority := priorityOf(p.score)
		if queued && (priority-old >= difference || old-priority >= difference) {
			to = append(to, frontier.Rank{URL: p.url, Priority: priority})
		}
	}
	slices.SortStableFunc(to, func(a, b frontier.Rank) int { return cmp.Compare(b.Priority, a.Priority) })
	to = to[:min(len(to), mostRanked)]
	for _, r := range to {
		has[r.URL] = r.Priority
	}
	return to
}
