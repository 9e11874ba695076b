// Package frontiertest tests the contract of all frontiers: one suite, which every
// implementation runs. A new implementation is a row of implementations.
package frontiertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
)

// implementation is a frontier under test.
type implementation struct {
	name string
	// place makes an empty place, which ends with the test. It skips the test where
	// the implementation cannot run.
	place func(t *testing.T) string
	// open opens a place, also one that is open already, here or in another process.
	open func(place string, o frontier.Options) (*frontier.Frontier, error)
}

// clock is the clock of a test.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// bench is one frontier with its place, its clock and a job.
type bench struct {
	t  *testing.T
	im implementation
	*frontier.Frontier
	place string
	clock *clock
	job   string
}

const pace = time.Second

// again opens the place once more.
func (b *bench) again() *frontier.Frontier {
	b.t.Helper()
	f, err := b.im.open(b.place, frontier.Options{Pace: pace, Now: b.clock.Now})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { f.Close() })
	return f
}

// each runs a test for every implementation, with a new job.
func each(t *testing.T, limits frontier.Limits, test func(b *bench)) {
	for _, im := range implementations {
		t.Run(im.name, func(t *testing.T) {
			t.Parallel()
			b := &bench{t: t, im: im, place: im.place(t), clock: newClock()}
			b.Frontier = b.again()
			b.job = b.create(frontier.Job{Owner: "local", Kind: "crawl", Limits: limits}).ID
			test(b)
		})
	}
}

func (b *bench) create(j frontier.Job) frontier.Job {
	b.t.Helper()
	j, err := b.Create(b.t.Context(), j)
	if err != nil {
		b.t.Fatal(err)
	}
	return j
}

// link is "https://SITE/PATH" with a priority.
func link(site, path string, priority int32) frontier.Link {
	return frontier.Link{URL: "https://" + site + "/" + path, Site: site, Priority: priority}
}

func (b *bench) add(want int, links ...frontier.Link) {
	b.t.Helper()
	if n, err := b.Add(b.t.Context(), b.job, links); err != nil || n != want {
		b.t.Fatalf("Add = %d, %v, want %d", n, err, want)
	}
}

func (b *bench) lease(q frontier.LeaseRequest) []frontier.Turn {
	b.t.Helper()
	if q.Job == "" {
		q.Job = b.job
	}
	turns, err := b.Lease(b.t.Context(), q)
	if err != nil {
		b.t.Fatal(err)
	}
	return turns
}

// one takes the only turn.
func (b *bench) one(q frontier.LeaseRequest) frontier.Turn {
	b.t.Helper()
	turns := b.lease(q)
	if len(turns) != 1 {
		b.t.Fatalf("%d turns, want 1: %v", len(turns), turns)
	}
	return turns[0]
}

func (b *bench) commit(wantLost int, c ...frontier.Commit) {
	b.t.Helper()
	lost, err := b.Commit(b.t.Context(), c)
	if err != nil || len(lost) != wantLost {
		b.t.Fatalf("Commit = %v, %v, want %d lost", lost, err, wantLost)
	}
}

