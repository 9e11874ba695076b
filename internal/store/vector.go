package store

import (
	"context"
	"database/sql"

	"github.com/spyhop-dev/spyhop/internal/principal"
)

// This file keeps the vectors of versions, of which the caller knows the meaning. They
// belong to the row of their version and go with it.

// maxVectors bounds the versions whose vectors are compared, the ones used last first.
const maxVectors = 5000

// PutVectors stores the vectors of a hit by a model, for the principal of ctx.
func (s *Store) PutVectors(ctx context.Context, h Hit, model string, data []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.do(ctx, writing, func(db *database) error {
		return inTx(ctx, db, func(tx *sql.Tx) error {
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
	return s.see(ctx, func(db *database) error {
		mine := `mark : ` + quoted(s.ownerMark(principal.Of(ctx).Name, false))
		if q.Site != "" {
			mine += ` AND mark : ` + quoted(mark("host", q.Site))
		}
		const all = `SELECT hash, made, expires, url, id, owner, vector.data FROM item LEFT JOIN vector ON vector.item = id AND vector.model = ?
			WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?) AND expires > ?`
		more, args := q.among("id")
		args = append([]any{model, mine, s.now().UnixMicro()}, args...)
		rows, err := db.QueryContext(ctx, all+more+` ORDER BY used DESC LIMIT ?`, append(args, maxVectors)...)
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
}
