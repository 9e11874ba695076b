package frontier

import (
	"context"
	"maps"
	"math"
	"slices"
)

// This file stores what a write has decided, in batches of statements.

var (
	deleteRows = both(`DELETE FROM spyhop.queue WHERE seq = ANY($1)`)
	laterRows  = update("queue", "seq, due, tries", "due = x.due, tries = t.tries + x.tries, turn = 0", "t.seq = x.seq")
	raiseRows  = update("queue", "h, prio", "prio = x.prio", "t.seq = (SELECT s.seq FROM spyhop.seen s WHERE s.job = $3 AND s.h = x.h) AND t.prio > x.prio")
	addFinals  = both(`INSERT INTO spyhop.seen (job, h, seq) SELECT $1, x.h, 0 FROM unnest($2::bigint[]) x(h) ORDER BY x.h ON CONFLICT DO NOTHING`)
	addSeen    = sql{`INSERT INTO spyhop.seen (job, h, seq) SELECT $1, x.h, x.seq FROM unnest($2::bigint[], $3::bigint[]) x(h, seq) ORDER BY x.h ON CONFLICT DO NOTHING RETURNING h`,
		`INSERT INTO seen (job, h, seq) VALUES (?1, ?2, ?3)`}
	addRows = both(`INSERT INTO spyhop.queue (seq, job, site, prio, url, depth, template, note) SELECT x.seq, $1, x.site, x.prio, x.url, x.depth, x.template, x.note
		FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[], $6::bigint[], $7::bigint[], $8::bytea[]) x(seq, site, prio, url, depth, template, note) ORDER BY x.seq`)
	keepTurns = update("turn", "token, keep, ended", "until = $4 + x.keep, tasks = greatest(t.tasks - x.ended, 0)", "t.token = x.token")
	dropTurns = both(`DELETE FROM spyhop.turn WHERE token = ANY($1)`)
	// Where a turn has made no request, and no other turn has begun meanwhile, the site may be
	// asked at once.
	siteDue  = update("site", "site, idle, planned", "due = CASE WHEN x.idle = 0 THEN greatest(t.due, $4 + greatest($5, t.delay)) WHEN t.due = x.planned THEN $4 ELSE t.due END", "t.id = x.site")
	addHosts = both(`INSERT INTO spyhop.host AS h (job, site, ready, over) SELECT $1, x.site, x.ready, x.over FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) x(site, ready, over) ORDER BY x.site
		ON CONFLICT (job, site) DO UPDATE SET ready = least(h.ready, excluded.ready), over = h.over + excluded.over`)
	setTemplates = update("template", "t, n", "n = x.n", "t.job = $3 AND t.t = x.t")
	countJob     = both(`UPDATE spyhop.job SET known = known + $2, queued = queued + $3, read = read + $4, failed = failed + $5, skipped = skipped + $6, cursor = cursor + $7 WHERE id = $1`)
	// Records come behind the cursor that the job's row has by then. The row stays locked
	// until the commit: cursors are in the order of the commits.
	addRecords = sql{both(`INSERT INTO spyhop.record (job, cursor, h, final, url, meta, body, size, failed)
		SELECT j.id, j.cursor - $2 + x.i, x.h, x.final, x.url, x.meta, x.body, x.size, x.failed FROM spyhop.job j, unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::bytea[], $8::bytea[], $9::bigint[], $10::bigint[]) x(i, h, final, url, meta, body, size, failed) WHERE j.id = $1`).pg,
		`INSERT INTO record (job, cursor, h, final, url, meta, body, size, failed) VALUES (?1, (SELECT cursor FROM job WHERE id = ?1) - ?2 + ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`}
	addReasons = both(`INSERT INTO spyhop.reason AS r (job, name, n) SELECT $1, x.name, x.n FROM unnest($2::bytea[], $3::bigint[]) x(name, n) ORDER BY x.name
		ON CONFLICT (job, name) DO UPDATE SET n = r.n + excluded.n`)
)

// store writes what was decided.
func (w *write) store(ctx context.Context) error {
	inserted := map[hash]bool{}
	var b batch
	if n := len(w.gone); n > 0 {
		b.all(n, deleteRows, w.gone)
	}
	if n := len(w.laterSeq); n > 0 {
		b.all(n, laterRows, w.laterSeq, w.laterAt, w.laterTries)
	}
	maps.DeleteFunc(w.raise, func(h hash, _ int64) bool { return w.ended[h] })
	w.queueRaise(&b, w.raise)
	w.queueTurns(&b)
	if n := len(w.finals); n > 0 {
		b.all(n, addFinals, w.job, w.finals)
	}
	if len(w.fresh) > 0 {
		hashes, seqs := columns(w.seqs())
		b.rows(addSeen, func(r row) error {
			var h hash
			err := r.Scan(&h)
			inserted[h] = true
			return err
		}, w.job, hashes, seqs)
	}
	w.queueHosts(&b)
	if len(b.items) > 0 {
		if err := w.c.send(ctx, &b); err != nil {
			return err
		}
	}
	if w.f.db.alone() {
		for h := range w.fresh {
			inserted[h] = true
		}
	}
	b = batch{}
	w.queueFresh(&b, inserted)
	w.settle(&b, inserted)
	b.exec(countJob, w.job, w.known, w.queued, w.read, w.failed, w.skipped, len(w.records))
	w.queueRecords(&b)
	queueReasons(&b, w.job, w.reasons)
	b.exec(commit)
	return w.c.send(ctx, &b)
}

// seqs numbers the new URLs in their order.
func (w *write) seqs() map[hash]int64 {
	seqs := make(map[hash]int64, len(w.fresh))
	for i, h := range w.order {
		if w.fresh[h] != nil {
			seqs[h] = w.base + int64(i)
		}
	}
	return seqs
}

