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

// unit is an object of the state that has text itself: an article, a post, a part of a
// page.
type unit struct {
	parent              int32 // index, -1 for none
	title, author, date string
	own                 bool // its title is that of the page, or its text has it
	foreign             bool // it has the title and the URL of another page
	words               int32
}

// piece is a text of a unit.
type piece struct {
	unit  int32
	html  string
	words int32
	grams []uint64 // of its words, for repeats
}

// search walks the state of a page and collects what may be content.
type search struct {
	titles []string // of the page, in plain words
	units  []unit
	pieces []piece // in the order of the state
	bytes  int
	budget budget
	refs   map[string]*value // entities of a normalised cache
	seen   map[string]bool   // those that were walked
}

// walk collects from v, a value in unit u.
func (s *search) walk(v *value, u int32, depth int) {
	if depth > maxDepth || len(s.pieces) >= maxPieces {
		return
	}
	switch {
	case v.kind == stringKind:
		s.text(v.str, u, depth)
	case isRich(v):
		var b strings.Builder
		writeRich(&b, v, "", depth)
		s.add(u, b.String())
	case v.kind == listKind:
		for i := range v.list {
			s.walk(&v.list[i], u, depth+1)
		}
	case v.kind == objectKind:
		s.object(v, u, depth)
	}
}

func (s *search) object(v *value, u int32, depth int) {
	if ref := v.text("__ref"); ref != "" || v.text("type") == "id" {
		if ref == "" {
			ref = v.text("id")
		}
		if of := s.refs[ref]; of != nil && !s.seen[ref] {
			s.seen[ref] = true
			s.walk(of, u, depth+1)
		}
		return
	}
	if len(s.units) >= maxItems*maxTypes {
		return
	}
	i := int32(len(s.units))
	s.units = append(s.units, s.describe(v, u))
	for k, key := range v.keys {
		m := &v.list[k]
		if s.refs[key] == m {
			if s.seen[key] {
				continue // an entity that was walked where it belongs
			}
			s.seen[key] = true
		}
		if key = strings.ToLower(key); !dropsKey(key) && (m.kind != stringKind || keyKind(key) == "") {
			s.walk(m, i, depth+1)
		}
	}
}

// describe reads what an object says about itself.
func (s *search) describe(v *value, parent int32) unit {
	u := unit{parent: parent}
	hasURL := false
	for k, key := range v.keys {
		m := &v.list[k]
		switch key = strings.ToLower(key); keyKind(key) {
		case "title":
			t := dom.PlainWords(text.CutBytes(m.str, maxText))
			own := t != "" && s.isTitle(t)
			if m.kind == stringKind && t != "" && (u.title == "" || own && !u.own || !u.own && (key == "headline" || key == "title")) {
				u.title = m.str
			}
			u.own = u.own || own
		case "author":
			u.author = dom.FirstNonBlank(u.author, nameOf(m, 0))
		case "date":
			if u.date == "" {
				u.date, _ = dayAndTime(m.str)
			}
		case "url":
			hasURL = hasURL || strings.HasPrefix(m.str, "/") || strings.HasPrefix(m.str, "http") || key == "slug"
		}
	}
	u.foreign = hasURL && !u.own && u.title != ""
	return u
}

// isTitle reports whether plain words are the page's title or most of it.
func (s *search) isTitle(t string) bool {
	return slices.ContainsFunc(s.titles, func(p string) bool {
		short, long := min(len(p), len(t)), max(len(p), len(t))
		return p == t && short > 2 || 10*short >= 6*long && (dom.HoldsWords(p, t) || dom.HoldsWords(t, p))
	})
}

// text adds a string that is prose or markup; strings of JSON are walked.
func (s *search) text(t string, u int32, depth int) {
	t = strings.TrimSpace(t)
	if len(t) > minState && (t[0] == '{' || t[0] == '[') {
		if v, _, ok := s.budget.parse(t); ok {
			s.walk(&v, u, depth+1)
			return
		}
	}
	if strings.HasPrefix(t, "&lt;") {
		t = html.UnescapeString(t)
	}
	switch {
	case isMarkup(t):
		s.add(u, t)
	case isProse(t):
		s.add(u, paragraphs(t))
	}
}

// add adds a piece of a unit. Text outside of any object has none.
func (s *search) add(u int32, markup string) {
	if s.bytes += len(markup); s.bytes > maxAllText || len(s.pieces) >= maxPieces || u < 0 {
		return
	}
	p := piece{unit: u, html: markup}
	said := dom.TokenText([]byte(markup))
	if p.grams, p.words = gramsOf(said); p.words < minWords {
		return
	}
	s.pieces = append(s.pieces, p)
	if plain := dom.PlainWords(said); p.words >= minTitled && slices.ContainsFunc(s.titles, func(t string) bool { return dom.HoldsWords(plain, t) }) {
		s.units[u].own = true
	}
}

