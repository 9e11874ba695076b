package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// POST /v2/parse reads a document that the client uploads: a form (multipart/form-data) with
// the document as file, and the options of a page as options, a JSON object. The document is
// read as one of a site is, and is not stored.

const (
	parsePath = firecrawlPath + "parse"
	// maxUpload bounds the body of an upload, in bytes.
	maxUpload = 16 << 20
)

// bodyBound is the most bytes of the body of a request.
func bodyBound(r *http.Request) int64 {
	if r.URL.Path == parsePath {
		return maxUpload
	}
	return maxBodyBytes
}

// parseOptions are those of a page that have a meaning for a document.
func parseOptions() options {
	const site = "the document is not on a site"
	return pageOptions().with(map[string]fixed{
		"actions": {[]string{"[]"}, site}, "mobile": {[]string{"false"}, site}, "location": {nil, site}, "maxAge": {nil, site}, "profile": {nil, site}, "minAge": {nil, site}, "lockdown": {[]string{"false"}, site}, "fastMode": {[]string{"false"}, site}, "waitFor": {[]string{"0"}, site}, "headers": {[]string{"{}"}, site},
	})
}

// upload is a document of a client.
type upload struct {
	name, mediaType string
	body            []byte
	options         []byte // a JSON object
}

// readUpload reads the form of a request, whose body is in memory.
func readUpload(r *http.Request) (u upload, e *tool.Error) {
	wrong := func(message string) (upload, *tool.Error) {
		return u, tool.NewError(tool.InvalidInput, message, "send a form (multipart/form-data) with the document as file, and the options as JSON in options")
	}
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || parameters["boundary"] == "" {
		return wrong("the body is not a form with a file")
	}
	u.options = []byte("{}")
	form := multipart.NewReader(r.Body, parameters["boundary"])
	found := false
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return wrong("the form is damaged")
		}
		data, err := io.ReadAll(part) // bounded by the guard
		if err != nil {
			return wrong("the form is damaged")
		}
		switch name := part.FormName(); name {
		case "options":
			u.options = data
		case "file":
			found, u.body, u.name = true, data, part.FileName()
			u.mediaType = part.Header.Get("Content-Type")
			if kind, _, _ := mime.ParseMediaType(u.mediaType); kind == "application/octet-stream" || kind == "text/plain" {
				u.mediaType = "" // what a client says that does not know: the name and the bytes say more
			}
		default:
			return wrong("the form has a field " + text.Name(name) + ", which is unsupported")
		}
	}
	if !found || len(u.body) == 0 {
		return wrong("the form has no file, or an empty one")
	}
	return u, nil
}

// parse answers POST /v2/parse.
func (s *Server) parse(ctx context.Context, r *http.Request) (any, error) {
	u, e := readUpload(r)
	if e != nil {
		return nil, e
	}
	o, e := parseOptions().read(u.options)
	if e != nil {
		return nil, e
	}
	q, err := o.scrape()
	if err != nil {
		return nil, err
	}
	for _, f := range q.formats {
		if f.kind == formatScreenshot || f.kind == formatChanges {
			return nil, tool.NewError(tool.InvalidInput, "format "+text.Name(f.kind)+" is unsupported for an uploaded document", "it needs a page on a site")
		}
	}
	d, err := s.inFormats(ctx, q, u.name, func(args map[string]any) (*result.Fetch, error) {
		raw, err := json.Marshal(args)
		if err != nil {
			return nil, err
		}
		return s.o.Parse(ctx, u.body, u.name, u.mediaType, raw)
	})
	if err != nil {
		return nil, err
	}
	d.Metadata.URL, d.Metadata.CacheState, d.Metadata.StatusCode = "", "", http.StatusOK
	return map[string]any{"success": true, "data": d}, nil
}
