package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	_ "modernc.org/sqlite"
)

func rows() []row {
	return append(ordinaryRows(), attacks()...)
}

func ordinaryRows() []row {
	return []row{
		{"slow host: cached page beside 200 connections of another caller", "p99 <= 50 ms", slowHost},
		{"slow readers: 64 clients that ask for 5 MB and do not read", "p99 <= 50 ms", slowReaders},
		{"streams: 1,100 idle streams", "health, a new call and /livez within 1 s", idleStreams},
		{"lock: the store's write lock is held for 40 s", ">= 95 % of the calls, SIGTERM within 5 s", heldLock},
		{"memory: 24 pages of 5 MB at a time, control group of 400 MB", "answered or 503, no kill", memoryPages(24)},
		{"memory: 120 pages of 5 MB at a time of one caller, control group of 400 MB", "answered or 503, no kill", memoryPages(120)},
		{"memory: 120 clients ask for 5 MB and do not read, control group of 400 MB", "p99 of others <= 50 ms, no kill", memoryReaders},
		{"browser: zygote killed", "second call works, within 5 s", browserFault(killZygotes)},
		{"browser: stopped by SIGSTOP", "second call works, within 5 s", browserFault(stopBrowser)},
		{"restarts: three under load, the socket is kept", "0 refused, 0 cut", restarts},
		{"flood: 300 connections of one caller that ask for new pages", "others' p50 <= 9 ms, p99 <= 300 ms", manyConnections},
		{"flood: 1,000 clients, one floods with calls that wait", "others' p99 <= 3 x without", flood(200, func(w *world, i, n int) string { return fmt.Sprint(w.slow, "/", i, "/", n) })},
		{"flood: 1,000 clients, one floods with new pages", "others' p99 <= 3 x without", flood(200, func(w *world, i, n int) string { return fmt.Sprint(w.fast, "/flood", i, "/", n) })},
		{"flood: 1,000 clients, one floods with a cached page", "others' p99 <= 3 x without", flood(200, func(w *world, _, _ int) string { return w.fast + "/o1" })},
		{"flood: 1,000 clients, one floods with pages of 5 MB", "others' p99 <= 3 x without", flood(8, func(w *world, i, n int) string { return fmt.Sprint(w.fast, "/large/", i, "/", n) })},
		{"bad input: slow writers, half-open and vanished clients", "p99 <= 50 ms, back within 5 s", badClients},
		{"bad input: flood with wrong tokens", "all refused (401), p99 <= 3 x without or 50 ms", wrongTokens},
		{"bad input: the disk is full and empties again", "every call answered, whole audit lines, stored again within 5 s", fullDisk},
		{"bad input: the disk hangs and goes on again", "every call answered, stored again within 5 s", frozenDisk},
		{"bad input: the clock jumps two hours on, a day back, and to the right time", "every call answered, back within 5 s each time", clocks},
		{"bad input: stores of a later and of the first version, garbage, no folder", "every call answered, back within 5 s", oddStores},
	}
}

const quick = 50 * time.Millisecond

func slowHost(w *world) (string, bool, error) {
	s, err := w.serve("", callers(2), nil, "WEB_HOST_RATE=5/s", "WEB_HOST_CONCURRENCY=4")
	if err != nil {
		return "", false, err
	}
	defer s.kill()
	alone, with, bad := w.beside(s, "other", w.long(15*time.Second), func(ctx context.Context) {
		var all sync.WaitGroup
		for i := range 200 {
			all.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					_, _, _ = s.fetch(ctx, "flood", fmt.Sprint(w.slow, "/", i, "/", n), "")
				}
			})
		}
		all.Wait()
	})
	return fmt.Sprintf("p50 %v, p99 %v of %d; alone p99 %v; %d failed", at(with, 50), at(with, 99), len(with), at(alone, 99), bad), at(with, 99) <= quick && bad == 0, nil
}

