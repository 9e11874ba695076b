package reader

import (
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// Entries of a menu, the path to a page and its table of contents do not answer a query. The
// passages of a page are written without the addresses of its links. Which texts are links is
// therefore found in the page.

const (
	// menuRun is how many short texts outside of the main content are a menu.
	menuRun = 6
	// longEntry is how many bytes the text of a link has at most that is an entry.
	longEntry = 200
)

// linkText says of a text whether it is a link.
type linkText uint8

const (
	noLink   linkText = iota
	anyLink           // half of its letters or more are of links
	ownEntry          // all of them are of links to places on the same page
)

// linkTexts finds the texts of a page that are links, by their keys.
func linkTexts(p *page.Page) map[uint64]linkText {
	base, _, _ := strings.Cut(p.URL, "#")
	l := linkFinder{own: base + "#", out: map[uint64]linkText{}}
	l.blocks(p.Blocks)
	return l.out
}

type linkFinder struct {
	own  string // what links to places on the same page begin with
	out  map[uint64]linkText
	text strings.Builder
	// Bytes of the text that is read: in links, and in links to places on this page.
	linked, here int
}

func (l *linkFinder) blocks(all []page.Block) {
	for i := range all {
		b := &all[i]
		if len(b.Inlines) > 0 && b.Kind != page.Term {
			l.text.Reset()
			l.linked, l.here = 0, 0
			l.inlines(b.Inlines)
			l.note()
		}
		l.blocks(b.Children)
	}
}

func (l *linkFinder) inlines(all []page.Inline) {
	for i := range all {
		switch x := &all[i]; x.Kind {
		case page.Text, page.CodeSpan:
			l.text.WriteString(x.Text)
		case page.LinkInline:
			from := l.text.Len()
			l.inlines(x.Children)
			l.linked += l.text.Len() - from
			if strings.HasPrefix(x.URL, l.own) {
				l.here += l.text.Len() - from
			}
		default:
			l.inlines(x.Children)
		}
	}
}

func (l *linkFinder) note() {
	n := l.text.Len()
	if n == 0 || n > longEntry {
		return
	}
	switch {
	case l.here > 0 && 10*l.here >= 9*n:
		l.out[wordsKey(l.text.String())] = ownEntry
	case l.linked > 0 && 2*l.linked >= n:
		l.out[wordsKey(l.text.String())] = anyLink
	}
}

// entryKey is the key of a unit without the mark of a list.
func entryKey(md string, u unit) uint64 {
	s := md[u.from:u.to]
	s = s[indent(s):]
	return wordsKey(s[itemMark(s):])
}

// dropMenus makes entries of menus and of tables of contents unlikely: runs of short texts
// outside of the main content, links and headings there that say nothing that the main
// content does not say, and links to places on the same page.
func (p *Passages) dropMenus() {
	for i := 0; i < len(p.units); {
		j := i
		for j < len(p.units) && p.facts[j].aside && p.units[j].table < 0 && p.units[j].kind != codeUnit &&
			p.units[j].to-p.units[j].from <= longLabel && isEntry(p.md[p.units[j].from:p.units[j].to]) {
			j++
		}
		if j-i >= menuRun {
			for k := i; k < j; k++ {
				p.facts[k].likely = 0
			}
		}
		i = max(j, i+1)
	}
	var inMain uint64 // terms
	headings := map[uint64]bool{}
	for i, u := range p.units {
		if p.facts[i].aside {
			continue
		}
		inMain |= p.facts[i].has
		if u.kind == headingUnit {
			headings[entryKey(p.md, u)] = true
		}
	}
	for i, u := range p.units {
		f := &p.facts[i]
		switch {
		case u.table >= 0:
		case f.link == ownEntry && u.kind != headingUnit, f.aside && isField(p.words(i)):
			f.likely = 0
		case f.aside && f.link == anyLink && f.has&^inMain == 0 && !p.hasValueBelow(i), (f.aside || u.kind == itemUnit) && f.likely > 0 && headings[entryKey(p.md, u)]:
			f.likely = 0
		}
	}
}

// hasValueBelow reports whether a value stands right below unit i, as its price does below
// the name of a product.
func (p *Passages) hasValueBelow(i int) bool {
	after := p.after(i)
	return after >= 0 && p.units[after].kind == paragraphUnit && p.hasValue(after)
}

// isEntry reports whether a text may be that of a link in a menu: it has no sentence
// and no number, which an address, opening hours and a price have.
func isEntry(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return !strings.ContainsRune(".!?:。！？", last) && !strings.ContainsAny(s, "0123456789@")
}

// isField reports whether a text is the name of a field of a form that has to be filled in.
func isField(s string) bool { return len(s) <= longLabel && strings.HasSuffix(s, `\`) }
