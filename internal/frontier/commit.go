package frontier

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
)

// Add makes addresses known and queues those that are new, unless a limit of the
// job says otherwise. An address that is queued already keeps its depth and note,
// and gets the higher of both priorities. added counts the new ones.
func (f *Frontier) Add(ctx context.Context, job string, links []Link) (added int, err error) {
	const what = "add URLs"
	if err := checkLinks(what, links); err != nil {
		return 0, err
	}
	err = f.do(ctx, what, false, func(ctx context.Context, c conn) error {
		w, err := f.write(ctx, c, job, nil, links)
		if err != nil {
			return err
		}
		if w == nil {
			return notFound(job)
		}
		added = int(w.known)
		return nil
	})
	return added, err
}

// Commit writes what became of turns, in one transaction for each job. It returns the tokens of
// turns that were lost (ended, dropped, or past their time): nothing of theirs is
// written. An outcome of an address that is over, or that nobody added, is
// ignored.
func (f *Frontier) Commit(ctx context.Context, commits []Commit) (lost []Token, err error) {
	const what = "commit turns"
	if err := checkCommits(what, commits); err != nil {
		return nil, err
	}
	jobs := map[string]map[Token]*endedTurn{}
	for _, c := range commits {
		turns := jobs[c.Turn.Job]
		if turns == nil {
			turns = map[Token]*endedTurn{}
			jobs[c.Turn.Job] = turns
		}
		t := turns[c.Turn.Token]
		if t == nil {
			t = &endedTurn{token: c.Turn.Token, site: c.Turn.Site}
			turns[c.Turn.Token] = t
		} else if t.keep <= 0 || t.site != c.Turn.Site { // it has ended with the first
			lost = append(lost, c.Turn.Token)
			continue
		}
		t.keep, t.idle = c.Keep.Microseconds(), c.Idle
		for i := range c.Outcomes {
			o := &c.Outcomes[i]
			end := ending{Outcome: o, h: hashOf(o.URL), seq: c.Turn.seqOf(o.URL)}
			if o.Final != "" && o.Final != o.URL {
				end.final, end.hasFinal = hashOf(o.Final), true
			}
			if len(o.Meta) > 0 && len(o.Body) > 0 {
				end.frame = f.bodies.pack(o.Body)
			}
			t.ends = append(t.ends, end)
		}
	}
	for _, job := range slices.Sorted(maps.Keys(jobs)) {
		turns := slices.SortedFunc(maps.Values(jobs[job]), func(a, b *endedTurn) int { return cmp.Compare(a.token, b.token) })
		exists := false
		err := f.do(ctx, what, false, func(ctx context.Context, c conn) error {
			w, err := f.write(ctx, c, job, turns, nil)
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

// endedTurn is a turn of a commit.
type endedTurn struct {
	token Token
	site  string
	keep  int64 // µs; 0: it ends
	idle  bool
	ends  []ending

	held                         bool // what follows was read
	id, n, planned, delay, ready int64
	ended                        int64 // URLs that are over
}

type ending struct {
	*Outcome
	h, final hash
	seq      int64 // 0: unknown
	hasFinal bool
	frame    []byte
}

// queuedRow is the row of a queued URL, which the transaction has locked.
type queuedRow struct {
	seq, site, prio, due int64
}

// write is one transaction that commits turns or adds URLs: it locks and reads what it
// needs in one round trip, decides here, and writes the result in two.
type write struct {
	f       *Frontier
	c       conn
	job     int64
	now     int64
	base    int64 // seq of new rows is above it
	limits  Limits
	turns   []*endedTurn
	sites   map[string]int64
	rows    map[hash]queuedRow // queued URLs that are locked
	seen    map[hash]bool      // of the finals and links, those that are known
	ended   map[hash]bool      // with this call
	hashes  map[string]hash
	floor   map[hash]int64 // rows of queue with a prio above it are locked
	temp    map[int64]*template
	reasons map[string]int64

	known, queued, read, failed, skipped int64
	gone                                 []int64 // rows of queue that end
	finals                               []hash  // that become known
	laterSeq, laterAt, laterTries        []int64
	fresh                                map[hash]*Link // new URLs
	order                                []hash         // of fresh
	raise                                map[hash]int64
	over                                 map[int64]int64 // of sites
	records                              []newRecord
}

type template struct {
	n       int64
	changed bool
}

type newRecord struct {
	ending
	url      string
	recorded bool // under final
	failed   int64
}

// write runs the transaction. Without the job it returns nil.
func (f *Frontier) write(ctx context.Context, c conn, job string, turns []*endedTurn, links []Link) (*write, error) {
	number, ok := numberOf(job)
	if !ok {
		return nil, nil
	}
	n := len(links)
	for _, t := range turns {
		t.held, t.ended = false, 0 // the transaction may run for the second time
		for _, end := range t.ends {
			n += 1 + len(end.Links)
		}
	}
	w := &write{f: f, c: c, job: number, turns: turns, rows: map[hash]queuedRow{}, seen: make(map[hash]bool, n), ended: map[hash]bool{}, hashes: make(map[string]hash, n), floor: make(map[hash]int64, n),
		temp: map[int64]*template{}, reasons: map[string]int64{}, fresh: make(map[hash]*Link, n/2), raise: map[hash]int64{}, over: map[int64]int64{}}
	names := map[string]bool{}
	w.each(links, func(l *Link) { names[l.Site] = true })
	var err error
	if w.sites, err = f.siteIDs(ctx, c, names); err != nil {
		return nil, err
	}
	exists := false
	err = tx(ctx, c, func() error {
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
		f.forget()
		return nil, err
	}
	if !exists {
		return nil, nil
	}
	w.remember()
	return w, nil
}

// each calls f for every link of the call.
func (w *write) each(links []Link, f func(*Link)) {
	for i := range links {
		f(&links[i])
	}
	for _, t := range w.turns {
		for _, end := range t.ends {
			for i := range end.Links {
				f(&end.Links[i])
			}
		}
	}
}

// hashOf is the hash of a link's URL, computed once.
func (w *write) hashOf(url string) hash {
	h, ok := w.hashes[url]
	if !ok {
		h = hashOf(url)
		w.hashes[url] = h
	}
	return h
}

var (
	// The lock keeps the job from being dropped, and nothing else from it.
	shareJob = both(`SELECT pages, per_site, per_template, at_once, spyhop.now($2) FROM spyhop.job WHERE id = $1 FOR KEY SHARE`)
	nextSeq  = sql{`SELECT nextval('spyhop.seq')`, `UPDATE seq SET n = n + 1 RETURNING n`}
	heldTurn = both(`SELECT y.* FROM unnest($1::bigint[], $2::bigint[]) x(token, h) CROSS JOIN LATERAL (
		SELECT t.token, t.site, t.n, t.due, s.delay, greatest(s.due, s.blocked) FROM spyhop.turn t JOIN spyhop.site s ON s.id = t.site
		WHERE t.token = x.token AND s.h = x.h AND t.job = $3 AND t.until > spyhop.now($4) FOR UPDATE OF t) y`)
	// SQLite reads with the row whether the URL is known: nobody else writes.
	lockRows = sql{both(`SELECT y.* FROM unnest($1::bigint[], $2::bigint[]) x(h, floor) CROSS JOIN LATERAL (
		SELECT s.h, q.seq, q.site, q.prio, q.due FROM spyhop.seen s JOIN spyhop.queue q ON q.seq = s.seq
		WHERE s.job = $3 AND s.h = x.h AND q.prio > x.floor FOR UPDATE OF q) y`).pg,
		`SELECT s.h, coalesce(q.seq, 0), q.site, q.prio, q.due FROM seen s LEFT JOIN queue q ON q.seq = s.seq AND q.prio > ?2 WHERE s.job = ?3 AND s.h = ?1`}
	// lockTasks is lockRows for URLs whose rows are known by their turn.
	lockTasks     = sql{lite: `SELECT ?1, seq, site, prio, due FROM queue WHERE seq = ?2 AND job = ?3`}
	knownURLs     = sql{pg: `SELECT h FROM spyhop.seen WHERE job = $1 AND h = ANY($2)`}
	lockTemplates = both(`INSERT INTO spyhop.template AS t (job, t) SELECT $1, x.t FROM unnest($2::bigint[]) x(t) ORDER BY x.t
		ON CONFLICT (job, t) DO UPDATE SET n = t.n RETURNING t, n`)
)

// load begins the transaction, checks the turns' tokens, and locks the rows that
// will change: those of ended URLs, and of links that get a higher priority.
func (w *write) load(ctx context.Context, links []Link) (exists bool, err error) {
	asked := map[hash]bool{} // may be unknown
	w.f.mu.Lock()
	recent := w.f.recentJob == w.job
	w.each(links, func(l *Link) {
		h := w.hashOf(l.URL)
		if p, ok := w.f.recent[h]; ok && recent && p >= l.Priority {
			w.seen[h] = true // and nothing of it changes
			return
		}
		asked[h] = true
		prio := -int64(l.Priority)
		if old, ok := w.floor[h]; !ok || prio < old {
			w.floor[h] = prio
		}
	})
	w.f.mu.Unlock()
	tokens, names := make([]int64, len(w.turns)), make([]hash, len(w.turns))
	held := map[int64]*endedTurn{}
	var ended, seqs []int64
	for i, t := range w.turns {
		tokens[i], names[i] = int64(t.token), hashOf(t.site)
		held[int64(t.token)] = t
		for _, end := range t.ends {
			if end.seq > 0 && w.f.db.alone() {
				w.seen[end.h] = true
				ended, seqs = append(ended, end.h), append(seqs, end.seq)
			} else {
				w.floor[end.h] = math.MinInt64
			}
			if end.hasFinal {
				w.floor[end.final], asked[end.final] = math.MinInt64, true
			}
		}
	}
	hashes, floors := columns(w.floor)
	var b batch
	b.exec(begin)
	b.rows(shareJob, func(r row) error {
		exists = true
		var pages, perSite, perTemplate, atOnce int64
		err := r.Scan(&pages, &perSite, &perTemplate, &atOnce, &w.now)
		w.limits = Limits{Pages: int(pages), PerSite: int(perSite), PerTemplate: int(perTemplate), AtOnce: int(atOnce)}
		return err
	}, w.job, w.f.db.clock())
	b.rows(nextSeq, func(r row) error {
		err := r.Scan(&w.base)
		w.base <<= 20
		return err
	})
	if len(tokens) > 0 {
		b.rows(heldTurn, func(r row) error {
			var token, id, n, planned, delay, ready int64
			err := r.Scan(&token, &id, &n, &planned, &delay, &ready)
			if t := held[token]; t != nil {
				t.held, t.id, t.n, t.planned, t.delay, t.ready = true, id, n, planned, delay, ready
			}
			return err
		}, tokens, names, w.job, w.f.db.clock())
	}
	scan := func(r row) error {
		var h hash
		var q queuedRow
		err := r.Scan(&h, &q.seq, &q.site, &q.prio, &q.due)
		w.seen[h] = true
		if q.seq > 0 {
			w.rows[h] = q
		}
		return err
	}
	if len(hashes) > 0 {
		b.rows(lockRows, scan, hashes, floors, w.job)
	}
	if len(ended) > 0 {
		b.rows(lockTasks, scan, ended, seqs, w.job)
	}
	if len(asked) > 0 {
		b.rows(knownURLs, func(r row) error {
			var h hash
			err := r.Scan(&h)
			w.seen[h] = true
			return err
		}, w.job, slices.Collect(maps.Keys(asked)))
	}
	return exists, w.c.send(ctx, &b)
}

// columns are the keys of m and their values, in the order in which all transactions lock
// and insert, so that two of them cannot wait for each other.
func columns(m map[hash]int64) (keys []hash, values []int64) {
	keys = slices.Sorted(maps.Keys(m))
	for _, k := range keys {
		values = append(values, m[k])
	}
	return keys, values
}

// loadTemplates locks the templates whose counters the call may change.
func (w *write) loadTemplates(ctx context.Context, links []Link) error {
	if w.limits.PerTemplate <= 0 {
		return nil
	}
	wanted := map[int64]bool{}
	w.each(links, func(l *Link) {
		if l.Template != 0 && !w.seen[w.hashOf(l.URL)] {
			wanted[int64(l.Template)] = true
		}
	})
	if len(wanted) == 0 {
		return nil
	}
	return run(ctx, w.c, func(r row) error {
		var t int64
		x := &template{}
		err := r.Scan(&t, &x.n)
		w.temp[t] = x
		return err
	}, lockTemplates, w.job, slices.Sorted(maps.Keys(wanted)))
}

// end applies one outcome.
func (w *write) end(t *endedTurn, e *ending) {
	q, ok := w.rows[e.h]
	if !ok || w.ended[e.h] || q.due > w.now {
		return
	}
	w.ended[e.h] = true
	t.ended++
	if e.End == Later {
		tries := int64(1)
		if e.Again {
			tries = 0
		}
		w.laterSeq, w.laterAt, w.laterTries = append(w.laterSeq, q.seq), append(w.laterAt, max(microsOf(e.Due), 1)), append(w.laterTries, tries)
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
	w.gone = append(w.gone, q.seq)
	if reason != "" {
		w.reasons[reason]++
	}
	if len(e.Meta) > 0 && (end == Read || end == Failed) {
		r := newRecord{ending: *e, url: e.URL, recorded: claimed}
		if claimed {
			r.url = e.Final
		}
		if end == Failed {
			r.failed = 1
		}
		w.records = append(w.records, r)
	}
	w.addAll(e.Links)
}

// claim makes a URL over because another one is recorded under it; false: it
// was over before.
func (w *write) claim(h hash) bool {
	q, queued := w.rows[h]
	_, fresh := w.fresh[h]
	switch {
	case w.ended[h]:
		return false
	case fresh: // an earlier outcome of this call has added it
		delete(w.fresh, h)
		w.finals = append(w.finals, h)
	case queued:
		w.gone = append(w.gone, q.seq)
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

func (w *write) addAll(links []Link) {
	for i := range links {
		w.add(&links[i])
	}
}

// add makes one URL known, or gives it the higher of two priorities.
func (w *write) add(a *Link) {
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
		if t.n >= int64(w.limits.PerTemplate) {
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
