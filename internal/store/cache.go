package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"time"
)

// Key identifies a cached answer: a hash of everything that the answer depends
// on.
type Key = [sha256.Size]byte

// usedEvery is the precision of "recently used": a hit within this time of the
// last one writes nothing.
const usedEvery = time.Minute

// loadQuery is the statement of Load.
const loadQuery = `SELECT id, used, length, checksum, meta, body FROM item WHERE key = ? AND expires > ?`

// Load returns the answer of a key; ok is false if none exists, or if it has
// expired, or when the file cannot be read. The caller owns the slices.
func (s *Store) Load(ctx context.Context, key Key) (meta, body []byte, ok bool) {
	s.settled(ctx, string(key[:]))
	var id, used, sum int64
	var length int
	now := s.now()
	err := s.do(ctx, reading, func(db *database) error {
		return db.load.QueryRowContext(ctx, key[:], now.UnixMicro()).Scan(&id, &used, &length, &sum, &meta, &body)
	})
	if err != nil {
		return nil, nil, false
	}
	if s.options.Room != nil {
		done, err := s.options.Room(ctx, length)
		if err != nil {
			return nil, nil, false
		}
		defer done()
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

// Save stores a body with its metadata for the duration keep, as far as the budget
// allows. It goes on when ctx is cancelled. Nobody may change meta and body afterwards.
func (s *Store) Save(ctx context.Context, key Key, meta, body []byte, keep time.Duration) {
	s.put(ctx, item{key: key[:], meta: meta, body: body, keep: keep})
}

// Refresh replaces the metadata and the expiry of an answer, and keeps its body.
// It does nothing if no such answer exists.
func (s *Store) Refresh(ctx context.Context, key Key, meta []byte, keep time.Duration) {
	now := s.now()
	s.exec(ctx, key, `UPDATE item SET meta = ?1, size = size + length(?1) - length(meta), used = ?2, expires = ?3,
		checksum = (checksum & 0xffffffff) | ?4 WHERE key = ?5`,
		bytes.Clone(meta), now.UnixMicro(), now.Add(keep).UnixMicro(), checksum(key[:], meta, nil), key[:])
}

// Remove removes an answer.
func (s *Store) Remove(ctx context.Context, key Key) {
	s.exec(ctx, key, `DELETE FROM item WHERE key = ?`, key[:])
}

// exec changes a row in the background. It does not create the file.
func (s *Store) exec(ctx context.Context, key Key, query string, args ...any) {
	ctx = context.WithoutCancel(ctx)
	s.later(string(key[:]), 0, nil, func() {
		s.alone(func() {
			_ = s.do(ctx, reading, func(db *database) error {
				_, err := db.ExecContext(ctx, query, args...)
				return err
			})
		})
	})
}
