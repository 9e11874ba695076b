package metadata

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
)

// chooseTitle picks the title by agreement: the heading of the page where a
// statement in the head confirms it, else the best statement, without the
// site's name. It also returns what it took off the <title>, when that is the
// site's name.
func chooseTitle(headings []string, og, ld, htmlTitle, site, host string) (title, suffix string) {
	bare, suffix := withoutSite(htmlTitle, site, host)
	og, _ = withoutSite(og, site, host)
	ld, _ = withoutSite(ld, site, host)
	statements := [...]string{og, ld, bare}
	if len(headings) == 1 {
		if part := otherPart(bare, headings[0]); part != "" && og == "" {
			return part, suffix
		}
		if !isSite(headings[0], site, host) && agrees(headings[0], statements[:]) {
			return headings[0], suffix
		}
	}
	if h := confirmed(headings, statements[:]); h != "" {
		return h, suffix
	}
	// Two statements that agree beat one.
	for i, s := range statements {
		if s != "" && slices.ContainsFunc(statements[i+1:], func(o string) bool { return letters(o) == letters(s) }) {
			return withoutTail(s), suffix
		}
	}
	// "Chapter - Book" under the heading "Chapter", or under the logo "Book".
	for _, h := range headings {
		if part := otherPart(htmlTitle, h); part != "" {
			return part, suffix
		}
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

// withoutTail takes off what stands behind the last bar of a statement that no
// heading confirms: a section, or a site's name that is nowhere else.
func withoutTail(s string) string {
	i := strings.LastIndex(s, " | ")
	if i < 0 || len(strings.Fields(s[:i])) < 2 {
		return s
	}
	return strings.TrimSpace(s[:i])
}

// otherPart looks for a heading as one of the parts of a title. It returns the
// heading where it is the first part, and the first part where the heading is
// the last: then it is a logo that stands on every page.
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

// agrees reports whether a heading and one of the statements have enough of
// their words in common to be two forms of one title.
func agrees(heading string, statements []string) bool {
	words, found := 0, 0
	for w := range strings.FieldsSeq(strings.ToLower(heading)) {
		if utf8.RuneCountInString(w) < 4 {
			continue
		}
		words++
		for _, s := range statements {
			if strings.Contains(strings.ToLower(s), w) {
				found++
				break
			}
		}
	}
	return words > 0 && 3*found >= words
}

// titleSeparators part a title from the name of its site.
var titleSeparators = [...]string{" | ", " - ", " – ", " — ", " :: ", " · ", " • ", " » ", " « ", " / ", " \\ ", ": ", "| ", " |"}

// withoutSite takes the name of the site off a title, at its end or its start,
// and returns both parts. Without a known name the last part goes when it is
// the name in the host.
func withoutSite(title, site, host string) (rest, name string) {
	if title == "" {
		return "", ""
	}
	rest = title
	for range 3 {
		cut := false
		for _, sep := range titleSeparators {
			if i := strings.LastIndex(rest, sep); i > 0 {
				if tail := rest[i+len(sep):]; isSite(tail, site, host) {
					rest, name, cut = strings.TrimSpace(rest[:i]), dom.FirstNonBlank(name, tail), true
					break
				}
			}
			if i := strings.Index(rest, sep); i > 0 {
				if head := rest[:i]; isSite(head, site, host) {
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
		l := letters(label)
		if len(l) > 3 && (p == l || p == letters(host)) || len(l) > 4 && len(p) >= 4 && (strings.HasPrefix(p, l) || strings.HasPrefix(l, p) && 2*len(p) > len(l)) {
			return true
		}
	}
	return false
}
