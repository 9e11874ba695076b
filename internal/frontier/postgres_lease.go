package frontier

import (
	"context"
	"time"
)

// elsewhere is for how long a site is left alone whose turn another job has, in µs:
// nothing tells this job when that turn ends early.
const elsewhere = 100_000

// Lease implements [Frontier].
func (p *Postgres) Lease(ctx context.Context, q LeaseRequest) (turns []Turn, err error) {
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
	err = p.do(ctx, what, false, func(ctx context.Context, c *pgConn) error {
		l := &pgLease{p: p, c: c, q: q, job: number}
		err := c.tx(ctx, func() error { return l.run(ctx) })
		turns = l.turns
		return err
	})
	if err != nil {
		return nil, err
	}
	return turns, nil
}

// pgLease is one call of Lease.
type pgLease struct {
	p   *Postgres
	c   *pgConn
	q   LeaseRequest
	job int64

	now, left, perSite, atOnce, skipped int64
	turns                               []Turn
	later                               batch // what is written before the next statement

	want int          // how many sites the latest statement has asked for
	all  []*candidate // its answer; nil: it was looked at
	open map[int64]*candidate
	best map[int64]*ahead // first addresses of sites, by the number of the site
}

// ahead is the first free addresses of a site, and its turns: turns counts them, other those
// of other jobs, held is how many addresses of this job they hold, until when the first of
// them is lost. closed has those templates of the addresses that are closed.
type ahead struct {
	tasks                     []Task
	closed                    map[uint64]bool
	turns, other, held, until int64
}

type candidate struct {
	site         int64
	name         string
	ready, delay int64
	over         int64
	width        int64 // turns that it may have
	tasks        []Task
	now          *ahead // its turns
}

const leaseRounds = 50

