package serve

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestGuard is the table of what is let in: from where, with which Host, Origin
// and token.
func TestGuard(t *testing.T) {
	const loopback, lan = "127.0.0.1:7749", "192.168.1.5:7749"
	for _, c := range []struct {
		name, local string
		token       string // of the server
		header      []string
		path        string
		want        int
	}{
		{"a program", loopback, "", nil, "/v1/tools", 200},
		{"no local address", "", "", nil, "/v1/tools", 200},
		{"localhost", loopback, "", []string{"Host", "localhost:9"}, "/v1/tools", 200},
		{"LOCALHOST", loopback, "", []string{"Host", "LocalHost"}, "/v1/tools", 200},
		{"IPv6", "[::1]:7749", "", []string{"Host", "[::1]:7749"}, "/v1/tools", 200},
		{"IPv6 without a port", "[::1]:7749", "", []string{"Host", "[::1]"}, "/v1/tools", 200},
		{"a mapped address of loopback", loopback, "", []string{"Host", "[::ffff:127.0.0.1]:7749"}, "/v1/tools", 200},
		{"another address of loopback", loopback, "", []string{"Host", "127.8.8.8"}, "/v1/tools", 200},
		{"a name", loopback, "", []string{"Host", "rebound.example"}, "/v1/tools", 403},
		{"a name with our port", loopback, "", []string{"Host", "rebound.example:7749"}, "/v1/tools", 403},
		{"a name below localhost", loopback, "", []string{"Host", "a.localhost"}, "/v1/tools", 403},
		{"a name that looks like an address", loopback, "", []string{"Host", "127.0.0.1.example"}, "/v1/tools", 403},
		{"localhost with a dot", loopback, "", []string{"Host", "localhost."}, "/v1/tools", 403},
		{"an address that is not ours", loopback, "", []string{"Host", "10.0.0.1"}, "/v1/tools", 403},
		{"no host", loopback, "", []string{"Host", ""}, "/v1/tools", 403},
		{"a name where there is no address", "", "", []string{"Host", "rebound.example"}, "/v1/tools", 403},
		{"a name, with the token", loopback, "sesame", []string{"Host", "rebound.example", "Authorization", "Bearer sesame"}, "/v1/tools", 403},
		{"a name for health", loopback, "", []string{"Host", "rebound.example"}, "/healthz", 403},
		{"a mapped address", "[::ffff:127.0.0.1]:7749", "", []string{"Host", "rebound.example"}, "/v1/tools", 403},

		{"our own page", loopback, "", []string{"Origin", "http://localhost:7749"}, "/v1/tools", 200},
		{"our own page, told twice", loopback, "", []string{"Origin", "http://localhost:7749", "Sec-Fetch-Site", "same-origin"}, "/v1/tools", 200},
		{"a page of another site", loopback, "", []string{"Origin", "https://elsewhere.example"}, "/v1/tools", 403},
		{"a page of another port", loopback, "", []string{"Origin", "http://localhost:3000"}, "/v1/tools", 403},
		{"a page without an origin", loopback, "", []string{"Origin", "null"}, "/v1/tools", 403},
		{"an extension", loopback, "", []string{"Origin", "chrome-extension://localhost:7749"}, "/v1/tools", 403},
		{"two origins", loopback, "", []string{"Origin", "http://localhost:7749", "Origin", "http://a.example"}, "/v1/tools", 403},
		{"an empty origin", loopback, "", []string{"Origin", ""}, "/v1/tools", 403},
		{"a picture in a page of another site", loopback, "", []string{"Sec-Fetch-Site", "cross-site"}, "/v1/tools/echo_text?text=x", 403},
		{"a page of a sibling", loopback, "", []string{"Sec-Fetch-Site", "same-site"}, "/v1/tools", 403},
		{"typed into a browser", loopback, "", []string{"Sec-Fetch-Site", "none"}, "/docs", 200},

		{"without the token", loopback, "sesame", nil, "/v1/tools", 401},
		{"without the token, beyond", lan, "sesame", []string{"Host", "spyhop.lan"}, "/docs", 401},
		{"with the token", loopback, "sesame", []string{"Authorization", "Bearer sesame"}, "/v1/tools", 200},
		{"with the token, beyond", lan, "sesame", []string{"Host", "spyhop.lan", "Authorization", "bearer  sesame "}, "/docs", 200},
		{"another token", loopback, "sesame", []string{"Authorization", "Bearer sesam"}, "/v1/tools", 401},
		{"a longer token", loopback, "sesame", []string{"Authorization", "Bearer sesamesesame"}, "/v1/tools", 401},
		{"another scheme", loopback, "sesame", []string{"Authorization", "Basic sesame"}, "/v1/tools", 401},
		{"the token alone", loopback, "sesame", []string{"Authorization", "sesame"}, "/v1/tools", 401},
		{"an empty token", loopback, "sesame", []string{"Authorization", "Bearer "}, "/v1/tools", 401},
		{"the token in the address", loopback, "sesame", nil, "/v1/tools?token=sesame", 401},
		{"health", loopback, "sesame", nil, "/healthz", 200},
		{"health below another path", loopback, "sesame", nil, "/v1/../healthz", 401},
		{"metrics", loopback, "sesame", nil, "/metrics", 401},
		{"what is not there", loopback, "sesame", nil, "/x", 401},
		{"a page of another site, beyond", lan, "sesame", []string{"Host", "spyhop.lan", "Authorization", "Bearer sesame", "Origin", "http://a.example"}, "/v1/tools", 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{}
			if c.token != "" {
				o.Tokens = tokensOf(t, c.token)
			}
			s := newServer(t, o)
			r := httptest.NewRequest("GET", c.path, nil)
			r.Host = "localhost:7749"
			for i := 0; i < len(c.header); i += 2 {
				if c.header[i] == "Host" {
					r.Host = c.header[i+1]
				} else {
					r.Header.Add(c.header[i], c.header[i+1])
				}
			}
			if c.local != "" {
				a, err := net.ResolveTCPAddr("tcp", c.local)
				if err != nil {
					t.Fatal(err)
				}
				r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(a)))
			}
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code != c.want {
				t.Fatalf("%d %s, want %d", w.Code, w.Body, c.want)
			}
			if c.want == 401 != (w.Header().Get("WWW-Authenticate") != "") {
				t.Errorf("WWW-Authenticate: %q", w.Header().Get("WWW-Authenticate"))
			}
			if c.want != 200 {
				if p := problemOf(t, w); p.ErrorType != tool.Blocked || p.Hint == "" || strings.Contains(w.Body.String(), "sesame") {
					t.Errorf("%s", w.Body)
				}
			}
		})
	}
}

