package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// attack is what 100 clients of one caller do again and again, at most 20 times a second, each
// time with a new connection, while another caller reads a cached page. It returns how the server
// answered: a status, or what else happened. wants has the answers that are right.
type attack struct {
	name   string
	length time.Duration // a body may take 30 s
	wants  string
	run    func(ctx context.Context, w *world, c net.Conn) string
}

func (a attack) row(w *world) (string, bool, error) {
	s, err := w.serve("", callers(2), nil)
	if err != nil {
		return "", false, err
	}
	defer s.kill()
	var mu sync.Mutex
	got := map[string]int{}
	alone, with, bad := w.beside(s, "other", w.long(a.length), func(ctx context.Context) {
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				for ctx.Err() == nil {
					said := "no connection"
					if c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://")); err == nil {
						_ = c.SetDeadline(time.Now().Add(45 * time.Second))
						stop := context.AfterFunc(ctx, func() { _ = c.Close() })
						said = a.run(ctx, w, c)
						stop()
						_ = c.Close()
					}
					if ctx.Err() == nil {
						mu.Lock()
						got[said]++
						mu.Unlock()
					}
					wait(ctx, 50*time.Millisecond)
				}
			})
		}
		all.Wait()
	})
	back := s.back("other").Round(time.Millisecond)
	ok := bad == 0 && back <= 5*time.Second && at(with, 99) <= max(3*at(alone, 99), quick)
	for said := range got {
		ok = ok && strings.Contains(" "+a.wants+" ", " "+said+" ")
	}
	return fmt.Sprintf("%s; p99 %v, alone %v; %d failed; back after %v", pretty(got), at(with, 99), at(alone, 99), bad, back), ok, nil
}

// status reads the head of an answer and its body.
func status(in *bufio.Reader) string {
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		return "cut"
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return "half"
	}
	return fmt.Sprint(res.StatusCode)
}

func head(method, path, more string) string {
	return method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + secret("flood") + "\r\n" + more + "\r\n"
}

