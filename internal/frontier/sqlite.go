package frontier

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/private"
)

// The names of what a SQLite frontier has in its folder.
const (
	FileName   = "crawl.db"
	FolderName = "crawl" // segments, and a lock for each process
)

// schemaVersion is SQLite's user_version of the file.
const schemaVersion = 2

// schema is what all jobs share. Times are in µs since 1970.
//
// A row of turn is a turn that was not ended: until says when it is lost, n how many URLs it
// began with, tasks how many it still holds, due when the site may be asked next according to
// it. width bounds the turns of a site until narrow; 0: no bound.
const schema = `
CREATE TABLE job (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	owner TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL,
	pages INTEGER NOT NULL, per_site INTEGER NOT NULL, per_template INTEGER NOT NULL, duplicates INTEGER NOT NULL, at_once INTEGER NOT NULL,
	options BLOB, progress BLOB, due INTEGER NOT NULL,
	created INTEGER NOT NULL, updated INTEGER NOT NULL, revision INTEGER NOT NULL,
	known INTEGER NOT NULL DEFAULT 0, queued INTEGER NOT NULL DEFAULT 0, read INTEGER NOT NULL DEFAULT 0,
	failed INTEGER NOT NULL DEFAULT 0, skipped INTEGER NOT NULL DEFAULT 0, records INTEGER NOT NULL DEFAULT 0,
	seq INTEGER NOT NULL DEFAULT 0, segment INTEGER NOT NULL DEFAULT 1, length INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX job_due ON job (due) WHERE due > 0;
CREATE TABLE site (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	due INTEGER NOT NULL DEFAULT 0, blocked INTEGER NOT NULL DEFAULT 0, delay INTEGER NOT NULL DEFAULT 0,
	width INTEGER NOT NULL DEFAULT 0, narrow INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE turn (
	token INTEGER PRIMARY KEY, site INTEGER NOT NULL, job INTEGER NOT NULL, until INTEGER NOT NULL, tasks INTEGER NOT NULL, n INTEGER NOT NULL, due INTEGER NOT NULL,
	process TEXT NOT NULL, worker TEXT NOT NULL
);
CREATE INDEX turn_site ON turn (site);
CREATE INDEX turn_job ON turn (job);
CREATE TABLE reason (job INTEGER NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (job, name)) WITHOUT ROWID;`

// jobSchema is the tables of one job; # is its number. Tables of its own make an
// address cost 128 bytes, and dropping a job cheap.
//
// seen has all known addresses by their hash; a queued one has the place of its row
// in queue, and one that waits for a later try (state 1) its due time in prio. prio
// is the negated priority, so that the first row is the best one. turn is the token of the
// latest turn that has had the URL: it is free when that turn is over. ready in host is not
// later than the time at which the site may be asked.
const jobSchema = `
CREATE TABLE seen_# (h INTEGER PRIMARY KEY, state INTEGER NOT NULL, site INTEGER, prio INTEGER, seq INTEGER, rec INTEGER);
CREATE TABLE queue_# (site INTEGER, prio INTEGER, seq INTEGER, url TEXT NOT NULL, depth INTEGER, template INTEGER, note BLOB, tries INTEGER, turn INTEGER NOT NULL, PRIMARY KEY (site, prio, seq)) WITHOUT ROWID;
CREATE TABLE wait_# (due INTEGER, h INTEGER, site INTEGER, prio INTEGER, seq INTEGER, url TEXT NOT NULL, depth INTEGER, template INTEGER, note BLOB, tries INTEGER, PRIMARY KEY (due, h)) WITHOUT ROWID;
CREATE TABLE host_# (site INTEGER PRIMARY KEY, queued INTEGER NOT NULL, over INTEGER NOT NULL, ready INTEGER NOT NULL);
CREATE INDEX host_ready_# ON host_# (ready) WHERE queued > 0;
CREATE TABLE template_# (t INTEGER PRIMARY KEY, n INTEGER NOT NULL DEFAULT 0, run INTEGER NOT NULL DEFAULT 0, closed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE record_# (cursor INTEGER PRIMARY KEY, url TEXT NOT NULL, meta BLOB NOT NULL, segment INTEGER, offset INTEGER, length INTEGER, failed INTEGER NOT NULL);
CREATE INDEX failed_# ON record_# (cursor) WHERE failed = 1;`

