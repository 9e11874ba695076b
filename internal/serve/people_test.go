package serve

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// feed is an Audit whose events the test sends.
type feed struct{ events chan result.Event }

func (f feed) Metrics() result.Metrics { return result.Metrics{} }

func (f feed) Subscribe(int) (<-chan result.Event, func()) { return f.events, func() {} }

const asPerson = "text/html,application/xhtml+xml,*/*;q=0.8"

// signIn sends the form of the token and returns the cookie.
func signIn(t *testing.T, s *Server, token string) *http.Cookie {
	t.Helper()
	w := do(s, "POST", "/sign-in", url.Values{"token": {token}, "to": {"/activity"}}.Encode(),
		"Content-Type", "application/x-www-form-urlencoded", "Origin", "http://localhost:7749", "Accept", asPerson)
	all := w.Result().Cookies()
	if w.Code != 303 || w.Header().Get("Location") != "/activity" || len(all) != 1 {
		t.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	return all[0]
}

// TestSignIn: the form of the token, the cookie, and what it is good for.
func TestSignIn(t *testing.T) {
	s := newServer(t, Options{Tokens: tokensOf(t, "sesame")})
	w := do(s, "GET", "/?url=https://example.com/", "", "Accept", asPerson)
	if w.Code != 303 || w.Header().Get("Location") != "/sign-in?to=%2F%3Furl%3Dhttps%3A%2F%2Fexample.com%2F" {
		t.Fatalf("without a token: %d %v", w.Code, w.Header())
	}
	if w := do(s, "GET", "/", ""); w.Code != 401 || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("a program without a token: %d %v", w.Code, w.Header())
	}
	form := do(s, "GET", w.Header().Get("Location"), "", "Accept", asPerson)
	if form.Code != 200 || !strings.Contains(form.Body.String(), `<input type="hidden" name="to" value="/?url=https://example.com/">`) {
		t.Fatalf("the form: %d %s", form.Code, form.Body)
	}
	cookie := signIn(t, s, "sesame")
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Secure || strings.Contains(cookie.Value, "sesame") || len(cookie.Value) < 26 {
		t.Errorf("the cookie: %+v", cookie)
	}
	with := []string{"Cookie", cookie.Name + "=" + cookie.Value, "Accept", asPerson}
	for path, want := range map[string]int{
		"/": 200, "/activity": 200, "/docs": 200, "/v1/files/none.png": 404, // for people
		"/v1/tools": 401, "/v1/tools/echo_text?text=x": 401, "/mcp": 401, "/metrics": 401, "/openapi.json": 401, "/read/https://example.com/": 401, // for programs
	} {
		if w := do(s, "GET", path, "", with...); w.Code != want {
			t.Errorf("%s with the cookie: %d, want %d", path, w.Code, want)
		}
	}
	if w := do(s, "POST", "/v1/tools/echo_text", `{"text":"x"}`, with...); w.Code != 401 {
		t.Errorf("a call with the cookie: %d", w.Code)
	}
	if w := do(s, "GET", "/", "", append(with, "Authorization", "Bearer wrong")...); w.Code != 303 {
		t.Errorf("a wrong token beside the cookie: %d", w.Code)
	}
	w = do(s, "POST", "/sign-out", "", append(with, "Origin", "http://localhost:7749")...)
	if w.Code != 303 || w.Result().Cookies()[0].MaxAge >= 0 {
		t.Errorf("signing out: %d %v", w.Code, w.Header())
	}
	if w := do(s, "GET", "/", "", with...); w.Code != 303 {
		t.Errorf("with the cookie of a session that ended: %d", w.Code)
	}
	again := do(s, "GET", "/sign-in", "", with...)
	if !strings.Contains(again.Body.String(), "You were signed out") {
		t.Error("the form does not say that the session has ended")
	}
	if open := do(newServer(t, Options{}), "GET", "/sign-in", ""); open.Code != 303 || open.Header().Get("Location") != "/" {
		t.Errorf("a server without tokens: %d", open.Code)
	}
}

