// Package store provides the data that Spyhop keeps between calls and shares
// between processes: one SQLite file with cached answers and versions of pages,
// and encrypted files for secrets.
//
//	s := store.New(store.Options{Dir: dir})
//	defer s.Close()
//	s.Save(ctx, key, meta, body, time.Hour)
//	meta, body, ok := s.Load(ctx, key)
//
// No call needs the store to work: when something is wrong with the disk, a
// caller gets the same answers as from an empty store, and [Options.OnError] gets
// the error once. The store opens the file at the first call that needs it, and
// creates it at the first write. Without [Options.Dir], the database is in
// memory; everything else is the same.
//
// Writes return at once and go on in the background, at most four at a time. A
// read of the same key waits for them, for at most a quarter of a second, and
// [Store.Flush] and [Store.Close], for at most two seconds. Writes beyond 1,024 or
// 64 MB that wait are dropped and counted ([Store.Health]).
//
// With [Options.Words], versions are in a full-text index (SQLite FTS5), which
// [Store.Search] asks; a version and its entries are stored in one transaction.
//
// Cached answers and versions share one budget in bytes. Each write evicts a few
// expired rows, and then the least recently used rows until the rest fits the
// budget. Bodies are compressed when that makes them shorter.
//
// # Guarantees
//
// A Store is safe for concurrent use, also by several processes on one file. A
// process that is killed at any point leaves a file that other processes can use;
// it contains everything that was saved before the last Flush. The store moves a
// damaged file to spyhop.db.damaged and starts a new one. It creates the folder
// with mode 0700, the file with 0600. Reads do not wait for other processes.
// When another process keeps the file locked for two seconds, the Store drops its
// writes for five seconds. It says that the file was removed at the next call.
//
// # Limits
//
// A power failure can damage the file, and damaged rows are lost: rows have
// checksums, and a row with a wrong byte is never returned. Bodies of more than
// [maxBody] bytes are not stored. The budget counts rows with an estimate of
// their pages in the file; the write-ahead log, mostly below 8 MB, is not part of
// it. File systems without shared memory between processes (most network file
// systems) do not work. "Recently used" is exact to a minute. Cached answers are
// not encrypted: only the mode of the file protects them.
package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spyhop-dev/spyhop/internal/lru"
	"github.com/spyhop-dev/spyhop/internal/principal"
)

const (
	// fileName is the name of the file in [Options.Dir].
	fileName = "spyhop.db"
	// defaultMaxBytes is the default budget of a file.
	defaultMaxBytes = 256 << 20
	// defaultMemoryBytes is the default budget of a database in memory.
	defaultMemoryBytes = 32 << 20
	// maxBody is the maximum length of a body, in bytes before compression.
	maxBody = 64 << 20

	retryAfter = time.Minute // until a file that cannot be opened is tried again
)

// Options configure a [Store].
type Options struct {
	// Dir is the folder of the file. The store creates it, with its parents, when
	// it is missing. "" means that the database is in memory and ends with Close.
	Dir string
	// MaxBytes is the budget for all rows together; 0 means defaultMaxBytes, or
	// defaultMemoryBytes in memory.
	MaxBytes int64
	// KeepVersions is how long a version of a page is kept after it was last seen; 0,
	// and more than 90 days, mean 90 days.
	KeepVersions time.Duration
	// Scope identifies the settings that decide what can be reached, for example
	// exceptions for private networks. Versions of another scope are not returned.
	Scope string
	// File is the name of the file in Dir; "" means fileName.
	File string
	// BudgetSetting is the setting that errors name for MaxBytes; "" means
	// WEB_CACHE_BYTES.
	BudgetSetting string
	// Words returns the words by which a version is found, and switches the index on:
	// [Store.Search] finds versions that were stored with it. It is called in the
	// background. Nil means no index.
	Words func(Version) Words
	// Admit waits until the processor work for a body of so many bytes may begin, and calls
	// work: compressing it and finding its words. With an error, for which work is not
	// called, the body is not stored. The context has the principal and does not end. Nil
	// admits at once.
	Admit func(ctx context.Context, bytes int, work func()) error
	// Room waits until a body of so many bytes may be in memory, before Load unpacks it;
	// done says that Load has. With an error, Load finds nothing. Nil: there always is room.
	Room func(ctx context.Context, bytes int) (done func(), err error)
	// Ready has all connections to the file opened at once. Else a read that finds none
	// opens one, which on a disk that hangs cannot be cancelled.
	Ready bool
	// OnError gets errors as [*Error], each code once in the life of a Store. It
	// can be called on a goroutine of the Store, and must not call the Store. Nil
	// ignores errors.
	OnError func(error)

	maxPages int    // of the file; 0 for no bound: a small disk, for tests
	opening  func() // is called before SQLite opens the file, for tests; nil: nothing is
}

