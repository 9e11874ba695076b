package about

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/date"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// byline names the authors: people before organisations, and the site itself only
// if the page does not name another author. A stated name that the page shows nowhere, as
// that of an account, gives way to the person that it shows at its title.
func (r *reader) byline(subject *Item, site, title string, near nearTitle) string {
	b := bylineChoice{site: site, title: title}
	if r.statedAuthor(&b, subject) {
		r.checkAuthor(&b, near)
		return b.name
	}
	r.hints.Shown = true
	atTitle := visible([]string{near.author})
	_ = near.starter && b.take(atTitle) ||
		r.takeShown(&b, rankItemprop, rankRel, rankByline) ||
		beginsWithCapital(cleanName(near.author, maxShownWords)) && b.take(atTitle) ||
		r.takeShown(&b, rankClass, rankLink) ||
		b.take(cleanNames([]string{r.meta.card})) || len(r.margin) > 0 && b.take(shownNames(r.margin[0])) || near.date != "" && b.take(r.confirmedName(near.names, title)) || b.take(r.writtenBy())
	if b.name == "" && !strings.EqualFold(b.fallback, title) {
		r.hints.Shown = false // the site, or an organisation
		return b.fallback
	}
	return b.name
}

// checkAuthor replaces the stated authors by those that the page shows at its title: where
// these are the stated ones and more, and where a word such as "by" names another one.
func (r *reader) checkAuthor(b *bylineChoice, near nearTitle) {
	author := near.author
	if name, _, ok := strings.Cut(author, ", "); ok && !near.closed && !near.joined && looksLikeName(cleanName(name, maxShownWords)) {
		author = name // "Ann Bee, PhD"
	}
	names := visible(strings.Split(author, ", "))
	if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return !looksLikeName(n) || isRole(n) }) {
		return
	}
	stated, people := letters(b.name), letters(strings.Join(names, ""))
	switch {
	case strings.Contains(people, stated) && len(names) > 1+strings.Count(b.name, ", "):
		b.take(names)
	case strings.Contains(stated, people) || strings.Contains(people, stated):
	case near.named && len(names) == 1 && !strings.Contains(stated, lastWord(names[0])):
		b.take(names)
	}
}

// lastWord returns the letters of the last word of a name.
func lastWord(name string) string { return letters(name[strings.LastIndexByte(name, ' ')+1:]) }

// confirmedName returns the first of the names beside the heading that the page
// also shows as a person's: as the text of a picture, behind "by", or at the start
// of a sentence about the author.
func (r *reader) confirmedName(names []string, title string) []string {
	names = slices.DeleteFunc(names, func(n string) bool { return strings.Contains(title, n) || date.HasDigit(n) })
	if len(names) == 0 || r.body == nil {
		return nil
	}
	for n := range dom.Below(r.body) {
		var said string
		switch {
		case n.DataAtom == atom.Img:
			said = dom.Attr(n, "alt")
		case n.Type == html.TextNode && n.Parent != nil && !dom.IsDropped(n.Parent.DataAtom):
			said = text.CutBytes(strings.TrimLeft(n.Data, " \t\r\n"), 200)
		}
		if said == "" {
			continue
		}
		for _, name := range names {
			before, after, ok := strings.Cut(said, name)
			if !ok {
				continue
			}
			if n.DataAtom == atom.Img && len(before)+len(after) < 40 || isLead(strings.ToLower(strings.TrimSpace(before))) ||
				before == "" && (strings.HasPrefix(after, " is ") || strings.HasPrefix(after, " has ")) {
				return []string{name}
			}
		}
	}
	return nil
}

