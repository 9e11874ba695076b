package frontier

import (
	"context"
	"fmt"
	"math"
)

const listBytes = 32 << 20 // the default of RecordQuery.Bytes

// taskColumns is the columns of a URL in queue.
const taskColumns = `q.prio, q.url, q.depth, q.template, q.note, q.tries`

// scanTask scans what comes before the task's columns into dest.
func scanTask(r row, dest ...any) (t Task, err error) {
	var prio, depth, template, tries int64
	var url []byte
	err = r.Scan(append(dest, &prio, &url, &depth, &template, &t.Note, &tries)...)
	t.URL, t.Priority, t.Depth, t.Template, t.Tries = string(url), int32(-prio), int(depth), uint64(template), int(tries)
	return t, err
}

var (
	listQueue = both(`SELECT q.site, q.seq, s.name, ` + taskColumns + ` FROM spyhop.queue q JOIN spyhop.site s ON s.id = q.site
		WHERE q.job = $1 AND (q.site, q.prio, q.seq) > ($2, $3, $4) ORDER BY q.site, q.prio, q.seq LIMIT $5`)
	rankURLs = update("queue", "h, prio", "prio = x.prio", "t.seq = (SELECT s.seq FROM spyhop.seen s WHERE s.job = $3 AND s.h = x.h) AND t.prio <> x.prio")
)

// Rank sets the priorities of addresses that are queued; others are ignored.
func (f *Frontier) Rank(ctx context.Context, job string, to []Rank) error {
	n, ok := numberOf(job)
	if !ok {
		return notFound(job)
	}
	last := make(map[hash]int64, len(to))
	for _, r := range to {
		last[hashOf(r.URL)] = -int64(r.Priority)
	}
	hashes, prios := columns(last)
	return f.do(ctx, "rank URLs", false, func(ctx context.Context, c conn) error {
		f.forget()
		return inTx(ctx, c, func() error {
			if err := run(ctx, c, nil, keepJob, dropLock(n)); err != nil {
				return err
			}
			if err := wantJob(ctx, c, job, n); err != nil {
				return err
			}
			return run(ctx, c, nil, rankURLs, hashes, prios, n)
		})
	})
}

// Queued lists queued addresses in no particular order, n at a time, from those
// behind after ("" at first); next is "" at the end. Addresses that are added,
// ranked or leased meanwhile may or may not be listed.
func (f *Frontier) Queued(ctx context.Context, job, after string, n int) (tasks []Task, next string, err error) {
	const what = "list URLs"
	site, prio, seq := int64(0), int64(math.MinInt64), int64(0)
	if after != "" {
		if _, err := fmt.Sscanf(after, "%d:%d:%d", &site, &prio, &seq); err != nil {
			return nil, "", invalid(what, "the cursor is not one")
		}
	}
	n = max(n, 1)
	number, ok := numberOf(job)
	if !ok {
		return nil, "", notFound(job)
	}
	err = f.do(ctx, what, false, func(ctx context.Context, c conn) error {
		if err := wantJob(ctx, c, job, number); err != nil {
			return err
		}
		tasks, next = nil, ""
		last := ""
		err := run(ctx, c, func(r row) error {
			var site, seq int64
			var name []byte
			t, err := scanTask(r, &site, &seq, &name)
			t.Site = string(name)
			tasks = append(tasks, t)
			last = fmt.Sprintf("%d:%d:%d", site, -int64(t.Priority), seq)
			return err
		}, listQueue, number, site, prio, seq, n)
		if len(tasks) == n {
			next = last
		}
		return err
	})
	return tasks, next, err
}

const (
	// leased is how many URLs of a job are in turns.
	leased  = `(SELECT coalesce(sum(t.tasks), 0)::bigint FROM spyhop.turn t WHERE t.job = $1 AND t.until > spyhop.now($2))`
	turnsOf = ` FROM spyhop.turn t WHERE t.site = h.site AND t.until > n.t)`
)

var (
	jobStats   = both(`SELECT known, queued, read, failed, skipped, cursor, pages, (SELECT count(*) FROM spyhop.host WHERE job = $1), ` + leased + `, spyhop.now($2) FROM spyhop.job WHERE id = $1`)
	jobReasons = both(`SELECT name, n FROM spyhop.reason WHERE job = $1`)
	// When sites may be asked; where all URLs of one wait for a later try, the first of these times.
	nextReady = both(`SELECT greatest(h.ready, CASE WHEN (SELECT count(*)` + turnsOf + ` >= CASE WHEN s.width > 0 AND s.narrow > n.t THEN least(s.width, h.at_once) ELSE h.at_once END
				THEN (SELECT min(t.until)` + turnsOf + ` ELSE greatest(s.due, s.blocked) END,
			CASE WHEN EXISTS (SELECT 1 FROM spyhop.queue q WHERE q.job = $1 AND q.site = h.site AND q.due <= n.t AND NOT EXISTS (SELECT 1 FROM spyhop.turn t WHERE t.token = q.turn AND t.until > n.t)) THEN 0
				ELSE (SELECT coalesce(min(coalesce((SELECT t.until FROM spyhop.turn t WHERE t.token = q.turn AND t.until > n.t), q.due)), $3) FROM spyhop.queue q WHERE q.job = $1 AND q.site = h.site) END)
		FROM (SELECT h.*, greatest(j.at_once, 1) AS at_once FROM spyhop.host h JOIN spyhop.job j ON j.id = h.job
				WHERE h.job = $1 AND h.ready < $3 AND (j.per_site = 0 OR h.over < j.per_site) ORDER BY h.ready LIMIT $4) h
			JOIN spyhop.site s ON s.id = h.site CROSS JOIN (SELECT spyhop.now($2) AS t) n`)
)

// Stats counts the addresses of a job.
func (f *Frontier) Stats(ctx context.Context, job string) (st Stats, err error) {
	number, ok := numberOf(job)
	if !ok {
		return st, notFound(job)
	}
	const mostHosts = 100 // sites that are looked at for Next
	err = f.do(ctx, "count URLs", false, func(ctx context.Context, c conn) error {
		st = Stats{Reasons: map[string]int64{}}
		found, pages, now, next, hosts := false, int64(0), int64(0), int64(never), 0
		var b batch
		b.exec(look)
		b.rows(jobStats, func(r row) error {
			found = true
			return r.Scan(&st.Known, &st.Queued, &st.Read, &st.Failed, &st.Skipped, &st.Records, &pages, &st.Sites, &st.Leased, &now)
		}, number, f.db.clock())
		b.rows(jobReasons, func(r row) error {
			var name []byte
			var n int64
			err := r.Scan(&name, &n)
			st.Reasons[string(name)] = n
			return err
		}, number)
		b.rows(nextReady, func(r row) error {
			var ready int64
			err := r.Scan(&ready)
			next = min(next, ready)
			hosts++
			return err
		}, number, f.db.clock(), int64(never), mostHosts)
		b.exec(commit)
		if err := c.send(ctx, &b); err != nil {
			return err
		}
		switch {
		case !found:
			return notFound(job)
		case st.Queued == 0 || pages > 0 && st.Read >= pages:
		case next < never:
			st.Next = timeOf(max(next, 1))
		case hosts == mostHosts: // these have nothing left, others may; the next Lease finds out
			st.Next = timeOf(now)
		}
		return nil
	})
	if err != nil {
		return Stats{}, err
	}
	return st, nil
}

// listRecords lists records from a cursor on; $4 is 1 where the sizes do not count.
func listRecords(body, failed, after string) sql {
	return both(`SELECT r.cursor, r.url, r.meta, ` + body + ` FROM spyhop.record r JOIN (
			SELECT job, cursor, sum(size) OVER (ORDER BY cursor) - size AS before
			FROM (SELECT job, cursor, size FROM spyhop.record WHERE job = $1 AND ` + failed + `cursor > ` + after + ` ORDER BY cursor LIMIT $3) w
		) w ON w.job = r.job AND w.cursor = r.cursor WHERE $4::bigint = 1 OR w.before <= $5 ORDER BY r.cursor`)
}

var findRecord = both(`SELECT cursor, url, meta, body FROM spyhop.record WHERE job = $1 AND h = $2
	UNION ALL SELECT cursor, url, meta, body FROM spyhop.record WHERE job = $1 AND final = $2 LIMIT 1`)

// Records lists records in the order in which they were committed, from the first
// behind the cursor After. A record that is committed later has a larger cursor
// than any that was ever listed, so a reader that goes on from its last cursor
// misses nothing.
func (f *Frontier) Records(ctx context.Context, q RecordQuery) (out []Record, err error) {
	if q.N <= 0 {
		q.N = 100
	}
	if q.Bytes <= 0 {
		q.Bytes = listBytes
	}
	body, failed, after, from, all := `NULL::bytea`, ``, `$2`, q.After, 1
	if q.Failed {
		failed = `failed = 1 AND `
	}
	if q.Bodies {
		body, all = `body`, 0
	}
	if from < 0 {
		after, from = `coalesce((SELECT cursor FROM spyhop.record WHERE job = $1 ORDER BY cursor DESC LIMIT 1 OFFSET $2), 0)`, -from
	}
	return f.list(ctx, "list records", q.Job, listRecords(body, failed, after), from, q.N, all, q.Bytes)
}

// Find returns the record of an address, with its body. The code is NotFound when
// it has none.
func (f *Frontier) Find(ctx context.Context, job, url string) (Record, error) {
	const what = "find a record"
	found, err := f.list(ctx, what, job, findRecord, hashOf(url))
	if err == nil && len(found) == 0 {
		err = &Error{Code: NotFound, What: what}
	}
	if err != nil {
		return Record{}, err
	}
	return found[0], nil
}

// list returns the records of a statement, whose first value is the number of the job.
func (f *Frontier) list(ctx context.Context, what, job string, q sql, args ...any) (out []Record, err error) {
	number, ok := numberOf(job)
	if !ok {
		return nil, notFound(job)
	}
	err = f.do(ctx, what, false, func(ctx context.Context, c conn) error {
		if err := wantJob(ctx, c, job, number); err != nil {
			return err
		}
		out = nil
		return run(ctx, c, func(r row) error {
			var rec Record
			var url, frame []byte
			if err := r.Scan(&rec.Cursor, &url, &rec.Meta, &frame); err != nil {
				return err
			}
			rec.URL = string(url)
			if len(frame) > 0 {
				var err error
				if rec.Body, err = f.bodies.unpack(frame); err != nil {
					return &Error{Code: Damaged, What: "read a record", Cause: err}
				}
			}
			out = append(out, rec)
			return nil
		}, q, append([]any{number}, args...)...)
	})
	return out, err
}
