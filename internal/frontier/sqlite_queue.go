package frontier

import (
	"context"
	"crypto/rand"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// never is the ready time of a host whose budget is used up.
const never = math.MaxInt64

const (
	// mostTrapped bounds the addresses of closed templates that one Lease skips.
	mostTrapped = 5000
	// minLook is how long a site that has a turn elsewhere is left alone, in µs.
	minLook    = 1000
	defaultTTL = time.Minute
)

// ledger is what a call changes in the counters of a job: they are written once.
type ledger struct {
	id                                           int64
	q                                            *jobSQL
	limits                                       Limits
	known, queued, read, failed, skipped, record int64
	seq                                          int64 // the last one that was given
	reasons                                      map[string]int64
	hosts                                        map[int64]*hostLedger
	templates                                    map[uint64]*templateLedger
	segment, length                              int64 // of the file of bodies
	cursor                                       int64 // the last one
	fresh                                        map[uint64]int32
	ended                                        map[uint64]bool // addresses that are over with this call
}

type hostLedger struct{ queued, over, ready int64 }

type templateLedger struct {
	n       int64
	closed  bool
	changed bool
}

// ledger reads what a call needs to know of a job. It runs in a transaction.
func (s *SQLite) ledger(id string) (*ledger, State, error) {
	n, ok := numberOf(id)
	if !ok {
		return nil, "", notFound(id)
	}
	row, ok, err := s.db.get(`SELECT state, pages, per_site, per_template, duplicates, seq, segment, length, records, at_once FROM job WHERE id = ?`, n)
	if err != nil {
		return nil, "", err
	}
	if !ok {
		return nil, "", notFound(id)
	}
	return &ledger{id: n, q: s.sqlOf(n),
		limits: Limits{Pages: int(number(row[1])), PerSite: int(number(row[2])), PerTemplate: int(number(row[3])), Duplicates: int(number(row[4])), AtOnce: int(number(row[9]))},
		seq:    number(row[5]), segment: number(row[6]), length: number(row[7]), cursor: number(row[8]),
		reasons: map[string]int64{}, hosts: map[int64]*hostLedger{}, templates: map[uint64]*templateLedger{}, fresh: map[uint64]int32{}, ended: map[uint64]bool{},
	}, State(str(row[0])), nil
}

func (l *ledger) host(site int64) *hostLedger {
	h := l.hosts[site]
	if h == nil {
		h = &hostLedger{}
		l.hosts[site] = h
	}
	return h
}

// save writes the counters.
func (s *SQLite) save(l *ledger) error {
	if _, err := s.db.exec(`UPDATE job SET known = known + ?, queued = queued + ?, read = read + ?, failed = failed + ?, skipped = skipped + ?, records = records + ?, seq = ?, segment = ?, length = ? WHERE id = ?`,
		l.known, l.queued, l.read, l.failed, l.skipped, l.record, l.seq, l.segment, l.length, l.id); err != nil {
		return err
	}
	for name, n := range l.reasons {
		if _, err := s.db.exec(`INSERT INTO reason (job, name, n) VALUES (?, ?, ?) ON CONFLICT (job, name) DO UPDATE SET n = n + excluded.n`, l.id, name, n); err != nil {
			return err
		}
	}
	for site, h := range l.hosts {
		if *h == (hostLedger{}) {
			continue
		}
		if _, err := s.db.exec(l.q.hostCount, site, h.queued, h.over, h.ready); err != nil {
			return err
		}
	}
	for t, n := range l.templates {
		if n.changed {
			if _, err := s.db.exec(l.q.templatePut, t, n.n); err != nil {
				return err
			}
		}
	}
	if s.recentJob != l.id || len(s.recent)+len(l.fresh) > maxRecent {
		clear(s.recent)
		s.recentJob = l.id
	}
	for h, p := range l.fresh {
		s.recent[h] = p
	}
	return nil
}

// siteID returns the number of a site.
func (s *SQLite) siteID(name string) (int64, error) {
	if id, ok := s.sites[name]; ok {
		return id, nil
	}
	if _, err := s.db.exec(`INSERT INTO site (name) VALUES (?) ON CONFLICT DO NOTHING`, name); err != nil {
		return 0, err
	}
	row, _, err := s.db.get(`SELECT id FROM site WHERE name = ?`, name)
	if err != nil {
		return 0, err
	}
	id := number(row[0])
	if len(s.sites) >= maxSiteNames {
		clear(s.sites)
	}
	s.sites[name] = id
	return id, nil
}

func checkLinks(what string, links []Link) error {
	for _, l := range links {
		switch {
		case l.URL == "" || l.Site == "":
			return invalid(what, "a link has no address or no site")
		case len(l.URL) > MaxURL || len(l.Site) > MaxURL:
			return invalid(what, fmt.Sprintf("an address has more than %d bytes", MaxURL))
		case len(l.Note) > MaxNote:
			return invalid(what, fmt.Sprintf("a note has more than %d bytes", MaxNote))
		case len(l.LeftOut) > maxReason:
			return invalid(what, fmt.Sprintf("a reason has more than %d bytes", maxReason))
		}
	}
	return nil
}

// Add implements [Frontier].
func (s *SQLite) Add(ctx context.Context, job string, links []Link) (added int, err error) {
	const what = "add addresses"
	if err := checkLinks(what, links); err != nil {
		return 0, err
	}
	err = s.write(ctx, what, func() error {
		l, _, err := s.ledger(job)
		if err != nil {
			return err
		}
		before := l.known
		for i := range links {
			if err := s.add(l, &links[i]); err != nil {
				return err
			}
		}
		added = int(l.known - before)
		return s.save(l)
	})
	if err != nil {
		return 0, err
	}
	return added, nil
}

// add makes one address known.
func (s *SQLite) add(l *ledger, a *Link) error {
	h := hashOf(a.URL)
	if p, ok := l.fresh[h]; ok && p >= a.Priority {
		return nil
	}
	if p, ok := s.recent[h]; ok && s.recentJob == l.id && p >= a.Priority {
		return nil
	}
	if a.LeftOut != "" {
		_, known, err := s.db.get(l.q.seen, h)
		if err == nil && !known {
			l.reasons[a.LeftOut]++
		}
		return err
	}
	if full, err := s.refused(l, a, h); full || err != nil {
		return err
	}
	site, err := s.siteID(a.Site)
	if err != nil {
		return err
	}
	prio := -int64(a.Priority)
	isNew, err := s.db.exec(l.q.insertSeen, h, site, prio, l.seq+1)
	if err != nil {
		return err
	}
	if isNew == 0 {
		return s.raise(l, h, a.Priority)
	}
	l.seq++
	if _, err := s.db.exec(l.q.insertQueue, site, prio, l.seq, a.URL, a.Depth, a.Template, a.Note, 0, 0); err != nil {
		return err
	}
	l.fresh[h] = a.Priority
	l.known++
	l.queued++
	l.host(site).queued++
	if t := l.templates[a.Template]; t != nil {
		t.n++
		t.changed = true
	}
	return nil
}

// refused reports whether the template of an address takes no further one, unless
// it is known already.
func (s *SQLite) refused(l *ledger, a *Link, h uint64) (bool, error) {
	if a.Template == 0 || l.limits.PerTemplate <= 0 && l.limits.Duplicates <= 0 {
		return false, nil
	}
	t := l.templates[a.Template]
	if t == nil {
		row, ok, err := s.db.get(l.q.template, a.Template)
		if err != nil {
			return false, err
		}
		t = &templateLedger{}
		if ok {
			t.n, t.closed = number(row[0]), number(row[1]) != 0
		}
		l.templates[a.Template] = t
	}
	full := l.limits.PerTemplate > 0 && t.n >= int64(l.limits.PerTemplate)
	if !full && !t.closed {
		return false, nil
	}
	_, known, err := s.db.get(l.q.seen, h)
	if err != nil || known {
		return false, err
	}
	if t.closed {
		l.reasons[ReasonTrap]++
	} else {
		l.reasons[ReasonLimit]++
	}
	return true, nil
}

// place is where the row of a known address is.
type place struct {
	state           int64
	site, prio, seq int64
	record          int64
}

func (s *SQLite) placeOf(l *ledger, h uint64) (place, bool, error) {
	row, ok, err := s.db.get(l.q.seen, h)
	if err != nil || !ok {
		return place{}, false, err
	}
	return place{number(row[0]), number(row[1]), number(row[2]), number(row[3]), number(row[4])}, true, nil
}

// raise gives a queued address the higher of two priorities.
func (s *SQLite) raise(l *ledger, h uint64, to int32) error {
	p, ok, err := s.placeOf(l, h)
	if err != nil || !ok {
		return err
	}
	switch {
	case p.state != inQueue || l.ended[h]:
		l.fresh[h] = math.MaxInt32 // its priority never matters again, or is set when it comes back
		if p.state == waiting {
			delete(l.fresh, h)
		}
		return nil
	case p.prio <= -int64(to):
		l.fresh[h] = int32(-p.prio)
		return nil
	}
	l.fresh[h] = to
	return s.move(l, h, p, -int64(to))
}

// queued is the row of a queued address without its place.
type queuedRow struct {
	url             string
	depth, template int64
	note            []byte
	tries           int64
	turn            int64 // 0 where the row has none
}

func scanQueued(row []driver.Value) queuedRow {
	q := queuedRow{url: str(row[0]), depth: number(row[1]), template: number(row[2]), note: data(row[3]), tries: number(row[4])}
	if len(row) > 5 {
		q.turn = number(row[5])
	}
	return q
}

// move gives a queued address another priority.
func (s *SQLite) move(l *ledger, h uint64, p place, prio int64) error {
	row, ok, err := s.db.get(l.q.takeQueue, p.site, p.prio, p.seq)
	if err != nil || !ok {
		return err
	}
	q := scanQueued(row)
	if _, err := s.db.exec(l.q.insertQueue, p.site, prio, p.seq, q.url, q.depth, q.template, q.note, q.tries, q.turn); err != nil {
		return err
	}
	_, err = s.db.exec(l.q.seenPlace, inQueue, prio, h)
	return err
}

// Rank implements [Frontier].
func (s *SQLite) Rank(ctx context.Context, job string, to []Rank) error {
	return s.write(ctx, "rank addresses", func() error {
		l, _, err := s.ledger(job)
		if err != nil {
			return err
		}
		clear(s.recent) // it knows the highest priority only
		for _, r := range to {
			h := hashOf(r.URL)
			p, ok, err := s.placeOf(l, h)
			if err != nil {
				return err
			}
			if !ok || p.state != inQueue || p.prio == -int64(r.Priority) {
				continue
			}
			if err := s.move(l, h, p, -int64(r.Priority)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Queued implements [Frontier]. A cursor is "q", or "w" for addresses that wait,
// with the key of the last row.
func (s *SQLite) Queued(ctx context.Context, job, after string, n int) (tasks []Task, next string, err error) {
	const what = "list addresses"
	table, a, b, c := "q", int64(math.MinInt64), int64(0), int64(0)
	if after != "" {
		if _, err := fmt.Sscanf(strings.ReplaceAll(after, ":", " "), "%1s %d %d %d", &table, &a, &b, &c); err != nil || table != "q" && table != "w" {
			return nil, "", invalid(what, "the cursor is not one")
		}
	}
	n = max(n, 1)
	err = s.do(ctx, what, func() error {
		l, _, err := s.ledger(job)
		if err != nil {
			return err
		}
		task := func(site string, prio int64, row []driver.Value) {
			q := scanQueued(row)
			tasks = append(tasks, Task{Link: Link{URL: q.url, Site: site, Priority: int32(-prio), Depth: int(q.depth), Template: uint64(q.template), Note: q.note}, Tries: int(q.tries)})
		}
		if table == "q" {
			err := s.db.query(l.q.listQueue, func(row []driver.Value) error {
				a, b, c = number(row[1]), number(row[2]), number(row[3])
				task(str(row[0]), b, row[4:])
				return nil
			}, a, b, c, n)
			if err != nil {
				return err
			}
			if len(tasks) == n {
				next = cursorOf("q", a, b, c)
				return nil
			}
			table, a, b = "w", math.MinInt64, 0
		}
		err = s.db.query(l.q.listWait, func(row []driver.Value) error {
			a, b = number(row[1]), number(row[2])
			task(str(row[0]), number(row[3]), row[4:])
			return nil
		}, a, b, n-len(tasks))
		if len(tasks) == n {
			next = cursorOf("w", a, b, 0)
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	return tasks, next, nil
}

func cursorOf(table string, a, b, c int64) string {
	return table + ":" + strconv.FormatInt(a, 10) + ":" + strconv.FormatInt(b, 10) + ":" + strconv.FormatInt(c, 10)
}

// Lease implements [Frontier].
func (s *SQLite) Lease(ctx context.Context, q LeaseRequest) (turns []Turn, err error) {
	q.Sites, q.PerSite = max(q.Sites, 1), max(q.PerSite, 1)
	if q.TTL <= 0 {
		q.TTL = defaultTTL
	}
	err = s.write(ctx, "lease turns", func() error {
		turns = nil
		l, state, err := s.ledger(q.Job)
		if err != nil {
			return err
		}
		if state != Running {
			return &Error{Code: NotRunning, What: "job " + q.Job}
		}
		turns, err = s.lease(l, q)
		if err == nil && len(turns) < q.Sites && s.micros()-s.reaped >= reapEvery {
			err = s.reap()
		}
		if err != nil {
			return err
		}
		return s.save(l)
	})
	if err != nil {
		return nil, err
	}
	return turns, nil
}

// lease takes turns. It writes the ready time of a host only where the host was a
// candidate in vain: ready has to be no later than the truth, and nothing more.
func (s *SQLite) lease(l *ledger, q LeaseRequest) ([]Turn, error) {
	now := s.micros()
	if err := s.wake(l, now); err != nil {
		return nil, err
	}
	left := int64(math.MaxInt64)
	if l.limits.Pages > 0 {
		used, err := s.used(l.id, now)
		if err != nil {
			return nil, err
		}
		left = int64(l.limits.Pages) - used
	}
	type candidate struct {
		site         int64
		name         string
		ready, delay int64
		over         int64
		free, held   int64
		width        int64
	}
	atOnce := max(l.limits.AtOnce, 1)
	var turns []Turn
	trapped := 0
	for left > 0 && len(turns) < q.Sites && trapped < mostTrapped {
		want := q.Sites - len(turns) + 16
		var list []candidate
		err := s.db.query(l.q.candidates, func(row []driver.Value) error {
			list = append(list, candidate{number(row[0]), str(row[1]), number(row[2]), number(row[3]), number(row[4]), number(row[5]), number(row[6]), number(row[7])})
			return nil
		}, now, want, atOnce)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if left <= 0 || len(turns) == q.Sites {
				break
			}
			ready := c.ready
			pace := max(s.pace, c.delay)
			if pace > 0 { // the others come after it
				c.free = min(c.free, 1)
			}
			n := min(int64(q.PerSite)*min(c.free, int64(q.Sites-len(turns))), left)
			if l.limits.PerSite > 0 {
				if n = min(n, int64(l.limits.PerSite)-c.over-c.held); n <= 0 {
					ready = never
				}
			}
			if ready > now {
				if _, err := s.db.exec(l.q.hostReady, ready, c.site); err != nil {
					return nil, err
				}
				continue
			}
			tasks, places, skipped, err := s.best(l, c.site, c.name, n, now)
			if err != nil {
				return nil, err
			}
			if trapped += skipped; len(tasks) == 0 {
				if skipped == 0 && c.held == 0 {
					if _, err := s.db.exec(l.q.hostNone, c.site); err != nil { // its count was wrong
						return nil, err
					}
				}
				continue
			}
			left -= int64(len(tasks))
			until, due := now+q.TTL.Microseconds(), now+pace
			if _, err := s.db.exec(`UPDATE site SET due = max(due, ?) WHERE id = ?`, due, c.site); err != nil {
				return nil, err
			}
			if _, err := s.db.exec(`DELETE FROM turn WHERE site = ? AND until <= ?`, c.site, now); err != nil {
				return nil, err
			}
			for len(tasks) > 0 {
				n := min(len(tasks), q.PerSite)
				token := newToken()
				if _, err := s.db.exec(`INSERT INTO turn (token, site, job, until, tasks, n, due, process, worker) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
					uint64(token), c.site, l.id, until, n, n, due, s.process, q.Worker); err != nil {
					return nil, err
				}
				for _, p := range places[:n] {
					if _, err := s.db.exec(l.q.hold, uint64(token), p.site, p.prio, p.seq); err != nil {
						return nil, err
					}
				}
				s.remember(token, places[:n])
				turns = append(turns, Turn{Job: q.Job, Site: c.name, Token: token, Until: timeOf(until), Pace: time.Duration(pace) * time.Microsecond, Tasks: tasks[:n:n], AtOnce: int(c.width)})
				tasks, places = tasks[n:], places[n:]
			}
		}
		if err := s.saveHosts(l); err != nil { // the next query must not see skipped addresses
			return nil, err
		}
		if len(list) < want {
			break
		}
	}
	return turns, nil
}

// newToken is a token that was never used.
func newToken() Token {
	var random [8]byte
	rand.Read(random[:])
	return Token(binary.LittleEndian.Uint64(random[:]) | 1)
}

// saveHosts writes the counts of hosts early.
func (s *SQLite) saveHosts(l *ledger) error {
	for site, h := range l.hosts {
		if _, err := s.db.exec(l.q.hostCount, site, h.queued, h.over, h.ready); err != nil {
			return err
		}
	}
	clear(l.hosts)
	return nil
}

// used is how many places of Limits.Pages are taken.
func (s *SQLite) used(job, now int64) (int64, error) {
	row, _, err := s.db.get(`SELECT read + (SELECT coalesce(sum(tasks), 0) FROM turn WHERE job = ?1 AND until > ?2) FROM job WHERE id = ?1`, job, now)
	if err != nil {
		return 0, err
	}
	return number(row[0]), nil
}

// remember keeps the places of a turn's addresses, which saves their commit a query.
func (s *SQLite) remember(t Token, places []place) {
	if len(s.turns) >= maxTurns {
		clear(s.turns)
	}
	s.turns[t] = append([]place(nil), places...)
}

// best returns the first addresses of a site. It skips those of closed templates.
func (s *SQLite) best(l *ledger, site int64, name string, n, now int64) (tasks []Task, places []place, skipped int, err error) {
	for skipped < mostTrapped {
		tasks, places = tasks[:0], places[:0]
		err := s.db.query(l.q.best, func(row []driver.Value) error {
			q := scanQueued(row[2:])
			places = append(places, place{site: site, prio: number(row[0]), seq: number(row[1])})
			tasks = append(tasks, Task{Link: Link{URL: q.url, Site: name, Priority: int32(-number(row[0])), Depth: int(q.depth), Template: uint64(q.template), Note: q.note}, Tries: int(q.tries)})
			return nil
		}, site, now, n)
		if err != nil || l.limits.Duplicates <= 0 {
			return tasks, places, skipped, err
		}
		found := false
		for i, t := range tasks {
			closed := false
			if t.Template != 0 {
				if _, closed, err = s.db.get(l.q.closed, t.Template); err != nil {
					return nil, nil, 0, err
				}
			}
			if !closed {
				continue
			}
			found = true
			skipped++
			if _, err := s.db.exec(l.q.takeQueue, site, places[i].prio, places[i].seq); err != nil {
				return nil, nil, 0, err
			}
			if _, err := s.db.exec(l.q.seenOver, wasSkipped, 0, hashOf(t.URL)); err != nil {
				return nil, nil, 0, err
			}
			l.queued--
			l.skipped++
			l.reasons[ReasonTrap]++
			l.host(site).queued--
		}
		if !found {
			return tasks, places, skipped, nil
		}
	}
	return nil, nil, skipped, nil
}

// wake queues the addresses whose later try has come.
func (s *SQLite) wake(l *ledger, now int64) error {
	type key struct{ due, h, site int64 }
	var due []key
	if err := s.db.query(l.q.dueWait, func(row []driver.Value) error {
		due = append(due, key{number(row[0]), number(row[1]), number(row[2])})
		return nil
	}, now); err != nil {
		return err
	}
	for _, k := range due {
		row, ok, err := s.db.get(l.q.takeWait, k.due, k.h)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		prio, seq, q := number(row[0]), number(row[1]), scanQueued(row[2:])
		if _, err := s.db.exec(l.q.insertQueue, k.site, prio, seq, q.url, q.depth, q.template, q.note, q.tries, 0); err != nil {
			return err
		}
		if _, err := s.db.exec(l.q.seenPlace, inQueue, prio, k.h); err != nil {
			return err
		}
		l.host(k.site).queued++
	}
	return s.saveHosts(l)
}

// Block implements [Frontier].
func (s *SQLite) Block(ctx context.Context, site string, until time.Time) error {
	return s.setSite(ctx, "block a site", site, `UPDATE site SET blocked = max(blocked, ?2) WHERE id = ?1`, microsOf(until))
}

// Narrow implements [Frontier].
func (s *SQLite) Narrow(ctx context.Context, site string, turns int, until time.Time) error {
	return s.setSite(ctx, "narrow a site", site, `UPDATE site SET width = CASE WHEN width > 0 AND narrow > ?4 THEN min(width, ?2) ELSE ?2 END,
		narrow = CASE WHEN width > 0 AND narrow > ?4 AND width < ?2 THEN narrow ELSE ?3 END WHERE id = ?1`, max(turns, 1), microsOf(until), s.micros())
}

// Delay implements [Frontier].
func (s *SQLite) Delay(ctx context.Context, site string, d time.Duration) error {
	return s.setSite(ctx, "set the delay of a site", site, `UPDATE site SET delay = ?2 WHERE id = ?1`, d.Microseconds())
}

func (s *SQLite) setSite(ctx context.Context, what, site, q string, values ...any) error {
	if site == "" || len(site) > MaxURL {
		return invalid(what, "it has no name, or one that is too long")
	}
	return s.write(ctx, what, func() error {
		id, err := s.siteID(site)
		if err != nil {
			return err
		}
		_, err = s.db.exec(q, append([]any{id}, values...)...)
		return err
	})
}
