// Package docs provides the manual of Spyhop: the pages of this folder, as spyhop serve
// shows them at /docs. A program that uses the library does not need it.
//
//	page, ok := docs.Find("fetching")
//	fmt.Println(page.Title, page.HTML)
//	for _, hit := range docs.Search("resume a crawl") {
//		fmt.Println(hit.Page.Name, hit.Heading, hit.Text)
//	}
//
// site.json orders the pages; VitePress builds the public site from the same files.
//
// # Limits
//
// Pictures are shown as their text, and raw HTML in a page is dropped.
package docs

import (
	"bytes"
	"embed"
	"encoding/json"
	"html"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

//go:embed *.md site.json
var files embed.FS

// repository is where links lead that leave this folder.
const repository = "https://github.com/spyhop-dev/spyhop/blob/main/"

// Section is a part of the manual with its pages, in order.
type Section struct {
	Title string
	Pages []Page
}

// Page is a page of the manual.
type Page struct {
	// Name is the file without ".md", and the last part of its path: "fetching".
	Name  string
	Title string
	// HTML is the body of the page, without scripts and pictures.
	HTML string

	parts []part
}

// part is a heading with the text below it.
type part struct{ heading, id, text string }

// Hit is a part of a page that matches a search.
type Hit struct {
	Page Page
	// Heading and ID are those of the part; "" is the beginning of the page.
	Heading, ID string
	// Text is the beginning of the part, at most 200 characters.
	Text string
}

var load = sync.OnceValue(func() []Section {
	var listed []struct {
		Title string
		Pages [][2]string
	}
	data, err := files.ReadFile("site.json")
	if err == nil {
		err = json.Unmarshal(data, &listed)
	}
	if err != nil {
		panic("docs/site.json: " + err.Error()) // a file of this program; a test reads it
	}
	var out []Section
	for _, l := range listed {
		s := Section{Title: l.Title}
		for _, p := range l.Pages {
			md, err := files.ReadFile(p[0] + ".md")
			if err != nil {
				continue
			}
			s.Pages = append(s.Pages, Page{Name: p[0], Title: p[1], HTML: render(md), parts: partsOf(string(md))})
		}
		out = append(out, s)
	}
	return out
})

// Sections returns the manual. Callers must not change it.
func Sections() []Section { return load() }

// Find returns the page of a name.
func Find(name string) (Page, bool) {
	for _, s := range load() {
		for _, p := range s.Pages {
			if p.Name == name {
				return p, true
			}
		}
	}
	return Page{}, false
}

// Search returns at most 30 parts that contain all words of a query, those with the words in
// their heading first.
func Search(query string) []Hit {
	words := strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	if len(words) == 0 || len(query) > 200 {
		return nil
	}
	type ranked struct {
		Hit
		score int
	}
	var found []ranked
	for _, s := range load() {
		for _, p := range s.Pages {
			for _, q := range p.parts {
				heading, text := strings.ToLower(p.Title+" "+q.heading), strings.ToLower(q.text)
				score := 0
				for _, w := range words {
					switch {
					case strings.Contains(heading, w):
						score += 10
					case strings.Contains(text, w):
						score += min(strings.Count(text, w), 5)
					default:
						score = -1 << 20
					}
				}
				if score > 0 {
					found = append(found, ranked{Hit{p, q.heading, q.id, beginning(q.text, 200)}, score})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return b.score - a.score })
	var out []Hit
	for _, f := range found[:min(30, len(found))] {
		out = append(out, f.Hit)
	}
	return out
}

func beginning(s string, most int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
}

// partsOf cuts a page at its headings.
func partsOf(md string) []part {
	parts := []part{{}}
	fenced := false
	for line := range strings.Lines(md) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if title := strings.TrimLeft(line, "#"); !fenced && len(title) < len(line) && strings.HasPrefix(title, " ") {
			heading := strings.ReplaceAll(strings.TrimSpace(title), "`", "")
			parts = append(parts, part{heading: heading, id: slug(heading)})
			continue
		}
		parts[len(parts)-1].text += line
	}
	return parts
}

// slug is the fragment of a heading, as GitHub and VitePress make it.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// render writes a page as HTML.
func render(md []byte) string {
	g := goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(rewriter{}, 100))))
	var b bytes.Buffer
	if err := g.Convert(md, &b, parser.WithContext(parser.NewContext(parser.WithIDs(&slugs{used: map[string]bool{}})))); err != nil {
		return "<p>" + html.EscapeString(err.Error()) + "</p>"
	}
	// What can be scrolled can be reached with the keyboard.
	return strings.NewReplacer("<pre>", `<pre tabindex="0">`, "<table>", `<table tabindex="0">`).Replace(b.String())
}

// slugs gives headings the fragments that links name.
type slugs struct{ used map[string]bool }

func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := slug(strings.ReplaceAll(string(value), "`", ""))
	for s.used[id] {
		id += "-1"
	}
	s.used[id] = true
	return []byte(id)
}

func (s *slugs) Put(value []byte) { s.used[string(value)] = true }

// rewriter makes links lead to where the server shows their pages, and shows pictures as text.
type rewriter struct{}

func (rewriter) Transform(doc *ast.Document, reader gmtext.Reader, _ parser.Context) {
	var pictures []*ast.Image
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(destination(string(n.Destination)))
		case *ast.Image:
			pictures = append(pictures, n)
		}
		return ast.WalkContinue, nil
	})
	for _, p := range pictures {
		var alt strings.Builder
		for c := p.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				alt.Write(t.Segment.Value(reader.Source()))
			}
		}
		words := ast.NewString([]byte("[picture: " + alt.String() + "]"))
		p.Parent().ReplaceChild(p.Parent(), p, words)
	}
}

// destination is where a link of a page leads in the server.
func destination(to string) string {
	file, fragment, hasFragment := strings.Cut(to, "#")
	switch {
	case strings.Contains(to, "://") || file == "":
		return to
	case strings.HasPrefix(file, "../"):
		return repository + strings.TrimPrefix(to, "../")
	case strings.Contains(file, "/") || !strings.HasSuffix(file, ".md"):
		return repository + "docs/" + to
	}
	out := "/docs/" + strings.TrimSuffix(file, ".md")
	if hasFragment {
		out += "#" + fragment
	}
	return out
}
