package about

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/date"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cleanNames cleans the names of a statement and drops texts that are not names.
func cleanNames(names []string) []string { return namesOf(names, maxMetaText, maxAuthors) }

// visible is cleanNames for what people see, which has more beside the name.
func visible(texts []string) []string { return namesOf(texts, maxPiece, maxShownWords) }

func namesOf(texts []string, maxChars, maxWords int) []string {
	var out []string
	for _, t := range texts {
		for _, n := range splitNames(cleanName(metaText(t, maxChars), maxWords)) {
			if n != "" && len(out) < maxAuthors && !slices.ContainsFunc(out, func(had string) bool { return strings.EqualFold(had, n) }) {
				out = append(out, n)
			}
		}
	}
	return withoutParts(out)
}

// withoutParts drops the names that another one holds: "Ann Bee" beside "Ann Bee,
// Carl Dee", and the initials of a name.
func withoutParts(names []string) []string {
	if len(names) < 2 {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		return slices.ContainsFunc(names, func(o string) bool {
			return len(o) > len(n) && (strings.Contains(o, n) || n == initials(o))
		})
	})
}

// initials returns the capitals at the beginnings of words.
func initials(name string) string {
	var b strings.Builder
	for _, w := range strings.Fields(name) {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shownNames returns the names in an element that shows an author: those of
// its links to authors, or its text.
func shownNames(n *html.Node) []string {
	if c := dom.Attr(n, "content"); c != "" {
		return cleanNames([]string{c})
	}
	// <span itemprop=author><span itemprop=name>…</span></span>, <a rel=author>…
	var inner []string
	for d := range dom.Below(n) {
		if d.Type != html.ElementNode || len(inner) >= maxAuthors {
			continue
		}
		switch {
		case dom.Attr(d, "itemprop") == "name", d.DataAtom == atom.A && (dom.HasToken(dom.Attr(d, "rel"), "author") || strings.Contains(dom.Attr(d, "href"), "/author")):
			if name := dom.Attr(d, "content"); name != "" {
				inner = append(inner, name)
			} else {
				inner = append(inner, dom.NodeText(d, maxPiece))
			}
		}
	}
	if names := visible(inner); len(names) > 0 {
		return names
	}
	if names := firstNames(n); len(names) > 0 {
		return names
	}
	return visible([]string{dom.NodeText(n, maxMetaText)})
}

// firstNames reads the pieces of text in an element that shows an author in
// pieces: "By", a name, perhaps "and" and more names. A job or a date ends them. It
// returns nil if no piece is a name by itself.
func firstNames(n *html.Node) []string {
	var names []string
	joined := true
	pieces := 0
	for d := range dom.Below(n) {
		if d.Type != html.TextNode || d.Parent == nil || dom.IsDropped(d.Parent.DataAtom) {
			continue
		}
		t := metaText(d.Data, maxPiece)
		if t == "" {
			continue
		}
		if pieces++; pieces > 12 {
			break
		}
		lower := strings.ToLower(strings.Trim(t, " ,:|"))
		switch {
		case lower == "" || lower == "and" || lower == "&" || lower == "with":
			joined = true
			continue
		case isLead(lower):
			continue
		case !joined:
			return names
		}
		name := cleanName(t, maxShownWords)
		if len(names) > 0 && isRole(name) {
			joined = endsInJoin(t)
			continue
		}
		if !looksLikeName(name) {
			return names
		}
		names = append(names, splitNames(name)...)
		joined = endsInJoin(t)
	}
	return names
}

// endsInJoin reports whether another name follows a piece of a list of names.
func endsInJoin(t string) bool {
	return strings.HasSuffix(t, ",") || strings.HasSuffix(t, " and") || strings.HasSuffix(t, "&")
}

// isRole reports whether a text is what an author is, by its last word: "Chief Reporter".
func isRole(s string) bool {
	return isWord("roles", strings.ToLower(s[strings.LastIndexByte(s, ' ')+1:]))
}

// splitNames parts "Ann Bee and Carl Dee" where both sides look like names.
func splitNames(s string) []string {
	for _, sep := range [...]string{" and ", " AND ", " & "} {
		if a, b, ok := strings.Cut(s, sep); ok && !strings.Contains(a, ",") && looksLikeName(a) && looksLikeName(b) {
			return []string{a, b}
		}
	}
	return []string{s}
}

// isLead reports whether a text in lower case is only the words before a name.
func isLead(s string) bool {
	return isWord("name leads", s) || isWord("name leads", s+":") || isWord("foreign leads", s)
}

// looksLikeName reports whether s is made of two to four words that begin with
// capitals, as names of people are.
func looksLikeName(s string) bool {
	words := strings.Fields(s)
	if len(words) < 2 || len(words) > 4 {
		return false
	}
	capitals := 0
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
			capitals++
		}
	}
	return capitals >= 2 && capitals >= len(words)-2
}