// unread asks for a page of 5 MB, and leaves the answer to the caller, who has little room.
func (s *server) unread(page string) (net.Conn, error) {
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		return nil, err
	}
	_ = c.(*net.TCPConn).SetReadBuffer(4096)
	body := fmt.Sprintf(`{"url":%q,"mode":"raw","max_length":6000000}`, page)
	_, err = fmt.Fprintf(c, "POST /v1/tools/web_fetch HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", secret("flood"), len(body), body)
	return c, err
}

func slowReaders(w *world) (string, bool, error) {
	s, err := w.serve("", callers(2), nil)
	if err != nil {
		return "", false, err
	}
	defer s.kill()
	if status, body, err := s.fetch(context.Background(), "flood", w.fast+"/large", `,"mode":"raw"`); err != nil || status != 200 {
		return "", false, fmt.Errorf("the large page: %d %.200s %v", status, body, err)
	}
	alone, with, bad := w.beside(s, "other", w.long(15*time.Second), func(ctx context.Context) {
		for range 64 {
			c, err := s.unread(w.fast + "/large")
			if err == nil {
				defer c.Close()
			}
		}
		<-ctx.Done()
	})
	back := s.back("other").Round(time.Millisecond)
	return fmt.Sprintf("p50 %v, p99 %v of %d; alone p99 %v; %d failed; back after %v", at(with, 50), at(with, 99), len(with), at(alone, 99), bad, back),
		at(with, 99) <= quick && bad == 0 && back <= 5*time.Second, nil
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"chaos","version":"1"}}}`

// session opens a session of MCP.
func (s *server) session(ctx context.Context) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/mcp", strings.NewReader(hello))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	s.sign(r)
	res, err := s.client.Do(r)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		return id, nil
	}
	return "", fmt.Errorf("no session: %d %.100s", res.StatusCode, body)
}

func idleStreams(w *world) (string, bool, error) {
	s, err := w.serve("", nil, nil)
	if err != nil {
		return "", false, err
	}
	defer s.kill()
	id, err := s.session(context.Background())
	if err != nil {
		return "", false, err
	}
	refused := 0
	for range 1100 {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			refused++
			continue
		}
		defer c.Close()
		own := id
		if other, err := s.session(context.Background()); err == nil {
			own = other // a session has one stream
		}
		_, _ = fmt.Fprintf(c, "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nMcp-Session-Id: %s\r\nMcp-Protocol-Version: 2025-11-25\r\n\r\n", own)
	}
	time.Sleep(time.Second)
	var worst time.Duration
	ok := true
	for _, url := range []string{s.url + "/healthz", s.admin + "/livez", s.admin + "/readyz"} {
		begin := time.Now()
		res, err := http.Get(url)
		if err != nil || res.StatusCode != 200 {
			ok = false
		} else {
			res.Body.Close()
		}
		worst = max(worst, time.Since(begin))
	}
	begin := time.Now()
	status, _, err := s.fetch(context.Background(), "", w.fast+"/new", "")
	worst = max(worst, time.Since(begin))
	return fmt.Sprintf("slowest %v, %.0f streams open, call: %d %v", worst.Round(time.Millisecond), s.metric("spyhop_mcp_streams"), status, err),
		ok && err == nil && status == 200 && worst <= time.Second, nil
}

// rate calls for new pages for a while and returns calls a second.
func (w *world) rate(s *server, length time.Duration, name string) (perSecond float64, bad int64) {
	ctx, stop := context.WithTimeout(context.Background(), length)
	defer stop()
	var done, failed atomic.Int64
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				status, _, err := s.fetch(ctx, "", fmt.Sprint(w.fast, "/", name, i, "/", n), "")
				switch {
				case ctx.Err() != nil:
				case err != nil || status != 200:
					failed.Add(1)
				default:
					done.Add(1)
				}
			}
		})
	}
	begin := time.Now()
	all.Wait()
	return float64(done.Load()) / time.Since(begin).Seconds(), failed.Load()
}

// database opens the store's file.
func database(s *server) (*sql.DB, error) {
	files, _ := filepath.Glob(filepath.Join(s.dir, "*.sqlite*"))
	if more, _ := filepath.Glob(filepath.Join(s.dir, "*.db")); len(more) > 0 {
		files = append(more, files...)
	}
	for _, f := range files {
		if !strings.HasSuffix(f, "-wal") && !strings.HasSuffix(f, "-shm") {
			return sql.Open("sqlite", f)
		}
	}
	return nil, errors.New("no store was found")
}

func heldLock(w *world) (string, bool, error) {
	s, err := w.serve("", nil, nil)
	if err != nil {
		return "", false, err
	}
	defer s.kill()
	w.rate(s, time.Second, "warm")
	before, bad := w.rate(s, w.long(20*time.Second), "before")
	db, err := database(s)
	if err != nil {
		return "", false, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE"); err != nil {
		return "", false, err
	}
	during, more := w.rate(s, w.long(40*time.Second), "during")
	dropped := s.metric("spyhop_store_dropped_total")
	took := s.stop()
	return fmt.Sprintf("%.0f calls/s before, %.0f during (%.0f %%), %d failed, %.0f writes left out, SIGTERM took %v", before, during, 100*during/before, bad+more, dropped, took.Round(10*time.Millisecond)),
		during >= .95*before && bad+more == 0 && took <= 5*time.Second, nil
}

// group makes a control group with a limit of memory.
func group(limit int64) (dir string, err error) {
	name := "spyhop-chaos-" + strconv.Itoa(os.Getpid())
	for _, v := range []struct{ root, file string }{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}} {
		dir = filepath.Join(v.root, name)
		if err = os.Mkdir(dir, 0o755); err != nil {
			continue
		}
		if err = os.WriteFile(filepath.Join(dir, v.file), []byte(strconv.FormatInt(limit, 10)), 0o644); err == nil {
			return dir, nil
		}
		_ = os.Remove(dir)
	}
	return "", fmt.Errorf("no control group can be made: %w", err)
}

// inGroup starts a server in a control group of 400 MB. peak is what the group has used,
// in MiB; end ends both.
func (w *world) inGroup(callers []string) (s *server, peak func() string, end func(), err error) {
	dir, err := group(400 << 20)
	if err != nil {
		return nil, nil, nil, err
	}
	end = func() {
		if s != nil {
			s.kill()
		}
		for range 100 { // until the kernel has seen the end of its processes
			if os.Remove(dir) == nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	s, err = w.serve("", callers, func(c *exec.Cmd) {
		c.Args = append([]string{"sh", "-c", `echo $$ > "$0/cgroup.procs" && exec "$@"`, dir, c.Path}, c.Args[1:]...)
		c.Path = "/bin/sh"
	})
	if err != nil {
		end()
		return nil, nil, nil, err
	}
	peak = func() string {
		for _, file := range []string{"memory.max_usage_in_bytes", "memory.peak"} {
			if data, err := os.ReadFile(filepath.Join(dir, file)); err == nil {
				n, _ := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
				return fmt.Sprint(n >> 20)
			}
		}
		return "?"
	}
	return s, peak, end, nil
}

// memoryPages reads so many pages at a time.
func memoryPages(n int) func(w *world) (string, bool, error) {
	return func(w *world) (string, bool, error) {
		s, peak, end, err := w.inGroup(nil)
		if err != nil {
			return "", false, err
		}
		defer end()
		var all sync.WaitGroup
		var mu sync.Mutex
		statuses := map[string]int{}
		for i := range n {
			all.Go(func() {
				status, _, err := s.fetch(context.Background(), "", fmt.Sprint(w.fast, "/large/", i), `,"timeout_ms":120000`)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					statuses["cut"]++
					return
				}
				statuses[strconv.Itoa(status)]++
			})
		}
		begin := time.Now()
		all.Wait()
		took, killed := time.Since(begin), s.gone()
		return fmt.Sprintf("%s in %v, peak %s MiB, killed: %v", pretty(statuses), took.Round(100*time.Millisecond), peak(), killed),
			!killed && statuses["cut"] == 0 && statuses["200"]+statuses["503"] == n, nil
	}
}

// memoryReaders lets one caller ask for more than fits into memory, and read nothing.
func memoryReaders(w *world) (string, bool, error) {
	s, peak, end, err := w.inGroup(callers(2))
	if err != nil {
		return "", false, err
	}
	defer end()
	alone, with, bad := w.beside(s, "other", w.long(15*time.Second), func(ctx context.Context) {
		for i := range 120 {
			c, err := s.unread(fmt.Sprint(w.fast, "/large/", i))
			if err == nil {
				defer c.Close()
			}
		}
		<-ctx.Done()
	})
	back, killed := s.back("other").Round(time.Millisecond), s.gone()
	return fmt.Sprintf("p50 %v, p99 %v of %d; alone p99 %v; %d failed; back after %v; peak %s MiB, killed: %v", at(with, 50), at(with, 99), len(with), at(alone, 99), bad, back, peak(), killed),
		at(with, 99) <= quick && bad == 0 && !killed, nil
}

func restarts(w *world) (string, bool, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", false, err
	}
	defer l.Close()
	socket, err := l.(*net.TCPListener).File()
	if err != nil {
		return "", false, err
	}
	defer socket.Close()
	url, dir := "http://"+l.Addr().String(), w.folder()
	start := func() (*server, error) {
		return w.serve(dir, nil, func(c *exec.Cmd) {
			c.Args = append([]string{"sh", "-c", `LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"`, "sh", c.Path}, c.Args[1:]...)
			c.Path, c.ExtraFiles = "/bin/sh", []*os.File{socket}
		})
	}
	s, err := start()
	if err != nil {
		return "", false, err
	}
	ctx, end := context.WithCancel(context.Background())
	var done, refused, cut, other atomic.Int64
	var why sync.Map // the errors of calls that were cut
	var worst atomic.Int64
	var all sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	for i := range 32 {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				page := w.fast
				if i < 4 {
					page = w.slow // calls that last for longer than a restart takes to begin
				}
				begin := time.Now()
				res, err := client.Post(url+"/v1/tools/web_fetch", "application/json", strings.NewReader(fmt.Sprintf(`{"url":"%s/%d/%d"}`, page, i, n)))
				switch {
				case errors.Is(err, syscall.ECONNREFUSED):
					refused.Add(1)
				case err != nil:
					cut.Add(1)
					why.Store(err.Error(), true)
				default:
					_, err := io.Copy(io.Discard, res.Body)
					res.Body.Close()
					switch {
					case err != nil:
						cut.Add(1)
						why.Store(err.Error(), true)
					case res.StatusCode == 200:
						done.Add(1)
					default:
						other.Add(1)
					}
				}
				if i >= 4 {
					worst.Store(max(worst.Load(), int64(time.Since(begin))))
				}
			}
		})
	}
	var down []string
	for range 3 {
		time.Sleep(w.long(5 * time.Second))
		took := s.stop()
		begin := time.Now()
		if s, err = start(); err != nil {
			end()
			all.Wait()
			return "", false, err
		}
		down = append(down, fmt.Sprintf("%v+%v", took.Round(100*time.Millisecond), time.Since(begin).Round(10*time.Millisecond)))
	}
	time.Sleep(w.long(3 * time.Second))
	end()
	all.Wait()
	s.stop()
	why.Range(func(k, _ any) bool { fmt.Fprintln(os.Stderr, "cut:", k); return true })
	return fmt.Sprintf("%d answered, %d refused, %d cut, %d other; drain and start %s; longest wait %v", done.Load(), refused.Load(), cut.Load(), other.Load(), strings.Join(down, ", "), time.Duration(worst.Load()).Round(100*time.Millisecond)),
		refused.Load() == 0 && cut.Load() == 0 && other.Load() == 0, nil
}