func (b *bench) stats() frontier.Stats {
	b.t.Helper()
	s, err := b.Stats(b.t.Context(), b.job)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

func (b *bench) records(q frontier.RecordQuery) []frontier.Record {
	b.t.Helper()
	q.Job = b.job
	r, err := b.Records(b.t.Context(), q)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// read is an outcome with a record.
func read(t frontier.Task, links ...frontier.Link) frontier.Outcome {
	return frontier.Outcome{URL: t.URL, End: frontier.Read, Meta: []byte("meta " + t.URL), Body: []byte("body " + t.URL), Links: links}
}

// paths are the paths of the tasks, in order.
func paths(t frontier.Turn) string {
	var p []string
	for _, task := range t.Tasks {
		p = append(p, task.URL[strings.LastIndexByte(task.URL, '/')+1:])
	}
	return strings.Join(p, " ")
}

func (b *bench) wantCode(err error, want frontier.Code) {
	b.t.Helper()
	var e *frontier.Error
	if !errors.As(err, &e) || e.Code != want {
		b.t.Fatalf("error %v, want the code %q", err, want)
	}
}

func TestJobs(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		ctx := b.t.Context()
		want := frontier.Limits{Pages: 10, PerSite: 9, PerTemplate: 8}
		j := b.create(frontier.Job{Owner: "token:a", Kind: "monitor", Limits: want, Options: []byte("options"), Progress: []byte("progress"), Due: b.clock.Now().Add(time.Hour)})
		if j.ID == "" || j.ID == b.job || j.State != frontier.Running || !j.Created.Equal(b.clock.Now()) {
			b.t.Errorf("created as %+v", j)
		}
		for _, f := range []*frontier.Frontier{b.Frontier, b.again()} {
			got, err := f.Job(ctx, "token:a", j.ID)
			if err != nil || got.Limits != want || string(got.Options) != "options" || string(got.Progress) != "progress" || !got.Due.Equal(j.Due) || got.Kind != "monitor" || got.Revision != j.Revision {
				b.t.Errorf("Job = %+v, %v", got, err)
			}
		}
		if _, err := b.Job(ctx, "", j.ID); err != nil {
			b.t.Errorf("of any owner: %v", err)
		}
		_, err := b.Job(ctx, "token:b", j.ID)
		b.wantCode(err, frontier.NotFound)
		for _, wrong := range []string{"", "c", "c999", "x", "c1; DROP TABLE job", "c-1", "c01", "c99999999999999999999"} {
			_, err = b.Job(ctx, "", wrong)
			b.wantCode(err, frontier.NotFound)
		}

		list := func(q frontier.JobQuery) (ids string) {
			jobs, err := b.Jobs(ctx, q)
			if err != nil {
				b.t.Fatal(err)
			}
			for _, j := range jobs {
				ids += j.ID + " "
			}
			return ids
		}
		first, second := b.job+" ", j.ID+" "
		for _, c := range []struct {
			q    frontier.JobQuery
			want string
		}{
			{frontier.JobQuery{}, second + first},
			{frontier.JobQuery{N: 1}, second},
			{frontier.JobQuery{Owner: "local"}, first},
			{frontier.JobQuery{Kind: "monitor"}, second},
			{frontier.JobQuery{State: frontier.Done}, ""},
			{frontier.JobQuery{State: frontier.Running}, second + first},
			{frontier.JobQuery{DueBy: j.Due.Add(-time.Second)}, ""},
			{frontier.JobQuery{DueBy: j.Due}, second},
		} {
			if got := list(c.q); got != c.want {
				b.t.Errorf("Jobs(%+v) = %q, want %q", c.q, got, c.want)
			}
		}

		changed := j
		changed.State, changed.Reason, changed.Progress, changed.Due = frontier.Stopped, "asked", nil, time.Time{}
		b.clock.advance(time.Minute)
		up, err := b.Update(ctx, changed)
		if err != nil || up.Revision == j.Revision || !up.Updated.Equal(b.clock.Now()) {
			b.t.Fatalf("Update = %+v, %v", up, err)
		}
		got, err := b.Job(ctx, "", j.ID)
		if err != nil || got.State != frontier.Stopped || got.Reason != "asked" || len(got.Progress) != 0 || !got.Due.IsZero() || string(got.Options) != "options" || !got.Created.Equal(j.Created) || got.Revision != up.Revision {
			b.t.Errorf("updated to %+v, %v", got, err)
		}
		_, err = b.Update(ctx, j) // of the old revision
		b.wantCode(err, frontier.Changed)
		_, err = b.Update(ctx, frontier.Job{ID: "c999"})
		b.wantCode(err, frontier.NotFound)
		_, err = b.Create(ctx, frontier.Job{Options: make([]byte, frontier.MaxMeta+1)})
		b.wantCode(err, frontier.Invalid)

		for range 2 {
			if err := b.Drop(ctx, j.ID); err != nil {
				b.t.Fatal(err)
			}
		}
		_, err = b.Job(ctx, "", j.ID)
		b.wantCode(err, frontier.NotFound)
		if k := b.create(frontier.Job{Owner: "local"}); k.ID == j.ID {
			b.t.Errorf("the id %s of a dropped job was given again", j.ID)
		}
	})
}

func TestAdd(t *testing.T) {
	each(t, frontier.Limits{PerTemplate: 2}, func(b *bench) {
		ctx := b.t.Context()
		b.add(2, link("a.com", "1", 0), link("a.com", "2", 0), link("a.com", "1", 0))
		b.add(1, link("a.com", "2", 0), link("b.com", "1", 0))
		for i := range 4 {
			l := link("a.com", fmt.Sprint("t", i), -1)
			l.Template = 7
			want := 0
			if i < 2 {
				want = 1
			}
			b.add(want, l)
		}
		if s := b.stats(); s.Known != 5 || s.Queued != 5 || s.Sites != 2 || s.Reasons[frontier.ReasonLimit] != 2 {
			b.t.Errorf("stats %+v", s)
		}
		// An address that is left out is counted, unless it is known, and can be added later.
		for _, name := range []string{"1", "deep", "t3"} {
			l := link("a.com", name, 5)
			l.LeftOut = "max_depth"
			b.add(0, l)
		}
		if s := b.stats(); s.Known != 5 || s.Queued != 5 || s.Reasons["max_depth"] != 2 {
			b.t.Errorf("stats %+v", s)
		}
		b.add(1, link("a.com", "deep", 0))
		// In another job, the same address is new.
		other := b.create(frontier.Job{Owner: "local"})
		if n, err := b.Add(ctx, other.ID, []frontier.Link{link("a.com", "1", 0)}); n != 1 || err != nil {
			b.t.Errorf("in another job: %d, %v", n, err)
		}
		_, err := b.Add(ctx, "c999", []frontier.Link{link("a.com", "9", 0)})
		b.wantCode(err, frontier.NotFound)
		for _, bad := range []frontier.Link{{Site: "a.com"}, {URL: "https://a.com/"}, link("a.com", strings.Repeat("x", frontier.MaxURL), 0),
			{URL: "https://a.com/note", Site: "a.com", Note: make([]byte, frontier.MaxNote+1)}} {
			_, err := b.Add(ctx, b.job, []frontier.Link{link("a.com", "with", 0), bad})
			b.wantCode(err, frontier.Invalid)
		}
		if s := b.stats(); s.Known != 6 {
			b.t.Errorf("a call that failed added something: %+v", s)
		}
		// What a task carries is what was added first.
		full := frontier.Link{URL: "https://c.com/ä?q=1", Site: "c.com", Priority: 5, Depth: 3, Template: 1<<63 + 1, Note: []byte{0, 1, 255}}
		b.add(1, full)
		second := full
		second.Priority, second.Depth, second.Note = 2, 1, []byte("other")
		b.add(0, second)
		for _, turn := range b.lease(frontier.LeaseRequest{Sites: 9}) {
			if turn.Site != "c.com" {
				continue
			}
			got := turn.Tasks[0]
			if got.URL != full.URL || got.Site != full.Site || got.Priority != 5 || got.Depth != 3 || got.Template != full.Template || string(got.Note) != string(full.Note) || got.Tries != 0 {
				b.t.Errorf("leased as %+v, want %+v", got, full)
			}
			return
		}
		b.t.Error("c.com has no turn")
	})
}

