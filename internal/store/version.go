package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"time"
)

// keepVersions is how long a version is kept after it was last seen, as far as the
// budget allows.
const keepVersions = 90 * 24 * time.Hour

// Version is a page as it was at one time.
type Version struct {
	// Owner identifies the credentials that the page was read with, without
	// containing them; "" means that the page is public. A caller gets only the
	// versions of the owner that it asks for.
	Owner string
	// URL is the page's address; callers choose how it is normalized.
	URL string
	// Hash names the content, as in the metadata of answers.
	Hash string
	// FirstSeen and LastSeen are the times of the first and the last PutVersion.
	// The Store sets them.
	FirstSeen, LastSeen time.Time
	// Content is the page in a format of the caller's choice. Versions leaves it
	// nil.
	Content []byte
}

// PutVersion stores a version in the background. The same content of the same page
// is one version, however often it is stored.
func (s *Store) PutVersion(ctx context.Context, v Version) {
	s.put(ctx, item{key: v.key(), owner: v.Owner, url: v.URL, hash: v.Hash, body: v.Content, keep: keepVersions})
}

// key returns the key of the row. It is one byte longer than a [Key], so that the
// two cannot be equal.
func (v Version) key() []byte {
	h := sha256.New()
	for _, part := range []string{v.Owner, v.URL, v.Hash} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return h.Sum([]byte{'v'})
}

// Versions lists the versions of a page without their content, at most 100, the
// most recently seen first. An empty url lists the versions of all pages.
func (s *Store) Versions(ctx context.Context, owner, url string) []Version {
	s.Flush()
	var out []Version
	err := s.do(ctx, reading, func(db *sql.DB) error {
		const fields, order = `SELECT hash, made, expires, url FROM item WHERE owner = ? AND expires > ? AND `, ` ORDER BY expires DESC, id DESC LIMIT 100`
		query, args := fields+`hash IS NOT NULL`+order, []any{owner, s.now().UnixMicro()}
		if url != "" {
			query, args = fields+`url = ?`+order, append(args, url)
		}
		rows, err := db.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			v := Version{Owner: owner}
			if err := v.scan(rows.Scan, &v.URL); err != nil {
				return err
			}
			out = append(out, v)
		}
		return rows.Err()
	})
	if err != nil {
		return nil
	}
	return out
}

// Version returns a version with its content. When several pages had the same
// content, it returns the most recently seen version.
func (s *Store) Version(ctx context.Context, owner, hash string) (Version, bool) {
	s.Flush()
	v := Version{Owner: owner}
	var length int
	var sum int64
	err := s.do(ctx, reading, func(db *sql.DB) error {
		row := db.QueryRowContext(ctx, `SELECT hash, made, expires, url, length, checksum, body FROM item
			WHERE owner = ? AND hash = ? AND expires > ? ORDER BY expires DESC, id DESC LIMIT 1`, owner, hash, s.now().UnixMicro())
		return v.scan(row.Scan, &v.URL, &length, &sum, &v.Content)
	})
	if err != nil || checksum(v.key(), nil, v.Content) != sum {
		return Version{}, false
	}
	if v.Content, err = s.pack.unpack(v.Content, length); err != nil {
		return Version{}, false
	}
	return v, true
}

// scan reads the columns hash, made and expires, and more. LastSeen is computed
// from expires.
func (v *Version) scan(scan func(...any) error, more ...any) error {
	var made, expires int64
	if err := scan(append([]any{&v.Hash, &made, &expires}, more...)...); err != nil {
		return err
	}
	v.FirstSeen = time.UnixMicro(made).UTC()
	v.LastSeen = time.UnixMicro(expires).Add(-keepVersions).UTC()
	return nil
}
