package serve

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/tool"
)

// testTools is a catalog of tools that do what a test needs.
type testTools struct {
	*tool.Catalog
	started chan struct{} // gets a value when "wait" begins
	ended   chan error    // gets why it ended
	open    chan struct{} // "gate" ends when this is closed
	inside  atomic.Int64  // calls of "gate" that run
	most    atomic.Int64  // the most of them at a time
	access  atomic.Pointer[tool.Access]
}

func newTestTools(t testing.TB) *testTools {
	f := &testTools{Catalog: tool.NewCatalog(), started: make(chan struct{}, 1000), ended: make(chan error, 1000), open: make(chan struct{})}
	readOnly := tool.Annotations{ReadOnly: true}
	add := func(d tool.Declaration) {
		d.Level, d.Profile = tool.Read, tool.Core
		d.Description = "Does what a test needs.\n\n- `code` and <b>markup</b>\n- two"
		if err := f.Register(d); err != nil {
			t.Fatal(err)
		}
	}
	add(tool.Declaration{Name: "echo_text", Title: "Echo", Annotations: readOnly, TakesAccess: true, Aliases: []string{"mirror"},
		Variants: []tool.Variant{{Name: "greet", Args: tool.Arguments{"text": "hello"}}},
		Input: tool.Object(tool.String("text", "what to give back").Require(), tool.Integer("times", "how often").Clamp(1, 3).WithDefault(1),
			tool.Array("list", "a list", tool.Schema{Type: tool.TypeString}), tool.Map("map", "an object")),
		Output: tool.Object(tool.String("text", "").Require(), tool.Array("list", "", tool.Object(tool.Integer("n", "")))),
		Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
			f.access.Store(c.Access)
			return tool.Result{Data: map[string]any{"text": strings.Repeat(c.Args.String("text"), c.Args.Int("times")), "list": c.Args.Strings("list"),
				"caller": c.Caller, "given": c.Given}}, nil
		}})
	add(tool.Declaration{Name: "fail", Title: "Fail", Input: tool.Object(tool.String("type", "").Require(), tool.Integer("after", "")),
		Handler: func(_ context.Context, c tool.Call) (tool.Result, error) {
			e := tool.NewError(tool.ErrorType(c.Args.String("type")), "it failed <here>", "do something else")
			e.RetryAfter = time.Duration(c.Args.Int("after")) * time.Millisecond
			return tool.Result{}, e
		}})
	add(tool.Declaration{Name: "crash", Title: "Crash", Handler: func(context.Context, tool.Call) (tool.Result, error) { panic("c4n4ry") }})
	add(tool.Declaration{Name: "wait", Title: "Wait", Handler: func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		f.started <- struct{}{}
		<-ctx.Done()
		f.ended <- ctx.Err()
		return tool.Result{}, ctx.Err()
	}})
	add(tool.Declaration{Name: "gate", Title: "Gate", Output: tool.Text(), Permission: tool.Interactive, Annotations: readOnly,
		Handler: func(context.Context, tool.Call) (tool.Result, error) {
			n := f.inside.Add(1)
			defer f.inside.Add(-1)
			for most := f.most.Load(); n > most && !f.most.CompareAndSwap(most, n); most = f.most.Load() {
			}
			f.started <- struct{}{}
			<-f.open
			return tool.Result{Text: "through <the> gate"}, nil
		}})
	return f
}