// TestForeignBytes wants addresses, sites and notes back as they came, whatever bytes
// they have: a database's text type takes neither NUL nor invalid UTF-8.
func TestForeignBytes(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		ctx := b.t.Context()
		long := strings.Repeat("s", frontier.MaxURL-50)
		for i, part := range []string{"nul\x00nul", "\xff\xfe\xc3(", "'); DROP TABLE spyhop.job; --", "\\x00", "%00", "\u202e\u0000", long} {
			l := frontier.Link{URL: "https://h/" + part, Site: "site " + part, Note: []byte(part[:min(len(part), 100)]), Priority: int32(i)}
			b.add(1, l)
			b.add(0, l)
			if err := b.Delay(ctx, l.Site, time.Millisecond); err != nil {
				b.t.Fatal(err)
			}
			turn := b.one(frontier.LeaseRequest{Worker: "w", Sites: 5})
			if got := turn.Tasks[0]; got.URL != l.URL || turn.Site != l.Site || string(got.Note) != string(l.Note) {
				b.t.Errorf("leased %q of %q with %q, want %q of %q", got.URL, turn.Site, got.Note, l.URL, l.Site)
			}
			o := read(turn.Tasks[0])
			o.Reason, o.Final = part[:min(len(part), 60)], l.URL+"/final"
			b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{o}})
			if r, err := b.Find(ctx, b.job, o.Final); err != nil || r.URL != o.Final || string(r.Body) != "body "+l.URL {
				b.t.Errorf("Find(%q) = %q, %v", o.Final, r.URL, err)
			}
			if s := b.stats(); s.Reasons[o.Reason] != 1 {
				b.t.Errorf("reasons %v, want %q", s.Reasons, o.Reason)
			}
			if err := b.Rank(ctx, b.job, []frontier.Rank{{URL: l.URL, Priority: 1}}); err != nil {
				b.t.Error(err)
			}
			for _, id := range []string{part, "c1" + part} {
				_, err := b.Job(ctx, part, id)
				b.wantCode(err, frontier.NotFound)
			}
		}
		if s := b.stats(); s.Read != 7 || s.Known != 14 || s.Queued != 0 {
			b.t.Errorf("stats %+v", s)
		}
	})
}

func TestOrder(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		b.add(5, link("a.com", "low", -3), link("a.com", "first", 1), link("a.com", "second", 1), link("a.com", "top", 9), link("a.com", "raised", 0))
		b.add(0, link("a.com", "raised", 7), link("a.com", "top", 2))
		turn := b.one(frontier.LeaseRequest{Worker: "w", PerSite: 4})
		if got, want := paths(turn), "top raised first second"; got != want {
			b.t.Errorf("leased %q, want %q", got, want)
		}
		if turn.Site != "a.com" || turn.Job != b.job || turn.Token == 0 || turn.Pace != pace || !turn.Until.Equal(b.clock.Now().Add(time.Minute)) {
			b.t.Errorf("turn %+v", turn)
		}
		b.commit(0, frontier.Commit{Turn: turn}) // they are queued again
		b.clock.advance(pace)
		if err := b.Rank(b.t.Context(), b.job, []frontier.Rank{{URL: "https://a.com/low", Priority: 50}, {URL: "https://a.com/top", Priority: -9}, {URL: "https://a.com/unknown", Priority: 1}}); err != nil {
			b.t.Fatal(err)
		}
		if got, want := paths(b.one(frontier.LeaseRequest{PerSite: 9})), "low raised first second top"; got != want {
			b.t.Errorf("ranked as %q, want %q", got, want)
		}
		if s := b.stats(); s.Known != 5 {
			b.t.Errorf("stats %+v", s)
		}
	})
}

// TestRankInTurn ranks an address while a worker has it.
func TestRankInTurn(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		b.add(2, link("a.com", "1", 2), link("a.com", "2", 1))
		turn := b.one(frontier.LeaseRequest{})
		if err := b.Rank(b.t.Context(), b.job, []frontier.Rank{{URL: turn.Tasks[0].URL, Priority: 50}}); err != nil {
			b.t.Fatal(err)
		}
		b.add(0, link("a.com", "1", 60))
		b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{read(turn.Tasks[0])}})
		b.clock.advance(pace)
		if got := paths(b.one(frontier.LeaseRequest{PerSite: 9})); got != "2" {
			b.t.Errorf("leased %q, want 2", got)
		}
		if s := b.stats(); s.Queued != 1 || s.Read != 1 || s.Known != 2 {
			b.t.Errorf("stats %+v", s)
		}
	})
}

func TestQueued(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		want := map[string]bool{}
		for i := range 25 {
			l := link(fmt.Sprintf("s%d.com", i%3), fmt.Sprint(i), int32(i%5))
			l.Note = []byte("n")
			b.add(1, l)
			want[l.URL] = true
		}
		after, pages := "", 0
		for {
			tasks, next, err := b.Queued(b.t.Context(), b.job, after, 7)
			if err != nil || len(tasks) > 7 {
				b.t.Fatal(len(tasks), err)
			}
			for _, task := range tasks {
				if !want[task.URL] || string(task.Note) != "n" || task.Site == "" {
					b.t.Errorf("%+v is listed twice, or is not queued", task)
				}
				delete(want, task.URL)
			}
			pages++
			if after = next; after == "" || pages > 30 {
				break
			}
		}
		if len(want) > 0 {
			b.t.Errorf("not listed: %v", want)
		}
		_, _, err := b.Queued(b.t.Context(), b.job, "no cursor", 7)
		b.wantCode(err, frontier.Invalid)
	})
}

