package extract

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// analyse takes out what the page hides, cuts the body of the tree into blocks
// of l, and computes what their features share.
func (l *layout) analyse(doc *html.Node, url string, p *page.Page) *pageFacts {
	head := readHead(doc)
	host, path := splitURL(url)
	if head.body != nil {
		removeHidden(head.body, p)
		l.cut(head.body, host)
		if revive(head.body, l) {
			removeHidden(head.body, p)
			l.reset()
			l.cut(head.body, host)
		}
	}
	return l.facts(head.title, head.description, path)
}

// headFacts is what the features need of the head.
type headFacts struct {
	body               *html.Node
	title, description string
}

func readHead(doc *html.Node) headFacts {
	var h headFacts
	for n := doc.FirstChild; n != nil; n = n.NextSibling {
		if n.DataAtom != atom.Html {
			continue
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Head:
				for m := c.FirstChild; m != nil; m = m.NextSibling {
					switch m.DataAtom {
					case atom.Title:
						if h.title == "" && m.FirstChild != nil {
							h.title = m.FirstChild.Data
						}
					case atom.Meta:
						if n := attr(m, "name"); strings.EqualFold(n, "description") || attr(m, "property") == "og:description" {
							if d := attr(m, "content"); len(d) > len(h.description) {
								h.description = d
							}
						}
					}
				}
			case atom.Body:
				h.body = c
			}
		}
	}
	return h
}

func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

// splitURL returns the host without www. and the path with the query of an
// absolute URL; features need no more than that.
func splitURL(u string) (host, path string) {
	_, rest, ok := strings.Cut(u, "://")
	if !ok {
		return "", u
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest, path = rest[:i], rest[i:]
	}
	host, _, _ = strings.Cut(rest, ":")
	return strings.TrimPrefix(strings.ToLower(host), "www."), path
}
