// Package about provides what an HTML page states about itself: its title, author,
// dates, language and site, the facts of its subject, and the content that it carries
// as data.
//
//	meta, stated := about.Read(doc, "https://example.com/post")
//	fmt.Println(meta.Title, meta.Byline, meta.Published)
//	facts := stated.Graph.Facts(about.Page{Title: meta.Title, Text: text})
//
// One walk over the tree makes one [Graph] of items, from JSON-LD (jsonld.go),
// microdata and RDFa (microdata.go), and the properties of meta elements (meta.go), and
// notes the candidates for title, author and date that the page shows. Then one value is
// chosen for each field (metadata.go, title.go, author.go, date.go). facts.go takes the
// usual members of the item that is the subject, and looks them up in the text.
// [Unpack] makes elements of the data of pages that show next to nothing: of the
// graph (write.go) and of the state from which their scripts would make elements
// (source.go, state.go).
//
// # Guarantees
//
// The functions are pure and safe for concurrent use; only Unpack changes the tree.
// Every input ends within the bounds of limits.go, and none panics. Scripts are never
// run: a value is read where a script has a literal. Every text of the metadata is one
// line without invisible characters; every URL is absolute and has the scheme http or
// https; a date is in ISO 8601, with no more parts than the page gives.
//
// # Limits
//
// Items are those of schema.org, by their names; others are in the data, but give no
// facts. itemref, and RDFa vocabularies other than one for the whole element, are
// unsupported. There are no rules
// for single sites. Data that a script computes or fetches is not found.
package about

import (
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Hints are what a page states that no field of page.Meta has.
type Hints struct {
	Graph       *Graph
	SchemaTypes []string // schema.org types of the page's JSON-LD, without vocabulary
	OGType      string   // og:type in lower case, for example "article"
	Items       []string // names of the items of lists that the structured data states
	Parts       []string // texts of ingredients, steps, questions and answers that the structured data states
	Next        string   // the next page, as a link of the head names it, absolute; may be empty
	Paid        bool     // the structured data says that the content is not free
	Shown       bool     // the byline is what the page shows somewhere: neither data nor head state an author
}

// reader is one walk over a page.
type reader struct {
	graph     *Graph
	budget    budget
	textNodes int // that were searched for the texts of microdata
	meta      metaElements
	hints     Hints
	base      weburl.URL
	based     bool // the first <base href> has come; further ones do not count
	lang      string
	titles    []string     // <title>
	h1        []*html.Node // in document order
	authors   []candidate
	dates     []candidate
	margin    []*html.Node // rel=author in an aside
	rel       struct {
		canonical, licence, image string
		feeds, others             []string
	}
	body  *html.Node
	title *html.Node // the heading that shows the title
	looks int        // nodes that were searched for records
	muted *html.Node // within it nothing visible counts: navigation, related items
}

// candidate is an element that may name an author or a date.
type candidate struct {
	rank  int // lower is better
	node  *html.Node
	value string // of an attribute, where that says it
}

// Read reads what a document states about itself. url is its URL; without one, relative
// URLs are left out. Hidden parts of the tree should have been removed.
func Read(doc *html.Node, url string) (page.Meta, Hints) {
	r := &reader{graph: new(Graph), budget: budget{maxScriptBytes, maxScriptNodes}}
	r.base, _ = weburl.Parse(url)
	r.body = dom.Body(doc)
	r.walk(doc, scope{})
	r.stated()
	m := r.choose(url)
	return m, r.hints
}

// walk visits the elements below n, which belong to the items of a scope. The parser
// bounds the levels of a tree.
func (r *reader) walk(n *html.Node, s scope) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != html.ElementNode {
			continue
		}
		if inner, within := r.visit(k, s); within && k.FirstChild != nil {
			r.walk(k, inner)
		}
		if k == r.muted {
			r.muted = nil
		}
	}
}

// visit notes one element, and reports whether to look inside.
func (r *reader) visit(n *html.Node, s scope) (inner scope, within bool) {
	switch n.DataAtom {
	case atom.Html:
		r.lang = dom.FirstNonBlank(dom.Attr(n, "lang"), dom.Attr(n, "xml:lang"))
	case atom.Script:
		if n.FirstChild != nil && dom.IsJSONLD(dom.Attr(n, "type")) {
			r.graph.jsonLD(n.FirstChild.Data, &r.budget)
		}
		return s, false
	case atom.Base, atom.Meta, atom.Link, atom.Title:
		r.element(n, s)
		r.statement(n, s.micro)
		return s, false
	case atom.Style, atom.Template:
		return s, false
	}
	inner = r.element(n, s)
	if n.DataAtom == atom.H1 && r.muted != nil && (len(r.h1) == 0 || !isMargin(r.muted.DataAtom)) {
		r.muted = nil // what contains the page's heading is not a margin
	}
	if r.muted == nil {
		r.shown(n)
	}
	r.attributes(n, s)
	return inner, n.DataAtom != atom.Svg && n.DataAtom != atom.Iframe && n.DataAtom != atom.Math && n.DataAtom != atom.Select
}

