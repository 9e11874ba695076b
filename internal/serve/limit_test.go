package serve

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// dial opens a connection to a server, which sends a request and gets the status.
func dial(t *testing.T, url string) (net.Conn, func(format string, args ...any) (*http.Response, error)) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(20 * time.Second)) // a server that hangs fails the test
	r := bufio.NewReader(c)
	return c, func(format string, args ...any) (*http.Response, error) {
		if _, err := fmt.Fprintf(c, format, args...); err != nil {
			return nil, err
		}
		return http.ReadResponse(r, nil)
	}
}

const healthRequest = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

// TestPlaces: at the limit, the connection that has been idle for the longest time makes
// room, or one that has sent nothing for longer; otherwise the new one is refused and
// told so.
func TestPlaces(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	all := newConnections(2)
	began := time.Now()
	var later atomic.Int64
	all.now = func() time.Time { return began.Add(time.Duration(later.Load())) }
	limited := all.limit(l)
	accepted := make(chan net.Conn)
	go func() {
		defer close(accepted)
		for {
			c, err := limited.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	connect := func() (server net.Conn, client func(string, ...any) (*http.Response, error)) {
		_, client = dial(t, "http://"+l.Addr().String())
		return <-accepted, client
	}
	refused := func(when string) {
		t.Helper()
		_, send := dial(t, "http://"+l.Addr().String())
		res, err := send(healthRequest)
		if err != nil || res.StatusCode != 503 || res.Header.Get("Retry-After") != "1" || !res.Close {
			t.Errorf("%s: %v %v", when, res, err)
		} else if _, err := io.Copy(io.Discard, res.Body); err != nil {
			t.Errorf("%s: the answer is not whole: %v", when, err)
		}
	}
	closed := func(c net.Conn) bool { return c.SetDeadline(time.Time{}) != nil }

	a, _ := connect()
	b, _ := connect()
	refused("both have just come")
	all.state(a, http.StateActive)
	all.state(b, http.StateActive)
	refused("both have a request")
	all.state(b, http.StateIdle)
	all.state(a, http.StateIdle)
	c, _ := connect()
	if !closed(b) || closed(a) {
		t.Errorf("closed: a %v, b %v; b was idle first", closed(a), closed(b))
	}
	all.state(a, http.StateActive) // as the server may do late: it has its place
	all.state(b, http.StateIdle)   // it has none any more
	refused("a has a request, and c has just come")
	later.Store(int64(silentFor))
	d, _ := connect()
	if !closed(c) {
		t.Error("c, which sent nothing, is open")
	}
	all.state(d, http.StateActive)
	all.state(a, http.StateIdle)
	_ = d.Close()
	d, _ = connect()
	later.Store(3 * int64(silentFor))
	all.state(a, http.StateActive)
	all.state(a, http.StateIdle)
	d2, _ := connect()
	if !closed(d) || closed(a) {
		t.Errorf("closed: d %v, a %v; d has sent nothing for longer than a is idle", closed(d), closed(a))
	}
	all.state(d2, http.StateActive)
	all.state(a, http.StateActive)
	_ = a.Close()
	_ = a.Close() // gives back one place
	e, _ := connect()
	all.state(e, http.StateActive)
	refused("d2 and e have a request")
	_ = l.Close()
	for range accepted {
		t.Error("accepted after the end")
	}
	all.wait()
}

// TestStreamsLeaveRoom: clients that open more streams than there are connections
// keep neither health checks nor calls from being answered.
func TestStreamsLeaveRoom(t *testing.T) {
	const places = 8
	f := newTestTools(t)
	close(f.open)
	url, _ := start(t, newServer(t, Options{Catalog: f.Catalog, MaxConnections: places}))
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	open, refused := 0, 0
	for range places + 4 {
		_, send := dial(t, url)
		res, err := send("POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(hello), hello)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res, err = send("GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: %s\r\nMcp-Protocol-Version: 2025-11-25\r\n\r\n", res.Header.Get(sessionHeader))
		switch {
		case err != nil:
			t.Fatal(err)
		case res.StatusCode == 200:
			open++
		case res.StatusCode == 503 && res.Header.Get("Retry-After") != "":
			_, _ = io.Copy(io.Discard, res.Body)
			refused++
		default:
			t.Fatalf("a stream: %s", res.Status)
		}
	}
	if open != places*3/8 || refused != places*5/8+4 {
		t.Errorf("%d streams are open and %d were refused", open, refused)
	}
	for _, request := range []string{healthRequest, "POST /v1/tools/gate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"} {
		_, send := dial(t, url)
		res, err := send("%s", request)
		if err != nil || res.StatusCode != 200 {
			t.Errorf("%q beside streams: %v %v", request, res, err)
		}
	}
}

// TestLateRequest: a connection that is open when the server is told to end gets an
// answer to the request that it sends then, unless that takes a while.
func TestLateRequest(t *testing.T) {
	for _, c := range []struct {
		name          string
		requests      int
		before, after time.Duration // without a request, until the server is told and from then on
		want          string
	}{
		{"nothing was sent", 0, time.Hour, time.Hour, "HTTP/1.1 200 "},
		{"between requests", 2, time.Hour, restedFor - 1, "HTTP/1.1 200 "},
		{"idle", 2, 0, restedFor, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTestTools(t)
			s := newServer(t, Options{Catalog: f.Catalog, Grace: time.Minute})
			var later atomic.Int64
			now := time.Now()
			s.connections.now = func() time.Time { return now.Add(time.Duration(later.Load())) }
			url, stop := start(t, s)
			conn, send := dial(t, url)
			for open := 0; open == 0; open, _ = s.connections.counts() { // until it is accepted
				runtime.Gosched()
			}
			for range c.requests {
				res, err := send(healthRequest)
				if err != nil || res.Close {
					t.Fatalf("%v %v", res, err)
				}
				_, _ = io.Copy(io.Discard, res.Body)
			}
			for idle := c.requests == 0; !idle; runtime.Gosched() {
				s.connections.mu.Lock()
				idle = s.connections.idle.Len() == 1
				s.connections.mu.Unlock()
			}
			later.Store(int64(c.before))
			stopped := make(chan struct{})
			go func() { stop(); close(stopped) }()
			for { // until nothing is accepted any more
				other, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
				if err != nil {
					break
				}
				other.Close()
			}
			for s.leaving.Err() == nil {
				runtime.Gosched()
			}
			later.Add(int64(c.after))
			for gone := c.want != ""; !gone; later.Add(int64(c.after)) {
				select {
				case <-stopped:
					gone = true
				default:
					runtime.Gosched()
				}
			}
			if c.want != "" {
				if _, err := io.WriteString(conn, healthRequest); err != nil {
					t.Fatal(err)
				}
			}
			answer, err := io.ReadAll(conn)
			if err != nil || !strings.HasPrefix(string(answer), c.want) || c.want != "" && !strings.Contains(string(answer), "Connection: close") {
				t.Errorf("%q %v", answer, err)
			}
			<-stopped
		})
	}
}

// TestUnread: an answer to a request that is not read to its end comes whole.
func TestUnread(t *testing.T) {
	f := newTestTools(t)
	s := newServer(t, Options{Catalog: f.Catalog, Tokens: testTokens(t)})
	url, stop := start(t, s)
	defer stop()
	long := strings.Repeat("x", 64<<10)
	for want, request := range map[string]string{
		"431": "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + long + "\r\n\r\n",
		"401": "POST /v1/tools/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n" + long,
	} {
		_, send := dial(t, url)
		res, err := send("%s", request)
		if err != nil {
			t.Fatal(want, err)
		}
		if body, err := io.ReadAll(res.Body); err != nil || !strings.HasPrefix(res.Status, want) {
			t.Errorf("%s: %s %q %v", want, res.Status, body, err)
		}
	}
}

// TestRefusalsCounted: each request that is refused before its call begins is counted with
// its reason.
func TestRefusalsCounted(t *testing.T) {
	f := newTestTools(t)
	s := newServer(t, Options{Catalog: f.Catalog, Tokens: testTokens(t), MaxConnections: 8, MaxSessions: 1})
	as := []string{"Authorization", "Bearer secret-token"}
	took := func(all *shares, most share) {
		for range most.each {
			if _, ok := all.take("research", most); !ok {
				t.Fatal("no room to take")
			}
		}
	}
	mcp := append([]string{"Accept", "application/json, text/event-stream", "Content-Type", "application/json"}, as...)
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	steps := []struct {
		reason string
		status int
		do     func() *httptest.ResponseRecorder
	}{
		{"origin", 403, func() *httptest.ResponseRecorder { return do(s, "GET", "/v1/tools", "", "Host", "evil.example") }},
		{"origin", 403, func() *httptest.ResponseRecorder {
			return do(s, "GET", "/v1/tools", "", "Origin", "https://evil.example")
		}},
		{"token", 401, func() *httptest.ResponseRecorder {
			return do(s, "GET", "/v1/tools", "", "Authorization", "Bearer wrong")
		}},
		{"sessions", 503, func() *httptest.ResponseRecorder {
			do(s, "POST", "/mcp", hello, mcp...)
			return do(s, "POST", "/mcp", hello, mcp...)
		}},
		{"streams", 503, func() *httptest.ResponseRecorder {
			took(&s.mcp.streams, shared(4))
			return do(s, "GET", "/mcp", "", mcp...)
		}},
		{"bodies", 503, func() *httptest.ResponseRecorder {
			s.bodyTimeout = time.Millisecond
			for range maxLarge * 3 / 4 {
				if _, err := s.large.Enter(t.Context(), "research", 1); err != nil {
					t.Fatal(err)
				}
			}
			return do(s, "POST", "/v1/tools/echo_text", `{"text":"`+strings.Repeat("x", smallBodyBytes)+`"}`, as...)
		}},
		{"requests", 503, func() *httptest.ResponseRecorder {
			took(&s.requests, shared(8))
			return do(s, "GET", "/v1/tools", "", as...)
		}},
	}
	counts := map[string]int{"origin": 0, "token": 0, "sessions": 0, "streams": 0, "bodies": 0, "requests": 0, "full": 0, "quota": 0}
	for _, step := range steps {
		if w := step.do(); w.Code != step.status {
			t.Errorf("%s: %d %s", step.reason, w.Code, w.Body)
		}
		counts[step.reason]++
		page := httptest.NewRecorder()
		s.adminHandler().ServeHTTP(page, httptest.NewRequest("GET", "http://127.0.0.1/metrics", nil))
		for reason, n := range counts {
			if want := fmt.Sprintf("\nspyhop_calls_refused_total{reason=%q} %d\n", reason, n); !strings.Contains(page.Body.String(), want) {
				t.Errorf("after %s: not there: %s", step.reason, want)
			}
		}
	}
}
