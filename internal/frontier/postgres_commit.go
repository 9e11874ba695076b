package frontier

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
)

// Add implements [Frontier].
func (p *Postgres) Add(ctx context.Context, job string, links []Link) (added int, err error) {
	const what = "add addresses"
	if err := checkLinks(what, links); err != nil {
		return 0, err
	}
	err = p.do(ctx, what, false, func(ctx context.Context, c *pgConn) error {
		w, err := p.write(ctx, c, job, nil, links)
		if err != nil {
			return err
		}
		if w == nil {
			return notFound(job)
		}
		added = int(w.known)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// Commit implements [Frontier]. Each job has a transaction
// of its own.
func (p *Postgres) Commit(ctx context.Context, commits []Commit) (lost []Token, err error) {
	const what = "commit turns"
	if err := checkCommits(what, commits); err != nil {
		return nil, err
	}
	jobs := map[string]map[Token]*pgTurn{}
	for _, c := range commits {
		turns := jobs[c.Turn.Job]
		if turns == nil {
			turns = map[Token]*pgTurn{}
			jobs[c.Turn.Job] = turns
		}
		t := turns[c.Turn.Token]
		if t == nil {
			t = &pgTurn{token: c.Turn.Token, site: c.Turn.Site}
			turns[c.Turn.Token] = t
		} else if t.keep <= 0 || t.site != c.Turn.Site { // it has ended with the first
			lost = append(lost, c.Turn.Token)
			continue
		}
		t.keep, t.idle = c.Keep.Microseconds(), c.Idle
		for i := range c.Outcomes {
			o := &c.Outcomes[i]
			e := pgEnd{Outcome: o, h: wideHash(o.URL)}
			if o.Final != "" && o.Final != o.URL {
				e.final, e.hasFinal = wideHash(o.Final), true
			}
			if len(o.Meta) > 0 && len(o.Body) > 0 {
				e.frame = p.bodies.pack(o.Body)
			}
			t.ends = append(t.ends, e)
		}
	}
	for _, job := range slices.Sorted(maps.Keys(jobs)) {
		turns := slices.SortedFunc(maps.Values(jobs[job]), func(a, b *pgTurn) int { return cmp.Compare(a.token, b.token) })
		exists := false
		err := p.do(ctx, what, false, func(ctx context.Context, c *pgConn) error {
			w, err := p.write(ctx, c, job, turns, nil)
			exists = w != nil
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, t := range turns {
			if !exists || !t.held {
				lost = append(lost, t.token)
			}
		}
	}
	return lost, nil
}

// pgTurn is a turn of a commit.
type pgTurn struct {
	token     Token
	site      string
	keep      int64 // µs
	idle      bool
	ends      []pgEnd
	held      bool
	id, ready int64 // of the site
	ended     int64
}

type pgEnd struct {
	*Outcome
	h, final hash
	hasFinal bool
	frame    []byte
}

// pgRow is the row of a queued address that a transaction has locked.
type pgRow struct {
	site, prio, due, template int64
}

// pgWrite is one transaction that commits turns or adds addresses: it locks and
// reads what it needs in one round trip, decides here, and writes the result in
// two.
type pgWrite struct {
	p       *Postgres
	c       *pgConn
	job     int64
	now     int64
	limits  Limits
	turns   []*pgTurn
	sites   map[string]int64
	rows    map[hash]pgRow // queued addresses that are locked
	seen    map[hash]bool  // of the finals and links, those that are known
	ended   map[hash]bool  // with this call
	hashes  map[string]hash
	floor   map[hash]int64 // rows of queue with a prio above it are locked
	temp    map[int64]*pgTemplate
	reasons map[string]int64

	known, queued, read, failed, skipped int64
	gone                                 []hash // rows of queue that end
	finals                               []hash // that become known
	laterAt, laterTries                  []int64
	laterHash                            []hash
	fresh                                map[hash]*Link // new addresses
	order                                []hash         // of fresh
	raise                                map[hash]int64
	over                                 map[int64]int64 // of sites
	newSites                             int64
	records                              []pgRecord
}

type pgTemplate struct {
	n, run  int64
	closed  bool
	changed bool
}

type pgRecord struct {
	h, final hash
	hasFinal bool
	url      string
	meta     []byte
	frame    []byte
	size     int64
	failed   bool
}

// write runs the transaction. Without the job it returns nil.
func (p *Postgres) write(ctx context.Context, c *pgConn, job string, turns []*pgTurn, links []Link) (*pgWrite, error) {
	number, ok := numberOf(job)
	if !ok {
		return nil, nil
	}
	n := len(links)
	for _, t := range turns {
		for _, e := range t.ends {
			n += 1 + len(e.Links)
		}
	}
	w := &pgWrite{p: p, c: c, job: number, turns: turns, rows: map[hash]pgRow{}, seen: make(map[hash]bool, n), ended: map[hash]bool{}, hashes: make(map[string]hash, n), floor: make(map[hash]int64, n),
		temp: map[int64]*pgTemplate{}, reasons: map[string]int64{}, fresh: make(map[hash]*Link, n/2), raise: map[hash]int64{}, over: map[int64]int64{}}
	names := map[string]bool{}
	w.each(links, func(l *Link) { names[l.Site] = true })
	var err error
	if w.sites, err = p.siteIDs(ctx, c, names); err != nil {
		return nil, err
	}
	exists := false
	err = c.tx(ctx, func() error {
		if exists, err = w.load(ctx, links); err != nil || !exists {
			return err
		}
		if err := w.loadTemplates(ctx, links); err != nil {
			return err
		}
		for _, t := range turns {
			if !t.held {
				continue
			}
			for i := range t.ends {
				w.end(t, &t.ends[i])
			}
		}
		for i := range links {
			w.add(&links[i])
		}
		return w.store(ctx)
	})
	if err != nil {
		p.forget()
		return nil, err
	}
	if !exists {
		return nil, nil
	}
	w.remember()
	return w, nil
}

// each calls f for every link of the call.
func (w *pgWrite) each(links []Link, f func(*Link)) {
	for i := range links {
		f(&links[i])
	}
	for _, t := range w.turns {
		for _, e := range t.ends {
			for i := range e.Links {
				f(&e.Links[i])
			}
		}
	}
}

// hashOf is the hash of a link's address, computed once.
func (w *pgWrite) hashOf(url string) hash {
	h, ok := w.hashes[url]
	if !ok {
		h = wideHash(url)
		w.hashes[url] = h
	}
	return h
}

// load begins the transaction, checks the turns' tokens, and locks the rows that
// will change: those of ended addresses, and of links that get a higher priority.
func (w *pgWrite) load(ctx context.Context, links []Link) (bool, error) {
	floor := w.floor
	asked := map[hash]bool{} // may be unknown
	w.p.mu.Lock()
	recent := w.p.recentJob == w.job
	w.each(links, func(l *Link) {
		h := w.hashOf(l.URL)
		if p, ok := w.p.recent[h]; ok && recent && p >= l.Priority {
			w.seen[h] = true // and nothing of it changes
			return
		}
		asked[h] = true
		prio := -int64(l.Priority)
		if old, ok := floor[h]; !ok || prio < old {
			floor[h] = prio
		}
	})
	w.p.mu.Unlock()
	for _, t := range w.turns {
		for _, e := range t.ends {
			floor[e.h] = math.MinInt64
			if e.hasFinal {
				floor[e.final], asked[e.final] = math.MinInt64, true
			}
		}
	}
	b := &batch{}
	b.queue(`BEGIN`)
	// The lock keeps the job from being dropped, and nothing else from it.
	b.queue(`SELECT pages, per_site, per_template, duplicates, spyhop.now($2) FROM spyhop.job WHERE id = $1 FOR KEY SHARE`, w.job, w.p.at())
	w.queueTokens(b)
	hashes, floors := sortedHashes(floor), make([]int64, 0, len(floor))
	for _, h := range hashes {
		floors = append(floors, floor[h])
	}
	b.queue(`SELECT q.* FROM unnest($2::uuid[], $3::bigint[]) x(h, floor) CROSS JOIN LATERAL (
		SELECT q.h, q.site, q.prio, q.due, q.template FROM spyhop.queue q WHERE q.job = $1 AND q.h = x.h AND q.prio > x.floor FOR UPDATE) q`, w.job, hashes, floors)
	b.queue(`SELECT s.h FROM unnest($2::uuid[]) x CROSS JOIN LATERAL (SELECT s.h FROM spyhop.seen s WHERE s.job = $1 AND s.h = x LIMIT 1) s`, w.job, slices.Collect(maps.Keys(asked)))
	r := w.c.send(ctx, b)
	r.exec()
	exists := false
	r.rows(func(rows row) error {
		exists = true
		return rows.scan(&w.limits.Pages, &w.limits.PerSite, &w.limits.PerTemplate, &w.limits.Duplicates, &w.now)
	})
	w.readTokens(r)
	r.rows(func(rows row) error {
		var h hash
		var q pgRow
		err := rows.scan(&h, &q.site, &q.prio, &q.due, &q.template)
		w.rows[h] = q
		return err
	})
	r.rows(func(rows row) error {
		var h hash
		err := rows.scan(&h)
		w.seen[h] = true
		return err
	})
	return exists, r.close()
}

// queueTokens ends the turns, or lengthens them, where their tokens still hold.
func (w *pgWrite) queueTokens(b *batch) {
	if len(w.turns) == 0 {
		return
	}
	n := len(w.turns)
	hashes, tokens, keeps, idles := make([]hash, n), make([]int64, n), make([]int64, n), make([]bool, n)
	for i, t := range w.turns {
		hashes[i], tokens[i], keeps[i], idles[i] = wideHash(t.site), int64(t.token), max(t.keep, 0), t.idle
	}
	// Where a turn has made no request, and no other turn has begun meanwhile, the site may be
	// asked at once. Where a turn had several addresses, its last request has begun at some
	// time until now; a delay may be newer than the turn. Where a site has one turn at a time,
	// two requests are never closer than the pace, however late each of them arrives.
	b.queue(`WITH n AS MATERIALIZED (SELECT spyhop.now($5) AS t),
		x AS MATERIALIZED (SELECT x.*, s.id FROM unnest($2::uuid[], $3::bigint[], $4::bigint[], $7::boolean[]) x(h, token, keep, idle) JOIN spyhop.site s ON s.h = x.h),
		k AS (UPDATE spyhop.turn t SET until = n.t + x.keep FROM n, x WHERE t.token = x.token AND t.site = x.id AND t.job = $1 AND t.until > n.t AND x.keep > 0 RETURNING t.token, t.site),
		d AS (DELETE FROM spyhop.turn t USING n, x WHERE t.token = x.token AND t.site = x.id AND t.job = $1 AND t.until > n.t AND x.keep <= 0 RETURNING t.token, t.site, t.n, t.due, x.idle),
		u AS (UPDATE spyhop.site s SET due = CASE WHEN d.idle AND s.due = d.due THEN n.t WHEN d.idle THEN s.due ELSE greatest(s.due, n.t + greatest($6, s.delay)) END
			FROM n, (SELECT DISTINCT ON (site) * FROM d ORDER BY site, idle, n DESC) d WHERE s.id = d.site AND (d.idle OR d.n > 1 OR s.delay > 0 OR (SELECT j.at_once <= 1 FROM spyhop.job j WHERE j.id = $1)))
		SELECT k.token, k.site, 0::bigint FROM k UNION ALL SELECT d.token, d.site, CASE WHEN d.idle THEN 0 ELSE greatest(s.due, s.blocked) END FROM d JOIN spyhop.site s ON s.id = d.site`,
		w.job, hashes, tokens, keeps, w.p.at(), w.p.pace, idles)
}

func (w *pgWrite) readTokens(r *results) {
	if len(w.turns) == 0 {
		return
	}
	for _, t := range w.turns { // the transaction may run for the second time
		t.held, t.ended = false, 0
	}
	r.rows(func(rows row) error {
		var token, id, ready int64
		if err := rows.scan(&token, &id, &ready); err != nil {
			return err
		}
		for _, t := range w.turns {
			if t.token == Token(token) {
				t.held, t.id, t.ready = true, id, ready
			}
		}
		return nil
	})
}

// loadTemplates locks the templates whose counters the call may change.
func (w *pgWrite) loadTemplates(ctx context.Context, links []Link) error {
	if w.limits.PerTemplate <= 0 && w.limits.Duplicates <= 0 {
		return nil
	}
	wanted := map[int64]bool{}
	w.each(links, func(l *Link) {
		if l.Template != 0 && !w.seen[w.hashOf(l.URL)] {
			wanted[int64(l.Template)] = true
		}
	})
	if w.limits.Duplicates > 0 {
		for _, t := range w.turns {
			for _, e := range t.ends {
				if q := w.rows[e.h]; q.template != 0 && (e.End == Read || e.Duplicate) {
					wanted[q.template] = true
				}
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	return w.c.each(ctx, func(rows row) error {
		var t int64
		x := &pgTemplate{}
		err := rows.scan(&t, &x.n, &x.run, &x.closed)
		w.temp[t] = x
		return err
	}, `INSERT INTO spyhop.template AS t (job, t) SELECT $1, x FROM unnest($2::bigint[]) x ORDER BY x
		ON CONFLICT (job, t) DO UPDATE SET n = t.n RETURNING t.t, t.n, t.run, t.closed`, w.job, slices.Collect(maps.Keys(wanted)))
}

// end applies one outcome, as SQLite's end does.
func (w *pgWrite) end(t *pgTurn, e *pgEnd) {
	q, ok := w.rows[e.h]
	if !ok || w.ended[e.h] || q.due > w.now {
		return
	}
	w.ended[e.h] = true
	t.ended++
	if e.End == Later {
		w.laterHash, w.laterAt, w.laterTries = append(w.laterHash, e.h), append(w.laterAt, max(microsOf(e.Due), 1)), append(w.laterTries, tried(e.Outcome))
		if e.Reason != "" {
			w.reasons[e.Reason]++
		}
		w.addAll(e.Links)
		return
	}
	end, reason, claimed := e.End, e.Reason, false
	if e.hasFinal {
		if claimed = w.claim(e.final); !claimed {
			end, reason = Skipped, ReasonSame
		}
	}
	switch end {
	case Read:
		w.read++
		w.over[q.site]++
	case Failed:
		w.failed++
	default:
		w.skipped++
	}
	w.queued--
	w.gone = append(w.gone, e.h)
	if reason != "" {
		w.reasons[reason]++
	}
	if x := w.temp[q.template]; x != nil && w.limits.Duplicates > 0 && (end == Read || e.Duplicate) {
		switch {
		case e.Duplicate:
			x.run++
			x.closed, x.changed = x.run >= int64(w.limits.Duplicates), true
		case !x.closed:
			x.run, x.changed = 0, true
		}
	}
	if len(e.Meta) > 0 && (end == Read || end == Failed) {
		r := pgRecord{h: e.h, url: e.URL, meta: e.Meta, frame: e.frame, size: int64(len(e.Body)), failed: end == Failed}
		if claimed {
			r.final, r.hasFinal, r.url = e.final, true, e.Final
		}
		w.records = append(w.records, r)
	}
	w.addAll(e.Links)
}

// claim makes an address over because another one is recorded under it; false: it
// was over before.
func (w *pgWrite) claim(h hash) bool {
	_, queued := w.rows[h]
	_, fresh := w.fresh[h]
	switch {
	case w.ended[h]:
		return false
	case fresh: // an earlier outcome of this call has added it
		delete(w.fresh, h)
		w.finals = append(w.finals, h)
	case queued:
		w.gone = append(w.gone, h)
		w.queued--
		w.skipped++
		w.reasons[ReasonSame]++
	case w.seen[h]:
		return false
	default:
		w.known++
		w.finals = append(w.finals, h)
	}
	if fresh {
		// It was counted as known and queued; it is over as skipped.
		w.queued--
		w.skipped++
		w.reasons[ReasonSame]++
	}
	w.ended[h], w.seen[h] = true, true
	return true
}

func (w *pgWrite) addAll(links []Link) {
	for i := range links {
		w.add(&links[i])
	}
}

// add makes one address known, or gives it the higher of two priorities.
func (w *pgWrite) add(a *Link) {
	h := w.hashOf(a.URL)
	prio := -int64(a.Priority)
	if w.ended[h] {
		return
	}
	if f := w.fresh[h]; f != nil {
		if a.Priority > f.Priority {
			raised := *f
			raised.Priority = a.Priority
			w.fresh[h] = &raised
		}
		return
	}
	if w.seen[h] {
		if q, ok := w.rows[h]; ok && q.prio > prio {
			q.prio = prio
			w.rows[h] = q
			w.raise[h] = prio
		}
		return
	}
	if a.LeftOut != "" {
		w.reasons[a.LeftOut]++
		return
	}
	if t := w.temp[int64(a.Template)]; t != nil && a.Template != 0 {
		switch {
		case t.closed:
			w.reasons[ReasonTrap]++
			return
		case w.limits.PerTemplate > 0 && t.n >= int64(w.limits.PerTemplate):
			w.reasons[ReasonLimit]++
			return
		}
		t.n++
		t.changed = true
	}
	w.fresh[h] = a
	w.order = append(w.order, h)
	w.known++
	w.queued++
}
