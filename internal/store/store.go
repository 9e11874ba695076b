// Package store provides what Spyhop keeps between calls and shares between
// processes: one embedded SQLite file with cached answers and versions of
// pages, and the sealing of what has to be secret on disk.
//
//	s := store.New(store.Options{Dir: dir})
//	defer s.Close()
//	s.Save(ctx, key, meta, body, time.Hour)
//	meta, body, ok := s.Load(ctx, key)
//
// A Store is a help and never a condition: whatever is wrong with the disk, a
// caller goes on as if nothing had been kept, and [Options.OnError] hears of it
// once. The file is opened at the first call that needs it, and made at the
// first that writes. Without [Options.Dir] the database is in memory: everything
// else holds for it too.
//
// What writes returns at once and goes on in the background, at most four at a
// time; who asks for the same key waits for them, and so do [Store.Flush]
// and [Store.Close].
//
// Cached answers and versions share one budget in bytes. Each write takes away
// a few rows that are no longer of use, and then the least recently used ones
// until what is left fits. Bodies are compressed where that helps.
//
// # Guarantees
//
// A Store is safe for concurrent use, also by several processes on one file. A
// process that is killed at any point leaves a file that others go on with,
// and what was there at the last Flush is in it. A file that is damaged is
// moved to spyhop.db.damaged, and a new one begun. The folder is made with
// mode 0700, the file with 0600. Reading does not wait for other processes;
// writing gives up after five seconds.
//
// # Limits
//
// A loss of power can damage the file, and what is damaged is lost: rows have
// checksums, and a page with one wrong byte is not given out. Bodies of more
// than [MaxBody] bytes are not kept. The budget counts rows with an estimate of
// their pages; beside it stands the write-ahead log, mostly below 8 MB. File
// systems without shared memory between processes (most network ones) cannot be
// used. "Recently used" is exact to a minute. Cached answers are not encrypted:
// the mode of the file is what protects them.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	// FileName is the name of the file in [Options.Dir].
	FileName = "spyhop.db"
	// DefaultMaxBytes is the budget where Options name none.
	DefaultMaxBytes = 256 << 20
	// DefaultMemoryBytes is that of a database in memory.
	DefaultMemoryBytes = 32 << 20
	// MaxBody is the longest body that is kept, in bytes before compression.
	MaxBody = 64 << 20

	retryAfter = time.Minute // until a file that cannot be opened is tried again
)

// Options configure a [Store].
type Options struct {
	// Dir is the folder of the file. It is made when it is missing, its parents
	// too. Empty means that the database is in memory and ends with Close.
	Dir string
	// MaxBytes is the budget for all rows together; 0 means DefaultMaxBytes, or
	// DefaultMemoryBytes in memory.
	MaxBytes int64
	// OnError hears of trouble, each kind once in the life of a Store, as an
	// [*Error]. It may be called by a goroutine of the Store, which it must not
	// call. May be nil.
	OnError func(error)

	maxPages int // of the file; 0 for no bound: a small disk, for tests
}

// Store keeps values. Make one with [New].
type Store struct {
	options Options
	path    string
	now     func() time.Time
	pack    packer

	mu       sync.Mutex
	db       *sql.DB     // nil while closed
	opened   os.FileInfo // of the file behind db
	failed   error       // why it could not be opened …
	notUntil time.Time   // … which is not tried again before
	told     map[Code]bool
	writes   map[string]chan struct{} // those that go on, by key

	room    chan struct{} // for further writes
	writing sync.Mutex    // one at a time: waiting here costs less than waiting for SQLite's lock
}

// New returns a Store. It touches no file.
func New(o Options) *Store {
	path := filepath.Join(o.Dir, FileName)
	if o.Dir == "" {
		path = ""
	}
	switch {
	case o.MaxBytes > 0:
	case o.Dir == "":
		o.MaxBytes = DefaultMemoryBytes
	default:
		o.MaxBytes = DefaultMaxBytes
	}
	return &Store{options: o, path: path, now: time.Now, told: map[Code]bool{},
		writes: map[string]chan struct{}{}, room: make(chan struct{}, maxWrites)}
}

func (s *Store) inMemory() bool { return s.options.Dir == "" }

// Close waits for the writes that go on and lets go of the file. A later call
// opens it again.
func (s *Store) Close() error {
	s.Flush()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.close()
}

func (s *Store) close() error {
	if s.db == nil {
		return nil
	}
	db := s.db
	s.db = nil
	return db.Close()
}

// Stats are the size of what is kept.
type Stats struct {
	File  string // empty in memory
	Items int
	Bytes int64 // as the budget counts them
	Limit int64 // the budget
}

// Stats counts what is kept. A file that is not there holds nothing.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	s.Flush()
	out := Stats{File: s.path, Limit: s.options.MaxBytes}
	err := s.do(ctx, reading, func(db *sql.DB) error {
		return db.QueryRowContext(ctx, `SELECT items, bytes FROM total`).Scan(&out.Items, &out.Bytes)
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return out, err
}

// intent says whether a call may make the file.
type intent bool

const (
	reading intent = false
	writing intent = true
)

// do runs f on the open database. A damaged file is moved aside, so that the
// next call finds a good one. Its error has been reported.
func (s *Store) do(ctx context.Context, why intent, f func(*sql.DB) error) error {
	db, info, err := s.open(why)
	if err == nil {
		err = f(db)
	}
	if err == nil || errors.Is(err, sql.ErrNoRows) || errors.Is(err, fs.ErrNotExist) && why == reading {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err() // the caller went away, which says nothing about the file
	}
	e := asError(s.path, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.inMemory(): // there is no file that could be gone or damaged
	case db != nil && !isAt(s.path, info):
		// Somebody has removed it, or moved a damaged one aside and said so.
		s.letGo(info)
		return e
	case db != nil && e.Code == Damaged:
		s.letGo(info)
		s.moveAside(info)
	}
	s.report(e)
	return e
}

// report tells of trouble once. The caller holds mu.
func (s *Store) report(e *Error) {
	if !s.told[e.Code] && s.options.OnError != nil {
		s.options.OnError(e)
	}
	s.told[e.Code] = true
}

// Code is the kind of an [Error].
type Code string

// The kinds of trouble.
const (
	Unavailable Code = "unavailable" // the file cannot be opened or made
	Damaged     Code = "damaged"     // it was moved aside
	Newer       Code = "newer"       // a later version of Spyhop made it
	Full        Code = "full"        // the disk, or the file by its own bound
	Busy        Code = "busy"        // another process holds it for too long
	Failed      Code = "failed"      // anything else
)

// Error is what went wrong with the file. Its text names the file and what to
// do.
type Error struct {
	Code  Code
	File  string
	Cause error
}

func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("the cache in memory has failed: %v", e.Cause)
	}
	switch e.Code {
	case Unavailable:
		return fmt.Sprintf("nothing is kept: %s cannot be opened: %v; set WEB_DATA_DIR to a folder of yours", e.File, e.Cause)
	case Damaged:
		return fmt.Sprintf("%s was damaged and is now %s; a new one is begun", e.File, filepath.Base(aside(e.File)))
	case Newer:
		return fmt.Sprintf("nothing is kept: %s was made by a later version of spyhop; use that one, or another WEB_DATA_DIR", e.File)
	case Full:
		return fmt.Sprintf("nothing more is kept: no room for %s; free some, or lower WEB_CACHE_BYTES", e.File)
	case Busy:
		return fmt.Sprintf("some answers are not kept: %s is held by another process", e.File)
	}
	return fmt.Sprintf("nothing is kept: %s: %v", e.File, e.Cause)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }
