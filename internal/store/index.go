package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/principal"
)

// This file is the full-text index of versions (SQLite FTS5). The index has no
// text of its own (content=''): what a hit says is read from its row. The words are
// those of Options.Words, so that the tokenizer only splits at spaces. A version's
// row and its entries are written, and deleted, in one transaction.
//
// The column mark has words that no text has: who the version belongs to, and its
// hosts. A query names them, so that the index finds only the versions of a caller,
// and does not rank those of others only to drop them.

const indexSchema = `CREATE VIRTUAL TABLE words USING fts5(title, heading, address, body, mark, content='', contentless_delete=1, tokenize='ascii');
	CREATE TABLE job (job TEXT NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (job, item)) WITHOUT ROWID;
	CREATE INDEX job_item ON job (item);
	CREATE TRIGGER item_forget AFTER DELETE ON item BEGIN
		DELETE FROM words WHERE rowid = old.id;
		DELETE FROM job WHERE item = old.id;
	END;
	CREATE TABLE vector (item INTEGER PRIMARY KEY, model TEXT NOT NULL, data BLOB NOT NULL);
	CREATE TRIGGER item_vector AFTER DELETE ON item BEGIN
		DELETE FROM vector WHERE item = old.id;
	END;`

// makeIndex creates the tables of the index when they are missing.
func makeIndex(db *database) error {
	const known = `SELECT 1 FROM sqlite_schema WHERE name = 'words'`
	var one int
	if err := db.QueryRow(known).Scan(&one); !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have made them in the meantime.
	if err := tx.QueryRow(known).Scan(&one); !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if _, err := tx.Exec(indexSchema); err != nil {
		return err
	}
	return tx.Commit()
}

// Words are the words of a version by where they stand, each a list of words of
// letters and digits, in lower case, with spaces between them.
type Words struct {
	Title, Headings, Address, Body string
	// Hosts are the host of the page and the domains above it, for [Search].Site.
	Hosts []string
}

// bytes estimates the size of the entries; the index compresses repeated words.
func (w Words) bytes() int64 {
	return int64(len(w.Title)+len(w.Headings)+len(w.Address)+len(w.Body)) / 2
}

// index writes the entries of a row, unless it has them, and notes its job.
func index(ctx context.Context, tx *sql.Tx, id int64, owner string, w Words, job string) error {
	if job != "" {
		if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO job VALUES (?, ?)`, job, id); err != nil {
			return err
		}
	}
	var one int
	if err := tx.QueryRowContext(ctx, `SELECT 1 FROM words_docsize WHERE id = ?`, id).Scan(&one); !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	marks := []string{owner}
	for _, host := range w.Hosts {
		marks = append(marks, mark("host", host))
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO words (rowid, title, heading, address, body, mark) VALUES (?, ?, ?, ?, ?, ?)`,
		id, w.Title, w.Headings, w.Address, w.Body, strings.Join(marks, " "))
	return err
}

// mark is a word of the column mark.
func mark(kind, value string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + value))
	return "x" + hex.EncodeToString(sum[:10])
}

// ownerMark is the mark of the versions of a principal that can be found, or of
// those that are only in the index to be forgotten.
func (s *Store) ownerMark(name string, private bool) string {
	if private {
		return mark("private", name+"\x00"+s.options.Scope)
	}
	return mark("owner", name+"\x00"+s.options.Scope)
}

// Search is a question to the index.
type Search struct {
	// Terms are alternatives: words as Options.Words writes them, or several that follow
	// each other, with spaces between them. Common are words that
	// count where one of Terms is there too; they are too frequent to be looked for.
	Terms, Common []string
	// Site keeps versions of one host and its subdomains; Job those that a crawl has
	// read; Since those that were last read at that time or later. Zero values keep
	// all.
	Site, Job string
	Since     time.Time
	// Limit bounds the hits. Required.
	Limit int
}

// among are the conditions of a query for the rows with these ids, and their arguments.
func (q Search) among(id string) (conditions string, args []any) {
	if q.Job != "" {
		conditions, args = ` AND `+id+` IN (SELECT item FROM job WHERE job = ?)`, append(args, q.Job)
	}
	if !q.Since.IsZero() {
		conditions, args = conditions+` AND `+id+` IN (SELECT id FROM item WHERE expires >= ?)`, append(args, q.Since.Add(keepVersions).UnixMicro())
	}
	return conditions, args
}

// Hit is a version that a search found.
type Hit struct {
	Version // without content, title and hops; Open has them
	// Score is the rank by BM25, higher is better. Scores of two searches cannot be
	// compared.
	Score float64

	id int64
}

// score is that of the body, and half as much for words of the title, a heading or
// the address. The high weights make that a matter of yes or no: how long the rest of
// the page is does not count.
const score = `bm25(words, 0, 0, 0, 1, 0) + 0.5 * bm25(words, 100, 100, 100, 0, 0)`