func attacks() (all []row) {
	const tool = "/v1/tools/web_fetch"
	for _, a := range []attack{
		{"Expect: 100-continue, and no body", 40 * time.Second, "400 503", func(_ context.Context, _ *world, c net.Conn) string {
			_, _ = io.WriteString(c, head("POST", tool, "Expect: 100-continue\r\nContent-Length: 900000\r\n"))
			in := bufio.NewReader(c)
			if said := status(in); said != "100" {
				return said
			}
			return status(in)
		}},
		{"Expect: 100-continue with a wrong token", 15 * time.Second, "401", func(_ context.Context, _ *world, c net.Conn) string {
			_, _ = io.WriteString(c, strings.Replace(head("POST", tool, "Expect: 100-continue\r\nContent-Length: 900000\r\n"), secret("flood"), "wrong", 1))
			return status(bufio.NewReader(c))
		}},
		{"chunks without an end, 1.6 MB a second", 15 * time.Second, "413 503", func(ctx context.Context, _ *world, c net.Conn) string {
			_, _ = io.WriteString(c, head("POST", tool, "Transfer-Encoding: chunked\r\n"))
			go func() {
				chunk := "4000\r\n" + strings.Repeat("x", 0x4000) + "\r\n"
				for wait(ctx, 10*time.Millisecond) {
					if _, err := io.WriteString(c, chunk); err != nil {
						return
					}
				}
			}()
			return status(bufio.NewReader(c))
		}},
		{"chunks without an end, a byte a second", 40 * time.Second, "400 503", func(ctx context.Context, _ *world, c net.Conn) string {
			_, _ = io.WriteString(c, head("POST", tool, "Transfer-Encoding: chunked\r\n"))
			go func() {
				for wait(ctx, time.Second) {
					if _, err := io.WriteString(c, "1\r\n \r\n"); err != nil {
						return
					}
				}
			}()
			return status(bufio.NewReader(c))
		}},
		{"50 requests in a row without waiting for answers", 15 * time.Second, "200", func(_ context.Context, w *world, c net.Conn) string {
			in := bufio.NewReader(c)
			body := fmt.Sprintf(`{"url":"%s/cached"}`, w.fast)
			go func() {
				_, _ = io.WriteString(c, strings.Repeat(head("POST", tool, fmt.Sprintf("Content-Length: %d\r\n", len(body)))+body, 50))
			}()
			for range 50 {
				if said := status(in); said != "200" {
					return said
				}
			}
			return "200"
		}},
		{"headers of 64 kB", 15 * time.Second, "431", func(_ context.Context, _ *world, c net.Conn) string {
			_, _ = io.WriteString(c, head("GET", "/v1/tools", "X-Long: "+strings.Repeat("x", 64<<10)+"\r\n"))
			return status(bufio.NewReader(c))
		}},
		{"5,000 headers", 15 * time.Second, "200 431", func(_ context.Context, _ *world, c net.Conn) string {
			_, _ = io.WriteString(c, head("GET", "/v1/tools", strings.Repeat("A: b\r\n", 5000)))
			return status(bufio.NewReader(c))
		}},
		{"WebSocket on the events of the live page", 15 * time.Second, "200 401 503", func(ctx context.Context, _ *world, c net.Conn) string {
			_, _ = io.WriteString(c, head("GET", "/activity/events", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"))
			in := bufio.NewReader(c)
			res, err := http.ReadResponse(in, nil)
			if err != nil {
				return "cut"
			}
			wait(ctx, 100*time.Millisecond)
			return fmt.Sprint(res.StatusCode)
		}},
		{"MCP calls whose clients vanish in the stream", 15 * time.Second, "left", func(ctx context.Context, w *world, c net.Conn) string {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"web_fetch","arguments":{"url":"%s/%p"},"_meta":{"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, w.slow, c)
			_, _ = io.WriteString(c, head("POST", "/mcp", fmt.Sprintf("Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: web_fetch\r\nContent-Length: %d\r\n", len(body)))+body)
			wait(ctx, 200*time.Millisecond)
			_ = c.(*net.TCPConn).SetLinger(0) // a reset
			return "left"
		}},
		{"idle MCP streams whose machines lose their power", 15 * time.Second, "200 503", func(ctx context.Context, _ *world, c net.Conn) string {
			_, _ = io.WriteString(c, head("POST", "/mcp", fmt.Sprintf("Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n", len(hello)))+hello)
			res, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				return "cut"
			}
			_, _ = io.WriteString(c, head("GET", "/mcp", "Accept: text/event-stream\r\nMcp-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: "+res.Header.Get("Mcp-Session-Id")+"\r\n"))
			wait(ctx, 50*time.Millisecond)
			silently(c)
			return fmt.Sprint(res.StatusCode)
		}},
	} {
		all = append(all, row{"bad input: " + a.name, "answered or refused with a reason, p99 <= 3 x without or 50 ms, back within 5 s", a.row})
	}
	return append(all,
		row{"operations: SIGHUP 20 times a second under load", "0 failed", hangups},
		row{"operations: SIGTERM in a flood", "each call answered or refused, ended within 10 s", terminated},
		row{"bad input: the disk is full while sessions come and go", "0 refused, whole audit lines, back within 5 s", fullSoak})
}

// hangups reloads while calls run. The file of tokens changes each time.
func hangups(w *world) (string, bool, error) {
	s, err := w.serve("", callers(3), nil)
	if err != nil {
		return "", false, err
	}
	defer s.kill()
	ctx, end := context.WithTimeout(context.Background(), w.long(15*time.Second))
	defer end()
	var calls, failed atomic.Int64
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				status, _, err := s.fetch(ctx, []string{"flood", "other"}[i%2], fmt.Sprint(w.fast, "/h", i, "/", n/2), "")
				if ctx.Err() != nil {
					return
				}
				calls.Add(1)
				if err != nil || status != 200 {
					failed.Add(1)
				}
			}
		})
	}
	n := 0
	for ; wait(ctx, 50*time.Millisecond); n++ {
		_ = s.cmd.Process.Signal(syscall.SIGHUP)
	}
	all.Wait()
	return fmt.Sprintf("%d calls, %d failed, %d signals; ended: %v", calls.Load(), failed.Load(), n, s.gone()), failed.Load() == 0 && calls.Load() > 0 && !s.gone(), nil
}

