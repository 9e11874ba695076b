package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spyhop-dev/spyhop/bench/internal/leftover"
)

// world has what every row needs: the sites on loopback, the program, and a folder.
type world struct {
	program string
	dir     string
	scale   float64
	fast    string // an ordinary site: http://127.0.0.1:port
	slow    string // its pages take slowFor
	vanish  bool   // half of the sessions of a soak are not ended
	folders atomic.Int64
}

const slowFor = 20 * time.Second

// sites serves the double of the internet: every path of fast is a page of 10 kB, or of
// 5 MB below /large; those of slow come late.
func (w *world) sites() error {
	var article strings.Builder
	for i := range 60 {
		fmt.Fprintf(&article, "<p>On day %d the ferry left the quay at dawn, followed the coast for an hour, and met nobody but two fishermen, who waved.</p>\n", i+1)
	}
	page := []byte("<!DOCTYPE html><html lang=en><title>The ferry</title><body><article><h1>The ferry</h1>" + article.String() + "</article></body></html>")
	large := []byte("<!DOCTYPE html><html lang=en><title>Large</title><body><article><p>" + strings.Repeat("the ferry met fishermen ", 5<<20/24-20) + "</p></article></body></html>")
	answer := func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		body := page
		if strings.HasPrefix(r.URL.Path, "/large") {
			body = large
		}
		_, _ = rw.Write(body)
	}
	for _, site := range []struct {
		url     *string
		handler http.HandlerFunc
	}{
		{&w.fast, answer},
		{&w.slow, func(rw http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(w.long(slowFor)):
				answer(rw, r)
			case <-r.Context().Done():
			}
		}},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		*site.url = "http://" + l.Addr().String()
		go func() { _ = http.Serve(l, site.handler) }()
	}
	return nil
}

// tree returns the folder of the project's source: the one around the working directory
// or around the program.
func (w *world) tree() (string, error) {
	for _, from := range []string{".", filepath.Dir(w.program)} {
		dir, err := filepath.Abs(from)
		if err != nil {
			return "", err
		}
		for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, "cmd/spyhop/main.go")); err == nil {
				return dir, nil
			}
		}
	}
	return "", errors.New("the source of the program is not around the working directory: start the command in the project")
}

// results serves a search engine with SearXNG's format, which finds pages of fast.
func (w *world) results() (url string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(rw, `{"query":"ferry","results":[{"url":"%s/found","title":"The ferry","content":"It met two fishermen."}]}`, w.fast)
		}))
	}()
	return "http://" + l.Addr().String(), nil
}

// back waits until a new page is answered and stored, each call within a second, and
// returns how long that took: half a minute at most.
func (s *server) back(caller string) time.Duration {
	begin := time.Now()
	for i := 0; time.Since(begin) < 30*time.Second; i++ {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		url := fmt.Sprint(s.pages, "/back", begin.UnixNano(), "/", i)
		status, _, err := s.fetch(ctx, caller, url, "")
		_, body, again := s.fetch(ctx, caller, url, "")
		stop()
		if err == nil && again == nil && status == 200 && strings.Contains(body, `"cached":true`) {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return time.Since(begin)
}

// long scales a duration.
func (w *world) long(d time.Duration) time.Duration { return time.Duration(float64(d) * w.scale) }

// folder makes a new one.
func (w *world) folder() string {
	dir := filepath.Join(w.dir, strconv.FormatInt(w.folders.Add(1), 10))
	if err := os.Mkdir(dir, 0o700); err != nil {
		panic(err)
	}
	return dir
}

// server is spyhop serve.
type server struct {
	cmd    *exec.Cmd
	url    string
	admin  string
	pages  string // world.fast
	dir    string
	log    *bytes.Buffer
	ended  chan struct{}
	client *http.Client
	caller string // whose the sessions of MCP are; empty: nobody's
}

// sign puts the token of the caller of sessions into a request.
func (s *server) sign(r *http.Request) {
	if s.caller != "" {
		r.Header.Set("Authorization", "Bearer "+secret(s.caller))
	}
}

// callers are the names of tokens; each token is "secret-" and the name.
func callers(n int) []string {
	all := []string{"flood", "other"}
	for i := len(all); i < n; i++ {
		all = append(all, fmt.Sprint("caller", i))
	}
	return all
}

func secret(caller string) string { return "secret-" + caller }

// serve starts a server. wrap may change its command.
func (w *world) serve(dir string, tokens []string, wrap func(*exec.Cmd), settings ...string) (*server, error) {
	if dir == "" {
		dir = w.folder()
	}
	conf := w.folder()
	s := &server{dir: dir, pages: w.fast, log: new(bytes.Buffer), ended: make(chan struct{})}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.admin = "http://" + free.Addr().String()
	_ = free.Close()
	ready := filepath.Join(conf, "ready")
	s.cmd = exec.Command(w.program, "serve", "--listen", "127.0.0.1:0", "--ready-file", ready)
	s.cmd.Env = append(os.Environ(), "WEB_DATA_DIR="+dir, "HOME="+conf, "XDG_CONFIG_HOME="+conf, "XDG_CACHE_HOME="+conf,
		"WEB_ALLOW_PRIVATE="+strings.TrimPrefix(w.fast, "http://")+","+strings.TrimPrefix(w.slow, "http://"),
		"WEB_HOST_RATE=100000/s", "WEB_HOST_CONCURRENCY=1000", "WEB_ADMIN_ADDR="+strings.TrimPrefix(s.admin, "http://"))
	if tokens != nil {
		var file strings.Builder
		for _, name := range tokens {
			fmt.Fprintf(&file, "[[token]]\nname = %q\nsha256 = \"%x\"\n", name, sha256.Sum256([]byte(secret(name))))
		}
		path := filepath.Join(conf, "tokens.toml")
		if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
			return nil, err
		}
		s.cmd.Env = append(s.cmd.Env, "WEB_SERVE_TOKENS="+path)
	}
	s.cmd.Env = append(s.cmd.Env, settings...)
	s.cmd.Stderr = s.log
	if wrap != nil {
		wrap(s.cmd)
	}
	s.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 150 * time.Second}
	if err := leftover.Start(s.cmd); err != nil {
		return nil, err
	}
	go func() { _ = s.cmd.Wait(); close(s.ended) }()
	for begin := time.Now(); s.url == ""; time.Sleep(5 * time.Millisecond) {
		if data, err := os.ReadFile(ready); err == nil {
			s.url = strings.TrimSpace(string(data))
		} else if s.gone() || time.Since(begin) > 20*time.Second {
			s.kill()
			return nil, fmt.Errorf("the server is not ready: %s", s.log)
		}
	}
	return s, nil
}