// statement notes an element without content, which may belong to an item.
func (r *reader) statement(n *html.Node, of *Item) {
	switch n.DataAtom {
	case atom.Base:
		href := dom.Attr(n, "href")
		if b, err := r.base.Resolve(href); err == nil && href != "" && !r.based && !r.base.IsZero() && dom.IsWeb(b.Scheme()) {
			r.base = b
		}
		r.based = r.based || href != ""
	case atom.Meta:
		r.metaElement(n, of)
	case atom.Link:
		r.link(n)
	case atom.Title:
		if n.Namespace == "" && n.FirstChild != nil {
			r.titles = append(r.titles, n.FirstChild.Data)
		}
	}
}

// shown notes a heading, and what mutes all that is in it.
func (r *reader) shown(n *html.Node) {
	switch n.DataAtom {
	case atom.H1:
		if len(r.h1) < maxCandidates {
			r.h1 = append(r.h1, n)
		}
	case atom.Nav:
		r.muted = n
	case atom.Footer:
		// The footer of an article has its author and its date.
		if !isWithin(n, atom.Article) {
			r.muted = n
		}
	case atom.Aside:
		// An aside may be the page's own byline.
		if kindOfClass(dom.Attr(n, "class"))&^classMuted == 0 && !dom.HasToken(dom.Attr(n, "class"), "post-meta") {
			r.muted = n
		}
	}
}

// isMargin reports whether an element is a margin by its name, and not by that of its
// class.
func isMargin(a atom.Atom) bool { return a == atom.Nav || a == atom.Footer || a == atom.Aside }

// isWithin reports whether an ancestor of n is an element of a kind.
func isWithin(n *html.Node, kind atom.Atom) bool {
	for n = n.Parent; n != nil; n = n.Parent {
		if n.DataAtom == kind {
			return true
		}
	}
	return false
}

