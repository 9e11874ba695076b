// Package metadata provides what an HTML page says about itself: title, author,
// dates, language, site, canonical address, image and licence.
//
//	meta, stated := metadata.Read(doc, "https://example.com/post")
//	fmt.Println(meta.Title, meta.Byline, meta.Published)
//	fmt.Println(stated.SchemaTypes) // for the page type
//
// One walk over the tree notes candidates; then one is chosen for each field.
// What a page states for machines precedes what it shows: JSON-LD, then meta
// elements, then microdata and rel, then class names and places. The title is
// the exception: there the sources vote, since <title> and og:title carry the
// name and the slogan of the site.
//
// # Guarantees
//
// The functions are pure and safe for concurrent use, and do not change the
// tree. Every text is one line without invisible characters; every address is
// absolute and has the scheme http or https; a date is in ISO 8601, with no more
// parts than the page gives.
//
// # Limits
//
// A page names at most 12 candidates for each of author, date and heading. The
// language of a text is checked by its script and by a few frequent words.
package metadata

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of the walk.
const (
	maxCandidates = 12  // visible authors, dates, headings each
	maxAuthors    = 12  // names in a byline
	maxMetaText   = 300 // characters of a title or a name
	maxExcerpt    = 600 // characters of the excerpt
)

// Hints are facts of the walk that no field of page.Meta holds.
type Hints struct {
	SchemaTypes []string // schema.org types of the page's structured data, without vocabulary
	OGType      string   // og:type in lower case, for example "article"
	Items       []string // names of the items of lists that the structured data states
	Parts       []string // texts of ingredients, steps, questions and answers that the structured data states
	Next        string   // the next page, as a link of the head names it, absolute; may be empty
	Paid        bool     // the structured data says that the content is not free
	Shown       bool     // the byline is what the page shows somewhere: neither data nor head state an author
	ArticleBody int      // bytes from the text of an article to the end of its JSON-LD, the longest; 0: none
}

// metaWalk collects candidates.
type metaWalk struct {
	meta    metaElements
	schema  schemaFacts
	hints   Hints
	base    weburl.URL
	lang    string
	titles  []string     // <title>
	h1      []*html.Node // in document order
	authors []candidate
	dates   []candidate
	margin  []candidate // authors in an aside or a footer
	aside   []candidate // time elements in an aside
	rel     struct {
		canonical, licence, image string
		feeds, others             []string
	}
	body  *html.Node
	title *html.Node   // the heading that shows the title
	lists []*html.Node // elements whose children are records with dates
	looks int          // nodes that were looked at for records
	muted *html.Node   // within it nothing visible counts: navigation, related items
	quiet bool         // the head names the author and the date
}

// candidate is an element or a value that may name an author or a date.
type candidate struct {
	rank  int // lower is better
	node  *html.Node
	value string // of an attribute, where that says it
}

// Read reads what a document says about itself. base is its address;
// without one, relative addresses are left out.
func Read(doc *html.Node, base string) (page.Meta, Hints) {
	w := &metaWalk{}
	w.base, _ = weburl.Parse(base)
	w.walk(doc)
	w.body = dom.Body(doc)
	m := w.choose(base)
	w.hints.SchemaTypes, w.hints.Items, w.hints.Parts = w.schema.types, w.schema.items, append(w.schema.parts, w.meta.parts...)
	return m, w.hints
}

// Day reads a date that a page shows, in the form of the fields of page.Meta; "" for
// a text that is none.
func Day(shown string) string { return isoDate(dateText(shown), true) }

func (w *metaWalk) walk(doc *html.Node) {
	for n := doc; n != nil; {
		descend := true
		if n.Type == html.ElementNode {
			descend = w.visit(n)
		}
		if descend && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for {
			if n == w.muted {
				w.muted = nil
			}
			if n == doc {
				return
			}
			if n.NextSibling != nil {
				n = n.NextSibling
				break
			}
			if n = n.Parent; n == nil {
				return
			}
		}
	}
}

// visit notes one element and says whether to look inside.