func (l *pgLease) run(ctx context.Context) error {
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

// leftAlone is how many times what this call asks for has to be left of the limit of
// pages, so that the job's row is not locked: no database takes so many connections.
const leftAlone = 1000

// begin reads the job, and in the same round trip the first sites and their addresses; ""
// means that there is no job. Near the job's limit of pages, two leases could both take the
// last places. There, a lease first locks the job's row, for which other leases wait, and then
// reads the sites a second time. Nothing else waits for it: a lease skips locked sites, and a
// commit locks its sites before the job's row.
func (l *pgLease) begin(ctx context.Context) (state string, err error) {
	const used = `SELECT state, pages, per_site, greatest(at_once, 1), spyhop.now($2), read + (SELECT coalesce(sum(t.tasks), 0)::bigint
		FROM spyhop.turn t, (SELECT spyhop.now($2) AS t) n WHERE t.job = $1 AND t.until > n.t) FROM spyhop.job WHERE id = $1`
	var pages, taken int64
	scan := func(rows row) error { return rows.scan(&state, &pages, &l.perSite, &l.atOnce, &l.now, &taken) }
	b := &batch{}
	b.queue(`BEGIN`)
	b.queue(pgKeep, dropLock(l.job))
	b.queue(used, l.job, l.p.at())
	l.askSites(b)
	l.askBest(b)
	r := l.c.send(ctx, b)
	r.exec()
	r.exec()
	r.rows(scan)
	l.readSites(r)
	l.readBest(r)
	if err := r.close(); err != nil {
		return "", err
	}
	l.left = 1 << 40
	if pages <= 0 {
		return state, nil
	}
	if l.left = pages - taken; l.left >= int64(l.q.Sites)*int64(l.q.PerSite)*leftAlone {
		return state, nil
	}
	b = &batch{}
	b.queue(`ROLLBACK`)
	b.queue(`BEGIN`)
	b.queue(pgKeep, dropLock(l.job))
	b.queue(`SELECT id FROM spyhop.job WHERE id = $1 FOR NO KEY UPDATE`, l.job)
	// Another statement sees what was leased before the lock was had.
	b.queue(used, l.job, l.p.at())
	l.askSites(b)
	l.askBest(b)
	r = l.c.send(ctx, b)
	for range 4 {
		r.exec()
	}
	state = ""
	r.rows(scan)
	l.readSites(r)
	l.readBest(r)
	l.left = pages - taken
	return state, r.close()
}

// round looks at some sites that may be ready; false: there are no more.
func (l *pgLease) round(ctx context.Context) (bool, error) {
	if l.all == nil {
		b := &l.later
		writes := len(b.statements)
		l.askSites(b)
		l.askBest(b)
		r := l.c.send(ctx, b)
		for range writes {
			r.exec()
		}
		l.readSites(r)
		l.readBest(r)
		if err := r.close(); err != nil {
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

// askSites locks some sites that may be ready. The time is a subquery of its own, which is
// computed once, so that the index serves the condition and the order.
func (l *pgLease) askSites(b *batch) {
	l.want = l.q.Sites - len(l.turns) + 16
	b.queue(`SELECT h.site, s.name, greatest(s.due, s.blocked), s.delay, h.over, CASE WHEN s.width > 0 AND s.narrow > (SELECT spyhop.now($2)) THEN s.width ELSE $4 END
		FROM spyhop.host h JOIN spyhop.site s ON s.id = h.site WHERE h.job = $1 AND h.ready <= (SELECT spyhop.now($2)) ORDER BY h.ready LIMIT $3
		FOR NO KEY UPDATE OF h, s SKIP LOCKED`, l.job, l.p.at(), l.want, int64(never))
}

// readSites reads the answer to askSites.
func (l *pgLease) readSites(r *results) {
	l.all, l.open = []*candidate{}, map[int64]*candidate{}
	r.rows(func(rows row) error {
		x := &candidate{}
		if err := rows.scan(&x.site, &x.name, &x.ready, &x.delay, &x.over, &x.width); err != nil {
			return err
		}
		if l.perSite > 0 && x.over >= l.perSite {
			x.ready = never
		}
		l.all = append(l.all, x)
		if x.ready <= l.now {
			l.open[x.site] = x
		}
		return nil
	})
}

// The first free addresses of sites x, which are locked, of each x.n; a site that has none is
// one row. Rows that another transaction has locked are not waited for.
const (
	pgBest  = `SELECT x.site, c.turns, c.other, c.held, c.until, q.closed, q.prio, ` + pgTask + ` FROM `
	pgTurns = ` CROSS JOIN LATERAL (SELECT count(*) AS turns, count(*) FILTER (WHERE t.job <> $1) AS other, coalesce(sum(t.tasks) FILTER (WHERE t.job = $1), 0)::bigint AS held,
		coalesce(min(t.until), 0) AS until FROM spyhop.turn t WHERE t.site = x.site AND t.until > `
	pgBestOf = `) c LEFT JOIN LATERAL (SELECT q.*, (SELECT j.duplicates > 0 FROM spyhop.job j WHERE j.id = $1) AND coalesce((SELECT t.closed FROM spyhop.template t WHERE t.job = $1 AND t.t = q.template), false) AS closed
		FROM spyhop.queue q WHERE q.job = $1 AND q.site = x.site AND q.due <= `
	pgFree    = ` AND (q.turn = 0 OR NOT EXISTS (SELECT FROM spyhop.turn t WHERE t.token = q.turn AND t.until > `
	pgBestEnd = `)) ORDER BY q.prio, q.seq LIMIT x.n FOR UPDATE OF q SKIP LOCKED) q ON true ORDER BY x.site, q.prio, q.seq`
)

// askBest reads the first addresses of the sites that askSites has locked. It is a statement
// of its own, which sees what was added before these rows were locked. Others may change
// which sites are the first ones: fill asks for those that are missing.
func (l *pgLease) askBest(b *batch) {
	const now = `(SELECT spyhop.now($2))`
	b.queue(pgBest+`(SELECT h.site, $4::bigint AS n FROM spyhop.host h WHERE h.job = $1 AND h.ready <= `+now+` ORDER BY h.ready LIMIT $3) x`+pgTurns+now+
		pgBestOf+now+pgFree+now+pgBestEnd, l.job, l.p.at(), l.want, l.most())
}

// most is how many addresses of a site a call can lease.
func (l *pgLease) most() int64 { return int64(l.q.PerSite * l.q.Sites) }

// readBest reads first addresses of sites.
func (l *pgLease) readBest(r *results) {
	l.best = map[int64]*ahead{}
	r.rows(l.scanBest)
}

func (l *pgLease) scanBest(rows row) error {
	var site int64
	var closed bool
	a := &ahead{}
	t, err := scanTask(rows, &site, &a.turns, &a.other, &a.held, &a.until, &closed)
	if err != nil {
		return err
	}
	x := l.best[site]
	if x == nil {
		x = a
		l.best[site] = x
	}
	if t.URL == "" { // it has none
		return nil
	}
	x.tasks = append(x.tasks, t)
	if closed {
		if x.closed == nil {
			x.closed = map[uint64]bool{}
		}
		x.closed[t.Template] = true
	}
	return nil
}

// fill gives sites their first addresses. Those of closed templates are skipped, and the
// next ones are looked at.
func (l *pgLease) fill(ctx context.Context, open map[int64]*candidate) error {
	for l.skipped < mostTrapped {
		var sites, n []int64
		gone := int64(0)
		for site, x := range open {
			best := l.best[site]
			if best == nil {
				sites, n = append(sites, site), append(n, l.most())
				continue
			}
			x.now, x.tasks = best, best.tasks
			for i := range x.tasks {
				x.tasks[i].Site = x.name
			}
			if len(best.closed) == 0 {
				continue
			}
			skipped, err := l.skip(ctx, site, best.closed)
			if err != nil {
				return err
			}
			if gone += skipped; skipped > 0 {
				delete(l.best, site)
				sites, n = append(sites, site), append(n, l.most())
			}
			x.tasks = nil // others have the rest locked
		}
		if l.skipped += gone; len(sites) == 0 {
			return nil
		}
		if err := l.c.each(ctx, l.scanBest, pgBest+`(SELECT * FROM unnest($3::bigint[], $4::bigint[]) u(site, n)) x`+pgTurns+`$2`+pgBestOf+`$2`+pgFree+`$2`+pgBestEnd, l.job, l.now, sites, n); err != nil {
			return err
		}
	}
	return nil
}

// skip ends the queued addresses of closed templates.
func (l *pgLease) skip(ctx context.Context, site int64, templates map[uint64]bool) (int64, error) {
	var list []int64
	for t := range templates {
		list = append(list, int64(t))
	}
	return l.c.exec(ctx, `DELETE FROM spyhop.queue WHERE ctid = ANY (ARRAY(SELECT q.ctid FROM spyhop.queue q
		WHERE q.job = $1 AND q.site = $2 AND q.template = ANY($3::bigint[]) ORDER BY q.prio, q.seq LIMIT $4 FOR UPDATE SKIP LOCKED))`, l.job, site, list, mostTrapped)
}

// take makes turns of candidates, and writes when the others may be ready.
func (l *pgLease) take(all []*candidate) {
	var sites, ready, empty []int64
	var w leased
	for _, x := range all {
		if x.ready > l.now {
			sites, ready = append(sites, x.site), append(ready, x.ready)
			continue
		}
		pace := max(l.p.pace, x.delay)
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
		case len(x.tasks) == 0:
			empty = append(empty, x.site)
			continue
		case l.left <= 0 || len(l.turns) >= l.q.Sites:
			continue // it stays ready
		}
		n := min(int64(len(x.tasks)), int64(l.q.PerSite)*min(free, int64(l.q.Sites-len(l.turns))), l.left)
		if l.perSite > 0 {
			if n = min(n, l.perSite-x.over-x.now.held); n <= 0 { // others have the rest
				sites, ready = append(sites, x.site), append(ready, x.now.until)
				continue
			}
		}
		l.left -= n
		due := l.now + pace
		w.ends(x.site, due)
		for tasks := x.tasks[:n]; len(tasks) > 0; free-- {
			k := min(len(tasks), l.q.PerSite)
			t := Turn{Job: l.q.Job, Site: x.name, Token: newToken(), Until: timeOf(l.now + l.q.TTL.Microseconds()), Pace: time.Duration(pace) * time.Microsecond,
				Tasks: tasks[:k:k], AtOnce: int(min(x.width, l.atOnce))}
			w.turn(x.site, due, &t)
			l.turns = append(l.turns, t)
			tasks = tasks[k:]
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
		b.queue(`UPDATE spyhop.host h SET ready = x.ready FROM (SELECT l.tid, x.ready FROM unnest($2::bigint[], $3::bigint[]) x(site, ready)
			CROSS JOIN LATERAL (SELECT h.ctid AS tid FROM spyhop.host h WHERE h.job = $1 AND h.site = x.site LIMIT 1) l) x WHERE h.ctid = x.tid`, l.job, sites, ready)
	}
	if len(empty) > 0 {
		// A URL that is in a turn comes back with it, if at all.
		b.queue(`UPDATE spyhop.host h SET ready = (SELECT coalesce(min(coalesce((SELECT t.until FROM spyhop.turn t WHERE t.token = q.turn AND t.until > $4), q.due)), $3) FROM spyhop.queue q WHERE q.job = $1 AND q.site = h.site)
			FROM (SELECT l.tid FROM unnest($2::bigint[]) x(site) CROSS JOIN LATERAL (SELECT h.ctid AS tid FROM spyhop.host h WHERE h.job = $1 AND h.site = x.site LIMIT 1) l) x WHERE h.ctid = x.tid`, l.job, empty, int64(never), l.now)
	}
	w.queue(b, l)
}

// leased is the turns that a call has made, by columns.
type leased struct {
	sites, dues                      []int64 // of the sites
	tokens, of, untils, ns, turnDues []int64 // of the turns
	urls                             []hash
	holders                          []int64 // their turns
}

func (w *leased) ends(site, due int64) { w.sites, w.dues = append(w.sites, site), append(w.dues, due) }

func (w *leased) turn(site, due int64, t *Turn) {
	w.tokens, w.of, w.untils, w.ns, w.turnDues = append(w.tokens, int64(t.Token)), append(w.of, site), append(w.untils, t.Until.UnixMicro()), append(w.ns, int64(len(t.Tasks))), append(w.turnDues, due)
	for i := range t.Tasks {
		w.urls, w.holders = append(w.urls, wideHash(t.Tasks[i].URL)), append(w.holders, int64(t.Token))
	}
}

// queue writes the turns. The rows of the sites and of the addresses are locked.
func (w *leased) queue(b *batch, l *pgLease) {
	if len(w.tokens) == 0 {
		return
	}
	b.queue(`UPDATE spyhop.site s SET due = greatest(s.due, x.due) FROM unnest($1::bigint[], $2::bigint[]) x(id, due) WHERE s.id = x.id`, w.sites, w.dues)
	b.queue(`DELETE FROM spyhop.turn t USING unnest($1::bigint[]) x WHERE t.site = x AND t.until <= $2`, w.sites, l.now)
	b.queue(`INSERT INTO spyhop.turn (token, site, job, until, tasks, n, due, process, worker)
		SELECT x.token, x.site, $6, x.until, x.n, x.n, x.due, $7, $8 FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) x(token, site, until, n, due)`,
		w.tokens, w.of, w.untils, w.ns, w.turnDues, l.job, l.p.process, l.q.Worker)
	b.queue(`UPDATE spyhop.queue q SET turn = x.turn FROM (SELECT l.tid, x.turn FROM unnest($2::uuid[], $3::bigint[]) x(h, turn)
		CROSS JOIN LATERAL (SELECT q.ctid AS tid FROM spyhop.queue q WHERE q.job = $1 AND q.h = x.h LIMIT 1) l) x WHERE q.ctid = x.tid`, l.job, w.urls, w.holders)
}

// finish commits.
func (l *pgLease) finish(ctx context.Context) error {
	b := &l.later
	if l.skipped > 0 {
		b.queue(`UPDATE spyhop.job SET queued = queued - $2, skipped = skipped + $2 WHERE id = $1`, l.job, l.skipped)
		b.queue(pgCountReason, l.job, [][]byte{[]byte(ReasonTrap)}, []int64{l.skipped})
	}
	b.queue(`COMMIT`)
	err := l.c.send(ctx, b).close()
	if err != nil {
		l.turns = nil
	}
	return err
}

const pgCountReason = `INSERT INTO spyhop.reason AS r (job, name, n) SELECT $1, name, n FROM unnest($2::bytea[], $3::bigint[]) x(name, n) ORDER BY name
	ON CONFLICT (job, name) DO UPDATE SET n = r.n + excluded.n`
