package passage

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Passages are chosen by what a unit costs against how likely it is that the
// answer stands in it. That likelihood comes from how well the words of the
// unit match (BM25), how well what stands above it does (its headings, the head
// of its table, the line before that), and how well its neighbours do. A table
// gets a likelihood as a whole and shares it among its rows, a part of it
// evenly: where a question names no row, all of a small table is worth more
// than the best rows of several.
// The constants are set by what they stand for and not fitted; `make recall`
// prints what comes of them.

const (
	// k1 and b of BM25, at their customary values.
	bmK1 = 1.2
	bmB  = .6
	// sharpness is how much more likely a unit is that matches all of a query
	// than one that matches nothing: e to the power of it.
	sharpness = 6
	// What neighbours, what is above, and words in the order of the query add
	// to a unit's own match.
	weightNear, weightAbove, weightOrder = .15, .3, .15
	// By how much an amount or a date counts for more where the query asks for one.
	weightWanted = .3
	// What a price has for it on the page of its product: more than a text with all words of
	// the query, which may call the product anything.
	weightPrice = 2
	// What the head of a table and its best row add up to, and how much of a
	// row's match its neighbours have.
	weightHead, weightRow, weightNextRow = .8, .8, .6
	// even is the part of a table's likelihood that its rows share evenly.
	even = .4
	// Prose outside of the main content is less likely.
	asideProse = .1
	// wordsOfAnswer damps texts that say little beside the words of the query: a text
	// that only says what was asked answers nothing. A text with as many other words
	// is half as likely as it would be.
	wordsOfAnswer = 4
	// headingAlone: a heading is not an answer, but leads to one.
	headingAlone = .2
	// overhead is what a unit costs beside its text, in quarters of tokens: a
	// reader pays for each piece.
	overhead = 30
	// Passages that no length was named for end where they hold the answer with this
	// probability and have so many tokens, except where a row of a table is the best one. Of 159
	// questions .981 are answered, in a median of 636 tokens; of 30 others, about manuals,
	// 25.
	enough, fewTokens = .95, 500
)

// bridge is how many characters may stand between two passages for them to be joined: a
// short text is written rather than a mark for a gap.
const bridge = 160

// Gap marks what is left out, rowGap does so between rows.
const (
	Gap    = "[…]"
	rowGap = "\n| " + Gap + " |\n"
)

// Passages are a page read for a query.
type Passages struct {
	md    string
	units []unit
	facts []unitFacts
	table []tableFacts
	query *Query
	cut   bool // it is a part of what was read for the query
	brief bool // they end where they very likely hold the answer
	// matched says that a word of the query is on the page.
	matched bool
	// meant says that a text is near to the query by its meaning.
	meant bool
	// unitText is what a unit is compared by; nil means its Markdown.
	unitText func(i int) string
}

// unitFacts are what is known of a unit.
type unitFacts struct {
	own, above float64 // the match of its words and of what is above it, up to about 1
	likely     float64
	heading    int    // the unit of the heading above it, or -1
	has        uint64 // the terms of the query that it has, by their bits
	says       int    // words that are not the query's
	wordless   bool
	aside      bool
	answers    bool // it has what the query asks for by its kind
	priced     bool // it is the amount of the product that the page is about, and the query asks for one
	cost       cost // of its text
}

// tableFacts are what is known of a table.
type tableFacts struct {
	head        int // the unit of its head
	first, last int // its rows: the units from first to before last
}

// quarters are in a token: ASCII takes a quarter of one for each character.
const quarters = 4

// cost is a length in characters and in quarters of tokens.
type cost struct{ chars, quarters int }

func (c cost) plus(d cost) cost   { return cost{c.chars + d.chars, c.quarters + d.quarters} }
func (c cost) minus(d cost) cost  { return cost{c.chars - d.chars, c.quarters - d.quarters} }
func (c cost) within(d cost) bool { return c.chars <= d.chars && c.quarters <= d.quarters }

func costOf(s string) cost {
	var c cost
	for _, r := range s {
		c.chars++
		if r < utf8.RuneSelf {
			c.quarters++
		} else {
			c.quarters += text.Quarters(r, utf8.RuneLen(r))
		}
	}
	return c
}

