package serve

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

type health result.Health

func (h *health) Health() result.Health { return result.Health(*h) }

func adminGet(s *Server, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "http://127.0.0.1"+path, nil)
	w := httptest.NewRecorder()
	s.adminHandler().ServeHTTP(w, r)
	return w
}

// TestAdmin: what the admin listener says for each state of the server.
func TestAdmin(t *testing.T) {
	h := &health{Queue: result.QueueHealth{Slots: 4, Working: 2, Waiting: 7, Rejected: 3, Memory: 1 << 30, InUse: 72},
		Store:   result.StoreHealth{Dropped: 5, Errors: map[string]uint64{"busy": 2}},
		Browser: result.BrowserHealth{Running: true, Contexts: 3, Calls: 1, Memory: 12345}}
	h.Queue.Waits.Observe(200 * time.Millisecond)
	s := newServer(t, Options{Health: h, MaxRunning: 8, Tokens: testTokens(t)})
	ready := func(status int, lines ...string) {
		t.Helper()
		w := adminGet(s, "/readyz")
		if w.Code != status {
			t.Errorf("status %d, want %d", w.Code, status)
		}
		for _, line := range lines {
			if !strings.Contains(w.Body.String(), line+"\n") {
				t.Errorf("not there: %s\n%s", line, w.Body)
			}
		}
	}
	if w := adminGet(s, "/livez"); w.Code != 200 || w.Body.String() != "ok\n" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	ready(200, "calls: ok (0 of 8 run)", "queue: ok (2 of 4 pages are parsed, 7 wait)", "store: ok (5 writes left out)", "browser: ok (running, 3 contexts, 1 call)")
	// Trouble of what calls do without is shown, and the server stays ready.
	h.Store.Trouble, h.Queue.Full, h.Browser.Running, h.Browser.Trouble = "busy", true, false, "does not start"
	ready(200, "queue: a caller's queue is full (2 of 4 pages are parsed, 7 wait)", "store: busy (5 writes left out)", "browser: does not start (not running, 3 contexts, 1 call)")
	s.quotas.running.Store(8)
	ready(503, "calls: full (8 of 8 run)")
	s.quotas.running.Store(0)
	s.draining.Store(true)
	ready(503, "calls: ok (0 of 8 run)")
	if w := adminGet(s, "/readyz"); !strings.HasPrefix(w.Body.String(), "server: ending (up ") {
		t.Error(w.Body)
	}

	metrics := adminGet(s, "/metrics").Body.String()
	for _, want := range []string{
		"spyhop_queue_waiting 7", "spyhop_queue_rejected_total 3", "spyhop_queue_memory_limit_bytes 1073741824", "spyhop_queue_memory_bytes 72",
		`spyhop_queue_wait_seconds_bucket{le="0.1"} 0`, `spyhop_queue_wait_seconds_bucket{le="0.25"} 1`, "spyhop_queue_wait_seconds_count 1",
		"spyhop_store_trouble 1", "spyhop_store_dropped_total 5", `spyhop_store_errors_total{kind="busy"} 2`,
		"spyhop_browser_running 0", "spyhop_browser_trouble 1", "spyhop_browser_contexts 3", "spyhop_browser_memory_bytes 12345",
		`spyhop_calls_refused_total{reason="full"} 0`, `spyhop_calls_refused_total{reason="quota"} 0`,
	} {
		if !strings.Contains(metrics, "\n"+want+"\n") {
			t.Errorf("not there: %s", want)
		}
	}
	for _, name := range []string{"process_cpu_seconds_total", "process_resident_memory_bytes", "process_start_time_seconds", "process_open_fds",
		"go_goroutines", "go_memstats_heap_alloc_bytes", "go_gc_cycles_total", "go_info"} {
		if !strings.Contains(metrics, "\n# TYPE "+name+" ") {
			t.Errorf("not there: %s", name)
		}
	}

	for _, path := range []string{"/v1/tools", "/debug/pprof/"} {
		if w := adminGet(s, path); w.Code != 404 || !strings.Contains(w.Body.String(), "does not exist") {
			t.Errorf("%s: %d %.200s", path, w.Code, w.Body)
		}
	}
	// Pages in a browser reach it no more than the server itself.
	for header, value := range map[string]string{"Host": "evil.example", "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"} {
		r := httptest.NewRequest("GET", "http://127.0.0.1/metrics", nil)
		if r.Header.Set(header, value); header == "Host" {
			r.Host = value
		}
		w := httptest.NewRecorder()
		if s.adminHandler().ServeHTTP(w, r); w.Code != 403 {
			t.Errorf("%s: %d", header, w.Code)
		}
	}
}

