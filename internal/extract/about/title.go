package about

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
)

// titleStatements is what a page says of its title beside its headings.
type titleStatements struct{ og, ld, html, site, host, path string }

// chooseTitle picks the title by agreement: a heading of the page that is a part of
// the <title>, or that a statement in the head or the words of the address confirm,
// else the best statement, without the site's name. It also returns what it took
// off the <title>, when that is the site's name. The first page of a site that says
// only "Home" has the name of the site.
func chooseTitle(headings []string, st titleStatements) (title, suffix string) {
	title, suffix = st.choose(headings)
	title = st.spelled(st.withoutSiteBehind(st.byAddress(title, headings)))
	if site := dom.FirstNonBlank(st.site, suffix); isEmptyTitle(title) && site != "" {
		title = site
	}
	return title, suffix
}

func (st *titleStatements) choose(headings []string) (title, suffix string) {
	site, host, htmlTitle := st.site, st.host, st.html
	bare, suffix := st.withoutSite(htmlTitle)
	og, _ := st.withoutSite(st.og)
	ld, _ := st.withoutSite(st.ld)
	statements := [...]string{og, ld, bare}
	for _, h := range headings {
		if ld != "" && isBehindLabel(h, ld) {
			return ld, suffix
		}
	}
	// "Teaching Online: Effective Practices" in full: nothing of it is a site's name.
	for _, h := range headings {
		if l := letters(h); !isSite(h, site, host) && strings.ContainsRune(h, ' ') && (l == letters(st.og) || l == letters(htmlTitle)) {
			return h, suffix
		}
	}
	// Of several headings, or after a logo, the one that opens the <title> or og:title.
	for _, h := range headings {
		for _, t := range [...]string{st.og, htmlTitle} {
			if p := titleParts(t); len(headings) > 1 && len(p) > 1 && letters(p[0]) == letters(h) && !isSite(h, site, host) {
				return h, suffix
			}
		}
	}
	if len(headings) == 1 {
		if title := st.chooseAlone(headings[0], og, ld, bare); title != "" {
			return title, suffix
		}
	}
	if h := confirmed(headings, statements[:]); h != "" {
		return h, suffix
	}
	for _, s := range statements {
		if s != "" && !strings.EqualFold(s, site) {
			return withoutTail(s), suffix
		}
	}
	if len(headings) > 0 {
		return headings[0], suffix
	}
	return dom.FirstNonBlank(statements[:]...), suffix
}

// chooseAlone chooses between the only heading and what the page states; "" for neither.
func (st *titleStatements) chooseAlone(h, og, ld, bare string) string {
	site, host := st.site, st.host
	parts := titleParts(st.html)
	isPart := func(s string) bool {
		return s != "" && slices.ContainsFunc(parts, func(p string) bool { return letters(p) == letters(s) })
	}
	same := og != "" && letters(og) == letters(bare)
	switch {
	case len(parts) > 1 && isPart(h) && letters(h) != letters(og) && isPart(og):
		return og // the heading is a logo
	case len(parts) > 1 && letters(h) == letters(parts[0]) && (!isSite(h, site, host) || beginsWithPart(st.og, h) && !isSiteInFull(h, site, host)):
		return h
	case same && !shareWords(h, og, strings.Trim(st.path, "/") == ""):
		return withoutTail(og) // the heading is that of a section
	case same && strings.HasPrefix(st.og, og) && (endsWith(h, og) || strings.HasPrefix(h, og+" (")):
		return og // behind "Thread: " or a date
	case og == "" && ld == "" && !isSite(h, site, host) && (isEmptyTitle(bare) || st.inURL(h)):
		return h
	}
	if part := otherPart(bare, h); part != "" && og == "" {
		return withoutTail(part)
	}
	if !isSite(h, site, host) && agrees(h, []string{og, ld, bare}) {
		return h
	}
	return ""
}

// spelled returns a title as a statement of the page spells it, if it has the same letters:
// a heading in capitals, or one whose markup joins the words of two lines.
func (st *titleStatements) spelled(title string) string {
	loud := strings.ToUpper(title) == title
	for _, s := range [...]string{st.og, st.ld, st.html} {
		s, _ = st.withoutSite(s)
		if letters(s) == letters(title) && strings.ToUpper(s) != s && (loud && strings.ToLower(s) != s && len(titleWords(title)) > 1 || len(titleWords(s)) > len(titleWords(title))) {
			return s
		}
	}
	return title
}

