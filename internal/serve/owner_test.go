package serve

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/tool"
)

// tokensOf are tokens: each a name and a token with "=" between them, or a token with
// the name default.
func tokensOf(t testing.TB, all ...string) *principal.Tokens {
	t.Helper()
	entries := make([]principal.Token, len(all))
	for i, s := range all {
		name, token, ok := strings.Cut(s, "=")
		if !ok {
			name, token = "default", s
		}
		entries[i] = principal.Token{Name: name, SHA256: sha256.Sum256([]byte(token))}
	}
	tokens, err := principal.NewTokens(entries...)
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

// whoami is a tool that says who its call is for.
func whoami(t testing.TB, f *testTools) {
	t.Helper()
	err := f.Register(tool.Declaration{Name: "whoami", Title: "Who", Description: "Says who the call is for.", Level: tool.Read, Profile: tool.Core,
		Annotations: tool.Annotations{ReadOnly: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			p := principal.Of(ctx)
			return tool.Result{Text: fmt.Sprintf("%s|%s|%s|%s", p.Name, p.Session, c.Session, p.Keys()), Data: map[string]string{"name": p.Name, "keys": p.Keys(), "session": p.Session, "owner": c.Session}}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
}

// bearer is a client whose requests have a token.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b != "" {
		r.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(r)
}

func connectAs(t *testing.T, url, token, era string) (*mcp.ClientSession, error) {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "who", Version: "1"}, nil)
	s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}, DisableStandaloneSSE: true},
		&mcp.ClientSessionOptions{ProtocolVersion: era})
	if err == nil {
		t.Cleanup(func() { _ = s.Close() })
	}
	return s, err
}

// TestPrincipals: each surface says whose a call is, by its token.
func TestPrincipals(t *testing.T) {
	f := newTestTools(t)
	whoami(t, f)
	for _, c := range []struct{ tokens, token, name, stateless string }{
		{"local", "", principal.Local, tool.Stateless}, // a server that only this machine reaches
		{"local", "any", principal.Local, tool.Stateless},
		{"", "", principal.Anonymous, tool.Stateless},
		{"", "any", principal.Anonymous, tool.Stateless}, // no token is asked for: the header means nothing
		{"default=d0 ann=a0 bob=b0", "a0", "ann", "stateless:ann"},
		{"default=d0 ann=a0 bob=b0", "b0", "bob", "stateless:bob"},
		{"default=d0 ann=a0 bob=b0", "d0", "default", "stateless:default"},
	} {
		o := Options{Catalog: f.Catalog}
		keys := c.name
		if o.LocalOwner = c.tokens == "local"; o.LocalOwner {
			keys = principal.Anonymous
		} else if c.tokens != "" {
			o.Tokens = tokensOf(t, strings.Fields(c.tokens)...)
		}
		url, _ := start(t, newServer(t, o))
		r, err := http.NewRequest("POST", url+"/v1/tools/whoami", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := bearer(c.token).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		var got struct{ Name, Keys, Session, Owner string }
		if err := json.Unmarshal(body, &got); err != nil || got.Name != c.name || got.Keys != keys || got.Session != "" || got.Owner != c.stateless {
			t.Errorf("REST with %q of %q: %s", c.token, c.tokens, body)
		}
		for _, era := range []string{"2025-11-25", stateless} {
			s, err := connectAs(t, url, c.token, era)
			if err != nil {
				t.Fatal(err)
			}
			a, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "whoami"})
			part := strings.Split(textOf(t, a, err), "|")
			switch session := era != stateless; {
			case part[0] != c.name, part[3] != keys, session && (!strings.HasPrefix(part[1], "mcp-") || part[2] != part[1]), !session && (part[1] != "" || part[2] != c.stateless):
				t.Errorf("MCP %s with %q of %q: %q", era, c.token, c.tokens, part)
			}
		}
	}
}