// TestTurns wants one turn at a time for a site, over jobs and frontiers.
func TestTurns(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		ctx := b.t.Context()
		for i := range 3 {
			b.add(2, link("a.com", fmt.Sprint(i), 0), link("b.com", fmt.Sprint(i), 0))
		}
		other := b.create(frontier.Job{Owner: "token:x"})
		if _, err := b.Add(ctx, other.ID, []frontier.Link{link("a.com", "1", 0), link("c.com", "1", 0)}); err != nil {
			b.t.Fatal(err)
		}
		one := b.one(frontier.LeaseRequest{Sites: 1})
		two := b.one(frontier.LeaseRequest{Sites: 9})
		if one.Site == two.Site || one.Token == two.Token {
			b.t.Fatalf("turns %+v and %+v", one, two)
		}
		second := b.again()
		for _, f := range []*frontier.Frontier{b.Frontier, second} {
			if turns, err := f.Lease(ctx, frontier.LeaseRequest{Job: b.job, Sites: 9}); err != nil || len(turns) > 0 {
				b.t.Errorf("a further turn: %v, %v", turns, err)
			}
		}
		turns, err := second.Lease(ctx, frontier.LeaseRequest{Job: other.ID, Sites: 9})
		if err != nil || len(turns) != 1 || turns[0].Site != "c.com" {
			b.t.Errorf("in another job: %v, %v", turns, err)
		}
		if s := b.stats(); s.Leased != 2 || s.Queued != 6 {
			b.t.Errorf("stats %+v", s)
		}
		// The turn goes to another job after this one's commit and the pace.
		a := one
		if two.Site == "a.com" {
			a = two
		}
		b.commit(0, frontier.Commit{Turn: a, Outcomes: []frontier.Outcome{read(a.Tasks[0])}})
		if got := b.lease(frontier.LeaseRequest{Job: other.ID, Sites: 9}); len(got) != 0 {
			b.t.Errorf("before its pace: %v", got)
		}
		b.clock.advance(pace)
		if got := b.one(frontier.LeaseRequest{Job: other.ID, Sites: 9}); got.Site != "a.com" {
			b.t.Errorf("after its pace: %v", got)
		}
		// What another frontier added is seen.
		if n, err := second.Add(ctx, b.job, []frontier.Link{link("new.com", "1", 0)}); n != 1 || err != nil {
			b.t.Fatal(n, err)
		}
		if got := b.one(frontier.LeaseRequest{Sites: 9}); got.Site != "new.com" {
			b.t.Errorf("turn of %s, want new.com", got.Site)
		}
	})
}

func TestPace(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		ctx := b.t.Context()
		for i := range 9 {
			b.add(1, link("a.com", fmt.Sprint(i), 0))
		}
		done := func() {
			b.t.Helper()
			turn := b.one(frontier.LeaseRequest{Sites: 2})
			b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{read(turn.Tasks[0])}})
		}
		none := func(next time.Duration) {
			b.t.Helper()
			if turns := b.lease(frontier.LeaseRequest{Sites: 2}); len(turns) > 0 {
				b.t.Fatalf("too early: %v", turns)
			}
			if s := b.stats(); !s.Next.Equal(b.clock.Now().Add(next)) {
				b.t.Errorf("next at %v, want in %v after %v", s.Next, next, b.clock.Now())
			}
		}
		done()
		none(pace)
		b.clock.advance(pace - time.Millisecond)
		none(time.Millisecond)
		b.clock.advance(time.Millisecond)
		if err := b.Delay(ctx, "a.com", 10*time.Second); err != nil {
			b.t.Fatal(err)
		}
		if turn := b.one(frontier.LeaseRequest{}); turn.Pace != 10*time.Second {
			b.t.Errorf("pace %v after a delay", turn.Pace)
		} else {
			none(time.Minute) // the end of the turn
			b.commit(0, frontier.Commit{Turn: turn})
		}
		none(10 * time.Second)
		b.clock.advance(10 * time.Second)
		for _, d := range []time.Duration{0, time.Millisecond} { // never below the pace
			if err := b.Delay(ctx, "a.com", d); err != nil {
				b.t.Fatal(err)
			}
			done()
			none(pace)
			b.clock.advance(pace)
		}
		until := b.clock.Now().Add(time.Hour)
		for _, at := range []time.Time{until, until.Add(-time.Minute)} {
			if err := b.Block(ctx, "a.com", at); err != nil {
				b.t.Fatal(err)
			}
			none(time.Hour)
		}
		b.clock.advance(time.Hour)
		// A block during a turn holds after it.
		turn := b.one(frontier.LeaseRequest{})
		if err := b.Block(ctx, "a.com", b.clock.Now().Add(time.Hour)); err != nil {
			b.t.Fatal(err)
		}
		b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{read(turn.Tasks[0])}})
		none(time.Hour)
		// A site that no job knows yet can be blocked too.
		if err := b.Block(ctx, "new.com", b.clock.Now().Add(2*time.Hour)); err != nil {
			b.t.Fatal(err)
		}
		b.add(1, link("new.com", "1", 0))
		b.clock.advance(time.Hour)
		if turn := b.one(frontier.LeaseRequest{Sites: 9}); turn.Site != "a.com" {
			b.t.Errorf("the blocked site has a turn: %v", turn)
		}
	})
}

