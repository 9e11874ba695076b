package frontier

import (
	"context"
	"math"
	"time"
)

const jobColumns = `id, owner, kind, state, reason, pages, per_site, per_template, duplicates, at_once, options, progress, due, created, updated, revision`

var (
	createJob = both(`INSERT INTO spyhop.job (owner, kind, state, reason, pages, per_site, per_template, duplicates, at_once, options, progress, due, created, updated, revision)
		SELECT $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, n.t, n.t, 1 FROM (SELECT spyhop.now($1) AS t) n RETURNING ` + jobColumns)
	readJob  = both(`SELECT ` + jobColumns + ` FROM spyhop.job WHERE id = $1 AND ($2 = '' OR owner = $2)`)
	listJobs = both(`SELECT ` + jobColumns + ` FROM spyhop.job WHERE ($1 = '' OR owner = $1) AND ($2 = '' OR kind = $2) AND ($3 = '' OR state = $3)
		AND ($4::bigint = 0 OR due > 0 AND due <= $4) ORDER BY id DESC LIMIT $5`)
	updateJob = both(`UPDATE spyhop.job SET state = $3, reason = $4, pages = $5, per_site = $6, per_template = $7, duplicates = $8, at_once = $9,
		options = $10, progress = $11, due = $12, updated = spyhop.now($13), revision = revision + 1 WHERE id = $1 AND revision = $2 RETURNING ` + jobColumns)
	// Sites whose budget was used up may have a greater one; host is locked before job.
	hostsAgain = both(`UPDATE spyhop.host SET ready = 0 WHERE (job, site) IN (
		SELECT h.job, h.site FROM spyhop.host h JOIN spyhop.job j ON j.id = h.job WHERE j.id = $1 AND j.per_site <> $2 AND h.ready = $3 ORDER BY h.site FOR UPDATE OF h)`)
	jobExists = both(`SELECT 1 FROM spyhop.job WHERE id = $1`)
	// keepJob shares the lock that Drop waits for. It is not a lock of the job's row: that
	// would be written for each turn.
	keepJob  = sql{pg: `SELECT pg_advisory_xact_lock_shared($1)`}
	lockDrop = sql{pg: `SELECT pg_advisory_xact_lock($1)`}
	dropJob  = both(`DELETE FROM spyhop.job WHERE id = $1`)
	shrink   = sql{lite: `PRAGMA incremental_vacuum`}
)

// never is the ready time of a host whose budget is used up.
const never = math.MaxInt64

// dropLock is the number of the lock of keepJob and lockDrop.
func dropLock(job int64) int64 { return 0x73707968<<32 | job&0xffffffff }

// oneJob scans the first job of a statement; false: there is none.
func oneJob(ctx context.Context, c conn, j *Job, q sql, args ...any) (found bool, err error) {
	err = run(ctx, c, func(r row) error {
		found = true
		return scanJob(r, j)
	}, q, args...)
	return found, err
}

func scanJob(r row, j *Job) error {
	var id, due, created, updated, pages, perSite, perTemplate, duplicates, atOnce int64
	var state string
	*j = Job{}
	err := r.Scan(&id, &j.Owner, &j.Kind, &state, &j.Reason, &pages, &perSite, &perTemplate, &duplicates, &atOnce, &j.Options, &j.Progress, &due, &created, &updated, &j.Revision)
	j.ID, j.State, j.Due, j.Created, j.Updated = idOf(id), State(state), timeOf(due), timeOf(created), timeOf(updated)
	j.Limits = Limits{Pages: int(pages), PerSite: int(perSite), PerTemplate: int(perTemplate), Duplicates: int(duplicates), AtOnce: int(atOnce)}
	return err
}

// Create implements [Frontier].
func (e *engine) Create(ctx context.Context, j Job) (out Job, err error) {
	const what = "create a job"
	if err := checkJob(what, j); err != nil {
		return Job{}, err
	}
	if j.State == "" {
		j.State = Running
	}
	err = e.do(ctx, what, true, func(ctx context.Context, c conn) error {
		_, err := oneJob(ctx, c, &out, createJob, e.db.clock(), j.Owner, j.Kind, string(j.State), j.Reason,
			j.Limits.Pages, j.Limits.PerSite, j.Limits.PerTemplate, j.Limits.Duplicates, j.Limits.AtOnce, j.Options, j.Progress, microsOf(j.Due))
		return err
	})
	return out, err
}

// Job implements [Frontier].
func (e *engine) Job(ctx context.Context, owner, id string) (j Job, err error) {
	n, ok := numberOf(id)
	if !ok || checkWords("", owner) != nil {
		return Job{}, notFound(id)
	}
	err = e.do(ctx, "read a job", false, func(ctx context.Context, c conn) error {
		found, err := oneJob(ctx, c, &j, readJob, n, owner)
		if err == nil && !found {
			return notFound(id)
		}
		return err
	})
	return j, err
}

// Jobs implements [Frontier].
func (e *engine) Jobs(ctx context.Context, q JobQuery) (jobs []Job, err error) {
	if q.N <= 0 {
		q.N = 1000
	}
	if checkWords("", q.Owner, q.Kind, string(q.State)) != nil {
		return nil, nil // nobody's
	}
	err = e.do(ctx, "list jobs", false, func(ctx context.Context, c conn) error {
		jobs = nil
		return run(ctx, c, func(r row) error {
			var j Job
			err := scanJob(r, &j)
			jobs = append(jobs, j)
			return err
		}, listJobs, q.Owner, q.Kind, string(q.State), microsOf(q.DueBy), q.N)
	})
	return jobs, err
}