// cleanName removes what is not part of a name: "By", a date, a job after a bar. It
// returns "" for a text that is not a name: an address, a generic account, more
// than maxWords words.
func cleanName(s string, maxWords int) string {
	s = strings.TrimSpace(strings.Trim(s, "-–—|•·:,;"))
	if isLead(strings.ToLower(s)) || date.SaysChanged(s) {
		return ""
	}
	s = withoutLeads(s)
	for _, sep := range [...]string{" | ", " • ", " · ", " — ", " – ", " - "} {
		if first, rest, ok := strings.Cut(s, sep); ok && date.IsPlain(first) {
			s = strings.TrimSpace(rest)
		}
	}
	for _, sep := range [...]string{" | ", " • ", " · ", " — ", " – ", " - ", " // ", " » ", ", photo", ", Photo", " Published", " Updated", " Posted", " Last updated", " More about", "- ", " on behalf of ", " on "} {
		if i := strings.Index(s, sep); i > 0 && (sep != " on " || date.HasDigit(s[i:])) {
			s = s[:i]
		}
	}
	if maxWords < 10 {
		s = withoutDate(s)
	}
	if i := strings.IndexByte(s, '@'); i > 0 {
		if j := strings.LastIndexByte(s[:i], ' '); j > 0 {
			s = s[:j] // an address of mail behind the name
		}
	}
	s = strings.Trim(s, " ,;:|/-–—@")
	if len(strings.Fields(s)) > maxWords || !mayBeName(s) || isGeneric(strings.ToLower(s)) {
		return ""
	}
	return s
}

// withoutLeads removes the words before a name, for example "By", repeatedly.
func withoutLeads(s string) string {
	for again := true; again; {
		again = false
		for _, lead := range phrases()["name leads"] {
			if len(s) > len(lead) && strings.EqualFold(s[:len(lead)], lead) {
				next, _ := utf8.DecodeRuneInString(s[len(lead):])
				if next == ' ' || next == ':' || next == '：' || next == ',' || strings.HasSuffix(lead, ":") {
					s, again = strings.Trim(s[len(lead):], " :：,"), true
				}
			}
		}
	}
	// "Di" begins names too.
	if lead, name, ok := strings.Cut(s, " "); ok && isWord("foreign leads", strings.ToLower(lead)) && looksLikeName(name) {
		return name
	}
	return s
}

// mayBeName reports whether s is neither an address, a statement such as "design: Ann Bee", nor a piece of markup, and of the length of a name.
func mayBeName(s string) bool {
	n := utf8.RuneCountInString(s)
	return !strings.Contains(s, ": ") && !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, "!") && !strings.HasSuffix(s, " min read") && n >= 2 && n <= 150 && strings.ContainsFunc(s, unicode.IsLetter) && !strings.ContainsAny(s, "{}<>[]") &&
		!strings.Contains(s, "://") && !strings.HasPrefix(s, "www.") &&
		(strings.Count(s, ".") <= 2 || strings.Contains(s, " ")) // page.head.extra.author
}

// isGeneric reports whether a text in lower case names a shared account, for
// example "admin", or a control.
func isGeneric(s string) bool { return isWord("shared", s) }

// withoutDate cuts "Ann Bee May 3, 2025" and "ann 3 days ago" before the date.
func withoutDate(s string) string {
	if !strings.ContainsFunc(s, mayBeOfDate) {
		return s
	}
	words := strings.Fields(s)
	for i, w := range words {
		if i > 0 && i+2 < len(words) && date.HasDigit(w) && words[i+2] == "ago" {
			return strings.Join(words[:i], " ") // "ann 3 days ago"
		}
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		named := date.Month(strings.Trim(w, ".,")) > 0 && date.HasDigit(next) ||
			isDigit(w[0]) && len(w) <= 4 && date.Month(strings.Trim(next, ".,")) > 0
		if named || date.Parse(w, true) != "" {
			if i > 0 && date.IsWeekday(words[i-1]) {
				i--
			}
			return strings.Join(words[:i], " ")
		}
	}
	return s
}

// mayBeOfDate reports whether a character may belong to a date: the digits of ASCII, and
// all that is not ASCII.
func mayBeOfDate(r rune) bool { return r >= '0' && r <= '9' || r >= utf8.RuneSelf }
