package frontiertest

import (
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
)

// BenchmarkPostgres measures the processor time of this process, not of the server:
// adding links of 50 pages at a time, of which a third is new; then turns of 64 sites
// with one page each, and turns of one site whose page has 60 links.
//
//	go test ./internal/frontier/frontiertest -run xxx -bench Postgres -benchtime 1x
func BenchmarkPostgres(b *testing.B) {
	ctx := b.Context()
	place := postgresPlace(b)
	for b.Loop() {
		f, err := openPostgres(place, frontier.Options{})
		if err != nil {
			b.Fatal(err)
		}
		job, err := f.Create(ctx, frontier.Job{Owner: "local"})
		if err != nil {
			b.Fatal(err)
		}
		const urls = 60_000
		next, mentions := uint64(0), 0
		page := func() (links []frontier.Link) {
			for range 20 {
				links = append(links, scaleLink(next))
				next++
			}
			for range 40 {
				mentions++
				links = append(links, scaleLink(mix(uint64(mentions)^99)%next))
			}
			mentions += 20
			return links
		}
		begin := time.Now()
		start := processorTime()
		for next < urls {
			var links []frontier.Link
			for range 50 {
				links = append(links, page()...)
			}
			if _, err := f.Add(ctx, job.ID, links); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64((processorTime()-start).Microseconds())/float64(mentions), "µs/link")

		b.Logf("added after %v", time.Since(begin))
		meta, body := []byte(strings.Repeat("m", 200)), []byte(strings.Repeat("A body of a page. ", 100))
		start = processorTime()
		pages := 0
		for pages < 3000 {
			turns, err := f.Lease(ctx, frontier.LeaseRequest{Job: job.ID, Sites: 64})
			if err != nil || len(turns) == 0 {
				b.Fatal(len(turns), err)
			}
			var commits []frontier.Commit
			for _, t := range turns {
				commits = append(commits, frontier.Commit{Turn: t, Outcomes: []frontier.Outcome{{URL: t.Tasks[0].URL, End: frontier.Read, Meta: meta, Body: body}}})
			}
			if _, err := f.Commit(ctx, commits); err != nil {
				b.Fatal(err)
			}
			pages += len(turns)
		}
		b.ReportMetric(float64((processorTime()-start).Microseconds())/float64(pages), "µs/page")

		b.Logf("read after %v", time.Since(begin))
		start = processorTime()
		before := mentions
		for range 500 {
			turns, err := f.Lease(ctx, frontier.LeaseRequest{Job: job.ID})
			if err != nil || len(turns) == 0 {
				b.Fatal(len(turns), err)
			}
			o := frontier.Outcome{URL: turns[0].Tasks[0].URL, End: frontier.Read, Meta: meta, Body: body, Links: page()}
			if _, err := f.Commit(ctx, []frontier.Commit{{Turn: turns[0], Outcomes: []frontier.Outcome{o}}}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64((processorTime()-start).Microseconds())/float64(mentions-before), "µs/link-alone")
		b.Logf("ended after %v", time.Since(begin))
		f.Close()
	}
}
