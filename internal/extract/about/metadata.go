package about

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract/date"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// choose makes the metadata out of the candidates.
func (r *reader) choose(address string) page.Meta {
	var m page.Meta
	host, path := dom.HostAndPath(address)
	headings := make([]string, 0, 4)
	for _, n := range r.h1 {
		if t := headingText(n); t != "" && !slices.Contains(headings, t) {
			headings = append(headings, t)
		}
	}
	htmlTitle := ""
	if len(r.titles) > 0 {
		htmlTitle = metaText(r.titles[0], maxMetaText)
	}
	og := metaText(r.meta.statedTitle(), maxMetaText)
	subject, webPage := r.graph.subject(func(name string) bool {
		name = letters(name)
		return len(name) > 3 && (slices.ContainsFunc(headings, func(h string) bool { return letters(h) == name }) ||
			strings.HasPrefix(letters(htmlTitle), name) || letters(og) == name)
	})

	m.SiteName = metaText(dom.FirstNonBlank(r.meta.site, r.graph.siteName(subject), r.meta.app), maxLine)
	ldTitle := ""
	if subject != nil {
		ldTitle = metaText(r.graph.title(subject), maxMetaText)
	}
	var suffix string
	if l := letters(m.SiteName); l != "" && (l == letters(htmlTitle) || l == letters(og)) && strings.ContainsFunc(m.SiteName, unicode.IsSpace) {
		m.SiteName = "" // the title again
	}
	m.Title, suffix = chooseTitle(headings, titleStatements{og: og, ld: ldTitle, html: htmlTitle, site: m.SiteName, host: host, path: path})
	if m.SiteName == "" {
		m.SiteName = suffix
	}

	for _, s := range [...]string{r.lang, r.meta.contentLanguage, r.graph.Text(subject, "inLanguage"), r.graph.Text(webPage, "inLanguage"), r.meta.locale} {
		m.Language = cmp.Or(m.Language, languageTag(s))
	}
	monthFirst := m.Language == "" || m.Language == "en" || m.Language == "en-US"
	var near nearTitle
	r.title = r.titleHeading(m.Title)
	if n := r.title; n != nil {
		near = lookNear(n, monthFirst)
		near.low = n.DataAtom != atom.H1
		if want := letters(m.Title); !near.low && letters(headingText(n)) != want { // the h1 is a logo
			if n = r.lowHeading(want); n != nil {
				if low := lookNear(n, monthFirst); low.starter {
					near, near.low = low, true
				}
			}
		}
	}
	if near.dateAt != nil && (r.isOfRecord(near.dateAt) || r.isRepeated(near.dateAt, r.dates)) || r.graph.Text(subject, "startDate") != "" { // the day of an event
		near.date = ""
	}
	m.Modified = dom.FirstNonBlank(r.modified(subject, webPage, monthFirst), near.modified)
	m.Published = r.published(subject, webPage, path, monthFirst, near)
	if m.Modified != "" && date.IsBefore(near.date, m.Published) {
		m.Published = near.date // the data has the day when the page was written anew
	}
	m.Modified = dom.FirstNonBlank(m.Modified, r.shownChange(monthFirst))
	m.Byline = r.byline(subject, m.SiteName, m.Title, near)

	m.Excerpt = metaText(dom.FirstNonBlank(r.meta.description, r.meta.ogDescription, r.graph.Text(subject, "description"), r.graph.Text(webPage, "description")), maxExcerpt)
	m.Feeds, m.Others = r.addresses(r.rel.feeds), r.addresses(r.rel.others)
	m.Canonical = r.firstURL(r.rel.canonical, r.meta.url)
	m.Image = r.firstURL(r.meta.image, r.graph.url(subject, "image"), r.graph.url(webPage, "image"), r.rel.image)
	m.Licence = cmp.Or(r.firstURL(r.rel.licence, r.graph.url(subject, "license"), r.graph.url(webPage, "license")), metaText(r.meta.licence, maxLine))
	return m
}

// titleHeading returns the heading that shows the title: the h1 with its words or the only
// h1, else the first h2 to h4 with its words; nil for none.
func (r *reader) titleHeading(title string) *html.Node {
	want := letters(title)
	for _, n := range r.h1 {
		if t := headingText(n); t == title || letters(t) == want || len(r.h1) == 1 {
			return n
		}
	}
	return r.lowHeading(want)
}