func TestLost(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		b.add(2, link("a.com", "1", 1), link("a.com", "2", 0))
		slow := b.one(frontier.LeaseRequest{TTL: 2 * time.Second})
		b.clock.advance(2*time.Second - time.Millisecond)
		if turns := b.lease(frontier.LeaseRequest{}); len(turns) > 0 {
			b.t.Fatalf("a turn that is taken: %v", turns)
		}
		b.clock.advance(time.Millisecond)
		quick := b.one(frontier.LeaseRequest{TTL: time.Minute})
		if paths(quick) != "1" {
			b.t.Errorf("the lost turn gave back %q", paths(quick))
		}
		b.commit(1, frontier.Commit{Turn: slow, Outcomes: []frontier.Outcome{read(slow.Tasks[0], link("a.com", "new", 0))}})
		if s := b.stats(); s.Records != 0 || s.Known != 2 {
			b.t.Errorf("a lost turn wrote something: %+v", s)
		}
		// A lost turn does not hold up the others of a commit.
		b.commit(1, frontier.Commit{Turn: slow}, frontier.Commit{Turn: quick, Outcomes: []frontier.Outcome{read(quick.Tasks[0])}})
		b.commit(1, frontier.Commit{Turn: quick}) // it has ended
		if s := b.stats(); s.Records != 1 || s.Read != 1 || s.Queued != 1 {
			b.t.Errorf("stats %+v", s)
		}

		// A turn that nobody else took ends with its time all the same.
		b.clock.advance(pace)
		late := b.one(frontier.LeaseRequest{TTL: time.Second})
		b.clock.advance(time.Second)
		if s := b.stats(); s.Leased != 0 || s.Next.IsZero() || s.Next.After(b.clock.Now()) {
			b.t.Errorf("stats %+v", s)
		}
		b.commit(1, frontier.Commit{Turn: late, Outcomes: []frontier.Outcome{read(late.Tasks[0])}})
		if s := b.stats(); s.Records != 1 || s.Leased != 0 {
			b.t.Errorf("stats %+v", s)
		}

		// A dropped job's turns are lost, and its site is free.
		b.clock.advance(pace)
		turn := b.one(frontier.LeaseRequest{})
		if err := b.Drop(b.t.Context(), b.job); err != nil {
			b.t.Fatal(err)
		}
		b.commit(1, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{read(turn.Tasks[0])}})
		b.job = b.create(frontier.Job{Owner: "local"}).ID
		b.add(1, link("a.com", "1", 0))
		b.clock.advance(pace)
		b.one(frontier.LeaseRequest{})
	})
}

func TestCommit(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		b.add(4, link("a.com", "1", 4), link("a.com", "2", 3), link("a.com", "3", 2), link("a.com", "4", 1))
		turn := b.one(frontier.LeaseRequest{PerSite: 4})
		// A part of a turn, which goes on.
		b.commit(0, frontier.Commit{Turn: turn, Keep: 5 * time.Minute, Outcomes: []frontier.Outcome{
			read(turn.Tasks[0], link("a.com", "5", 9), link("a.com", "1", 0), link("b.com", "1", 0)),
			{URL: turn.Tasks[1].URL, End: frontier.Failed, Reason: "http_404"},
		}})
		if s := b.stats(); s.Known != 6 || s.Queued != 4 || s.Leased != 2 || s.Read != 1 || s.Failed != 1 || s.Records != 1 || s.Reasons["http_404"] != 1 || s.Sites != 2 {
			b.t.Errorf("stats %+v", s)
		}
		b.clock.advance(5*time.Minute - time.Millisecond)
		// Twice the same outcome, and one of an address that nobody added.
		b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{
			read(turn.Tasks[0]), read(turn.Tasks[2]), read(turn.Tasks[2]),
			{URL: "https://a.com/unknown", End: frontier.Read, Meta: []byte("x")},
		}})
		if s := b.stats(); s.Records != 2 || s.Read != 2 || s.Queued != 3 || s.Leased != 0 || s.Known != 6 {
			b.t.Errorf("stats %+v", s)
		}
		b.clock.advance(pace)
		for _, turn := range b.lease(frontier.LeaseRequest{Sites: 3, PerSite: 9}) {
			if turn.Site == "a.com" && paths(turn) != "5 4" {
				b.t.Errorf("left are %q", paths(turn))
			}
		}
		got := b.records(frontier.RecordQuery{Bodies: true})
		if len(got) != 2 || got[0].URL != "https://a.com/1" || string(got[1].Meta) != "meta https://a.com/3" || string(got[1].Body) != "body https://a.com/3" || got[0].Cursor >= got[1].Cursor || got[0].Cursor < 1 {
			b.t.Errorf("records %+v", got)
		}
		_, err := b.Commit(b.t.Context(), []frontier.Commit{{Turn: turn, Outcomes: []frontier.Outcome{{URL: turn.Tasks[0].URL}}}})
		b.wantCode(err, frontier.Invalid)
	})
}