func (w *metaWalk) visit(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Html, atom.Body:
		if n.DataAtom == atom.Body {
			w.quiet = w.headIsEnough()
		} else if w.lang = dom.Attr(n, "lang"); w.lang == "" {
			w.lang = dom.Attr(n, "xml:lang")
		}
		return true
	case atom.Base, atom.Meta, atom.Link, atom.Title, atom.Script:
		w.statement(n)
		return false
	case atom.Style, atom.Svg, atom.Iframe, atom.Template, atom.Math, atom.Select, atom.Input:
		return false
	}
	if n.DataAtom == atom.H1 && w.muted != nil && (len(w.h1) == 0 || !isMargin(w.muted.DataAtom)) {
		w.muted = nil // what holds the page's heading is not a margin
	}
	if w.muted == nil {
		w.shown(n)
	}
	w.attributes(n)
	return true
}

// statement notes an element that speaks to machines.
func (w *metaWalk) statement(n *html.Node) {
	switch n.DataAtom {
	case atom.Base:
		if b, err := w.base.Resolve(dom.Attr(n, "href")); err == nil && !w.base.IsZero() && dom.IsWeb(b.Scheme()) {
			w.base = b
		}
	case atom.Meta:
		w.meta.read(n, w)
	case atom.Link:
		w.link(n)
	case atom.Title:
		if n.Namespace == "" && n.FirstChild != nil && len(w.titles) < 2 {
			w.titles = append(w.titles, n.FirstChild.Data)
		}
	case atom.Script:
		if n.FirstChild != nil && dom.IsJSONLD(dom.Attr(n, "type")) {
			w.schema.read(n.FirstChild.Data)
			w.hints.Paid = w.hints.Paid || isPaid(n.FirstChild.Data)
			if i := strings.Index(n.FirstChild.Data, `"articleBody"`); i >= 0 {
				w.hints.ArticleBody = max(w.hints.ArticleBody, len(n.FirstChild.Data)-i)
			}
		}
	}
}

// isPaid reports whether JSON-LD says that what it describes is not free.
func isPaid(script string) bool {
	const key = `isAccessibleForFree"`
	_, value, ok := strings.Cut(script[:min(len(script), maxLDScript)], key)
	return ok && dom.HasPrefixFold(strings.TrimLeft(value[:min(len(value), 40)], ": \t\r\n\""), "false")
}

// shown notes a heading, and what mutes all that is in it.
func (w *metaWalk) shown(n *html.Node) {
	switch n.DataAtom {
	case atom.H1:
		if len(w.h1) < maxCandidates {
			w.h1 = append(w.h1, n)
		}
	case atom.Nav:
		w.muted = n
	case atom.Footer:
		// The footer of an article has its author and its date.
		if !isWithin(n, atom.Article) {
			w.muted = n
		}
	case atom.Aside:
		// An aside may be the page's own byline.
		if kindOfClass(dom.Attr(n, "class"))&^classMuted == 0 && !dom.HasToken(dom.Attr(n, "class"), "post-meta") {
			w.muted = n
		}
	}
}

// isMargin reports whether an element is a margin by its name, and not by that of its
// class.
func isMargin(a atom.Atom) bool { return a == atom.Nav || a == atom.Footer || a == atom.Aside }

// isWithin reports whether a near ancestor of n is an element of a kind.
func isWithin(n *html.Node, kind atom.Atom) bool {
	const levels = 12
	for k := 0; k < levels && n.Parent != nil; k++ {
		if n = n.Parent; n.DataAtom == kind {
			return true
		}
	}
	return false
}

// headIsEnough reports whether the head names an author, who is not the site, and a date,
// so that the body need not be searched for them.
func (w *metaWalk) headIsEnough() bool {
	subject, _ := w.schema.subject(func(string) bool { return true })
	if isoDate(subject.first(ldPublished), true) == "" {
		return false
	}
	people, _ := w.schema.people(subject[ldAuthor])
	site := letters(dom.FirstNonBlank(w.meta.site, w.schema.siteName(subject)))
	return slices.ContainsFunc(cleanNames(people), func(n string) bool { return letters(n) != site })
}

