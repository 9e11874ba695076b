package reader

import (
	"slices"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/result"
)

// Opened is a page that a browser has open.
type Opened struct {
	Page *page.Page
	// URL and Title are what the browser says; an empty Title means that of the
	// page.
	URL, Title string
	Status     int // that the server answered with; 0: not known
	MediaType  string
	Bytes      int // of the document
	// Facts are what a model has to know besides, for example the tab.
	Facts []string
}

// Opened answers with the Markdown of a page that is open, from the top. Of the
// request MaxLength, MaxTokens, StartIndex, Images and Notices count.
func (r *Reader) Opened(o Opened, q Request) *Answer {
	a := &Answer{Fetch: result.Fetch{Success: o.Page.Verdict.Success(), URL: o.URL, FinalURL: o.URL,
		Metadata: result.Metadata{Status: o.Status, ContentType: o.MediaType, ContentLength: int64(o.Bytes), HiddenCheck: "inline"}}}
	a.describe(o.Page)
	if o.Title != "" {
		a.Title = o.Title
	}
	if a.Success {
		a.weigh(o.Page, false, false)
	}
	q.Mode, q.NoFragment = Markdown, true
	a.content.mode, a.content.start = Markdown, q.StartIndex
	a.render(o.Page, compiled{Request: q})
	a.Metadata.Tokens = a.content.size().tokens
	a.Metadata.Version = hashOf(markdown.Render(o.Page, markdown.Options{}))
	a.noted, a.more = append(slices.Clone(q.Notices), a.noted...), o.Facts
	a.cut(r.limit(q), q.MaxTokens)
	return a
}
