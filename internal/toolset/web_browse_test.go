package toolset

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// answers is a Reader that gives one answer or error and remembers the request.
type answers struct {
	markdown string
	err      error
	request  reader.Request
}

func (a *answers) Read(_ context.Context, q reader.Request) (*reader.Answer, error) {
	a.request = q
	if a.err != nil {
		return nil, a.err
	}
	return &reader.Answer{Fetch: result.Fetch{Success: true, Markdown: a.markdown}}, nil
}

func (a *answers) ReadAll(context.Context, []string, reader.Request) *reader.Answers {
	panic("web_browse reads one address")
}

func (a *answers) Opened(reader.Opened, reader.Request) (*reader.Answer, error) {
	panic("web_browse opens no page")
}

func call(t *testing.T, r pageReader, name, args string) (tool.Result, error) {
	t.Helper()
	c := tool.NewCatalog()
	if err := Register(c, Options{Reader: r, HeadersAllowed: []string{"X-Extra"}}); err != nil {
		t.Fatal(err)
	}
	return c.Call(context.Background(), name, json.RawMessage(args), tool.Options{})
}

// The strings of web_browse are a contract with programs that compare them.
func TestWebBrowseStrings(t *testing.T) {
	failure := func(typ tool.ErrorType, status int, cause error) error {
		return &tool.Error{Type: typ, Status: status, Message: "Failed", Cause: cause}
	}
	for _, c := range []struct {
		url  string
		err  error
		want string
	}{
		{"", nil, "Error: Invalid URL format - must start with http:// or https://"},
		{"example.com", nil, "Error: Invalid URL format - must start with http:// or https://"},
		{"ftp://example.com/", nil, "Error: Invalid URL format - must start with http:// or https://"},
		{"https://exa mple.com/", nil, "Error: Invalid URL format - must start with http:// or https://"},
		{"https://e.com", failure(tool.HTTPError, 503, nil), "Error: HTTP 503 - Failed to fetch URL"},
		// A time-out that is not the call's: the name server gave up, say.
		{"https://e.com", failure(tool.Timeout, 0, nil), "Error: Failed to fetch URL - Failed"},
		{"https://e.com", failure(tool.ConnectionError, 0, nil), "Error: Failed to connect to URL"},
		{"https://e.com", failure(tool.TLSError, 0, nil), "Error: Failed to connect to URL"},
		{"https://e.com", failure(tool.ParseError, 0, nil), "Error: Failed to parse HTML content"},
		{"https://e.com", failure(tool.NoContent, 0, nil), "Error: No readable content found on page"},
		{"https://e.com", failure(tool.Blocked, 0, nil), "Error: Blocked - Failed"},
		{"https://e.com", failure(tool.HTTPError, 0, &fetch.Error{Code: fetch.TooManyRedirects}), "Error: Too many redirects"},
		{"https://e.com", failure(tool.UnsupportedContent, 0, &extract.Error{Code: extract.Unsupported, MediaType: "image/png"}), "Error: Unsupported content type image/png"},
		{"https://e.com", failure(tool.TooLarge, 0, nil), "Error: Failed to fetch URL - Failed"},
	} {
		args, _ := json.Marshal(map[string]string{"url": c.url})
		r, err := call(t, &answers{err: c.err}, "web_browse", string(args))
		if err != nil || r.Text != c.want {
			t.Errorf("%q, %v:\n got %q %v\nwant %q", c.url, c.err, r.Text, err, c.want)
		}
	}
}

