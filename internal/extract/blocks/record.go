package blocks

import (
	"bytes"
	"slices"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file keeps records whole: the cards, rows and results of a page, found by
// the shape of their subtrees. The truth of the benchmark that the model learned
// from rarely has the linked headings, the prices and the dates of cards, so that
// the model gives them a low probability while it keeps the text beside them.
// A text that stands under the heading of another record is a false statement;
// so the parts of a record are chosen together.

const (
	minRecords  = 3  // siblings of one kind are records from here on
	mostTitle   = 30 // words of a title
	mostFact    = 12 // words of a price, a date or a name
	titleBlocks = 12 // blocks of a record among which its title is looked for
)

// A record is an element that stands among siblings of its kind and has a title of
// its own.
type record struct {
	b0, b1 int32
	title  int32 // index of the block
	group  int32
	depth  int32
	elem   int32
}

// A recordGroup is the records of one parent and kind.
type recordGroup struct {
	n        int32           // elements with a title
	distinct map[uint64]bool // hashes of their titles
	sole     int32           // records
	priced   int32           // of these, with a price
	blocks   int32           // of records with a price
}

// records finds the records of the page, in page order. Records do not overlap: of
// nested ones the inner ones are taken, because theirs is the title nearest to the
// text.
func (seg *Segmentation) records() ([]record, []recordGroup) {
	mayHold := func(e *element) bool { return e.b1-e.b0 >= 2 && e.parent >= 0 }
	n := 0
	for i := range seg.elems {
		if mayHold(&seg.elems[i]) {
			n++
		}
	}
	count := seg.counter(n)
	for i := range seg.elems {
		if e := &seg.elems[i]; mayHold(e) {
			*count.slot(e.kinKey())++
		}
	}
	index := make([]int32, len(count.vals)) // of the group, 1 more
	var list []record
	var groups []recordGroup
	for i := range seg.elems {
		e := &seg.elems[i]
		if !mayHold(e) {
			continue
		}
		kin := count.at(e.kinKey())
		if count.vals[kin] < minRecords {
			continue
		}
		title := seg.titleOf(e)
		if title < 0 {
			continue
		}
		g := &index[kin]
		if *g == 0 {
			groups = append(groups, recordGroup{distinct: map[uint64]bool{}})
			*g = int32(len(groups))
		}
		grp := &groups[*g-1]
		grp.n++
		grp.distinct[seg.blocks[title].hash] = true
		list = append(list, record{e.b0, e.b1, title, *g - 1, e.depth, int32(i)})
	}
	// Without the groups whose titles are not titles, and without records that
	// hold records.
	valid := func(r *record) bool {
		g := &groups[r.group]
		return g.n >= minRecords && 3*len(g.distinct) >= 2*int(g.n)
	}
	out := list[:0]
	for i := range list {
		r := list[i]
		if !valid(&r) {
			continue
		}
		for len(out) > 0 && out[len(out)-1].b1 >= r.b1 && out[len(out)-1].b0 <= r.b0 {
			out = out[:len(out)-1]
		}
		out = append(out, r)
	}
	return out, groups
}

// kinKey is equal for siblings of one kind.
func (e *element) kinKey() uint64 { return e.kin ^ uint64(e.parent+1)*fnvPrime }

// titleOf returns the block that is the title of a record, -1 for none: its first
// heading, else its first link. A heading that is an amount names nothing: then the
// text right before it is the title, as the name of a plan stands before its price.
func (seg *Segmentation) titleOf(e *element) int32 {
	link := int32(-1)
	for i := e.b0; i < min(e.b1, e.b0+titleBlocks); i++ {
		b := &seg.blocks[i]
		if b.words > mostTitle || b.words == 0 {
			continue
		}
		switch {
		case b.level > 0 && !seg.isAmount(b):
			return i
		case b.level > 0 && i > e.b0 && seg.mayName(i-1):
			return i - 1
		}
		if link < 0 && b.isLink() && !b.money && !seg.isPrice(b) && b.inner&innerButton == 0 {
			link = i
		}
	}
	return link
}

// isFact reports whether block i is a price, a date or a name within an element of
// some depth.
func (seg *Segmentation) isFact(i, depth int32) bool {
	b := &seg.blocks[i]
	if b.words > mostFact || b.inner&innerButton != 0 {
		return false
	}
	if b.inner&innerTime != 0 || seg.isPrice(b) {
		return true
	}
	m := &seg.marks[seg.elems[b.elem].marks]
	at := uint8(min(depth, 254)) + 1
	return m[firstGroup+groupDate] > at || m[firstGroup+groupAuthor] > at || m[firstGroup+groupPrice] > at
}

// isPrice reports whether a block is a price: a short text with an amount beside a
// sign or a code of a currency.
func (seg *Segmentation) isPrice(b *block) bool {
	if b.words > mostFact || b.digits == 0 {
		return false
	}
	if b.money || bytes.ContainsAny(seg.buf[b.s0:b.s1], "€£¥₹₽₩₺") {
		return true
	}
	for w := range bytes.FieldsFuncSeq(seg.buf[b.s0:b.s1], func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch string(w) {
		case "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "TRY", "BRL", "KRW", "kr", "zł", "Kč", "Ft", "lei":
			return true
		}
	}
	return false
}

// isAmount reports whether a block is a price and hardly a word beside it, as
// "$20 per month".
func (seg *Segmentation) isAmount(b *block) bool {
	const most = 8 // letters
	if !seg.isPrice(b) {
		return false
	}
	letters := 0
	for _, r := range string(seg.buf[b.s0:b.s1]) {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters <= most
}

// mayName reports whether block i can be the name of what an amount behind it costs.
func (seg *Segmentation) mayName(i int32) bool {
	b := &seg.blocks[i]
	return b.words > 0 && b.words <= mostTitle && !b.money && !seg.isControl(int(i))
}

// keepRecords completes the records of which text is chosen, and the records that
// the page is about.
func keepRecords(seg *Segmentation, keep []bool, c Choices) {
	list, groups := seg.records()
	stated := seg.statedItems(c)
	for k := range list {
		r := &list[k]
		g := &groups[r.group]
		g.sole++
		if seg.showsPrice(r) {
			g.priced++
			g.blocks += r.b1 - r.b0
		}
	}
	for i := range stated {
		keep[i] = true
	}
	price := seg.ownPrice(list, keep, c)
	for k := range list {
		r := &list[k]
		g := &groups[r.group]
		subject := price < 0 && g.sole >= minGrid && 3*g.priced >= 2*g.sole && seg.isSubject(r, g)
		if !subject && !stated[r.title] && !seg.keptText(r, keep) {
			continue
		}
		keep[r.title] = true
		for i := r.b0; i < r.b1; i++ {
			keep[i] = (keep[i] || seg.isFact(i, r.depth) || c.isDate(seg, i)) && !seg.repeatsTitle(i, r)
		}
	}
	seg.evenRecords(list, keep)
	seg.cards, seg.running = list, c.Type == page.Article || c.Type == page.Documentation
}

// Records reports whether the page has records, after [Segmentation.Choose].
func (seg *Segmentation) Records() bool { return len(seg.cards) >= minRecords }

// HeadsRecords reports whether block i stands right below the main heading, before the first
// record, after [Segmentation.Choose].
func (seg *Segmentation) HeadsRecords(i int) bool {
	const near = 10 // blocks
	h1 := seg.facts.h1
	return h1 >= 0 && i >= h1 && i <= h1+near && seg.Records() && int32(i) < seg.cards[0].b0
}

// isDate reports whether block i of a card is a date and nothing else. An article has a
// date of its own.
func (c Choices) isDate(seg *Segmentation, i int32) bool {
	b := &seg.blocks[i]
	return c.IsDate != nil && c.Type != page.Article && b.digits > 0 && b.link == 0 && b.words <= dateWords && b.inner&innerButton == 0 && c.IsDate(string(seg.buf[b.s0:b.s1]))
}

// evenRecords completes the chosen records of each group by the others: a place that
// has chosen text in most of them has it in all, so that the cut between blocks does not
// fall between the texts of equal cards.
func (seg *Segmentation) evenRecords(list []record, keep []bool) {
	type place struct {
		group int32
		path  uint64
	}
	type share struct{ kept, all int32 }
	places := map[place]share{}
	at := func(i int32, r *record) place { return place{r.group, seg.pathIn(i, r.b0, r.b1)} }
	for k := range list {
		r := &list[k]
		if !keep[r.title] {
			continue
		}
		for i := r.b0; i < r.b1; i++ {
			if seg.blocks[i].words < proseLine {
				continue
			}
			s := places[at(i, r)]
			s.all++
			if keep[i] {
				s.kept++
			}
			places[at(i, r)] = s
		}
	}
	for k := range list {
		r := &list[k]
		if !keep[r.title] {
			continue
		}
		for i := r.b0; i < r.b1; i++ {
			if b := &seg.blocks[i]; !keep[i] && b.words >= proseLine && 2*b.link < b.chars && !seg.repeatsTitle(i, r) {
				s := places[at(i, r)]
				keep[i] = s.kept >= minRecords-1 && 2*s.kept > s.all
			}
		}
	}
}

// proseLine is the number of words from which on a block of a record is its text.
const proseLine = 8

// repeatsTitle reports whether block i of a record says the linked title of the record
// once more, without a link: the link is what leads to the record.
func (seg *Segmentation) repeatsTitle(i int32, r *record) bool {
	b, t := &seg.blocks[i], &seg.blocks[r.title]
	return i != r.title && b.hash == t.hash && b.words > 1 && b.level == 0 && b.link == 0 && t.isLink()
}

// leastItems is how many items a list states from which on it says what a page is
// about.
const leastItems = 3

// statedItems returns the blocks that have the name of an item that the page says
// it lists, and chooses those that stand in no frame of the page.
func (seg *Segmentation) statedItems(c Choices) map[int32]bool {
	if len(c.Items) < leastItems || c.Type == page.Product {
		return nil
	}
	names := make(map[uint64]bool, len(c.Items))
	for _, name := range c.Items {
		if words := HashWords(name, mostTitle); len(words) > 1 {
			names[hashOf(words)] = true
		}
	}
	found := map[int32]bool{}
	for i := range seg.blocks {
		b := &seg.blocks[i]
		if b.words > 1 && b.words <= mostTitle && names[hashOf(seg.words[b.w0:b.w1])] && !seg.inChrome(i) {
			found[int32(i)] = true
		}
	}
	if len(found) < leastItems {
		return nil
	}
	return found
}

func hashOf(words []uint32) uint64 {
	h := uint64(fnvOffset)
	for _, w := range words {
		h = (h ^ uint64(w)) * fnvPrime
	}
	return h
}

// isSubject reports whether the records of a group that show prices are what the
// page is about: they are a good part of it, and nothing calls them related.
func (seg *Segmentation) isSubject(r *record, g *recordGroup) bool {
	i := int(r.title)
	return 5*g.blocks >= int32(len(seg.blocks)) && !seg.inChrome(i) &&
		!seg.within(i, markRelated) && !seg.within(i, markAside) && !seg.within(i, markSide)
}

const (
	minGrid     = 4
	markRelated = firstGroup + groupRelated
	markSide    = firstGroup + groupSidebar
)

// showsPrice reports whether a record has a price beside its title.
func (seg *Segmentation) showsPrice(r *record) bool {
	for i := r.b0; i < r.b1; i++ {
		if b := &seg.blocks[i]; i != r.title && seg.isPrice(b) {
			return true
		}
	}
	return false
}

// How many blocks the price of the page's own product stands behind the heading of
// the page, or before it.
const (
	priceAfter  = 60
	priceBefore = 30
)

// ownPrice chooses the price of the product that the page is about, and returns
// its block, -1 for none: the price nearest to the main heading that stands in no
// record, where the markup calls it a price; before all others, the one that the page's data
// states.
func (seg *Segmentation) ownPrice(list []record, keep []bool, c Choices) int32 {
	anchor := seg.anchor()
	if anchor < 0 {
		return -1
	}
	best, cost, stated := int32(-1), int32(priceAfter), false
	next := 0
	for i := max(anchor-priceAfter, 0); i < min(anchor+priceAfter, int32(len(seg.blocks))); i++ {
		for next < len(list) && list[next].b1 <= i {
			next++
		}
		b := &seg.blocks[i]
		if !seg.isPrice(b) || seg.inChrome(int(i)) || !seg.calledPrice(i) {
			continue
		}
		own := c.IsPrice != nil && c.IsPrice(seg.buf[b.s0:b.s1])
		other := next < len(list) && list[next].b0 <= i && seg.isOther(&list[next], anchor)
		if !own && (stated || other || i < anchor-priceBefore) {
			continue
		}
		d := i - anchor
		if d < 0 {
			d = -2 * d
		}
		if b.inner&innerButton != 0 || b.isLink() {
			d += priceBefore
		}
		if d < cost || own && !stated {
			best, cost, stated = i, d, own
		}
	}
	if best < 0 {
		return -1
	}
	keep[best], keep[anchor] = true, true
	// The price before a sale, and the one after, but not that of the next card.
	for i := max(best-besidePrice, 0); i <= min(best+besidePrice, int32(len(seg.blocks))-1); i++ {
		if seg.isPrice(&seg.blocks[i]) && seg.calledPrice(i) && seg.shareSection(best, i) && recordAt(list, i) == recordAt(list, best) {
			keep[i] = true
		}
	}
	return best
}

// recordAt is which record holds block i, -1 for none.
func recordAt(list []record, i int32) int {
	return slices.IndexFunc(list, func(r record) bool { return r.b0 <= i && i < r.b1 })
}

// besidePrice is how many blocks the price before a sale stands from the price.
const besidePrice = 2

// isOther reports whether a record is something else than what the main heading
// names: it does not hold the heading, and its title leads to another page. A choice
// of sizes or of subscriptions has titles that are not links.
func (seg *Segmentation) isOther(r *record, anchor int32) bool {
	t := &seg.blocks[r.title]
	return (anchor < r.b0 || anchor >= r.b1) && t.isLink()
}

// calledPrice reports whether the markup calls block i a price.
func (seg *Segmentation) calledPrice(i int32) bool {
	m := &seg.marks[seg.elems[seg.blocks[i].elem].marks]
	return m[firstGroup+groupPrice] != 0 || m[markItemprop] != 0 || m[markProduct] != 0 || m[firstGroup+groupProduct] != 0
}

// anchor is the block that names what the page is about: its main heading, else the
// first block that has most of the words of the title; -1 for none.
func (seg *Segmentation) anchor() int32 {
	f := seg.facts
	if f.h1 >= 0 {
		return int32(f.h1)
	}
	for i := range seg.blocks {
		b := &seg.blocks[i]
		words := seg.words[b.w0:b.w1]
		if n := overlap(words, f.title); n >= 1 && len(words) <= mostTitle && 5*n >= 4*len(words) && 2*n >= min(len(f.title), 8) && b.link == 0 {
			return int32(i)
		}
	}
	return -1
}

// keptText reports whether a text of a record is chosen.
func (seg *Segmentation) keptText(r *record, keep []bool) bool {
	for i := r.b0; i < r.b1; i++ {
		if keep[i] && (i == r.title || seg.blocks[i].words >= 3) {
			return true
		}
	}
	return false
}

// bodyWords is the number of words from which on a text has a heading of its own
// to stand under.
const bodyWords = 4

// keepOwnHeadings takes in the heading of each chosen text: the nearest one before
// it whose section holds the text. Without it the text would stand under the
// heading of something else.
func keepOwnHeadings(seg *Segmentation, keep []bool) {
	last := int32(-1) // the nearest heading
	run := 0          // blocks since then
	for i := range keep {
		b := &seg.blocks[i]
		if b.level > 0 {
			last, run = int32(i), 0
			continue
		}
		if run++; last < 0 || !keep[i] || b.words < bodyWords || keep[last] {
			continue
		}
		if seg.shareSection(last, int32(i)) {
			keep[last] = true
		}
	}
}

// shareSection reports whether a heading and a text after it stand in one section:
// an element at most four levels above the heading that holds both.
func (seg *Segmentation) shareSection(h, i int32) bool {
	e := seg.blocks[h].elem
	for range 5 {
		if e < 0 {
			return false
		}
		if seg.elems[e].b1 > i {
			return true
		}
		e = seg.elems[e].parent
	}
	return false
}
