package frontier

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// pgVersion is the version of the tables in the schema spyhop.
const pgVersion = 2

// Times are in µs since 1970. What comes from outside is bytea: PostgreSQL's text
// holds neither NUL bytes nor invalid UTF-8.
//
// A row of turn is a turn that was not ended; what its columns and those of site mean is said
// at the tables of SQLite. ready in host is not later than the time at which a URL of the site
// may be leased.
//
// An address is known when it is in seen, queued when it is in queue too, and over
// when it is not: what ends an address deletes its row in queue, which one
// transaction only can do.
//
// Transactions lock in one order: sites, queue, template, seen, host, job, reason.
// Lease skips the rows of sites, hosts and queue that others have locked, and where it locks
// job, it begins with it.
// Drop locks job first and then everything else, so it runs alone: it waits for dropLock,
// which the others share from their beginning. A commit shares job's row instead.
const pgSchema = `
CREATE SCHEMA IF NOT EXISTS spyhop;
CREATE TABLE spyhop.version (n int NOT NULL);
CREATE FUNCTION spyhop.now(bigint) RETURNS bigint LANGUAGE sql VOLATILE AS
	'SELECT coalesce($1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)';
CREATE TABLE spyhop.job (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	owner text NOT NULL, kind text NOT NULL, state text NOT NULL, reason text NOT NULL,
	pages bigint NOT NULL, per_site bigint NOT NULL, per_template bigint NOT NULL, duplicates bigint NOT NULL, at_once bigint NOT NULL,
	options bytea, progress bytea, due bigint NOT NULL,
	created bigint NOT NULL, updated bigint NOT NULL, revision bigint NOT NULL,
	known bigint NOT NULL DEFAULT 0, queued bigint NOT NULL DEFAULT 0, read bigint NOT NULL DEFAULT 0,
	failed bigint NOT NULL DEFAULT 0, skipped bigint NOT NULL DEFAULT 0, sites bigint NOT NULL DEFAULT 0,
	cursor bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE INDEX job_due ON spyhop.job (due) WHERE due > 0;
CREATE TABLE spyhop.site (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	h uuid NOT NULL UNIQUE, name bytea NOT NULL,
	due bigint NOT NULL DEFAULT 0, blocked bigint NOT NULL DEFAULT 0, delay bigint NOT NULL DEFAULT 0,
	width bigint NOT NULL DEFAULT 0, narrow bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE spyhop.turn (
	token bigint PRIMARY KEY, site bigint NOT NULL, job bigint NOT NULL, until bigint NOT NULL, tasks bigint NOT NULL, n bigint NOT NULL, due bigint NOT NULL,
	process text NOT NULL, worker text NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX turn_site ON spyhop.turn (site);
CREATE INDEX turn_job ON spyhop.turn (job);
CREATE INDEX turn_process ON spyhop.turn (process);
CREATE TABLE spyhop.seen (job bigint, h uuid, PRIMARY KEY (job, h));
CREATE TABLE spyhop.queue (
	job bigint, h uuid, site bigint NOT NULL, prio bigint NOT NULL, seq bigint NOT NULL, due bigint NOT NULL DEFAULT 0,
	url bytea NOT NULL, depth bigint NOT NULL, template bigint NOT NULL, note bytea, tries bigint NOT NULL DEFAULT 0, turn bigint NOT NULL DEFAULT 0,
	PRIMARY KEY (job, h)
);
CREATE INDEX queue_best ON spyhop.queue (job, site, prio, seq);
CREATE SEQUENCE spyhop.seq;
CREATE TABLE spyhop.host (job bigint, site bigint, ready bigint NOT NULL, over bigint NOT NULL, PRIMARY KEY (job, site)) WITH (fillfactor = 50);
CREATE INDEX host_ready ON spyhop.host (job, ready);
CREATE TABLE spyhop.template (job bigint, t bigint, n bigint NOT NULL DEFAULT 0, run bigint NOT NULL DEFAULT 0, closed boolean NOT NULL DEFAULT false, PRIMARY KEY (job, t)) WITH (fillfactor = 50);
CREATE TABLE spyhop.reason (job bigint, name bytea, n bigint NOT NULL, PRIMARY KEY (job, name)) WITH (fillfactor = 50);
CREATE TABLE spyhop.record (
	job bigint, cursor bigint, h uuid NOT NULL, final uuid, url bytea NOT NULL, meta bytea NOT NULL, body bytea, size bigint NOT NULL, failed boolean NOT NULL,
	PRIMARY KEY (job, cursor)
);
ALTER TABLE spyhop.record ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX record_failed ON spyhop.record (job, cursor) WHERE failed;
CREATE UNIQUE INDEX record_h ON spyhop.record (job, h);
CREATE UNIQUE INDEX record_final ON spyhop.record (job, final) WHERE final IS NOT NULL;`