// others makes one call of each of 1,000 clients over a length of time.
func (w *world) others(s *server, names []string, length time.Duration) (times []time.Duration, bad int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 1000 {
		all.Go(func() {
			time.Sleep(length * time.Duration(i) / 1000)
			begin := time.Now()
			status, _, err := s.fetch(context.Background(), names[1+i%(len(names)-1)], fmt.Sprint(w.fast, "/o", i%50), "")
			mu.Lock()
			defer mu.Unlock()
			times = append(times, time.Since(begin))
			if err != nil || status != 200 {
				bad++
			}
		})
	}
	all.Wait()
	return times, bad
}

// flood lets one caller have so many clients that ask for pages without end.
func flood(clients int, page func(w *world, client, n int) string) func(*world) (string, bool, error) {
	return func(w *world) (string, bool, error) { return w.flood(clients, page) }
}

func (w *world) flood(clients int, page func(w *world, client, n int) string) (string, bool, error) {
	names := callers(100) // 1,000 clients of 100 principals
	s, err := w.serve("", names, nil)
	if err != nil {
		return "", false, err
	}
	defer s.kill()
	length := w.long(30 * time.Second)
	w.others(s, names, length/4) // the pages are stored
	used := s.processors()
	alone, bad := w.others(s, names, length)
	usedAlone := used()
	ctx, end := context.WithCancel(context.Background())
	var flooding sync.WaitGroup
	var sent atomic.Int64
	for i := range clients {
		flooding.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				_, _, _ = s.fetch(ctx, "flood", page(w, i, n), "")
				sent.Add(1)
			}
		})
	}
	time.Sleep(time.Second)
	used = s.processors()
	with, more := w.others(s, names, length)
	hog := max(used()-usedAlone, .1)
	end()
	flooding.Wait()
	floorAlone, floorWith, err := w.floor(names, length, hog)
	if err != nil {
		return "", false, err
	}
	return fmt.Sprintf("p99 %v without, %v with (%.1f x); p50 %v and %v; the flood had %d answers; %d failed; a bare handler beside %.1f busy processors: p99 %v without, %v with (%.1f x)",
			at(alone, 99), at(with, 99), ratio(with, alone), at(alone, 50), at(with, 50), sent.Load(), bad+more, hog, at(floorAlone, 99), at(floorWith, 99), ratio(floorWith, floorAlone)),
		at(with, 99) <= 3*at(alone, 99) && bad+more == 0, nil
}

