// Command load fetches a site on loopback from many goroutines at once, through
// the egress guard, and prints throughput, latencies and memory:
//
//	go run ./load --seconds 60 --concurrent 500
//
// The site runs in a separate process. Every request has a different address, so
// that requests are not merged. The rate limit is off, because otherwise it
// would determine the result.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

func main() {
	seconds := flag.Int("seconds", 60, "duration of the load in seconds")
	concurrent := flag.Int("concurrent", 500, "number of simultaneous fetches")
	serve := flag.Bool("serve", false, "run the site (used by the program itself)")
	flag.Parse()
	var err error
	if *serve {
		err = site()
	} else {
		err = load(time.Duration(*seconds)*time.Second, *concurrent)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// site serves one page of 20 KB until its standard input ends.
func site() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	page := []byte("<!DOCTYPE html><title>Load</title>" + strings.Repeat("<p>The ferry left the quay at dawn and followed the coast for an hour.</p>\n", 270))
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(page)
		}))
	}()
	fmt.Println(l.Addr())
	_, err = bufio.NewReader(os.Stdin).ReadByte()
	if err != nil && err.Error() == "EOF" {
		return nil
	}
	return err
}

func load(length time.Duration, concurrent int) error {
	child := exec.Command(os.Args[0], "--serve")
	child.Stderr = os.Stderr
	stdin, err := child.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		return err
	}
	if err := child.Start(); err != nil {
		return err
	}
	defer func() { _ = stdin.Close(); _ = child.Wait() }()
	addr, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return err
	}
	addr = strings.TrimSpace(addr)

	exception, err := egress.ParseException(addr)
	if err != nil {
		return err
	}
	guard, err := egress.New(egress.Policy{Private: []egress.Exception{exception}})
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var judged []time.Duration // time of the guard's decisions
	client, err := fetch.New(fetch.Options{
		RoundTripper: guard.RoundTripper(),
		Judge: func(u weburl.URL) (weburl.URL, error) {
			begun := time.Now()
			u, d := guard.Judge(u)
			took := time.Since(begun)
			mu.Lock()
			judged = append(judged, took)
			mu.Unlock()
			return u, d.Err()
		},
		HostConcurrency: -1,
		HostRate:        -1,
		NegativeTTL:     -1,
	})
	if err != nil {
		return err
	}

	end := time.Now().Add(length)
	ctx, stop := context.WithDeadline(context.Background(), end)
	defer stop()
	var done, failed, bytes, next atomic.Int64
	var latencies []time.Duration
	causes := map[string]int{}
	fmt.Printf("%d fetches at a time for %v, %d processors\n", concurrent, length, runtime.GOMAXPROCS(0))
	fmt.Printf("%-8s rss %d MiB\n", "start", rss())
	var workers sync.WaitGroup
	for range concurrent {
		workers.Go(func() {
			for ctx.Err() == nil {
				u, err := weburl.Parse(fmt.Sprintf("http://%s/page?n=%d", addr, next.Add(1)))
				if err != nil {
					panic(err)
				}
				begun := time.Now()
				res, err := client.Get(ctx, fetch.Request{URL: u})
				took := time.Since(begun)
				if !time.Now().Before(end) {
					return // the load has ended
				}
				mu.Lock()
				latencies = append(latencies, took)
				mu.Unlock()
				if err != nil {
					failed.Add(1)
					var e *fetch.Error
					if errors.As(err, &e) {
						mu.Lock()
						causes[string(e.Code)+": "+e.Error()]++
						mu.Unlock()
					}
					continue
				}
				done.Add(1)
				bytes.Add(res.WireBytes)
			}
		})
	}
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	for begun := time.Now(); ctx.Err() == nil; {
		select {
		case <-tick.C:
			fmt.Printf("%-8s rss %d MiB, %d fetched\n", time.Since(begun).Round(time.Second), rss(), done.Load())
		case <-ctx.Done():
		}
	}
	workers.Wait()
	fmt.Printf("%-8s rss %d MiB\n", "end", rss())
	fmt.Printf("fetched %d (%.0f/s, %.1f MB/s), failed %d %v\n", done.Load(), float64(done.Load())/length.Seconds(),
		float64(bytes.Load())/1e6/length.Seconds(), failed.Load(), causes)
	fmt.Printf("a fetch took    p50 %v, p99 %v\n", percentile(latencies, 50), percentile(latencies, 99))
	fmt.Printf("a decision took p50 %v, p99 %v (two decisions per request)\n", percentile(judged, 50), percentile(judged, 99))
	guard.CloseIdle()
	return nil
}

func percentile(d []time.Duration, p int) time.Duration {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return d[min(len(d)*p/100, len(d)-1)].Round(100 * time.Nanosecond)
}

// rss is the resident memory in MiB, on Linux.
func rss() int64 {
	b, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(b), "VmRSS:")
	var kib int64
	_, _ = fmt.Sscan(rest, &kib)
	return kib >> 10
}
