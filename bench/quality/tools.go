package main

import (
	"bytes"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"time"

	readability "codeberg.org/readeck/go-readability/v2"
	htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"
	trafilatura "github.com/markusmobius/go-trafilatura"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

// tool is an extractor that is measured.
type tool struct {
	name string
	// run does the work whose CPU time is measured. It returns a function that
	// makes the text to score, which is not measured. A page that fails has an
	// empty text.
	run func(body []byte, address string) (func() string, error)
}

const (
	engineName = "spyhop"
	floorName  = "html.Parse alone"
)

// engine is Spyhop: it parses a page, selects the main content, converts it and
// writes Markdown. The scored text is the same content as plain text.
var engine = tool{engineName, func(body []byte, address string) (func() string, error) {
	p, err := extract.HTML(body, extract.Options{URL: address})
	if err != nil {
		return nil, err
	}
	_ = markdown.Render(p, markdown.Options{})
	return func() string { return markdown.PlainText(p) }, nil
}}

// floor is the minimum cost of every tool that builds a tree with this parser.
var floor = tool{floorName, func(body []byte, _ string) (func() string, error) {
	_, err := html.Parse(bytes.NewReader(body))
	return nil, err
}}

// peers are other Go libraries for the same task.
var peers = []tool{
	{"go-trafilatura 1.12.2", func(body []byte, address string) (func() string, error) {
		u, _ := url.Parse(address)
		r, err := trafilatura.Extract(bytes.NewReader(body), trafilatura.Options{
			OriginalURL:     u,
			EnableFallback:  true,
			ExcludeComments: true,
			// Content only: its search for dates takes longer than the content.
			HtmlDateMode: trafilatura.Disabled,
		})
		if err != nil {
			return nil, err
		}
		return func() string { return r.ContentText }, nil
	}},
	{"go-readability 2.1.0", func(body []byte, address string) (func() string, error) {
		u, _ := url.Parse(address)
		a, err := readability.FromReader(bytes.NewReader(body), u)
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		if err := a.RenderText(&b); err != nil {
			return nil, err
		}
		return b.String, nil
	}},
	{"html-to-markdown 2.5.2, whole page", func(body []byte, _ string) (func() string, error) {
		md, err := htmltomarkdown.ConvertReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		return func() string { return stripMarkdown(string(md)) }, nil
	}},
}

// outcome is the result of a tool for one page.
type outcome struct {
	text string
	err  error
}

// measure runs a tool on some pages, one after the other, like a program that
// reads many pages. It measures the CPU time of the process, so garbage
// collection counts. It collects garbage first, so that no tool pays for the
// tool before it. (A collection before each page was tried too: then all caches
// are cold, and memory cannot be reused.)
func (t tool) measure(pages []loaded) (out []outcome, cpu time.Duration) {
	runtime.GC()
	out = make([]outcome, len(pages))
	texts := make([]func() string, len(pages))
	begin := processCPU()
	for i, p := range pages {
		texts[i], out[i].err = t.one(p)
	}
	cpu = processCPU() - begin
	for i, give := range texts {
		if out[i].err == nil && give != nil {
			out[i].text = give()
		}
	}
	return out, cpu
}

// one runs a tool on one page and converts a panic to an error.
func (t tool) one(p loaded) (give func() string, err error) {
	defer func() {
		if r := recover(); r != nil {
			give, err = nil, fmt.Errorf("%s panics: %v", t.name, r)
		}
	}()
	return t.run(p.body, p.address)
}

// metadata is the metadata of one page according to one tool.
type metadata struct{ title, author, date string }

// readers are the tools that read metadata.
var readers = []struct {
	name string
	read func(body []byte, address string) (metadata, error)
}{
	{engineName, func(body []byte, address string) (metadata, error) {
		p, err := extract.HTML(body, extract.Options{URL: address})
		if p == nil {
			return metadata{}, err
		}
		return ofPage(p), nil
	}},
	{"go-trafilatura 1.12.2", func(body []byte, address string) (metadata, error) {
		u, _ := url.Parse(address)
		r, err := trafilatura.Extract(bytes.NewReader(body), trafilatura.Options{
			OriginalURL: u, EnableFallback: true, ExcludeComments: true,
		})
		if err != nil {
			return metadata{}, err
		}
		m := metadata{title: r.Metadata.Title, author: r.Metadata.Author}
		if !r.Metadata.Date.IsZero() {
			m.date = r.Metadata.Date.Format(time.DateOnly)
		}
		return m, nil
	}},
	{"go-readability 2.1.0", func(body []byte, address string) (metadata, error) {
		u, _ := url.Parse(address)
		a, err := readability.FromReader(bytes.NewReader(body), u)
		if err != nil {
			return metadata{}, err
		}
		m := metadata{title: a.Title(), author: a.Byline()}
		if d, err := a.PublishedTime(); err == nil {
			m.date = d.Format(time.DateOnly)
		}
		return m, nil
	}},
}

func ofPage(p *page.Page) metadata {
	return metadata{title: p.Meta.Title, author: p.Meta.Byline, date: p.Meta.Published}
}