// entities notes the members of a normalised cache, as Apollo and urql write it, by their
// keys.
func (s *search) entities(v *value, depth int) {
	if v.kind != objectKind || depth > maxTypes {
		return
	}
	isCache := slices.ContainsFunc(v.keys, func(k string) bool { return strings.HasPrefix(strings.TrimPrefix(k, "$"), "ROOT_QUERY") })
	for i, k := range v.keys {
		if isCache && v.list[i].kind == objectKind {
			s.refs[k] = &v.list[i]
		} else {
			s.entities(&v.list[i], depth+1)
		}
	}
}

// choose returns the pieces of the unit that is the page by its title, in order and
// without repeats. Those of other pages are teasers, unless the page is a list of them.
func (s *search) choose() []piece {
	for _, p := range s.pieces {
		s.units[p.unit].words += p.words
	}
	most := int32(0)
	for i := len(s.units) - 1; i >= 0; i-- { // children follow their parents
		u := &s.units[i]
		if u.parent >= 0 {
			s.units[u.parent].words += u.words
		}
		if u.own {
			most = max(most, u.words)
		}
	}
	own := int32(len(s.units) - 1)
	for own >= 0 && !(s.units[own].own && s.units[own].words > 0 && 2*s.units[own].words >= most) {
		own--
	}
	if own < 0 {
		return nil
	}
	var mine, all []piece
	words := int32(0)
	for _, p := range s.pieces {
		u, foreign := p.unit, false
		for ; u > own; u = s.units[u].parent {
			foreign = foreign || s.units[u].foreign
		}
		if u != own {
			continue
		}
		if all = append(all, p); !foreign {
			mine = append(mine, p)
			words += p.words
		}
	}
	if words < enoughWithout {
		mine = all
	}
	return withoutRepeats(mine)
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
	repeats := map[int]bool{}
	for _, i := range order {
		repeats[i] = shareIn(in[i].grams, seen) >= repeated
		for _, g := range in[i].grams {
			seen[g] = true
		}
	}
	var out []piece
	for i, p := range in {
		if !repeats[i] {
			out = append(out, p)
		}
	}
	return out
}

// build makes elements of pieces. Each is parsed for itself, so that markup in
// one cannot reach into the next.
func (s *search) build(pieces []piece, title string) (nodes []*html.Node, said string) {
	var b strings.Builder
	var into *html.Node
	last := int32(-1)
	for _, p := range pieces {
		if u := &s.units[p.unit]; p.unit != last {
			last = p.unit
			tag := atom.H2
			into = dom.Element(atom.Div, "")
			if len(nodes) == 0 {
				if tag = atom.H1; u.title == "" {
					u.title, _ = dom.CutTitle(title)
				}
			} else if u.author != "" {
				into = dom.Element(atom.Div, "topic-post post")
			}
			nodes = append(nodes, into)
			if t := strings.TrimSpace(u.title); t != "" {
				into.AppendChild(dom.Leaf(tag, "", t))
			}
			if u.author != "" && len(pieces) > 1 {
				into.AppendChild(dom.Leaf(atom.P, "names", strings.TrimSpace(u.author+" "+u.date)))
			}
		}
		part := dom.Element(atom.Div, "")
		for _, n := range dom.ParseFragment(p.html) {
			part.AppendChild(n)
		}
		into.AppendChild(part)
		b.WriteString(dom.TokenText([]byte(p.html)) + "\n")
	}
	return nodes, b.String()
}

// keyKind is what a key, in lower case, says of its object; "" for another one.
func keyKind(key string) string {
	kind := keyNames()[key]
	if kind == "" && (strings.Contains(key, "slug") || strings.Contains(key, "url") || strings.Contains(key, "href") || strings.Contains(key, "permalink") || key == "path" || key == "uri") {
		return "url"
	}
	return kind
}

// dropsKey reports whether the value of a key, in lower case, is about the site,
// other pages or the program.
func dropsKey(key string) bool {
	return isWord("dropped keys", key) || slices.ContainsFunc(phrases()["dropped parts"], func(part string) bool { return strings.Contains(key, part) })
}

// nameOf is the name that a value says.
func nameOf(v *value, depth int) string {
	switch {
	case depth > 2:
	case v.kind == stringKind && len(v.str) <= maxName && !strings.Contains(v.str, "://"):
		return v.str
	case v.kind == listKind && len(v.list) > 0:
		return nameOf(&v.list[0], depth+1)
	case v.kind == objectKind:
		for _, k := range [...]string{"name", "displayName", "display_name", "fullName", "username", "title"} {
			if m := v.get(k); m != nil {
				return nameOf(m, depth+1)
			}
		}
	}
	return ""
}

// isProse reports whether a string is a text of one sentence or more, and neither a label
// nor code.
func isProse(s string) bool {
	words, wide, ends, code := 0, 0, 0, 0
	space := true
	for _, r := range s {
		switch {
		case text.IsCJK(r):
			wide++
		case unicode.IsLetter(r) && space:
			words++
		case strings.ContainsRune(".!?。！？…", r):
			ends++
		case strings.ContainsRune("{};=<_/", r):
			code++
		}
		space = r == ' ' || r == '\n'
	}
	return (words >= proseWords || wide >= 2*proseWords) && ends > 0 && 3*code < words+wide
}
