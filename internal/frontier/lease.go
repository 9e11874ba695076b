package frontier

import (
	"cmp"
	"context"
	"time"
)

const (
	// elsewhere is for how long a site is left alone whose turn another job has, in µs:
	// nothing tells this job when that turn ends early.
	elsewhere   = 100_000
	defaultTTL  = time.Minute
	leaseRounds = 50
	// leftAlone is how many times what this call asks for has to be left of the limit of
	// pages, so that the job's row is not locked: no database takes so many connections.
	leftAlone = 1000
)

// Lease takes turns of sites that may be asked now and have queued addresses,
// each with its best ones: those of the highest priority, and of these the
// oldest. No turn is an empty list: [Stats.Next] says when one may come. The code
// is NotRunning when the job's State is not Running. All turns together hold no
// more addresses than Limits.Pages leaves.
func (f *Frontier) Lease(ctx context.Context, q LeaseRequest) (turns []Turn, err error) {
	const what = "lease turns"
	q.Sites, q.PerSite = max(q.Sites, 1), max(q.PerSite, 1)
	if q.TTL <= 0 {
		q.TTL = defaultTTL
	}
	number, ok := numberOf(q.Job)
	if !ok {
		return nil, notFound(q.Job)
	}
	if err := checkWords(what, q.Worker); err != nil {
		return nil, err
	}
	err = f.do(ctx, what, false, func(ctx context.Context, c conn) error {
		l := &lease{f: f, c: c, q: q, job: number}
		err := tx(ctx, c, func() error { return l.run(ctx) })
		turns = l.turns
		if err == nil && len(turns) < q.Sites && f.reapNow() {
			err = f.reap(ctx, c)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return turns, nil
}

// reapNow reports whether the processes of other turns were not looked at for a while.
func (f *Frontier) reapNow() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.reaped) < reapEvery {
		return false
	}
	f.reaped = time.Now()
	return true
}

// lease is one call of Lease.
type lease struct {
	f   *Frontier
	c   conn
	q   LeaseRequest
	job int64

	now, left, perSite, atOnce int64
	turns                      []Turn
	later                      batch // what is written before the next statement

	want int          // how many sites the latest statement has asked for
	all  []*candidate // its result; nil: it was looked at
	open map[int64]*candidate
	best map[int64]*ahead // first URLs of sites, by the number of the site
}

// ahead is the first free URLs of a site, and its turns: turns counts them, other those
// of other jobs, held is how many URLs of this job they hold, until when the first of
// them is lost.
type ahead struct {
	tasks                     []Task
	seqs                      []int64 // of tasks
	turns, other, held, until int64
}

type candidate struct {
	site         int64
	name         string
	ready, delay int64
	over         int64
	width        int64 // turns that it may have
	now          *ahead
}

func (l *lease) run(ctx context.Context) error {
	state, err := l.begin(ctx)
	switch {
	case err != nil:
		return err
	case state == "":
		return notFound(l.q.Job)
	case State(state) != Running:
		return &Error{Code: NotRunning, What: "job " + l.q.Job}
	}
	for range leaseRounds {
		if l.left <= 0 || len(l.turns) >= l.q.Sites {
			break
		}
		more, err := l.round(ctx)
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	return l.finish(ctx)
}

var (
	leaseState = both(`SELECT state, pages, per_site, greatest(at_once, 1), spyhop.now($2), read + ` + leased + ` FROM spyhop.job WHERE id = $1`)
	lockJob    = sql{pg: `SELECT id FROM spyhop.job WHERE id = $1 FOR NO KEY UPDATE`}
	// The time is a subquery of its own, which is computed once, so that the index serves the
	// condition and the order.
	readySites = both(`SELECT h.site, s.name, greatest(s.due, s.blocked), s.delay, h.over, CASE WHEN s.width > 0 AND s.narrow > (SELECT spyhop.now($2)) THEN s.width ELSE $4 END
		FROM spyhop.host h JOIN spyhop.site s ON s.id = h.site WHERE h.job = $1 AND h.ready <= (SELECT spyhop.now($2)) ORDER BY h.ready LIMIT $3
		FOR NO KEY UPDATE OF h, s SKIP LOCKED`)
	// bestAhead reads the first URLs of the sites that readySites has locked. It is a statement
	// of its own, which sees what was added before these rows were locked. Others may change
	// which sites are the first ones: fill asks for those that are missing. In SQLite it would
	// save nothing.
	bestAhead = sql{pg: bestOf(`(SELECT h.site, $4 * (SELECT least($5::bigint, greatest(j.at_once, 1)) FROM spyhop.job j WHERE j.id = $1) AS n FROM spyhop.host h WHERE h.job = $1 AND h.ready <= (SELECT spyhop.now($2)) ORDER BY h.ready LIMIT $3) x`, `(SELECT spyhop.now($2))`)}
	// SQLite is asked for one site at a time, and before that for the turns of all of them: with
	// both in one statement, it makes a table for each site, which costs twice as much.
	freeOf    = sql{bestOf(oneOf, `$2::bigint`), `SELECT q.site, 0, 0, 0, 0, q.seq, q.prio, q.url, q.depth, q.template, q.note, q.tries ` + freeRows(`?3`, `?2`, `?4`)}
	siteTurns = sql{lite: `SELECT t.site, count(*), count(*) FILTER (WHERE t.job <> ?1), coalesce(sum(t.tasks) FILTER (WHERE t.job = ?1), 0), min(t.until) FROM turn t WHERE t.until > ?2 GROUP BY t.site`}
)

// bestOf is the first free URLs of sites x, which are locked, of each x.n; a site that has none
// is one row. Rows that another transaction has locked are not waited for.
func bestOf(x, now string) string {
	return `SELECT x.site, c.turns, c.other, c.held, c.until, coalesce(q.seq, 0), coalesce(q.prio, 0), q.url, coalesce(q.depth, 0), coalesce(q.template, 0), q.note, coalesce(q.tries, 0)
		FROM ` + x + ` CROSS JOIN LATERAL (SELECT count(*) AS turns, count(*) FILTER (WHERE t.job <> $1) AS other, coalesce(sum(t.tasks) FILTER (WHERE t.job = $1), 0)::bigint AS held,
			coalesce(min(t.until), 0) AS until FROM spyhop.turn t WHERE t.site = x.site AND t.until > ` + now + `) c
		LEFT JOIN LATERAL (SELECT q.seq, q.prio, q.url, q.depth, q.template, q.note, q.tries ` + freeRows(`x.site`, now, `x.n`) + ` FOR UPDATE OF q SKIP LOCKED) q ON true ORDER BY x.site, q.prio, q.seq`
}

// freeRows is the end of a query for the first n free URLs of a site.
func freeRows(site, now, n string) string {
	return `FROM spyhop.queue q WHERE q.job = $1 AND q.site = ` + site + ` AND q.due <= ` + now + `
		AND (q.turn = 0 OR NOT EXISTS (SELECT 1 FROM spyhop.turn t WHERE t.token = q.turn AND t.until > ` + now + `)) ORDER BY q.prio, q.seq LIMIT ` + n
}

const oneOf = `unnest($3::bigint[], $4::bigint[]) x(site, n)`

// begin reads the job, and in the same round trip the first sites and their URLs; ""
// means that there is no job. Near the job's limit of pages, two leases could both take the
// last places. There, a lease first locks the job's row, for which other leases wait, and then
// reads the sites a second time. Nothing else waits for it: a lease skips locked sites, and a
// commit locks its sites before the job's row.
func (l *lease) begin(ctx context.Context) (state string, err error) {
	var pages, taken int64
	ask := func(lock ...sql) error {
		var b batch
		b.exec(begin)
		b.exec(keepJob, dropLock(l.job))
		for _, q := range lock {
			b.exec(q, l.job)
		}
		// Another statement sees what was leased before the lock was had.
		b.rows(leaseState, func(r row) error { return r.Scan(&state, &pages, &l.perSite, &l.atOnce, &l.now, &taken) }, l.job, l.f.db.clock())
		l.askSites(&b)
		err := l.c.send(ctx, &b)
		l.left = pages - taken
		return err
	}
	if err := ask(); err != nil {
		return "", err
	}
	switch {
	case pages <= 0:
		l.left = 1 << 40
	case l.left < int64(l.q.Sites)*int64(l.q.PerSite)*leftAlone && !l.f.db.alone():
		if err := run(ctx, l.c, nil, rollback); err != nil {
			return "", err
		}
		state = ""
		return state, ask(lockJob)
	}
	return state, nil
}

// round looks at some sites that may be ready; false: there are no more.
func (l *lease) round(ctx context.Context) (bool, error) {
	if l.all == nil {
		l.askSites(&l.later)
		if err := l.c.send(ctx, &l.later); err != nil {
			return false, err
		}
		l.later = batch{}
	}
	all, open := l.all, l.open
	l.all, l.open = nil, nil
	if len(all) == 0 {
		return false, nil
	}
	if err := l.fill(ctx, open); err != nil {
		return false, err
	}
	l.take(all)
	return len(all) == l.want, nil
}

// askSites locks some sites that may be ready, and reads their first URLs.
func (l *lease) askSites(b *batch) {
	l.want = l.q.Sites - len(l.turns) + 2
	if !l.f.db.alone() { // of these, others may have some, and one more question costs a round trip
		l.want += 14
	}
	l.all, l.open, l.best = []*candidate{}, map[int64]*candidate{}, map[int64]*ahead{}
	b.rows(readySites, func(r row) error {
		x := &candidate{}
		var name []byte
		if err := r.Scan(&x.site, &name, &x.ready, &x.delay, &x.over, &x.width); err != nil {
			return err
		}
		x.name = string(name)
		if l.perSite > 0 && x.over >= l.perSite {
			x.ready = never
		}
		l.all = append(l.all, x)
		if x.ready <= l.now {
			l.open[x.site] = x
		}
		return nil
	}, l.job, l.f.db.clock(), l.want, int64(never))
	b.rows(bestAhead, l.scanBest, l.job, l.f.db.clock(), l.want, l.q.PerSite, l.q.Sites)
}

// most is how many URLs of a site a call can lease.
func (l *lease) most() int64 { return int64(l.q.PerSite) * min(int64(l.q.Sites), l.atOnce) }

func (l *lease) scanBest(r row) error {
	var site, seq int64
	a := &ahead{}
	t, err := scanTask(r, &site, &a.turns, &a.other, &a.held, &a.until, &seq)
	if err != nil {
		return err
	}
	x := l.best[site]
	if x == nil {
		x = a
		l.best[site] = x
	}
	if seq == 0 { // it has none
		return nil
	}
	t.seq = seq
	x.tasks, x.seqs = append(x.tasks, t), append(x.seqs, seq)
	return nil
}

func (l *lease) scanTurns(r row) error {
	var site int64
	a := &ahead{}
	err := r.Scan(&site, &a.turns, &a.other, &a.held, &a.until)
	l.best[site] = a
	return err
}

// fill gives sites their first URLs.
func (l *lease) fill(ctx context.Context, open map[int64]*candidate) error {
	var sites, n []int64
	for site := range open {
		if l.best[site] == nil {
			sites, n = append(sites, site), append(n, l.most())
		}
	}
	if len(sites) > 0 {
		var b batch
		b.rows(siteTurns, l.scanTurns, l.job, l.now)
		b.rows(freeOf, l.scanBest, l.job, l.now, sites, n)
		if err := l.c.send(ctx, &b); err != nil {
			return err
		}
	}
	for site, x := range open {
		x.now = cmp.Or(l.best[site], &ahead{})
	}
	return nil
}

var (
	setReady = update("host", "site, ready", "ready = x.ready", "t.job = $3 AND t.site = x.site")
	// A URL that is in a turn comes back with it, if at all.
	setEmpty = update("host", "site", `ready = (SELECT coalesce(min(coalesce((SELECT u.until FROM spyhop.turn u WHERE u.token = q.turn AND u.until > $3), q.due)), $4)
		FROM spyhop.queue q WHERE q.job = $2 AND q.site = t.site)`, "t.job = $2 AND t.site = x.site")
	laterSite = update("site", "site, due", "due = greatest(t.due, x.due)", "t.id = x.site")
	addTurns  = both(`INSERT INTO spyhop.turn (token, site, job, until, tasks, n, due, process, worker)
		SELECT x.token, x.site, $6, x.until, x.n, x.n, x.due, $7, $8 FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) x(token, site, until, n, due) ORDER BY x.token`)
	holdRows = update("queue", "seq, turn", "turn = x.turn", "t.seq = x.seq")
)

// take makes turns of candidates, and writes when the others may be ready.
func (l *lease) take(all []*candidate) {
	var sites, ready, empty []int64
	var w newTurns
	for _, x := range all {
		switch {
		case x.ready > l.now:
			sites, ready = append(sites, x.site), append(ready, x.ready)
			continue
		}
		pace := max(l.f.pace, x.delay)
		free := min(x.width, l.atOnce) - x.now.turns
		if pace > 0 { // the others come after it
			free = min(free, 1)
		}
		switch {
		case free <= 0:
			next := x.now.until
			if x.now.other > 0 { // nothing tells this job when these end early
				next = min(next, l.now+elsewhere)
			}
			sites, ready = append(sites, x.site), append(ready, next)
			continue
		case len(x.now.tasks) == 0:
			empty = append(empty, x.site)
			continue
		case l.left <= 0 || len(l.turns) >= l.q.Sites:
			continue // it stays ready
		}
		n := min(int64(len(x.now.tasks)), int64(l.q.PerSite)*min(free, int64(l.q.Sites-len(l.turns))), l.left)
		if l.perSite > 0 {
			if n = min(n, l.perSite-x.over-x.now.held); n <= 0 { // others have the rest
				sites, ready = append(sites, x.site), append(ready, x.now.until)
				continue
			}
		}
		l.left -= n
		due, seqs := l.now+pace, x.now.seqs
		if pace > 0 {
			w.ends(x.site, due)
		}
		for tasks := x.now.tasks[:n]; len(tasks) > 0; free-- {
			k := min(len(tasks), l.q.PerSite)
			t := Turn{Job: l.q.Job, Site: x.name, Token: newToken(), Until: timeOf(l.now + l.q.TTL.Microseconds()), Pace: time.Duration(pace) * time.Microsecond,
				Tasks: tasks[:k:k], AtOnce: int(min(x.width, l.atOnce))}
			for i := range t.Tasks {
				t.Tasks[i].Site = x.name
			}
			w.turn(x.site, due, &t, seqs[:k])
			l.turns = append(l.turns, t)
			tasks, seqs = tasks[k:], seqs[k:]
		}
		next := due
		if free <= 0 && pace <= 0 || x.now.turns+1 >= min(x.width, l.atOnce) && pace > 0 {
			next = l.now + l.q.TTL.Microseconds()
			if x.now.until > 0 {
				next = min(next, x.now.until)
			}
		}
		sites, ready = append(sites, x.site), append(ready, next)
	}
	b := &l.later
	if len(sites) > 0 {
		b.exec(setReady, sites, ready, l.job)
	}
	if len(empty) > 0 {
		b.exec(setEmpty, empty, l.job, l.now, int64(never))
	}
	w.queue(b, l)
}

// newTurns is the turns that a call has made, by columns.
type newTurns struct {
	sites, dues                      []int64 // of the sites
	tokens, of, untils, ns, turnDues []int64 // of the turns
	seqs, holders                    []int64 // of the URLs
}

func (w *newTurns) ends(site, due int64) {
	w.sites, w.dues = append(w.sites, site), append(w.dues, due)
}

func (w *newTurns) turn(site, due int64, t *Turn, seqs []int64) {
	w.tokens, w.of, w.untils, w.ns, w.turnDues = append(w.tokens, int64(t.Token)), append(w.of, site), append(w.untils, t.Until.UnixMicro()), append(w.ns, int64(len(seqs))), append(w.turnDues, due)
	for _, seq := range seqs {
		w.seqs, w.holders = append(w.seqs, seq), append(w.holders, int64(t.Token))
	}
}

// queue writes the turns. The rows of the sites and of the URLs are locked.
func (w *newTurns) queue(b *batch, l *lease) {
	if len(w.tokens) == 0 {
		return
	}
	if len(w.sites) > 0 {
		b.exec(laterSite, w.sites, w.dues)
	}
	b.exec(addTurns, w.tokens, w.of, w.untils, w.ns, w.turnDues, l.job, l.f.process, l.q.Worker)
	b.exec(holdRows, w.seqs, w.holders)
}

// finish commits.
func (l *lease) finish(ctx context.Context) error {
	b := &l.later
	b.exec(commit)
	err := l.c.send(ctx, b)
	if err != nil {
		l.turns = nil
	}
	return err
}