func TestFinal(t *testing.T) {
	each(t, frontier.Limits{Pages: 3}, func(b *bench) {
		b.add(4, link("a.com", "old", 9), link("a.com", "older", 8), link("a.com", "new", 7), link("a.com", "other", 6))
		turn := b.one(frontier.LeaseRequest{PerSite: 2})
		first, second := read(turn.Tasks[0]), read(turn.Tasks[1], link("a.com", "found", 5))
		first.Final, second.Final = "https://a.com/new", "https://a.com/new"
		b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{first, second}})
		// "new" is over with the outcome of "old", and counts as skipped.
		s := b.stats()
		if s.Records != 1 || s.Read != 1 || s.Skipped != 2 || s.Reasons[frontier.ReasonSame] != 2 || s.Queued != 2 || s.Known != 5 {
			b.t.Errorf("stats %+v", s)
		}
		if got := b.records(frontier.RecordQuery{}); len(got) != 1 || got[0].URL != "https://a.com/new" {
			b.t.Errorf("records %+v", got)
		}
		if r, err := b.Find(b.t.Context(), b.job, "https://a.com/new"); err != nil || string(r.Body) != "body https://a.com/old" {
			b.t.Errorf("Find = %+v, %v", r, err)
		}
		b.clock.advance(pace)
		turn = b.one(frontier.LeaseRequest{PerSite: 9}) // two places are left
		if paths(turn) != "other found" {
			b.t.Errorf("left are %q", paths(turn))
		}
		// A Final that nobody knew becomes known. One of an address in the same turn ends
		// that address too.
		first = read(turn.Tasks[0])
		first.Final = turn.Tasks[1].URL
		second = read(turn.Tasks[1])
		b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{first, second}})
		if s := b.stats(); s.Records != 2 || s.Read != 2 || s.Queued != 0 || s.Known != 5 {
			b.t.Errorf("stats %+v", s)
		}
		b.add(1, link("b.com", "1", 0))
		turn = b.one(frontier.LeaseRequest{Sites: 9})
		first = read(turn.Tasks[0])
		first.Final = "https://elsewhere.b.com/x"
		b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{first}})
		l := link("b.com", "", 0)
		l.URL = first.Final
		b.add(0, l)
		if s := b.stats(); s.Records != 3 || s.Known != 7 {
			b.t.Errorf("stats %+v", s)
		}
	})
}

func TestLater(t *testing.T) {
	each(t, frontier.Limits{Pages: 1}, func(b *bench) {
		b.add(2, link("a.com", "1", 1), link("a.com", "2", 0))
		turn := b.one(frontier.LeaseRequest{})
		due := b.clock.Now().Add(time.Hour)
		b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{{URL: turn.Tasks[0].URL, End: frontier.Later, Due: due, Reason: "http_503"}}})
		if s := b.stats(); s.Queued != 2 || s.Leased != 0 || s.Failed != 0 || s.Reasons["http_503"] != 1 {
			b.t.Errorf("stats %+v", s)
		}
		b.add(0, turn.Tasks[0].Link) // it is known, and still waits
		b.clock.advance(pace)
		turn = b.one(frontier.LeaseRequest{PerSite: 2})
		if paths(turn) != "2" {
			b.t.Errorf("leased %q while one waits", paths(turn))
		}
		b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{{URL: turn.Tasks[0].URL, End: frontier.Skipped, Reason: "robots"}}})
		if s := b.stats(); !s.Next.Equal(due) || s.Skipped != 1 {
			b.t.Errorf("stats %+v, want the next turn at %v", s, due)
		}
		b.clock.advance(time.Hour - pace - time.Millisecond)
		if turns := b.lease(frontier.LeaseRequest{}); len(turns) > 0 {
			b.t.Errorf("before its time: %v", turns)
		}
		b.clock.advance(time.Millisecond)
		turn = b.one(frontier.LeaseRequest{PerSite: 2})
		if paths(turn) != "1" || turn.Tasks[0].Tries != 1 || turn.Tasks[0].Priority != 1 {
			b.t.Errorf("after its time: %+v", turn.Tasks)
		}
		b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{read(turn.Tasks[0])}})
		if s := b.stats(); s.Queued != 0 || !s.Next.IsZero() {
			b.t.Errorf("stats %+v", s)
		}
	})
}

func TestBudgets(t *testing.T) {
	each(t, frontier.Limits{Pages: 4, PerSite: 3}, func(b *bench) {
		for i := range 5 {
			b.add(2, link("a.com", fmt.Sprint(i), 0), link("b.com", fmt.Sprint(i), 0))
		}
		turns := b.lease(frontier.LeaseRequest{Sites: 2, PerSite: 9})
		n := 0
		for _, turn := range turns {
			if n += len(turn.Tasks); len(turn.Tasks) > 3 {
				b.t.Errorf("%d addresses of a site, want 3 at most", len(turn.Tasks))
			}
		}
		if n != 4 {
			b.t.Errorf("%d addresses leased, want 4", n)
		}
		skipped := 0
		var commits []frontier.Commit
		for _, turn := range turns {
			c := frontier.Commit{Turn: turn}
			for i, task := range turn.Tasks {
				o := read(task)
				if i == 0 { // gives its place back
					o = frontier.Outcome{URL: task.URL, End: frontier.Skipped}
					skipped++
				}
				c.Outcomes = append(c.Outcomes, o)
			}
			commits = append(commits, c)
		}
		b.commit(0, commits...)
		b.clock.advance(pace)
		n = 0
		for _, turn := range b.lease(frontier.LeaseRequest{Sites: 2, PerSite: 9}) {
			c := frontier.Commit{Turn: turn}
			for _, task := range turn.Tasks {
				n++
				c.Outcomes = append(c.Outcomes, read(task))
			}
			b.commit(0, c)
		}
		if n != skipped {
			b.t.Errorf("%d further addresses, want %d", n, skipped)
		}
		b.clock.advance(pace)
		if turns := b.lease(frontier.LeaseRequest{Sites: 2}); len(turns) > 0 {
			b.t.Errorf("beyond the budget: %v", turns)
		}
		if s := b.stats(); s.Read != 4 || !s.Next.IsZero() {
			b.t.Errorf("stats %+v", s)
		}
		// A greater budget goes on.
		j, err := b.Job(b.t.Context(), "", b.job)
		if err != nil {
			b.t.Fatal(err)
		}
		j.Limits.Pages, j.Limits.PerSite = 100, 100
		if _, err := b.Update(b.t.Context(), j); err != nil {
			b.t.Fatal(err)
		}
		turns = b.lease(frontier.LeaseRequest{Sites: 2})
		if len(turns) != 2 {
			b.t.Errorf("with a greater budget: %v", turns)
		}
	})
}

