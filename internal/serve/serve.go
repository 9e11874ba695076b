// Package serve provides a catalog of tools over HTTP: a plain interface for
// programs and the Model Context Protocol, behind one set of checks.
//
//	server, err := serve.New(serve.Options{Catalog: catalog, Audit: log, Version: "1.2.0"})
//	if err != nil {
//		return err
//	}
//	listener, err := net.Listen("tcp", "127.0.0.1:7749")
//	if err != nil {
//		return err
//	}
//	err = server.Serve(ctx, listener) // until ctx ends
//
// It sees the catalog and the counters of the audit log, no engine. A file each has what stands
// at a path: rest.go the tools under /v1, files.go what they wrote, openapi.go their description, docs.go
// the page for people, metrics.go the counters, mcp*.go the protocol. guard.go
// has the checks that stand before all of them, problem.go the form of errors.
//
// # Guarantees
//
// A request is looked at in this order, and the first check that fails answers
// it: the Host header (against names that a page has bound to this machine), the
// page that it comes from (Origin, Sec-Fetch-Site), the bearer token, the size
// of the body. Bodies, headers, connections, calls at a time and the time that a
// client may take to send a request are bounded. A client that goes away ends
// its call. When Serve returns, no goroutine of it is left.
//
// # Limits
//
// There is no TLS: beyond this machine, put a proxy in front that ends it. The
// bearer token is one for all callers.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Options are what a Server is made from. The zero value of each field but
// Catalog is the default.
type Options struct {
	// Catalog has the tools. Required.
	Catalog *tool.Catalog
	// Audit has the counters that /metrics shows; nil shows zeros.
	Audit Audit
	// Version is what the server says of itself.
	Version string
	// Tools are the profiles and the names of tools that are served; empty means
	// all, over MCP core and browser.
	Tools []string
	// Token is asked for as a bearer token everywhere but at /healthz; empty:
	// none is.
	Token string
	// Files is the folder whose files are served under /v1/files; a call's answer
	// names the one that it has written. Empty: none are.
	Files string
	// AnswerChars is the window of answers over MCP; 0 means 9500.
	AnswerChars int
	// MaxConnections and MaxCalls bound connections and calls of tools at a
	// time; 0 means 1024 and 64. More of them wait.
	MaxConnections, MaxCalls int
	// MaxSessions bounds the sessions of MCP at a time, and SessionIdle how long
	// one lasts without a request; 0 means 10,000 and an hour.
	MaxSessions int
	SessionIdle time.Duration
	// Versions are served as resources over MCP; nil: there are no resources.
	Versions tool.Versions
	// Grace is how long calls may go on when the server ends; 0 means 5 s.
	Grace time.Duration
	// OnError hears what is wrong with the server and no caller is told; nil:
	// nobody does. It may be called by any goroutine and must not block.
	OnError func(error)
}

// Audit counts calls and decisions of the policy.
type Audit interface {
	// Metrics returns the counters so far, as a copy.
	Metrics() result.Metrics
}

// The bounds of a request; Options has those that can be set.
const (
	maxHeaderBytes = 32 << 10
	// maxBodyBytes leaves room for what a protocol wraps around arguments.
	maxBodyBytes = tool.MaxArgumentBytes + 64<<10
	// smallBodyBytes is what every connection may take; of larger bodies there
	// are maxLarge in memory.
	smallBodyBytes = 16 << 10
	maxLarge       = 32

	headerTimeout = 5 * time.Second
	idleTimeout   = 60 * time.Second
)

// Server answers over HTTP. Make one with [New].
type Server struct {
	o       Options
	tools   []tool.Declaration
	mcp     *mcpHandler
	handler http.Handler
	calls   chan struct{}  // holds a value for each call that runs
	large   chan struct{}  // holds a value for each large body that is read or waits for its call
	running sync.WaitGroup // handlers

	bodyTimeout time.Duration // for a client to send a body
}

// New returns a Server. It fails when Options.Tools names what is neither a
// profile nor a tool.
func New(o Options) (*Server, error) {
	if o.Catalog == nil {
		return nil, errors.New("serve: no catalog")
	}
	o.fill()
	s := &Server{o: o, calls: make(chan struct{}, o.MaxCalls), large: make(chan struct{}, maxLarge), bodyTimeout: 30 * time.Second}
	var err error
	if s.tools, err = o.selected(tool.All); err != nil {
		return nil, err
	}
	if s.mcp, err = newMCP(o, s.calls); err != nil {
		return nil, err
	}
	s.handler = s.guarded(s.mux())
	return s, nil
}