// TestBodies: how long a body may be, and what becomes of bodies that are none.
func TestBodies(t *testing.T) {
	s := newServer(t, Options{})
	args := func(n int) string { // n bytes
		const around = len(`{"text":""}`)
		return `{"text":"` + strings.Repeat("x", n-around) + `"}`
	}
	for _, c := range []struct {
		name, body, media string
		want              int
		typ               tool.ErrorType
	}{
		{"an object", `{"text":"a"}`, "application/json", 200, ""},
		{"with a charset", `{"text":"a"}`, "application/json; charset=utf-8", 200, ""},
		{"as curl -d sends it", `{"text":"a"}`, "application/x-www-form-urlencoded", 200, ""},
		{"without a type", `{"text":"a"}`, "", 200, ""},
		{"a form", `text=a`, "application/x-www-form-urlencoded", 400, tool.InvalidInput},
		{"XML", `<text/>`, "application/xml", 415, tool.UnsupportedContent},
		{"a type that is none", `{"text":"a"}`, "a/b/c", 200, ""},
		{"nothing", ``, "application/json", 400, tool.InvalidInput},
		{"no JSON", `{"text":`, "application/json", 400, tool.InvalidInput},
		{"no object", `[1]`, "application/json", 400, tool.InvalidInput},
		{"two objects", `{"text":"a"}{"text":"b"}`, "application/json", 400, tool.InvalidInput},
		{"no UTF-8", "{\"text\":\"\xff\"}", "application/json", 200, ""},
		{"deep", `{"text":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, "application/json", 400, tool.InvalidInput},
		{"an object in a string", `"{\"text\":\"a\"}"`, "application/json", 200, ""},
		{"larger than small", args(smallBodyBytes + 1), "application/json", 200, ""},
		{"exactly small", args(smallBodyBytes), "application/json", 200, ""},
		{"exactly 1 MiB", args(tool.MaxArgumentBytes), "application/json", 200, ""},
		{"a byte more", args(tool.MaxArgumentBytes + 1), "application/json", 413, tool.TooLarge},
		{"much more", args(8 << 20), "application/json", 413, tool.TooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := do(s, "POST", "/v1/tools/echo_text", c.body, "Content-Type", c.media)
			if w.Code != c.want {
				t.Fatalf("%d %.300s, want %d", w.Code, w.Body, c.want)
			}
			if c.want != 200 {
				if p := problemOf(t, w); p.ErrorType != c.typ || len(w.Body.String()) > 1000 {
					t.Errorf("%s", w.Body)
				}
			}
			if n := s.large.Stats().Used; n != 0 {
				t.Errorf("%d large bodies are still counted", n)
			}
		})
	}
}

// TestSlowBody: a client that does not send what it has announced is not waited
// for, and its connection is not used again.
func TestSlowBody(t *testing.T) {
	s := newServer(t, Options{})
	s.bodyTimeout = 10 * time.Millisecond
	url, _ := start(t, s)
	for _, sent := range []string{"", `{"text":"`, strings.Repeat(" ", smallBodyBytes+5)} {
		c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /v1/tools/echo_text HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n%s", sent)
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if res.StatusCode != 400 || !res.Close {
			t.Errorf("after %d bytes: %s, close %v", len(sent), res.Status, res.Close)
		}
	}
}

// TestRefusedBody: a request that a check refuses is answered without its body, and its
// connection is closed: nobody holds one with a body that does not come.
func TestRefusedBody(t *testing.T) {
	url, _ := start(t, newServer(t, Options{Tokens: tokensOf(t, "sesame")}))
	for name, c := range map[string]struct {
		path, header string
		want         int
	}{
		"no token":      {"/v1/tools/echo_text", "Host: localhost", 401},
		"a wrong token": {"/mcp", "Host: localhost\r\nAuthorization: Bearer barley", 401},
		"another host":  {"/v1/tools/echo_text", "Host: example.com", 403},
		"another page":  {"/v1/tools/echo_text", "Host: localhost\r\nOrigin: http://example.com", 403},
		"a chunked one": {"/v1/tools/echo_text", "Host: localhost\r\nTransfer-Encoding: chunked", 401},
		"health":        {"/healthz", "Host: localhost", 405},
	} {
		t.Run(name, func(t *testing.T) {
			conn, send := dial(t, url)
			length := "Content-Length: 100000\r\n"
			if strings.Contains(c.header, "chunked") {
				length = ""
			}
			res, err := send("POST %s HTTP/1.1\r\n%s\r\n%s\r\n", c.path, c.header, length)
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != c.want || !res.Close {
				t.Errorf("%s, close %v", res.Status, res.Close)
			}
			if _, err := io.Copy(io.Discard, conn); err != nil {
				t.Errorf("the connection stays open: %v", err)
			}
		})
	}
}

// TestSlowBodiesLeaveRoom: a caller whose bodies do not come takes neither the connections
// nor the slots of large bodies from another one.
func TestSlowBodiesLeaveRoom(t *testing.T) {
	const places = 48
	tokens, err := principal.NewTokens(principal.Token{Name: "slow", SHA256: sha256.Sum256([]byte("one-token"))}, principal.Token{Name: "quick", SHA256: sha256.Sum256([]byte("other-token"))})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, Options{MaxConnections: places, Tokens: tokens})
	url, _ := start(t, s)
	const request = "POST /v1/tools/echo_text HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s"
	large := `{"text":"` + strings.Repeat("x", smallBodyBytes) + `"}`
	for range places * 3 / 4 {
		c, _ := dial(t, url)
		fmt.Fprintf(c, request, "one-token", len(large)+1, large)
	}
	for s.requests.count() < places*3/4 || s.large.Stats().Used < maxLarge*3/4 {
		runtime.Gosched()
	}
	_, send := dial(t, url)
	if res, err := send(request, "one-token", len(large), large); err != nil || res.StatusCode != 503 || res.Header.Get("Retry-After") == "" {
		t.Errorf("one more of the same caller: %v %v", res, err)
	}
	for range 2 {
		_, send = dial(t, url)
		if res, err := send(request, "other-token", len(large), large); err != nil || res.StatusCode != 200 {
			t.Errorf("another caller: %v %v", res, err)
		}
	}
}

// TestLargeBodies: a large body waits for its slot as long as a client may take to
// send one, no longer than its client, and gives it back when its call begins.
func TestLargeBodies(t *testing.T) {
	f := newTestTools(t)
	s := newServer(t, Options{Catalog: f.Catalog})
	s.bodyTimeout = 10 * time.Millisecond
	large := strings.Repeat(" ", 2*smallBodyBytes) + `{}`
	var ends []func()
	for i := range maxLarge {
		done, err := s.large.Enter(t.Context(), [...]string{principal.Anonymous, "other"}[i%2], 1)
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, done)
	}
	if w := do(s, "POST", "/v1/tools/echo_text", large); w.Code != 503 || w.Header().Get("Retry-After") == "" || !problemOf(t, w).Retryable {
		t.Errorf("without a slot: %d %s", w.Code, w.Body)
	}
	s.bodyTimeout = time.Hour
	gone, leave := context.WithCancel(t.Context())
	leave()
	r := httptest.NewRequestWithContext(gone, "POST", "http://localhost/v1/tools/echo_text", strings.NewReader(large))
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	if w.Code != 499 {
		t.Errorf("a client that has gone: %d %s", w.Code, w.Body)
	}
	for _, end := range ends {
		end()
	}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Handler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "POST", "http://localhost/v1/tools/wait", strings.NewReader(large)))
	}()
	<-f.started
	if n := s.large.Stats().Used; n != 0 {
		t.Errorf("a call that runs holds %d slots of bodies", n)
	}
	end()
	<-f.ended
	<-ended
}

