package frontier

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// This file is the seam between the frontier and its two databases: statements, batches of
// them, and what a database has to do.

// database is SQLite or PostgreSQL.
type database interface {
	// with calls f with a connection that nobody else uses. A transaction that f leaves open
	// is rolled back.
	with(ctx context.Context, f func(c conn) error) error
	// clock is the time that is sent as the first argument of spyhop.now; nil: the database
	// has its own.
	clock() *int64
	// alone reports whether nobody else writes during a transaction.
	alone() bool
	// gone reports whether the process that took a turn has ended for sure.
	gone(process string) bool
	// codeOf is the code of an error, plain the error without what may be secret in it.
	codeOf(err error) Code
	plain(err error) error
	// again reports whether a transaction failed because of another one, away whether the
	// database went away and may come back, unsent whether nothing of the call was sent.
	again(err error) bool
	away(err error) bool
	unsent(err error) bool
	close() error
}

// conn is one connection. It is not safe for concurrent use.
type conn interface {
	// send runs the statements of a batch in order, and sends them together. The first error
	// ends it.
	send(ctx context.Context, b *batch) error
	// script runs several statements without values.
	script(ctx context.Context, q sql) error
	// idle reports whether no transaction is open.
	idle() bool
}

// row is valid during the call that gets it. Scan takes *int64, *string and *[]byte.
type row interface{ Scan(dest ...any) error }

// batch is statements that are sent together.
type batch struct{ items []item }

type item struct {
	sql
	args []any
	each func(row) error   // nil: rows are not read
	done func(int64) error // gets how many rows were changed; may be nil
}

func (b *batch) exec(q sql, args ...any) { b.items = append(b.items, item{sql: q, args: args}) }

// rows calls each for each row of the statement.
func (b *batch) rows(q sql, each func(row) error, args ...any) {
	b.items = append(b.items, item{sql: q, args: args, each: each})
}

// all wants the statement to change n rows: else another transaction was quicker.
func (b *batch) all(n int, q sql, args ...any) {
	b.items = append(b.items, item{sql: q, args: args, done: func(changed int64) error {
		if changed != int64(n) {
			return errAgain
		}
		return nil
	}})
}

// sql is one statement in two dialects; "": the database does not need it. PostgreSQL gets
// the values of many rows as arrays; SQLite runs the statement once for each element.
type sql struct{ pg, lite string }

// both is a statement in PostgreSQL's words, which SQLite gets as lite makes it. Arrays are
// read with "unnest(…) x(…)" or "= ANY(…)".
func both(pg string) sql { return sql{pg, pg} }

type liteRules struct {
	unnested, locks, anyOf, casts, byArray *regexp.Regexp
	words                                  *strings.Replacer
}

var rules = sync.OnceValue(func() liteRules {
	return liteRules{
		unnested: regexp.MustCompile(`unnest\(([^()]*)\) x\(([^()]*)\)`),
		locks:    regexp.MustCompile(`\s+FOR (NO KEY |KEY )?(UPDATE|SHARE)( OF \w(, \w)?)?( SKIP LOCKED)?`),
		anyOf:    regexp.MustCompile(`= ANY\((\$\d+)\)`),
		casts:    regexp.MustCompile(`::\w+(\[\])?`),
		byArray:  regexp.MustCompile(`(?s)SELECT (.*)\s+FROM unnest ORDER BY \S+`),
		words: strings.NewReplacer("$", "?", "spyhop.now(", "(", "spyhop.", "", "greatest(", "max(", "least(", "min(", "LATERAL ", "",
			"FROM unnest CROSS JOIN LATERAL ", "FROM ", ", unnest WHERE ", " WHERE "),
	}
})

// lite makes a statement of SQLite, in which the columns of x are values of one element:
// "SELECT $1, x.h FROM unnest($2::bigint[]) x(h) ORDER BY x.h" becomes "VALUES (?1, ?2)".
func lite(q string) string {
	r := rules()
	q = r.casts.ReplaceAllString(q, "")
	if m := r.unnested.FindStringSubmatch(q); m != nil {
		q = strings.Replace(q, m[0], "unnest", 1)
		params := strings.Split(m[1], ", ")
		for i, column := range strings.Split(m[2], ", ") {
			q = regexp.MustCompile(`\bx\.`+column+`\b`).ReplaceAllLiteralString(q, params[i])
		}
		q = r.byArray.ReplaceAllString(q, "VALUES ($1)")
	}
	return r.words.Replace(r.anyOf.ReplaceAllString(r.locks.ReplaceAllString(q, ""), "= $1"))
}

// update changes the rows t of a table that a condition on x selects, one for each element of
// the arrays $1, $2, …, which are the columns of x; other values come behind these. In
// PostgreSQL the row is looked up for each element: a planner that knows nothing of the table
// would rather read all of it.
func update(table, columns, set, where string) sql {
	var params []string
	for i := range strings.Split(columns, ", ") {
		params = append(params, fmt.Sprintf("$%d::bigint[]", i+1))
	}
	x := "unnest(" + strings.Join(params, ", ") + ") x(" + columns + ")"
	return sql{
		pg: "UPDATE spyhop." + table + " t SET " + set + " FROM (SELECT l.tid, x.* FROM " + x + " CROSS JOIN LATERAL (SELECT t.ctid AS tid FROM spyhop." + table + " t WHERE " + where +
			" LIMIT 1) l) x WHERE t.ctid = x.tid",
		lite: "UPDATE spyhop." + table + " AS t SET " + set + ", " + x + " WHERE " + where,
	}
}

var (
	begin    = sql{`BEGIN`, `BEGIN IMMEDIATE`}
	look     = sql{`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`, `BEGIN`}
	commit   = sql{`COMMIT`, `COMMIT`}
	rollback = sql{`ROLLBACK`, `ROLLBACK`}
)

// run sends one statement, and calls each for each row.
func run(ctx context.Context, c conn, each func(row) error, q sql, args ...any) error {
	var b batch
	b.rows(q, each, args...)
	return c.send(ctx, &b)
}

// tx runs an f that begins a transaction with its first batch and commits it with its
// last one, so that a transaction costs few round trips.
func tx(ctx context.Context, c conn, f func() error) error {
	err := f()
	if c.idle() {
		return err
	}
	var b batch
	b.exec(rollback)
	if e := c.send(context.WithoutCancel(ctx), &b); err == nil {
		err = e
	}
	return err
}

// inTx runs f in a transaction.
func inTx(ctx context.Context, c conn, f func() error) error {
	return tx(ctx, c, func() error {
		if err := run(ctx, c, nil, begin); err != nil {
			return err
		}
		if err := f(); err != nil {
			return err
		}
		return run(ctx, c, nil, commit)
	})
}
