package reader

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file answers about pages that are there: in a browser, or in a file.

// Opened is a page that a browser has open.
type Opened struct {
	HTML string
	// URL and Title are what the browser says; an empty Title means that of the
	// page.
	URL, Title string
	Status     int // that the server answered with; 0: not known
	// Facts are what a model has to know besides, for example the tab.
	Facts []string
}

// Opened answers with the content of a page that is open, from the top. Of the
// request Mode (Markdown, HTML, Links), Whole, Selector, Exclude, MaxLength, MaxTokens,
// StartIndex, Images and Notices count. The error is InvalidInput for a selector, or that of
// the extraction.
func (r *Reader) Opened(o Opened, q Request) (*Answer, error) {
	q.NoFragment = true
	c := compiled{Request: q}
	c.setDefaults()
	if err := c.compileOptions(); err != nil {
		return nil, err
	}
	p, err := extract.Document([]byte(o.HTML), "text/html", extract.Options{URL: o.URL, Judged: true, Whole: q.Whole, Selector: c.selector, Exclude: c.exclude})
	if err != nil {
		return nil, err
	}
	a := &Answer{more: o.Facts, Fetch: result.Fetch{URL: o.URL, FinalURL: o.URL,
		Metadata: result.Metadata{Status: o.Status, ContentType: "text/html", ContentLength: int64(len(o.HTML)), HiddenCheck: "inline"}}}
	a.describe(p)
	a.Title = cmp.Or(o.Title, a.Title)
	if err := a.fill(context.Background(), &loaded{res: new(fetch.Response), page: p, wanted: true}, c); err != nil {
		return nil, err
	}
	a.Metadata.Version = hashOf(markdown.Render(p, markdown.Options{}))
	a.noted = append(slices.Clone(q.Notices), a.noted...)
	a.cut(r.limit(q), q.MaxTokens)
	return a, nil
}

// File is a document that was not fetched.
type File struct {
	// Body is its text in UTF-8, or its bytes where Charset is empty.
	Body               []byte
	MediaType, Charset string
	// URL is where it came from, the base of its links; it may be zero.
	URL weburl.URL
	// Bytes is the size of the file.
	Bytes int
	// Documents has documents read in another process, as Config.Documents; nil reads them
	// in this one.
	Documents func(ctx context.Context, request ...[]byte) (reply []byte, err error)
	// Recognize returns the text of a picture, as Options.Recognize; nil: none.
	Recognize func(ctx context.Context, picture []byte, language string) ([]string, error)
	// Model answers prompts, as that of Options; nil: words do.
	Model     tool.Model
	ModelName string
}

// NewFile is a file by its bytes. name is its name, whose extension says its type where
// mediaType is "".
func NewFile(body []byte, name, mediaType string) File {
	if mediaType == "" {
		mediaType = TypeOfName(name)
	}
	f := File{Bytes: len(body)}
	f.Body, f.MediaType, f.Charset = fetch.Decode(body, mediaType)
	if mediaType == "" && f.MediaType == "text/plain" && beginsWithTag(f.Body) {
		f.MediaType = "text/html"
	}
	return f
}

// TypeOfName is the media type that the end of a file's name stands for. It is
// taken for what a server declares: the bytes have the last word.
func TypeOfName(name string) string {
	return map[string]string{
		".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".md": "text/markdown", ".markdown": "text/markdown",
		".json": "application/json", ".xml": "application/xml", ".csv": "text/csv", ".tsv": "text/tab-separated-values",
		".eml": "message/rfc822", ".txt": "text/plain", ".text": "text/plain",
	}[strings.ToLower(filepath.Ext(strings.TrimSuffix(name, ".gz")))]
}

// beginsWithTag reports whether a text without a name is a piece of HTML. The
// rules for what servers send know the tags that pages begin with; what is
// piped is often a part of one.
func beginsWithTag(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n\f")
	if len(b) < 3 || b[0] != '<' {
		return false
	}
	c := b[1] | 0x20
	return c >= 'a' && c <= 'z' || b[1] == '/' || b[1] == '!'
}

// OfFile answers a request for a file as Read does for a page, without a network:
// what of the request is for a site or a cache does not count, nor do its URL and the fragment of the file's. Where it names no window, the answer has all
// of the content. The error is a *tool.Error where the request is not valid, else
// an *extract.Error; the answer beside it is nil or describes the file.
func OfFile(ctx context.Context, f File, request Request) (*Answer, error) {
	request.URL, request.NoFragment = f.URL, true
	r := &Reader{o: Options{Documents: f.Documents, Recognize: f.Recognize, Model: f.Model, ModelName: f.ModelName}} // with no limit, and nothing to ask
	q, err := r.compile(request)
	if err != nil {
		return nil, err
	}
	res := &fetch.Response{URL: f.URL, Body: f.Body, MediaType: f.MediaType, Charset: f.Charset, DecodedBytes: int64(f.Bytes)}
	s := r.pageOf(ctx, q, res, time.Now())
	if s.page == nil {
		return nil, s.err
	}
	s.wanted, s.fetched = true, 0
	a, err := newAnswer(f.URL, s), s.err
	if err == nil {
		err = a.fill(ctx, s, q)
	}
	if err != nil {
		return a, err
	}
	if q.Mode != Raw {
		a.Metadata.Version = hashOf(markdown.Render(s.page, markdown.Options{}))
	}
	a.cut(r.limit(q.Request), q.MaxTokens)
	return a, nil
}
