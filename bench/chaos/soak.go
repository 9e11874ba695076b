package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// sample is the state of the server at a time.
type sample struct {
	at                                                                       time.Duration
	calls, refused                                                           int64
	heap, goTotal, rss, goroutines, files, disk, sessions, contexts, browser float64
}

// soak lets sessions come and go: each reads pages, most of them new ones, some open the
// browser, and all end; with --vanish half of them do so without saying it, and stay until
// they have been idle for an hour.
func (w *world) soak(length time.Duration) error {
	s, err := w.serve("", nil, nil, "WEB_CACHE_BYTES=16777216")
	if err != nil {
		return err
	}
	defer s.stop()
	ctx, end := context.WithTimeout(context.Background(), length)
	defer end()
	var calls, refused atomic.Int64
	var said sync.Map
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				w.visit(ctx, s, i, n, &calls, &refused, &said)
			}
		})
	}
	var samples []sample
	begin := time.Now()
	fmt.Printf("| minutes | calls | refused | MiB | heap MiB | Go MiB | goroutines | files | disk MiB | sessions | contexts | browser MiB |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	step := max(length/30, 2*time.Second)
	for ctx.Err() == nil {
		wait(ctx, step)
		x := sample{at: time.Since(begin), calls: calls.Load(), refused: refused.Load(), heap: s.metric("go_memstats_heap_alloc_bytes") / (1 << 20), goTotal: s.metric("go_memstats_sys_bytes") / (1 << 20), rss: s.metric("process_resident_memory_bytes") / (1 << 20),
			goroutines: s.metric("go_goroutines"), files: s.metric("process_open_fds"), disk: diskUse(s.dir), sessions: s.metric("spyhop_mcp_sessions"),
			contexts: s.metric("spyhop_browser_contexts"), browser: s.metric("spyhop_browser_memory_bytes") / (1 << 20)}
		samples = append(samples, x)
		fmt.Printf("| %.1f | %d | %d | %.0f | %.0f | %.0f | %.0f | %.0f | %.1f | %.0f | %.0f | %.0f |\n", x.at.Minutes(), x.calls, x.refused, x.rss, x.heap, x.goTotal, x.goroutines, x.files, x.disk, x.sessions, x.contexts, x.browser)
	}
	all.Wait()
	said.Range(func(k, v any) bool { fmt.Printf("refused: %v (%d)\n", k, v.(*atomic.Int64).Load()); return true })
	if len(samples) >= 9 {
		third := len(samples) / 3
		fmt.Println()
		for name, of := range map[string]func(sample) float64{
			"memory MiB": func(x sample) float64 { return x.rss }, "goroutines": func(x sample) float64 { return x.goroutines },
			"files": func(x sample) float64 { return x.files }, "disk MiB": func(x sample) float64 { return x.disk },
		} {
			fmt.Printf("mean %s: second third %.1f, last third %.1f\n", name, mean(samples[third:2*third], of), mean(samples[len(samples)-third:], of))
		}
	}
	if refused.Load() > 0 {
		return fmt.Errorf("%d calls were refused", refused.Load())
	}
	return nil
}

func mean(all []sample, of func(sample) float64) (sum float64) {
	for _, x := range all {
		sum += of(x)
	}
	return sum / float64(len(all))
}

// visit is one session.
func (w *world) visit(ctx context.Context, s *server, i, n int, calls, refused *atomic.Int64, said *sync.Map) {
	bad := func(why string) {
		if ctx.Err() != nil {
			return
		}
		refused.Add(1)
		if len(why) > 160 {
			why = why[:160]
		}
		count, _ := said.LoadOrStore(why, new(atomic.Int64))
		count.(*atomic.Int64).Add(1)
		wait(ctx, 100*time.Millisecond)
	}
	id, err := s.session(ctx)
	if err != nil {
		bad(err.Error())
		return
	}
	call := func(tool, args string) {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, args)
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/mcp", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Mcp-Session-Id", id)
		s.sign(r)
		r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
		res, err := s.client.Do(r)
		if err != nil {
			bad(err.Error())
			return
		}
		defer res.Body.Close()
		answer, _ := io.ReadAll(res.Body)
		calls.Add(1)
		if res.StatusCode != 200 || strings.Contains(string(answer), `"isError":true`) {
			bad(fmt.Sprintf("%s: %d %s", tool, res.StatusCode, answer))
		}
	}
	for p := range 4 {
		call("web_fetch", fmt.Sprintf(`{"url":"%s/s%d/%d/%d"}`, w.fast, i, n, p))
		call("web_fetch", fmt.Sprintf(`{"url":"%s/often%d"}`, w.fast, p))
	}
	if n%4 == i%4 {
		call("browser_navigate", fmt.Sprintf(`{"url":"%s/b%d/%d"}`, w.fast, i, n))
	}
	if !w.vanish || n%2 == 0 {
		r, _ := http.NewRequestWithContext(ctx, http.MethodDelete, s.url+"/mcp", nil)
		s.sign(r)
		r.Header.Set("Mcp-Session-Id", id)
		r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
		if res, err := s.client.Do(r); err == nil {
			res.Body.Close()
		}
	}
	wait(ctx, 20*time.Millisecond)
}

// diskUse is the size of a folder's files in MiB.
func diskUse(dir string) (sum float64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				sum += float64(info.Size()) / (1 << 20)
			}
		}
		return nil
	})
	return sum
}
