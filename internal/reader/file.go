package reader

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

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
}

// OfFile answers a request for a file as Read does for a page, without a network:
// what of the request is for a site, a cache or a model does not count, nor do its
// URL and the fragment of the file's. Where it names no window, the answer has all
// of the content. The error is a *tool.Error where the request is not valid, else
// an *extract.Error; the answer beside it is nil or describes the file.
func OfFile(f File, request Request) (*Answer, error) {
	request.URL, request.NoFragment = f.URL, true
	r := &Reader{o: Options{Documents: f.Documents, Recognize: f.Recognize}} // with no limit, and nothing to ask
	q, err := r.compile(request)
	if err != nil {
		return nil, err
	}
	res := &fetch.Response{URL: f.URL, Body: f.Body, MediaType: f.MediaType, Charset: f.Charset, DecodedBytes: int64(f.Bytes)}
	s := r.pageOf(context.Background(), q, res, time.Now())
	if s.page == nil {
		return nil, s.err
	}
	s.wanted, s.fetched = true, 0
	a, err := newAnswer(f.URL, s), s.err
	if err == nil {
		err = a.fill(context.Background(), s, q)
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
