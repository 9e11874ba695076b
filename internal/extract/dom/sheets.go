package dom

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readSheets collects the style sheets of a page, and reports whether it has scripts. It also
// puts shadow roots into place, since it is the first to see them.
func readSheets(body *html.Node) (s *css.Sheets, scripted bool) {
	root := rootOf(body)
	s = &css.Sheets{}
	trees := treesOf(root)
	if trees != nil {
		s.Tree = func(n *html.Node) int32 { return trees[n] }
	}
	for n := nextNode(root, root); n != nil; n = nextNode(n, root) {
		switch n.DataAtom {
		case atom.Template:
			if HasAttr(n, "shadowrootmode") && attachShadows(root) {
				return readSheets(body)
			}
		case atom.Style:
			if isCSS(Attr(n, "type")) && n.FirstChild != nil {
				s.Add(n.FirstChild.Data, Attr(n, "media"), trees[n])
			}
		case atom.Script:
			scripted = scripted || runs(Attr(n, "type"))
		case atom.Link:
			if sheet, is := linkedSheet(n); is && sheet == "" {
				s.Unread = true
			} else if is {
				s.Add(sheet, Attr(n, "media"), trees[n])
			}
		}
	}
	return s, scripted
}

// nextNode returns the node after n in the order of the document, without what is in templates.
func nextNode(n, root *html.Node) *html.Node {
	if n.FirstChild != nil && n.DataAtom != atom.Template {
		return n.FirstChild
	}
	return behind(n, root)
}

// linkedSheet reports whether an element links a style sheet, and returns one that the address
// itself contains.
func linkedSheet(n *html.Node) (sheet string, is bool) {
	rel, href := Attr(n, "rel"), strings.TrimSpace(Attr(n, "href"))
	if !HasToken(rel, "stylesheet") || HasToken(rel, "alternate") || href == "" || HasAttr(n, "disabled") {
		return "", false
	}
	if !HasPrefixFold(href, "data:text/css") {
		return "", true
	}
	head, data, _ := strings.Cut(href, ",")
	if text, err := url.PathUnescape(data); err == nil {
		data = text
	}
	if HasToken(strings.ReplaceAll(head, ";", " "), "base64") {
		decoded, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return "", true
		}
		data = string(decoded)
	}
	return data, true
}

// removeSheets removes the style sheets of a page.
func removeSheets(body *html.Node) {
	var all []*html.Node
	for n := range Below(rootOf(body)) {
		if n.DataAtom == atom.Style {
			all = append(all, n)
		}
	}
	for _, n := range all {
		n.Parent.RemoveChild(n)
	}
}

func rootOf(n *html.Node) *html.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// isCSS reports whether a type, "" for none, is that of CSS.
func isCSS(t string) bool { return t == "" || strings.EqualFold(t, "text/css") }
