package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/bench/internal/shapes"
	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/worker"
)

func TestMain(m *testing.M) {
	worker.Serve(extract.Service(), extract.Serve) // for BenchmarkWorker
	os.Exit(m.Run())
}

// TestLargeInWorker: a worker reads ordinary documents of 4 MB of each format. Their text is not
// compressed, as it is in files of a fifth of that size that people have.
func TestLargeInWorker(t *testing.T) {
	pool := worker.New(worker.Options{Service: extract.Service(), Memory: workerMemory})
	t.Cleanup(func() { _ = pool.Close() })
	for _, s := range shapes.All() {
		if s.Hostile || !extract.Isolated(s.MediaType) {
			continue
		}
		o := extract.Options{Elsewhere: func(request ...[]byte) ([]byte, error) { return pool.Do(t.Context(), request...) }}
		if p, err := extract.Document(s.Make(largeSize), s.MediaType, o); err != nil || len(p.Blocks) == 0 {
			t.Errorf("%s, %s: %v", s.MediaType, s.Name, err)
		}
	}
}

// BenchmarkWorker reads ordinary documents by turns in this process and with a warm worker,
// and prints how much longer the worker takes, each a median. HTML is always read in this process.
func BenchmarkWorker(b *testing.B) {
	pool := worker.New(worker.Options{Service: extract.Service()})
	b.Cleanup(func() { _ = pool.Close() })
	for _, s := range shapes.All() {
		if s.Hostile || !extract.Isolated(s.MediaType) && s.MediaType != "text/html" {
			continue
		}
		format := s.MediaType[strings.LastIndexAny(s.MediaType, "/.")+1:]
		for _, kb := range []int{10, 100, 1000} {
			body := s.Make(kb << 10)
			b.Run(fmt.Sprintf("%s/%s/%dKB", format, s.Name, kb), func(b *testing.B) {
				var took [2][]time.Duration
				read := func(o extract.Options) time.Duration {
					begun := time.Now()
					if _, err := extract.Document(body, s.MediaType, o); err != nil {
						b.Fatal(err)
					}
					return time.Since(begun)
				}
				here, there := extract.Options{}, extract.Options{Elsewhere: func(request ...[]byte) ([]byte, error) { return pool.Do(b.Context(), request...) }}
				read(there)
				for b.Loop() {
					took[0], took[1] = append(took[0], read(here)), append(took[1], read(there))
				}
				ms := func(all []time.Duration) float64 { // the median
					slices.Sort(all)
					return all[len(all)/2].Seconds() * 1000
				}
				b.ReportMetric(ms(took[0]), "process-ms")
				b.ReportMetric(ms(took[1]), "worker-ms")
				b.ReportMetric(ms(took[1])-ms(took[0]), "more-ms")
			})
		}
	}
}
