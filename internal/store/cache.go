package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"time"
)

// Key names a cached answer: a hash of all that makes it one answer and no
// other.
type Key = [sha256.Size]byte

// usedEvery is how exact "recently used" is: a hit within it writes nothing.
const usedEvery = time.Minute

// Load returns what was saved under a key and has not expired. What it returns
// belongs to the caller.
func (s *Store) Load(ctx context.Context, key Key) (meta, body []byte, ok bool) {
	s.settled(ctx, string(key[:]))
	var id, used, sum int64
	var length int
	now := s.now()
	err := s.do(ctx, reading, func(db *sql.DB) error {
		return db.QueryRowContext(ctx, `SELECT id, used, length, checksum, meta, body FROM item WHERE key = ? AND expires > ?`,
			key[:], now.UnixMicro()).Scan(&id, &used, &length, &sum, &meta, &body)
	})
	if err != nil {
		return nil, nil, false
	}
	if checksum(key[:], meta, body) != sum {
		err = errUnpack
	} else {
		body, err = s.pack.unpack(body, length)
	}
	if err != nil {
		s.Remove(ctx, key)
		return nil, nil, false
	}
	if now.Sub(time.UnixMicro(used)) >= usedEvery {
		s.exec(ctx, key, `UPDATE item SET used = ? WHERE id = ?`, now.UnixMicro(), id)
	}
	return meta, body, true
}

// Save keeps a body and what is to be known of it for as long as keep, where
// the budget allows. It does not hold on to its arguments, and goes on when ctx
// is cancelled.
func (s *Store) Save(ctx context.Context, key Key, meta, body []byte, keep time.Duration) {
	s.put(ctx, item{key: key[:], meta: meta, body: body, keep: keep})
}

// Refresh gives an answer new meta and another time to live; its body stays.
// Where there is none, nothing happens.
func (s *Store) Refresh(ctx context.Context, key Key, meta []byte, keep time.Duration) {
	now := s.now()
	s.exec(ctx, key, `UPDATE item SET meta = ?1, size = size + length(?1) - length(meta), used = ?2, expires = ?3,
		checksum = (checksum & 0xffffffff) | ?4 WHERE key = ?5`,
		bytes.Clone(meta), now.UnixMicro(), now.Add(keep).UnixMicro(), checksum(key[:], meta, nil), key[:])
}

// Remove takes an answer away.
func (s *Store) Remove(ctx context.Context, key Key) {
	s.exec(ctx, key, `DELETE FROM item WHERE key = ?`, key[:])
}

// exec changes a row in the background. Where there is no file there is no row.
func (s *Store) exec(ctx context.Context, key Key, query string, args ...any) {
	ctx = context.WithoutCancel(ctx)
	s.later(string(key[:]), func() {
		s.writing.Lock()
		defer s.writing.Unlock()
		_ = s.do(ctx, reading, func(db *sql.DB) error {
			_, err := db.ExecContext(ctx, query, args...)
			return err
		})
	})
}