// Update implements [Frontier].
func (e *engine) Update(ctx context.Context, j Job) (out Job, err error) {
	const what = "update a job"
	if err := checkJob(what, j); err != nil {
		return Job{}, err
	}
	n, ok := numberOf(j.ID)
	if !ok {
		return Job{}, notFound(j.ID)
	}
	err = e.do(ctx, what, true, func(ctx context.Context, c conn) error {
		return inTx(ctx, c, func() error {
			var b batch
			b.exec(keepJob, dropLock(n))
			b.exec(hostsAgain, n, j.Limits.PerSite, int64(never))
			if err := c.send(ctx, &b); err != nil {
				return err
			}
			found, err := oneJob(ctx, c, &out, updateJob, n, j.Revision, string(j.State), j.Reason,
				j.Limits.Pages, j.Limits.PerSite, j.Limits.PerTemplate, j.Limits.Duplicates, j.Limits.AtOnce, j.Options, j.Progress, microsOf(j.Due), e.db.clock())
			if err != nil || found {
				return err
			}
			if err := wantJob(ctx, c, j.ID, n); err != nil {
				return err
			}
			return &Error{Code: Changed, What: "job " + j.ID}
		})
	})
	return out, err
}

// wantJob is an error where there is no job.
func wantJob(ctx context.Context, c conn, id string, n int64) error {
	found := false
	if err := run(ctx, c, func(row) error { found = true; return nil }, jobExists, n); err != nil || found {
		return err
	}
	return notFound(id)
}

// Drop implements [Frontier].
func (e *engine) Drop(ctx context.Context, id string) error {
	n, ok := numberOf(id)
	if !ok {
		return nil
	}
	return e.do(ctx, "drop a job", false, func(ctx context.Context, c conn) error {
		err := inTx(ctx, c, func() error {
			var b batch
			b.exec(lockDrop, dropLock(n))
			b.exec(dropJob, n) // it waits for the commits that run: they share the row
			for _, table := range jobTables {
				b.exec(both(`DELETE FROM spyhop.`+table+` WHERE job = $1`), n)
			}
			return c.send(ctx, &b)
		})
		if err != nil {
			return err
		}
		return run(ctx, c, nil, shrink)
	})
}

var (
	addSites  = both(`INSERT INTO spyhop.site (h, name) SELECT x.h, x.name FROM unnest($1::bigint[], $2::bytea[]) x(h, name) ORDER BY x.h ON CONFLICT DO NOTHING`)
	findSites = both(`SELECT s.id, s.name FROM spyhop.site s WHERE s.h = ANY($1)`)
	blockSite = both(`INSERT INTO spyhop.site AS s (h, name, blocked) VALUES ($1, $2, $3) ON CONFLICT (h) DO UPDATE SET blocked = greatest(s.blocked, excluded.blocked)`)
	delaySite = both(`INSERT INTO spyhop.site AS s (h, name, delay) VALUES ($1, $2, $3) ON CONFLICT (h) DO UPDATE SET delay = excluded.delay`)
	// A smaller bound stays for its time.
	narrowSite = both(`INSERT INTO spyhop.site AS s (h, name, width, narrow) VALUES ($1, $2, $3, $4)
		ON CONFLICT (h) DO UPDATE SET width = CASE WHEN s.width > 0 AND s.narrow > spyhop.now($5) THEN least(s.width, excluded.width) ELSE excluded.width END,
			narrow = CASE WHEN s.width > 0 AND s.narrow > spyhop.now($5) AND s.width < excluded.width THEN s.narrow ELSE excluded.narrow END`)
)

// siteIDs returns the numbers of sites. They exist before the transaction that uses
// them, so that no transaction waits for another one's new site.
func (e *engine) siteIDs(ctx context.Context, c conn, names map[string]bool) (map[string]int64, error) {
	ids := make(map[string]int64, len(names))
	var missing []hash
	var missingNames [][]byte
	e.mu.Lock()
	for name := range names {
		if id, ok := e.sites[name]; ok {
			ids[name] = id
		} else {
			missing, missingNames = append(missing, hashOf(name)), append(missingNames, []byte(name))
		}
	}
	e.mu.Unlock()
	if len(missing) == 0 {
		return ids, nil
	}
	err := inTx(ctx, c, func() error {
		var b batch
		b.exec(addSites, missing, missingNames)
		b.rows(findSites, func(r row) error {
			var id int64
			var name []byte
			err := r.Scan(&id, &name)
			ids[string(name)] = id
			return err
		}, missing)
		return c.send(ctx, &b)
	})
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.sites)+len(missing) > maxSiteNames {
		clear(e.sites)
	}
	for _, name := range missingNames {
		e.sites[string(name)] = ids[string(name)]
	}
	return ids, nil
}

// Block implements [Frontier].
func (e *engine) Block(ctx context.Context, site string, until time.Time) error {
	return e.setSite(ctx, "block a site", site, blockSite, microsOf(until))
}

// Narrow implements [Frontier].
func (e *engine) Narrow(ctx context.Context, site string, turns int, until time.Time) error {
	return e.setSite(ctx, "narrow a site", site, narrowSite, max(turns, 1), microsOf(until), e.db.clock())
}

// Delay implements [Frontier].
func (e *engine) Delay(ctx context.Context, site string, d time.Duration) error {
	return e.setSite(ctx, "set the delay of a site", site, delaySite, d.Microseconds())
}

func (e *engine) setSite(ctx context.Context, what, site string, q sql, values ...any) error {
	if site == "" || len(site) > MaxURL {
		return invalid(what, "it has no name, or one that is too long")
	}
	return e.do(ctx, what, false, func(ctx context.Context, c conn) error {
		return run(ctx, c, nil, q, append([]any{hashOf(site), []byte(site)}, values...)...)
	})
}