// TestSignInRefuses: who cannot sign in, and where nobody is led.
func TestSignInRefuses(t *testing.T) {
	s := newServer(t, Options{Tokens: tokensOf(t, "sesame")})
	post := func(token, to string, header ...string) *httptest.ResponseRecorder {
		return do(s, "POST", "/sign-in", url.Values{"token": {token}, "to": {to}}.Encode(), append([]string{"Content-Type", "application/x-www-form-urlencoded", "Accept", asPerson}, header...)...)
	}
	own := []string{"Origin", "http://localhost:7749"}
	for name, c := range map[string]struct {
		token  string
		header []string
		code   int
		want   string
	}{
		"a wrong token":    {"sesam", own, 401, "not a token of the server"},
		"no token":         {"", own, 401, "not a token of the server"},
		"a page elsewhere": {"sesame", []string{"Origin", "https://evil.example"}, 403, "requests from pages of other sites are refused"},
		"an opaque page":   {"sesame", []string{"Origin", "null"}, 403, "requests from pages of other sites are refused"},
		"a sibling":        {"sesame", []string{"Sec-Fetch-Site", "same-site", "Origin", "http://localhost:1"}, 403, "other sites"},
		"no page":          {"sesame", nil, 403, "a form of this server is needed"},
		"a name of a page": {"sesame", []string{"Host", "evil.example", "Origin", "http://evil.example"}, 403, "is not this server"},
	} {
		w := post(c.token, "/", c.header...)
		if w.Code != c.code || !strings.Contains(w.Body.String(), c.want) || len(w.Result().Cookies()) > 0 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), `value="sesam`) {
			t.Errorf("%s: the token stands in the answer", name)
		}
	}
	for _, to := range []string{"https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "/v1/tools", "", "/sign-in", "/docs/../x"} {
		if w := post("sesame", to, own...); w.Code != 303 || w.Header().Get("Location") != "/" {
			t.Errorf("to %q: %d %q", to, w.Code, w.Header().Get("Location"))
		}
	}
	secure := do(s, "POST", "/sign-in", "token=sesame", "Content-Type", "application/x-www-form-urlencoded", "Origin", "https://localhost:7749")
	if c := secure.Result().Cookies(); len(c) != 1 || !c[0].Secure {
		t.Errorf("behind TLS: %v", c)
	}
}

// TestExpiredToken: a session ends with its token.
func TestExpiredToken(t *testing.T) {
	s := newServer(t, Options{Tokens: tokensOf(t, "sesame")})
	cookie := signIn(t, s, "sesame")
	with := []string{"Cookie", cookie.Name + "=" + cookie.Value, "Accept", asPerson}
	s.SetTokens(tokensOf(t, "other"))
	if w := do(s, "GET", "/", "", with...); w.Code != 303 {
		t.Errorf("with a token that is no longer one: %d", w.Code)
	}
	if w := do(s, "POST", "/sign-out", "", append(with, "Origin", "http://localhost:7749")...); w.Code != 401 || !strings.Contains(w.Body.String(), "no longer signed in") {
		t.Errorf("a form: %d %s", w.Code, w.Body)
	}
	s.SetTokens(nil)
	if w := do(s, "GET", "/", "", with...); w.Code != 200 || strings.Contains(w.Body.String(), "Sign out") {
		t.Errorf("without tokens: %d", w.Code)
	}
}

// TestViewPanics: a defect in what a view calls is an error of that view.
func TestViewPanics(t *testing.T) {
	catalog, _ := reads(t)
	s := newServer(t, Options{Catalog: catalog, Explain: func(context.Context, string) (*result.Explanation, error) { panic("canary") }})
	w := do(s, "GET", "/?url=https://example.com/&show=blocks", "", "Accept", asPerson)
	if w.Code != 500 || !strings.Contains(w.Body.String(), "Fetch a page") || strings.Contains(w.Body.String(), "canary") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestLivePages: each page has a policy that allows the files of this server only, and
// none of them has inline scripts, styles or anything from elsewhere.
func TestLivePages(t *testing.T) {
	catalog, _ := reads(t)
	explain := func(context.Context, string) (*result.Explanation, error) {
		return &result.Explanation{URL: "https://example.com/", Title: "<b>T", Blocks: []result.Judgement{{Text: "<i>kept", Score: .9, Kept: true, Why: "kept: score 0.90", Reasons: []result.Reason{{Feature: "link_density", Words: "its links", Effect: -2}}}, {Text: "menu", Score: .1}}}, nil
	}
	s := newServer(t, Options{Catalog: catalog, Explain: explain})
	for path, want := range map[string]string{
		"/":                                       "Fetch a page",
		"/?url=https://example.com/":              `<p dir="auto">text</p>`,
		"/?url=https://example.com/&show=source":  "# T\n\ntext",
		"/?url=https://example.com/&show=blocks":  "kept: score 0.90",
		"/?url=https://example.com/&show=details": "Content chosen by",
		"/?url=https://example.com/&show=outline": "no headings",
		"/?url=https://example.com/&show=links":   "links to no page",
		"/?url=https://moved.example/":            "has moved to another host",
		"/?url=https://gone.example/":             "Next step: look elsewhere.",
		"/activity":                               "No calls yet",
	} {
		w := do(s, "GET", path, "", "Accept", asPerson)
		body := w.Body.String()
		if want := map[bool]int{true: 502, false: 200}[strings.Contains(path, "gone")]; w.Code != want {
			t.Errorf("%s: %d", path, w.Code)
		}
		if !strings.Contains(body, want) {
			t.Errorf("%s: not there: %s\n%s", path, want, body)
		}
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; style-src 'self'; script-src 'self'; ") || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", path, policy)
		}
		for _, bad := range []string{"<style", " style=", " onclick=", "<b>T", "<i>kept", "http://cdn", "<iframe"} {
			if strings.Contains(body, bad) {
				t.Errorf("%s has %s", path, bad)
			}
		}
	}
	for name, header := range map[string][]string{"a page elsewhere": {"Sec-Fetch-Site", "cross-site"}, "a frame": {"Referer", "https://evil.example/"}} {
		w := do(s, "GET", "/?url=https://example.com/", "", append(header, "Accept", asPerson)...)
		if w.Code != 403 || !strings.Contains(w.Body.String(), "<h1>requests from pages of other sites are refused</h1>") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if w := do(s, "POST", "/activity", "", "Origin", "http://localhost:7749", "Accept", asPerson); w.Code != 405 {
		t.Errorf("POST: %d", w.Code)
	}
	total := 0
	for _, part := range strings.Split(do(s, "GET", "/", "").Body.String(), `"`) {
		if strings.HasPrefix(part, "/live/") {
			w := do(s, "GET", part, "")
			total += w.Body.Len()
			if w.Code != 200 || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
				t.Errorf("%s: %d %v", part, w.Code, w.Header())
			}
		}
	}
	if total < 5_000 || total > 100_000 {
		t.Errorf("style and script have %d bytes", total)
	}
	if w := do(s, "GET", "/live/0-live.js", ""); w.Code != 404 {
		t.Errorf("a file of another version: %d", w.Code)
	}
}

