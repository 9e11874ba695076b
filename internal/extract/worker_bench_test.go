package extract_test

import (
	"os"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/extract/shapes"
	"github.com/spyhop-dev/spyhop/internal/worker"
)

func TestMain(m *testing.M) {
	worker.Serve(extract.Service(), extract.Serve) // for BenchmarkWorker
	os.Exit(m.Run())
}

// BenchmarkWorker compares reading an ordinary document of 100 KB in this process
// with reading it in a warm worker.
func BenchmarkWorker(b *testing.B) {
	pool := worker.New(worker.Options{Service: extract.Service()})
	b.Cleanup(func() { _ = pool.Close() })
	for _, s := range shapes.All() {
		if s.Hostile || !extract.Isolated(s.MediaType) {
			continue
		}
		body := s.Make(100 << 10)
		format := s.MediaType[strings.LastIndexAny(s.MediaType, "/.")+1:]
		for _, o := range []extract.Options{{}, {Elsewhere: func(request ...[]byte) ([]byte, error) { return pool.Do(b.Context(), request...) }}} {
			where := "process"
			if o.Elsewhere != nil {
				where = "worker"
			}
			b.Run(format+"/"+where, func(b *testing.B) {
				for b.Loop() {
					if _, err := extract.Document(body, s.MediaType, o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
