//go:build unix

package crawl

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/result"
)

// BenchmarkCrawl measures what a page costs beside its request and its extraction:
// the pages are extracted before. Each has some 400 words and 30 links.
func BenchmarkCrawl(b *testing.B) {
	const pages = 400
	ready := map[string]*page.Page{}
	for i := range pages {
		var links []string
		for k := range 30 {
			links = append(links, fmt.Sprintf("/page-%d", (i*7+k*k)%pages))
		}
		var words strings.Builder
		for k := range 100 {
			fmt.Fprintf(&words, "word%d of%d ", (i*31+k*17)%5000, k)
		}
		u := fmt.Sprintf("%spage-%d", home, i)
		p, err := extract.HTML([]byte(html(fmt.Sprint("Page ", i), words.String(), links...)), extract.Options{URL: u})
		if err != nil {
			b.Fatal(err)
		}
		ready[u] = p
	}
	for _, query := range []string{"", "word17 word4711 of reading"} {
		b.Run(fmt.Sprintf("query=%t", query != ""), func(b *testing.B) {
			used := time.Duration(0)
			read := int64(0)
			for b.Loop() {
				s := &fakeSite{}
				web := s.web()
				web.Read = func(_ context.Context, q ReadRequest) (*reader.Answer, *page.Page, error) {
					name := q.URL.String()
					return &reader.Answer{Fetch: result.Fetch{URL: name, FinalURL: name, Metadata: result.Metadata{Version: name}}}, ready[name], nil
				}
				web.Page = func(_ context.Context, q ReadRequest) (*page.Page, error) { return ready[q.URL.String()], nil }
				k := newBench(b, s)
				k.Web = web
				j, err := k.Create(b.Context(), "local", Options{URLs: []string{home + "page-0"}, Query: query, MaxDepth: 50})
				if err != nil {
					b.Fatal(err)
				}
				before := processorTime()
				if _, err := k.Run(b.Context(), j.ID, RunOptions{}); err != nil {
					b.Fatal(err)
				}
				used += processorTime() - before
				st, err := k.Frontier.Stats(b.Context(), j.ID)
				if err != nil {
					b.Fatal(err)
				}
				read += st.Read
			}
			b.ReportMetric(float64(used.Microseconds())/1000/float64(max(read, 1)), "ms/page")
			b.ReportMetric(float64(read)/float64(b.N), "pages")
		})
	}
}

func processorTime() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