func testTokens(t *testing.T) *principal.Tokens {
	t.Helper()
	tokens, err := principal.NewTokens(principal.Token{Name: "research", SHA256: sha256.Sum256([]byte("secret-token"))})
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

// TestServeAdmin: it ends with its context, refuses other machines, and answers while
// the server has no place for a connection.
func TestServeAdmin(t *testing.T) {
	s := newServer(t, Options{MaxConnections: 1})
	all, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ServeAdmin(t.Context(), all); err == nil || !strings.Contains(err.Error(), "other machines") {
		t.Errorf("%v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.ServeAdmin(ctx, l) }()
	res, err := http.Get("http://" + l.Addr().String() + "/livez")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	res.Body.Close()
	if string(body) != "ok\n" {
		t.Errorf("%s", body)
	}
	end()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestDelay: a server that was told to end takes calls and says that it is not ready,
// until the delay has passed.
func TestDelay(t *testing.T) {
	s := newServer(t, Options{Delay: time.Hour})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	end()
	for !s.draining.Load() {
		runtime.Gosched()
	}
	res, err := http.Get("http://" + l.Addr().String() + "/healthz")
	if err != nil || res.StatusCode != 200 {
		t.Fatalf("%v %v", res, err)
	}
	res.Body.Close()
	if w := adminGet(s, "/readyz"); w.Code != 503 {
		t.Errorf("%d", w.Code)
	}
	s.Cut() // ends the delay
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestRequestID: one id stands in the answer, in the audit log and in the access log,
// over REST and both kinds of MCP.
func TestRequestID(t *testing.T) {
	isID := regexp.MustCompile("^[0-9a-f]{16}$").MatchString
	var seen tool.Options
	catalog := newTestTools(t).Catalog
	catalog.Around(func(ctx context.Context, name string, o tool.Options, next func(context.Context) (tool.Result, error)) (tool.Result, error) {
		seen = o
		return next(ctx)
	})
	var lines strings.Builder
	s := newServer(t, Options{Catalog: catalog, Audit: audit.New(audit.Options{}), AccessLog: slog.New(slog.NewJSONHandler(&lines, nil)), Tokens: testTokens(t)})
	for name, c := range map[string]struct {
		path, body string
		header     map[string]string
	}{
		"REST": {path: "/v1/tools/echo_text", body: `{"text":"a"}`},
		"MCP": {path: "/mcp", header: map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "echo_text"},
			body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo_text","arguments":{"text":"a"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`},
	} {
		lines.Reset()
		seen = tool.Options{}
		r := httptest.NewRequest("POST", "http://127.0.0.1"+c.path+"?q=private", strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer secret-token")
		r.Header.Set("X-Request-Id", "chosen by the client")
		for k, v := range c.header {
			r.Header.Set(k, v)
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		id := w.Header().Get("X-Request-Id")
		if w.Code != 200 || !isID(id) {
			t.Fatalf("%s: %d %v %.300s", name, w.Code, w.Header(), w.Body)
		}
		if seen.RequestID != id {
			t.Errorf("%s: the call has %q", name, seen.RequestID)
		}
		var line struct {
			Method, Path, Caller string
			Status               int
			Bytes                int64
			RequestID            string `json:"request_id"`
		}
		if err := json.Unmarshal([]byte(lines.String()), &line); err != nil {
			t.Fatalf("%s: %q: %v", name, lines.String(), err)
		}
		if line.Method != "POST" || line.Path != c.path || line.Caller != "research" || line.Status != 200 || line.Bytes != int64(w.Body.Len()) || line.RequestID != id {
			t.Errorf("%s: %s", name, lines.String())
		}
		if strings.Contains(lines.String(), "private") || strings.Contains(lines.String(), "secret-token") {
			t.Errorf("%s: %s", name, lines.String())
		}
	}
	// A request that is refused has an id and a line too.
	lines.Reset()
	r := httptest.NewRequest("GET", "http://127.0.0.1/"+strings.Repeat("a", 1000), nil)
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	if w.Code != 401 || !isID(w.Header().Get("X-Request-Id")) || !strings.Contains(lines.String(), `"status":401`) || len(lines.String()) > 700 {
		t.Errorf("%d %v %s", w.Code, w.Header(), lines.String())
	}
}
