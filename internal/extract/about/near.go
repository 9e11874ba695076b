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
	more         int        // pieces that may continue a list of authors: see continues
	modified     string     // a date that is called one of a change
	changed      bool       // the piece before says that the date of a change follows
	waits        bool       // a word for the author stood before the last piece
	names        []string   // pieces that look like names of people, without a word that says so
	last         string     // the name that the last piece looks like; empty: none
	starter      bool       // the author began a discussion
	foreign      bool       // the word for the author is one of foreignLeads
	low          bool       // the heading is none of the first level
	apart        bool       // behind another heading, which may be that of a list: names are those of its entries
}

// Bounds on the search beside a heading: pieces of text after it, the long
// ones among them (a subtitle, a summary), how far it goes behind one, and
// pieces, nodes and levels before it.
const (
	maxNear       = 40
	maxNearLong   = 2
	maxBehindLong = 10
	maxBefore     = 6
	maxBeforeStep = 120
	maxBeforeUp   = 5
	maxNearNames  = 4

	maxNearSubtitle = 3 // pieces after which a heading is not a subtitle
)

// lookNear reads the short pieces of text that follow a heading: a line "By
// Ann Bee", a line with only a date. A second heading or the text ends the search.
// A date may also stand before the heading.
func lookNear(h *html.Node, monthFirst bool) nearTitle {
	var out nearTitle
	by := false
	pieces, long, left := 0, 0, maxNear
	for n := after(h); n != nil && pieces < left; {
		if n.Type == html.ElementNode && (dom.IsDropped(n.DataAtom) || n.DataAtom == atom.H2 || n.DataAtom == atom.Nav) {
			if n.DataAtom == atom.H2 {
				break
			}
			n = after(n)
			continue
		}
		out.apart = out.apart || n.Type == html.ElementNode && pieces >= maxNearSubtitle && isHeading(n)
		if n.Type == html.TextNode {
			if t := metaText(n.Data, 200); t != "" {
				if len(t) > 150 {
					if long++; long > maxNearLong {
						break
					}
					left = min(maxNear, pieces+maxBehindLong)
				} else {
					pieces++
					if by = out.readPiece(t, by, long > 0, monthFirst); out.date != "" && out.dateAt == nil {
						out.dateAt = n
					}
				}
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
// name. After a long text, a piece is a date only if it is nothing else.
func (out *nearTitle) readPiece(t string, by, behind, monthFirst bool) bool {
	lower := strings.ToLower(strings.Trim(t, " :"))
	next := false
	lead, name := leadOf(t)
	lead = lead && !out.apart
	if last := out.last; last != "" && behind && date.IsPlain(t) && len(out.names) < maxNearNames {
		out.names = append(out.names, last)
	}
	cleaned := cleanName(t, 6)
	isName := looksLikeName(cleaned)
	if out.last = ""; isName {
		out.last = cleaned
	}
	switch {
	case out.author != "":
		out.continues(t)
	case nameBesideDate(t) != "":
		out.author = nameBesideDate(t)
	case behindDate(t) != "":
		out.author, out.named = behindDate(t), true
	case out.foreign && !isName:
		out.foreign = false
	case by && date.HasDigit(t) && (date.IsPlain(t) || strings.Contains(lower, " min")):
		out.waits = true // "5 min read", a date: the name follows, or none
	case out.waits && isName:
		out.author, out.waits = t, false
	case by:
		out.author, out.named = t, true
	case lead && name == "":
		next, out.starter = true, isStarter(lower)
	case slices.Contains(foreignLeads[:], lower):
		next, out.foreign = true, true
	case !behind && foreignName(t) != "":
		out.author, out.named = foreignName(t), true
	case lead && (!behind || !isSentence(name)):
		out.starter = isStarter(strings.TrimSuffix(lower, " "+strings.ToLower(name)))
		out.author, out.named = t, true
		if len(strings.Fields(t)) > 8 {
			first, _, _ := strings.Cut(t, ",")
			if out.author = first; !looksLikeName(cleanName(first, 6)) {
				out.author, out.named = "", false
			}
		}
	case !behind && len(out.names) < maxNearNames && out.last != "":
		out.names = append(out.names, out.last)
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

// authorLeads are the words before the author beside a heading. Those of one word count
// only with a colon or on their own, but for "by".
var authorLeads = [...]string{"by", "written by", "article by", "posted by", "words by", "story by", "author", "authors", "author(s)", "contributor", "contributors", "started by", "thread starter",
	"autor", "auteur", "autore", "yazar", "yazan", "автор", "作者", "撰文", "文", "記者", "记者", "著者", "筆者", "글", "기자", "كتب", "كتبت", "بقلم", "מאת"}

// leadOf reports whether a piece begins with one of authorLeads, and returns what follows.
func leadOf(t string) (ok bool, name string) {
	for _, lead := range authorLeads {
		if !dom.HasPrefixFold(t, lead) {
			continue
		}
		rest := t[len(lead):]
		name = strings.Trim(rest, " :：")
		switch after := strings.TrimLeft(rest, " "); {
		case name == "", strings.HasPrefix(after, ":"), strings.HasPrefix(after, "："):
			return true, name
		case strings.HasPrefix(rest, " ") && strings.HasSuffix(lead, "by"):
			return true, name
		}
	}
	return false, ""
}

// foreignLeads are the words for "by" of other languages. Other texts begin with them
// too, so that only what looks like a name counts behind them.
var foreignLeads = [...]string{"von", "par", "por", "di", "door", "av", "af", "przez", "texte", "text", "texto"}

// foreignName returns the name in a line that is one behind one of foreignLeads; "" for
// another line.
func foreignName(t string) string {
	lead, name, ok := strings.Cut(t, " ")
	if name = strings.Trim(name, " |·•,"); !ok || !slices.Contains(foreignLeads[:], strings.ToLower(strings.TrimSuffix(lead, ":"))) || !looksLikeName(name) || isSentence(name) {
		return ""
	}
	return name
}

// behindDate returns the name behind a date and a word for "by": "Publié le 12 mars 2026
// par Ann Bee"; "" for another line.
func behindDate(t string) string {
	const mostWords = 14
	if !date.HasDigit(t) {
		return ""
	}
	words := strings.Fields(t)
	if len(words) > mostWords {
		return ""
	}
	for i, w := range words {
		if w = strings.ToLower(w); i < 2 || w != "by" && !slices.Contains(foreignLeads[:], w) {
			continue
		}
		name := strings.Trim(strings.Join(words[i+1:], " "), " |·•,")
		if date.Day(strings.Join(words[:i], " ")) != "" && looksLikeName(name) && !isSentence(name) {
			return name
		}
	}
	return ""
}

// isStarter reports whether the words before a name call it that of who began a thread.
func isStarter(lead string) bool { return lead == "thread starter" || lead == "started by" }

// isSentence reports whether a text ends as a sentence does: "AM Best's Review." is the end
// of one that began with a link, and "Carl Dee Jr." a name.
func isSentence(s string) bool {
	last := s[strings.LastIndexByte(s, ' ')+1:]
	return len(last) > 4 && strings.HasSuffix(last, ".") && strings.Count(last, ".") == 1
}

// continues reads a piece behind the author, and adds it if it is another name of a list:
// "Ann Bee", ",", "Carl Dee", "and", "Eve Fox".
func (out *nearTitle) continues(t string) {
	const joined, closed = 1, 2
	switch joins := strings.Trim(t, " ,&") == "" || strings.EqualFold(strings.Trim(t, " ,"), "and"); {
	case out.more == closed:
	case joins:
		out.more = joined
	case out.more == joined && looksLikeName(cleanName(t, 6)) && !isRole(t):
		out.author, out.more = out.author+", "+cleanName(t, 6), 0
	default:
		out.more = closed
	}
}

// isShort reports whether a line has at most 60 characters.
func isShort(line string) bool { return len(line) <= 60 || utf8.RuneCountInString(line) <= 60 }

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
		if name := strings.TrimSpace(parts[0]); looksLikeName(name) && cleanName(name, 4) == name && slices.ContainsFunc(parts[1:], date.IsPlain) {
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
			if isAncestor(n, h) {
				if up++; up > maxBeforeUp {
					return ""
				}
			}
			continue
		}
		if n.Type != html.TextNode {
			continue
		}
		t := metaText(n.Data, 200)
		if t == "" {
			continue
		}
		if pieces++; pieces > maxBefore || len(t) > 150 {
			return ""
		}
		if isShort(t) && date.HasDigit(t) && date.IsPlain(t) && !date.SaysChanged(t) {
			return date.Shown(t, monthFirst)
		}
	}
	return ""
}

func isAncestor(a, n *html.Node) bool {
	for range maxBeforeUp + 1 {
		if n = n.Parent; n == a {
			return true
		}
		if n == nil {
			return false
		}
	}
	return false
}
