package frontier

import (
	"context"
	"strings"
)

// schemaVersion is the version of the tables.
const schemaVersion = 3

// schema is the tables in PostgreSQL's words. Times are in µs since 1970. What comes from
// outside is bytea: PostgreSQL's text holds neither NUL bytes nor invalid UTF-8.
//
// A row of turn is a turn that was not ended: until says when it is lost, n how many URLs it
// began with, tasks how many it still holds, due when the site may be asked next according to
// it. width bounds the turns of a site until narrow; 0: no bound. ready in host is not later
// than the time at which a URL of the site may be leased.
//
// A URL is known when its hash is in seen, queued when the row of seen's seq is in queue too,
// and over when it is not: what ends a URL deletes its row in queue, which one transaction
// only can do. seq is never used again. prio is the negated priority, so that the first row is
// the best one. turn in queue is the token of the latest turn that has had the URL: it is free
// when that turn is over.
//
// duplicates in job is what earlier versions had a use for.
//
// Transactions lock in one order: turns, queue, template, sites, seen, host, job, reason.
// Lease skips the rows of sites, hosts, turns and queue that others have locked, and where it
// locks job, it begins with it. Drop locks job first and then everything else, so it runs
// alone: it waits for dropLock, which the others share from their beginning. A commit shares
// job's row instead. In SQLite, one transaction writes at a time.
const schema = `
CREATE TABLE spyhop.job (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	owner text NOT NULL, kind text NOT NULL, state text NOT NULL, reason text NOT NULL,
	pages bigint NOT NULL, per_site bigint NOT NULL, per_template bigint NOT NULL, duplicates bigint NOT NULL, at_once bigint NOT NULL,
	options bytea, progress bytea, due bigint NOT NULL,
	created bigint NOT NULL, updated bigint NOT NULL, revision bigint NOT NULL,
	known bigint NOT NULL DEFAULT 0, queued bigint NOT NULL DEFAULT 0, read bigint NOT NULL DEFAULT 0,
	failed bigint NOT NULL DEFAULT 0, skipped bigint NOT NULL DEFAULT 0, cursor bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE INDEX spyhop.job_due ON job (due) WHERE due > 0;
CREATE TABLE spyhop.site (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	h bigint NOT NULL UNIQUE, name bytea NOT NULL,
	due bigint NOT NULL DEFAULT 0, blocked bigint NOT NULL DEFAULT 0, delay bigint NOT NULL DEFAULT 0,
	width bigint NOT NULL DEFAULT 0, narrow bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE spyhop.turn (
	token bigint PRIMARY KEY, site bigint NOT NULL, job bigint NOT NULL, until bigint NOT NULL, tasks bigint NOT NULL, n bigint NOT NULL, due bigint NOT NULL,
	process text NOT NULL, worker text NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX spyhop.turn_site ON turn (site);
CREATE TABLE spyhop.seen (job bigint, h bigint, seq bigint NOT NULL, PRIMARY KEY (job, h)) WITH (fillfactor = 100);
CREATE TABLE spyhop.queue (
	seq bigint PRIMARY KEY, job bigint NOT NULL, site bigint NOT NULL, prio bigint NOT NULL, due bigint NOT NULL DEFAULT 0,
	url bytea NOT NULL, depth bigint NOT NULL, template bigint NOT NULL, note bytea, tries bigint NOT NULL DEFAULT 0, turn bigint NOT NULL DEFAULT 0
);
CREATE INDEX spyhop.queue_best ON queue (job, site, prio, seq);
CREATE TABLE spyhop.host (job bigint, site bigint, ready bigint NOT NULL, over bigint NOT NULL, PRIMARY KEY (job, site)) WITH (fillfactor = 50);
CREATE INDEX spyhop.host_ready ON host (job, ready);
CREATE TABLE spyhop.template (job bigint, t bigint, n bigint NOT NULL DEFAULT 0, PRIMARY KEY (job, t)) WITH (fillfactor = 50);
CREATE TABLE spyhop.reason (job bigint, name bytea, n bigint NOT NULL, PRIMARY KEY (job, name)) WITH (fillfactor = 50);
CREATE TABLE spyhop.record (
	job bigint, cursor bigint, h bigint NOT NULL, final bigint, url bytea NOT NULL, meta bytea NOT NULL, body bytea, size bigint NOT NULL, failed bigint NOT NULL,
	PRIMARY KEY (job, cursor)
);
CREATE INDEX spyhop.record_failed ON record (job, cursor) WHERE failed = 1;
CREATE UNIQUE INDEX spyhop.record_h ON record (job, h);
CREATE UNIQUE INDEX spyhop.record_final ON record (job, final) WHERE final IS NOT NULL;
`

// jobTables have rows of jobs.
var jobTables = [...]string{"turn", "seen", "queue", "host", "template", "reason", "record"}

// create makes the tables.
func create() sql {
	return sql{
		// The name of an index has no schema of its own.
		pg: `CREATE SCHEMA spyhop; CREATE SEQUENCE spyhop.seq;
			CREATE FUNCTION spyhop.now(bigint) RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT coalesce($1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)';` +
			strings.NewReplacer("INDEX spyhop.", "INDEX ", " ON ", " ON spyhop.").Replace(schema) + `ALTER TABLE spyhop.record ALTER COLUMN body SET STORAGE EXTERNAL;
			CREATE TABLE spyhop.version (n bigint NOT NULL); INSERT INTO spyhop.version VALUES (3);`,
		// A table whose rows are in the order of its key has no WITHOUT ROWID in PostgreSQL, which
		// has a fillfactor there.
		lite: strings.NewReplacer("spyhop.", "", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT", "bigint", "INTEGER", "bytea", "BLOB", "text", "TEXT",
			"\n) WITH (fillfactor = 50)", "\n)", ") WITH (fillfactor = 50)", ") WITHOUT ROWID", ") WITH (fillfactor = 100)", ") WITHOUT ROWID").Replace(schema) +
			`CREATE TABLE seq (n INTEGER NOT NULL); INSERT INTO seq VALUES (0); PRAGMA user_version = 3;`,
	}
}

var (
	// to_regclass would answer from the connection's cache, in which a table that another
	// process has made meanwhile is missing.
	versionExists = sql{`SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'spyhop'`, `SELECT 1 FROM sqlite_schema`}
	versionOf     = sql{`SELECT max(n) FROM spyhop.version`, `PRAGMA user_version`}
	// The lock is for two workers that begin at once; the number is our own.
	migrateLock = sql{pg: `SELECT pg_advisory_xact_lock(7749001)`}
)

// migrate creates the tables. Those of another version are refused.
func migrate(ctx context.Context, c conn, what string) error {
	done, err := migrated(ctx, c, what)
	if err != nil || done {
		return err
	}
	return inTx(ctx, c, func() error {
		if err := run(ctx, c, nil, migrateLock); err != nil {
			return err
		}
		done, err := migrated(ctx, c, what)
		if err != nil || done {
			return err
		}
		return c.script(ctx, create())
	})
}

// migrated reports whether the tables exist.
func migrated(ctx context.Context, c conn, what string) (bool, error) {
	exists, version := false, int64(0)
	if err := run(ctx, c, func(row) error { exists = true; return nil }, versionExists); err != nil || !exists {
		return false, err
	}
	err := run(ctx, c, func(r row) error { return r.Scan(&version) }, versionOf)
	switch {
	case err != nil:
		return false, err
	case version != schemaVersion:
		return false, &Error{Code: Newer, What: what}
	}
	return true, nil
}
