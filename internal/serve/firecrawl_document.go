package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// document reads a page in each of the forms that are wanted; the site is asked once.
func (s *Server) document(ctx context.Context, w http.ResponseWriter, address string, given bool, q scrapeRequest) (*firecrawl.Document, error) {
	d := &firecrawl.Document{}
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
		if e := f.fill(d, page); e != nil {
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
func (f format) fill(d *firecrawl.Document, page *result.Fetch) *tool.Error {
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

func dataOf(address string, page *result.Fetch) firecrawl.Metadata {
	m := page.Metadata
	out := firecrawl.Metadata{Title: page.Title, Description: page.Excerpt, Language: page.Language, SiteName: page.SiteName, Published: page.Published, Author: page.Byline,
		SourceURL: address, URL: page.FinalURL, StatusCode: m.Status, ContentType: m.ContentType, CacheState: "miss", PageType: page.PageType, Verdict: page.Verdict, Version: m.Version}
	if m.Cached {
		out.CacheState, out.CachedAt = "hit", m.FetchedAt
	}
	return out
}

// failedDocument stands for a page that could not be read, among others.
func failedDocument(address string, e *tool.Error) *firecrawl.Document {
	return &firecrawl.Document{Metadata: firecrawl.Metadata{SourceURL: address, URL: address, StatusCode: e.Status, Error: e.Message}}
}