// fill puts the defaults in place of zeros.
func (o *Options) fill() {
	if o.AnswerChars == 0 {
		o.AnswerChars = defaultAnswerChars
	}
	if o.MaxConnections == 0 {
		o.MaxConnections = 1024
	}
	if o.MaxCalls == 0 {
		o.MaxCalls = 64
	}
	if o.MaxSessions == 0 {
		o.MaxSessions = 10_000
	}
	if o.SessionIdle == 0 {
		o.SessionIdle = time.Hour
	}
	if o.Grace == 0 {
		o.Grace = 5 * time.Second
	}
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
}

// route is what stands at a path. What answers GET answers HEAD.
type route struct {
	path    string
	methods []string
	handler http.HandlerFunc
}

func (s *Server) routes() []route {
	return []route{
		{"/healthz", []string{"GET"}, s.health},
		{"/metrics", []string{"GET"}, s.metrics},
		{"/docs", []string{"GET"}, s.docs},
		{"/{$}", []string{"GET"}, s.docs},
		{"/openapi.json", []string{"GET"}, s.openapi},
		{"/v1/tools", []string{"GET"}, s.list},
		{"/v1/tools/{name}", []string{"GET", "POST"}, s.call},
		{filesPath + "{id}", []string{"GET"}, s.file},
	}
}

func (s *Server) mux() *http.ServeMux {
	mux := http.NewServeMux()
	for _, route := range s.routes() {
		mux.HandleFunc(route.path, func(w http.ResponseWriter, r *http.Request) {
			if !slices.Contains(route.methods, r.Method) && (r.Method != http.MethodHead || route.methods[0] != http.MethodGet) {
				notAllowed(w, r, route.methods...)
				return
			}
			route.handler(w, r)
		})
	}
	mux.Handle("/mcp", s.mcp)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, tool.NewError(tool.InvalidInput, "there is nothing at "+quoted(r.URL.Path), "GET /docs says what there is"))
	})
	return mux
}

// selected returns the tools of Options.Tools in the order of the catalog, or
// those of the profiles where it is empty.
func (o *Options) selected(profiles ...tool.Profile) ([]tool.Declaration, error) {
	if len(o.Tools) == 0 {
		return o.Catalog.List(profiles...), nil
	}
	wanted := make(map[string]bool)
	for _, name := range o.Tools {
		switch p := tool.Profile(name); p {
		case tool.Core, tool.BrowserTools, tool.Classic, tool.All:
			for _, d := range o.Catalog.List(p) {
				wanted[d.Name] = true
			}
		default:
			d, e := o.Catalog.Find(name)
			if e != nil {
				e.Hint += "; or use a profile: core, browser, classic, all"
				return nil, e
			}
			wanted[d.Name] = true
		}
	}
	return slices.DeleteFunc(o.Catalog.List(), func(d tool.Declaration) bool { return !wanted[d.Name] }), nil
}

// Handler answers requests, checks included. What [Server.Serve] bounds, as
// connections and the time for headers, is the caller's to bound.
func (s *Server) Handler() http.Handler { return s.handler }

// Serve answers until ctx ends, gives the calls that run Options.Grace to end,
// and then ends them. It closes the listener, and returns nil unless serving
// failed. It refuses a listener beyond this machine where there is no token.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && s.o.Token == "" {
		return errors.Join(errors.New("serve: a server beyond this machine needs a token"), listener.Close())
	}
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          log.New(lineWriter(s.o.OnError), "", 0),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(limit(listener, s.o.MaxConnections)) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	s.mcp.drain() // streams that would never end
	patience, stop := context.WithTimeout(context.WithoutCancel(ctx), s.o.Grace)
	defer stop()
	if server.Shutdown(patience) != nil {
		_ = server.Close() // a call ends with its connection
	}
	<-failed
	s.running.Wait()
	s.mcp.close()
	return nil
}

// lineWriter is a writer of whole lines.
type lineWriter func(error)

func (f lineWriter) Write(line []byte) (int, error) {
	f(errors.New(string(line)))
	return len(line), nil
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	answer(w, "text/plain; charset=utf-8", []byte("ok\n"))
}