// byAddress decides between two titles of one page, its only heading and what its head
// states, by the words of the address. A heading wins that has clearly more of them; what
// the <title> begins with only wins where the heading, then a logo, has nothing of either.
func (st *titleStatements) byAddress(title string, headings []string) string {
	slug := slugWords(st.path)
	if len(headings) != 1 || len(slug) == 0 {
		return title
	}
	h := headings[0]
	n, said := sharedWords(slug, h), sharedWords(slug, title)
	if len(slug) > 1 && len(titleWords(h)) <= maxTitleWords && 10*n >= 7*len(slug) && 10*(n-said) >= 3*len(slug) {
		return h
	}
	parts := titleParts(st.html)
	if title == h && len(parts) > 1 && strings.Contains(parts[0], " ") && n == 0 && sharedWords(slug, parts[0]) == len(slug) && sharedWords(titleWords(parts[0]), h) == 0 {
		return strings.TrimSpace(parts[0])
	}
	return title
}

// slugWords are the words of the last segment of an address, without numbers.
func slugWords(path string) []string {
	path, _, _ = strings.Cut(path, "?")
	path = strings.Trim(path, "/")
	last := path[strings.LastIndexByte(path, '/')+1:]
	last, _, _ = strings.Cut(last, ".")
	return slices.DeleteFunc(titleWords(last), func(w string) bool { return strings.Trim(w, "0123456789") == "" })
}

// sharedWords is how many of some words a text has, with another ending or not.
func sharedWords(words []string, text string) int {
	said := titleWords(text)
	n := 0
	for _, w := range words {
		if slices.ContainsFunc(said, func(s string) bool {
			return s == w || min(len(s), len(w)) > 3 && (strings.HasPrefix(s, w) || strings.HasPrefix(w, s))
		}) {
			n++
		}
	}
	return n
}

// endsWith reports whether a text ends with the words of a title of two words or
// more, and says more than "The" before them.
func endsWith(text, title string) bool {
	a, b := titleWords(title), titleWords(text)
	return len(a) >= 2 && len(a) < len(b) && slices.Equal(a, b[len(b)-len(a):]) && !(len(b) == len(a)+1 && len(b[0]) <= 3)
}

// beginsWithPart reports whether the first of several parts of a title is a text.
func beginsWithPart(title, text string) bool {
	parts := titleParts(title)
	return len(parts) > 1 && letters(parts[0]) == letters(text)
}

// isBehindLabel reports whether a text is a title behind a label of one or two words,
// such as the kind of a thread.
func isBehindLabel(text, title string) bool {
	return endsWith(text, title) && len(titleWords(text))-len(titleWords(title)) <= 2
}

// titleWords are the words of a text in lower case.
func titleWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// titleParts cuts a title at its separators.
func titleParts(title string) []string {
	parts := []string{title}
	for _, sep := range titleSeparators {
		if !strings.Contains(title, sep) {
			continue
		}
		var next []string
		for _, p := range parts {
			next = append(next, strings.Split(p, sep)...)
		}
		parts = next
	}
	return slices.DeleteFunc(parts, func(p string) bool { return letters(p) == "" })
}

// shareWords reports whether half of the longer words of a statement are in a
// heading, or a third of them in one of more than four words, which is too long for the
// name of a section. Those of first pages are slogans.
func shareWords(heading, statement string, first bool) bool {
	found, long := longWordsIn(statement, heading)
	isLong := !first && len(titleWords(heading)) > maxSectionWords
	return 2*found >= long || 3*found >= long && isLong
}

// isEmptyTitle reports whether a title says nothing of a page.
func isEmptyTitle(s string) bool {
	l := letters(s)
	return l == "" || isWord("empty titles", l)
}

// viewTitles are what programs for threads call their pages.
var viewTitles = []string{"viewtopic", "viewthread", "showthread"}

// inURL reports whether a heading has the words of the last segment of the URL, which has
// several.
func (st *titleStatements) inURL(heading string) bool {
	slug := slugWords(st.path)
	return len(slug) > 2 && 10*sharedWords(slug, heading) >= 7*len(slug)
}

// confirmed returns the first heading that is half of a statement or more, or
// "".
func confirmed(headings, statements []string) string {
	for _, h := range headings {
		l := letters(h)
		if len(l) < 3 {
			continue
		}
		for _, s := range statements {
			if s != "" && strings.Contains(letters(s), l) && 2*len(l) >= len(letters(s)) {
				return h
			}
		}
	}
	return ""
}

// withoutTail removes the text after the last bar of a statement that no heading
// confirms: a section, or a site's name that the page states nowhere else.
func withoutTail(s string) string {
	i := strings.LastIndex(s, " | ")
	if i < 0 { // a path of forums: "Topic / Board / Forums"
		if i = strings.Index(s, " / "); i < 0 || len(strings.Fields(s[:i])) < 4 {
			return s
		}
	}
	return strings.TrimSpace(s[:i])
}

