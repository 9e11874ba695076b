package serve

import (
	"bufio"
	"context"
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

	s = newServer(t, Options{Catalog: f.Catalog, Grace: time.Nanosecond})
	url, stop = start(t, s)
	go func() {
		if res, err := http.Post(url+"/v1/tools/wait", "application/json", nil); err == nil {
			res.Body.Close()
		}
	}()
	<-f.started
	stop()
	select {
	case err := <-f.ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the call that does not end: %v", err)
		}
	default:
		t.Error("the server ended before its call")
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
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); runtime.Gosched() {
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

// TestConnectionsAreBounded: who finds no place waits, and is answered when one
// is free.
func TestConnectionsAreBounded(t *testing.T) {
	const places, clients = 5, 300
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
			if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || line != "HTTP/1.1 200 OK\r\n" {
				t.Errorf("%q, %v", line, err)
			}
		})
	}
	wg.Wait()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	// Accept is called before a connection is there; the one that comes has a place.
	if most := counting.most.Load(); most > places {
		t.Errorf("%d connections at a time, want at most %d", most, places)
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

// TestCallsAreBounded: more calls than that wait, also for their client to go.
func TestCallsAreBounded(t *testing.T) {
	f := newTestTools(t)
	s := newServer(t, Options{Catalog: f.Catalog, MaxCalls: 2})
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if w := do(s, "POST", "/v1/tools/gate", ""); w.Code != 200 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	<-f.started
	<-f.started
	// With both places taken, no other call begins.
	ctx, leave := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer leave()
	third := make(chan *httptest.ResponseRecorder, 1)
	go func() {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(ctx, "POST", "/v1/tools/gate", nil)
		r.Host = "localhost"
		s.Handler().ServeHTTP(w, r)
		third <- w
	}()
	select {
	case w := <-third:
		if p := problemOf(t, w); p.Status != 504 || p.ErrorType != tool.Timeout {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	case <-f.started:
		t.Error("a third call has begun")
	}
	close(f.open)
	wg.Wait()
	if most := f.most.Load(); most != 2 {
		t.Errorf("%d calls at a time, want 2", most)
	}
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
