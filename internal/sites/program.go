package sites

import (
	"embed"
	"encoding/json"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/jq"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file runs the programs of the sites: jq programs, which make a sheet of the JSON of
// a site's responses. What a sheet says is bounded and cleaned by the builder.

//go:embed programs
var programs embed.FS

// sheet is a page as a program returns it.
type sheet struct {
	Type                page.Type
	Site, Title, Byline string
	Published, Modified string
	Excerpt, Licence    string
	Parts               []part
}

// part is a part of a sheet. Members that are not set add nothing.
type part struct {
	Comment bool // omitted where comments are not wanted
	Author  bool // instead of those: what the author wrote
	Cut     bool // something is missing here

	Heading string
	Level   int      // of the heading, of a post, or above the headings of Text
	Facts   []string // one line
	// Text is in Format, a media type, or a file with a name. Base is the URL of its links.
	Text, Format, File, Base string
	Before, Link, Label      string // Before is the text before a link
	Items                    [][]struct{ Text, URL string }
	Start                    int // the number of the first item, 0 in a list without numbers
	Post                     *post
	Thread                   []post
	Missing                  int // posts that the site has and did not send
	Noun                     string
}

// program returns what makes a page with a program of a file.
func program(file, name string, vars map[string]string) func(b *builder, have []Response) error {
	return func(b *builder, have []Response) error {
		var s sheet
		if err := run(file, name, vars, have, &s); err != nil {
			return err
		}
		b.sheet(&s)
		return nil
	}
}

// next returns what finds the next request with a program of a file.
func next(file, name, accept string, vars map[string]string) func(have []Response) ask {
	return func(have []Response) ask {
		var url string
		if run(file, name, vars, have, &url) != nil {
			return ask{}
		}
		return ask{url, accept}
	}
}

// run runs a program over responses. Its error is errShape.
func run(file, name string, vars map[string]string, have []Response, result any) error {
	common, _ := programs.ReadFile("programs/common.jq")
	own, err := programs.ReadFile("programs/" + file)
	if err != nil {
		return err
	}
	input := map[string]any{"have": []any{}, "vars": map[string]any{}}
	responses := make([]any, len(have))
	for i, r := range have {
		if err := json.Unmarshal(r.Body, &responses[i]); (err != nil || r.Truncated) && r.MediaType == "text/html" {
			responses[i] = strings.ToValidUTF8(string(r.Body), "")
		} else if err != nil || r.Truncated {
			responses[i] = nil
		}
	}
	values := make(map[string]any, len(vars))
	for k, v := range vars {
		values[k] = v
	}
	input["have"], input["vars"] = responses, values
	out, err := jq.First(string(common)+string(own)+name, input)
	if err != nil || json.Unmarshal(out, result) != nil {
		return errShape
	}
	return nil
}

// sheet adds what a program returned.
func (b *builder) sheet(s *sheet) {
	b.Type = page.Other
	for _, t := range [...]page.Type{page.Article, page.Collection, page.Documentation, page.Forum, page.Source} {
		if s.Type == t {
			b.Type = t
		}
	}
	m := &b.Meta
	m.SiteName, m.Byline, m.Excerpt, m.Licence = s.Site, clean(s.Byline), clean(s.Excerpt), clean(s.Licence)
	m.Published, m.Modified = moment(s.Published), moment(s.Modified)
	b.title(s.Title)
	for i := range s.Parts {
		if p := &s.Parts[i]; !(p.Comment && b.o.NoComments || p.Author && !b.o.NoComments) {
			b.part(p)
		}
	}
}

func (b *builder) part(p *part) {
	b.heading(p.Level, p.Heading, "")
	if p.Cut {
		b.cut()
	}
	b.facts(p.Facts...)
	switch {
	case p.File != "" && fileType("text/plain", p.File) == "text/plain" && p.Base != "" && p.Level > 1:
		if f, err := b.o.Read([]byte(p.Text), "text/plain", p.Base, ""); err == nil && f != nil {
			b.add(f.Blocks...)
		}
	case p.File != "":
		b.add(b.bodyAt(p.Text, fileType("text/plain", p.File), first(b.resolve(p.Base), b.o.URL), p.Level)...)
	default:
		b.add(b.body(p.Text, p.Format, p.Level)...)
	}
	b.link(p.Before, p.Link, p.Label)
	b.items(p)
	if p.Post != nil {
		if !b.o.NoComments {
			p.Post.Replies = append(p.Post.Replies, p.Post.Comments...)
		}
		b.section(p.Level, *p.Post)
	}
	b.thread(p.Thread)
	b.missing(p.Missing, p.Noun)
}

// items adds a list with a line for each item. An item without a name is omitted.
func (b *builder) items(p *part) {
	l := page.Block{Kind: page.List, Ordered: p.Start > 0, Start: p.Start}
	for _, item := range p.Items {
		var line []page.Inline
		for i, x := range item {
			in := b.linkTo(x.URL, x.Text)
			if i == 0 && in == nil {
				break
			}
			if i > 0 && in != nil {
				line = append(line, plain(" · ")...)
			}
			line = append(line, in...)
		}
		if line != nil {
			l.Children = append(l.Children, page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: line}}})
		}
	}
	if len(l.Children) > 0 {
		b.add(l)
	}
}
