package serve

import (
	"context"
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Pages as plain text: GET /read/ADDRESS answers with the page as Markdown, and every
// tool does so where the Accept header asks for it.
//
// The address stands in the path as it is, "//" and query included. net/http's mux
// would clean such a path and redirect, so that this path is taken before the mux. A
// page can have a browser send a GET: /read takes nothing but an address, and never
// uses a login.

const readPath = "/read/"

// maxRedirects bounds the hosts that are followed; fetch bounds the hops within one.
const maxRedirects = 5

// The forms of an answer that the Accept header chooses.
const (
	formJSON     = "application/json"
	formMarkdown = "text/markdown"
	formText     = "text/plain"
)

// read answers with the page whose address stands behind /read/.
func (s *Server) read(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		notAllowed(w, r, http.MethodGet)
		return
	}
	address, e := readAddress(r.URL)
	if e == nil {
		_, e = s.find("web_fetch")
	}
	if e != nil {
		s.fail(w, r, e)
		return
	}
	form := accepted(r.Header, formMarkdown, formText, formJSON)
	args := map[string]any{"url": address}
	if form == formText {
		args["mode"] = "text"
	}
	got, err := followed(args, true, func(body json.RawMessage, o tool.Options) (tool.Result, error) {
		return s.called(r.Context(), w, "web_fetch", body, o)
	})
	if err != nil {
		s.fail(w, r, tool.AsError(err))
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if form == formJSON {
		s.answerObject(w, r, got)
		return
	}
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		form = formText // a browser saves Markdown as a file
	}
	s.answerText(w, got, form)
}

// followed calls web_fetch, and again for each redirect to another host. given says that
// the caller chose the address: a redirect is the page's choice.
func followed(args map[string]any, given bool, call func(json.RawMessage, tool.Options) (tool.Result, error)) (tool.Result, error) {
	for hosts := 0; ; hosts++ {
		body, err := json.Marshal(args)
		if err != nil {
			return tool.Result{}, err
		}
		got, err := call(body, tool.Options{Given: given && hosts == 0})
		page, ok := got.Data.(*result.Fetch)
		if err != nil || !ok || page.RedirectURL == "" {
			return got, err
		}
		if hosts == maxRedirects {
			return got, tool.NewError(tool.HTTPError, "the page redirects to another host for the sixth time: "+text.URL(page.RedirectURL), "read that address")
		}
		args = maps.Clone(args)
		args["url"] = page.RedirectURL
	}
}

// readAddress takes the address out of a path. Clients percent-encode it, and proxies
// make one slash of two.
func readAddress(u *url.URL) (string, *tool.Error) {
	address := strings.TrimPrefix(u.EscapedPath(), readPath)
	if head := strings.ToLower(address[:min(len(address), len("https%3a"))]); strings.HasPrefix(head, "http%3a") || strings.HasPrefix(head, "https%3a") {
		plain, err := url.PathUnescape(address)
		if err != nil {
			return "", tool.NewError(tool.InvalidURL, "the address after "+readPath+" is not percent-encoded correctly", "GET /read/https://example.com/page")
		}
		address = plain
	}
	for _, scheme := range []string{"http:/", "https:/"} {
		rest, ok := strings.CutPrefix(address, scheme)
		if ok && !strings.HasPrefix(rest, "/") {
			address = scheme + "/" + rest
		}
	}
	if address == "" {
		return "", tool.NewError(tool.InvalidURL, "no URL follows "+readPath, "GET /read/https://example.com/page")
	}
	if u.RawQuery != "" || u.ForceQuery {
		address += "?" + u.RawQuery
	}
	return address, nil
}

// accepted returns the form that the Accept header prefers; the first one where it
// prefers none.
func accepted(h http.Header, forms ...string) string {
	best, most := forms[0], 0.0
	for _, part := range strings.Split(strings.Join(h.Values("Accept"), ","), ",") {
		media, parameters, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		q := 1.0
		if given, ok := parameters["q"]; ok {
			if q, err = strconv.ParseFloat(given, 64); err != nil {
				continue
			}
		}
		for _, form := range forms {
			if media == form && q > most {
				best, most = form, q
			}
		}
	}
	return best
}

// answerText answers with the text of a result: of a page its content, of every other
// tool what a model is given.
func (s *Server) answerText(w http.ResponseWriter, got tool.Result, form string) {
	body := got.Text
	if page, ok := got.Data.(*result.Fetch); ok && page.RedirectURL == "" {
		body = page.Body()
		h := w.Header()
		for _, n := range page.Notices {
			if n = visible(n); !slices.Contains(h.Values("Spyhop-Notice"), n) {
				h.Add("Spyhop-Notice", n)
			}
		}
		if page.NextStartIndex != nil {
			next := url.Values{"url": {page.URL}, "start_index": {strconv.Itoa(*page.NextStartIndex)}}
			if form == formText {
				next.Set("mode", "text")
			}
			h.Set("Link", "</v1/tools/web_fetch?"+next.Encode()+`>; rel="next"; type="`+form+`"`)
		}
	}
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	w.Header().Set("Vary", "Accept")
	answer(w, form+"; charset=utf-8", []byte(body))
}

// answerObject answers with the object of a result.
func (s *Server) answerObject(w http.ResponseWriter, r *http.Request, got tool.Result) {
	body, err := got.Object()
	if err != nil {
		s.fail(w, r, tool.AsError(err))
		return
	}
	w.Header().Set("Vary", "Accept")
	answer(w, formJSON, append(s.withFile(body, got.File), '\n'))
}

// ended is the error of a call, which the end of the server may have cut.
func ended(ctx context.Context, err error) *tool.Error {
	if context.Cause(ctx) == errEnding {
		e := tool.NewError(tool.Busy, "the server ended during the call", "call again in a few seconds, when it runs again")
		e.RetryAfter = cutRetry
		return e
	}
	return tool.AsError(err)
}
