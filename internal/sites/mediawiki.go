package sites

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// mediaWiki returns the variant of a wiki page: the HTML of its content from the
// REST API (mediawiki.org/wiki/API:REST_API, GET /page/{title}/html). The lead,
// info boxes, tables and references are kept; navigation boxes at the end and
// notices to authors are not.
func mediaWiki(u weburl.URL) *Variant {
	title, ok := strings.CutPrefix(u.Path(), "/wiki/")
	if !ok || title == "" || u.RawQuery() != "" || strings.HasPrefix(title, "Special:") || strings.HasPrefix(title, "File:") {
		return nil
	}
	host := strings.Replace(u.Host(), ".m.", ".", 1)
	request := ask{"https://" + host + "/w/rest.php/v1/page/" + strings.ReplaceAll(title, "/", "%2F") + "/html", "text/html"}
	return variant("MediaWiki REST API", request, func(b *builder, have []Response) error {
		if have[0].MediaType != "text/html" {
			return errShape
		}
		b.Meta.SiteName = wikiName(host)
		if err := b.file(have[0], "text/html", "https://"+host+"/wiki/"+title, wikiContent); err != nil {
			return err
		}
		if b.Meta.Title == "" {
			return errShape
		}
		b.Type = page.Article
		b.Blocks = append([]page.Block{{Kind: page.Heading, Level: 1, Inlines: plain(b.Meta.Title)}}, b.Blocks...)
		return nil
	})
}

// wikiContent selects the content in the sections of Parsoid's HTML.
const wikiContent = "section > :not(section, .navbox, .navbox-styles, .noprint, .ambox, .mw-empty-elt, .sistersitebox, .catlinks, .hatnote, .metadata, .authority-control, style, link, meta)"

// isWikimedia reports whether a host is a language's edition of a project of the
// Wikimedia Foundation.
func isWikimedia(host string) bool {
	i := strings.IndexByte(host, '.')
	switch strings.TrimPrefix(host[i+1:], "m.") {
	case "wikipedia.org", "wiktionary.org", "wikibooks.org", "wikiquote.org", "wikisource.org", "wikinews.org", "wikiversity.org", "wikivoyage.org":
		return i > 0 && host[:i] != "www"
	}
	return false
}

func wikiName(host string) string {
	name := host[strings.IndexByte(host, '.')+1:]
	name, _, _ = strings.Cut(name, ".")
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
