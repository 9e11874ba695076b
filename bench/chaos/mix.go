package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// mix lets every part of the server work at the same time, for the race detector: its
// program is built with -race, and each report is in the server's log.
func (w *world) mix(length time.Duration) error {
	info, err := buildinfo.ReadFile(w.program)
	if err != nil {
		return err
	}
	if !slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return fmt.Errorf("%s was built without -race and would report nothing", w.program)
	}
	finds, err := w.results()
	if err != nil {
		return err
	}
	s, err := w.serve("", callers(4), nil, "SEARXNG_URL="+finds, "WEB_ALLOW_PRIVATE="+strings.TrimPrefix(w.fast, "http://")+","+strings.TrimPrefix(w.slow, "http://")+","+strings.TrimPrefix(finds, "http://"))
	if err != nil {
		return err
	}
	defer s.stop()
	s.caller = "other"
	ctx, end := context.WithTimeout(context.Background(), length)
	defer end()
	type kind struct {
		name       string
		at         int // how many do it at a time
		run        func(ctx context.Context, n int) (status int, err error)
		done, fail atomic.Int64
		last       atomic.Value
	}
	get := func(method, path, caller, body string) (int, string, error) {
		r, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
		if err != nil {
			return 0, "", err
		}
		r.Header.Set("Authorization", "Bearer "+secret(caller))
		r.Header.Set("Content-Type", "application/json")
		res, err := s.client.Do(r)
		if err != nil {
			return 0, "", err
		}
		defer res.Body.Close()
		answer, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		return res.StatusCode, string(answer), err
	}
	tool := func(caller, name, body string) (int, error) {
		status, _, err := s.call(ctx, caller, name, body)
		return status, err
	}
	kinds := []*kind{
		{name: "fetch, new and cached", at: 3, run: func(_ context.Context, n int) (int, error) {
			return tool("other", "web_fetch", fmt.Sprintf(`{"url":"%s/m%d"}`, w.fast, n/2))
		}},
		{name: "fetch, the same at once", at: 2, run: func(_ context.Context, n int) (int, error) {
			return tool("caller2", "web_fetch", fmt.Sprintf(`{"url":"%s/same%d","query":"fishermen","fresh":true}`, w.fast, n/8))
		}},
		{name: "fetch, clients that leave", at: 1, run: func(ctx context.Context, n int) (int, error) {
			short, stop := context.WithTimeout(ctx, 20*time.Millisecond)
			defer stop()
			_, _, _ = s.fetch(short, "other", fmt.Sprint(w.slow, "/", n), "")
			return 200, nil
		}},
		{name: "search", at: 1, run: func(_ context.Context, n int) (int, error) {
			return tool("other", "web_search", fmt.Sprintf(`{"query":"ferry %d"}`, n/3))
		}},
		{name: "browser", at: 2, run: func(_ context.Context, n int) (int, error) {
			return tool(fmt.Sprint("caller", 2+n%2), "browser_navigate", fmt.Sprintf(`{"url":"%s/b%d"}`, w.fast, n))
		}},
		{name: "crawl as a call", at: 1, run: func(_ context.Context, n int) (int, error) {
			return tool("other", "web_crawl", fmt.Sprintf(`{"url":"%s/c%d","max_pages":3}`, w.fast, n))
		}},
		{name: "job with its events", at: 1, run: func(_ context.Context, n int) (int, error) {
			status, body, err := get("POST", "/v1/crawls", "caller3", fmt.Sprintf(`{"url":"%s/j%d","max_pages":3}`, w.fast, n))
			if err != nil || status >= 300 {
				return status, err
			}
			_, id, _ := strings.Cut(body, `"job":"`)
			if id, _, _ = strings.Cut(id, `"`); id == "" {
				return 0, fmt.Errorf("no job in %.200s", body)
			}
			status, _, err = get("GET", "/v1/crawls/"+id+"/events", "caller3", "")
			return status, err
		}},
		{name: "live page", at: 2, run: func(_ context.Context, n int) (int, error) {
			paths := []string{"/", "/activity", "/browser", "/crawls", "/docs", "/openapi.json", "/metrics"}
			status, _, err := get("GET", paths[n%len(paths)], "other", "")
			if status == http.StatusNotFound {
				status = 200 // a view that is not there says so
			}
			return status, err
		}},
		{name: "live events", at: 2, run: func(ctx context.Context, n int) (int, error) {
			short, stop := context.WithTimeout(ctx, 2*time.Second)
			defer stop()
			r, err := http.NewRequestWithContext(short, "GET", s.url+"/activity/events", nil)
			if err != nil {
				return 0, err
			}
			r.Header.Set("Authorization", "Bearer "+secret("other"))
			res, err := s.client.Do(r)
			if err != nil {
				return 0, err
			}
			defer res.Body.Close()
			_, _ = io.Copy(io.Discard, res.Body)
			return res.StatusCode, nil
		}},
		{name: "reload", at: 1, run: func(ctx context.Context, _ int) (int, error) {
			wait(ctx, time.Second)
			return 200, s.cmd.Process.Signal(syscall.SIGHUP)
		}},
		{name: "browser killed", at: 1, run: func(ctx context.Context, _ int) (int, error) {
			if wait(ctx, 40*time.Second) {
				killZygotes(s)
			}
			return 200, nil
		}},
		{name: "metrics and health", at: 1, run: func(ctx context.Context, _ int) (int, error) {
			wait(ctx, 200*time.Millisecond)
			s.metric("go_goroutines")
			status, _, err := get("GET", "/healthz", "other", "")
			return status, err
		}},
	}
	var all sync.WaitGroup
	for _, k := range kinds {
		for range k.at {
			all.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					status, err := k.run(ctx, n)
					if ctx.Err() != nil {
						return
					}
					k.done.Add(1)
					if err != nil || status >= 400 {
						k.fail.Add(1)
						k.last.Store(fmt.Sprint(status, " ", err))
						wait(ctx, 100*time.Millisecond)
					}
				}
			})
		}
	}
	all.Add(1)
	go func() { // sessions that come and go
		defer all.Done()
		var calls, refused atomic.Int64
		var said sync.Map
		for n := 0; ctx.Err() == nil; n++ {
			w.visit(ctx, s, 0, n, &calls, &refused, &said)
		}
		fmt.Printf("| MCP sessions, calls | %d | %d |\n", calls.Load(), refused.Load())
		said.Range(func(why, _ any) bool { fmt.Fprintln(os.Stderr, "MCP:", why); return true })
	}()
	fmt.Printf("| load | calls | refused or failed |\n|---|---|---|\n")
	all.Wait()
	for _, k := range kinds {
		fmt.Printf("| %s | %d | %d |\n", k.name, k.done.Load(), k.fail.Load())
		if why := k.last.Load(); why != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", k.name, why)
		}
	}
	took := s.stop()
	log := s.log.String()
	races := strings.Count(log, "WARNING: DATA RACE")
	fmt.Printf("\n%d reports of the race detector in %v; SIGTERM took %v\n", races, length, took.Round(100*time.Millisecond))
	if races > 0 || strings.Contains(log, "panic") {
		return fmt.Errorf("the server's log:\n%s", log)
	}
	return nil
}
