package spyhop

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/ocr"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// ReadDocument reads a document that the caller has, as Fetch reads one of a site. name and
// mediaType say of what type it is; both may be "". args are those of web_fetch that have a
// meaning for a file, as JSON: no URL, nothing of a cache. The result is not
// stored. The error is an *Error.
func (s *Client) ReadDocument(ctx context.Context, body []byte, name, mediaType string, args json.RawMessage) (*FetchResult, error) {
	s.warmUp()
	return operate(ctx, s, "parse", func(ctx context.Context) (*FetchResult, error) {
		form := tool.Object(reader.Properties()...)
		values, notices, e := form.Read(args)
		if e != nil {
			return nil, e
		}
		q := reader.FromCall(values)
		q.Notices = notices
		f := reader.NewFile(body, name, mediaType)
		if s.workers != nil {
			f.Documents, f.Recognize = s.workers.Do, ocr.New(s.workers.Run).Text
		}
		if s.model != nil {
			f.Model, f.ModelName = completer{s.model}, s.model.Name()
		}
		a, err := reader.OfFile(ctx, f, q)
		if err != nil {
			var own *tool.Error
			if errors.As(err, &own) {
				return nil, own
			}
			return nil, &tool.Error{Type: tool.NoContent, Message: "the document cannot be read: " + text.Cause(err), Hint: "give its name or its media type, where it is not what it looks like", Cause: err}
		}
		return &a.Fetch, nil
	})
}

// TellWebhook sends a message in the form of Firecrawl's API, signed, until it is taken, for 85
// minutes. Without a body it only checks the URL, and returns the secret of the signatures.
func (s *Client) TellWebhook(ctx context.Context, url, id string, body any) (secret string, err error) {
	return s.jobs.Tell(ctx, principal.Of(ctx).Principal(), url, id, body)
}

// RunProgram runs a program of JavaScript beside the browser context that a session
// ([tool.Options].Session) used last, until ctx ends. It has a page and a console, as
// docs/firecrawl.md says; do carries out what it wants of the page. Without code, it reports
// whether a program can run. The error is an *Error: Blocked without Config.AllowScript.
func (s *Client) RunProgram(ctx context.Context, session, code string, do func(ctx context.Context, name string, args json.RawMessage) (any, error)) (*result.Program, error) {
	return operate(ctx, s, "program", func(ctx context.Context) (*result.Program, error) {
		return s.browser.Program(ctx, browser.Place{Owner: session}, code, do)
	})
}
