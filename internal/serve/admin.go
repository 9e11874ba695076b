package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"runtime/pprof"
	"strconv"
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

const (
	adminConnections = 64
	// profileTime is as long as a CPU profile takes unless the request says, and
	// mostProfileTime as long as it may take.
	profileTime     = 30 * time.Second
	mostProfileTime = 5 * time.Minute
)

// adminHandler answers /livez, /readyz and /metrics, and /debug/pprof if profiles is
// set: taking them costs processor time.
func (s *Server) adminHandler(profiles bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", s.health)
	mux.HandleFunc("GET /readyz", s.ready)
	mux.HandleFunc("GET /metrics", s.metrics)
	if profiles {
		mux.HandleFunc("GET /debug/pprof/{$}", profileNames)
		mux.HandleFunc("GET /debug/pprof/{name}", s.profile)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		hint := "use GET on /livez, /readyz or /metrics"
		if !profiles {
			hint += "; WEB_ADMIN_PPROF=true adds /debug/pprof"
		}
		refuse(w, r, http.StatusNotFound, tool.NewError(tool.InvalidInput, "path "+quoted(r.URL.Path)+" does not exist", hint))
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
func (s *Server) ServeAdmin(ctx context.Context, listener net.Listener, profiles bool) error {
	if tcp, ok := listener.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		return errors.Join(errors.New("serve: other machines can reach the address of the admin listener"), listener.Close())
	}
	all := newConnections(adminConnections)
	server := &http.Server{
		ConnState: all.state, Handler: s.adminHandler(profiles), ReadHeaderTimeout: headerTimeout, ReadTimeout: headerTimeout,
		WriteTimeout: mostProfileTime + writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes, ErrorLog: log.New(lineWriter(s.o.OnError), "", 0),
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

// profileNames lists the profiles.
func profileNames(w http.ResponseWriter, _ *http.Request) {
	var page strings.Builder
	fmt.Fprintf(&page, "profile %d s of processor time; ?seconds= sets how long\n", int(profileTime.Seconds()))
	for _, p := range pprof.Profiles() {
		fmt.Fprintf(&page, "%s %d; ?debug=1 is text\n", p.Name(), p.Count())
	}
	answer(w, "text/plain; charset=utf-8", []byte(page.String()))
}

// profile answers with a profile for go tool pprof. Package net/http/pprof is not used:
// it adds its handlers to every server of a program that uses the default handler.
func (s *Server) profile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if name == "profile" {
		s.cpuProfile(w, r)
		return
	}
	p := pprof.Lookup(name)
	if p == nil {
		refuse(w, r, http.StatusNotFound, tool.NewError(tool.InvalidInput, "profile "+quoted(name)+" does not exist", "/debug/pprof/ lists the profiles"))
		return
	}
	debug, _ := strconv.Atoi(r.URL.Query().Get("debug"))
	w.Header().Set("Content-Type", "application/octet-stream")
	if debug > 0 {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	}
	_ = p.WriteTo(w, debug) // a client that has left
}

func (s *Server) cpuProfile(w http.ResponseWriter, r *http.Request) {
	long := profileTime
	if text := r.URL.Query().Get("seconds"); text != "" {
		n, err := strconv.Atoi(text)
		if long = time.Duration(n) * time.Second; err != nil || long <= 0 || long > mostProfileTime {
			refuse(w, r, http.StatusBadRequest, tool.NewError(tool.InvalidInput, "seconds="+quoted(text)+" is not a number from 1 to 300", "leave it out for 30"))
			return
		}
	}
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		refuse(w, r, http.StatusServiceUnavailable, tool.NewError(tool.Busy, "another processor profile is being taken", "try again when it has ended"))
		return
	}
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
	pprof.StopCPUProfile()
	answer(w, "application/octet-stream", profile.Bytes())
}

// Health is the state of the parts that work for the server.
type Health interface {
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
