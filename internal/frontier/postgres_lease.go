package frontier

import (
	"context"
	"crypto/rand"
	"encoding/binary"
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

	now, left, perSite, skipped int64
	turns                       []Turn
	later                       batch // what is written before the next statement

	want int          // how many sites the latest statement has asked for
	all  []*candidate // its answer; nil: it was looked at
	open map[int64]*candidate
	best map[int64]*ahead // first addresses of sites, by the number of the site
}

// ahead is the first addresses of a site; closed has those templates of them that are
// closed.
type ahead struct {
	tasks  []Task
	closed map[uint64]bool
}

type candidate struct {
	site         int64
	name         string
	ready, delay int64
	over         int64
	n            int64 // addresses that it may have
	tasks        []Task
	token        int64
	until        int64
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
	const used = `SELECT state, pages, per_site, spyhop.now($2), read + (SELECT coalesce(sum(s.tasks), 0)::bigint
		FROM spyhop.site s, (SELECT spyhop.now($2) AS t) n WHERE s.job = $1 AND s.token <> 0 AND s.until > n.t) FROM spyhop.job WHERE id = $1`
	var pages, taken int64
	scan := func(rows row) error { return rows.scan(&state, &pages, &l.perSite, &l.now, &taken) }
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
	b.queue(`SELECT h.site, s.name, CASE WHEN s.token <> 0 AND s.until > (SELECT spyhop.now($2)) THEN least(s.until, (SELECT spyhop.now($2)) + $4) ELSE greatest(s.due, s.blocked) END, s.delay, h.over
		FROM spyhop.host h JOIN spyhop.site s ON s.id = h.site WHERE h.job = $1 AND h.ready <= (SELECT spyhop.now($2)) ORDER BY h.ready LIMIT $3
		FOR NO KEY UPDATE OF h, s SKIP LOCKED`, l.job, l.p.at(), l.want, elsewhere)
}

// readSites reads the answer to askSites.
func (l *pgLease) readSites(r *results) {
	l.all, l.open = []*candidate{}, map[int64]*candidate{}
	r.rows(func(rows row) error {
		x := &candidate{n: int64(l.q.PerSite)}
		if err := rows.scan(&x.site, &x.name, &x.ready, &x.delay, &x.over); err != nil {
			return err
		}
		if l.perSite > 0 {
			if x.n = min(x.n, l.perSite-x.over); x.n <= 0 {
				x.ready = never
			}
		}
		l.all = append(l.all, x)
		if x.ready <= l.now {
			l.open[x.site] = x
		}
		return nil
	})
}

// The first addresses of sites x, of each x.n; a site that has none is one row.
const (
	pgBest   = `SELECT x.site, q.closed, q.prio, ` + pgTask + ` FROM `
	pgBestOf = ` x LEFT JOIN LATERAL (SELECT q.*, (SELECT j.duplicates > 0 FROM spyhop.job j WHERE j.id = $1) AND coalesce((SELECT t.closed FROM spyhop.template t WHERE t.job = $1 AND t.t = q.template), false) AS closed
		FROM spyhop.queue q WHERE q.job = $1 AND q.site = x.site AND q.due <= `
	pgBestEnd = ` ORDER BY q.prio, q.seq LIMIT x.n) q ON true ORDER BY x.site, q.prio, q.seq`
)

// askBest reads the first addresses of the sites that askSites has locked. It is a statement
// of its own, which sees what was added before these rows were locked. Others may change
// which sites are the first ones: fill asks for those that are missing.
func (l *pgLease) askBest(b *batch) {
	b.queue(pgBest+`(SELECT h.site, $4::bigint AS n FROM spyhop.host h WHERE h.job = $1 AND h.ready <= (SELECT spyhop.now($2)) ORDER BY h.ready LIMIT $3)`+
		pgBestOf+`(SELECT spyhop.now($2))`+pgBestEnd, l.job, l.p.at(), l.want, l.q.PerSite)
}

// readBest reads first addresses of sites.
func (l *pgLease) readBest(r *results) {
	l.best = map[int64]*ahead{}
	r.rows(l.scanBest)
}

func (l *pgLease) scanBest(rows row) error {
	var site int64
	var closed bool
	t, err := scanTask(rows, &site, &closed)
	if err != nil {
		return err
	}
	x := l.best[site]
	if x == nil {
		x = &ahead{}
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
				sites, n = append(sites, site), append(n, x.n)
				continue
			}
			x.tasks = best.tasks[:min(int64(len(best.tasks)), x.n)]
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
				sites, n = append(sites, site), append(n, x.n)
			}
			x.tasks = nil // others have the rest locked
		}
		if l.skipped += gone; len(sites) == 0 {
			return nil
		}
		if err := l.c.each(ctx, l.scanBest, pgBest+`(SELECT * FROM unnest($3::bigint[], $4::bigint[]) u(site, n))`+pgBestOf+`$2`+pgBestEnd, l.job, l.now, sites, n); err != nil {
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
	var taken []*candidate
	for _, x := range all {
		switch {
		case x.ready > l.now:
		case len(x.tasks) == 0:
			empty = append(empty, x.site)
			continue
		case l.left <= 0 || len(l.turns)+len(taken) >= l.q.Sites:
			continue // it stays ready
		default:
			x.tasks = x.tasks[:min(int64(len(x.tasks)), l.left)]
			l.left -= int64(len(x.tasks))
			var random [8]byte
			rand.Read(random[:])
			x.token = int64(binary.LittleEndian.Uint64(random[:]) | 1)
			x.until = l.now + l.q.TTL.Microseconds()
			x.ready = x.until
			taken = append(taken, x)
		}
		sites, ready = append(sites, x.site), append(ready, x.ready)
	}
	b := &l.later
	if len(sites) > 0 {
		b.queue(`UPDATE spyhop.host h SET ready = x.ready FROM (SELECT l.tid, x.ready FROM unnest($2::bigint[], $3::bigint[]) x(site, ready)
			CROSS JOIN LATERAL (SELECT h.ctid AS tid FROM spyhop.host h WHERE h.job = $1 AND h.site = x.site LIMIT 1) l) x WHERE h.ctid = x.tid`, l.job, sites, ready)
	}
	if len(empty) > 0 {
		b.queue(`UPDATE spyhop.host h SET ready = (SELECT coalesce(min(q.due), $3) FROM spyhop.queue q WHERE q.job = $1 AND q.site = h.site)
			FROM (SELECT l.tid FROM unnest($2::bigint[]) x(site) CROSS JOIN LATERAL (SELECT h.ctid AS tid FROM spyhop.host h WHERE h.job = $1 AND h.site = x.site LIMIT 1) l) x WHERE h.ctid = x.tid`, l.job, empty, int64(never))
	}
	if len(taken) > 0 {
		ids, tokens, tasks := make([]int64, len(taken)), make([]int64, len(taken)), make([]int64, len(taken))
		for i, x := range taken {
			ids[i], tokens[i], tasks[i] = x.site, x.token, int64(len(x.tasks))
			l.turns = append(l.turns, Turn{Job: l.q.Job, Site: x.name, Token: Token(x.token), Until: timeOf(x.until),
				Pace: time.Duration(max(l.p.pace, x.delay)) * time.Microsecond, Tasks: x.tasks})
		}
		b.queue(`UPDATE spyhop.site s SET token = x.token, until = $5, job = $6, process = $7, worker = $4, tasks = x.tasks
			FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) x(id, token, tasks) WHERE s.id = x.id`, ids, tokens, tasks, l.q.Worker, taken[0].until, l.job, l.p.process)
	}
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
