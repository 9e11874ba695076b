package about

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
)

// A unit is an object that has text itself: an article, a post, a question, a
// part of a page. Pieces are its texts, in the order of the data.
type unit struct {
	parent              int32 // index, -1 for none
	title, author, date string
	own                 bool // an address or a title of it is that of the page
	foreign             bool // it has a title and the address of another page
	words               int32
}

type piece struct {
	unit  int32
	html  string
	words int32
	grams []uint64 // of its words, for repeats
}

const (
	maxUnits      = 20_000
	maxPieces     = 4_000
	maxPieceBytes = 3 << 20 // of all pieces
	catalogue     = 40      // strings of one object from which on they are messages
	gramWords     = 5
	enoughWithout = 100 // words of a page from which on texts of other pages are teasers
)

// search walks data and collects what may be content.
type search struct {
	titles []string // of the page, in plain words
	slug   string   // last part of the page's path
	path   string
	units  []unit
	pieces []piece
	bytes  int
	budget budget
	refs   map[string]*value // entities of a normalised cache
	seen   map[string]bool   // those that were walked
}

// walk collects from v, the value of key in unit u.
func (c *search) walk(v *value, key string, u int32, depth int) {
	if depth > maxDepth || len(c.pieces) >= maxPieces || c.bytes > maxPieceBytes {
		return
	}
	switch v.kind {
	case stringKind:
		c.text(v.str, u, depth)
	case listKind:
		if isRich(v) {
			var b strings.Builder
			writeRich(&b, v, 0)
			c.add(u, b.String())
			return
		}
		if isBullets(v, key) {
			var b strings.Builder
			b.WriteString("<ul>")
			for i := range v.list {
				b.WriteString("<li>")
				writeText(&b, v.list[i].str)
				b.WriteString("</li>")
			}
			c.add(u, b.String()+"</ul>")
			return
		}
		for i := range v.list {
			c.walk(&v.list[i], key, u, depth+1)
		}
	case objectKind:
		c.object(v, u, depth)
	}
}

func (c *search) object(v *value, u int32, depth int) {
	if ref := reference(v); ref != "" && c.refs[ref] != nil {
		if !c.seen[ref] {
			c.seen[ref] = true
			c.walk(c.refs[ref], "", u, depth+1)
		}
		return
	}
	if len(c.units) >= maxUnits || isCatalogue(v) {
		return
	}
	if tag, ok := richTag(richType(v)); ok && (tag != "" || v.text("type") == "doc" || v.text("nodeType") == "document") {
		if l, _ := richChildren(v); l != nil && isRich(&value{kind: listKind, list: []value{*v}}) {
			var b strings.Builder
			writeNode(&b, v, tag, true, 1)
			c.add(u, b.String())
			return
		}
	}
	i := int32(len(c.units))
	c.units = append(c.units, c.describe(v, u))
	for k := range v.keys {
		m := &v.list[k]
		key := strings.ToLower(v.keys[k])
		switch {
		case m.kind <= numberKind, dropsKey(key), isLabelKey(key) && m.kind == stringKind:
			continue
		case c.refs[v.keys[k]] == m:
			if c.seen[v.keys[k]] {
				continue // an entity that was walked where it belongs
			}
			c.seen[v.keys[k]] = true
		}
		c.walk(m, key, i, depth+1)
	}
}

// describe reads what an object says about itself.
func (c *search) describe(v *value, parent int32) unit {
	u := unit{parent: parent}
	address := false
	for k, key := range v.keys {
		m := &v.list[k]
		key = strings.ToLower(key)
		switch {
		case m.kind == stringKind && len(m.str) <= 400 && isTitleKey(key):
			c.titled(&u, key, m.str)
		case m.kind == stringKind && isAddressKey(key):
			u.own = u.own || c.isAddress(m.str)
			address = address || strings.HasPrefix(m.str, "/") || strings.HasPrefix(m.str, "http") || key == "slug"
		case u.author == "" && isAuthorKey(key):
			u.author = nameOf(m, 0)
		case m.kind == stringKind && u.date == "" && isDateKey(key):
			u.date, _ = dayAndTime(m.str)
		}
	}
	u.foreign = address && !u.own && u.title != ""
	return u
}

// titled chooses the title of a unit: the page's title before others, and a member
// that is named title before one that is named name.
func (c *search) titled(u *unit, key, title string) {
	t := dom.PlainWords(title)
	if t == "" {
		return
	}
	mine := c.isTitle(t)
	if u.title == "" || mine && !u.own || !u.own && (key == "headline" || key == "title") || mine && slices.Contains(c.titles, t) {
		u.title = title
	}
	u.own = u.own || mine
}

// isTitle reports whether plain words are the page's title or most of it.
func (c *search) isTitle(t string) bool {
	for _, p := range c.titles {
		if len(p) >= 4 && (p == t || len(p) >= 12 && 10*len(t) >= 6*len(p) && dom.HoldsWords(p, t) || len(t) >= 12 && 10*len(p) >= 6*len(t) && dom.HoldsWords(t, p)) {
			return true
		}
	}
	return false
}

func (c *search) isAddress(s string) bool {
	if len(c.slug) < 5 || len(s) > 500 {
		return false
	}
	s = strings.Trim(s, "/")
	return s == c.slug || s == strings.Trim(c.path, "/") || strings.HasSuffix(s, "/"+c.slug) && strings.Contains(s, "/")
}

