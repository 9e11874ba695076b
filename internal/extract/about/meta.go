package about

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/date"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
)

// metaElements are the values of meta elements by meaning. The first of each
// meaning counts, unless an element with a better name follows.
type metaElements struct {
	titles                      []string // og:title
	otherTitle                  string
	authors                     []string
	published, modified         string
	publishedRank, modifiedRank int
	site, app                   string
	description, ogDescription  string
	locale, contentLanguage     string
	url, image, licence         string
	label, card                 string // of a card for links: the last label, and the author
}

// metaElement notes a meta element, by its name or property, or as microdata.
func (r *reader) metaElement(n *html.Node, of *Item) {
	m, content := &r.meta, dom.Attr(n, "content")
	key := strings.ToLower(strings.TrimSpace(dom.FirstNonBlank(dom.Attr(n, "property"), dom.Attr(n, "name"))))
	switch itemprop := dom.Attr(n, "itemprop"); {
	case content == "" || len(key) > maxName:
	case key != "":
		r.graph.addProperty(key, content)
		m.named(key, content, &r.hints)
	case strings.EqualFold(dom.Attr(n, "http-equiv"), "content-language"):
		m.contentLanguage = content
	case r.muted != nil || isReply(of):
	case itemprop == "datePublished":
		m.date(content, 3)
	case itemprop == "dateModified":
		m.change(content, 3)
	case itemprop == "author", itemprop == "creator":
		m.authors = append(m.authors, content)
	case itemprop == "image" && m.image == "":
		m.image = content
	}
}

// addProperty notes a property of Open Graph or its kin.
func (g *Graph) addProperty(name, content string) {
	switch prefix, _, _ := strings.Cut(name, ":"); prefix {
	case "og", "article", "product", "book", "video", "music", "profile", "twitter":
		if len(g.Properties) == maxProperties {
			g.Cut = true
			return
		}
		if content = text.Line(text.CutBytes(g.bounded(content), maxText)); content != "" {
			g.Properties = append(g.Properties, property{text.Line(name), content})
		}
	}
}

// Property returns the first content of one of some properties.
func (g *Graph) Property(names ...string) string {
	for _, name := range names {
		for _, p := range g.Properties {
			if p.Name == name {
				return p.Content
			}
		}
	}
	return ""
}

// named notes an element by its name in lower case.
func (m *metaElements) named(key, content string, h *Hints) {
	what, rank, _ := strings.Cut(metaNames()[key], " ")
	switch what {
	case "":
		m.ownName(key, content)
	case "published":
		m.date(content, int(rank[0]-'0'))
	case "modified":
		m.change(content, int(rank[0]-'0'))
	case "author":
		if last, given, ok := strings.Cut(content, ","); ok && rank != "" && !strings.Contains(given, ",") {
			content = strings.TrimSpace(given) + " " + strings.TrimSpace(last) // "Bee, Ann"
		}
		m.authors = noted(m.authors, content, maxAuthors)
	case "label":
		m.label = strings.ToLower(strings.TrimSpace(content))
	case "labelled":
		// The author that the text of a link to the page names.
		if l := strings.TrimSuffix(m.label, ":"); (l == "author" || strings.HasSuffix(l, "by")) && m.card == "" {
			m.card = content
		}
	case "ogTitle":
		m.titles = noted(m.titles, content, maxAuthors)
	case "type":
		h.OGType = dom.FirstNonBlank(h.OGType, strings.ToLower(metaText(content, maxName)))
	default: // the first stays
		if to := map[string]*string{
			"title": &m.otherTitle, "site": &m.site, "app": &m.app, "description": &m.description, "ogDescription": &m.ogDescription,
			"locale": &m.locale, "url": &m.url, "image": &m.image, "licence": &m.licence,
		}[what]; to != nil {
			*to = dom.FirstNonBlank(*to, content)
		}
	}
}

// ownName notes names of a site's own for a date, for example w-published-date.
func (m *metaElements) ownName(key, content string) {
	if !strings.Contains(key, "dat") && !strings.Contains(key, "time") && !strings.HasPrefix(key, "publi") {
		return
	}
	switch k := letters(key); {
	case strings.Contains(k, "modif"), strings.Contains(k, "update"):
		m.change(content, 3)
	case strings.Contains(k, "publi"):
		m.date(content, 3)
	}
}

// statedTitle is the title that the page states for links to it: the first that is not
// only the name of its site.
func (m *metaElements) statedTitle() string {
	titles := append(m.titles, m.otherTitle)
	for _, t := range titles {
		if strings.TrimSpace(t) != "" && letters(t) != letters(m.site) {
			return t
		}
	}
	return dom.FirstNonBlank(titles...)
}

// date notes a date of publication; a better rank replaces, and of two of one rank the
// earlier one is that of publication, the other one of a new edition.
func (m *metaElements) date(s string, rank int) {
	if date.Parse(s, true) == "" {
		return
	}
	if m.published == "" || rank < m.publishedRank || rank == m.publishedRank && date.Parse(s, true) < date.Parse(m.published, true) {
		m.published, m.publishedRank = s, rank
	}
}

func (m *metaElements) change(s string, rank int) {
	if s != "" && (m.modified == "" || rank < m.modifiedRank) {
		m.modified, m.modifiedRank = s, rank
	}
}
