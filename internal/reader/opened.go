package reader

import (
	"slices"

	"github.com/spyhop-dev/spyhop/internal/extract"
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

// Cut extracts the page of HTML that a browser gave. Of the request Whole, Selector and
// Exclude count. The error is InvalidInput for a selector, or that of the extraction.
func Cut(html []byte, url string, q Request) (*page.Page, error) {
	c := compiled{Request: q}
	if err := c.compileOptions(); err != nil {
		return nil, err
	}
	return extract.Document(html, "text/html", extract.Options{URL: url, Judged: true, Whole: q.Whole, Selector: c.selector, Exclude: c.exclude})
}

// Opened answers with the content of a page that is open, from the top. Of the
// request Mode (Markdown, HTML, Links), MaxLength, MaxTokens, StartIndex, Images and
// Notices count.
func (r *Reader) Opened(o Opened, q Request) *Answer {
	a := &Answer{Fetch: result.Fetch{Success: o.Page.Verdict.Success(), URL: o.URL, FinalURL: o.URL,
		Metadata: result.Metadata{Status: o.Status, ContentType: o.MediaType, ContentLength: int64(o.Bytes), HiddenCheck: "inline"}}}
	a.bounded = q.MaxLength != nil
	a.describe(o.Page)
	if o.Title != "" {
		a.Title = o.Title
	}
	if a.Success {
		a.weigh(o.Page, false, false)
	}
	q.NoFragment = true
	a.content.mode, a.content.start = Markdown, q.StartIndex
	switch q.Mode {
	case HTML:
		a.content.mode = HTML
		a.content.whole, _ = extract.ToHTML(markdown.Render(o.Page, markdown.Options{Images: true})) // without it, the content is empty, which the verdict says
	case Links:
		a.Links = ownLinks(o.Page)
		a.content.mode, a.content.lines, a.content.whole = Links, true, linkList(o.Page.URL, a.Links)
	default:
		a.render(o.Page, compiled{Request: q})
	}
	a.Metadata.Tokens = a.content.size().tokens
	a.Metadata.Version = hashOf(markdown.Render(o.Page, markdown.Options{}))
	a.noted, a.more = append(slices.Clone(q.Notices), a.noted...), o.Facts
	a.cut(r.limit(q), q.MaxTokens)
	return a
}