// attributes notes what microdata, rel and class names say of an element within the items
// of a scope.
func (r *reader) attributes(n *html.Node, s scope) {
	var k ranks
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "itemprop":
			r.property(n, a.Val, s.micro, &k)
		case "property":
			r.property(n, a.Val, s.rdfa, &k)
		case "rel":
			if dom.HasToken(a.Val, "author") {
				k.isAuthor(rankRel)
			}
			if dom.HasToken(a.Val, "license") {
				r.rel.licence = dom.FirstNonBlank(r.rel.licence, dom.Attr(n, "href"))
			}
		case "href":
			if n.DataAtom == atom.A {
				r.address(a.Val, &k)
			}
		case "class", "id", "data-testid":
			r.class(n, a.Val, &k)
		case "created-timestamp", "datetime": // local-time, relative-time and shreddit-post are elements of scripts
			if n.DataAtom == atom.Time || n.DataAtom == 0 {
				k.isDate(rankTime)
			}
		}
	}
	if n.DataAtom == atom.Time {
		k.isDate(rankTime)
	}
	if k.changed && k.date == rankTime {
		k.date = 0
	}
	if r.muted == nil {
		r.candidates(n, k)
	} else if k.author == rankRel && r.muted.DataAtom == atom.Aside && len(r.margin) < maxCandidates {
		r.margin = append(r.margin, n)
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

// property notes an element with the author or a date of an item. Authors and dates of
// replies are not those of the page.
func (r *reader) property(n *html.Node, names string, of *Item, k *ranks) {
	for name := range strings.FieldsSeq(names) {
		switch name = plainName(name); {
		case isReply(of):
			k.changed = true
		case name == "author", name == "creator":
			k.isAuthor(rankItemprop)
		case name == "datePublished", name == "dateCreated" && of != nil && of.Is("Question", "DiscussionForumPosting"):
			k.isDate(rankItemprop)
		case name == "dateCreated": // of a teaser as often as of the page
			k.isDate(rankTime)
		case name == "dateModified":
			if k.changed = true; r.muted == nil {
				r.meta.change(dom.FirstNonBlank(dom.Attr(n, "datetime"), dom.Attr(n, "content")), 3)
			}
		case name == "license":
			r.rel.licence = dom.FirstNonBlank(r.rel.licence, dom.Attr(n, "href"), dom.Attr(n, "resource"))
		}
	}
}

// isReply reports whether an item is a contribution to a page about something else.
func isReply(it *Item) bool {
	return it != nil && it.Is("Comment", "UserComments", "Answer", "Review")
}

// address notes a link to the page of an author, or to a licence.
func (r *reader) address(href string, k *ranks) {
	for _, word := range [...]string{"/author", "/contributor", "/producer", "/writer", "/columnist", "/autor"} {
		if _, after, ok := strings.Cut(href, word); ok && strings.HasPrefix(strings.TrimPrefix(after, "s"), "/") {
			k.isAuthor(rankLink)
		}
	}
	if strings.Contains(href, "creativecommons.org/") && (strings.Contains(href, "/licenses/") || strings.Contains(href, "/publicdomain/")) {
		r.rel.licence = dom.FirstNonBlank(r.rel.licence, href)
	}
}

// class notes a class or id.
func (r *reader) class(n *html.Node, names string, k *ranks) {
	if r.muted != nil {
		return
	}
	kind := kindOfClass(names)
	if kind&classMuted != 0 && n.DataAtom != atom.Body && n.DataAtom != atom.Main && n.DataAtom != atom.Article {
		r.muted = n
	}
	if kind&classByline != 0 {
		k.isAuthor(rankByline)
	} else if kind&classAuthor != 0 {
		k.isAuthor(rankClass)
	}
	if kind&classPublished != 0 {
		k.isDate(rankPublished)
	} else if kind&classDate != 0 {
		k.isDate(rankClass)
	}
}

// candidates notes an element of some rank.
func (r *reader) candidates(n *html.Node, k ranks) {
	if k.author > 0 && len(r.authors) < maxCandidates {
		r.authors = append(r.authors, candidate{rank: k.author, node: n})
	}
	if k.date > 0 && len(r.dates) < maxCandidates {
		c := candidate{rank: k.date, node: n}
		c.value = dom.FirstNonBlank(dom.Attr(n, "datetime"), dom.Attr(n, "content"), dom.Attr(n, "created-timestamp"))
		if n.DataAtom == atom.Abbr {
			c.value = dom.Attr(n, "title") // hAtom
		}
		r.dates = append(r.dates, c)
	}
}

func (r *reader) link(n *html.Node) {
	href := dom.Attr(n, "href")
	if href == "" {
		return
	}
	rel := strings.ToLower(dom.Attr(n, "rel"))
	for t := range strings.FieldsSeq(rel) {
		switch t {
		case "alternate", "feed":
			switch strings.ToLower(strings.TrimSpace(dom.Attr(n, "type"))) {
			case "application/rss+xml", "application/atom+xml", "application/feed+json":
				r.rel.feeds = noted(r.rel.feeds, href, maxFeeds)
			case "", "text/html", "application/xhtml+xml":
				if !strings.Contains(rel, "stylesheet") {
					r.rel.others = noted(r.rel.others, href, maxOthers)
				}
			}
		case "canonical":
			r.rel.canonical = dom.FirstNonBlank(r.rel.canonical, href)
		case "license":
			r.rel.licence = dom.FirstNonBlank(r.rel.licence, href)
		case "image_src":
			r.rel.image = dom.FirstNonBlank(r.rel.image, href)
		case "prev", "next":
			r.rel.others = noted(r.rel.others, href, maxOthers)
			if t == "next" && r.hints.Next == "" {
				r.hints.Next = r.absolute(href)
			}
		}
	}
}

// noted adds a URL, once, if there are not too many.
func noted(all []string, href string, most int) []string {
	if len(all) < most && !slices.Contains(all, href) {
		all = append(all, href)
	}
	return all
}

// absolute returns a web URL of the page as it is printed, or "".
func (r *reader) absolute(ref string) string {
	ref = strings.TrimSpace(ref)
	if ref == "" || len(ref) > maxURL {
		return ""
	}
	resolve := r.base.Resolve
	if r.base.IsZero() {
		resolve = weburl.Parse
	}
	u, err := resolve(ref)
	if err != nil || !dom.IsWeb(u.Scheme()) {
		return ""
	}
	return u.WithoutUserinfo().String()
}
