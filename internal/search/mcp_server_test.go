//go:build unix

package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestMain lets this test's own program be an MCP server on stdio, and the
// client of the conformance suite.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("SPYHOP_TEST_SERVER") != "":
		serveTest(os.Getenv("SPYHOP_TEST_SERVER"))
	case os.Getenv("MCP_CONFORMANCE_SCENARIO") != "":
		conform(os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Args[len(os.Args)-1])
	default:
		os.Exit(m.Run())
	}
}

// testServer has a search that answers with its own process, the names of its
// environment variables, and the query.
func testServer(mode string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "web_search", Description: "Search the web", InputSchema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)},
		func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var args struct{ Query string }
			if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
				return nil, err
			}
			switch {
			case mode == "crash" && args.Query == "crash", mode == "crash once" && os.WriteFile(os.Getenv("SPYHOP_TEST_FILE"), nil, 0o600) == nil && os.Remove(os.Getenv("SPYHOP_TEST_FILE")+".first") == nil:
				os.Exit(3)
			case args.Query == "hang":
				<-ctx.Done()
				return nil, ctx.Err()
			}
			var names []string
			for _, v := range os.Environ() {
				name, _, _ := strings.Cut(v, "=")
				names = append(names, name)
			}
			data, err := json.Marshal(map[string]string{"url": "https://found.example.com/" + strconv.Itoa(os.Getpid()), "title": args.Query, "description": strings.Join(names, " ")})
			return textResult(string(data)), err
		})
	return s
}

// serveTest is a server on stdio; some modes are bad ones.
func serveTest(mode string) {
	switch mode {
	case "dies":
		fmt.Fprintln(os.Stderr, "starting\nError: key "+os.Getenv("TEST_API_KEY")+" is wrong")
		os.Exit(1)
	case "never":
		time.Sleep(time.Hour)
	case "garbage":
		fmt.Println("welcome to the server")
		time.Sleep(time.Hour)
	case "stubborn": // does not leave by itself, and has a child that holds on to its output
		child := exec.Command("sleep", "3600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			os.Exit(1)
		}
		_ = os.WriteFile(os.Getenv("SPYHOP_TEST_FILE"), []byte(strconv.Itoa(child.Process.Pid)), 0o600)
	}
	_ = testServer(mode).Run(context.Background(), &mcp.StdioTransport{})
	if mode == "stubborn" {
		time.Sleep(time.Hour)
	}
}