func newServer(t testing.TB, o Options) *Server {
	t.Helper()
	if o.Catalog == nil {
		o.Catalog = newTestTools(t).Catalog
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// start serves on loopback until the test ends, or until stop is called.
func start(t *testing.T, s *Server) (url string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	t.Cleanup(stop)
	return "http://" + l.Addr().String(), stop
}

// do sends a request to the handler, as from this machine.
func do(s *Server, method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost:7749"
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

func problemOf(t *testing.T, w *httptest.ResponseRecorder) problem {
	t.Helper()
	var p problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	want := "/docs#" + string(p.ErrorType)
	if w.Code != p.ErrorType.HTTPStatus() {
		want = "about:blank"
	}
	if w.Header().Get("Content-Type") != "application/problem+json" || p.Status != w.Code || !p.Error || p.Title == "" ||
		p.Detail != p.Message || p.Message == "" || p.Type != want || !p.ErrorType.Valid() {
		t.Errorf("%v %s", w.Header(), w.Body)
	}
	return p
}

// TestShutdown: calls that run are given their time, and then they are ended.
func TestShutdown(t *testing.T) {
	f := newTestTools(t)
	s := newServer(t, Options{Catalog: f.Catalog, Grace: time.Minute})
	url, stop := start(t, s)
	answered := make(chan string)
	go func() {
		res, err := http.Post(url+"/v1/tools/gate", "application/json", nil)
		if err != nil {
			answered <- err.Error()
			return
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		answered <- string(body)
	}()
	<-f.started
	stopped := make(chan struct{})
	go func() { stop(); close(stopped) }()
	close(f.open)
	if got := <-answered; got != "{\"result\":\"through <the> gate\"}\n" {
		t.Errorf("the call that ran: %q", got)
	}
	<-stopped

	s = newServer(t, Options{Catalog: f.Catalog, Grace: time.Hour, Delay: time.Hour})
	s.SetLimits(Options{Grace: time.Nanosecond}) // as SIGHUP does
	url, stop = start(t, s)
	cut := make(chan string, 1)
	calling := func() {
		res, err := http.Post(url+"/v1/tools/wait", "application/json", nil)
		if err != nil {
			cut <- err.Error()
			return
		}
		defer res.Body.Close()
		var p problem
		err = json.NewDecoder(res.Body).Decode(&p)
		cut <- fmt.Sprint(res.StatusCode, " ", p.ErrorType, " ", res.Header.Get("Retry-After"), " ", err)
	}
	go calling()
	<-f.started
	stop()
	const told = "503 Busy 5 <nil>"
	if got := <-cut; got != told {
		t.Errorf("the call that was cut: %s", got)
	}
	select {
	case err := <-f.ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the call that does not end: %v", err)
		}
	default:
		t.Error("the server ended before its call")
	}

	s = newServer(t, Options{Catalog: f.Catalog, Grace: time.Hour})
	url, stop = start(t, s)
	go calling()
	<-f.started
	s.Cut()
	stop()
	if got := <-cut; got != told {
		t.Errorf("the call of a server that was told to end at once: %s", got)
	}
}

// TestCutMCP: a call of MCP that the end of the server cuts is answered with our error,
// in both eras.
func TestCutMCP(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			o, p := fixture(t)
			o.Grace = time.Hour
			s := newServer(t, o)
			url, stop := start(t, s)
			session, err := connectAs(t, url, "", era)
			if err != nil {
				t.Fatal(err)
			}
			got := make(chan string, 1)
			go func() {
				r, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "slow"})
				if err != nil {
					got <- err.Error()
					return
				}
				text, _ := r.Content[0].(*mcp.TextContent)
				got <- fmt.Sprint(r.IsError, " ", text.Text)
			}()
			<-p.started
			s.Cut()
			stop()
			if text := <-got; !strings.HasPrefix(text, "true ") || !strings.Contains(text, "the server ended during the call") || !strings.Contains(text, "call again in a few seconds") {
				t.Errorf("%s", text)
			}
		})
	}
}

// TestNothingLeft: clients that go away end their calls, and a server that has
// ended leaves nothing running.
func TestNothingLeft(t *testing.T) {
	f := newTestTools(t)
	url, stop := start(t, newServer(t, Options{Catalog: f.Catalog}))
	const clients = 20
	ctx, leave := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			r, _ := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/tools/wait", strings.NewReader("{}"))
			if res, err := http.DefaultClient.Do(r); err == nil {
				t.Errorf("an answer to who has left: %s", res.Status)
				res.Body.Close()
			}
		})
	}
	for range clients {
		<-f.started
	}
	leave()
	for range clients {
		if err := <-f.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("a call ended by %v", err)
		}
	}
	wg.Wait()
	stop()
	// A connection's goroutine can still be on its last lines.
	var left []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); runtime.Gosched() {
		if left = serving(); len(left) == 0 {
			return
		}
	}
	t.Errorf("still running:\n%s", strings.Join(left, "\n"))
}

// serving returns the stacks of goroutines that belong to a server.
func serving() (out []string) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for g := range strings.SplitSeq(string(stacks), "\n\n") {
		if strings.Contains(g, "internal/serve.(*Server)") || strings.Contains(g, "net/http.(*conn).serve") {
			out = append(out, g)
		}
	}
	return out
}

// TestConnectionsAreBounded: who finds no place is told so, and no more connections
// than there may be are served at a time.
func TestConnectionsAreBounded(t *testing.T) {
	const places, clients = 5, 300
	var answered atomic.Int64
	f := newTestTools(t)
	close(f.open)
	counting := &countingListener{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	counting.Listener = l
	s := newServer(t, Options{Catalog: f.Catalog, MaxConnections: places})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, counting) }()
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			fmt.Fprintf(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
			res, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				return // reset: more were refused at a time than can be told why
			}
			body, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != 200 && (res.StatusCode != 503 || res.Header.Get("Retry-After") != "1" || len(body) == 0) {
				t.Errorf("%s %q, %v", res.Status, body, err)
			}
			if res.StatusCode == 200 {
				answered.Add(1)
			}
		})
	}
	wg.Wait()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if answered.Load() == 0 {
		t.Error("nobody was answered")
	}
	// The refused ones are open for a moment, and one is accepted before it is refused.
	if most := counting.most.Load(); most > places+maxRefusals+1 {
		t.Errorf("%d connections at a time, want at most %d", most, places+maxRefusals+1)
	}
	if counting.now.Load() != 0 {
		t.Errorf("%d connections are open", counting.now.Load())
	}
}

