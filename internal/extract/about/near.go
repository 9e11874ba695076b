package about

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/date"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// nearTitle is the author and the date beside the heading of the page, found without
// markup that names them.
type nearTitle struct {
	author, date string
	dateAt       *html.Node // the text of date, where it follows the heading
	named        bool       // a word such as "by" says that author is the author
	joined       bool       // a comma or "and" behind the author: the next piece may be another one
	closed       bool       // the list of authors has ended
	modified     string     // a date that is called one of a change
	changed      bool       // the piece before says that the date of a change follows
	names        []string   // pieces that look like names of people, without a word that says so
	starter      bool       // the author began a discussion
	low          bool       // the heading is none of the first level
	apart        bool       // behind another heading, which may be that of a list: names are those of its entries
}

// lookNear reads the short pieces of text that follow a heading: a line "By
// Ann Bee", a line with only a date. A second heading or the text ends the search.
// A date may also be before the heading.
func lookNear(h *html.Node, monthFirst bool) nearTitle {
	var out nearTitle
	by := false
	pieces, long, left := 0, 0, maxNear
	for n := after(h); n != nil && pieces < left && n.DataAtom != atom.H2; {
		if n.Type == html.ElementNode && (dom.IsDropped(n.DataAtom) || n.DataAtom == atom.Nav) {
			n = after(n)
			continue
		}
		out.apart = out.apart || n.Type == html.ElementNode && pieces >= maxSubtitle && isHeading(n)
		t := ""
		if n.Type == html.TextNode {
			t = metaText(n.Data, maxPiece)
		}
		switch {
		case len(t) > longPiece:
			if long++; long > maxLong {
				n = nil
				continue
			}
			left = min(maxNear, pieces+maxBehindLong)
		case t != "":
			pieces++
			if by = out.readPiece(t, by, long > 0, monthFirst); out.date != "" && out.dateAt == nil {
				out.dateAt = n
			}
		}
		if n.FirstChild != nil {
			n = n.FirstChild
		} else {
			n = after(n)
		}
	}
	if out.date == "" {
		out.date = dateBefore(h, monthFirst)
	}
	return out
}

// readPiece reads one short piece of text and reports whether the next is a
// name. Behind a long text, a piece is a date only if it is nothing else.
func (out *nearTitle) readPiece(t string, by, behind, monthFirst bool) bool {
	lower := strings.ToLower(strings.Trim(t, " :"))
	next := false
	lead, name := leadOf(t)
	cleaned := cleanName(t, maxShownWords)
	isName := looksLikeName(cleaned)
	switch {
	case out.author != "":
		out.continues(t)
	case by && date.HasDigit(t) && (date.IsPlain(t) || strings.Contains(lower, " min")):
		next = true // "5 min read", a date: the name follows
	case by:
		out.author, out.named = t, true
	case lead != "" && !out.apart && name == "":
		next, out.starter = true, isStarter(lead)
	case lead != "" && !out.apart:
		if out.author, out.named, out.starter = t, true, isStarter(lead); len(strings.Fields(t)) > maxBylineWords {
			first, _, _ := strings.Cut(t, ",")
			if out.author = first; !looksLikeName(cleanName(first, maxShownWords)) {
				out.author, out.named = "", false
			}
		}
	case nameBesideDate(t) != "":
		out.author = nameBesideDate(t)
	case isName && len(out.names) < maxNames:
		out.names = append(out.names, cleaned)
	}
	if isShort(t) && date.HasDigit(t) && (!behind || date.IsPlain(t)) {
		published, modified := date.In(t, monthFirst)
		out.modified = dom.FirstNonBlank(out.modified, modified)
		if out.date == "" && !out.changed {
			out.date = published
		}
	}
	out.changed = date.SaysChanged(t) && !date.HasDigit(t) || out.changed && (lower == "on" || lower == ":") // "Updated", and the date apart
	return next
}

// leadOf returns the one of leads or foreignLeads that begins a piece, and what follows.
func leadOf(t string) (lead, name string) {
	for _, lead := range phrases()["byline leads"] {
		if !dom.HasPrefixFold(t, lead) {
			continue
		}
		rest := t[len(lead):]
		name = strings.Trim(rest, " :：")
		trimmed := strings.TrimLeft(rest, " ")
		if name == "" || strings.HasPrefix(trimmed, ":") || strings.HasPrefix(trimmed, "：") || strings.HasPrefix(rest, " ") && strings.HasSuffix(lead, "by") {
			return lead, name
		}
	}
	first, name, _ := strings.Cut(t, " ")
	first = strings.ToLower(strings.TrimSuffix(first, ":"))
	if isWord("foreign leads", first) && (name == "" || looksLikeName(strings.Trim(name, " |·•,"))) {
		return first, name
	}
	return "", ""
}

// isStarter reports whether the words before a name call it that of who began a thread.
func isStarter(lead string) bool { return lead == "thread starter" || lead == "started by" }

// continues reads a piece behind the author, and adds it if it is another name of a list:
// "Ann Bee", ",", "Carl Dee", "and", "Eve Fox".
func (out *nearTitle) continues(t string) {
	joint := strings.Trim(t, " ,&")
	switch name := cleanName(t, maxShownWords); {
	case joint == "" || strings.EqualFold(joint, "and"):
		out.joined = true
	case out.joined && !out.closed && looksLikeName(name) && !isRole(t):
		out.author, out.joined = out.author+", "+name, false
	default:
		out.closed = true
	}
}

// isShort reports whether a line may be a date or a name.
func isShort(line string) bool { return utf8.RuneCountInString(line) <= maxShort }

// nameBesideDate returns the name in a line that has a name, perhaps a job, and a date,
// with signs between them: "Ann Bee | Editor | May 3, 2025". It returns "" for another
// line.
func nameBesideDate(line string) string {
	for _, sep := range [...]string{" | ", " · ", " • ", " ⋅ "} {
		if !strings.Contains(line, sep) {
			continue
		}
		parts := strings.Split(line, sep)
		if len(parts) < 2 || len(parts) > 4 || date.HasDigit(parts[0]) {
			continue
		}
		if name := strings.TrimSpace(parts[0]); looksLikeName(name) && cleanName(name, maxPersonWords) == name && slices.ContainsFunc(parts[1:], date.IsPlain) {
			return name
		}
	}
	return ""
}

// dateBefore finds a date on its own line shortly before a heading, within
// the part of the page that the heading opens: the masthead of a newspaper has
// the date of the day.
func dateBefore(h *html.Node, monthFirst bool) string {
	up, pieces := 0, 0
	n := h
	for range maxBeforeStep {
		switch {
		case n.PrevSibling != nil:
			n = n.PrevSibling
			for n.LastChild != nil && !dom.IsDropped(n.DataAtom) && n.DataAtom != atom.Nav && n.DataAtom != atom.Header {
				n = n.LastChild
			}
		case n.Parent == nil || n.Parent.DataAtom == atom.Body || n.Parent.DataAtom == atom.Main:
			return ""
		default:
			n = n.Parent
			if isInside(h, n) {
				if up++; up > maxBeforeUp {
					return ""
				}
			}
			continue
		}
		if n.Type != html.TextNode {
			continue
		}
		t := metaText(n.Data, maxPiece)
		if t == "" {
			continue
		}
		if pieces++; pieces > maxBefore || len(t) > longPiece {
			return ""
		}
		if isShort(t) && date.HasDigit(t) && date.IsPlain(t) && !date.SaysChanged(t) {
			return date.Shown(t, monthFirst)
		}
	}
	return ""
}
