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
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds on what the walk notes.
const (
	maxCandidates = 12  // visible authors, dates, headings each
	maxAuthors    = 12  // names in a byline
	maxMetaText   = 300 // characters of a title or a name
	maxExcerpt    = 600 // characters of the excerpt
)

// Hints are facts of the walk that no field of page.Meta holds.
type Hints struct {
	SchemaTypes []string // schema.org types of the page's structured data, without vocabulary
	OGType      string   // og:type in lower case, as "article"
	generator   string   // meta generator, as "WordPress 6.5"
	hasPassword bool     // a field for a password: a login form
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
	rel     struct{ canonical, licence, image string }
	body    *html.Node
	muted   *html.Node // within it nothing visible counts: navigation, related items
	quiet   bool       // the head has said who and when
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
	w.hints.SchemaTypes = w.schema.types
	return m, w.hints
}

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
	case atom.Html:
		if w.lang = dom.Attr(n, "lang"); w.lang == "" {
			w.lang = dom.Attr(n, "xml:lang")
		}
		return true
	case atom.Base:
		if b, err := w.base.Resolve(dom.Attr(n, "href")); err == nil && !w.base.IsZero() && dom.IsWeb(b.Scheme()) {
			w.base = b
		}
		return false
	case atom.Meta:
		w.meta.read(n, w)
		return false
	case atom.Link:
		w.link(n)
		return false
	case atom.Title:
		if n.Namespace == "" && n.FirstChild != nil && len(w.titles) < 2 {
			w.titles = append(w.titles, n.FirstChild.Data)
		}
		return false
	case atom.Script:
		if n.FirstChild != nil && dom.IsJSONLD(dom.Attr(n, "type")) {
			w.schema.read(n.FirstChild.Data)
			if i := strings.Index(n.FirstChild.Data, `"articleBody"`); i >= 0 {
				w.hints.ArticleBody = max(w.hints.ArticleBody, len(n.FirstChild.Data)-i)
			}
		}
		return false
	case atom.Style, atom.Svg, atom.Iframe, atom.Template, atom.Math, atom.Select:
		return false
	case atom.Body:
		w.quiet = w.headIsEnough()
		return true
	case atom.H1:
		if w.muted == nil && len(w.h1) < maxCandidates {
			w.h1 = append(w.h1, n)
		}
	case atom.Nav, atom.Footer:
		if w.muted == nil {
			w.muted = n
		}
	case atom.Aside:
		// An aside may be the page's own byline.
		if w.muted == nil && kindOfClass(dom.Attr(n, "class"))&^classMuted == 0 && !dom.HasToken(dom.Attr(n, "class"), "post-meta") {
			w.muted = n
		}
	case atom.Input:
		if !w.hints.hasPassword && strings.EqualFold(dom.Attr(n, "type"), "password") {
			w.hints.hasPassword = true
		}
		return false
	}
	w.attributes(n)
	return true
}

// headIsEnough reports whether the head names an author and a date, so that
// the body need not be searched for them.
func (w *metaWalk) headIsEnough() bool {
	subject, _ := w.schema.subject(func(string) bool { return true })
	if isoDate(subject.first(ldPublished), true) == "" {
		return false
	}
	people, _ := w.schema.people(subject[ldAuthor])
	return len(cleanNames(people)) > 0
}