// otherPart looks for a heading as one of the parts of a title. It returns the
// heading where it is the first part, and the first part where the heading is
// the last: then it is a logo, which every page has.
func otherPart(title, heading string) string {
	l := letters(heading)
	if len(l) < 3 {
		return ""
	}
	for _, sep := range titleSeparators {
		if i := strings.Index(title, sep); i > 0 && sep != ": " && letters(title[:i]) == l {
			return heading
		}
		if i := strings.LastIndex(title, sep); i > 0 && letters(title[i:]) == l && len(letters(title[:i])) > 4 {
			return strings.TrimSpace(title[:i])
		}
	}
	return ""
}

// longWordsIn counts the words of a text that are long enough to compare titles by, and
// those of them that another one has.
func longWordsIn(text, other string) (found, all int) {
	other = strings.ToLower(other)
	for _, w := range titleWords(text) {
		if utf8.RuneCountInString(w) >= minLongWord {
			if all++; strings.Contains(other, w) {
				found++
			}
		}
	}
	return found, all
}

// agrees reports whether a third of the longer words of a heading are in the statements:
// then they are two forms of one title.
func agrees(heading string, statements []string) bool {
	found, all := longWordsIn(heading, strings.Join(statements, " "))
	return all > 0 && 3*found >= all
}

// titleSeparators part a title from the name of its site.
var titleSeparators = [...]string{" | ", " - ", " – ", " — ", " :: ", " · ", " • ", " » ", " « ", " / ", " \\ ", ": ", "| ", " |"}

// withoutSite takes the name of the site off a title, at its end or, but for the
// first page of a site, at its start, and returns both parts. Without a known name
// the last part goes when it is the name in the host.
func (st *titleStatements) withoutSite(title string) (rest, name string) {
	site, host := st.site, st.host
	first := strings.Trim(st.path, "/") == ""
	if title == "" {
		return "", ""
	}
	rest = title
	// "example.com The title", without a separator.
	if head, tail, ok := strings.Cut(rest, " "); ok && !first && strings.Contains(head, ".") && letters(head) == letters(host) {
		rest, name = strings.TrimSpace(tail), head
	}
	for range 3 {
		cut := false
		for _, sep := range titleSeparators {
			if i := strings.LastIndex(rest, sep); i > 0 {
				if tail := rest[i+len(sep):]; isSite(tail, site, host) && (sep != ": " || isSiteInFull(tail, site, host)) {
					rest, name, cut = strings.TrimSpace(rest[:i]), dom.FirstNonBlank(name, tail), true
					break
				}
			}
			if i := strings.Index(rest, sep); i > 0 && !first {
				if head := rest[:i]; isSiteInFull(head, site, host) || slices.Contains(viewTitles, letters(head)) {
					rest, name, cut = strings.TrimSpace(rest[i+len(sep):]), dom.FirstNonBlank(name, head), true
					break
				}
			}
		}
		if !cut {
			break
		}
	}
	return rest, strings.TrimSpace(name)
}

// withoutSiteBehind takes the name of the site off the end of a title that was chosen, for
// example of a heading that repeats the <title>.
func (st *titleStatements) withoutSiteBehind(title string) string {
	for _, sep := range titleSeparators {
		if i := strings.LastIndex(title, sep); i > 0 && sep != ": " && isSite(title[i+len(sep):], st.site, st.host) {
			return strings.TrimSpace(title[:i])
		}
	}
	return title
}

// isSiteInFull reports whether a part of a title is the name of the site, and not
// only a part of it or longer than it.
func isSiteInFull(part, site, host string) bool {
	p := letters(part)
	if p == letters(site) || p == letters(host) {
		return true
	}
	for label := range strings.SplitSeq(host, ".") {
		if p == letters(label) {
			return true
		}
	}
	return false
}

// isSite reports whether a part of a title names the site.
func isSite(part, site, host string) bool {
	p := letters(part)
	if p == "" || utf8.RuneCountInString(part) > 60 {
		return false
	}
	if site != "" {
		if s := letters(site); p == s || len(p) > 3 && (strings.HasPrefix(s, p) || strings.HasPrefix(p, s) && len(p) < 2*len(s)) {
			return true
		}
	}
	// example.co.uk, blog.example.com: a label of the host that says it.
	p = strings.TrimPrefix(p, "the")
	for label := range strings.SplitSeq(host, ".") {
		l := strings.TrimPrefix(letters(label), "the")
		if len(l) > 3 && (p == l || p == letters(host)) ||
			len(l) > 4 && len(p) >= 4 && (strings.HasPrefix(p, l) || strings.HasPrefix(l, p) && 2*len(p) > len(l) || strings.Contains(l, p) && 4*len(p) >= 3*len(l)) {
			return true
		}
	}
	return false
}