var jobTables = [...]string{"seen", "queue", "wait", "host", "template", "record"}

// States of an address in seen.
const (
	inQueue = iota
	waiting
	wasRead
	hasFailed
	wasSkipped
	isFinal // another address was recorded under it
)

// SQLite is the frontier of one machine: one database, and files for the bodies of
// records. Make one with [OpenSQLite].
type SQLite struct {
	dir     string
	pace    int64 // µs
	now     func() time.Time
	process string
	lock    *os.File

	busy   chan struct{} // holds one element while a call runs
	db     *conn         // nil once it is closed
	jobs   map[int64]*jobSQL
	sites  map[string]int64
	bodies packer
	turns  map[Token][]place
	reaped int64 // when the processes of other turns were looked at
	// recent has addresses of one job that are known, with their priority, so that
	// links that stand on every page cost no query.
	recent    map[uint64]int32
	recentJob int64
}

var _ Frontier = (*SQLite)(nil)

const (
	maxSiteNames = 50_000
	maxRecent    = 50_000
	maxTurns     = 4096
	reapEvery    = int64(time.Second / time.Microsecond)
)

// OpenSQLite opens the frontier in a folder, and creates it when it is missing. The
// error is an [*Error].
func OpenSQLite(o Options) (*SQLite, error) {
	s := &SQLite{dir: filepath.Join(o.Dir, FolderName), pace: o.Pace.Microseconds(), now: o.Now,
		busy: make(chan struct{}, 1), jobs: map[int64]*jobSQL{}, sites: map[string]int64{}, recent: map[uint64]int32{}, turns: map[Token][]place{}}
	if s.now == nil {
		s.now = time.Now
	}
	path := filepath.Join(o.Dir, FileName)
	if err := s.open(path); err != nil {
		if s.lock != nil {
			s.unlock()
		}
		if s.db != nil {
			s.db.close()
		}
		code := codeOf(err)
		if code == Internal && (errors.As(err, new(*fs.PathError)) || errors.Is(err, fs.ErrPermission)) {
			code = Unavailable
		}
		return nil, &Error{Code: code, What: "open " + FileName, Cause: err}
	}
	return s, nil
}

func (s *SQLite) open(path string) error {
	if err := private.Dir(filepath.Dir(path)); err != nil {
		return err
	}
	if err := private.Dir(s.dir); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, fileMode) // SQLite gives its log the same mode
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	var id [8]byte
	rand.Read(id[:])
	s.process = hex.EncodeToString(id[:])
	if s.lock, err = os.OpenFile(s.lockPath(s.process), os.O_CREATE|os.O_RDWR|os.O_EXCL, fileMode); err != nil {
		return err
	}
	lockFile(s.lock)
	if s.db, err = openConn(path); err != nil {
		return err
	}
	row, _, err := s.db.get(`PRAGMA user_version`)
	if err != nil {
		return err
	}
	if version := number(row[0]); version > schemaVersion {
		return &Error{Code: Newer, What: "open " + FileName}
	} else if version < schemaVersion {
		// This setting is stored in the file.
		if err := s.db.script(`PRAGMA journal_mode = wal`); err != nil {
			return err
		}
		err := s.db.tx(func() error {
			row, _, err := s.db.get(`PRAGMA user_version`) // another process may have been quicker
			switch {
			case err != nil || number(row[0]) == schemaVersion:
				return err
			case number(row[0]) == 1:
				err = s.fromVersion1()
			default:
				err = s.db.script(schema)
			}
			if err != nil {
				return err
			}
			return s.db.script(`PRAGMA user_version = ` + strconv.Itoa(schemaVersion))
		})
		if err != nil {
			return err
		}
	}
	return s.db.tx(s.reap)
}

// fromVersion1 changes the tables of version 1, in which the row of a site had its only turn.
func (s *SQLite) fromVersion1() error {
	_, turns, _ := strings.Cut(schema, "CREATE TABLE turn (")
	turns, _, _ = strings.Cut(turns, "CREATE TABLE reason")
	change := `ALTER TABLE job ADD COLUMN at_once INTEGER NOT NULL DEFAULT 0;
		ALTER TABLE site ADD COLUMN width INTEGER NOT NULL DEFAULT 0; ALTER TABLE site ADD COLUMN narrow INTEGER NOT NULL DEFAULT 0;
		CREATE TABLE turn (` + turns
	err := s.db.query(`SELECT id FROM job`, func(row []driver.Value) error {
		change += strings.ReplaceAll(`ALTER TABLE queue_# ADD COLUMN turn INTEGER NOT NULL DEFAULT 0; ALTER TABLE record_# ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
			CREATE INDEX failed_# ON record_# (cursor) WHERE failed = 1;`, "#", strconv.FormatInt(number(row[0]), 10))
		return nil
	})
	if err != nil {
		return err
	}
	return s.db.script(change)
}