// TestSiteBudget wants the turn of a site whose budget is used up to go elsewhere.
func TestSiteBudget(t *testing.T) {
	each(t, frontier.Limits{PerSite: 1}, func(b *bench) {
		b.add(3, link("a.com", "1", 0), link("a.com", "2", 0), link("b.com", "1", 0))
		for range 2 {
			turn := b.one(frontier.LeaseRequest{PerSite: 5})
			if len(turn.Tasks) != 1 {
				b.t.Errorf("tasks %v", turn.Tasks)
			}
			b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{read(turn.Tasks[0])}})
			b.clock.advance(pace)
		}
		if turns := b.lease(frontier.LeaseRequest{Sites: 5}); len(turns) > 0 {
			b.t.Errorf("beyond the budget: %v", turns)
		}
		if s := b.stats(); s.Queued != 1 || !s.Next.IsZero() {
			b.t.Errorf("stats %+v", s)
		}
	})
}

func TestRecords(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		ctx := b.t.Context()
		for i := range 10 {
			b.add(1, link("a.com", fmt.Sprint(i), int32(-i)))
		}
		turn := b.one(frontier.LeaseRequest{PerSite: 10})
		big := strings.Repeat("text ", 300_000)
		for i, task := range turn.Tasks {
			o := read(task)
			switch i {
			case 4:
				o.Meta = nil // no record
			case 5:
				o.Body = nil
			case 6:
				o.Body = []byte(big)
			case 7:
				o.End = frontier.Failed
			}
			b.commit(0, frontier.Commit{Turn: turn, Keep: time.Minute, Outcomes: []frontier.Outcome{o}})
		}
		var urls []string
		for after := int64(0); ; {
			page := b.records(frontier.RecordQuery{After: after, N: 4})
			if len(page) == 0 {
				break
			}
			for _, r := range page {
				if r.Body != nil || string(r.Meta) != "meta "+r.URL || r.Cursor <= after {
					b.t.Errorf("record %+v", r)
				}
				urls, after = append(urls, r.URL[len("https://a.com/"):]), r.Cursor
			}
		}
		if got := strings.Join(urls, ""); got != "012356789" {
			b.t.Errorf("records of %s", got)
		}
		for after, want := range map[int64]string{-1: "9", -3: "789", -9: "012", -20: "012"} {
			got := ""
			for _, r := range b.records(frontier.RecordQuery{After: after, N: 3}) {
				got += r.URL[len("https://a.com/"):]
			}
			if got != want {
				b.t.Errorf("records after %d: %s", after, got)
			}
		}
		for bytes, want := range map[int64]string{1: "0", 30: "01", int64(len(big)): "012356", 0: "012356789"} {
			got := ""
			for _, r := range b.records(frontier.RecordQuery{Bodies: true, Bytes: bytes}) {
				got += r.URL[len("https://a.com/"):]
			}
			if got != want {
				b.t.Errorf("records until %d bytes: %s", bytes, got)
			}
		}
		for _, f := range []*frontier.Frontier{b.Frontier, b.again()} {
			r, err := f.Find(ctx, b.job, "https://a.com/6")
			if err != nil || string(r.Body) != big || r.URL != "https://a.com/6" {
				b.t.Errorf("Find: %d bytes, %v", len(r.Body), err)
			}
			if r, err := f.Find(ctx, b.job, "https://a.com/5"); err != nil || len(r.Body) != 0 || len(r.Meta) == 0 {
				b.t.Errorf("Find: %+v, %v", r, err)
			}
			_, err = f.Find(ctx, b.job, "https://a.com/4")
			b.wantCode(err, frontier.NotFound)
		}
		_, err := b.Records(ctx, frontier.RecordQuery{Job: "c999"})
		b.wantCode(err, frontier.NotFound)
		_, err = b.Commit(ctx, []frontier.Commit{{Turn: turn, Outcomes: []frontier.Outcome{{URL: turn.Tasks[4].URL, End: frontier.Read, Meta: make([]byte, frontier.MaxMeta+1)}}}})
		b.wantCode(err, frontier.Invalid)
	})
}

func TestStop(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		ctx := b.t.Context()
		b.add(2, link("a.com", "1", 1), link("b.com", "2", 0))
		turn := b.one(frontier.LeaseRequest{Sites: 1})
		j, err := b.Job(ctx, "", b.job)
		if err != nil {
			b.t.Fatal(err)
		}
		j.State, j.Reason = frontier.Stopped, "asked"
		if j, err = b.Update(ctx, j); err != nil {
			b.t.Fatal(err)
		}
		_, err = b.Lease(ctx, frontier.LeaseRequest{Job: b.job})
		b.wantCode(err, frontier.NotRunning)
		// What was read until then is not lost.
		b.commit(0, frontier.Commit{Turn: turn, Outcomes: []frontier.Outcome{read(turn.Tasks[0])}})
		if s := b.stats(); s.Records != 1 || s.Queued != 1 {
			b.t.Errorf("stats %+v", s)
		}
		j.State, j.Reason = frontier.Running, ""
		if _, err := b.Update(ctx, j); err != nil {
			b.t.Fatal(err)
		}
		b.clock.advance(pace)
		b.one(frontier.LeaseRequest{Sites: 2})
		_, err = b.Lease(ctx, frontier.LeaseRequest{Job: "c999"})
		b.wantCode(err, frontier.NotFound)
		_, err = b.Stats(ctx, "c999")
		b.wantCode(err, frontier.NotFound)
	})
}

