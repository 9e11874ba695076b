package frontier

import (
	"context"
	"math"
	"time"
)

const jobColumns = `id, owner, kind, state, reason, pages, per_site, per_template, at_once, options, progress, due, created, updated, revision`

var (
	createJob = both(`INSERT INTO spyhop.job (owner, kind, state, reason, pages, per_site, per_template, duplicates, at_once, options, progress, due, created, updated, revision)
		SELECT $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11, $12, n.t, n.t, 1 FROM (SELECT spyhop.now($1) AS t) n RETURNING ` + jobColumns)
	readJob  = both(`SELECT ` + jobColumns + ` FROM spyhop.job WHERE id = $1 AND ($2 = '' OR owner = $2)`)
	listJobs = both(`SELECT ` + jobColumns + ` FROM spyhop.job WHERE ($1 = '' OR owner = $1) AND ($2 = '' OR kind = $2) AND ($3 = '' OR state = $3)
		AND ($4::bigint = 0 OR due > 0 AND due <= $4) ORDER BY id DESC LIMIT $5`)
	updateJob = both(`UPDATE spyhop.job SET state = $3, reason = $4, pages = $5, per_site = $6, per_template = $7, at_once = $8,
		options = $9, progress = $10, due = $11, updated = spyhop.now($12), revision = revision + 1 WHERE id = $1 AND revision = $2 RETURNING ` + jobColumns)
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
	var id, due, created, updated, pages, perSite, perTemplate, atOnce int64
	var state string
	*j = Job{}
	err := r.Scan(&id, &j.Owner, &j.Kind, &state, &j.Reason, &pages, &perSite, &perTemplate, &atOnce, &j.Options, &j.Progress, &due, &created, &updated, &j.Revision)
	j.ID, j.State, j.Due, j.Created, j.Updated = idOf(id), State(state), timeOf(due), timeOf(created), timeOf(updated)
	j.Limits = Limits{Pages: int(pages), PerSite: int(perSite), PerTemplate: int(perTemplate), AtOnce: int(atOnce)}
	return err
}

// Create stores a new job and returns it with ID, Created, Updated and Revision.
// An empty State becomes Running.
func (f *Frontier) Create(ctx context.Context, j Job) (out Job, err error) {
	const what = "create a job"
	if err := checkJob(what, j); err != nil {
		return Job{}, err
	}
	if j.State == "" {
		j.State = Running
	}
	err = f.do(ctx, what, true, func(ctx context.Context, c conn) error {
		_, err := oneJob(ctx, c, &out, createJob, f.db.clock(), j.Owner, j.Kind, string(j.State), j.Reason,
			j.Limits.Pages, j.Limits.PerSite, j.Limits.PerTemplate, j.Limits.AtOnce, j.Options, j.Progress, microsOf(j.Due))
		return err
	})
	return out, err
}

// Job returns one job. An owner of "" means any. A job of another owner is
// NotFound, like one that does not exist.
func (f *Frontier) Job(ctx context.Context, owner, id string) (j Job, err error) {
	n, ok := numberOf(id)
	if !ok || checkWords("", owner) != nil {
		return Job{}, notFound(id)
	}
	err = f.do(ctx, "read a job", false, func(ctx context.Context, c conn) error {
		found, err := oneJob(ctx, c, &j, readJob, n, owner)
		if err == nil && !found {
			return notFound(id)
		}
		return err
	})
	return j, err
}

// Jobs lists jobs, the latest first.
func (f *Frontier) Jobs(ctx context.Context, q JobQuery) (jobs []Job, err error) {
	if q.N <= 0 {
		q.N = 1000
	}
	if checkWords("", q.Owner, q.Kind, string(q.State)) != nil {
		return nil, nil // nobody's
	}
	err = f.do(ctx, "list jobs", false, func(ctx context.Context, c conn) error {
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

// Update replaces State, Reason, Limits, Options, Progress and Due of a job. It
// returns the job with its new Revision. The code is Changed when the job's
// Revision is no longer that of j: read it and decide again.
func (f *Frontier) Update(ctx context.Context, j Job) (out Job, err error) {
	const what = "update a job"
	if err := checkJob(what, j); err != nil {
		return Job{}, err
	}
	n, ok := numberOf(j.ID)
	if !ok {
		return Job{}, notFound(j.ID)
	}
	err = f.do(ctx, what, true, func(ctx context.Context, c conn) error {
		return inTx(ctx, c, func() error {
			var b batch
			b.exec(keepJob, dropLock(n))
			b.exec(hostsAgain, n, j.Limits.PerSite, int64(never))
			if err := c.send(ctx, &b); err != nil {
				return err
			}
			found, err := oneJob(ctx, c, &out, updateJob, n, j.Revision, string(j.State), j.Reason,
				j.Limits.Pages, j.Limits.PerSite, j.Limits.PerTemplate, j.Limits.AtOnce, j.Options, j.Progress, microsOf(j.Due), f.db.clock())
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

// Drop deletes a job with its addresses and its records. A turn of it is lost.
// A job that does not exist is not an error.
func (f *Frontier) Drop(ctx context.Context, id string) error {
	n, ok := numberOf(id)
	if !ok {
		return nil
	}
	return f.do(ctx, "drop a job", false, func(ctx context.Context, c conn) error {
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
func (f *Frontier) siteIDs(ctx context.Context, c conn, names map[string]bool) (map[string]int64, error) {
	ids := make(map[string]int64, len(names))
	var missing []hash
	var missingNames [][]byte
	f.mu.Lock()
	for name := range names {
		if id, ok := f.sites[name]; ok {
			ids[name] = id
		} else {
			missing, missingNames = append(missing, hashOf(name)), append(missingNames, []byte(name))
		}
	}
	f.mu.Unlock()
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
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.sites)+len(missing) > maxSiteNames {
		clear(f.sites)
	}
	for _, name := range missingNames {
		f.sites[string(name)] = ids[string(name)]
	}
	return ids, nil
}

// Block lets nobody ask a site before a time (Retry-After). An earlier time than
// the current one changes nothing. It does not end a turn.
func (f *Frontier) Block(ctx context.Context, site string, until time.Time) error {
	return f.setSite(ctx, "block a site", site, blockSite, microsOf(until))
}

// Narrow lets a site have no more than so many turns at a time until then, whatever
// AtOnce says, at least one: the site is slow or has asked for fewer requests. A larger
// number than the current one changes nothing as long as that holds.
func (f *Frontier) Narrow(ctx context.Context, site string, turns int, until time.Time) error {
	return f.setSite(ctx, "narrow a site", site, narrowSite, max(turns, 1), microsOf(until), f.db.clock())
}

// Delay sets the time between two requests to a site (Crawl-delay), where it is
// longer than [Options.Pace]; 0 removes it.
func (f *Frontier) Delay(ctx context.Context, site string, d time.Duration) error {
	return f.setSite(ctx, "set the delay of a site", site, delaySite, d.Microseconds())
}

func (f *Frontier) setSite(ctx context.Context, what, site string, q sql, values ...any) error {
	if site == "" || len(site) > MaxURL {
		return invalid(what, "it has no name, or one that is too long")
	}
	return f.do(ctx, what, false, func(ctx context.Context, c conn) error {
		return run(ctx, c, nil, q, append([]any{hashOf(site), []byte(site)}, values...)...)
	})
}