// Of reads a page for a query. main is the page without what is around
// its main content, whole has that too; main may be nil or whole.
func Of(whole, main *page.Page, query string) *Passages {
	if main == nil || main == whole {
		return New("", Render(whole), whole.Type, readQuery(query))
	}
	return New(Render(whole), Render(main), main.Type, readQuery(query))
}

// Whole is the whole body of a document of which main is the main content, for
// [Of]: extraction takes tables for boxes of links at times. It is main
// where that is all.
func Whole(main *page.Page, body []byte, mediaType string, o extract.Options) *page.Page {
	o.Whole = true
	if main.Method == page.MethodSpyhop { // of other formats it is all
		if whole, err := extract.Document(body, mediaType, o); err == nil {
			return whole
		}
	}
	return main
}

// Render writes a page as its passages are read.
func Render(p *page.Page) string { return markdown.Render(p, markdown.Options{Words: true}) }

// OfMarkdown reads Markdown that package markdown wrote for a query.
func OfMarkdown(md, query string) *Passages {
	return New("", md, "", readQuery(query))
}

// manyUnits is from how many units on passages are shortened, and keptBudgets how many
// times the budget of a result is kept then: a smaller share of it chooses others.
const manyUnits, keptBudgets = 4000, 3

// Shortened are the passages that a result of at most so many characters and tokens, 0 for
// no limit, is chosen from. What is known of every unit of a large page takes up to ten
// times its text, and the results of a call for several pages are cut when the last one is
// there.
func (p *Passages) Shortened(chars, tokens int) *Passages {
	if chars <= 0 || len(p.units) < manyUnits {
		return p
	}
	short := New("", p.Choose(keptBudgets*chars, keptBudgets*tokens).Text, "", p.query)
	short.cut, short.brief = true, p.brief
	return short
}

// New reads the Markdown of a page. whole has what is around its main content too;
// a page that is not read for that has an empty one.
func New(whole, main string, kind page.Type, query *Query) *Passages {
	p := &Passages{md: main, query: query}
	beside := len(main) // what is behind this is aside of the main content
	if whole != "" {
		p.md, beside = withAside(main, whole)
	}
	p.units = units(p.md, false)
	p.facts = make([]unitFacts, len(p.units))
	for i, u := range p.units {
		p.facts[i].aside = u.from >= beside
	}
	p.match(query)
	if kind == page.Product && query.wanted == anAmount {
		p.findPrice()
	}
	p.weigh(query.wanted)
	return p
}

// Matches reports whether some passage is about the query: it has a word of it, or with its
// headings more than a quarter of many.
func (p *Passages) Matches() bool {
	n := p.query.n
	if !p.matched || p.meant {
		return p.matched
	}
	best := 0
	for _, f := range p.facts {
		has := f.has
		for h := f.heading; h >= 0 && h < len(p.facts) && has != has|p.facts[h].has; h = p.facts[h].heading {
			has |= p.facts[h].has
		}
		best = max(best, bits.OnesCount64(has))
	}
	return n < 4 || 4*best > n
}

// findPrice looks for the amount right below the main heading.
func (p *Passages) findPrice() {
	const near = 8 // units
	for i, u := range p.units {
		if u.kind != headingUnit || u.level != 1 || p.facts[i].aside {
			continue
		}
		for k := i + 1; k < min(i+1+near, len(p.units)); k++ {
			if p.units[k].table < 0 && !p.facts[k].aside && anAmount.in(p.md[p.units[k].from:p.units[k].to]) {
				p.facts[k].priced = true
				return
			}
		}
		return
	}
}