var pgTables = [...]string{"seen", "queue", "host", "template", "reason", "record"}

// Postgres is the frontier of several machines: one database, which all of them ask.
// Make one with [OpenPostgres].
type Postgres struct {
	pool     *pool
	pace     int64 // µs
	now      func() time.Time
	process  string
	patience time.Duration
	bodies   packer

	mu    sync.Mutex
	sites map[string]int64
	// recent has addresses of one job that are known, with their priority, so that
	// links that stand on every page cost no query.
	recent    map[hash]int32
	recentJob int64
	closed    bool
}

var _ Frontier = (*Postgres)(nil)

// hash is what addresses and names of sites are compared by.
type hash [16]byte

func wideHash(s string) hash {
	sum := sha256.Sum256([]byte(s))
	return hash(sum[:16])
}

// OpenPostgres opens the frontier in a database, and creates its tables in the
// schema spyhop when they are missing. Every connection is made by dial, which the
// egress policy provides. Of the options, Pace, Now and Patience count; without Now, the clock
// is the database's. The error is an [*Error], and shows no password.
func OpenPostgres(ctx context.Context, a Address, dial func(ctx context.Context) (net.Conn, error), o Options) (*Postgres, error) {
	const what = "open PostgreSQL"
	config, err := a.config()
	if err != nil {
		return nil, &Error{Code: Unavailable, What: what, Cause: plain(err)}
	}
	config.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }
	p := &Postgres{pool: newPool(config), pace: o.Pace.Microseconds(), now: o.Now, process: rand.Text(), patience: cmp.Or(max(o.Patience, 0), defaultPatience), sites: map[string]int64{}, recent: map[hash]int32{}}
	patience := p.patience
	p.patience = min(patience, openPatience)
	err = p.do(ctx, what, false, p.migrate)
	p.patience = patience
	if err != nil {
		p.pool.close()
		return nil, err
	}
	return p, nil
}

// migrate creates the tables.
func (p *Postgres) migrate(ctx context.Context, c *pgConn) error {
	done, err := migrated(ctx, c)
	if err != nil || done {
		return err
	}
	// The lock is for two workers that begin at once; the number is our own.
	return c.inTx(ctx, func() error {
		if _, err := c.exec(ctx, `SELECT pg_advisory_xact_lock(7749001)`); err != nil {
			return err
		}
		done, err := migrated(ctx, c)
		if err != nil || done {
			return err
		}
		var old bool
		if _, err := c.get(ctx, []any{&old}, `SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'spyhop')`); err != nil {
			return err
		}
		schema := pgSchema
		if old {
			schema = pgFromVersion1()
		}
		if _, err := c.Exec(ctx, schema).ReadAll(); err != nil {
			return err
		}
		_, err = c.exec(ctx, `INSERT INTO spyhop.version SELECT $1`, pgVersion)
		return err
	})
}

// pgFromVersion1 changes the tables of version 1, in which the row of a site had its only turn.
func pgFromVersion1() string {
	_, turns, _ := strings.Cut(pgSchema, "CREATE TABLE spyhop.turn (")
	turns, _, _ = strings.Cut(turns, "CREATE TABLE spyhop.seen")
	return `ALTER TABLE spyhop.job ADD COLUMN at_once bigint NOT NULL DEFAULT 0;
		ALTER TABLE spyhop.site ADD COLUMN width bigint NOT NULL DEFAULT 0, ADD COLUMN narrow bigint NOT NULL DEFAULT 0, DROP COLUMN token, DROP COLUMN until,
			DROP COLUMN job, DROP COLUMN process, DROP COLUMN worker, DROP COLUMN tasks;
		ALTER TABLE spyhop.queue ADD COLUMN turn bigint NOT NULL DEFAULT 0;
		ALTER TABLE spyhop.record ADD COLUMN failed boolean NOT NULL DEFAULT false;
		CREATE INDEX record_failed ON spyhop.record (job, cursor) WHERE failed;
		CREATE TABLE spyhop.turn (` + turns
}

