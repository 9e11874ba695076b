package blocks

import (
	"bytes"
	"slices"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file makes probable what the page itself states to be its content, in its data or
// its markup: the items of a list, the ingredients and steps of a recipe, questions
// with their answers, the price of the product. A list of short lines looks like a menu
// to the model. Only what the page shows is kept: the data says which blocks, and is not copied.

const (
	maxPartWords = 600    // of one part
	maxAllParts  = 20_000 // words of all parts
	leastStated  = 3      // blocks with parts or items: fewer say too little

	// A block is a part if this share of its pairs of words is in one: pages
	// add counters and notes to what they state.
	partShare = .75

	priceNear   = 60 // blocks between the main heading and the price of its product
	priceBeside = 2  // blocks between the price and the one before a sale
)

// raiseStated raises the probabilities of what the page states.
func (seg *Segmentation) raiseStated(p []float32, c Choices) {
	seg.raise(p, seg.statedItems(c))
	seg.raise(p, seg.statedParts(c))
	if price := seg.ownPrice(c); price >= 0 {
		p[price], p[seg.anchor()] = statedChance, statedChance
		for i := max(price-priceBeside, 0); i <= min(price+priceBeside, int32(len(p))-1); i++ {
			if seg.isPrice(&seg.blocks[i]) && seg.calledPrice(i) && seg.shareSection(price, i) {
				p[i] = statedChance
			}
		}
	}
}

// raise makes some blocks probable, if there are enough of them.
func (seg *Segmentation) raise(p []float32, list []int) {
	if len(list) < leastStated {
		return
	}
	for _, i := range list {
		p[i] = max(p[i], statedChance)
	}
}

// statedItems returns the blocks that have the name of an item that the page says it lists.
func (seg *Segmentation) statedItems(c Choices) (found []int) {
	if len(c.Items) < leastStated || c.Type == page.Product {
		return nil
	}
	names := make(map[uint64]bool, len(c.Items))
	for _, name := range c.Items {
		if words := HashWords(name, mostTitle); len(words) > 1 {
			names[hashOf(words)] = true
		}
	}
	for i := range seg.blocks {
		b := &seg.blocks[i]
		if b.words > 1 && b.words <= mostTitle && names[hashOf(seg.words[b.w0:b.w1])] && !seg.inChrome(i) {
			found = append(found, i)
		}
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

// statedParts returns the blocks that are a part which the page says it has.
func (seg *Segmentation) statedParts(c Choices) (found []int) {
	pairs := pairsOf(c.Parts)
	for i := range seg.blocks {
		b := &seg.blocks[i]
		if seg.inChrome(i) || seg.within(i, namedRelated) || b.inner&innerButton != 0 {
			continue
		}
		if marked := seg.elems[b.elem].part; marked || pairs != nil && pairs.share(seg.words[b.w0:b.w1]) >= partShare {
			found = append(found, i)
		}
	}
	return found
}

// wordPairs are the hashes of the pairs of neighbouring words of some texts.
type wordPairs map[uint64]struct{}

// pairsOf returns the pairs of the parts, nil for none.
func pairsOf(parts []string) wordPairs {
	var pairs wordPairs
	total := 0
	for _, p := range parts {
		words := HashWords(p, maxPartWords)
		if total += len(words); total > maxAllParts {
			break
		}
		for k := 1; k < len(words); k++ {
			if pairs == nil {
				pairs = wordPairs{}
			}
			pairs[hashOf(words[k-1:k+1])] = struct{}{}
		}
	}
	return pairs
}

// share is the share of a text's pairs of words that are in p; 0 for a text of one
// word.
func (p wordPairs) share(words []uint32) float32 {
	if len(words) < 2 {
		return 0
	}
	n := 0
	for k := 1; k < len(words); k++ {
		if _, ok := p[hashOf(words[k-1:k+1])]; ok {
			n++
		}
	}
	return float32(n) / float32(len(words)-1)
}

// ownPrice returns the block with the price of the product that the page is about, -1 for
// none: the one nearest to the main heading that the markup calls a price and that is
// not among related products; before all others, the one that the page's data states.
func (seg *Segmentation) ownPrice(c Choices) int32 {
	anchor := seg.anchor()
	if anchor < 0 {
		return -1
	}
	best, cost, stated := int32(-1), int32(priceNear), false
	for i := max(anchor-priceNear/2, 0); i < min(anchor+priceNear, int32(len(seg.blocks))); i++ {
		b := &seg.blocks[i]
		if !seg.isPrice(b) || !seg.calledPrice(i) || seg.inChrome(int(i)) || seg.within(int(i), namedRelated) || seg.within(int(i), markAside) {
			continue
		}
		own := c.IsPrice != nil && c.IsPrice(seg.buf[b.s0:b.s1])
		if !own && stated {
			continue
		}
		d := i - anchor
		if d < 0 {
			d = -2 * d
		}
		if b.inner&innerButton != 0 || b.isLink() {
			d += priceNear / 2
		}
		if d < cost || own && !stated {
			best, cost, stated = i, d, own
		}
	}
	return best
}

// calledPrice reports whether the markup calls block i a price.
func (seg *Segmentation) calledPrice(i int32) bool {
	m := &seg.marks[seg.elems[seg.blocks[i].elem].marks]
	return m[namedPrice] != 0 || m[markItemprop] != 0 || m[markProduct] != 0 || m[namedProduct] != 0
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

// anchor is the block that names what the page is about: its main heading, else the
// first block that has most of the words of the title; -1 for none.
func (seg *Segmentation) anchor() int32 {
	f := seg.facts
	if f.h1 >= 0 {
		return int32(f.h1)
	}
	for i := range seg.blocks {
		if b := &seg.blocks[i]; b.words <= mostTitle && b.link == 0 && seg.namesPage(i) {
			return int32(i)
		}
	}
	return -1
}

// namesPage reports whether a block says most of what the <title> says. A link may be the name
// of the site, unless the <title> begins with it.
func (seg *Segmentation) namesPage(i int) bool {
	b, title := &seg.blocks[i], seg.facts.title
	words := seg.words[b.w0:b.w1]
	n := overlap(words, title)
	return n > 0 && 5*n >= 4*len(words) && 2*n >= min(len(title), 8) && (b.link == 0 || len(words) <= len(title) && slices.Equal(words, title[:len(words)]))
}