// attributes looks for what microdata, rel and class names say.
func (w *metaWalk) attributes(n *html.Node) {
	var r ranks
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "itemprop", "property":
			for tok := range strings.FieldsSeq(a.Val) {
				w.property(n, tok, &r)
			}
		case "rel":
			if dom.HasToken(a.Val, "author") {
				r.isAuthor(rankRel)
			}
			if dom.HasToken(a.Val, "license") && w.rel.licence == "" {
				w.rel.licence = dom.Attr(n, "href")
			}
		case "href":
			if n.DataAtom == atom.A {
				w.address(a.Val, &r)
			}
		case "class", "id", "data-testid":
			w.class(n, a.Val, &r)
		case "created-timestamp": // the opening post of Reddit, an element of a script
			if n.DataAtom == 0 && strings.HasSuffix(n.Data, "-post") {
				r.isDate(rankPublished)
			}
		case "datetime", "pubdate":
			if n.DataAtom == atom.Time || n.DataAtom == 0 { // local-time, relative-time: elements of scripts
				if a.Key == "pubdate" {
					r.isDate(rankPublished)
				}
				r.isDate(rankTime)
			}
		}
	}
	switch {
	case r.changed && (r.date == 0 || r.date == rankTime):
		r.date = 0
	case n.DataAtom == atom.Time && r.date == 0:
		r.date = rankTime
	}
	switch {
	case w.muted == nil:
		w.candidates(n, r)
	case (r.author == rankItemprop || r.author == rankRel) && w.muted.DataAtom != atom.Nav && len(w.margin) < maxCandidates &&
		kindOfClass(dom.Attr(w.muted, "class"))&classMuted == 0 && kindOfClass(dom.Attr(w.muted, "id"))&classMuted == 0:
		w.margin = append(w.margin, candidate{rank: r.author, node: n})
	case n.DataAtom == atom.Time && w.muted.DataAtom == atom.Aside && len(w.aside) < maxCandidates:
		w.aside = append(w.aside, candidate{node: n, value: dom.Attr(n, "datetime")})
	}
}

// ranks say how good an element is as author and as date; 0: not at all. changed: it says
// when the page was changed.
type ranks struct {
	author, date int
	changed      bool
}

func (r *ranks) isAuthor(rank int) { r.author = better(r.author, rank) }
func (r *ranks) isDate(rank int)   { r.date = better(r.date, rank) }

// property reads one property of microdata or RDFa, which has schema:author and
// dc:creator.
func (w *metaWalk) property(n *html.Node, name string, r *ranks) {
	switch name = name[strings.LastIndexAny(name, ":/")+1:]; name {
	case "author", "creator", "datePublished", "dateCreated", "dateModified":
		if of := scopeOf(n); isReply(of) {
			r.changed = r.changed || n.DataAtom == atom.Time
			return
		} else if name == "dateCreated" && isOpening(of) {
			name = "datePublished"
		}
	}
	switch name {
	case "author", "creator":
		r.isAuthor(rankItemprop)
	case "datePublished":
		r.isDate(rankItemprop)
	case "dateCreated": // of a comment or a teaser as often as of the page
		r.isDate(rankTime)
	case "dateModified":
		if r.changed = true; w.muted == nil {
			w.meta.change(dom.FirstNonBlank(dom.Attr(n, "datetime"), dom.Attr(n, "content")), 3)
		}
	case "license":
		if w.rel.licence == "" {
			w.rel.licence = dom.FirstNonBlank(dom.Attr(n, "href"), dom.Attr(n, "resource"))
		}
	}
}

// scopeOf returns the type of the item of microdata that an element belongs to, without
// its vocabulary; "" for none. People and organisations are parts of other items. A review
// of something else is a reply, as a comment is.
func scopeOf(n *html.Node) string {
	const levels = 12
	for k := 0; k < levels && n.Parent != nil; k++ {
		n = n.Parent
		of := dom.Attr(n, "itemtype")
		switch of = of[strings.LastIndexAny(of, "/#")+1:]; of {
		case "", "Person", "Organization":
		case "Review":
			if strings.HasPrefix(dom.Attr(n, "itemprop"), "review") {
				return "Comment"
			}
			return of
		default:
			return of
		}
	}
	return ""
}

// isReply reports whether an item is one of the contributions to a page, whose authors and
// dates are not those of the page.
func isReply(of string) bool {
	return of == "Comment" || of == "UserComments" || of == "Answer"
}

// isOpening reports whether an item is what a thread begins with.
func isOpening(of string) bool { return of == "Question" || of == "DiscussionForumPosting" }

// address reads where a link leads: to the page of an author, or to a licence.
func (w *metaWalk) address(href string, r *ranks) {
	if !w.quiet && w.muted == nil {
		for _, word := range [...]string{"/author", "/contributor", "/producer", "/writer", "/columnist", "/autor"} {
			if _, after, ok := strings.Cut(href, word); ok && strings.HasPrefix(strings.TrimPrefix(after, "s"), "/") {
				r.isAuthor(rankLink)
			}
		}
	}
	if w.rel.licence == "" && strings.Contains(href, "creativecommons.org/") &&
		(strings.Contains(href, "/licenses/") || strings.Contains(href, "/publicdomain/")) {
		w.rel.licence = href
	}
}