// lowHeading returns the first h2 to h4 with these letters; nil for none.
func (r *reader) lowHeading(want string) *html.Node {
	if r.body == nil || want == "" {
		return nil
	}
	for n := range dom.Below(r.body) {
		if (n.DataAtom == atom.H2 || n.DataAtom == atom.H3 || n.DataAtom == atom.H4) && letters(headingText(n)) == want {
			return n
		}
	}
	return nil
}

// addresses makes addresses absolute, and leaves out those that are none.
func (r *reader) addresses(refs []string) (out []string) {
	for _, ref := range refs {
		if u := r.absolute(ref); u != "" {
			out = append(out, u)
		}
	}
	return out
}

// headingText is the text of a heading without the sign of a link to the heading, and
// without a button at its end.
func headingText(n *html.Node) string {
	t := metaText(dom.NodeText(n, maxText), maxMetaText)
	if last := n.LastChild; last != nil && last.DataAtom == atom.Button {
		if rest := strings.TrimSuffix(t, metaText(dom.NodeText(last, maxText), maxMetaText)); letters(rest) != "" {
			t = strings.TrimSpace(rest)
		}
	}
	for _, sign := range [...]string{"¶", "🔗", " #"} {
		t = strings.TrimSpace(strings.TrimSuffix(t, sign))
	}
	return t
}

// languageTag normalizes a language tag by BCP 47 (RFC 5646, section 2.1.1), for
// example to "en", "pt-BR" or "zh-Hant-TW". It drops the subtags after the region,
// and returns "" for a text that is not a language tag.
func languageTag(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), ",")
	s = strings.TrimSpace(s)
	if len(s) > 35 {
		return ""
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("-_.@", r) })
	if len(parts) == 0 || len(parts[0]) < 2 || len(parts[0]) > 3 || !isASCII(parts[0], unicode.IsLetter) {
		return ""
	}
	out := strings.ToLower(parts[0])
	switch out {
	case "und", "zxx", "mul": // undetermined, nothing to read, several
		return ""
	}
	for i, part := range parts[1:] {
		switch {
		case len(part) == 4 && i == 0 && isASCII(part, unicode.IsLetter): // a script
			out += "-" + strings.ToUpper(part[:1]) + strings.ToLower(part[1:])
		case len(part) == 2 && isASCII(part, unicode.IsLetter), len(part) == 3 && isASCII(part, unicode.IsDigit): // a region
			return out + "-" + strings.ToUpper(part)
		default:
			return out
		}
	}
	return out
}

// isASCII reports whether all characters of s are of a kind and of ASCII.
func isASCII(s string, kind func(rune) bool) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !kind(r) })
}

func (r *reader) published(subject, webPage *Item, path string, monthFirst bool, near nearTitle) string {
	if d := firstDate(monthFirst, r.graph.Text(subject, "datePublished"), r.meta.published, r.graph.Text(subject, "dateCreated"), r.graph.Text(subject, "uploadDate")); d != "" {
		return d
	}
	if d := r.visibleDate(monthFirst, rankItemprop, rankPublished); d != "" {
		return d
	}
	if d := date.InPath(path); d != "" {
		return d
	}
	// A WebPage's date is often that of the template; beside a product it says
	// nothing.
	if subject == nil || subject.rank() == rankArticle {
		if d := date.Parse(r.graph.Text(webPage, "datePublished"), monthFirst); d != "" {
			return d
		}
	}
	if near.starter && near.date != "" {
		return near.date // "Started by": an element before it may have the time of day
	}
	if d := r.visibleDate(monthFirst, rankTime, rankTime); d != "" {
		return d
	}
	beside := near.date
	if near.low { // the heading of a post, which the facts about its author follow
		beside = ""
	}
	return dom.FirstNonBlank(beside, r.visibleDate(monthFirst, rankClass, rankClass), r.dateBesideAuthor(monthFirst), near.date)
}

// dateBesideAuthor finds a date in the element that shows the first author, as
// forums have it: "by Ann » Tue Aug 27, 2019 1:47 am", or alone behind that element.
func (r *reader) dateBesideAuthor(monthFirst bool) string {
	for _, c := range r.authors {
		line := lineOf(c.node)
		if date.SaysChanged(line) || r.isOfRecord(c.node) || r.isRepeated(c.node, r.authors) {
			continue
		}
		if d := date.Shown(line, monthFirst); d != "" {
			return d
		}
		if d := dateBehind(c.node, monthFirst); d != "" {
			return d
		}
	}
	return ""
}

