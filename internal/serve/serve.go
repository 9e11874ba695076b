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
// It imports the catalog and the counters of the audit log, and no engine. Each path has
// a file: rest.go the tools under /v1, read.go pages as text, people.go the live page, files.go the files that they write, jobs.go jobs in the background, openapi.go
// their description, docs.go the manual, metrics.go the counters, admin.go the listener
// for operators, request.go the ids of requests, mcp*.go the protocol. guard.go has the checks before all of them, owner.go says whose a request
// is, problem.go has the form of errors. firecrawl*.go speak Firecrawl's paths.
//
// # Guarantees
//
// A request is looked at in this order, and the first check that fails answers
// it: the Host header (against names that a page has bound to this machine), the
// page that it comes from (Origin, Sec-Fetch-Site), the bearer token, which says
// whose call it is, and the size of the body. Bodies, headers, connections, calls at a time and the time that a
// client may take to send a request are bounded. A client that goes away ends
// its call. When Serve returns, no goroutine of it is left.
//
// # Limits
//
// The server does not speak TLS: on a network, put a TLS proxy in front of it. Callers
// without a token are not told apart.
package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/live"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Options are what a Server is made from. The zero value of each field but
// Catalog is the default.
type Options struct {
	// Catalog has the tools. Required.
	Catalog *tool.Catalog
	// Audit has the counters that /metrics shows, and the events of the live page; nil
	// shows zeros and none.
	Audit Audit
	// Explain says how the content of a page was chosen, for the live page; nil: it
	// does not show that.
	Explain func(ctx context.Context, url string) (*result.Explanation, error)
	// Jobs has the jobs in the background; nil: there are no paths for them, and the live
	// page does not show them. Without the tool web_crawl there are no paths either.
	Jobs jobService
	// Monitors are the same for monitors.
	Monitors monitors
	// Data reads the same data from many pages, for /v1/extracts; nil: there is no such
	// path.
	Data func(ctx context.Context, q result.DataRequest, each func(result.DataRow) error) (*result.DataSummary, error)
	// Parse reads a document that a client has uploaded, with the arguments of web_fetch that
	// a file can have; nil: there is no /v2/parse. name and mediaType are what the client
	// says, and may be "". The error is a *tool.Error.
	Parse func(ctx context.Context, body []byte, name, mediaType string, args json.RawMessage) (*result.Fetch, error)
	// Act has a model act with some tools in the browser contexts of a session; nil: none can.
	Act func(ctx context.Context, session, task string, tools []string) (*result.Answer, error)
	// Tell sends a message to a webhook until it is taken; without a body it only checks the
	// URL and returns the secret of the signatures. nil: there are no webhooks of answers.
	Tell func(ctx context.Context, url, id string, body any) (secret string, err error)
	// Program runs a program of JavaScript beside the browser contexts of a session
	// (tool.Options.Session); nil: there are no browser sessions below /v2. do carries out
	// what the program wants of the page.
	Program func(ctx context.Context, session, code string, do func(ctx context.Context, name string, args json.RawMessage) (any, error)) (*result.Program, error)
	// Browsers has the browser contexts of callers, for the live page; nil: it does not
	// show them.
	Browsers live.Browsers
	// Compare returns what differs between two versions of a page, for the live page;
	// nil: it does not show that.
	Compare func(before, after string) []result.Change
	// Health has the state of what works for the server, for /readyz and /metrics; nil
	// shows zeros.
	Health healthReport
	// AccessLog gets a line for each request; nil: none.
	AccessLog *slog.Logger
	// LogLost says how many lines of that log and of OnError were not written, for
	// /metrics; nil: it does not show that.
	LogLost func() uint64
	// Version is what the server says of itself.
	Version string
	// Tools are the profiles and the names of tools that are served; empty means
	// all, over MCP core, crawl and browser.
	Tools []string
	// Tokens are the bearer tokens: every request but that for /healthz needs one,
	// and its name is the principal that the call is for. Nil or none: no token is
	// asked for, and all callers are one principal, anonymous.
	Tokens *principal.Tokens
	// LocalOwner makes callers without a token guests of the principal local, instead of
	// anonymous: for a server that only this machine reaches.
	LocalOwner bool
	// OAuth says whose access tokens are accepted beside Tokens; nil: nobody's. With it,
	// every request needs a token.
	OAuth *OAuth
	// SessionEnded is called when a session of MCP over HTTP has ended, with its
	// caller in the context and the value of tool.Options.Session that its calls
	// had; nil: nothing is. Calls are concurrent, and Serve waits for them.
	SessionEnded func(ctx context.Context, session string)
	// Files is the folder whose files are served under /v1/files; a call's answer
	// names the one that it has written. Empty: none are.
	Files string
	// FilesKeep is how long a file is served; 0 means a day.
	FilesKeep time.Duration
	// AnswerChars is the window of answers over MCP; 0 means 9500.
	AnswerChars int
	// MaxConnections bounds the connections at a time; 0 means 1024. A further one
	// replaces the one that has been idle for the longest time; if none is idle, it is
	// refused (503). Streams that last until their client leaves have at most half. One
	// principal has at most three quarters of the connections in use, and of the streams.
	MaxConnections int
	// MaxRunning bounds the calls that run at a time, of which one principal has at
	// most three quarters; 0 means 2048, or MaxConnections if that is less. Calls beyond it are refused (Busy). A call that
	// runs mostly waits, for a site or a model; how much is worked on at a time is for
	// the parts that work.
	MaxRunning int
	// MaxSessions bounds the sessions of MCP at a time, and SessionIdle how long
	// one lasts without a request; 0 means 10,000 and an hour.
	MaxSessions int
	SessionIdle time.Duration
	// Versions are served as resources over MCP; nil: no resources are served.
	Versions tool.Versions
	// Delay is how long the server takes new calls after it was told to end, and says
	// at /readyz that it is not ready, so that a balancer can stop sending calls first.
	Delay time.Duration
	// Grace is how long calls may go on after that; 0 means 5 s.
	Grace time.Duration
	// OnError gets the errors of the server that callers do not get; nil ignores them.
	// It may be called by any goroutine and must not block.
	OnError func(error)
}