// Store stores cached answers and versions of pages. It is safe for concurrent
// use. Make one with [New].
type Store struct {
	options Options
	path    string
	now     func() time.Time
	pack    packer
	recent  recent

	mu       sync.Mutex
	db       *database                // nil while closed
	opened   os.FileInfo              // of the file behind db
	failed   error                    // why it could not be opened …
	notUntil time.Time                // … which is not tried again before
	told     map[errorCode]uint64     // how often each code was reported
	writes   map[string]chan struct{} // running and waiting writes, by key
	waiting  int64                    // their bytes
	// pausedUntil is when the next write may be tried, after another process kept the
	// file locked.
	pausedUntil time.Time
	began       time.Time // of the write that runs now
	// flushTime and settleTime are the constants of that name; tests on a busy machine wait longer.
	flushTime, settleTime time.Duration

	dropped atomic.Int64

	room    chan struct{} // for further writes
	writing sync.Mutex    // one write at a time: waiting here costs less than waiting for SQLite's lock
}

// New returns a Store. It touches no file.
func New(o Options) *Store {
	path := filepath.Join(o.Dir, cmp.Or(o.File, fileName))
	if o.Dir == "" {
		path = ""
	}
	sum := sha256.Sum256([]byte(o.Scope)) // the settings could hold a password
	o.Scope = hex.EncodeToString(sum[:16])
	if o.KeepVersions <= 0 || o.KeepVersions > keepVersions {
		o.KeepVersions = keepVersions
	}
	usual := int64(defaultMaxBytes)
	if o.Dir == "" {
		usual = defaultMemoryBytes
	}
	o.MaxBytes = cmp.Or(max(o.MaxBytes, 0), usual)
	return &Store{options: o, path: path, now: time.Now, recent: recent{lists: lru.New[principal.Caller, []Version](maxLists)}, told: map[errorCode]uint64{},
		writes: map[string]chan struct{}{}, room: make(chan struct{}, maxWrites), flushTime: flushTime, settleTime: settleTime}
}

// WarmUp opens the file, where there is one, so that the first call does not wait for that.
func (s *Store) WarmUp() {
	if !s.inMemory() {
		s.open(reading) // an error is met again by the first call
	}
}

func (s *Store) inMemory() bool { return s.options.Dir == "" }

// Close waits for writes, as Flush does, and closes the file. A later call opens the file
// again; a database in memory is empty then.
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

// Stats is the size of the stored data.
type Stats struct {
	File  string // empty in memory
	Items int
	Bytes int64 // as the budget counts them
	Limit int64 // the budget
}

// Stats counts the stored data. When the file does not exist, the counts are 0.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	s.Flush()
	out := Stats{File: s.path, Limit: s.options.MaxBytes}
	err := s.see(ctx, func(db *database) error {
		return db.QueryRowContext(ctx, `SELECT items, bytes FROM total`).Scan(&out.Items, &out.Bytes)
	})
	return out, err
}

