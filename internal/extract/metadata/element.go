package metadata

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
)

// metaElements holds the values of meta elements by meaning. The first of each
// meaning counts, unless an element with a better name follows.
type metaElements struct {
	titles                      []string // og:title
	twitterTitle                string
	authors                     []string
	published, modified         string
	publishedRank, modifiedRank int
	site, app                   string
	description, ogDescription  string
	locale, contentLanguage     string
	url, image, licence         string
	label, card                 string // of a card for links: the last label, and the author
	parts                       []string
}

// metaAttributes are the attributes of one meta element.
type metaAttributes struct{ key, content, itemprop, equiv string }

func attributesOfMeta(n *html.Node) (m metaAttributes) {
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "name", "property":
			if m.key == "" {
				m.key = a.Val
			}
		case "content":
			m.content = a.Val
		case "itemprop":
			m.itemprop = a.Val
		case "http-equiv":
			m.equiv = a.Val
		}
	}
	return m
}

func (m *metaElements) read(n *html.Node, w *metaWalk) {
	a := attributesOfMeta(n)
	switch {
	case a.content == "" || len(a.key) > 64:
	case a.key == "":
		m.unnamed(a, w.muted != nil || a.itemprop != "" && isReply(scopeOf(n)))
	default:
		m.named(strings.ToLower(strings.TrimSpace(a.key)), a.content, &w.hints)
	}
}

// unnamed reads an element that has neither a name nor a property.
func (m *metaElements) unnamed(a metaAttributes, muted bool) {
	switch {
	case strings.EqualFold(a.equiv, "content-language"):
		m.contentLanguage = a.content
	case muted:
	case a.itemprop == "datePublished":
		m.date(a.content, 3)
	case a.itemprop == "dateModified":
		m.change(a.content, 3)
	case a.itemprop == "author", a.itemprop == "creator":
		m.authors = append(m.authors, a.content)
	case a.itemprop == "recipeIngredient", a.itemprop == "ingredients", a.itemprop == "recipeInstructions":
		m.parts = append(m.parts[:min(len(m.parts), maxParts)], metaText(a.content, maxPartText))
	case a.itemprop == "image" && m.image == "":
		m.image = a.content
	}
}

// named reads an element by its name in lower case.
func (m *metaElements) named(key, content string, h *Hints) {
	if rank, ok := publishedNames[key]; ok {
		m.date(content, rank)
		return
	}
	if rank, ok := modifiedNames[key]; ok {
		m.change(content, rank)
		return
	}
	if to := m.text(key); to != nil {
		*to = dom.FirstNonBlank(*to, content)
		return
	}
	switch key {
	case "author", "article:author", "parsely-author", "sailthru.author", "dc.creator", "dcterms.creator", "byl", "article:author_name", "og:article:author", "cxenseparse:author":
		if len(m.authors) < maxAuthors {
			m.authors = append(m.authors, content)
		}
	case "citation_author", "dc.contributor":
		if len(m.authors) < maxAuthors {
			m.authors = append(m.authors, surnameLast(content))
		}
	case "twitter:label1", "twitter:label2":
		m.label = strings.ToLower(strings.TrimSpace(content))
	case "twitter:data1", "twitter:data2":
		// The author that the text of a link to the page names.
		if l := strings.TrimSuffix(m.label, ":"); (l == "written by" || l == "author" || l == "by" || l == "posted by" || l == "interview by") && m.card == "" {
			m.card = content
		}
	case "og:title":
		if len(m.titles) < maxTitles {
			m.titles = append(m.titles, content)
		}
	case "og:type":
		h.OGType = dom.FirstNonBlank(h.OGType, strings.ToLower(metaText(content, 40)))
	default:
		m.ownName(key, content)
	}
}

// publishedNames and modifiedNames are names for dates, with their ranks.
var (
	publishedNames = map[string]int{
		"article:published_time": 1,

		"og:published_time": 2, "article:published": 2, "datepublished": 2, "parsely-pub-date": 2, "sailthru.date": 2,
		"citation_publication_date": 2, "citation_date": 2, "citation_online_date": 2, "dc.date.issued": 2, "dcterms.issued": 2,
		"dcterms.created": 2, "dc.date.created": 2, "publish-date": 2, "publish_date": 2, "publishdate": 2,
		"publication_date": 2, "pubdate": 2, "article.published": 2, "published_at": 2, "bt:pubdate": 2,

		"date": 4, "dc.date": 4, "dcterms.date": 4, "og:pubdate": 4, "created": 4, "article:created": 4, "cxenseparse:recs:publishtime": 4,
	}
	modifiedNames = map[string]int{
		"article:modified_time": 1, "og:modified_time": 1,

		"og:updated_time": 2, "last-modified": 2, "dcterms.modified": 2, "dc.date.modified": 2, "datemodified": 2, "modified": 2, "revised": 2,
	}
)

// text returns the place of a value of which the first stays, or nil.
func (m *metaElements) text(key string) *string {
	switch key {
	case "twitter:title", "sailthru.title", "dc.title", "dcterms.title", "parsely-title", "citation_title":
		return &m.twitterTitle
	case "og:site_name":
		return &m.site
	case "application-name", "apple-mobile-web-app-title", "dc.publisher":
		return &m.app
	case "description", "dc.description":
		return &m.description
	case "og:description", "twitter:description":
		return &m.ogDescription
	case "og:locale":
		return &m.locale
	case "og:url":
		return &m.url
	case "og:image", "og:image:secure_url", "og:image:url", "twitter:image", "twitter:image:src":
		return &m.image
	case "dcterms.license", "dc.rights", "dcterms.rights":
		return &m.licence
	}
	return nil
}

// ownName reads names of a site's own for a date, for example
// w-published-date.
func (m *metaElements) ownName(key, content string) {
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

// maxTitles is how many titles of a page for links to it are kept.
const maxTitles = 4

// statedTitle is the title that the page states for links to it: the first that is not
// only the name of its site.
func (m *metaElements) statedTitle() string {
	for _, t := range append(m.titles, m.twitterTitle) {
		if strings.TrimSpace(t) != "" && letters(t) != letters(m.site) {
			return t
		}
	}
	return dom.FirstNonBlank(append(m.titles, m.twitterTitle)...)
}

func holdsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// date notes a date of publication; a better rank replaces, and of two of one rank the
// earlier one is that of publication, the other one of a new edition.
func (m *metaElements) date(s string, rank int) {
	switch {
	case s == "":
	case m.published == "" || rank < m.publishedRank:
		m.published, m.publishedRank = s, rank
	case rank == m.publishedRank:
		if d := isoDate(s, true); len(d) >= 10 && d < isoDate(m.published, true) {
			m.published = s
		}
	}
}

func (m *metaElements) change(s string, rank int) {
	if s != "" && (m.modified == "" || rank < m.modifiedRank) {
		m.modified, m.modifiedRank = s, rank
	}
}