// Audit counts calls and decisions of the policy, and tells of them.
type Audit = live.Audit

// The bounds of a request; Options has those that can be set.
const (
	maxHeaderBytes = 32 << 10
	// maxBodyBytes leaves room for what a protocol wraps around arguments.
	maxBodyBytes = tool.MaxArgumentBytes + 64<<10
	// smallBodyBytes is what every connection may send at any time; at most maxLarge
	// larger bodies are in memory.
	smallBodyBytes = 16 << 10
	maxLarge       = 32

	headerTimeout = 5 * time.Second
	idleTimeout   = 60 * time.Second
)

// Server answers over HTTP. Make one with [New].
type Server struct {
	o           Options
	tools       []tool.Declaration
	described   descriptions
	mcp         *mcpHandler
	live        *live.Handler
	handler     http.Handler
	quotas      quotas
	connections *connections
	requests    shares // that are open: read, worked on or answered
	tasks       tasks
	v2          firecrawlState
	resource    *resource
	large       *admission.Gate // for large bodies that are read or wait for their call
	running     sync.WaitGroup  // handlers
	atOnce      context.Context // ended by Cut
	cut         context.CancelFunc
	endCalls    context.CancelFunc // ends quotas.ending
	draining    atomic.Bool        // Serve was told to end
	leaving     context.Context    // ended with the streams that would never end
	leave       context.CancelFunc
	pageReaders *admission.Gate // for answers with pages of a job
	followers   shares          // streams of events
	started     time.Time
	grace       atomic.Int64 // Options.Grace and Delay, in nanoseconds
	delay       atomic.Int64

	bodyTimeout time.Duration // for a client to send a body
}

// New returns a Server. It fails when Options.Tools has a name that is neither a profile
// nor a tool.
func New(o Options) (*Server, error) {
	if o.Catalog == nil {
		return nil, errors.New("serve: no catalog")
	}
	o.fill()
	s := &Server{o: o, large: admission.New(admission.Options{Slots: maxLarge, Short: -1}), bodyTimeout: 30 * time.Second, started: time.Now()}
	s.quotas.most.Store(int64(o.MaxRunning))
	s.grace.Store(int64(o.Grace))
	s.delay.Store(int64(o.Delay))
	s.connections = newConnections(o.MaxConnections)
	s.atOnce, s.cut = context.WithCancel(context.Background())
	s.leaving, s.leave = context.WithCancel(context.Background())
	s.pageReaders = admission.New(admission.Options{Slots: maxPageReaders, Short: -1})
	s.quotas.ending, s.endCalls = context.WithCancel(context.Background())
	s.resource = newResource(o.OAuth)
	var err error
	if s.tools, err = o.selected(tool.All); err != nil {
		return nil, err
	}
	if !o.hasModel() { // no client of plain HTTP has one
		s.tools = slices.DeleteFunc(s.tools, func(d tool.Declaration) bool { return d.NeedsModel })
	}
	s.quotas.tokens.Store(o.Tokens)
	if s.mcp, err = newMCP(o, &s.quotas); err != nil {
		return nil, err
	}
	s.described = newDescriptions(s)
	s.live = s.pages()
	s.handler = s.logged(s.guarded(s.mux()))
	return s, nil
}