func (s *SQLite) lockPath(process string) string {
	return filepath.Join(s.dir, "process-"+process+".lock")
}

func (s *SQLite) unlock() {
	s.lock.Close()
	os.Remove(s.lockPath(s.process)) // what is left is removed by the next process
}

// reap gives back the turns of processes that are gone. It runs in a transaction.
func (s *SQLite) reap() error {
	s.reaped = s.micros()
	var others []string
	if err := s.db.query(`SELECT DISTINCT process FROM turn`, func(row []driver.Value) error {
		if p := str(row[0]); p != s.process {
			others = append(others, p)
		}
		return nil
	}); err != nil {
		return err
	}
	for _, p := range others {
		f, err := os.OpenFile(s.lockPath(p), os.O_RDWR, fileMode)
		gone := errors.Is(err, fs.ErrNotExist)
		if err == nil {
			gone = lockFile(f)
			f.Close()
		}
		if !gone {
			continue
		}
		if err := s.giveBack(p); err != nil {
			return err
		}
		os.Remove(s.lockPath(p))
	}
	return nil
}

// giveBack ends the turns of a process.
func (s *SQLite) giveBack(process string) error {
	_, err := s.db.exec(`DELETE FROM turn WHERE process = ?`, process)
	return err
}

// Close implements [Frontier].
func (s *SQLite) Close() error {
	s.busy <- struct{}{}
	defer func() { <-s.busy }()
	if s.db == nil {
		return nil
	}
	err := s.db.tx(func() error { return s.giveBack(s.process) })
	if e := s.db.close(); err == nil {
		err = e
	}
	s.db = nil
	s.unlock()
	s.bodies.close()
	if err != nil {
		return &Error{Code: codeOf(err), What: "close", Cause: err}
	}
	return nil
}

// do runs f while no other call does.
func (s *SQLite) do(ctx context.Context, what string, f func() error) error {
	select {
	case s.busy <- struct{}{}:
	case <-ctx.Done():
		return &Error{Code: Ended, What: what, Cause: context.Cause(ctx)}
	}
	defer func() { <-s.busy }()
	err := ctx.Err()
	switch {
	case err != nil:
	case s.db == nil:
		return &Error{Code: Ended, What: what, Cause: fs.ErrClosed}
	default:
		err = f()
	}
	var own *Error
	if err == nil || errors.As(err, &own) && own == err {
		return err
	}
	return &Error{Code: codeOf(err), What: what, Cause: err}
}

// write is do with a transaction. What the call learned of addresses and sites is
// forgotten when the transaction fails.
func (s *SQLite) write(ctx context.Context, what string, f func() error) error {
	return s.do(ctx, what, func() error {
		err := s.db.tx(func() error {
			if err := f(); err != nil {
				return err
			}
			return ctx.Err()
		})
		if err != nil {
			clear(s.recent)
			clear(s.sites)
		}
		return err
	})
}

func (s *SQLite) micros() int64 { return s.now().UnixMicro() }