// TestClose wants the turns of a frontier that was closed back at once, and those
// of another one not.
func TestClose(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		ctx := b.t.Context()
		b.add(2, link("a.com", "1", 0), link("b.com", "1", 0))
		mine := b.one(frontier.LeaseRequest{TTL: time.Hour})
		theirs, err := b.again().Lease(ctx, frontier.LeaseRequest{Job: b.job, TTL: time.Hour})
		if err != nil || len(theirs) != 1 {
			b.t.Fatal(theirs, err)
		}
		if err := b.Close(); err != nil {
			b.t.Fatal(err)
		}
		_, err = b.Lease(ctx, frontier.LeaseRequest{Job: b.job})
		b.wantCode(err, frontier.Ended)
		b.Frontier = b.again()
		b.clock.advance(pace)
		if turn := b.one(frontier.LeaseRequest{Sites: 9}); turn.Site != mine.Site {
			b.t.Errorf("the turn of %s came back, want %s", turn.Site, mine.Site)
		}
	})
}

func TestContext(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		ctx, cancel := context.WithCancel(b.t.Context())
		cancel()
		_, err := b.Add(ctx, b.job, []frontier.Link{link("a.com", "1", 0)})
		b.wantCode(err, frontier.Ended)
		if !errors.Is(err, context.Canceled) {
			b.t.Errorf("error %v", err)
		}
		if s := b.stats(); s.Known != 0 {
			b.t.Errorf("stats %+v", s)
		}
	})
}

// TestWorkers has eight workers with three frontiers crawl one synthetic web.
func TestWorkers(t *testing.T) {
	each(t, frontier.Limits{}, func(b *bench) {
		const pages = 600
		frontiers := []*frontier.Frontier{b.Frontier, b.again(), b.again()}
		b.add(1, synthetic(0))
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				f := frontiers[w%len(frontiers)]
				for b.work(f, frontier.LeaseRequest{Job: b.job, Worker: fmt.Sprint(w), Sites: 4, PerSite: 1 + w%3}, pages) {
				}
			})
		}
		wg.Wait()
		checkSynthetic(b, pages)
	})
}

// work takes turns, reads their pages and commits; false: everything is read.
func (b *bench) work(f *frontier.Frontier, q frontier.LeaseRequest, pages uint64) bool {
	ctx := b.t.Context()
	turns, err := f.Lease(ctx, q)
	if err != nil {
		b.t.Error(err)
		return false
	}
	if len(turns) == 0 {
		s, err := f.Stats(ctx, q.Job)
		if err != nil {
			b.t.Error(err)
			return false
		}
		b.clock.advance(pace)
		return s.Queued > 0
	}
	var commits []frontier.Commit
	for _, turn := range turns {
		commits = append(commits, frontier.Commit{Turn: turn, Outcomes: readSynthetic(turn, pages)})
	}
	// The clock jumps, so a turn can be over before its commit: then it is lost.
	if _, err := f.Commit(ctx, commits); err != nil {
		b.t.Error(err)
		return false
	}
	return true
}

// The synthetic web: page p links to three new pages and to twelve others; sites are
// of very different sizes.

func synthetic(id uint64) frontier.Link {
	u := float64(mix(id)>>11) / (1 << 53)
	site := fmt.Sprintf("h%d.com", int(u*u*u*60))
	return frontier.Link{URL: fmt.Sprintf("https://%s/page-%d", site, id), Site: site, Priority: int32(mix(id^5) % 4)}
}

func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}

func readSynthetic(turn frontier.Turn, pages uint64) (out []frontier.Outcome) {
	for _, task := range turn.Tasks {
		var id uint64
		if _, err := fmt.Sscan(task.URL[strings.LastIndexByte(task.URL, '-')+1:], &id); err != nil {
			panic(err)
		}
		var links []frontier.Link
		for i := uint64(1); i <= 3; i++ { // a tree, so that all are reached
			if child := id*3 + i; child < pages {
				links = append(links, synthetic(child))
			}
		}
		for i := range uint64(12) {
			links = append(links, synthetic(mix(id*31+i)%pages))
		}
		out = append(out, read(task, links...))
	}
	return out
}

// checkSynthetic wants each page of the web in exactly one record.
func checkSynthetic(b *bench, pages int) {
	b.t.Helper()
	n := map[string]int{}
	for after := int64(0); ; {
		list := b.records(frontier.RecordQuery{After: after, N: 1000, Bodies: true})
		if len(list) == 0 {
			break
		}
		for _, r := range list {
			if string(r.Body) != "body "+r.URL || string(r.Meta) != "meta "+r.URL {
				b.t.Fatalf("record of %s: %q, %q", r.URL, r.Meta, r.Body)
			}
			n[r.URL]++
			after = r.Cursor
		}
	}
	twice := 0
	for _, k := range n {
		twice += k - 1
	}
	if len(n) != pages || twice > 0 {
		b.t.Errorf("%d pages have a record, want %d; %d records are second ones", len(n), pages, twice)
	}
	s := b.stats()
	if s.Queued != 0 || s.Leased != 0 || int(s.Read) != pages || int(s.Records) != pages || int(s.Known) != pages || !s.Next.IsZero() {
		b.t.Errorf("stats %+v", s)
	}
}
