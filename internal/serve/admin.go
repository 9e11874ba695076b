package serve

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The admin listener is for those who run the server. It has places of its own, so
// that it answers when the server has no place for another connection. It needs no
// token, and so it is only for this machine.
//
// Ready means that a new call can begin. Calls are answered without the store and
// most without the browser: trouble of theirs is shown and does not make the server
// unready. A balancer would otherwise take all servers away at once.

const adminConnections = 64

// adminHandler answers /livez, /readyz and /metrics.
func (s *Server) adminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", s.health)
	mux.HandleFunc("GET /readyz", s.ready)
	mux.HandleFunc("GET /metrics", s.metrics)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, http.StatusNotFound, tool.NewError(tool.InvalidInput, "path "+quoted(r.URL.Path)+" does not exist", "use GET on /livez, /readyz or /metrics"))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		if !hostAllowed(r) || !originAllowed(r) {
			refuse(w, r, http.StatusForbidden, tool.NewError(tool.Blocked, "the admin listener answers programs on this machine only", "use 127.0.0.1 as the host"))
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// ServeAdmin answers on a listener of this machine until ctx ends. It closes the
// listener, and returns nil unless serving failed.
func (s *Server) ServeAdmin(ctx context.Context, listener net.Listener) error {
	if tcp, ok := listener.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		return errors.Join(errors.New("serve: other machines can reach the address of the admin listener"), listener.Close())
	}
	all := newConnections(adminConnections)
	server := &http.Server{
		ConnState: all.state, Handler: s.adminHandler(), ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout,
		WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes, ErrorLog: log.New(lineWriter(s.o.OnError), "", 0),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(all.limit(listener)) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: the admin listener: %w", err)
	case <-ctx.Done():
	}
	_ = server.Close() // what it answers can be asked again
	<-failed
	all.wait()
	return nil
}

// healthReport is the state of the parts that work for the server.
type healthReport interface {
	Health() result.Health
}

// ready says whether a new call can begin, and how each part does.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	var h result.Health
	if s.o.Health != nil {
		h = s.o.Health.Health()
	}
	ready := true
	var page strings.Builder
	part := func(name, trouble, facts string) {
		if trouble == "" {
			trouble = "ok"
		}
		fmt.Fprintf(&page, "%s: %s (%s)\n", name, trouble, facts)
	}
	ends, full, busy := "", "", ""
	if s.draining.Load() {
		ends, ready = "ending", false
	}
	running := s.quotas.running.Load()
	if running >= s.quotas.most.Load() {
		full, ready = "full", false
	}
	if h.Queue.Full {
		busy = "a caller's queue is full" // others still enter
	}
	part("server", ends, fmt.Sprintf("up %v", time.Since(s.started).Round(time.Second)))
	part("calls", full, fmt.Sprintf("%d of %d run", running, s.quotas.most.Load()))
	part("queue", busy, fmt.Sprintf("%d of %d pages are parsed, %d wait", h.Queue.Working, h.Queue.Slots, h.Queue.Waiting))
	part("store", h.Store.Trouble, text.Count(int(h.Store.Dropped), "write")+" left out")
	part("jobs", "", fmt.Sprintf("%d of %d run", h.Jobs.Running, h.Jobs.Most))
	state := "not running"
	if h.Browser.Running {
		state = "running"
	}
	part("browser", h.Browser.Trouble, fmt.Sprintf("%s, %s, %s", state, text.Count(h.Browser.Contexts, "context"), text.Count(h.Browser.Calls, "call")))
	status := http.StatusOK
	if !ready {
		status = http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(page.String()))
}
