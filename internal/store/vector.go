package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"

	"github.com/spyhop-dev/spyhop/internal/principal"
)

// This file keeps the vectors of versions, of which the caller knows the meaning. They
// belong to the row of their version and go with it. The table is made with the first
// vector: a file without embeddings has none.

const vectorSchema = `CREATE TABLE IF NOT EXISTS vector (item INTEGER PRIMARY KEY, model TEXT NOT NULL, data BLOB NOT NULL);
	CREATE TRIGGER IF NOT EXISTS item_vector AFTER DELETE ON item BEGIN
		DELETE FROM vector WHERE item = old.id;
	END;`

// maxVectors bounds the versions whose vectors are compared, the ones used last first.
const maxVectors = 5000

// PutVectors stores the vectors of a hit by a model, for the principal of ctx.
func (s *Store) PutVectors(ctx context.Context, h Hit, model string, data []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.do(ctx, writing, func(db *database) error {
		return inTx(ctx, db, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, vectorSchema); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO vector SELECT id, ?, ? FROM item WHERE id = ? AND principal = ? AND scope = ?`,
				model, data, h.id, principal.Of(ctx).Name, s.options.Scope)
			return err
		})
	})
}

// Vectors calls each with the versions of the principal of ctx and their vectors by a
// model, nil where there are none. q.Terms and q.Limit do not count.
func (s *Store) Vectors(ctx context.Context, model string, q Search, each func(h Hit, data []byte)) error {
	if s.options.Words == nil {
		return nil
	}
	s.Flush()
	err := s.do(ctx, reading, func(db *database) error {
		vector, join := `NULL`, ``
		args := []any{}
		var one int
		switch err := db.QueryRowContext(ctx, `SELECT 1 FROM sqlite_schema WHERE name = 'vector'`).Scan(&one); {
		case err == nil:
			vector, join, args = `vector.data`, ` LEFT JOIN vector ON vector.item = id AND vector.model = ?`, append(args, model)
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		mine := `mark : ` + quoted(s.ownerMark(principal.Of(ctx).Name, false))
		if q.Site != "" {
			mine += ` AND mark : ` + quoted(mark("host", q.Site))
		}
		query := `SELECT hash, made, expires, url, id, owner, ` + vector + ` FROM item` + join + ` WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?) AND expires > ?`
		args = append(args, mine, s.now().UnixMicro())
		if q.Job != "" {
			query += ` AND id IN (SELECT item FROM job WHERE job = ?)`
			args = append(args, q.Job)
		}
		if !q.Since.IsZero() {
			query += ` AND expires >= ?`
			args = append(args, q.Since.Add(keepVersions).UnixMicro())
		}
		rows, err := db.QueryContext(ctx, query+` ORDER BY used DESC LIMIT ?`, append(args, maxVectors)...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var h Hit
			var data []byte
			if err := h.scan(rows.Scan, &h.URL, &h.id, &h.Credentials, &data); err != nil {
				return err
			}
			each(h, data)
		}
		return rows.Err()
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err
}