// fill puts the defaults in place of zeros.
func (o *Options) fill() {
	o.AnswerChars = cmp.Or(o.AnswerChars, defaultAnswerChars)
	o.MaxConnections = cmp.Or(o.MaxConnections, 1024)
	o.MaxRunning = cmp.Or(o.MaxRunning, min(2048, o.MaxConnections))
	o.MaxSessions = cmp.Or(o.MaxSessions, 10_000)
	o.SessionIdle = cmp.Or(o.SessionIdle, time.Hour)
	o.Grace = cmp.Or(o.Grace, 5*time.Second)
	o.FilesKeep = cmp.Or(o.FilesKeep, fileAge)
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
}

// route is a path with what its methods do. A handler of GET also answers HEAD.
type route struct {
	path               string
	get, post, deletes endpoint
	patch              endpoint
}

// endpoint is a method of a path: its handler, and its description for /openapi.json,
// which has no ID where the method is not described.
type endpoint struct {
	handler http.HandlerFunc
	operation
}

// methods are those that a route has.
func (r route) methods() map[string]endpoint {
	all := map[string]endpoint{http.MethodGet: r.get, http.MethodPost: r.post, http.MethodDelete: r.deletes, http.MethodPatch: r.patch}
	maps.DeleteFunc(all, func(_ string, e endpoint) bool { return e.handler == nil })
	return all
}

func (s *Server) routes() []route {
	health := endpoint{s.health, plainGet("health", "Whether the server answers", "text/plain")}
	health.Security = []object{{}}
	all := []route{
		{path: healthPath, get: health},
		{path: "/metrics", get: endpoint{s.metrics, plainGet("metrics", "Counters for Prometheus", "text/plain")}},
		{path: "/docs", get: endpoint{s.docs, plainGet("docs", "The reference for people", "text/html")}},
		{path: "/docs/{name}", get: endpoint{handler: s.docsPage}},
		{path: "/openapi.json", get: endpoint{s.openapi, plainGet("openapi", "This description", "application/json")}},
		{path: toolsPath, get: endpoint{s.list, listOperation()}},
		{path: toolsPath + "/{name}", get: endpoint{handler: s.call}, post: endpoint{handler: s.call}}, // described by tool
		{path: filesPath + "{id}", get: endpoint{s.file, fileOperation()}},
	}
	if d, e := s.find(answerTool); e == nil && s.answers() {
		all = append(all, route{path: answerPath, post: endpoint{s.answer, answerOperation(d)}})
	}
	if s.o.Data != nil && s.servesFetch() {
		all = append(all, s.extractRoutes()...)
	}
	all = append(all, s.firecrawlRoutes()...)
	if s.servesJobs() {
		all = append(all, s.jobRoutes(crawlKind)...)
		all = append(all, s.jobRoutes(batchKind)...)
		if s.o.Monitors != nil {
			all = append(all, s.monitorRoutes()...)
		}
	}
	return all
}

func (s *Server) mux() http.Handler {
	mux := http.NewServeMux()
	for _, route := range s.routes() {
		methods := route.methods()
		mux.HandleFunc(route.path, func(w http.ResponseWriter, r *http.Request) {
			method := r.Method
			if method == http.MethodHead {
				method = http.MethodGet
			}
			e, ok := methods[method]
			if !ok {
				notAllowed(w, r, slices.Sorted(maps.Keys(methods))...)
				return
			}
			e.handler(w, r.WithContext(surfaced(r.Context(), w, "rest")))
		})
	}
	mux.Handle("/mcp", identified(s.mcp))
	for _, path := range s.live.Paths() {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			s.live.ServeHTTP(w, r.WithContext(surfaced(r.Context(), w, "live")))
		})
	}
	nothing := func(w http.ResponseWriter, r *http.Request, hint string) {
		refuse(w, r, http.StatusNotFound, tool.NewError(tool.InvalidInput, "path "+quoted(r.URL.Path)+" does not exist", hint))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { nothing(w, r, "GET /docs lists the paths") })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case strings.HasPrefix(path, readPath):
			s.read(w, r.WithContext(surfaced(r.Context(), w, "rest")))
		case strings.HasPrefix(path, "/http:/"), strings.HasPrefix(path, "/https:/"):
			nothing(w, r, "GET /read"+text.URL(path)+" reads that page") // the mux would redirect to a path with one slash
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// selected returns the tools of Options.Tools in the order of the catalog, or
// those of the profiles where it is empty.
func (o *Options) selected(profiles ...tool.Profile) ([]tool.Declaration, error) {
	if len(o.Tools) == 0 {
		return o.Catalog.ListForModel(profiles...), nil
	}
	wanted := make(map[string]bool)
	for _, name := range o.Tools {
		switch p := tool.Profile(name); p {
		case tool.Core, tool.BrowserTools, tool.Classic, tool.Crawl, tool.All:
			for _, d := range o.Catalog.ListForModel(p) {
				wanted[d.Name] = true
			}
		default:
			d, e := o.Catalog.Find(name)
			if e != nil {
				e.Hint += "; or use a profile: core, browser, classic, crawl, all"
				return nil, e
			}
			wanted[d.Name] = true
		}
	}
	return slices.DeleteFunc(o.Catalog.ListForModel(), func(d tool.Declaration) bool { return !wanted[d.Name] }), nil
}