// writtenBy returns the names in a line "Written by Ann Bee" or behind a line "Author"
// anywhere in the text.
func (r *reader) writtenBy() []string {
	const maxBehind = 2 // lines between "Author" and a name: a picture's initials
	if r.body == nil {
		return nil
	}
	var found []string // behind "Authors", the first of them in at
	var at *html.Node
	waits, several := 0, false
	for n := range dom.Below(r.body) {
		if n.Type != html.TextNode || n.Parent == nil || dom.IsDropped(n.Parent.DataAtom) || len(n.Data) > 400 {
			continue
		}
		if waits == 0 && !mayLead().In(strings.ToLower(n.Data)) {
			continue
		}
		line := metaText(n.Data, maxPiece)
		if line == "" {
			continue
		}
		if waits > 0 {
			waits--
			name := cleanName(line, maxShownWords)
			switch isName := looksLikeName(name) && !isRole(name); {
			case isName && !several:
				return []string{name}
			case isName && len(found) < maxAuthors && (at == nil || isAlike(n.Parent, at)):
				found, waits, at = append(found, name), 1, n.Parent
				continue
			case len(found) > 0:
				return found
			case len(line) > 3:
				waits = 0
			}
		}
		if lead, rest := leadOf(line); strings.HasPrefix(lead, "author") || strings.HasSuffix(lead, "e by") || strings.HasSuffix(lead, "n by") {
			if names := namesIn(rest); names != nil {
				return names
			}
			if rest == "" {
				waits, several = maxBehind, lead == "authors" || lead == "author(s)"
			}
		}
	}
	return found
}

// mayLead finds a word that every line contains at which writtenBy begins.
var mayLead = sync.OnceValue(func() *dom.Finder { return dom.NewFinder("author", "by") })

// isAlike reports whether two elements are of one kind and class, as those of a list are.
func isAlike(a, b *html.Node) bool {
	return a.DataAtom == b.DataAtom && dom.Attr(a, "class") == dom.Attr(b, "class")
}

// namesIn returns the names at the beginning of a text, before a comma; nil where it begins
// with something else.
func namesIn(s string) []string {
	s, _, _ = strings.Cut(s, ",")
	names := splitNames(cleanName(s, maxShownWords))
	if slices.ContainsFunc(names, func(n string) bool { return !looksLikeName(n) }) {
		return nil
	}
	return names
}

// bylineChoice is a byline that is looked for. fallback is the name of the site
// or of an organisation.
type bylineChoice struct{ site, title, name, fallback string }

// take takes names for the byline, and reports whether they are one. Names of
// the site only serve as fallback.
func (b *bylineChoice) take(names []string) bool {
	if b.site != "" {
		names = slices.Clone(names)
		for i, n := range names {
			if at := strings.LastIndex(n, ", "); at > 0 && letters(n[at:]) == letters(b.site) {
				names[i] = n[:at] // "Ann Bee, The Daily"
			}
		}
		if len(names) > 1 {
			names = slices.DeleteFunc(names, func(n string) bool { return letters(n) == letters(b.site) })
		}
	}
	s := strings.Join(names, ", ")
	if s != "" && b.site != "" && strings.HasPrefix(letters(b.site), letters(s)) || strings.EqualFold(s, b.title) {
		b.fallback = dom.FirstNonBlank(b.fallback, s)
		return false
	}
	b.name = s
	return s != ""
}

// statedAuthor adds the authors that the structured data and the head state.
func (r *reader) statedAuthor(b *bylineChoice, subject *Item) bool {
	if subject != nil {
		for _, member := range [...]string{"author", "creator"} {
			people, organisations := r.graph.people(subject, member)
			if b.take(cleanNames(people)) {
				return true
			}
			b.fallback = dom.FirstNonBlank(b.fallback, strings.Join(cleanNames(organisations), ", "))
		}
	}
	return b.take(cleanNames(r.meta.authors))
}

func (r *reader) takeShown(b *bylineChoice, ranks ...int) bool {
	return slices.ContainsFunc(ranks, func(rank int) bool { return b.take(r.shownAuthors(rank)) })
}

// beginsWithCapital reports whether s begins with an upper-case letter, or one
// of a script without case.
func beginsWithCapital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) || unicode.Is(unicode.Lo, r)
}

// shownAuthors returns the names in the first element of a rank that has any,
// and in those beside it: further down the same mark names other authors.
func (r *reader) shownAuthors(rank int) []string {
	var names []string
	var at *html.Node
	for _, c := range r.authors {
		if c.rank != rank || at != nil && c.node.Parent != at.Parent && (at.Parent == nil || c.node.Parent == nil || c.node.Parent.Parent != at.Parent.Parent) {
			continue
		}
		if rank > rankRel && (r.isOfRecord(c.node) || r.isRepeated(c.node, r.authors)) {
			continue
		}
		for _, n := range shownNames(c.node) {
			if !slices.Contains(names, n) && len(names) < maxAuthors {
				names = append(names, n)
			}
		}
		if len(names) > 0 && at == nil {
			at = c.node
		}
	}
	return withoutParts(names)
}