// countingListener counts the connections that are open.
type countingListener struct {
	net.Listener
	now, most atomic.Int64
}

func (l *countingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if n := l.now.Add(1); n > l.most.Load() { // one goroutine accepts
		l.most.Store(n)
	}
	return &countedConn{c, sync.OnceFunc(func() { l.now.Add(-1) })}, nil
}

type countedConn struct {
	net.Conn
	gone func()
}

func (c *countedConn) Close() error {
	c.gone()
	return c.Conn.Close()
}

// TestRunningIsBounded: calls beyond the bound are refused with the time to try
// again, before they take anything; one principal leaves room for another.
func TestRunningIsBounded(t *testing.T) {
	f := newTestTools(t)
	tokens, err := principal.NewTokens(principal.Token{Name: "ann", SHA256: sha256.Sum256([]byte("a0"))}, principal.Token{Name: "bob", SHA256: sha256.Sum256([]byte("b0"))})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, Options{Catalog: f.Catalog, MaxRunning: 8, Tokens: tokens})
	call := func(token string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/tools/gate", nil)
		r.Host = "localhost"
		r.Header.Set("Authorization", "Bearer "+token)
		s.Handler().ServeHTTP(w, r)
		return w
	}
	var wg sync.WaitGroup
	running := func(token string, n int) {
		for range n {
			wg.Go(func() {
				if w := call(token); w.Code != 200 {
					t.Errorf("%s: %d %s", token, w.Code, w.Body)
				}
			})
		}
		for range n {
			<-f.started
		}
	}
	busy := func(token string) {
		w := call(token)
		if p := problemOf(t, w); w.Code != 503 || p.ErrorType != tool.Busy || w.Header().Get("Retry-After") != "1" {
			t.Errorf("%s: %d %s %v", token, w.Code, w.Body, w.Header())
		}
	}
	running("a0", 6)
	busy("a0")
	running("b0", 2)
	busy("b0")
	close(f.open)
	wg.Wait()
	if w := call("a0"); w.Code != 200 {
		t.Errorf("afterwards: %d", w.Code)
	}
}

// TestSlowReader: the call of a client that does not read its answer has ended.
func TestSlowReader(t *testing.T) {
	f := newTestTools(t)
	s := newServer(t, Options{Catalog: f.Catalog, MaxRunning: 1})
	w := &unread{ResponseRecorder: httptest.NewRecorder(), writing: make(chan struct{}), read: make(chan struct{})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/tools/echo_text", strings.NewReader(`{"text":"x"}`))
		r.Host = "localhost"
		s.Handler().ServeHTTP(w, r)
	}()
	<-w.writing
	if w := do(s, "POST", "/v1/tools/echo_text", `{"text":"y"}`); w.Code != 200 {
		t.Errorf("beside a client that does not read: %d %s", w.Code, w.Body)
	}
	close(w.read)
	<-done
}

// unread is an answer that is not read for a while.
type unread struct {
	*httptest.ResponseRecorder
	once          sync.Once
	writing, read chan struct{}
}

func (w *unread) Write(p []byte) (int, error) {
	w.once.Do(func() { close(w.writing) })
	<-w.read
	return w.ResponseRecorder.Write(p)
}

func TestNewRefuses(t *testing.T) {
	if _, err := New(Options{}); err == nil {
		t.Error("no catalog was taken")
	}
	f := newTestTools(t)
	_, err := New(Options{Catalog: f.Catalog, Tools: []string{"echo_txt"}})
	var e *tool.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, `"echo_text"`) {
		t.Errorf("an unknown tool: %v", err)
	}
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := newServer(t, Options{Catalog: f.Catalog}).Serve(ended, l); err == nil {
		t.Error("served beyond this machine without a token")
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the listener is open: %v", err)
	}
}

func TestSelected(t *testing.T) {
	f := newTestTools(t)
	for _, c := range []struct {
		tools []string
		want  string
	}{
		{nil, "echo_text fail crash wait gate"},
		{[]string{"core"}, "echo_text fail crash wait gate"},
		{[]string{"classic"}, ""},
		{[]string{"wait", "EchoText", "classic"}, "echo_text wait"},
		{[]string{"mirror"}, "echo_text"},
	} {
		o := Options{Catalog: f.Catalog, Tools: c.tools}
		tools, err := o.selected(tool.All)
		var names []string
		for _, d := range tools {
			names = append(names, d.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != c.want {
			t.Errorf("%q: %q %v, want %q", c.tools, got, err, c.want)
		}
	}
}