// migrated reports whether the tables exist in this version.
func migrated(ctx context.Context, c *pgConn) (bool, error) {
	var exists bool
	// to_regclass would answer from the connection's cache, in which a table that another
	// process has made meanwhile is missing.
	if _, err := c.get(ctx, []any{&exists}, `SELECT EXISTS (SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = 'spyhop' AND c.relname = 'version')`); err != nil || !exists {
		return false, err
	}
	var n int
	if _, err := c.get(ctx, []any{&n}, `SELECT max(n) FROM spyhop.version`); err != nil {
		return false, err
	}
	if n > pgVersion {
		return false, &Error{Code: Newer, What: "open PostgreSQL"}
	}
	return n == pgVersion, nil
}

// at is the clock as the first argument of spyhop.now.
func (p *Postgres) at() *int64 {
	if p.now == nil {
		return nil
	}
	us := p.now().UnixMicro()
	return &us
}

// Close implements [Frontier].
func (p *Postgres) Close() error {
	p.mu.Lock()
	was := p.closed
	p.closed = true
	p.mu.Unlock()
	if was {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	// Where the database is away, the turns end with their time.
	err := p.pool.with(ctx, func(c *pgConn) error { return p.giveBack(ctx, c, `t.process = $2`, p.process) })
	p.pool.close()
	p.bodies.close()
	if err != nil {
		return &Error{Code: pgCodeOf(err), What: "close", Cause: plain(err)}
	}
	return nil
}

// giveBack ends the turns that a condition on $2 selects.
func (p *Postgres) giveBack(ctx context.Context, c *pgConn, where string, arg any) error {
	_, err := c.exec(ctx, `WITH t AS (DELETE FROM spyhop.turn t WHERE `+where+` RETURNING t.job, t.site)
		UPDATE spyhop.host h SET ready = least(h.ready, spyhop.now($1))
			FROM (SELECT DISTINCT l.tid FROM t CROSS JOIN LATERAL (SELECT h.ctid AS tid FROM spyhop.host h WHERE h.job = t.job AND h.site = t.site LIMIT 1) l) x WHERE h.ctid = x.tid`, p.at(), arg)
	return err
}

func checkWords(what string, words ...string) error {
	for _, w := range words {
		if !utf8.ValidString(w) || strings.ContainsRune(w, 0) {
			return invalid(what, "a name has a NUL byte or is not UTF-8")
		}
	}
	return nil
}

const pgJobColumns = `id, owner, kind, state, reason, pages, per_site, per_template, duplicates, at_once, options, progress, due, created, updated, revision`

// getJob scans the first job of a statement; false: there is none.
func (c *pgConn) getJob(ctx context.Context, j *Job, statement string, args ...any) (found bool, err error) {
	err = c.each(ctx, func(r row) error {
		found = true
		return scanPgJob(r, j)
	}, statement, args...)
	return found, err
}

func scanPgJob(r row, j *Job) error {
	var id, due, created, updated int64
	*j = Job{}
	var state string
	err := r.scan(&id, &j.Owner, &j.Kind, &state, &j.Reason, &j.Limits.Pages, &j.Limits.PerSite, &j.Limits.PerTemplate, &j.Limits.Duplicates, &j.Limits.AtOnce,
		&j.Options, &j.Progress, &due, &created, &updated, &j.Revision)
	j.ID, j.State, j.Due, j.Created, j.Updated = idOf(id), State(state), timeOf(due), timeOf(created), timeOf(updated)
	return err
}

// Create implements [Frontier].
func (p *Postgres) Create(ctx context.Context, j Job) (out Job, err error) {
	const what = "create a job"
	if err := checkJob(what, j); err != nil {
		return Job{}, err
	}
	if err := checkWords(what, j.Owner, j.Kind, string(j.State), j.Reason); err != nil {
		return Job{}, err
	}
	if j.State == "" {
		j.State = Running
	}
	err = p.do(ctx, what, true, func(ctx context.Context, c *pgConn) error {
		_, err := c.getJob(ctx, &out, `INSERT INTO spyhop.job (owner, kind, state, reason, pages, per_site, per_template, duplicates, at_once, options, progress, due, created, updated, revision)
			SELECT $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, n.t, n.t, 1 FROM (SELECT spyhop.now($1) AS t) n RETURNING `+pgJobColumns,
			p.at(), j.Owner, j.Kind, string(j.State), j.Reason, j.Limits.Pages, j.Limits.PerSite, j.Limits.PerTemplate, j.Limits.Duplicates, j.Limits.AtOnce, j.Options, j.Progress, microsOf(j.Due))
		return err
	})
	return out, err
}

// Job implements [Frontier].
func (p *Postgres) Job(ctx context.Context, owner, id string) (j Job, err error) {
	n, ok := numberOf(id)
	if !ok || checkWords("", owner) != nil {
		return Job{}, notFound(id)
	}
	err = p.do(ctx, "read a job", false, func(ctx context.Context, c *pgConn) error {
		found, err := c.getJob(ctx, &j, `SELECT `+pgJobColumns+` FROM spyhop.job WHERE id = $1 AND ($2 = '' OR owner = $2)`, n, owner)
		if err == nil && !found {
			return notFound(id)
		}
		return err
	})
	if err != nil {
		return Job{}, err
	}
	return j, nil
}

// Jobs implements [Frontier].
func (p *Postgres) Jobs(ctx context.Context, q JobQuery) (jobs []Job, err error) {
	if q.N <= 0 {
		q.N = 1000
	}
	if checkWords("", q.Owner, q.Kind, string(q.State)) != nil {
		return nil, nil // nobody's
	}
	err = p.do(ctx, "list jobs", false, func(ctx context.Context, c *pgConn) error {
		jobs = nil
		return c.each(ctx, func(r row) error {
			var j Job
			err := scanPgJob(r, &j)
			jobs = append(jobs, j)
			return err
		}, `SELECT `+pgJobColumns+` FROM spyhop.job WHERE ($1 = '' OR owner = $1) AND ($2 = '' OR kind = $2) AND ($3 = '' OR state = $3)
			AND ($4::bigint = 0 OR due > 0 AND due <= $4) ORDER BY id DESC LIMIT $5`, q.Owner, q.Kind, string(q.State), microsOf(q.DueBy), q.N)
	})
	return jobs, err
}

// Update implements [Frontier].
func (p *Postgres) Update(ctx context.Context, j Job) (out Job, err error) {
	const what = "update a job"
	if err := checkJob(what, j); err != nil {
		return Job{}, err
	}
	if err := checkWords(what, string(j.State), j.Reason); err != nil {
		return Job{}, err
	}
	n, ok := numberOf(j.ID)
	if !ok {
		return Job{}, notFound(j.ID)
	}
	err = p.do(ctx, what, true, func(ctx context.Context, c *pgConn) error {
		return c.inTx(ctx, func() error {
			if _, err := c.exec(ctx, pgKeep, dropLock(n)); err != nil {
				return err
			}
			// Sites whose budget was used up may have a greater one; host is locked before job.
			if _, err := c.exec(ctx, `UPDATE spyhop.host SET ready = 0 WHERE (job, site) IN (
				SELECT h.job, h.site FROM spyhop.host h JOIN spyhop.job j ON j.id = h.job WHERE j.id = $1 AND j.per_site <> $2 AND h.ready = $3 ORDER BY h.site FOR UPDATE OF h)`,
				n, j.Limits.PerSite, int64(never)); err != nil {
				return err
			}
			found, err := c.getJob(ctx, &out, `UPDATE spyhop.job SET state = $3, reason = $4, pages = $5, per_site = $6, per_template = $7, duplicates = $8, at_once = $9,
				options = $10, progress = $11, due = $12, updated = spyhop.now($13), revision = revision + 1 WHERE id = $1 AND revision = $2 RETURNING `+pgJobColumns,
				n, j.Revision, string(j.State), j.Reason, j.Limits.Pages, j.Limits.PerSite, j.Limits.PerTemplate, j.Limits.Duplicates, j.Limits.AtOnce, j.Options, j.Progress, microsOf(j.Due), p.at())
			if err != nil || found {
				return err
			}
			var exists bool
			switch _, err := c.get(ctx, []any{&exists}, `SELECT true FROM spyhop.job WHERE id = $1`, n); {
			case err != nil:
				return err
			case !exists:
				return notFound(j.ID)
			}
			return &Error{Code: Changed, What: "job " + j.ID}
		})
	})
	if err != nil {
		return Job{}, err
	}
	return out, nil
}

// dropLock is the number of the lock of a job that keeps Drop waiting; pgKeep shares it. It
// is not a lock of the job's row: that would be written for each turn.
func dropLock(job int64) int64 { return 0x73707968<<32 | job&0xffffffff }

const pgKeep = `SELECT pg_advisory_xact_lock_shared($1)`

// Drop implements [Frontier].
func (p *Postgres) Drop(ctx context.Context, id string) error {
	n, ok := numberOf(id)
	if !ok {
		return nil
	}
	return p.do(ctx, "drop a job", false, func(ctx context.Context, c *pgConn) error {
		return c.inTx(ctx, func() error {
			if _, err := c.exec(ctx, `SELECT pg_advisory_xact_lock($1)`, dropLock(n)); err != nil {
				return err
			}
			// It waits for the commits that run: they hold a share of the row.
			if _, err := c.exec(ctx, `DELETE FROM spyhop.job WHERE id = $1`, n); err != nil {
				return err
			}
			if err := p.giveBack(ctx, c, `t.job = $2`, n); err != nil {
				return err
			}
			for _, table := range pgTables {
				if _, err := c.exec(ctx, `DELETE FROM spyhop.`+table+` WHERE job = $1`, n); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// siteIDs returns the numbers of sites. They exist before the transaction that uses
// them, so that no transaction waits for another one's new site.
func (p *Postgres) siteIDs(ctx context.Context, c *pgConn, names map[string]bool) (map[string]int64, error) {
	ids := make(map[string]int64, len(names))
	var missing []hash
	var missingNames [][]byte
	p.mu.Lock()
	for name := range names {
		if id, ok := p.sites[name]; ok {
			ids[name] = id
		} else {
			missing, missingNames = append(missing, wideHash(name)), append(missingNames, []byte(name))
		}
	}
	p.mu.Unlock()
	if len(missing) == 0 {
		return ids, nil
	}
	b := &batch{}
	b.queue(`INSERT INTO spyhop.site (h, name) SELECT h, name FROM unnest($1::uuid[], $2::bytea[]) x(h, name) ORDER BY h ON CONFLICT DO NOTHING`, missing, missingNames)
	b.queue(`SELECT s.id, s.name FROM unnest($1::uuid[]) x JOIN spyhop.site s ON s.h = x`, missing)
	r := c.send(ctx, b)
	r.exec()
	r.rows(func(rows row) error {
		var id int64
		var name []byte
		err := rows.scan(&id, &name)
		ids[string(name)] = id
		return err
	})
	if err := r.close(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.sites)+len(missing) > maxSiteNames {
		clear(p.sites)
	}
	for _, name := range missingNames {
		p.sites[string(name)] = ids[string(name)]
	}
	return ids, nil
}

// Block implements [Frontier].
func (p *Postgres) Block(ctx context.Context, site string, until time.Time) error {
	return p.setSite(ctx, "block a site", site, `INSERT INTO spyhop.site AS s (h, name, blocked) VALUES ($1, $2, $3)
		ON CONFLICT (h) DO UPDATE SET blocked = greatest(s.blocked, excluded.blocked)`, microsOf(until))
}

// Narrow implements [Frontier].
func (p *Postgres) Narrow(ctx context.Context, site string, turns int, until time.Time) error {
	return p.setSite(ctx, "narrow a site", site, `INSERT INTO spyhop.site AS s (h, name, width, narrow) VALUES ($1, $2, $3, $4)
		ON CONFLICT (h) DO UPDATE SET width = CASE WHEN s.width > 0 AND s.narrow > spyhop.now($5) THEN least(s.width, excluded.width) ELSE excluded.width END,
			narrow = CASE WHEN s.width > 0 AND s.narrow > spyhop.now($5) AND s.width < excluded.width THEN s.narrow ELSE excluded.narrow END`, max(turns, 1), microsOf(until), p.at())
}

// Delay implements [Frontier].
func (p *Postgres) Delay(ctx context.Context, site string, d time.Duration) error {
	return p.setSite(ctx, "set the delay of a site", site, `INSERT INTO spyhop.site (h, name, delay) VALUES ($1, $2, $3)
		ON CONFLICT (h) DO UPDATE SET delay = excluded.delay`, d.Microseconds())
}

func (p *Postgres) setSite(ctx context.Context, what, site, q string, values ...any) error {
	if site == "" || len(site) > MaxURL {
		return invalid(what, "it has no name, or one that is too long")
	}
	return p.do(ctx, what, false, func(ctx context.Context, c *pgConn) error {
		_, err := c.exec(ctx, q, append([]any{wideHash(site), []byte(site)}, values...)...)
		return err
	})
}

// Rank implements [Frontier].
func (p *Postgres) Rank(ctx context.Context, job string, to []Rank) error {
	const what = "rank addresses"
	n, ok := numberOf(job)
	if !ok {
		return notFound(job)
	}
	last := make(map[hash]int64, len(to))
	for _, r := range to {
		last[wideHash(r.URL)] = -int64(r.Priority)
	}
	hashes, prios := sortedHashes(last), make([]int64, 0, len(last))
	for _, h := range hashes {
		prios = append(prios, last[h])
	}
	return p.do(ctx, what, false, func(ctx context.Context, c *pgConn) error {
		p.forget()
		b := &batch{} // one transaction
		b.queue(pgKeep, dropLock(n))
		b.queue(`SELECT true FROM spyhop.job WHERE id = $1`, n)
		b.queue(`WITH l AS MATERIALIZED (SELECT l.tid, x.prio FROM unnest($2::uuid[], $3::bigint[]) x(h, prio) CROSS JOIN LATERAL (
				SELECT q.ctid AS tid FROM spyhop.queue q WHERE q.job = $1 AND q.h = x.h AND q.prio <> x.prio FOR UPDATE) l)
			UPDATE spyhop.queue q SET prio = l.prio FROM l WHERE q.ctid = l.tid`, n, hashes, prios)
		r := c.send(ctx, b)
		found := false
		r.exec()
		r.rows(func(rows row) error { return rows.scan(&found) })
		r.exec()
		if err := r.close(); err != nil {
			return err
		}
		if !found {
			return notFound(job)
		}
		return nil
	})
}

// forget drops what is remembered of addresses: the highest priority only.
func (p *Postgres) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.recent)
}

// Queued implements [Frontier]. A cursor is the hash of the last address.
func (p *Postgres) Queued(ctx context.Context, job, after string, n int) (tasks []Task, next string, err error) {
	const what = "list addresses"
	var from hash
	if after != "" {
		b, err := hex.DecodeString(after)
		if err != nil || len(b) != len(from) {
			return nil, "", invalid(what, "the cursor is not one")
		}
		from = hash(b)
	}
	n = max(n, 1)
	number, ok := numberOf(job)
	if !ok {
		return nil, "", notFound(job)
	}
	err = p.do(ctx, what, false, func(ctx context.Context, c *pgConn) error {
		tasks, next = nil, ""
		b := &batch{}
		b.queue(`SELECT true FROM spyhop.job WHERE id = $1`, number)
		b.queue(`SELECT q.h, s.name, q.prio, `+pgTask+` FROM spyhop.queue q JOIN spyhop.site s ON s.id = q.site
			WHERE q.job = $1 AND q.h > $2 ORDER BY q.h LIMIT $3`, number, from, n)
		r := c.send(ctx, b)
		found := false
		r.rows(func(rows row) error { return rows.scan(&found) })
		var last hash
		r.rows(func(rows row) error {
			var name []byte
			t, err := scanTask(rows, &last, &name)
			t.Site = string(name)
			tasks = append(tasks, t)
			return err
		})
		if err := r.close(); err != nil {
			return err
		}
		if !found {
			return notFound(job)
		}
		if len(tasks) == n {
			next = hex.EncodeToString(last[:])
		}
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	return tasks, next, nil
}