// Search finds versions that the principal of ctx has read, best first. Versions
// that were stored without Options.Words are not found. The error is that of the
// context or an [*Error].
func (s *Store) Search(ctx context.Context, q Search) ([]Hit, error) {
	if len(q.Terms) == 0 || s.options.Words == nil {
		return nil, nil
	}
	s.Flush()
	var out []Hit
	err := s.see(ctx, func(db *database) error {
		query := `SELECT rowid, ` + score + ` AS score FROM words WHERE words MATCH ?`
		more, args := q.among("rowid")
		query, args = query+more, append([]any{s.match(ctx, q)}, args...)
		query = `SELECT hash, made, expires, url, id, score, owner FROM (` + query + ` ORDER BY score LIMIT ?) JOIN item ON id = rowid WHERE expires > ? ORDER BY score`
		rows, err := db.QueryContext(ctx, query, append(args, q.Limit, s.now().UnixMicro())...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var h Hit
			if err := h.scan(rows.Scan, &h.URL, &h.id, &h.Score, &h.Credentials); err != nil {
				return err
			}
			h.Score = -h.Score
			out = append(out, h)
		}
		return rows.Err()
	})
	return out, err
}

// match writes the query of FTS5. Every word is quoted.
func (s *Store) match(ctx context.Context, q Search) string {
	var b strings.Builder
	b.WriteString(`mark : "` + s.ownerMark(principal.Of(ctx).Name, false) + `"`)
	if q.Site != "" {
		b.WriteString(` AND mark : "` + mark("host", q.Site) + `"`)
	}
	terms := anyOf(q.Terms)
	b.WriteString(" AND {title heading address body} : (" + terms)
	if len(q.Common) > 0 {
		b.WriteString(" OR (" + terms + " AND " + anyOf(q.Common) + ")")
	}
	b.WriteString(")")
	return b.String()
}

// anyOf is the alternative of words as FTS5 reads it.
func anyOf(terms []string) string {
	all := make([]string, len(terms))
	for i, t := range terms {
		all[i] = quoted(t)
	}
	return "(" + strings.Join(all, " OR ") + ")"
}

// quoted is a term as FTS5 reads it.
func quoted(term string) string { return `"` + strings.ReplaceAll(term, `"`, "") + `"` }

// Counts returns how many versions of the principal of ctx there are, and how many
// versions of all principals have each of the words.
func (s *Store) Counts(ctx context.Context, words []string) (all int, having []int, err error) {
	having = make([]int, len(words))
	if s.options.Words == nil {
		return 0, having, nil
	}
	s.Flush()
	owner := `mark : ` + quoted(s.ownerMark(principal.Of(ctx).Name, false))
	err = s.see(ctx, func(db *database) error {
		const count = `SELECT count(*) FROM words WHERE words MATCH ?`
		if err := db.QueryRowContext(ctx, count, owner).Scan(&all); err != nil {
			return err
		}
		for i, w := range words {
			if err := db.QueryRowContext(ctx, count, quoted(w)).Scan(&having[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return all, having, err
}

// Open returns the version of a hit with its content; ok is false when it has been
// evicted since.
func (s *Store) Open(ctx context.Context, h Hit) (v Version, ok bool) {
	v.Credentials = h.Credentials
	if v.Credentials != "" && principal.Of(ctx).Guest {
		return v, false // it was read with a login
	}
	var length int
	var sum int64
	var meta, body []byte
	err := s.do(ctx, reading, func(db *database) error {
		row := db.QueryRowContext(ctx, `SELECT hash, made, expires, url, length, checksum, meta, body FROM item
			WHERE id = ? AND principal = ? AND scope = ? AND hash = ?`, h.id, principal.Of(ctx).Name, s.options.Scope, h.Hash)
		return v.scan(row.Scan, &v.URL, &length, &sum, &meta, &body)
	})
	if err != nil || checksum(s.versionKey(principal.Of(ctx).Name, v), meta, body) != sum || !s.complete(&v, meta, body, length) {
		return Version{}, false
	}
	return v, true
}

// ForgetVersions removes the versions of a site (a host with its subdomains) that the
// principal of ctx has read, or all of them for "", with every trace in the index, and
// returns how many there were. Versions that were stored without Options.Words stay.
func (s *Store) ForgetVersions(ctx context.Context, site string) (n int64, err error) {
	if s.options.Words == nil {
		return 0, nil
	}
	s.Flush()
	s.writing.Lock()
	defer s.writing.Unlock()
	caller := principal.Of(ctx)
	q := `mark : ("` + s.ownerMark(caller.Name, false) + `" OR "` + s.ownerMark(caller.Name, true) + `")`
	if site != "" {
		q += ` AND mark : "` + mark("host", site) + `"`
	}
	err = s.see(ctx, func(db *database) error {
		conn, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		// Deleted text is overwritten, and the index is written again without it.
		if _, err := conn.ExecContext(ctx, `PRAGMA secure_delete = on`); err != nil {
			return err
		}
		defer conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA secure_delete = off`)
		r, err := conn.ExecContext(ctx, `DELETE FROM item WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?)`, q)
		if err != nil {
			return err
		}
		if n, err = r.RowsAffected(); err != nil || n == 0 {
			return err
		}
		s.recent.forget(caller)
		_, err = conn.ExecContext(ctx, `INSERT INTO words (words) VALUES ('optimize')`)
		if err == nil {
			_, err = conn.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
		}
		return err
	})
	return n, err
}