// gone reports whether the server has ended.
func (s *server) gone() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	<-s.ended
	s.client.CloseIdleConnections()
}

// stop ends the server with SIGTERM and returns how long that took.
func (s *server) stop() time.Duration {
	begin := time.Now()
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(150 * time.Second):
		s.kill()
	}
	s.client.CloseIdleConnections()
	return time.Since(begin)
}

// fetch calls web_fetch and returns the status and the body.
func (s *server) fetch(ctx context.Context, caller, url, more string) (int, string, error) {
	return s.call(ctx, caller, "web_fetch", fmt.Sprintf(`{"url":%q%s}`, url, more))
}

func (s *server) call(ctx context.Context, caller, tool, body string) (int, string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/v1/tools/"+tool, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	if caller != "" {
		r.Header.Set("Authorization", "Bearer "+secret(caller))
	}
	res, err := s.client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	return res.StatusCode, string(answer), err
}

// metric returns a number of /metrics, -1 when it is not there.
func (s *server) metric(name string) float64 {
	client := &http.Client{Timeout: 10 * time.Second}
	res, err := client.Get(s.admin + "/metrics")
	if err != nil {
		return -1
	}
	defer res.Body.Close()
	page, _ := io.ReadAll(res.Body)
	for line := range strings.Lines(string(page)) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			n, _ := strconv.ParseFloat(strings.TrimSpace(rest), 64)
			return n
		}
	}
	return -1
}

// cached asks for a stored page, a call at a time, and returns how long each call took.
func (s *server) cached(ctx context.Context, caller, url string) (times []time.Duration, bad int) {
	for ctx.Err() == nil {
		begin := time.Now()
		status, body, err := s.fetch(ctx, caller, url, "")
		if ctx.Err() != nil {
			break
		}
		if err != nil || status != http.StatusOK || !strings.Contains(body, "fishermen") {
			bad++
		}
		times = append(times, time.Since(begin))
		time.Sleep(10 * time.Millisecond)
	}
	return times, bad
}

// beside measures the cached page alone and then beside a load.
func (w *world) beside(s *server, caller string, length time.Duration, load func(ctx context.Context)) (alone, with []time.Duration, bad int) {
	url := w.fast + "/cached"
	ctx, stop := context.WithTimeout(context.Background(), length/2)
	alone, bad = s.cached(ctx, caller, url)
	stop()
	loading, end := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { load(loading) })
	time.Sleep(time.Second) // until the load is there
	ctx, stop = context.WithTimeout(context.Background(), length)
	var more int
	with, more = s.cached(ctx, caller, url)
	stop()
	end()
	running.Wait()
	return alone, with, bad + more
}

// at returns a percentile.
func at(times []time.Duration, p float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	times = slices.Sorted(slices.Values(times))
	return times[min(int(float64(len(times))*p/100), len(times)-1)].Round(100 * time.Microsecond)
}

func pretty(v any) string { b, _ := json.Marshal(v); return string(b) }