// manyConnections has one caller fetch new pages over 300 connections, while another fetches a
// cached page.
func manyConnections(w *world) (string, bool, error) {
	s, err := w.serve("", callers(2), nil)
	if err != nil {
		return "", false, err
	}
	defer s.kill()
	s.client.Transport.(*http.Transport).MaxIdleConnsPerHost = 320
	var sent atomic.Int64
	alone, with, bad := w.beside(s, "other", w.long(20*time.Second), func(ctx context.Context) {
		var all sync.WaitGroup
		for i := range 300 {
			all.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					_, _, _ = s.fetch(ctx, "flood", fmt.Sprint(w.fast, "/many", i, "/", n), "")
					sent.Add(1)
				}
			})
		}
		all.Wait()
	})
	return fmt.Sprintf("p50 %v, p99 %v of %d; alone p50 %v, p99 %v; the flood had %d answers; %d failed", at(with, 50), at(with, 99), len(with), at(alone, 50), at(alone, 99), sent.Load(), bad),
		at(with, 50) <= 9*time.Millisecond && at(with, 99) <= 300*time.Millisecond && bad == 0, nil
}

func ratio(with, alone []time.Duration) float64 {
	return float64(at(with, 99)) / float64(max(at(alone, 99), 1))
}

func badClients(w *world) (string, bool, error) {
	s, err := w.serve("", callers(2), nil)
	if err != nil {
		return "", false, err
	}
	defer s.kill()
	address := strings.TrimPrefix(s.url, "http://")
	before := s.metric("go_goroutines")
	alone, with, bad := w.beside(s, "other", w.long(20*time.Second), func(ctx context.Context) {
		var all sync.WaitGroup
		for i := range 300 {
			all.Go(func() {
				for ctx.Err() == nil {
					c, err := net.Dial("tcp", address)
					if err != nil {
						continue
					}
					switch i % 5 {
					case 4: // half-open: the client is gone, and no packet says so
						_, _ = fmt.Fprintf(c, "POST /v1/tools/web_fetch HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: 900000\r\n\r\n{", secret("flood"))
						wait(ctx, 50*time.Millisecond)
						silently(c)
						wait(ctx, time.Second)
					case 0: // nothing is sent
						wait(ctx, 3*time.Second)
					case 1: // headers, a byte at a time
						for _, b := range []byte("POST /v1/tools/web_fetch HTTP/1.1\r\nHost: 127.0.0.1\r\n") {
							if _, err := c.Write([]byte{b}); err != nil || !wait(ctx, 200*time.Millisecond) {
								break
							}
						}
					case 2: // a body that does not come whole
						_, _ = fmt.Fprintf(c, "POST /v1/tools/web_fetch HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: 900000\r\n\r\n{", secret("flood"))
						wait(ctx, 3*time.Second)
					case 3: // a call whose client vanishes
						_, _ = fmt.Fprintf(c, "POST /v1/tools/web_fetch HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n{\"url\":%q}", secret("flood"), len(w.slow)+10, w.slow)
						wait(ctx, 300*time.Millisecond)
						_ = c.(*net.TCPConn).SetLinger(0) // a reset
					}
					_ = c.Close()
				}
			})
		}
		all.Wait()
	})
	back := s.back("other").Round(time.Millisecond)
	begin := time.Now()
	for s.metric("go_goroutines") > before+50 && time.Since(begin) < 45*time.Second { // a body may take 30 s
		time.Sleep(100 * time.Millisecond)
	}
	left := time.Since(begin).Round(100 * time.Millisecond)
	return fmt.Sprintf("p50 %v, p99 %v; alone p99 %v; %d failed; back after %v; goroutines %.0f before, %.0f after %v", at(with, 50), at(with, 99), at(alone, 99), bad, back, before, s.metric("go_goroutines"), left),
		at(with, 99) <= quick && bad == 0 && back <= 5*time.Second && left <= 40*time.Second, nil
}