// text adds a string that is prose or markup; strings of JSON are walked.
func (c *search) text(s string, u int32, depth int) {
	if len(s) < 20 {
		return
	}
	s = strings.TrimSpace(s)
	if len(s) > minState && (s[0] == '{' || s[0] == '[') && (s[len(s)-1] == '}' || s[len(s)-1] == ']') {
		v, _, ok := c.budget.parse(s)
		if ok {
			c.walk(&v, "", u, depth+1)
		}
		return
	}
	if strings.HasPrefix(s, "&lt;") {
		s = html.UnescapeString(s)
	}
	switch {
	case isMarkup(s):
		c.add(u, s)
	case isProse(s):
		c.add(u, paragraphs(s))
	}
}

// add adds a piece, unless it is not a text, or is a script or a style.
func (c *search) add(u int32, markup string) {
	if c.bytes += len(markup); c.bytes > maxPieceBytes || len(c.pieces) >= maxPieces {
		return
	}
	p := piece{unit: u, html: markup}
	p.grams, p.words = gramsOf(dom.TokenText([]byte(markup)))
	if p.words < 4 {
		return
	}
	c.pieces = append(c.pieces, p)
}

// The hash of a run of words is FNV-1a, of 64 bits.
const (
	gramOffset = 14695981039346656037
	gramPrime  = 1099511628211
)

// gramsOf hashes runs of gramWords words; CJK characters are words.
func gramsOf(s string) (grams []uint64, words int32) {
	var last [gramWords]uint64
	h, in := uint64(gramOffset), false
	n := 0
	end := func() {
		if !in {
			return
		}
		last[n%gramWords] = h
		n++
		if n >= gramWords {
			g := uint64(gramOffset)
			for k := range gramWords {
				g = (g ^ last[(n+k)%gramWords]) * gramPrime
			}
			grams = append(grams, g)
		}
		h, in = gramOffset, false
	}
	cjk := int32(0)
	for _, r := range s {
		if !text.IsWord(r) {
			end()
			continue
		}
		if text.IsCJK(r) {
			end()
			cjk++
		}
		h, in = (h^uint64(unicode.ToLower(r)))*gramPrime, true
		if text.IsCJK(r) {
			end()
		}
	}
	end()
	if n > 0 && len(grams) == 0 {
		grams = append(grams, h)
	}
	return grams, int32(n) - cjk/2
}

// shareIn is the share of grams that are in a set.
func shareIn(grams []uint64, set map[uint64]bool) float64 {
	if len(grams) == 0 {
		return 0
	}
	n := 0
	for _, g := range grams {
		if set[g] {
			n++
		}
	}
	return float64(n) / float64(len(grams))
}

// choose returns the pieces that are the page's content, in order: those of
// the unit that is the page by its title or address, without repeats.
func (c *search) choose(description string) []piece {
	own := c.subject(description)
	if own < 0 {
		return nil
	}
	var out, teasers []piece
	words := int32(0)
	for _, p := range c.pieces {
		switch in, foreign := c.within(p.unit, own); {
		case in && foreign:
			teasers = append(teasers, p)
		case in:
			words += p.words
			out = append(out, p)
		}
	}
	if len(teasers) > 0 && words < enoughWithout {
		// The page is a list of other pages.
		out = nil
		for _, p := range c.pieces {
			if in, _ := c.within(p.unit, own); in {
				out = append(out, p)
			}
		}
	}
	return withoutRepeats(out)
}

// subject is the unit that is the page, or -1.
func (c *search) subject(description string) int32 {
	for _, p := range c.pieces {
		c.units[p.unit].words += p.words
	}
	for i := len(c.units) - 1; i >= 0; i-- { // children follow their parents
		if u := &c.units[i]; u.parent >= 0 {
			c.units[u.parent].words += u.words
		}
	}
	most := int32(0)
	for i := range c.units {
		if c.units[i].own {
			most = max(most, c.units[i].words)
		}
	}
	for i := len(c.units) - 1; i >= 0; i-- {
		if u := &c.units[i]; u.own && u.words > 0 && 2*u.words >= most {
			return int32(i)
		}
	}
	return c.described(description)
}

// described is the unit with the text that the page's description is taken
// from, or -1.
func (c *search) described(description string) int32 {
	d := dom.PlainWords(description)
	if len(d) < 60 {
		return -1
	}
	d = d[:60]
	for len(d) > 0 && !utf8.ValidString(d) {
		d = d[:len(d)-1]
	}
	for _, p := range c.pieces {
		if p.words >= 40 && strings.Contains(dom.PlainWords(dom.TokenText([]byte(p.html))), d) {
			return p.unit
		}
	}
	return -1
}

// within reports whether a unit is a root or inside it, and whether it belongs to
// another page.
func (c *search) within(u, root int32) (in, foreign bool) {
	for u > root {
		foreign = foreign || c.units[u].foreign
		u = c.units[u].parent
	}
	return u == root, foreign
}

// withoutRepeats drops a piece whose words are in longer ones, for example a
// summary beside its text.
func withoutRepeats(in []piece) []piece {
	order := make([]int, len(in))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(in[b].words - in[a].words) })
	seen := map[uint64]bool{}
	drop := make([]bool, len(in))
	for _, i := range order {
		drop[i] = shareIn(in[i].grams, seen) >= .7
		for _, g := range in[i].grams {
			seen[g] = true
		}
	}
	out := in[:0:0]
	for i := range in {
		if !drop[i] {
			out = append(out, in[i])
		}
	}
	return out
}

// entities notes the members of a normalised cache by their keys.
func (c *search) entities(v *value, depth int) {
	if v.kind != objectKind || depth > 5 {
		return
	}
	cache := v.get("ROOT_QUERY") != nil
	for _, k := range v.keys {
		cache = cache || strings.HasPrefix(k, "$ROOT_QUERY")
	}
	for i, k := range v.keys {
		if cache && len(c.refs) < maxUnits && v.list[i].kind == objectKind {
			c.refs[k] = &v.list[i]
		} else {
			c.entities(&v.list[i], depth+1)
		}
	}
}