// hasModel reports whether the tools that need a language model work for every caller.
func (o *Options) hasModel() bool {
	return !slices.ContainsFunc(o.Catalog.ListForModel(), func(d tool.Declaration) bool { return d.NeedsModel }) ||
		slices.ContainsFunc(o.Catalog.List(), func(d tool.Declaration) bool { return d.NeedsModel })
}

// Handler answers requests, checks included. What [Server.Serve] bounds, as
// connections and the time for headers, is the caller's to bound.
func (s *Server) Handler() http.Handler { return s.handler }

// errEnding is why the calls are cut that outlast the grace.
var errEnding = errors.New("the server ends")

// cutTime is how long a call that was cut may take to say so.
const cutTime = 2 * time.Second

// Cut ends the grace of a server that ends, or that will end: calls that run then are
// cut at once. It does not end the server.
func (s *Server) Cut() { s.cut() }

// Serve answers until ctx ends, gives the calls that run Options.Grace to end,
// and then cuts them: they are answered with Busy. It closes the listeners, and returns nil unless serving
// failed. Without a token it refuses a listener that other machines can reach.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	closeAll := func() {
		for _, l := range listeners {
			_ = l.Close()
		}
	}
	defer closeAll()
	if slices.ContainsFunc(listeners, reachable) && s.quotas.tokens.Load().Len() == 0 && s.resource == nil {
		return errors.New("serve: a server that other machines can reach needs a token")
	}
	pages, leave := context.WithCancel(context.Background())
	var live sync.WaitGroup
	defer live.Wait()
	defer leave()
	live.Go(func() { s.live.Run(pages) })
	all := s.connections
	base, end := context.WithCancelCause(context.Background())
	defer end(nil)
	server := &http.Server{
		BaseContext:       func(net.Listener) context.Context { return base },
		ConnState:         all.state,
		Handler:           s.handler,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          log.New(lineWriter(s.o.OnError), "", 0),
	}
	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { failed <- server.Serve(all.limit(l)) }()
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	s.draining.Store(true)
	if delay := time.Duration(s.delay.Load()); delay > 0 {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case err := <-failed:
			return fmt.Errorf("serve: %w", err)
		case <-timer.C:
		case <-s.atOnce.Done():
		}
	}
	s.mcp.drain() // streams that would never end
	leave()
	s.leave()
	patience, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Duration(s.grace.Load()))
	defer stop()
	defer context.AfterFunc(s.atOnce, stop)()
	// Server.Shutdown is not used: from its beginning on, it closes connections whose first
	// request arrives, without an answer. SetKeepAlivesEnabled is not, either: it closes
	// connections whose next request arrives.
	closeAll()
	for range listeners {
		<-failed
	}
	if !all.drained(patience) && !s.cutCalls(ctx) {
		end(errEnding)
	}
	_ = server.Close()
	all.wait()
	s.tasks.stop()
	s.running.Wait()
	s.mcp.close()
	return nil
}

// reachable reports whether other machines can reach a listener.
func reachable(l net.Listener) bool {
	tcp, ok := l.Addr().(*net.TCPAddr)
	return ok && !tcp.IP.IsLoopback()
}

// cutCalls cuts the calls that run, and reports whether all of them have said so in time.
func (s *Server) cutCalls(ctx context.Context) bool {
	s.endCalls()
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), cutTime)
	defer stop()
	return s.connections.drained(last)
}

// lineWriter is a writer of whole lines.
type lineWriter func(error)

func (f lineWriter) Write(line []byte) (int, error) {
	f(errors.New(string(line)))
	return len(line), nil
}

// healthPath needs no token.
const healthPath = "/healthz"

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	answer(w, "text/plain; charset=utf-8", []byte("ok\n"))
}
