package store

import (
	"context"
	"database/sql"
	"strconv"
	"time"
)

// This file writes rows and evicts rows beyond the budget.

const (
	// rowBytes is the size of a row without metadata and body: its other columns,
	// its entries in the indexes, and on average half of its last page.
	rowBytes = 2600
	// A write evicts at most this many rows in one transaction, so that others
	// never wait long.
	expiredStep = 16
	evictStep   = 64
	// freePages unused pages stay in the file for the next writes. When there are
	// more, a write returns vacuumStep of them to the file system.
	freePages  = 1024
	vacuumStep = 256
)

// item is a row to be written.
type item struct {
	key []byte
	// These are strings, or nil for what is not a version.
	principal, scope, owner, url, hash any
	meta, body                         []byte // nobody changes them
	text                               string // of a version, which has no body
	keep                               time.Duration
	at                                 time.Time // set by put
	version                            *Version  // to be indexed; nil for others
}

// put writes a row in the background.
func (s *Store) put(ctx context.Context, it item) {
	if len(it.body)+len(it.text) > MaxBody {
		return
	}
	it.at = s.now()
	ctx = context.WithoutCancel(ctx)
	var row row
	s.later(string(it.key), int64(len(it.meta)+len(it.body)+len(it.text)), func() (ok bool) {
		row, ok = s.prepare(ctx, it)
		it.body, it.text = nil, "" // the row has them in a smaller form
		if it.version != nil {
			it.version.Content = ""
		}
		return ok
	}, func() { s.write(ctx, it, row) })
}

// A row is what is stored of an item.
type row struct {
	packed []byte
	length int // of the body or the text
	words  Words
	size   int64
}

// prepare does the processor work of an item, which the gate admits: that of a large page
// takes as long as parsing it.
func (s *Store) prepare(ctx context.Context, it item) (r row, ok bool) {
	r.length = len(it.body) + len(it.text)
	work := func() {
		if it.body != nil {
			r.packed = pack(it.body)
		} else {
			r.packed = pack(it.text)
		}
		if it.version != nil {
			r.words = s.options.Words(*it.version)
			if it.version.Private && it.version.Credentials != "" {
				r.words = Words{Hosts: r.words.Hosts}
			}
		}
	}
	if s.options.Admit == nil {
		work()
	} else if err := s.options.Admit(ctx, r.length, work); err != nil {
		s.dropped.Add(1)
		return row{}, false
	}
	r.size = int64(len(r.packed)+len(it.meta)) + rowBytes + r.words.bytes()
	return r, r.size <= s.options.MaxBytes
}

// write writes a row, and evicts others to make room.
func (s *Store) write(ctx context.Context, it item, r row) {
	s.alone(func() { s.insert(ctx, it, r) })
}

// insert writes the row of an item.
func (s *Store) insert(ctx context.Context, it item, r row) {
	now := it.at.UnixMicro()
	expires := it.at.Add(it.keep).UnixMicro()
	_ = s.do(ctx, writing, func(db *database) error {
		more := false
		err := inTx(ctx, db, func(tx *sql.Tx) error {
			var id int64
			err := tx.QueryRowContext(ctx, `INSERT INTO item (key, principal, scope, owner, url, hash, made, used, expires, size, length, checksum, meta, body)
				VALUES (?, ?, ?, ?, ?, ?, ?7, ?7, ?, ?, ?, ?, ?, ?)
				ON CONFLICT (key) DO UPDATE SET used = excluded.used, expires = excluded.expires,
					size = excluded.size, length = excluded.length, checksum = excluded.checksum, meta = excluded.meta, body = excluded.body
				RETURNING id`,
				it.key, it.principal, it.scope, it.owner, it.url, it.hash, now, expires, r.size, r.length, checksum(it.key, it.meta, r.packed), notNull(it.meta), notNull(r.packed)).Scan(&id)
			if err == nil && it.version != nil {
				owner, _ := it.principal.(string)
				err = index(ctx, tx, id, s.ownerMark(owner, r.words.Body == ""), r.words, it.version.Job)
			}
			if err != nil {
				return err
			}
			more, err = s.evict(ctx, tx, now)
			return err
		})
		for err == nil && more {
			err = inTx(ctx, db, func(tx *sql.Tx) error {
				more, err = s.evict(ctx, tx, now)
				return err
			})
		}
		if err != nil {
			return err
		}
		return shrink(ctx, db)
	})
}

// notNull is b for a column that cannot be NULL.
func notNull(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// evict removes expired rows, and the least recently used rows while the rest is
// over the budget, at most one step of each. more reports whether a further step
// is needed.
func (s *Store) evict(ctx context.Context, tx *sql.Tx, now int64) (more bool, err error) {
	if _, err := tx.ExecContext(ctx, `DELETE FROM item WHERE id IN (SELECT id FROM item WHERE expires <= ? ORDER BY expires LIMIT ?)`,
		now, expiredStep); err != nil {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM item WHERE id IN (SELECT id FROM item WHERE hash IS NOT NULL AND expires <= ? ORDER BY expires LIMIT ?)`,
		s.versionsEnd(now), expiredStep); err != nil {
		return false, err
	}
	var bytes int64
	if err := tx.QueryRowContext(ctx, `SELECT bytes FROM total`).Scan(&bytes); err != nil {
		return false, err
	}
	over := bytes - s.options.MaxBytes
	if over <= 0 {
		return false, nil
	}
	ids, freed, err := oldest(ctx, tx, over)
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, `DELETE FROM item WHERE id = ?`, id); err != nil {
			return false, err
		}
	}
	return freed < over && len(ids) > 0, nil
}

// oldest returns the least recently used rows whose removal frees want bytes, at
// most evictStep of them.
func oldest(ctx context.Context, tx *sql.Tx, want int64) (ids []int64, freed int64, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, size FROM item ORDER BY used, id LIMIT ?`, evictStep)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for freed < want && rows.Next() {
		var id, size int64
		if err := rows.Scan(&id, &size); err != nil {
			return nil, 0, err
		}
		ids, freed = append(ids, id), freed+size
	}
	return ids, freed, rows.Err()
}

// shrink returns unused pages to the file system.
func shrink(ctx context.Context, db *database) error {
	var free int
	if err := db.QueryRowContext(ctx, `PRAGMA freelist_count`).Scan(&free); err != nil || free <= freePages {
		return err
	}
	_, err := db.ExecContext(ctx, `PRAGMA incremental_vacuum(`+strconv.Itoa(min(vacuumStep, free-freePages))+`)`)
	return err
}
