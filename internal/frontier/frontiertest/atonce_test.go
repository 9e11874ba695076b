package frontiertest

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
)

// unpaced opens the place of a bench without a pace.
func (b *bench) unpaced() {
	b.t.Helper()
	f, err := b.im.open(b.place, frontier.Options{Now: b.clock.Now})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { f.Close() })
	b.Frontier = f
}

// TestAtOnce wants as many turns of a site as AtOnce says, over jobs and frontiers, each with
// addresses of its own.
func TestAtOnce(t *testing.T) {
	each(t, frontier.Limits{AtOnce: 3}, func(b *bench) {
		b.unpaced()
		second, err := b.im.open(b.place, frontier.Options{Now: b.clock.Now})
		if err != nil {
			b.t.Fatal(err)
		}
		b.t.Cleanup(func() { second.Close() })
		for i := range 9 {
			b.add(1, link("a.com", fmt.Sprint(i), int32(9-i)))
		}
		turns := b.lease(frontier.LeaseRequest{Sites: 2, PerSite: 2})
		if len(turns) != 2 || paths(turns[0]) != "0 1" || paths(turns[1]) != "2 3" || turns[0].AtOnce != 3 {
			b.t.Fatalf("turns %+v", turns)
		}
		more, err := second.Lease(b.t.Context(), frontier.LeaseRequest{Job: b.job, Sites: 9})
		if err != nil || len(more) != 1 || paths(more[0]) != "4" {
			b.t.Fatalf("a third turn: %+v, %v", more, err)
		}
		if got := b.lease(frontier.LeaseRequest{Sites: 9}); len(got) != 0 {
			b.t.Errorf("a fourth turn: %+v", got)
		}
		if s := b.stats(); s.Leased != 5 || s.Queued != 9 || !s.Next.Equal(b.clock.Now().Add(time.Minute)) {
			b.t.Errorf("stats %+v", s)
		}
		// A job with fewer turns at a time waits for these.
		other := b.create(frontier.Job{Owner: "local", Limits: frontier.Limits{AtOnce: 2}})
		if _, err := b.Add(b.t.Context(), other.ID, []frontier.Link{link("a.com", "x", 0)}); err != nil {
			b.t.Fatal(err)
		}
		if got := b.lease(frontier.LeaseRequest{Job: other.ID}); len(got) != 0 {
			b.t.Errorf("a turn of another job: %+v", got)
		}
		// A turn that ends makes room for one.
		b.commit(0, frontier.Commit{Turn: turns[0], Outcomes: []frontier.Outcome{read(turns[0].Tasks[0])}})
		if got := b.lease(frontier.LeaseRequest{Sites: 9}); len(got) != 1 || paths(got[0]) != "1" {
			b.t.Errorf("after the end of one: %+v", got)
		}
		// Turns that are lost give their addresses back, and write nothing.
		b.clock.advance(time.Minute)
		got := b.lease(frontier.LeaseRequest{Sites: 9, PerSite: 9})
		if len(got) != 1 || paths(got[0]) != "1 2 3 4 5 6 7 8" {
			b.t.Errorf("after all were lost: %+v", got)
		}
		b.commit(1, frontier.Commit{Turn: turns[1], Outcomes: []frontier.Outcome{read(turns[1].Tasks[0])}})
		// So do those of a frontier that is closed.
		b.commit(0, frontier.Commit{Turn: got[0]})
		if more, err := second.Lease(b.t.Context(), frontier.LeaseRequest{Job: b.job, Sites: 3, PerSite: 3}); err != nil || len(more) != 3 {
			b.t.Fatalf("%+v, %v", more, err)
		}
		if err := second.Close(); err != nil {
			b.t.Fatal(err)
		}
		if got := b.lease(frontier.LeaseRequest{Sites: 9}); len(got) != 3 || paths(got[0]) != "1" {
			b.t.Errorf("after the end of the other frontier: %+v", got)
		}
	})
}

// TestAtOncePace wants turns a pace apart also where several may run, and none where a turn
// has made no request.
func TestAtOncePace(t *testing.T) {
	each(t, frontier.Limits{AtOnce: 4}, func(b *bench) {
		for i := range 9 {
			b.add(1, link("a.com", fmt.Sprint(i), int32(9-i)))
		}
		first := b.one(frontier.LeaseRequest{Sites: 4})
		if got := b.lease(frontier.LeaseRequest{Sites: 4}); len(got) != 0 {
			b.t.Errorf("before the pace: %+v", got)
		}
		if s := b.stats(); !s.Next.Equal(b.clock.Now().Add(pace)) {
			b.t.Errorf("next at %v, want in %v after %v", s.Next, pace, b.clock.Now())
		}
		b.clock.advance(pace)
		second := b.one(frontier.LeaseRequest{Sites: 4})
		b.clock.advance(pace / 2)
		b.commit(0, frontier.Commit{Turn: first, Outcomes: []frontier.Outcome{read(first.Tasks[0])}})
		b.clock.advance(pace / 2)
		third := b.one(frontier.LeaseRequest{Sites: 4}) // a pace after the beginning of the second
		b.commit(0, frontier.Commit{Turn: third, Idle: true, Outcomes: []frontier.Outcome{read(third.Tasks[0])}})
		fourth := b.one(frontier.LeaseRequest{Sites: 4})
		b.commit(0, frontier.Commit{Turn: second, Idle: true}) // others have begun since
		if got := b.lease(frontier.LeaseRequest{Sites: 4}); len(got) != 0 {
			b.t.Errorf("a pace was given back that another turn has taken: %+v", got)
		}
		b.commit(0, frontier.Commit{Turn: fourth, Outcomes: []frontier.Outcome{
			{URL: fourth.Tasks[0].URL, End: frontier.Later, Due: b.clock.Now(), Again: true}}})
		b.clock.advance(pace)
		if got := b.one(frontier.LeaseRequest{PerSite: 9}); got.Tasks[0].Tries != 0 {
			b.t.Errorf("tries %d", got.Tasks[0].Tries)
		}
	})
}