func timeOf(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

func microsOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func invalid(what, why string) error {
	return &Error{Code: Invalid, What: what, Cause: errors.New(why)}
}

// hashOf is what addresses are compared by.
func hashOf(url string) uint64 {
	sum := sha256.Sum256([]byte(url))
	return binary.LittleEndian.Uint64(sum[:])
}

// numberOf is the number of a job's id: "c7" is 7.
func numberOf(id string) (int64, bool) {
	digits, ok := strings.CutPrefix(id, "c")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && n > 0 && idOf(n) == id
}

func idOf(n int64) string { return "c" + strconv.FormatInt(n, 10) }

const jobColumns = `id, owner, kind, state, reason, pages, per_site, per_template, duplicates, at_once, options, progress, due, created, updated, revision`

func scanJob(r []driver.Value) Job {
	return Job{ID: idOf(number(r[0])), Owner: str(r[1]), Kind: str(r[2]), State: State(str(r[3])), Reason: str(r[4]),
		Limits:  Limits{Pages: int(number(r[5])), PerSite: int(number(r[6])), PerTemplate: int(number(r[7])), Duplicates: int(number(r[8])), AtOnce: int(number(r[9]))},
		Options: data(r[10]), Progress: data(r[11]), Due: timeOf(number(r[12])), Created: timeOf(number(r[13])), Updated: timeOf(number(r[14])), Revision: number(r[15])}
}

func checkJob(what string, j Job) error {
	if len(j.Options) > MaxMeta || len(j.Progress) > MaxMeta {
		return invalid(what, fmt.Sprintf("options or progress have more than %d bytes", MaxMeta))
	}
	return nil
}

// Create implements [Frontier].
func (s *SQLite) Create(ctx context.Context, j Job) (Job, error) {
	const what = "create a job"
	if err := checkJob(what, j); err != nil {
		return Job{}, err
	}
	if j.State == "" {
		j.State = Running
	}
	err := s.write(ctx, what, func() error {
		now := s.micros()
		if _, err := s.db.exec(`INSERT INTO job (owner, kind, state, reason, pages, per_site, per_template, duplicates, at_once, options, progress, due, created, updated, revision)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`, j.Owner, j.Kind, string(j.State), j.Reason, j.Limits.Pages, j.Limits.PerSite, j.Limits.PerTemplate, j.Limits.Duplicates, j.Limits.AtOnce,
			j.Options, j.Progress, microsOf(j.Due), now, now); err != nil {
			return err
		}
		row, _, err := s.db.get(`SELECT ` + jobColumns + ` FROM job WHERE id = last_insert_rowid()`)
		if err != nil {
			return err
		}
		j = scanJob(row)
		n, _ := numberOf(j.ID)
		return s.db.script(strings.ReplaceAll(jobSchema, "#", strconv.FormatInt(n, 10)))
	})
	return j, err
}

// Job implements [Frontier].
func (s *SQLite) Job(ctx context.Context, owner, id string) (j Job, err error) {
	err = s.do(ctx, "read a job", func() error {
		j, err = s.job(id)
		if err == nil && owner != "" && j.Owner != owner {
			j, err = Job{}, notFound(id)
		}
		return err
	})
	return j, err
}

func notFound(id string) error {
	return &Error{Code: NotFound, What: "job " + strconv.Quote(id[:min(len(id), 24)])}
}

func (s *SQLite) job(id string) (Job, error) {
	n, ok := numberOf(id)
	if !ok {
		return Job{}, notFound(id)
	}
	row, ok, err := s.db.get(`SELECT `+jobColumns+` FROM job WHERE id = ?`, n)
	switch {
	case err != nil:
		return Job{}, err
	case !ok:
		return Job{}, notFound(id)
	}
	return scanJob(row), nil
}

// Jobs implements [Frontier].
func (s *SQLite) Jobs(ctx context.Context, q JobQuery) (jobs []Job, err error) {
	if q.N <= 0 {
		q.N = 1000
	}
	err = s.do(ctx, "list jobs", func() error {
		return s.db.query(`SELECT `+jobColumns+` FROM job WHERE (?1 = '' OR owner = ?1) AND (?2 = '' OR kind = ?2) AND (?3 = '' OR state = ?3)
			AND (?4 = 0 OR due > 0 AND due <= ?4) ORDER BY id DESC LIMIT ?5`, func(row []driver.Value) error {
			jobs = append(jobs, scanJob(row))
			return nil
		}, q.Owner, q.Kind, string(q.State), microsOf(q.DueBy), q.N)
	})
	return jobs, err
}

// Update implements [Frontier].
func (s *SQLite) Update(ctx context.Context, j Job) (Job, error) {
	const what = "update a job"
	if err := checkJob(what, j); err != nil {
		return Job{}, err
	}
	err := s.write(ctx, what, func() error {
		old, err := s.job(j.ID)
		if err != nil {
			return err
		}
		if old.Revision != j.Revision {
			return &Error{Code: Changed, What: "job " + j.ID}
		}
		n, _ := numberOf(j.ID)
		if _, err := s.db.exec(`UPDATE job SET state = ?, reason = ?, pages = ?, per_site = ?, per_template = ?, duplicates = ?, at_once = ?, options = ?, progress = ?, due = ?, updated = ?, revision = revision + 1 WHERE id = ?`,
			string(j.State), j.Reason, j.Limits.Pages, j.Limits.PerSite, j.Limits.PerTemplate, j.Limits.Duplicates, j.Limits.AtOnce, j.Options, j.Progress, microsOf(j.Due), s.micros(), n); err != nil {
			return err
		}
		if old.Limits.PerSite != j.Limits.PerSite {
			if _, err := s.db.exec(s.sqlOf(n).hostAgain, int64(never)); err != nil {
				return err
			}
		}
		j, err = s.job(j.ID)
		return err
	})
	if err != nil {
		return Job{}, err
	}
	return j, nil
}

// Drop implements [Frontier].
func (s *SQLite) Drop(ctx context.Context, id string) error {
	n, ok := numberOf(id)
	if !ok {
		return nil
	}
	segments := int64(0)
	err := s.write(ctx, "drop a job", func() error {
		row, ok, err := s.db.get(`SELECT segment FROM job WHERE id = ?`, n)
		if err != nil || !ok {
			return err
		}
		segments = number(row[0])
		s.db.forget() // statements of the tables lock them
		for _, q := range []string{
			`DELETE FROM turn WHERE job = ?1`,
			`DELETE FROM reason WHERE job = ?1`,
			`DELETE FROM job WHERE id = ?1`,
		} {
			if _, err := s.db.exec(q, n); err != nil {
				return err
			}
		}
		for _, table := range jobTables {
			if err := s.db.script(fmt.Sprintf(`DROP TABLE %s_%d`, table, n)); err != nil {
				return err
			}
		}
		delete(s.jobs, n)
		return nil
	})
	if err != nil {
		return err
	}
	for i := range segments {
		os.Remove(s.segmentPath(n, i+1)) // one that is left is found by nobody
	}
	return nil
}

// jobSQL has the statements that name a job's tables.
type jobSQL struct {
	insertSeen, seen, seenPlace, seenOver, insertFinal                              string
	insertQueue, takeQueue, best, hold, listQueue                                   string
	insertWait, takeWait, dueWait, listWait, nextWait                               string
	hosts, hostCount, hostReady, hostSoon, hostAgain, hostNone, candidates, readyAt string
	template, templatePut, templateRun, templateReset                               string
	insertRecord, records, failures, fromEnd, record, closed                        string
}

func (s *SQLite) sqlOf(job int64) *jobSQL {
	if q := s.jobs[job]; q != nil {
		return q
	}
	id := strconv.FormatInt(job, 10)
	q := func(text string) string { return strings.ReplaceAll(text, "#", id) }
	const row = `url, depth, template, note, tries`
	// ?1 is now. free is how many turns more a site may have, of those that ?3 allows, held
	// how many URLs of the job are in turns.
	const (
		width = `CASE WHEN s.width > 0 AND s.narrow > ?1 THEN min(s.width, ?3) ELSE ?3 END`
		free  = `(` + width + ` - (SELECT count(*) FROM turn t WHERE t.site = s.id AND t.until > ?1))`
		held  = `(SELECT coalesce(sum(t.tasks), 0) FROM turn t WHERE t.site = s.id AND t.job = # AND t.until > ?1)`
	)
	j := &jobSQL{
		insertSeen:  q(`INSERT INTO seen_# (h, state, site, prio, seq) VALUES (?, 0, ?, ?, ?) ON CONFLICT DO NOTHING`),
		seen:        q(`SELECT state, site, prio, seq, rec FROM seen_# WHERE h = ?`),
		seenPlace:   q(`UPDATE seen_# SET state = ?, prio = ? WHERE h = ?`),
		seenOver:    q(`UPDATE seen_# SET state = ?, site = NULL, prio = NULL, seq = NULL, rec = ? WHERE h = ?`),
		insertFinal: q(`INSERT INTO seen_# (h, state, rec) VALUES (?, ?, ?)`),
		insertQueue: q(`INSERT INTO queue_# (site, prio, seq, ` + row + `, turn) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
		takeQueue:   q(`DELETE FROM queue_# WHERE site = ? AND prio = ? AND seq = ? RETURNING ` + row + `, turn`),
		best:        q(`SELECT prio, seq, ` + row + ` FROM queue_# WHERE site = ? AND (turn = 0 OR turn NOT IN (SELECT token FROM turn WHERE until > ?)) ORDER BY prio, seq LIMIT ?`),
		hold:        q(`UPDATE queue_# SET turn = ? WHERE site = ? AND prio = ? AND seq = ?`),
		listQueue:   q(`SELECT s.name, q.site, q.prio, q.seq, ` + row + ` FROM queue_# q JOIN site s ON s.id = q.site WHERE (q.site, q.prio, q.seq) > (?, ?, ?) ORDER BY q.site, q.prio, q.seq LIMIT ?`),
		insertWait:  q(`INSERT INTO wait_# (due, h, site, prio, seq, ` + row + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
		takeWait:    q(`DELETE FROM wait_# WHERE due = ? AND h = ? RETURNING prio, seq, ` + row),
		dueWait:     q(`SELECT due, h, site FROM wait_# WHERE due <= ? ORDER BY due, h LIMIT 1000`),
		listWait:    q(`SELECT s.name, q.due, q.h, q.prio, ` + row + ` FROM wait_# q JOIN site s ON s.id = q.site WHERE (q.due, q.h) > (?, ?) ORDER BY q.due, q.h LIMIT ?`),
		nextWait:    q(`SELECT min(due) FROM wait_#`),
		hosts:       q(`SELECT count(*) FROM host_#`),
		hostCount:   q(`INSERT INTO host_# (site, queued, over, ready) VALUES (?, ?, ?, ?) ON CONFLICT (site) DO UPDATE SET queued = queued + excluded.queued, over = over + excluded.over, ready = max(ready, excluded.ready)`),
		hostReady:   q(`UPDATE host_# SET ready = ? WHERE site = ?`),
		hostSoon:    q(`UPDATE host_# SET ready = 0 WHERE site = ?`),
		hostAgain:   q(`UPDATE host_# SET ready = 0 WHERE ready = ?`),
		hostNone:    q(`UPDATE host_# SET queued = 0 WHERE site = ?`),
		candidates: q(`SELECT h.site, s.name, max(s.due, s.blocked), s.delay, h.over, ` + free + `, ` + held + `, ` + width + ` FROM host_# h JOIN site s ON s.id = h.site
			WHERE h.ready <= ?1 AND h.queued > 0 AND ` + free + ` > 0 AND h.queued > ` + held + ` ORDER BY h.ready LIMIT ?2`),
		readyAt: q(`SELECT min(max(h.ready, CASE WHEN ` + free + ` > 0 AND h.queued > ` + held + ` THEN max(s.due, s.blocked)
				ELSE (SELECT min(t.until) FROM turn t WHERE t.site = s.id AND t.until > ?1) END))
			FROM host_# h JOIN site s ON s.id = h.site WHERE h.queued > 0 AND (?2 = 0 OR h.over < ?2)`),
		template:      q(`SELECT n, closed FROM template_# WHERE t = ?`),
		templatePut:   q(`INSERT INTO template_# (t, n) VALUES (?, ?) ON CONFLICT (t) DO UPDATE SET n = excluded.n`),
		templateRun:   q(`INSERT INTO template_# (t, run, closed) VALUES (?1, 1, ?2 <= 1) ON CONFLICT (t) DO UPDATE SET run = run + 1, closed = run + 1 >= ?2`),
		templateReset: q(`UPDATE template_# SET run = 0 WHERE t = ? AND run > 0 AND closed = 0`),
		closed:        q(`SELECT 1 FROM template_# WHERE t = ? AND closed = 1`),
		insertRecord:  q(`INSERT INTO record_# (cursor, url, meta, segment, offset, length, failed) VALUES (?, ?, ?, ?, ?, ?, ?)`),
		fromEnd:       q(`SELECT cursor FROM record_# ORDER BY cursor DESC LIMIT 1 OFFSET ?`),
		records:       q(`SELECT cursor, url, meta, segment, offset, length FROM record_# WHERE cursor > ? ORDER BY cursor LIMIT ?`),
		failures:      q(`SELECT cursor, url, meta, segment, offset, length FROM record_# WHERE failed = 1 AND cursor > ? ORDER BY cursor LIMIT ?`),
		record:        q(`SELECT cursor, url, meta, segment, offset, length FROM record_# WHERE cursor = ?`),
	}
	s.jobs[job] = j
	return j
}