// terminated ends the server while 200 clients call for cached, new and slow pages.
func terminated(w *world) (string, bool, error) {
	s, err := w.serve("", callers(2), nil, "WEB_SERVE_GRACE=3s")
	if err != nil {
		return "", false, err
	}
	defer s.kill()
	ctx, end := context.WithCancel(context.Background())
	var mu sync.Mutex
	got := map[string]int{}
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				page := []string{w.fast + "/cached", fmt.Sprint(w.fast, "/t", i, "/", n), fmt.Sprint(w.slow, "/", i, "/", n)}[i%3]
				status, _, err := s.fetch(context.Background(), []string{"flood", "other"}[i%2], page, "")
				said := fmt.Sprint(status)
				if err != nil {
					said = "cut"
					if errors.Is(err, syscall.ECONNREFUSED) {
						said = "refused"
					}
				}
				mu.Lock()
				got[said]++
				mu.Unlock()
				if err != nil || status != 200 {
					return
				}
			}
		})
	}
	time.Sleep(2 * time.Second)
	took := s.stop().Round(10 * time.Millisecond)
	end()
	all.Wait()
	return fmt.Sprintf("%s; ended after %v", pretty(got), took), got["cut"] == 0 && got["200"] > 0 && took <= 10*time.Second, nil
}

// fullSoak fills the disk while sessions come and go, twice.
func fullSoak(w *world) (string, bool, error) {
	dir := w.folder()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "size=40m,mode=0700"); err != nil {
		return "", false, fmt.Errorf("no small file system can be mounted: %w", err)
	}
	defer func() { _ = syscall.Unmount(dir, 0) }()
	s, err := w.serve(dir, nil, nil, "WEB_CACHE_BYTES=4000000", "WEB_RECALL_BYTES=4000000", "WEB_AUDIT_KEEP=4000000")
	if err != nil {
		return "", false, err
	}
	defer s.stop()
	ctx, end := context.WithCancel(context.Background())
	defer end()
	var calls, refused atomic.Int64
	var said sync.Map
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for n := 1; ctx.Err() == nil; n++ {
				w.visit(ctx, s, i, 4*n+i+1, &calls, &refused, &said) // without a browser
			}
		})
	}
	var back []string
	ok := true
	filler := filepath.Join(dir, "filler")
	for range 2 {
		wait(ctx, w.long(5*time.Second))
		f, err := os.Create(filler)
		if err != nil {
			return "", false, err
		}
		for block := make([]byte, 4096); err == nil; {
			_, err = f.Write(block)
		}
		wait(ctx, w.long(5*time.Second))
		_ = f.Close()
		_ = os.Remove(filler)
		took := s.back("")
		ok = ok && took <= 5*time.Second
		back = append(back, took.Round(10*time.Millisecond).String())
	}
	end()
	all.Wait()
	said.Range(func(why, _ any) bool { fmt.Fprintln(os.Stderr, "refused:", why); return true })
	lines, broken, err := auditLines(filepath.Join(dir, "audit.jsonl"))
	if err != nil {
		return "", false, err
	}
	return fmt.Sprintf("%d calls, %d refused; %d audit lines, %d broken, %.0f counted as lost; stored again after %s", calls.Load(), refused.Load(), lines, broken, s.metric(`spyhop_audit_lost_total{sink="file"}`), strings.Join(back, ", ")),
		ok && refused.Load() == 0 && broken == 0 && calls.Load() > 0, nil
}