// stdio returns a searcher over a server of that mode, and the file that it
// may write to.
func stdio(t *testing.T, mode string, environ func() ([]string, error)) (*Searcher, string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	t.Setenv("SPYHOP_TEST_SERVER", mode)
	t.Setenv("SPYHOP_TEST_FILE", file)
	s, err := New(Options{MCP: MCP{Command: []string{self}, Environ: environ, Env: []string{"SPYHOP_TEST_SERVER", "SPYHOP_TEST_FILE", "TEST_API_KEY"}}, TTL: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, file
}

// find searches and returns the only result.
func find(t *testing.T, s *Searcher, text string) Result {
	t.Helper()
	a, err := s.Search(t.Context(), Query{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	if a.Provider != "mcp" || len(a.Results) != 1 || a.Results[0].Title != text || a.Results[0].Source != "mcp" {
		t.Fatalf("%+v", a)
	}
	return a.Results[0]
}

// A server on stdio is started once, lives from search to search, gets the proxy
// and the variables that it needs or that the operator names, and has gone after
// Close.
func TestMCPStdio(t *testing.T) {
	for _, name := range []string{"WEB_SERVE_TOKEN", "BRAVE_API_KEY", "AWS_SECRET_ACCESS_KEY", "TEST_API_KEY", "LD_PRELOAD_OTHER", "HOME", "LANG", "TMPDIR"} {
		t.Setenv(name, "/tmp")
	}
	s, _ := stdio(t, "search", func() ([]string, error) { return []string{"HTTPS_PROXY=http://127.0.0.1:1"}, nil })
	one, two := find(t, s, "one"), find(t, s, "two")
	if one.URL != two.URL {
		t.Errorf("it was started twice: %s, %s", one.URL, two.URL)
	}
	names := strings.Fields(one.Snippet)
	slices.Sort(names)
	if want := "HOME HTTPS_PROXY LANG NODE_USE_ENV_PROXY PATH SPYHOP_TEST_FILE SPYHOP_TEST_SERVER TEST_API_KEY TMPDIR"; strings.Join(names, " ") != want {
		t.Errorf("its environment: %s, want %s", names, want)
	}
	id := lastNumber(t, one.URL)
	if syscall.Kill(id, 0) != nil {
		t.Error("it is not there before Close")
	}
	s.Close()
	if syscall.Kill(id, 0) == nil {
		t.Error("it is there after Close")
	}
	if _, err := s.Search(t.Context(), Query{Text: "x"}); err == nil {
		t.Error("a closed searcher searches")
	}
}

// A server that crashes costs a search no more than time; one that crashes
// again and again is an error.
func TestMCPCrash(t *testing.T) {
	s, file := stdio(t, "crash once", nil)
	if err := os.WriteFile(file+".first", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first := find(t, s, "whales")
	if _, err := os.Stat(file + ".first"); err == nil {
		t.Error("it did not crash")
	}
	if again := find(t, s, "whales"); again.URL != first.URL {
		t.Errorf("it was started anew: %s, %s", again.URL, first.URL)
	}
	s, _ = stdio(t, "crash", nil)
	find(t, s, "whales")
	var e *Error
	if _, err := s.Search(t.Context(), Query{Text: "crash"}); !errors.As(err, &e) || e.Code != Network || e.Provider != "mcp" {
		t.Errorf("%v", err)
	}
	find(t, s, "whales")
}

// What does not leave by itself is ended, with its children.
func TestMCPStubborn(t *testing.T) {
	s, file := stdio(t, "stubborn", nil)
	id := lastNumber(t, find(t, s, "x").URL)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(string(data))
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if syscall.Kill(id, 0) == nil {
		t.Error("the server is still there")
	}
	// The child is init's to bury; until then it is a zombie. It was killed with
	// the group, and nobody but the kernel knows when it has come to its end.
	for late := time.After(time.Minute); ; {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child))
		if err != nil || strings.Contains(string(state), ") Z ") {
			return
		}
		select {
		case <-late:
			t.Fatalf("its child is still there: %s", state)
		case <-time.After(time.Millisecond):
		}
	}
}

func lastNumber(t *testing.T, url string) int {
	t.Helper()
	n, err := strconv.Atoi(url[strings.LastIndexByte(url, '/')+1:])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A start that fails says why, without secrets.
func TestMCPBadServers(t *testing.T) {
	t.Setenv("TEST_API_KEY", "s3cr3t-of-the-server")
	for mode, want := range map[string]string{
		"dies":    "mcp: no answer: the server ended: \"Error: key [key] is wrong\"",
		"garbage": "mcp: no answer: the command in WEB_SEARCH_MCP did not answer as an MCP server",
	} {
		s, _ := stdio(t, mode, nil)
		var e *Error
		if _, err := s.Search(t.Context(), Query{Text: "x"}); !errors.As(err, &e) || e.Error() != want {
			t.Errorf("%s: %v, want %s", mode, err, want)
		}
	}
	for want, m := range map[string]MCP{
		"the server /nowhere/at-all cannot be started":     {Command: []string{"/nowhere/at-all"}},
		"the proxy for the server cannot be opened":        {Command: []string{"sleep"}, Environ: func() ([]string, error) { return nil, errors.New("x") }},
		"no transport is configured for the server":        {URL: mustParse(t, "http://127.0.0.1:1/")},
		"mcp: the query was not accepted: no server is co": {},
	} {
		s, err := New(Options{MCP: m, Selection: "mcp"})
		if err != nil {
			t.Fatal(err)
		}
		var te *tool.Error
		if _, err := s.Search(t.Context(), Query{Text: "x"}); !errors.As(err, &te) || te.Type != tool.SearchError || !strings.Contains(te.Message, want) {
			t.Errorf("%v, want %s", err, want)
		}
		s.Close()
	}
}

// Close does not wait for a server that never gets ready.
func TestMCPClosedWhileStarting(t *testing.T) {
	begun := make(chan struct{})
	s, _ := stdio(t, "never", func() ([]string, error) { close(begun); return nil, nil })
	failed := make(chan error)
	go func() {
		_, err := s.Search(t.Context(), Query{Text: "x"})
		failed <- err
	}()
	<-begun
	s.Close()
	var e *Error
	if err := <-failed; !errors.As(err, &e) || e.Cause != "the client is closed" {
		t.Errorf("%v", err)
	}
}

// A caller who gives up is not kept, and the server goes on.
func TestMCPCancelled(t *testing.T) {
	s, _ := stdio(t, "search", nil)
	one := find(t, s, "one")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var te *tool.Error
	if _, err := s.Search(ctx, Query{Text: "hang"}); !errors.As(err, &te) || te.Type != tool.Timeout {
		t.Errorf("%v", err)
	}
	if two := find(t, s, "two"); two.URL != one.URL {
		t.Error("the server was started anew")
	}
}

func mustParse(t *testing.T, s string) weburl.URL {
	t.Helper()
	u, err := weburl.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// overHTTP returns a searcher over a server at a URL of loopback.
func overHTTP(t *testing.T, h http.Handler, query string) *Searcher {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	s, err := New(Options{MCP: MCP{URL: mustParse(t, srv.URL+"/mcp"+query), RoundTripper: http.DefaultTransport}, TTL: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Servers over HTTP, with sessions and without; one that forgets its sessions
// is asked anew.
func TestMCPHTTP(t *testing.T) {
	server := func(*http.Request) *mcp.Server { return testServer("search") }
	for name, o := range map[string]*mcp.StreamableHTTPOptions{"sessions": nil, "stateless": {Stateless: true}, "JSON": {JSONResponse: true}} {
		t.Run(name, func(t *testing.T) {
			s := overHTTP(t, mcp.NewStreamableHTTPHandler(server, o), "")
			find(t, s, "one")
			find(t, s, "two")
		})
	}
	t.Run("restarted", func(t *testing.T) {
		handler := mcp.NewStreamableHTTPHandler(server, nil)
		s := overHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }), "")
		find(t, s, "one")
		handler = mcp.NewStreamableHTTPHandler(server, nil)
		find(t, s, "two")
	})
}

// A server that takes long to start gets ready for the search after the one that
// had no time for it.
func TestMCPSlowStart(t *testing.T) {
	ready := make(chan struct{})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return testServer("search") }, nil)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-ready
		handler.ServeHTTP(w, r)
	}))
	defer srv.Close()
	var given atomic.Int32 // requests that were given up
	rt := through(func(r *http.Request) (*http.Response, error) {
		res, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			given.Add(1)
		}
		return res, err
	})
	s, err := New(Options{MCP: MCP{URL: mustParse(t, srv.URL+"/mcp"), RoundTripper: rt}, TTL: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	var te *tool.Error
	if _, err := s.Search(ctx, Query{Text: "one"}); !errors.As(err, &te) || te.Type != tool.Timeout {
		t.Errorf("%v", err)
	}
	close(ready)
	find(t, s, "two")
	if n := given.Load(); n != 0 {
		t.Errorf("%d requests of the start were given up", n)
	}
}

// through is a RoundTripper.
type through func(*http.Request) (*http.Response, error)

func (f through) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// What a server over HTTP can do wrong; its URL's key is in no message.
func TestMCPHTTPErrors(t *testing.T) {
	const key = "c4n4ry-0123456789"
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		code    Code
	}{
		"no key":      {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "wrong key "+key, http.StatusUnauthorized) }, codeBadKey},
		"too many":    {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "slow down", http.StatusTooManyRequests) }, RateLimited},
		"broken":      {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", http.StatusInternalServerError) }, Network},
		"no server":   {http.NotFound, Network},
		"a page":      {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, Network},
		"without end": {func(w http.ResponseWriter, _ *http.Request) { endless(w) }, Network},
		"hangs up":    {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, Network},
	} {
		t.Run(name, func(t *testing.T) {
			s := overHTTP(t, c.handler, "?key="+key)
			var e *Error
			_, err := s.Search(t.Context(), Query{Text: "x"})
			if !errors.As(err, &e) || e.Code != c.code || e.Provider != "mcp" {
				t.Errorf("%v, want %s", err, c.code)
			}
			var te *tool.Error
			if errors.As(err, &te) && strings.Contains(te.Text(), key) {
				t.Errorf("the key is in %q", te.Text())
			}
		})
	}
}

func endless(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	chunk := strings.Repeat(" ", 1<<16)
	for {
		if _, err := fmt.Fprint(w, chunk); err != nil {
			return
		}
	}
}
