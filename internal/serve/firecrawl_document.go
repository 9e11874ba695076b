package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// document reads a page in each of the forms that are wanted; the site is asked once.
func (s *Server) document(ctx context.Context, address string, given bool, q scrapeRequest) (*firecrawl.Document, error) {
	if q.needsBrowser() {
		return s.visited(ctx, address, q)
	}
	return s.inFormats(ctx, q, address, func(args map[string]any) (*result.Fetch, error) {
		args["url"] = address
		got, err := followed(args, given, func(body json.RawMessage, o tool.Options) (tool.Result, error) {
			return s.callTool(ctx, "web_fetch", body, o)
		})
		if err != nil {
			return nil, err
		}
		page, ok := got.Data.(*result.Fetch)
		if !ok {
			return nil, fmt.Errorf("web_fetch answers with %T", got.Data)
		}
		return page, nil
	})
}

// inFormats makes a document in each of the forms that are wanted, with what reads a form.
func (s *Server) inFormats(ctx context.Context, q scrapeRequest, address string, read func(args map[string]any) (*result.Fetch, error)) (*firecrawl.Document, error) {
	d := &firecrawl.Document{}
	notices := q.notices
	formats := slices.Clone(q.formats)
	if len(formats) == 0 {
		formats = []format{{kind: formatMarkdown}}
	}
	// The comparison comes before this page is the last version.
	slices.SortStableFunc(formats, func(a, b format) int {
		return cmp.Compare(b2i(b.kind == formatChanges), b2i(a.kind == formatChanges))
	})
	for i, f := range formats {
		args := maps.Clone(q.args)
		f.ask(args)
		if i > 0 { // the first call has read it
			delete(args, "max_age")
		}
		page, err := read(args)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			if d.Metadata = dataOf(address, page); q.minAge > 0 && time.Since(page.Metadata.FetchedAt) < q.minAge {
				return nil, tool.NewError(tool.NoContent, "the stored copy of the page is younger than minAge", "leave minAge out")
			}
		}
		if f.kind == formatChanges {
			var previous string
			var seen time.Time
			if since := page.Metadata.Since; since != nil {
				previous, seen = since.Version, since.Seen
			}
			delete(args, "max_age")
			if d.Changes, err = s.changes(ctx, f, args, page.Metadata.Version, previous, seen); err != nil {
				return nil, err
			}
			continue
		}
		notices = append(notices, page.Notices...)
		if e := f.fill(d, page); e != nil {
			return nil, e
		}
	}
	d.Warning = strings.Join(notices, " ")
	return d, nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// changes compares a version of a page with the one before it; previous is "" where there
// was none. args are those of web_fetch that read the page.
func (s *Server) changes(ctx context.Context, f format, args map[string]any, version, previous string, seen time.Time) (*firecrawl.Changes, error) {
	c := &firecrawl.Changes{Status: "new", Visibility: "visible"}
	if previous == "" {
		return c, nil
	}
	c.PreviousScrapeAt = &seen
	if c.Status = "same"; version == previous {
		return c, nil
	}
	c.Status = "changed"
	if f.gitDiff && s.o.Versions != nil {
		var texts [2]string
		for i, hash := range []string{previous, version} {
			v, err := s.o.Versions.Version(ctx, hash, tool.Options{Caller: "rest"})
			if err != nil {
				return nil, err
			}
			texts[i] = v.Text
		}
		c.Diff = firecrawl.NewDiff(texts[0], texts[1])
	}
	if f.jsonDiff {
		args["since"], args["schema"], args["prompt"] = previous, f.schema, f.prompt
		body, err := json.Marshal(args)
		if err != nil {
			return nil, err
		}
		got, err := s.callTool(ctx, "web_fetch", body, tool.Options{Caller: "rest"})
		if err != nil {
			return nil, err
		}
		if page, ok := got.Data.(*result.Fetch); ok && json.Valid([]byte(page.Content)) {
			c.JSON = json.RawMessage(page.Content)
		}
	}
	return c, nil
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

// sizeOf is how many bytes of text a document has.
func sizeOf(d *firecrawl.Document) int {
	size := len(d.Markdown) + len(d.HTML) + len(d.RawHTML) + len(d.Answer) + len(d.Highlights) + len(d.Summary) + len(d.JSON)
	for _, l := range d.Links {
		size += len(l)
	}
	return size
}