// TestNarrow wants a site that has asked for less to have fewer turns for a while.
func TestNarrow(t *testing.T) {
	each(t, frontier.Limits{AtOnce: 8}, func(b *bench) {
		b.unpaced()
		ctx := b.t.Context()
		for i := range 20 {
			b.add(1, link("a.com", fmt.Sprint(i), 0))
		}
		for _, n := range []int{2, 5, -1} { // 5 is larger; below 1 is 1
			if err := b.Narrow(ctx, "a.com", n, b.clock.Now().Add(time.Minute)); err != nil {
				b.t.Fatal(err)
			}
			want := max(min(n, 2), 1)
			turns := b.lease(frontier.LeaseRequest{Sites: 9})
			if len(turns) != want || turns[0].AtOnce != want {
				b.t.Errorf("after Narrow(%d): %d turns, %+v", n, len(turns), turns)
			}
			for _, turn := range turns {
				b.commit(0, frontier.Commit{Turn: turn})
			}
		}
		b.clock.advance(time.Minute)
		if turns := b.lease(frontier.LeaseRequest{Sites: 9}); len(turns) != 8 {
			b.t.Errorf("%d turns after its time", len(turns))
		}
	})
}

// TestFailedRecords wants failures listed alone.
func TestFailedRecords(t *testing.T) {
	each(t, frontier.Limits{Pages: 1, AtOnce: 9}, func(b *bench) {
		b.unpaced()
		b.add(3, link("a.com", "1", 3), link("a.com", "2", 2), link("a.com", "3", 1))
		for i := range 3 { // a failure does not use up the limit
			turn := b.one(frontier.LeaseRequest{Sites: 9})
			o := read(turn.Tasks[0])
			if i < 2 {
				o.End, o.Body = frontier.Failed, nil
			}
			b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{o}})
		}
		got := b.records(frontier.RecordQuery{Failed: true})
		if len(got) != 2 || got[0].URL != "https://a.com/1" || got[1].URL != "https://a.com/2" {
			b.t.Errorf("failures %+v", got)
		}
		if got := b.records(frontier.RecordQuery{Failed: true, After: got[0].Cursor}); len(got) != 1 || got[0].URL != "https://a.com/2" {
			b.t.Errorf("failures behind a cursor %+v", got)
		}
	})
}

// TestAtOnceTogether wants no site to have more turns than it may, and no address to be read
// twice, whoever asks at the same time.
func TestAtOnceTogether(t *testing.T) {
	each(t, frontier.Limits{AtOnce: 5}, func(b *bench) {
		const pages, workers = 200, 4
		var links []frontier.Link
		for i := range pages {
			links = append(links, link("a.com", fmt.Sprint(i), 0))
		}
		b.add(pages, links...)
		var mu sync.Mutex
		busy, most, seen := 0, 0, map[string]int{}
		var all sync.WaitGroup
		for range workers {
			f, err := b.im.open(b.place, frontier.Options{})
			if err != nil {
				b.t.Fatal(err)
			}
			b.t.Cleanup(func() { f.Close() })
			for range 3 {
				all.Go(func() {
					for {
						turns, err := f.Lease(b.t.Context(), frontier.LeaseRequest{Job: b.job, Sites: 2})
						if err != nil {
							b.t.Error(err)
							return
						}
						mu.Lock()
						busy += len(turns)
						most = max(most, busy)
						mu.Unlock()
						for _, turn := range turns {
							mu.Lock()
							seen[turn.Tasks[0].URL]++
							busy--
							mu.Unlock()
							if lost, err := f.Commit(b.t.Context(), []frontier.Commit{{Turn: turn, Outcomes: []frontier.Outcome{read(turn.Tasks[0])}}}); err != nil || len(lost) > 0 {
								b.t.Error(lost, err)
								return
							}
						}
						if len(turns) == 0 {
							s, err := f.Stats(b.t.Context(), b.job)
							if err != nil || s.Queued == 0 {
								return
							}
							runtime.Gosched()
						}
					}
				})
			}
		}
		all.Wait()
		if s := b.stats(); s.Read != pages || s.Records != pages || s.Leased != 0 || most > 5 {
			b.t.Errorf("stats %+v; %d turns at a time", s, most)
		}
		for url, n := range seen {
			if n != 1 {
				b.t.Errorf("%s was leased %d times", url, n)
			}
		}
	})
}