// TestLongCallOutlivesTheBodysTime: the time for a body is not the call's.
func TestLongCallOutlivesTheBodysTime(t *testing.T) {
	f := newTestTools(t)
	s := newServer(t, Options{Catalog: f.Catalog})
	s.bodyTimeout = 200 * time.Millisecond
	url, _ := start(t, s)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/tools/wait", strings.NewReader("{}"))
		if res, err := http.DefaultClient.Do(r); err == nil {
			res.Body.Close()
		}
	}()
	<-f.started
	select {
	case err := <-f.ended:
		t.Errorf("the call was ended: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	leave()
	<-left
}

// TestCanary: no secret of the server or of a caller is in anything that is
// answered, counted or told.
func TestCanary(t *testing.T) {
	const canary = "c4n4ry"
	var told strings.Builder
	log := audit.New(audit.Options{})
	f := newTestTools(t)
	s := newServer(t, Options{Catalog: f.Catalog, Audit: log, Tokens: tokensOf(t, canary+"-token"), OnError: func(err error) { fmt.Fprintln(&told, err) }})
	var out strings.Builder
	for _, authorization := range []string{"", "Bearer " + canary, "Bearer " + canary + "-token"} {
		for _, r := range s.routes() {
			path := strings.NewReplacer("{name}", "echo_text", "{$}", "").Replace(r.path)
			for _, method := range []string{"GET", "POST", "DELETE"} {
				for _, body := range []string{
					`{"text":"x","username":"c4n4ry","password":"c4n4ry","bearer":"c4n4ry","cookie":"a=c4n4ry"}`,
					`{"text":"x","bearer":["c4n4ry"]}`,
					`{"text":"x","cookie":{"c4n4ry":1}}`,
				} {
					w := do(s, method, path, body, "Authorization", authorization)
					_ = w.Header().Write(&out)
					out.Write(w.Body.Bytes())
				}
			}
		}
	}
	w := do(s, "POST", "/v1/tools/crash", "{}", "Authorization", "Bearer "+canary+"-token")
	if w.Code != 500 || problemOf(t, w).ErrorType != tool.Internal {
		t.Errorf("a crash: %d %s", w.Code, w.Body)
	}
	out.Write(w.Body.Bytes())
	if strings.Contains(out.String(), canary) {
		t.Errorf("a secret got out:\n%s", out.String())
	}
	if !strings.Contains(out.String(), `"text":"x"`) {
		t.Error("no call came through, so that this says nothing")
	}
	if a := f.access.Load(); a == nil || a.Bearer != canary {
		t.Errorf("the fields did not reach the call: %#v", a)
	}
	// Who runs the server is told why.
	if !strings.Contains(told.String(), "panic in tool crash: "+canary) {
		t.Errorf("told: %s", told.String())
	}
}