// TestForeignSession: a session is only for the token that opened it, and for nobody
// when that token is gone.
func TestForeignSession(t *testing.T) {
	f := newTestTools(t)
	whoami(t, f)
	s := newServer(t, Options{Catalog: f.Catalog, Tokens: tokensOf(t, "ann=a0", "bob=b0")})
	url, _ := start(t, s)
	status, header, body := post(t, url+"/mcp", initializeBody, "Authorization", "Bearer a0")
	id := header.Get(sessionHeader)
	if status != 200 || id == "" {
		t.Fatal(status, body)
	}
	const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"whoami","arguments":{}}}`
	for _, c := range []struct {
		token  string
		status int
		want   string
	}{
		{"a0", 200, "ann|mcp-"},
		{"b0", 403, ""},
		{"", 401, ""},
		{"c0", 401, ""},
	} {
		status, _, body := post(t, url+"/mcp", call, sessionHeader, id, versionHeader, "2025-11-25", "Authorization", "Bearer "+c.token)
		if status != c.status || !strings.Contains(body, c.want) || c.status != 200 && strings.Contains(body, "ann") {
			t.Errorf("token %q: %d %s", c.token, status, body)
		}
	}
	s.SetTokens(tokensOf(t, "bob=b0", "ann=a1"))
	for token, want := range map[string]int{"a0": 401, "a1": 200, "b0": 403} {
		if status, _, body := post(t, url+"/mcp", call, sessionHeader, id, versionHeader, "2025-11-25", "Authorization", "Bearer "+token); status != want {
			t.Errorf("token %q after the change: %d %s", token, status, body)
		}
	}
}

// TestQuotas: a caller beyond its quota is told so, and no other caller is.
func TestQuotas(t *testing.T) {
	f := newTestTools(t)
	sum := func(s string) [32]byte { return sha256.Sum256([]byte(s)) }
	tokens, err := principal.NewTokens(principal.Token{Name: "ann", SHA256: sum("a0"), Quota: principal.Quota{MaxCalls: 1}},
		principal.Token{Name: "bob", SHA256: sum("b0"), Quota: principal.Quota{CallsPerMinute: 2}}, principal.Token{Name: "eve", SHA256: sum("e0")})
	if err != nil {
		t.Fatal(err)
	}
	url, _ := start(t, newServer(t, Options{Catalog: f.Catalog, Tokens: tokens}))
	echo := func(token string) (int, http.Header, string) {
		return post(t, url+"/v1/tools/echo_text", `{"text":"x"}`, "Authorization", "Bearer "+token)
	}
	var waiting sync.WaitGroup
	waiting.Go(func() { post(t, url+"/v1/tools/gate", `{}`, "Authorization", "Bearer a0") })
	<-f.started
	status, header, body := echo("a0")
	var p problem
	if err := json.Unmarshal([]byte(body), &p); err != nil || status != 429 || header.Get("Retry-After") != "1" || p.ErrorType != tool.Busy || !p.Retryable ||
		!strings.Contains(p.Message, `"ann" is 1 calls at a time`) || p.Type == "about:blank" {
		t.Errorf("%d %v %s", status, header, body)
	}
	session, err := connectAs(t, url, "a0", "2025-11-25")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo_text", Arguments: map[string]any{"text": "x"}}); err != nil || !r.IsError ||
		!strings.Contains(r.Content[0].(*mcp.TextContent).Text, "quota") {
		t.Errorf("over MCP: %v %+v", err, r)
	}
	for range 5 {
		if status, _, body := echo("e0"); status != 200 {
			t.Errorf("another caller: %d %s", status, body)
		}
	}
	close(f.open)
	waiting.Wait()
	if status, _, body := echo("a0"); status != 200 {
		t.Errorf("after the call: %d %s", status, body)
	}
	for i, want := range []int{200, 200, 429, 429} {
		status, header, _ := echo("b0")
		if status != want || want == 429 && header.Get("Retry-After") == "" {
			t.Errorf("call %d of 2 a minute: %d", i+1, status)
		}
	}
}

// TestSessionEnded: what belongs to a session ends with it, once.
func TestSessionEnded(t *testing.T) {
	f := newTestTools(t)
	whoami(t, f)
	ended := make(chan principal.Caller, 10)
	s := newServer(t, Options{Catalog: f.Catalog, Tokens: tokensOf(t, "ann=a0"), SessionEnded: func(ctx context.Context, session string) {
		c := principal.Of(ctx)
		if session != c.Session {
			t.Errorf("%q of %+v", session, c)
		}
		ended <- c
	}})
	url, stop := start(t, s)
	one, err := connectAs(t, url, "a0", "2025-11-25")
	if err != nil {
		t.Fatal(err)
	}
	idle, err := connectAs(t, url, "a0", "2025-11-25")
	if err != nil {
		t.Fatal(err)
	}
	var session string
	for range 2 {
		a, err := one.CallTool(t.Context(), &mcp.CallToolParams{Name: "whoami"})
		session = strings.Split(textOf(t, a, err), "|")[1]
	}
	_ = idle.Close() // it has called nothing
	_ = one.Close()
	if c := <-ended; c != (principal.Caller{Name: "ann", Session: session}) {
		t.Errorf("%+v ended, want %q", c, session)
	}
	two, err := connectAs(t, url, "a0", "2025-11-25")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := two.CallTool(t.Context(), &mcp.CallToolParams{Name: "whoami"}); err != nil {
		t.Fatal(err)
	}
	stop() // it waits for the session that is open
	if len(ended) != 1 {
		t.Errorf("%d sessions ended with the server", len(ended))
	}
}

// TestGETHasNoEffects: a query does not reach tools that change something, nor what
// is stored for the caller, nor anything from a page of another site.
func TestGETHasNoEffects(t *testing.T) {
	f := newTestTools(t)
	err := f.Register(tool.Declaration{Name: "open_page", Title: "Open", Description: "Opens a page.", Kind: tool.Browser, Level: tool.Read, Profile: tool.BrowserTools,
		Annotations: tool.Annotations{ReadOnly: true}, Input: tool.Object(tool.String("url", "")),
		Handler: func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{Text: "opened"}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	login := tool.String("login", "")
	login.Stored = true
	err = f.Register(tool.Declaration{Name: "read_page", Title: "Read", Description: "Reads a page.", Level: tool.Read, Profile: tool.Core,
		Annotations: tool.Annotations{ReadOnly: true}, Input: tool.Object(tool.String("url", ""), login),
		Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
			return tool.Result{Text: "read", Data: map[string]string{"login": c.Args.String("login")}}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, Options{Catalog: f.Catalog})
	for _, c := range []struct {
		method, path string
		header       []string
		status       int
	}{
		{"GET", "/v1/tools/read_page?url=x", nil, 200},
		{"GET", "/v1/tools/read_page?url=x&login=example.com", nil, 400},
		{"GET", "/v1/tools/read_page?url=x&Login=example.com", nil, 400},
		{"GET", "/v1/tools/open_page?url=x", nil, 200}, // it only reads
		{"GET", "/v1/tools/open_page?url=x", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"POST", "/v1/tools/open_page", nil, 200},
		{"GET", "/v1/tools/read_page?url=x", []string{"Referer", "https://evil.example/page"}, 403},
		{"GET", "/v1/tools/read_page?url=x", []string{"Referer", "http://localhost:7749/docs"}, 200},
		{"GET", "/v1/tools/read_page?url=x", []string{"Referer", "http://localhost:9999/"}, 403},
		{"GET", "/v1/tools/read_page?url=x", []string{"Referer", "nonsense"}, 403},
		{"GET", "/v1/tools/read_page?url=x", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"GET", "/v1/tools/read_page?url=x", []string{"Origin", "https://evil.example"}, 403},
		{"GET", "/v1/tools/read_page?url=x", []string{"Sec-Fetch-Site", "none", "Referer", "https://evil.example/"}, 200},
	} {
		body := ""
		if c.method == "POST" {
			body = "{}"
		}
		if got := do(s, c.method, c.path, body, c.header...); got.Code != c.status {
			t.Errorf("%s %s %q: %d %s, want %d", c.method, c.path, c.header, got.Code, got.Body, c.status)
		}
	}
	if got := do(s, "POST", "/v1/tools/read_page", `{"login":"example.com"}`); got.Code != 200 || !strings.Contains(got.Body.String(), "example.com") {
		t.Errorf("%d %s", got.Code, got.Body)
	}
}
