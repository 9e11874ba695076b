package frontiertest

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
)

// TestScale measures how the pages per second grow with the workers, where a site
// answers after 300 ms and each worker has four requests at a time:
//
//	go test ./internal/frontier/frontiertest -run TestScale -v -scale.seconds 20
//
// Each page has 60 links, of which 20 are new. It asserts nothing: other work on the
// machine changes the times.
var scaleSeconds = flag.Int("scale.seconds", 0, "how long TestScale measures each number of workers; 0: not")

const (
	childScale   = "SPYHOP_FRONTIER_SCALE"
	scaleRequest = 300 * time.Millisecond
	scaleAtOnce  = 4
	scaleLinks   = 60
)

// scaleLink is address n of a web of 2,000 sites.
func scaleLink(n uint64) frontier.Link {
	site := fmt.Sprintf("h%04d.com", mix(n)%2000)
	return frontier.Link{URL: fmt.Sprintf("https://%s/section-%d/article-%d", site, n%37, n), Site: site, Priority: int32(mix(n^5) % 4), Template: 1 + mix(n)%2000}
}

// scaleChild reads until it is told to end, and prints pages, links and processor
// time.
func scaleChild(f *frontier.Frontier, job string) error {
	ctx := context.Background()
	seconds, err := strconv.Atoi(os.Getenv(childScale))
	if err != nil {
		return err
	}
	var mu sync.Mutex
	pages, links := 0, 0
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	var wg sync.WaitGroup
	errs := make(chan error, scaleAtOnce)
	for w := range scaleAtOnce {
		wg.Go(func() {
			n := mix(uint64(os.Getpid())<<8|uint64(w)) >> 1
			for time.Now().Before(end) {
				turns, err := f.Lease(ctx, frontier.LeaseRequest{Job: job, TTL: time.Minute})
				if err != nil {
					errs <- err
					return
				}
				if len(turns) == 0 {
					time.Sleep(10 * time.Millisecond)
					continue
				}
				time.Sleep(scaleRequest)
				o := read(turns[0].Tasks[0])
				o.Body = slices.Repeat([]byte("A body of a page. "), 300)
				for i := range scaleLinks {
					if n++; i%3 != 0 {
						o.Links = append(o.Links, scaleLink(mix(n)%5000)) // most are known
					} else {
						o.Links = append(o.Links, scaleLink(n))
					}
				}
				if _, err := f.Commit(ctx, []frontier.Commit{{Turn: turns[0], Outcomes: []frontier.Outcome{o}}}); err != nil {
					errs <- err
					return
				}
				mu.Lock()
				pages++
				links += len(o.Links)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	close(errs)
	if err := <-errs; err != nil {
		return err
	}
	fmt.Println(pages, links, processorTime().Microseconds())
	return nil
}

func TestScale(t *testing.T) {
	if *scaleSeconds == 0 {
		t.Skip("a measurement: -scale.seconds 20")
	}
	i := slices.IndexFunc(implementations, func(im implementation) bool { return im.name == "postgres" })
	one := 0.0
	for _, workers := range []int{1, 2, 4} {
		place := implementations[i].place(t)
		f, err := implementations[i].open(place, frontier.Options{})
		if err != nil {
			t.Fatal(err)
		}
		job, err := f.Create(t.Context(), frontier.Job{Owner: "local", Limits: frontier.Limits{Pages: 1_000_000, PerTemplate: 5000}})
		if err != nil {
			t.Fatal(err)
		}
		var links []frontier.Link
		for n := range uint64(5000) {
			links = append(links, scaleLink(n))
		}
		if _, err := f.Add(t.Context(), job.ID, links); err != nil {
			t.Fatal(err)
		}
		pages, mentions, cpu := 0, 0, 0
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				cmd := exec.CommandContext(t.Context(), os.Args[0])
				cmd.Env = append(os.Environ(), childPlace+"="+place, childName+"=postgres", childJob+"="+job.ID, childScale+"="+strconv.Itoa(*scaleSeconds))
				cmd.Stderr = os.Stderr
				out, err := cmd.StdoutPipe()
				if err == nil {
					err = cmd.Start()
				}
				if err != nil {
					t.Error(err)
					return
				}
				var p, l, c int
				for s := bufio.NewScanner(out); s.Scan(); {
					fmt.Sscan(s.Text(), &p, &l, &c)
				}
				if err := cmd.Wait(); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				pages, mentions, cpu = pages+p, mentions+l, cpu+c
			})
		}
		wg.Wait()
		rate := float64(pages) / float64(*scaleSeconds)
		if workers == 1 {
			one = rate
		}
		t.Logf("%d workers: %.1f pages/s, %.2f of linear; %.1f µs of the worker's processor a link, %d pages", workers, rate, rate/one/float64(workers), float64(cpu)/float64(max(mentions, 1)), pages)
		f.Close()
	}
}
