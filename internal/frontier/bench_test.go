//go:build unix

package frontier

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// benchURLs is how many addresses BenchmarkSQLite adds:
//
//	go test ./internal/frontier -run xxx -bench SQLite -benchtime 1x -timeout 1h -urls 2000000
var benchURLs = flag.Int("urls", 100_000, "addresses that BenchmarkSQLite adds")

func processorTime() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// resident is a line of the process's memory in MB.
func resident(name string) float64 {
	b, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			var kb float64
			fmt.Sscan(rest, &kb)
			return kb / 1024
		}
	}
	return 0
}

func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}

// benchLink is an address of a synthetic web of 5,000 sites of very different
// sizes.
func benchLink(id uint64) Link {
	u := float64(scramble(id)>>11) / (1 << 53)
	site := fmt.Sprintf("h%06d.example.com", int(u*u*u*5000))
	return Link{URL: fmt.Sprintf("https://%s/section-%d/article-%x?page=%d", site, id%37, scramble(id^77)>>20, id%9), Site: site, Priority: int32(scramble(id^5) % 4)}
}

// BenchmarkSQLite measures what an address costs: each page has 60 links, of which
// a third is new; 50 pages are one call. Then turns of 64 sites are leased and
// committed, one page each, with a record and without links.
func BenchmarkSQLite(b *testing.B) {
	ctx := context.Background()
	for b.Loop() {
		dir := b.TempDir()
		f, err := OpenSQLite(Options{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		job, err := f.Create(ctx, Job{Owner: "local"})
		if err != nil {
			b.Fatal(err)
		}
		start, mentions, next := processorTime(), 0, uint64(0)
		for int(next) < *benchURLs {
			var links []Link
			for range 50 {
				for range 20 {
					links = append(links, benchLink(next))
					next++
				}
				for range 40 {
					mentions++
					links = append(links, benchLink(scramble(uint64(mentions)^99)%next))
				}
				mentions += 20
			}
			if _, err := f.Add(ctx, job.ID, links); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64((processorTime()-start).Microseconds())/float64(mentions), "µs/link")
		b.ReportMetric(resident("VmRSS"), "MB")
		meta, body := []byte(strings.Repeat("m", 200)), []byte(strings.Repeat("A body of a page. ", 100))
		pages := 0
		start = processorTime()
		for pages < min(*benchURLs/4, 50_000) {
			turns, err := f.Lease(ctx, LeaseRequest{Job: job.ID, Sites: 64})
			if err != nil || len(turns) == 0 {
				b.Fatal(len(turns), err)
			}
			var commits []Commit
			for _, t := range turns {
				commits = append(commits, Commit{Turn: t, Outcomes: []Outcome{{URL: t.Tasks[0].URL, End: Read, Meta: meta, Body: body}}})
			}
			if _, err := f.Commit(ctx, commits); err != nil {
				b.Fatal(err)
			}
			pages += len(turns)
		}
		b.ReportMetric(float64((processorTime()-start).Microseconds())/float64(pages), "µs/page")
		b.ReportMetric(resident("VmHWM"), "peak-MB")
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
		begin := time.Now()
		if f, err = OpenSQLite(Options{Dir: dir}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(begin).Milliseconds()), "reopen-ms")
		if info, err := os.Stat(dir + "/" + FileName); err == nil {
			b.ReportMetric(float64(info.Size())/float64(next), "B/URL")
		}
		f.Close()
	}
}