// queueTurns ends turns or lengthens them, and says when their sites may be asked again.
func (w *write) queueTurns(b *batch) {
	var kept, keeps, ended, over, sites, idles, planned []int64
	for _, t := range w.turns {
		switch {
		case !t.held:
			continue
		case t.keep > 0:
			kept, keeps, ended = append(kept, int64(t.token)), append(keeps, t.keep), append(ended, t.ended)
			continue
		}
		over = append(over, int64(t.token))
		// Where a turn had several URLs, its last request has begun at some time until now; a
		// delay may be newer than the turn. Where a site has one turn at a time, two requests
		// are never closer than the pace, however late each of them arrives.
		if (w.f.pace > 0 || t.delay > 0) && (t.idle || t.n > 1 || t.delay > 0 || w.limits.AtOnce <= 1) {
			idle := int64(0)
			if t.idle {
				idle, t.ready = 1, 0
			}
			sites, idles, planned = append(sites, t.id), append(idles, idle), append(planned, t.planned)
		}
	}
	if len(kept) > 0 {
		b.exec(keepTurns, kept, keeps, ended, w.now)
	}
	if len(over) > 0 {
		b.exec(dropTurns, over)
	}
	if len(sites) > 0 {
		b.exec(siteDue, sites, idles, planned, w.now, w.f.pace)
	}
}

func (w *write) queueRaise(b *batch, to map[hash]int64) {
	if len(to) > 0 {
		hashes, prios := columns(to)
		b.exec(raiseRows, hashes, prios, w.job)
	}
}

// queueHosts says when sites may be asked, and counts what is over. The row of a
// site that gets URLs is locked until the commit, also where nothing changes:
// a Lease that finds it without URLs must not overlook these.
func (w *write) queueHosts(b *batch) {
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
	sites, times := columns(ready)
	overs := make([]int64, len(sites))
	for i, site := range sites {
		overs[i] = w.over[site]
	}
	b.exec(addHosts, w.job, sites, times, overs)
}

// queueFresh queues the new URLs.
func (w *write) queueFresh(b *batch, inserted map[hash]bool) {
	n := len(inserted)
	if n == 0 {
		return
	}
	urls, notes := make([][]byte, 0, n), make([][]byte, 0, n)
	seqs, sites, prios, depths, templates := make([]int64, 0, n), make([]int64, 0, n), make([]int64, 0, n), make([]int64, 0, n), make([]int64, 0, n)
	for i, h := range w.order {
		if l := w.fresh[h]; l != nil && inserted[h] {
			seqs, urls, notes = append(seqs, w.base+int64(i)), append(urls, []byte(l.URL)), append(notes, l.Note)
			sites, prios = append(sites, w.sites[l.Site]), append(prios, -int64(l.Priority))
			depths, templates = append(depths, int64(l.Depth)), append(templates, int64(l.Template))
		}
	}
	b.exec(addRows, w.job, seqs, sites, prios, urls, depths, templates, notes)
}

// settle takes back what another transaction has added first, and writes the
// templates.
func (w *write) settle(b *batch, inserted map[hash]bool) {
	known := map[hash]int64{}
	for h, l := range w.fresh {
		if inserted[h] {
			continue
		}
		w.known--
		w.queued--
		if t := w.temp[int64(l.Template)]; t != nil {
			t.n--
		}
		known[h] = -int64(l.Priority)
	}
	w.queueRaise(b, known)
	var ts, ns []int64
	for _, t := range slices.Sorted(maps.Keys(w.temp)) {
		if x := w.temp[t]; x.changed {
			ts, ns = append(ts, t), append(ns, x.n)
		}
	}
	if len(ts) > 0 {
		b.exec(setTemplates, ts, ns, w.job)
	}
}

func (w *write) queueRecords(b *batch) {
	n := len(w.records)
	if n == 0 {
		return
	}
	order, hashes, finals, sizes, failed := make([]int64, n), make([]hash, n), make([]*int64, n), make([]int64, n), make([]int64, n)
	urls, metas, frames := make([][]byte, n), make([][]byte, n), make([][]byte, n)
	for i := range w.records {
		r := &w.records[i]
		order[i], hashes[i], urls[i], metas[i], frames[i], sizes[i], failed[i] = int64(i+1), r.h, []byte(r.url), r.Meta, r.frame, int64(len(r.Body)), r.failed
		if r.recorded {
			finals[i] = &r.final
		}
	}
	b.exec(addRecords, w.job, n, order, hashes, finals, urls, metas, frames, sizes, failed)
}

// queueReasons counts reasons.
func queueReasons(b *batch, job int64, reasons map[string]int64) {
	if len(reasons) == 0 {
		return
	}
	var names [][]byte
	var counts []int64
	for name, n := range reasons {
		names, counts = append(names, []byte(name)), append(counts, n)
	}
	b.exec(addReasons, job, names, counts)
}

// remember keeps what the call has learned of URLs.
func (w *write) remember() {
	w.f.mu.Lock()
	defer w.f.mu.Unlock()
	if w.f.recentJob != w.job || len(w.f.recent)+len(w.hashes) > maxRecent {
		clear(w.f.recent)
		w.f.recentJob = w.job
	}
	for h, f := range w.floor { // each of these is known with that priority now, or a higher one
		if f != math.MinInt64 && w.seen[h] || w.fresh[h] != nil {
			w.f.recent[h] = int32(-f)
		}
	}
}

// forget drops what is remembered of URLs: the highest priority only.
func (f *Frontier) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.recent)
}