// see is do for a read that finds nothing where there is no file.
func (s *Store) see(ctx context.Context, f func(*database) error) error {
	if err := s.do(ctx, reading, f); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// intent says whether a call may create the file.
type intent bool

const (
	reading intent = false
	writing intent = true
)

// do runs f on the open database. It moves a damaged file aside, so that the next
// call starts a new one. OnError has already got the error that do returns.
func (s *Store) do(ctx context.Context, why intent, f func(*database) error) error {
	if why == reading && s.hangs() {
		return &Error{Code: Busy, File: s.path, Cause: errHangs}
	}
	db, info, err := s.open(why)
	if err == nil {
		err = f(db)
	}
	if err == nil || errors.Is(err, sql.ErrNoRows) || errors.Is(err, fs.ErrNotExist) && why == reading {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err() // the caller has cancelled; the file is not at fault
	}
	e := asError(s.path, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.inMemory(): // there is no file that could be gone or damaged
	case db != nil && !isAt(s.path, info):
		// Another process has removed the file, or has moved it aside because it was
		// damaged.
		s.letGo(info)
		return e
	case db != nil && e.Code == codeDamaged:
		s.letGo(info)
		s.moveAside(info)
	}
	if e.Code == Busy {
		s.pausedUntil = s.now().Add(busyPause)
	}
	s.report(e)
	return e
}

// report calls OnError, once for each code, and counts. The caller holds mu.
func (s *Store) report(e *Error) {
	if s.told[e.Code] == 0 && s.options.OnError != nil {
		e.setting = s.options.BudgetSetting
		s.options.OnError(e)
	}
	s.told[e.Code]++
}

// Health is the state of a Store at one moment.
type Health struct {
	Trouble errorCode // why nothing is stored now; empty when the Store works
	Dropped int64
	Errors  map[errorCode]uint64
}

// Health returns the state of the Store. It does not wait for the file.
func (s *Store) Health() Health {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := Health{Dropped: s.dropped.Load(), Errors: maps.Clone(s.told)}
	switch {
	case s.paused():
		h.Trouble = Busy
	case s.failed != nil && s.now().Before(s.notUntil):
		h.Trouble = codeOf(s.failed)
	}
	return h
}

// errorCode is the kind of an [Error].
type errorCode string

// The codes.
const (
	Unavailable errorCode = "unavailable" // the file cannot be opened or made
	codeDamaged errorCode = "damaged"     // the file was damaged, and was moved aside
	codeNewer   errorCode = "newer"       // a later version of Spyhop created the file
	Full        errorCode = "full"        // the disk is full, or the file has reached its bound
	codeRemoved errorCode = "removed"     // the file was removed while it was in use
	Busy        errorCode = "busy"        // another process locks the file for too long
	codeFailed  errorCode = "failed"      // anything else
)

// Error says what went wrong with the file. Its text names the file and the next
// step.
type Error struct {
	Code  errorCode
	File  string
	Cause error

	setting string // that bounds the file
}

func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("the cache in memory has failed: %v", e.Cause)
	}
	switch e.Code {
	case Unavailable:
		return fmt.Sprintf("nothing is kept: %s cannot be opened: %v; set WEB_DATA_DIR to a folder that you can write to", e.File, e.Cause)
	case codeDamaged:
		return fmt.Sprintf("%s was damaged and was moved to %s; a new file was started", e.File, filepath.Base(aside(e.File)))
	case codeNewer:
		return fmt.Sprintf("nothing is kept: %s was created by a later version of spyhop; use that version, or another WEB_DATA_DIR", e.File)
	case Full:
		return fmt.Sprintf("nothing more is kept: no space is left for %s; free disk space, or lower %s", e.File, cmp.Or(e.setting, "WEB_CACHE_BYTES"))
	case codeRemoved:
		return fmt.Sprintf("%s was removed while it was in use, with everything that was kept; the next answer starts a new file", e.File)
	case Busy:
		return fmt.Sprintf("some answers are not kept: another process locks %s", e.File)
	}
	return fmt.Sprintf("nothing is kept: %s: %v", e.File, e.Cause)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }
