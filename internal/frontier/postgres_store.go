package frontier

import (
	"bytes"
	"context"
	"maps"
	"math"
	"slices"
)

// This file stores what a write has decided, in batches of statements.

// store writes what was decided.
func (w *pgWrite) store(ctx context.Context) error {
	inserted := map[hash]bool{}
	if err := w.storeSeen(ctx, inserted); err != nil {
		return err
	}
	b := &batch{}
	w.queueFresh(b, inserted)
	w.settle(b, inserted)
	b.queue(`UPDATE spyhop.job SET known = known + $2, queued = queued + $3, read = read + $4, failed = failed + $5, skipped = skipped + $6, cursor = cursor + $7, sites = sites + $8 WHERE id = $1`,
		w.job, w.known, w.queued, w.read, w.failed, w.skipped, len(w.records), w.newSites)
	w.queueRecords(b)
	if len(w.reasons) > 0 {
		var names [][]byte
		var counts []int64
		for name, n := range w.reasons {
			names, counts = append(names, []byte(name)), append(counts, n)
		}
		b.queue(pgCountReason, w.job, names, counts)
	}
	b.queue(`COMMIT`)
	return w.c.send(ctx, b).close()
}

// queueRecords inserts records behind the cursor that the job's row has by then. The
// row stays locked until the commit: cursors are in the order of the commits.
func (w *pgWrite) queueRecords(b *batch) {
	n := len(w.records)
	if n == 0 {
		return
	}
	hashes, finals := make([]hash, n), make([]*hash, n)
	urls, metas, frames, sizes, failed := make([][]byte, n), make([][]byte, n), make([][]byte, n), make([]int64, n), make([]bool, n)
	for i := range w.records {
		r := &w.records[i]
		hashes[i], urls[i], metas[i], frames[i], sizes[i], failed[i] = r.h, []byte(r.url), r.meta, r.frame, r.size, r.failed
		if r.hasFinal {
			finals[i] = &r.final
		}
	}
	b.queue(`INSERT INTO spyhop.record (job, cursor, h, final, url, meta, body, size, failed)
		SELECT j.id, j.cursor - $2 + x.i, x.h, x.final, x.url, x.meta, x.body, x.size, x.failed FROM spyhop.job j,
			unnest($3::uuid[], $4::uuid[], $5::bytea[], $6::bytea[], $7::bytea[], $8::bigint[], $9::boolean[]) WITH ORDINALITY x(h, final, url, meta, body, size, failed, i)
		WHERE j.id = $1`, w.job, n, hashes, finals, urls, metas, frames, sizes, failed)
}

// storeSeen ends addresses and makes new ones known, and learns which of the new ones another transaction
// has added meanwhile.
func (w *pgWrite) storeSeen(ctx context.Context, inserted map[hash]bool) error {
	b := &batch{}
	var reads []func(*results)
	whole := func(n int) func(*results) {
		return func(r *results) {
			if changed := r.exec(); r.err == nil && changed != int64(n) {
				r.err = errAgain
			}
		}
	}
	if n := len(w.gone); n > 0 {
		b.queue(`DELETE FROM spyhop.queue WHERE ctid = ANY (ARRAY(SELECT l.tid FROM unnest($2::uuid[]) x(h) CROSS JOIN LATERAL (SELECT q.ctid AS tid FROM spyhop.queue q WHERE q.job = $1 AND q.h = x.h LIMIT 1) l))`, w.job, w.gone)
		reads = append(reads, whole(n))
	}
	if n := len(w.laterHash); n > 0 {
		b.queue(`UPDATE spyhop.queue q SET due = x.due, tries = q.tries + x.tries, turn = 0
			FROM (SELECT l.tid, x.due, x.tries FROM unnest($2::uuid[], $3::bigint[], $4::bigint[]) x(h, due, tries) CROSS JOIN LATERAL (SELECT q.ctid AS tid FROM spyhop.queue q WHERE q.job = $1 AND q.h = x.h LIMIT 1) l) x WHERE q.ctid = x.tid`, w.job, w.laterHash, w.laterAt, w.laterTries)
		reads = append(reads, whole(n))
	}
	w.queueRaise(b, &reads)
	if n := len(w.finals); n > 0 {
		b.queue(`INSERT INTO spyhop.seen (job, h) SELECT $1, x FROM unnest($2::uuid[]) x ORDER BY x ON CONFLICT DO NOTHING`, w.job, w.finals)
		reads = append(reads, whole(n))
	}
	w.queueSeen(b, &reads, inserted)
	w.queueHosts(b, &reads)
	for _, t := range w.turns {
		if t.held && t.keep > 0 && t.ended > 0 {
			b.queue(`UPDATE spyhop.turn SET tasks = greatest(tasks - $2, 0) WHERE token = $1`, int64(t.token), t.ended)
			reads = append(reads, func(r *results) { r.exec() })
		}
	}
	if len(b.statements) == 0 {
		return nil
	}
	r := w.c.send(ctx, b)
	for _, read := range reads {
		read(r)
	}
	return r.close()
}

func (w *pgWrite) queueRaise(b *batch, reads *[]func(*results)) {
	var hashes []hash
	var prios []int64
	for h, prio := range w.raise {
		if !w.ended[h] {
			hashes, prios = append(hashes, h), append(prios, prio)
		}
	}
	if len(hashes) > 0 {
		b.queue(pgRaise, w.job, hashes, prios)
		*reads = append(*reads, func(r *results) { r.exec() })
	}
}

const pgRaise = `UPDATE spyhop.queue q SET prio = x.prio FROM (SELECT l.tid, x.prio FROM unnest($2::uuid[], $3::bigint[]) x(h, prio)
	CROSS JOIN LATERAL (SELECT q.ctid AS tid FROM spyhop.queue q WHERE q.job = $1 AND q.h = x.h LIMIT 1) l) x WHERE q.ctid = x.tid AND q.prio > x.prio`

// queueSeen makes new addresses known.
func (w *pgWrite) queueSeen(b *batch, reads *[]func(*results), inserted map[hash]bool) {
	if len(w.fresh) == 0 {
		return
	}
	b.queue(`INSERT INTO spyhop.seen (job, h) SELECT $1, x FROM unnest($2::uuid[]) x ON CONFLICT DO NOTHING RETURNING h`, w.job, sortedHashes(w.fresh))
	*reads = append(*reads, func(r *results) {
		r.rows(func(rows row) error {
			var h hash
			err := rows.scan(&h)
			inserted[h] = true
			return err
		})
	})
}

// sortedHashes are the keys of m in the order in which all transactions lock and
// insert, so that two of them cannot wait for each other.
func sortedHashes[V any](m map[hash]V) []hash {
	return slices.SortedFunc(maps.Keys(m), func(a, b hash) int { return bytes.Compare(a[:], b[:]) })
}

// queueFresh queues the new addresses, in their order.
func (w *pgWrite) queueFresh(b *batch, inserted map[hash]bool) {
	n := len(inserted)
	if n == 0 {
		return
	}
	hashes, urls, notes := make([]hash, 0, n), make([][]byte, 0, n), make([][]byte, 0, n)
	sites, prios, depths, templates := make([]int64, 0, n), make([]int64, 0, n), make([]int64, 0, n), make([]int64, 0, n)
	for _, h := range w.order {
		if l := w.fresh[h]; l != nil && inserted[h] {
			hashes, urls, notes = append(hashes, h), append(urls, []byte(l.URL)), append(notes, l.Note)
			sites, prios = append(sites, w.sites[l.Site]), append(prios, -int64(l.Priority))
			depths, templates = append(depths, int64(l.Depth)), append(templates, int64(l.Template))
		}
	}
	b.queue(`INSERT INTO spyhop.queue (job, h, site, prio, seq, url, depth, template, note)
		SELECT $1, x.h, x.site, x.prio, ((SELECT nextval('spyhop.seq')) << 20) + x.seq, x.url, x.depth, x.template, x.note
		FROM unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bytea[], $6::bigint[], $7::bigint[], $8::bytea[]) WITH ORDINALITY x(h, site, prio, url, depth, template, note, seq)`,
		w.job, hashes, sites, prios, urls, depths, templates, notes)
}

// queueHosts says when sites may be asked, and counts what is over. The row of a
// site that gets addresses is locked until the commit, also where nothing changes:
// a Lease that finds it without addresses must not overlook these.
func (w *pgWrite) queueHosts(b *batch, reads *[]func(*results)) {
	ready := map[int64]int64{}
	for _, l := range w.fresh {
		ready[w.sites[l.Site]] = 0
	}
	for site := range w.over {
		if _, ok := ready[site]; !ok {
			ready[site] = never
		}
	}
	for _, t := range w.turns {
		if old, ok := ready[t.id]; t.held && t.keep <= 0 && (!ok || old > t.ready) {
			ready[t.id] = t.ready
		}
	}
	if len(ready) == 0 {
		return
	}
	sites := slices.Sorted(maps.Keys(ready))
	times, overs := make([]int64, len(sites)), make([]int64, len(sites))
	for i, site := range sites {
		times[i], overs[i] = ready[site], w.over[site]
	}
	b.queue(`INSERT INTO spyhop.host AS h (job, site, ready, over) SELECT $1, site, ready, n FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) x(site, ready, n)
		ON CONFLICT (job, site) DO UPDATE SET ready = least(h.ready, excluded.ready), over = h.over + excluded.over RETURNING (h.xmax = 0)`, w.job, sites, times, overs)
	*reads = append(*reads, func(r *results) {
		r.rows(func(rows row) error {
			fresh := false
			err := rows.scan(&fresh)
			if fresh {
				w.newSites++
			}
			return err
		})
	})
}

// settle takes back what another transaction has added first, and writes the
// templates.
func (w *pgWrite) settle(b *batch, inserted map[hash]bool) {
	var known []hash
	var prios []int64
	for h, l := range w.fresh {
		if inserted[h] {
			continue
		}
		w.known--
		w.queued--
		if t := w.temp[int64(l.Template)]; t != nil {
			t.n--
		}
		known, prios = append(known, h), append(prios, -int64(l.Priority))
	}
	if len(known) > 0 {
		b.queue(pgRaise, w.job, known, prios)
	}
	var ts, ns, runs []int64
	var closed []bool
	for t, x := range w.temp {
		if x.changed {
			ts, ns, runs, closed = append(ts, t), append(ns, x.n), append(runs, x.run), append(closed, x.closed)
		}
	}
	if len(ts) > 0 {
		b.queue(`UPDATE spyhop.template t SET n = x.n, run = x.run, closed = x.closed
			FROM (SELECT l.tid, x.* FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[]) x(t, n, run, closed)
				CROSS JOIN LATERAL (SELECT t.ctid AS tid FROM spyhop.template t WHERE t.job = $1 AND t.t = x.t LIMIT 1) l) x
			WHERE t.ctid = x.tid`, w.job, ts, ns, runs, closed)
	}
}

// remember keeps what the call has learned of addresses.
func (w *pgWrite) remember() {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	if w.p.recentJob != w.job || len(w.p.recent)+len(w.hashes) > maxRecent {
		clear(w.p.recent)
		w.p.recentJob = w.job
	}
	for h, f := range w.floor { // each of these is known with that priority now, or a higher one
		if f != math.MinInt64 && w.seen[h] || w.fresh[h] != nil {
			w.p.recent[h] = int32(-f)
		}
	}
}