// class reads a class or id.
func (w *metaWalk) class(n *html.Node, names string, r *ranks) {
	if w.quiet || w.muted != nil || len(w.authors) == maxCandidates && len(w.dates) == maxCandidates {
		return
	}
	k := kindOfClass(names)
	if k&classMuted != 0 && n.DataAtom != atom.Body && n.DataAtom != atom.Main && n.DataAtom != atom.Article {
		w.muted = n
	}
	if k&classByline != 0 {
		r.isAuthor(rankByline)
	} else if k&classAuthor != 0 {
		r.isAuthor(rankClass)
	}
	if k&classPublished != 0 {
		r.isDate(rankPublished)
	} else if k&classDate != 0 {
		r.isDate(rankClass)
	}
}

// candidates notes an element of some rank.
func (w *metaWalk) candidates(n *html.Node, r ranks) {
	if r.author > 0 && len(w.authors) < maxCandidates {
		w.authors = append(w.authors, candidate{rank: r.author, node: n})
	}
	if r.date > 0 && len(w.dates) < maxCandidates {
		c := candidate{rank: r.date, node: n}
		for _, k := range [...]string{"datetime", "content", "created-timestamp"} {
			if c.value == "" {
				c.value = dom.Attr(n, k)
			}
		}
		if n.DataAtom == atom.Abbr {
			c.value = dom.Attr(n, "title") // hAtom
		}
		w.dates = append(w.dates, c)
	}
}

// The ranks of visible candidates.
const (
	rankItemprop  = iota + 1
	rankRel       // rel=author
	rankByline    // class byline
	rankPublished // class published, entry-date
	rankTime      // a time element
	rankLink      // a link to /author/
	rankClass     // class author, date
)

func better(a, b int) int {
	if a == 0 || b < a {
		return b
	}
	return a
}

func (w *metaWalk) link(n *html.Node) {
	href := dom.Attr(n, "href")
	if href == "" {
		return
	}
	for t := range strings.FieldsSeq(dom.Attr(n, "rel")) {
		switch strings.ToLower(t) {
		case "alternate", "feed":
			switch media := dom.Attr(n, "type"); {
			case isFeed(media):
				w.rel.feeds = noted(w.rel.feeds, href, maxFeeds)
			case isPage(media) && !strings.Contains(strings.ToLower(dom.Attr(n, "rel")), "stylesheet"):
				w.rel.others = noted(w.rel.others, href, maxOthers)
			}
		case "canonical":
			if w.rel.canonical == "" {
				w.rel.canonical = href
			}
		case "license":
			if w.rel.licence == "" {
				w.rel.licence = href
			}
		case "prev":
			w.rel.others = noted(w.rel.others, href, maxOthers)
		case "next":
			w.rel.others = noted(w.rel.others, href, maxOthers)
			if w.hints.Next == "" {
				w.hints.Next = w.absolute(href)
			}
		case "image_src":
			if w.rel.image == "" {
				w.rel.image = href
			}
		}
	}
}

// How many feeds and other pages that a page names are kept.
const (
	maxFeeds  = 8
	maxOthers = 64
)

// noted adds an address, once, if there are not too many.
func noted(all []string, href string, most int) []string {
	if len(all) < most && !slices.Contains(all, href) {
		all = append(all, href)
	}
	return all
}

// isPage reports whether a link's type is that of a page; most have none.
func isPage(mediaType string) bool {
	switch strings.ToLower(strings.TrimSpace(mediaType)) {
	case "", "text/html", "application/xhtml+xml":
		return true
	}
	return false
}

// isFeed reports whether a link's type is that of a feed.
func isFeed(mediaType string) bool {
	switch strings.ToLower(strings.TrimSpace(mediaType)) {
	case "application/rss+xml", "application/atom+xml", "application/feed+json":
		return true
	}
	return false
}

// absolute returns a web address of the page as it is printed, or "".
func (w *metaWalk) absolute(ref string) string {
	ref = strings.TrimSpace(ref)
	if ref == "" || len(ref) > 4096 {
		return ""
	}
	resolve := w.base.Resolve
	if w.base.IsZero() {
		resolve = weburl.Parse
	}
	u, err := resolve(ref)
	if err != nil || !dom.IsWeb(u.Scheme()) {
		return ""
	}
	return u.WithoutUserinfo().String()
}