// silently closes a connection and sends no packet, like a machine that loses its power
// (TCP_REPAIR of tcp(7)). Without CAP_NET_ADMIN the other side gets the usual FIN.
func silently(c net.Conn) {
	const tcpRepair = 19
	if raw, err := c.(*net.TCPConn).SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpRepair, 1) })
	}
}

func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func wrongTokens(w *world) (string, bool, error) {
	s, err := w.serve("", callers(2), nil)
	if err != nil {
		return "", false, err
	}
	defer s.kill()
	var refused, let atomic.Int64
	alone, with, bad := w.beside(s, "other", w.long(10*time.Second), func(ctx context.Context) {
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					status, _, err := s.fetch(ctx, fmt.Sprint("nobody", i, n), w.fast+"/cached", "")
					switch {
					case err != nil:
					case status == 401:
						refused.Add(1)
					default:
						let.Add(1)
					}
				}
			})
		}
		all.Wait()
	})
	back := s.back("other").Round(time.Millisecond)
	return fmt.Sprintf("%d refused, %d let in; p99 %v, alone %v; %d failed; back after %v", refused.Load(), let.Load(), at(with, 99), at(alone, 99), bad, back),
		back <= 5*time.Second && let.Load() == 0 && refused.Load() > 0 && bad == 0 && at(with, 99) <= max(3*at(alone, 99), quick), nil
}