// attributes looks for what microdata, rel and class names say.
func (w *metaWalk) attributes(n *html.Node) {
	rank, date := 0, 0
	for i := range n.Attr {
		a := &n.Attr[i]
		switch a.Key {
		case "itemprop", "property":
			for tok := range strings.FieldsSeq(a.Val) {
				switch tok[strings.LastIndexAny(tok, ":/")+1:] { // RDFa has schema:author, dc:creator
				case "author", "creator":
					rank = better(rank, rankItemprop)
				case "datePublished", "dateCreated":
					date = better(date, rankItemprop)
				case "dateModified":
					if w.muted == nil {
						w.meta.change(dom.FirstNonBlank(dom.Attr(n, "datetime"), dom.Attr(n, "content")), 3)
					}
				case "license":
					if w.rel.licence == "" {
						w.rel.licence = dom.FirstNonBlank(dom.Attr(n, "href"), dom.Attr(n, "resource"))
					}
				}
			}
		case "rel":
			if dom.HasToken(a.Val, "author") {
				rank = better(rank, rankRel)
			}
			if dom.HasToken(a.Val, "license") && w.rel.licence == "" {
				w.rel.licence = dom.Attr(n, "href")
			}
		case "href":
			if !w.quiet && w.muted == nil && n.DataAtom == atom.A {
				if i := strings.Index(a.Val, "/author"); i >= 0 && strings.HasPrefix(strings.TrimPrefix(a.Val[i+len("/author"):], "s"), "/") {
					rank = better(rank, rankLink)
				}
			}
			if w.rel.licence == "" && n.DataAtom == atom.A && strings.Contains(a.Val, "creativecommons.org/") &&
				(strings.Contains(a.Val, "/licenses/") || strings.Contains(a.Val, "/publicdomain/")) {
				w.rel.licence = a.Val
			}
		case "class", "id", "data-testid":
			if w.quiet || w.muted != nil || len(w.authors) == maxCandidates && len(w.dates) == maxCandidates {
				continue
			}
			k := kindOfClass(a.Val)
			if k&classMuted != 0 && w.muted == nil && n.DataAtom != atom.Body && n.DataAtom != atom.Main && n.DataAtom != atom.Article {
				w.muted = n
			}
			if k&classByline != 0 {
				rank = better(rank, rankByline)
			} else if k&classAuthor != 0 {
				rank = better(rank, rankClass)
			}
			if k&classPublished != 0 {
				date = better(date, rankPublished)
			} else if k&classDate != 0 {
				date = better(date, rankClass)
			}
		case "datetime", "pubdate":
			if n.DataAtom == atom.Time || n.DataAtom == 0 { // local-time, relative-time: elements of scripts
				if a.Key == "pubdate" {
					date = better(date, rankPublished)
				}
				date = better(date, rankTime)
			}
		}
	}
	if n.DataAtom == atom.Time && date == 0 {
		date = rankTime
	}
	if rank > 0 && w.muted == nil && len(w.authors) < maxCandidates {
		w.authors = append(w.authors, candidate{rank: rank, node: n})
	}
	if date > 0 && w.muted == nil && len(w.dates) < maxCandidates {
		c := candidate{rank: date, node: n}
		for _, k := range [...]string{"datetime", "content"} {
			if c.value == "" {
				c.value = dom.Attr(n, k)
			}
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

// The kinds of class names.
const (
	classAuthor = 1 << iota
	classByline
	classDate
	classPublished
	classMuted
)

// kindOfClass looks at the words of a class or id; "post-authorName" has
// three. What mutes must begin a name: "sidebar" is one, "with-sidebar" is the
// whole page.
func kindOfClass(s string) (kind int) {
	if len(s) > 400 {
		return 0
	}
	inWord, lower := false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c|0x20-'a' < 26 // c is unsigned
		upper := letter && c < 'a'
		begins := letter && (!inWord || upper && lower)
		inWord, lower = letter, letter && !upper
		if !begins {
			continue
		}
		starts := i == 0 || s[i-1] == ' '
		switch rest := s[i:]; c | 0x20 {
		case 'a':
			if dom.HasPrefixFold(rest, "author") {
				kind |= classAuthor
			}
		case 'b':
			if dom.HasPrefixFold(rest, "byline") {
				kind |= classByline
			}
		case 'c':
			if starts && dom.HasPrefixFold(rest, "comment") {
				kind |= classMuted
			}
		case 'd':
			if dom.HasPrefixFold(rest, "date") && !dom.HasPrefixFold(rest, "datepicker") {
				kind |= classDate
			}
		case 'p':
			if dom.HasPrefixFold(rest, "publish") || dom.HasPrefixFold(rest, "posted") || dom.HasPrefixFold(rest, "pubdate") {
				kind |= classPublished
			}
		case 'r':
			if starts && (dom.HasPrefixFold(rest, "related") || dom.HasPrefixFold(rest, "recommend")) {
				kind |= classMuted
			}
		case 's':
			if starts && dom.HasPrefixFold(rest, "sidebar") {
				kind |= classMuted
			}
		case 't':
			if dom.HasPrefixFold(rest, "timestamp") {
				kind |= classDate
			}
		case 'u':
			if dom.HasPrefixFold(rest, "username") {
				kind |= classAuthor
			}
		case 'w':
			if dom.HasPrefixFold(rest, "writer") {
				kind |= classAuthor
			}
		}
	}
	return kind
}

func (w *metaWalk) link(n *html.Node) {
	href := dom.Attr(n, "href")
	if href == "" {
		return
	}
	for t := range strings.FieldsSeq(dom.Attr(n, "rel")) {
		switch strings.ToLower(t) {
		case "canonical":
			if w.rel.canonical == "" {
				w.rel.canonical = href
			}
		case "license":
			if w.rel.licence == "" {
				w.rel.licence = href
			}
		case "image_src":
			if w.rel.image == "" {
				w.rel.image = href
			}
		}
	}
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

// metaElements holds the values of meta elements by what they are for. The
// first of a kind stays, save where a better name for it comes.
type metaElements struct {
	title, twitterTitle         string
	authors                     []string
	published, modified         string
	publishedRank, modifiedRank int
	site, app                   string
	description, ogDescription  string
	locale, contentLanguage     string
	url, image, licence         string
}

func (m *metaElements) read(n *html.Node, w *metaWalk) {
	var key, content, itemprop, equiv string
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "name", "property":
			if key == "" {
				key = a.Val
			}
		case "content":
			content = a.Val
		case "itemprop":
			itemprop = a.Val
		case "http-equiv":
			equiv = a.Val
		}
	}
	if content == "" {
		return
	}
	if key == "" {
		switch {
		case strings.EqualFold(equiv, "content-language"):
			m.contentLanguage = content
		case w.muted != nil:
		case itemprop == "datePublished":
			m.date(content, 3)
		case itemprop == "dateModified":
			m.change(content, 3)
		case itemprop == "author", itemprop == "creator":
			m.authors = append(m.authors, content)
		case itemprop == "image" && m.image == "":
			m.image = content
		}
		return
	}
	if len(key) > 64 {
		return
	}
	switch key = strings.ToLower(strings.TrimSpace(key)); key {
	case "og:title":
		m.title = dom.FirstNonBlank(m.title, content)
	case "twitter:title", "sailthru.title", "dc.title", "dcterms.title", "parsely-title", "citation_title":
		m.twitterTitle = dom.FirstNonBlank(m.twitterTitle, content)
	case "author", "article:author", "parsely-author", "sailthru.author", "dc.creator", "dcterms.creator", "byl", "article:author_name", "og:article:author", "cxenseparse:author":
		if len(m.authors) < maxAuthors {
			m.authors = append(m.authors, content)
		}
	case "citation_author", "dc.contributor":
		if len(m.authors) < maxAuthors {
			m.authors = append(m.authors, surnameLast(content))
		}
	case "article:published_time":
		m.date(content, 1)
	case "og:published_time", "article:published", "datepublished", "parsely-pub-date", "sailthru.date", "citation_publication_date", "citation_date", "citation_online_date",
		"dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date.created", "publish-date", "publish_date", "publishdate", "publication_date", "pubdate", "article.published", "published_at", "bt:pubdate":
		m.date(content, 2)
	case "date", "dc.date", "dcterms.date", "og:pubdate", "created", "article:created", "cxenseparse:recs:publishtime":
		m.date(content, 4)
	case "article:modified_time", "og:modified_time":
		m.change(content, 1)
	case "og:updated_time", "last-modified", "dcterms.modified", "dc.date.modified", "datemodified", "modified", "revised":
		m.change(content, 2)
	case "og:site_name":
		m.site = dom.FirstNonBlank(m.site, content)
	case "application-name", "apple-mobile-web-app-title", "dc.publisher":
		m.app = dom.FirstNonBlank(m.app, content)
	case "description", "dc.description":
		m.description = dom.FirstNonBlank(m.description, content)
	case "og:description", "twitter:description":
		m.ogDescription = dom.FirstNonBlank(m.ogDescription, content)
	case "og:locale":
		m.locale = dom.FirstNonBlank(m.locale, content)
	case "og:url":
		m.url = dom.FirstNonBlank(m.url, content)
	case "og:image", "og:image:secure_url", "og:image:url", "twitter:image", "twitter:image:src":
		m.image = dom.FirstNonBlank(m.image, content)
	case "dcterms.license", "dc.rights", "dcterms.rights":
		m.licence = dom.FirstNonBlank(m.licence, content)
	case "og:type":
		w.hints.OGType = dom.FirstNonBlank(w.hints.OGType, strings.ToLower(metaText(content, 40)))
	case "generator":
		w.hints.generator = dom.FirstNonBlank(w.hints.generator, metaText(content, 100))
	default:
		// Names of their own for the same thing: w-published-date.
		if !holdsAny(key, "publi", "modif", "updat") {
			return
		}
		switch k := letters(key); {
		case k == "published", holdsAny(k, "publisheddate", "publishdate", "publicationdate", "datepublished", "publishedtime", "publishtime"):
			m.date(content, 3)
		case holdsAny(k, "modifieddate", "datemodified", "modifiedtime", "lastmodified", "lastupdated", "updateddate"):
			m.change(content, 3)
		}
	}
}

func holdsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// date notes a date of publication; a better rank replaces.
func (m *metaElements) date(s string, rank int) {
	if s != "" && (m.published == "" || rank < m.publishedRank) {
		m.published, m.publishedRank = s, rank
	}
}

func (m *metaElements) change(s string, rank int) {
	if s != "" && (m.modified == "" || rank < m.modifiedRank) {
		m.modified, m.modifiedRank = s, rank
	}
}