// match scores the words of each unit and what stands above it.
func (p *Passages) match(t *Query) {
	n := t.n
	c := counts{terms: t, tf: make([]uint8, len(p.units)*n), order: make([]uint8, len(p.units)), length: make([]int, len(p.units)), said: make([]int, len(p.units)), df: make([]int, n)}
	for i, u := range p.units {
		if p.unitText != nil {
			c.count(i, p.unitText(i))
		} else {
			c.count(i, p.md[u.from:u.to])
		}
	}
	c.weigh(len(p.units))
	p.matched = slices.Max(append(c.df, 0)) > 0
	var here []int // the headings above, outermost first
	for i, u := range p.units {
		f := &p.facts[i]
		if i > 0 && f.aside != p.facts[i-1].aside {
			here = nil
		}
		f.own, f.cost, f.heading, f.says = c.score(i), costOf(p.md[u.from:u.to]), -1, c.said[i]
		f.wordless = c.length[i] == 0
		for t, n := range c.of(i) {
			if n > 0 {
				f.has |= 1 << t
			}
		}
		above := slices.Clone(here)
		if len(above) > 0 {
			f.heading = above[len(above)-1]
			if p.units[above[0]].level == 1 {
				above = above[1:] // the page's
			}
		}
		switch u.kind {
		case headingUnit:
			for n := len(here); n > 0 && p.units[here[n-1]].level >= u.level; n-- {
				here = here[:n-1]
			}
			here = append(here, i)
		case headUnit:
			p.table = append(p.table, tableFacts{head: i, first: i + 1, last: i + 1})
			above = append(above, i)
			if k := p.before(i); k >= 0 && p.units[k].kind == paragraphUnit {
				above = append(above, k) // the caption, or what leads to the table
			}
		case rowUnit:
			p.table[u.table].last = i + 1
			continue
		}
		f.above = c.covers(above)
	}
}

// weigh makes likelihoods of scores.
func (p *Passages) weigh(w wanted) {
	for i, u := range p.units {
		p.facts[i].answers = u.table < 0 && w.in(p.md[u.from:u.to])
	}
	for i := range p.units {
		if p.units[i].table < 0 {
			p.weighUnit(i)
		}
	}
	for _, t := range p.table {
		p.weighTable(t)
	}
	p.matched = p.matched && slices.ContainsFunc(p.facts, func(f unitFacts) bool { return f.likely > 0 })
}

// weighUnit makes a likelihood of the score of unit i, which is not of a table.
func (p *Passages) weighUnit(i int) {
	f := &p.facts[i]
	x := f.own + weightAbove*f.above + weightNear*p.near(i)
	if f.priced {
		x += weightPrice
	}
	says, wants := 0, false
	for _, k := range p.withText(i) {
		says += p.facts[k].says
		wants = wants || p.facts[k].answers
	}
	if wants {
		x *= 1 + weightWanted
	}
	if x == 0 || f.own == 0 && (f.aside || p.units[i].kind == headingUnit) || f.wordless || p.isMenuEntry(i) {
		return // nothing speaks for it
	}
	f.likely = math.Exp(sharpness*x) * float64(says+1) / float64(says+1+wordsOfAnswer)
	if p.units[i].kind == headingUnit && !wants {
		f.likely *= headingAlone
	}
	if f.aside {
		f.likely *= asideProse
	}
}

// isMenuEntry reports whether unit i is a short text outside of the main content, without
// the end of a sentence, or a number, as an address and a price have.
func (p *Passages) isMenuEntry(i int) bool {
	const long = 60 // bytes
	text := p.md[p.units[i].from:p.units[i].to]
	last, _ := utf8.DecodeLastRuneInString(text)
	return p.facts[i].aside && p.units[i].kind != codeUnit && len(text) <= long && !strings.ContainsRune(".!?:。！？", last) && !strings.ContainsAny(text, "0123456789@")
}

// near is how well the neighbours of unit i match.
func (p *Passages) near(i int) float64 {
	x := 0.
	for _, k := range [...]int{p.before(i), p.after(i)} {
		if k >= 0 && p.units[k].table < 0 {
			x += p.facts[k].own
		}
	}
	return x
}

func (p *Passages) weighTable(t tableFacts) {
	rows := p.facts[t.first:t.last]
	n := float64(len(rows))
	best := 0.
	for i := range rows {
		best = max(best, rows[i].own)
	}
	above := p.facts[t.head].above
	if best+above == 0 {
		return
	}
	// More rows hold more answers.
	likely := math.Exp(sharpness*(weightHead*above+weightRow*best)) * math.Sqrt(n)
	sum := 0.
	for i := range rows {
		x := rows[i].own
		if i > 0 {
			x = max(x, weightNextRow*rows[i-1].own)
		}
		if i+1 < len(rows) {
			x = max(x, weightNextRow*rows[i+1].own)
		}
		rows[i].likely = math.Exp(sharpness*x) - .9 // next to nothing where nothing matches
		sum += rows[i].likely
	}
	for i := range rows {
		rows[i].likely = likely * (even/n + (1-even)*rows[i].likely/sum)
	}
}
