package corpus

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Kinds of parts of a page.
const (
	CodeLines = iota
	TableRows
	ListItems
	Headings
	Pictures
	Kinds // their number
)

// Parts are the code lines, table rows, list items, headings and pictures of a page, by
// their words, with how often each is there.
type Parts [Kinds]map[string]int

// PartsOf returns the parts of the HTML of a page's content. A heading of the first level is
// the title, and is omitted.
func PartsOf(truth []byte) (Parts, error) {
	var p Parts
	for k := range p {
		p[k] = map[string]int{}
	}
	doc, err := html.Parse(bytes.NewReader(truth))
	if err != nil {
		return p, err
	}
	for n := range doc.Descendants() {
		switch n.DataAtom {
		case atom.Pre:
			for line := range strings.Lines(textOf(n)) {
				p.add(CodeLines, line)
			}
		case atom.Tr:
			if !contains(n, atom.Table, atom.Pre) {
				p.add(TableRows, textOf(n))
			}
		case atom.Li:
			p.add(ListItems, textOf(n, atom.Ul, atom.Ol, atom.Pre, atom.Table))
		case atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			p.add(Headings, textOf(n))
		case atom.Img:
			for _, a := range n.Attr {
				if a.Key == "src" {
					p.addPicture(a.Val)
				}
			}
		}
	}
	return p, nil
}

var picture = regexp.MustCompile(`!\[[^\]]*\]\(<?([^)\s>]+)`)

// Kept returns how many of the parts a page that was extracted has, by kind, and how many
// there are. A code line, row, item or heading is kept where the page has its line.
func (p *Parts) Kept(out *page.Page) (kept, all [Kinds]int) {
	var lines, pictures Parts
	lines[0], pictures[Pictures] = map[string]int{}, map[string]int{}
	for line := range strings.Lines(markdown.PlainText(out)) {
		lines.add(0, line)
	}
	for _, m := range picture.FindAllStringSubmatch(markdown.Render(out, markdown.Options{Images: true}), -1) {
		pictures.addPicture(m[1])
	}
	for k, parts := range p {
		have := lines[0]
		if k == Pictures {
			have = pictures[Pictures]
		}
		for part, n := range parts {
			kept[k] += min(n, have[part])
			all[k] += n
		}
	}
	return kept, all
}

// add counts a line by its words, or a line of signs by itself.
func (p *Parts) add(kind int, line string) {
	const most = 80 // bytes that are compared
	key := strings.Join(wordsOf(line), " ")
	if key == "" {
		key = strings.Join(strings.Fields(line), " ")
	}
	if key != "" {
		p[kind][key[:min(len(key), most)]]++
	}
}

// addPicture counts a picture by the name of its file.
func (p *Parts) addPicture(url string) {
	url, _, _ = strings.Cut(url, "?")
	if name := path.Base(url); !strings.HasPrefix(url, "data:") {
		p[Pictures][name]++
	}
}

// textOf is the text of an element without that within some kinds of elements. Cells are
// apart.
func textOf(n *html.Node, without ...atom.Atom) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode:
				b.WriteString(c.Data)
			case c.DataAtom == atom.Br:
				b.WriteByte('\n')
			case c.DataAtom == atom.Td || c.DataAtom == atom.Th:
				walk(c)
				b.WriteByte('\t')
			case !is(c, without):
				walk(c)
			}
		}
	}
	walk(n)
	return b.String()
}

func contains(n *html.Node, list ...atom.Atom) bool {
	for c := range n.Descendants() {
		if is(c, list) {
			return true
		}
	}
	return false
}

func is(n *html.Node, list []atom.Atom) bool {
	for _, a := range list {
		if n.DataAtom == a {
			return true
		}
	}
	return false
}