// dateBehind returns the date in the first text behind an element that is nothing but a
// date, within two levels above the element.
func dateBehind(n *html.Node, monthFirst bool) string {
	const steps = 8
	top := n
	for k := 0; k < 2 && top.Parent != nil && top.Parent.DataAtom != atom.Body; k++ {
		top = top.Parent
	}
	end := after(top)
	d := after(n)
	for k := 0; k < steps && d != nil && d != end; k++ {
		if d.Type == html.TextNode {
			if t := metaText(d.Data, maxLine); t != "" {
				if date.HasDigit(t) && date.IsPlain(t) && !date.SaysChanged(t) {
					return date.Shown(t, monthFirst)
				}
				return ""
			}
		}
		if d.FirstChild != nil && !dom.IsDropped(d.DataAtom) {
			d = d.FirstChild
		} else {
			d = after(d)
		}
	}
	return ""
}

// visibleDate returns the first date among the candidates of these ranks: the
// best rank first, then the order of the page.
func (r *reader) visibleDate(monthFirst bool, from, to int) string {
	for rank := from; rank <= to; rank++ {
		for _, c := range r.dates {
			if c.rank != rank {
				continue
			}
			text := lineOf(c.node)
			changed := date.SaysChanged(text) || changedBefore(c.node, text)
			if rank > rankItemprop && (c.value == "" && date.IsPeriod(text) || r.isOfRecord(c.node) || r.isRepeated(c.node, r.dates)) {
				continue
			}
			if d := date.Parse(c.value, monthFirst); d != "" && (!changed || rank < rankTime) {
				return d
			}
			if changed {
				continue
			}
			if d := date.Shown(text, monthFirst); d != "" {
				return d
			}
		}
	}
	return ""
}

// shownChange returns the first date among the candidates that is called one of a change.
func (r *reader) shownChange(monthFirst bool) string {
	for _, c := range r.dates {
		text := lineOf(c.node)
		if !date.SaysChanged(text) && !changedBefore(c.node, text) || r.isOfRecord(c.node) {
			continue
		}
		if d := dom.FirstNonBlank(date.Parse(c.value, monthFirst), date.Shown(text, monthFirst)); d != "" {
			return d
		}
	}
	return ""
}

func (r *reader) modified(subject, webPage *Item, monthFirst bool) string {
	ofPage := ""
	if subject == nil {
		ofPage = r.graph.Text(webPage, "dateModified")
	}
	return firstDate(monthFirst, r.graph.Text(subject, "dateModified"), r.meta.modified, ofPage)
}

// firstDate returns the first text that is a date, in ISO 8601.
func firstDate(monthFirst bool, texts ...string) string {
	for _, s := range texts {
		if d := date.Parse(s, monthFirst); d != "" {
			return d
		}
	}
	return ""
}

// after returns the node that follows n and all that is in it.
func after(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		if n.NextSibling != nil {
			return n.NextSibling
		}
	}
	return nil
}

// changedBefore reports whether the words before a date in the element around it call it
// one of a change: "Last updated on", each word an element of its own.
func changedBefore(n *html.Node, shown string) bool {
	if n.Parent == nil || shown == "" {
		return false
	}
	before, _, ok := strings.Cut(lineOf(n.Parent), shown)
	return ok && date.SaysChanged(before) && !date.HasDigit(before)
}

// firstURL returns the first reference that is a web URL, absolute.
func (r *reader) firstURL(refs ...string) string {
	for _, ref := range refs {
		if u := r.absolute(ref); u != "" {
			return u
		}
	}
	return ""
}

// lineOf is the text of an element as a short line.
func lineOf(n *html.Node) string { return metaText(dom.NodeText(n, maxPiece), maxLine) }

// metaText makes one clean line of at most max characters: entities that were
// escaped twice are decoded, white space is collapsed, invisible characters are
// dropped.
func metaText(s string, max int) string {
	if s == "" {
		return ""
	}
	if len(s) > 8*max {
		s = strings.ToValidUTF8(s[:8*max], "")
	}
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	if strings.Contains(s, "</") { // markup; "<br>" alone is what the page is about
		s = dom.TokenText([]byte(s))
	}
	return text.Cut(text.Line(s), max)
}

// letters returns the letters and digits of s in lower case, to compare two texts
// without their punctuation.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