// The time in the message is the limit that ran.
func TestWebBrowseTimesOut(t *testing.T) {
	for _, c := range []struct {
		name            string
		option, context time.Duration
		want            string
	}{
		{"by default", 0, 0, "Error: Request timed out after 30 seconds"},
		{"as configured", 2 * time.Second, 0, "Error: Request timed out after 2 seconds"},
		{"as configured, a second", time.Second, 0, "Error: Request timed out after 1 seconds"},
		{"as configured, longer", 2 * time.Minute, 0, "Error: Request timed out after 120 seconds"},
		{"the caller has less", 0, 5 * time.Second, "Error: Request timed out after 5 seconds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				catalog := tool.NewCatalog()
				r := reader.New(reader.Options{Timeout: c.option, Fetch: func(ctx context.Context, _ fetch.Request) (*fetch.Response, error) {
					<-ctx.Done()
					return nil, &fetch.Error{Code: fetch.Timeout}
				}})
				if err := Register(catalog, Options{Reader: r, Timeout: c.option}); err != nil {
					t.Fatal(err)
				}
				ctx := t.Context()
				if c.context > 0 {
					var stop context.CancelFunc
					ctx, stop = context.WithTimeout(ctx, c.context)
					defer stop()
				}
				begun := time.Now()
				got, err := catalog.Call(ctx, "web_browse", json.RawMessage(`{"url":"https://e.com"}`), tool.Options{})
				if err != nil || got.Text != c.want {
					t.Errorf("%q, %v", got.Text, err)
				}
				if want := cmp.Or(c.context, c.option, 30*time.Second); time.Since(begun) != want {
					t.Errorf("after %v", time.Since(begun))
				}
			})
		})
	}
}

func TestWebBrowseCuts(t *testing.T) {
	const notice = "\n\n[Content truncated - showing first 10,000 characters]"
	short := strings.Repeat("word ", 1999) + "last"
	if r, err := call(t, &answers{markdown: short}, "web_browse", `{"url":"https://e.com"}`); err != nil || r.Text != short {
		t.Errorf("a text of %d characters was changed: %v", len(short), err)
	}
	r, err := call(t, &answers{markdown: short + strings.Repeat(" more", 10)}, "web_browse", `{"url":"https://e.com"}`)
	body, ok := strings.CutSuffix(r.Text, notice)
	if err != nil || !ok || len(body) > 10_000 || len(body) < 9_900 {
		t.Errorf("%d characters, notice %v, %v", len(body), ok, err)
	}
}

func TestWebFetchRequest(t *testing.T) {
	a := &answers{}
	if _, err := call(t, a, "web_fetch", `{"url":"example.com/x?utm_source=y","mode":"text","maxLength":"7","offset":3,"images":"true","timeout_ms":500000,"headers":{"accept":"a/b","x-extra":"1"}}`); err != nil {
		t.Fatal(err)
	}
	q := a.request
	if q.URL.String() != "https://example.com/x" || q.Mode != reader.Text || q.MaxLength != 7 || q.StartIndex != 3 || !q.Images ||
		q.Timeout.Seconds() != 120 || q.Header["Accept"] != "a/b" || q.Header["X-Extra"] != "1" || q.Follow {
		t.Errorf("%+v", q)
	}
}

// What a site is shown of the caller comes from the surface, never from the
// arguments.
func TestWebFetchAccess(t *testing.T) {
	a := &answers{}
	c := tool.NewCatalog()
	if err := Register(c, Options{Reader: a}); err != nil {
		t.Fatal(err)
	}
	o := tool.Options{Access: &tool.Access{UserAgent: "Robot/1", Username: "ann", Password: "pw", Cookie: "a=b"}}
	if _, err := c.Call(t.Context(), "web_fetch", json.RawMessage(`{"url":"https://e.com"}`), o); err != nil {
		t.Fatal(err)
	}
	q := a.request
	if q.Header["User-Agent"] != "Robot/1" || q.Auth == nil || q.Auth.Username != "ann" || q.Auth.Password != "pw" || len(q.Auth.Cookies) != 1 {
		t.Errorf("%+v %+v", q.Header, q.Auth)
	}
	for _, args := range []string{`{"url":"https://e.com","bearer":"x"}`, `{"url":"https://e.com","headers":{"User-Agent":"x"}}`} {
		if _, err := call(t, a, "web_fetch", args); err == nil {
			t.Errorf("%s was taken", args)
		}
	}
	for name, want := range map[string]bool{"web_fetch": false, "web-fetch": false, "WebFetch": true} {
		if _, err := c.Call(t.Context(), name, json.RawMessage(`{"url":"https://e.com"}`), o); err != nil || a.request.NoCookies != want {
			t.Errorf("%s: no cookies %v: %v", name, a.request.NoCookies, err)
		}
	}
	o.Access = &tool.Access{Cookie: "=canary;"}
	if _, err := c.Call(t.Context(), "web_fetch", json.RawMessage(`{"url":"https://e.com"}`), o); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("a cookie that is none: %v", err)
	}
}
