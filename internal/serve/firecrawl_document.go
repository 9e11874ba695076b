package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// document is a page. It has what was asked for, and never nothing: a page without
// content is an error.
type document struct {
	Markdown   string          `json:"markdown,omitempty"`
	HTML       string          `json:"html,omitempty"`
	RawHTML    string          `json:"rawHtml,omitempty"`
	Links      []string        `json:"links,omitempty"`
	JSON       json.RawMessage `json:"json,omitempty"`
	Answer     string          `json:"answer,omitempty"`
	Highlights string          `json:"highlights,omitempty"`
	Warning    string          `json:"warning,omitempty"`
	Metadata   documentData    `json:"metadata"`
}

// documentData says what is known of a page. The last members are not Firecrawl's.
type documentData struct {
	Title       string    `json:"title,omitempty"`
	Description string    `json:"description,omitempty"`
	Language    string    `json:"language,omitempty"`
	SiteName    string    `json:"ogSiteName,omitempty"`
	Published   string    `json:"publishedTime,omitempty"`
	Author      string    `json:"author,omitempty"`
	SourceURL   string    `json:"sourceURL"`
	URL         string    `json:"url"`
	StatusCode  int       `json:"statusCode,omitempty"`
	ContentType string    `json:"contentType,omitempty"`
	CacheState  string    `json:"cacheState,omitempty"`
	CachedAt    time.Time `json:"cachedAt,omitzero"`
	Error       string    `json:"error,omitempty"`

	PageType result.PageType `json:"pageType,omitempty"`
	Verdict  result.Verdict  `json:"verdict,omitempty"`
	Version  string          `json:"version,omitempty"`
}

// document reads a page in each of the forms that are wanted; the site is asked once.
func (s *Server) document(ctx context.Context, w http.ResponseWriter, address string, given bool, q scrapeRequest) (*document, error) {
	d := &document{}
	notices := q.notices
	formats := q.formats
	if len(formats) == 0 {
		formats = []format{{kind: formatMarkdown}}
	}
	for i, f := range formats {
		args := maps.Clone(q.args)
		args["url"] = address
		f.ask(args)
		if i > 0 { // the first call has read it
			delete(args, "max_age")
		}
		got, err := followed(args, given, func(body json.RawMessage, o tool.Options) (tool.Result, error) {
			return s.callTool(ctx, w, "web_fetch", body, o)
		})
		if err != nil {
			return nil, err
		}
		page, ok := got.Data.(*result.Fetch)
		if !ok {
			return nil, fmt.Errorf("web_fetch answers with %T", got.Data)
		}
		if i == 0 {
			d.Metadata = dataOf(address, page)
		}
		notices = append(notices, page.Notices...)
		if e := d.fill(f, page); e != nil {
			return nil, e
		}
	}
	d.Warning = strings.Join(notices, " ")
	return d, nil
}

// ask adds the arguments that make a form.
func (f format) ask(args map[string]any) {
	switch f.kind {
	case formatHTML:
		args["mode"] = "html"
	case formatRawHTML:
		args["mode"] = "raw"
		delete(args, "selector")
		delete(args, "whole")
	case formatLinks:
		args["mode"] = "links"
	case formatHighlights:
		args["query"] = f.query
	}
	if f.prompt != "" {
		args["prompt"] = f.prompt
	}
	if f.schema != nil {
		args["schema"] = f.schema
	}
}

// fill puts what was read into the document.
func (d *document) fill(f format, page *result.Fetch) *tool.Error {
	switch f.kind {
	case formatMarkdown:
		d.Markdown = page.Body()
	case formatHTML:
		d.HTML = page.Body()
	case formatRawHTML:
		d.RawHTML = page.Body()
	case formatQuestion:
		d.Answer = page.Body()
	case formatHighlights:
		d.Highlights = page.Body()
	case formatLinks:
		d.Links = make([]string, len(page.Links))
		for i, l := range page.Links {
			d.Links[i] = l.URL
		}
	case formatJSON:
		if !json.Valid([]byte(page.Content)) {
			return tool.NewError(tool.ModelError, "the answer is not JSON", "the format json needs a model (WEB_MODEL), or a schema whose values each have an x-selector")
		}
		d.JSON = json.RawMessage(page.Content)
	}
	return nil
}

func dataOf(address string, page *result.Fetch) documentData {
	m := page.Metadata
	out := documentData{Title: page.Title, Description: page.Excerpt, Language: page.Language, SiteName: page.SiteName, Published: page.Published, Author: page.Byline,
		SourceURL: address, URL: page.FinalURL, StatusCode: m.Status, ContentType: m.ContentType, CacheState: "miss", PageType: page.PageType, Verdict: page.Verdict, Version: m.Version}
	if m.Cached {
		out.CacheState, out.CachedAt = "hit", m.FetchedAt
	}
	return out
}

// failedDocument stands for a page that could not be read, among others.
func failedDocument(address string, e *tool.Error) *document {
	return &document{Metadata: documentData{SourceURL: address, URL: address, StatusCode: e.Status, Error: e.Message}}
}

// jobDocument is a page of a job.
func jobDocument(p result.CrawlPage) document {
	source := p.RequestedURL
	if source == "" {
		source = p.URL
	}
	return document{Markdown: p.Markdown, Metadata: documentData{Title: p.Title, Language: p.Language, Published: p.Published, SourceURL: source, URL: p.URL,
		StatusCode: p.Status, PageType: p.PageType, Verdict: p.Verdict, Version: p.Version}}
}
