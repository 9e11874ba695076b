package metadata

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// nearTitle is what stands beside the heading of the page without any mark.
type nearTitle struct {
	author, date string
	starter      bool // the author is named as the one who began a discussion
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
)

// lookNear reads the short pieces of text that follow a heading: a line "By
// Ann Bee", a date alone. A second heading and the text itself end the search.
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
		if n.Type == html.TextNode {
			if t := metaText(n.Data, 200); t != "" {
				if len(t) > 150 {
					if long++; long > maxNearLong {
						break
					}
					left = min(maxNear, pieces+maxBehindLong)
				} else {
					pieces++
					by = out.readPiece(t, by, long > 0, monthFirst)
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
// name. Behind a long text only what is nothing but a date is one.
func (out *nearTitle) readPiece(t string, by, behind, monthFirst bool) bool {
	lower := strings.ToLower(strings.Trim(t, " :"))
	next := false
	switch {
	case out.author != "":
	case by:
		out.author = t
	case slices.Contains([]string{"by", "written by", "author", "posted by"}, lower):
		next = true
	case lower == "thread starter" || lower == "started by":
		next, out.starter = true, true
	case dom.HasPrefixFold(t, "by ") || dom.HasPrefixFold(t, "written by ") || dom.HasPrefixFold(t, "posted by "):
		if len(strings.Fields(t)) <= 8 {
			out.author = t
		}
	}
	if out.date == "" && len(t) <= 60 && hasDigit(t) && (!behind || isPlainDate(t)) {
		out.date = isoDate(dateText(t), monthFirst)
	}
	return next
}

// dateBefore finds a date that stands alone shortly before a heading, within
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
		if len(t) <= 60 && hasDigit(t) && isPlainDate(t) {
			return isoDate(dateText(t), monthFirst)
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

// isPlainDate reports whether a text is a date and nothing else but words like
// "Published" before it and the time of day, or a separator, behind it.
func isPlainDate(s string) bool {
	s = dateText(s)
	for _, sep := range [...]string{" | ", " · ", " • ", " - ", " – ", " — "} {
		s, _, _ = strings.Cut(s, sep)
	}
	year := false
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ' ' || r == ',' || r == '(' || r == ')' }) {
		w = strings.ToLower(strings.Trim(w, ".:|·•-"))
		switch {
		case w == "" || monthOf(w) > 0 || isWeekday(w):
		case isDigit(w[0]):
			year = year || len(w) >= 4
		case isTimeWord(w):
		default:
			return false
		}
	}
	return year
}

// isTimeWord reports whether a word stands beside dates and times: a zone such
// as "pst", for example.
func isTimeWord(w string) bool {
	switch w {
	case "at", "am", "pm", "of", "de", "the", "gmt", "utc":
		return true
	}
	return len(w) == 3 && strings.HasSuffix(w, "t")
}

// localDay returns the day that the address of a page states in place of a
// time in UTC one day beside it: midnight comes at different times, and the
// address has the author's.
func localDay(published, path string) string {
	if path == "" || len(published) <= 10 || !strings.HasSuffix(published, "Z") && !strings.HasSuffix(published, "+00:00") {
		return published
	}
	if day := published[:10]; nextDay(day) == path || nextDay(path) == day {
		return path
	}
	return published
}

// nextDay returns the day after one in the form that civil gives.
func nextDay(s string) string {
	y, rest := number(s)
	m, rest := number(rest[1:])
	d, _ := number(rest[1:])
	if d++; d > daysIn(y, m) {
		d = 1
		if m++; m > 12 {
			m = 1
			y++
		}
	}
	return civil(y, m, d)
}