// TestActivity: a caller sees its own calls as they end, and nobody else's; no address
// of the network is shown.
func TestActivity(t *testing.T) {
	f := feed{make(chan result.Event)}
	s := newServer(t, Options{Audit: f, Tokens: tokensOf(t, "a=token-a", "b=token-b")})
	at, stop := start(t, s)
	read := func(token string) *bufio.Scanner {
		q, _ := http.NewRequestWithContext(t.Context(), "GET", at+"/activity/events", nil)
		q.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(q)
		if err != nil || res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatal(err, res.StatusCode)
		}
		t.Cleanup(func() { res.Body.Close() })
		return bufio.NewScanner(res.Body)
	}
	until := func(lines *bufio.Scanner, want string) (all string) {
		for lines.Scan() {
			all += lines.Text() + "\n"
			if strings.Contains(lines.Text(), want) {
				return all
			}
		}
		t.Fatalf("no %q in\n%s", want, all)
		return ""
	}
	streamB := read("token-b")
	until(streamB, "figures")
	f.events <- result.Event{Kind: result.EventCall, Tool: "web_fetch", Owner: "a", URL: "https://secret.example/", Decision: result.Allow}
	f.events <- result.Event{Kind: result.EventDecision, URL: "https://nobody.example/", Decision: result.Block}
	f.events <- result.Event{Kind: result.EventCall, Tool: "web_fetch", Owner: "b", URL: "https://example.com/<b>", Decision: result.Block, Rule: "address", Address: "10.0.0.7", Detail: "dial 10.0.0.7", Error: "Blocked", Caller: "mcp"}
	got := until(streamB, "mcp")
	for _, bad := range []string{"secret.example", "nobody.example", "10.0.0.7", "<b>https", "com/<b>"} {
		if strings.Contains(got, bad) {
			t.Errorf("another caller, an address or markup is shown: %s", got)
		}
	}
	if !strings.Contains(got, "The host leads to an address that is not public.") {
		t.Errorf("the refusal is not explained: %s", got)
	}
	page := do(s, "GET", "/activity", "", "Authorization", "Bearer token-a").Body.String()
	if !strings.Contains(page, "secret.example") || strings.Contains(page, "example.com") {
		t.Errorf("the page of a: %s", page)
	}
	stop()
	for streamB.Scan() { // the stream ends with the server
	}
}

// storedVersions has two versions, and remembers for what call it was asked.
type storedVersions struct {
	tool.Versions
	asked tool.Options
}

func (v *storedVersions) Recent(context.Context, int) []tool.Version { return nil }

func (v *storedVersions) Version(_ context.Context, _ string, o tool.Options) (tool.Version, error) {
	v.asked = o
	return tool.Version{}, nil
}

// TestLiveRequestID: what a view asks for is in the audit log with the id of the request.
func TestLiveRequestID(t *testing.T) {
	catalog, _ := reads(t)
	var seen tool.Options
	catalog.Around(func(ctx context.Context, _ string, o tool.Options, next func(context.Context) (tool.Result, error)) (tool.Result, error) {
		seen = o
		return next(ctx)
	})
	var explained principal.Surface
	versions := new(storedVersions)
	s := newServer(t, Options{Catalog: catalog, Versions: versions, Compare: func(string, string) []result.Change { return nil },
		Explain: func(ctx context.Context, _ string) (*result.Explanation, error) {
			explained, _ = principal.SurfaceOf(ctx)
			return new(result.Explanation), nil
		}})
	for path, got := range map[string]func() tool.Options{
		"/?url=https://example.com/": func() tool.Options { return seen },
		"/versions?from=a&to=b":      func() tool.Options { return versions.asked },
		"/?url=https://example.com/&show=blocks": func() tool.Options {
			return tool.Options{Caller: explained.Name, RequestID: explained.RequestID}
		},
	} {
		w := do(s, "GET", path, "", "Accept", asPerson)
		id := w.Header().Get("X-Request-Id")
		if o := got(); w.Code != 200 || id == "" || o.RequestID != id || o.Caller != "live" {
			t.Errorf("%s: %d, request %q: the call has %q by %q", path, w.Code, id, o.RequestID, o.Caller)
		}
	}
}
