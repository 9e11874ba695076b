package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cleanNames cleans the names of a statement and drops what is none.
func cleanNames(names []string) []string {
	var out []string
	for _, n := range names {
		n = metaText(n, maxMetaText)
		if n = cleanName(n, 12); n != "" && !slices.Contains(out, n) && len(out) < maxAuthors {
			out = append(out, n)
		}
	}
	return out
}

// shownNames returns the names in an element that shows an author: those of
// its links to authors, or its text.
func shownNames(n *html.Node) []string {
	if c := attr(n, "content"); c != "" {
		return cleanNames([]string{c})
	}
	// <span itemprop=author><span itemprop=name>…</span></span>, <a rel=author>…
	var inner []string
	for d := range n.Descendants() {
		if d.Type != html.ElementNode || len(inner) >= maxAuthors {
			continue
		}
		switch {
		case attr(d, "itemprop") == "name", d.DataAtom == atom.A && (hasToken(attr(d, "rel"), "author") || strings.Contains(attr(d, "href"), "/author")):
			if name := attr(d, "content"); name != "" {
				inner = append(inner, name)
			} else {
				inner = append(inner, nodeText(d, 200))
			}
		}
	}
	if names := shown(inner); len(names) > 0 {
		return names
	}
	return shown([]string{nodeText(n, 300)})
}

// shown is cleanNames for what people see, which has more beside the name.
func shown(texts []string) []string {
	var out []string
	for _, s := range texts {
		s = metaText(s, 200)
		if s = cleanName(s, 6); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// nameLeads stand before a name.
var nameLeads = [...]string{
	"post by", "written by", "posted by", "published by", "words by", "story by", "text by", "reviewed by", "by:", "by", "author:", "authors:", "author", "from", "via", "& ",
	"von", "par", "por", "autor:", "autor", "auteur", "escrito por", "publié par", "veröffentlicht von",
}

// cleanName takes off a name what is not the name: "By", a date, a job after a
// bar. It returns "" for what is no name: an address, a generic account, more
// than maxWords words.
func cleanName(s string, maxWords int) string {
	s = strings.TrimSpace(strings.Trim(s, "-–—|•·:,;"))
	for again := true; again; {
		again = false
		for _, lead := range nameLeads {
			if len(s) > len(lead) && strings.EqualFold(s[:len(lead)], lead) {
				next, _ := utf8.DecodeRuneInString(s[len(lead):])
				if next == ' ' || next == ':' || strings.HasSuffix(lead, ":") {
					s, again = strings.Trim(s[len(lead):], " :"), true
				}
			}
		}
	}
	for _, sep := range [...]string{" | ", " • ", " · ", " — ", " – ", " - ", " // ", " » ", " Published", " Updated", " Posted", " Last updated", " More about", "- ", " on "} {
		if i := strings.Index(s, sep); i > 0 && (sep != " on " || hasDigit(s[i:])) {
			s = s[:i]
		}
	}
	if maxWords < 10 {
		s = withoutDate(s)
	}
	s = strings.Trim(s, " ,;:|-–—@")
	switch {
	case utf8.RuneCountInString(s) < 2, utf8.RuneCountInString(s) > 150, strings.Contains(s, "://"), strings.HasPrefix(s, "www."),
		strings.ContainsAny(s, "{}<>[]"), len(strings.Fields(s)) > maxWords, !strings.ContainsFunc(s, unicode.IsLetter):
		return ""
	}
	switch strings.ToLower(s) {
	case "admin", "administrator", "root", "webmaster", "user", "guest", "author", "authors", "the author", "unknown", "anonymous", "null", "undefined", "none", "n/a",
		"about the author", "about", "share", "follow", "view profile", "editor", "super user", "superuser", "by", "more", "read more", "wpadmin", "wp admin", "siteadmin", "default", "test":
		return ""
	}
	return s
}

// withoutDate cuts "Ann Bee May 3, 2025" before the date.
func withoutDate(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		named := monthOf(strings.Trim(w, ".,")) > 0 && hasDigit(next)
		if named || isoDate(w, true) != "" {
			return strings.Join(words[:i], " ")
		}
	}
	return s
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// surnameLast turns "Bee, Ann" into "Ann Bee": the form of citations.
func surnameLast(s string) string {
	last, given, ok := strings.Cut(s, ",")
	if !ok || strings.Contains(given, ",") {
		return s
	}
	return strings.TrimSpace(given) + " " + strings.TrimSpace(last)
}
