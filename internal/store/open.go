package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spyhop-dev/spyhop/internal/private"
	"modernc.org/sqlite"
)

// This file opens, creates and repairs the database file.

// schemaVersion is SQLite's user_version of a file with this schema.
const schemaVersion = 3

// schema makes the tables. A row of item is a cached answer (url is null) or a version of a
// page, which belongs to a principal, to a scope of the policy, and to the credentials of
// which owner is a hash. size is what the budget counts; length is the length of the body
// before compression; made, used and expires are in µs since 1970. The triggers update total
// for every writer.
const schema = `CREATE TABLE item (
		id INTEGER PRIMARY KEY,
		key BLOB NOT NULL UNIQUE,
		owner TEXT, url TEXT, hash TEXT,
		made INTEGER NOT NULL, used INTEGER NOT NULL, expires INTEGER NOT NULL,
		size INTEGER NOT NULL,
		length INTEGER NOT NULL,
		checksum INTEGER NOT NULL,
		meta BLOB NOT NULL,
		body BLOB NOT NULL,
		principal TEXT,
		scope TEXT
	);
	CREATE INDEX item_used ON item (used, size);
	CREATE INDEX item_expires ON item (expires);
	CREATE INDEX item_page ON item (principal, owner, url, made) WHERE url IS NOT NULL;
	CREATE INDEX item_hash ON item (principal, owner, hash) WHERE hash IS NOT NULL;
	CREATE TABLE total (items INTEGER NOT NULL, bytes INTEGER NOT NULL);
	INSERT INTO total VALUES (0, 0);
	CREATE TRIGGER item_insert AFTER INSERT ON item BEGIN
		UPDATE total SET items = items + 1, bytes = bytes + new.size;
	END;
	CREATE TRIGGER item_delete AFTER DELETE ON item BEGIN
		UPDATE total SET items = items - 1, bytes = bytes - old.size;
	END;
	CREATE TRIGGER item_resize AFTER UPDATE OF size ON item BEGIN
		UPDATE total SET bytes = bytes + new.size - old.size;
	END;
	PRAGMA user_version = 3`

const (
	busyMS       = 2000 // for writes, which run in the background
	retryMS      = 10
	maxConns     = 4
	logBytes     = 8 << 20 // the write-ahead log is truncated to this after a checkpoint
	codeBusy     = 5       // SQLITE_BUSY and the others of sqlite.org/rescode.html
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeNotDB    = 26
)

// database is the open file. Preparing the statement of a read takes longer than running
// it, so that statement is kept.
type database struct {
	*sql.DB
	load *sql.Stmt
}

// prepared makes the tables of a database and prepares its statements. It closes db
// when that fails.
func (s *Store) prepared(db *sql.DB) (*database, error) {
	d := &database{DB: db}
	err := s.makeTables(d)
	if err == nil {
		d.load, err = db.Prepare(loadQuery)
	}
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	return d, nil
}

var (
	errNewer   = errors.New("the file is of a later version")
	errUnknown = errors.New("the file is of an unknown version")
)

// open returns the database, and opens it if needed, with the file's os.FileInfo.
// When the intent does not allow to create the file, a missing file is
// fs.ErrNotExist.
func (s *Store) open(why intent) (*database, os.FileInfo, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != nil && !s.removed() {
		return s.db, s.opened, nil
	}
	if !s.notUntil.IsZero() && s.now().Before(s.notUntil) {
		return nil, nil, s.failed
	}
	db, info, err := s.openFile(why)
	if err != nil && codeOf(err) == codeDamaged {
		// Try again, with a new file in its place.
		s.moveAside(info)
		s.report(asError(s.path, err))
		db, info, err = s.openFile(why)
	}
	if err != nil && s.vanished(why, info, err) {
		db, info, err = s.openFile(why)
		if err != nil && s.vanished(why, info, err) {
			err = &Error{Code: codeRemoved, File: s.path, Cause: err}
		}
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && codeOf(err) != codeRemoved {
			s.failed, s.notUntil = err, s.now().Add(retryAfter)
		}
		return nil, nil, err
	}
	s.db, s.opened = db, info
	return db, info, nil
}

// removed reports whether the open file was removed from its folder, and then closes
// it: SQLite would go on with a file that nobody can find. The caller holds mu.
func (s *Store) removed() bool {
	if s.inMemory() {
		return false
	}
	if _, err := os.Stat(s.path); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_ = s.close()                       // nothing can be lost that is not lost already
	if !isAt(aside(s.path), s.opened) { // another process has said that it is damaged
		s.report(&Error{Code: codeRemoved, File: s.path, Cause: fs.ErrNotExist})
	}
	return true
}

// vanished reports whether opening failed because the file was removed, with its folder or
// alone, or was moved aside by another process, after it was made or looked at. SQLite
// says of this only that it cannot open the file.
func (s *Store) vanished(why intent, looked os.FileInfo, err error) bool {
	if looked == nil {
		return why == writing && errors.Is(err, fs.ErrNotExist)
	}
	return !isAt(s.path, looked)
}

// openMemory creates a database in memory. It has one connection, because each
// connection would be a database of its own.
func (s *Store) openMemory() (*database, error) {
	connector, err := sqlite.NewConnector(":memory:")
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	return s.prepared(db)
}

// openFile opens the file and makes its tables. The os.FileInfo is nil for a
// database in memory.
func (s *Store) openFile(why intent) (*database, os.FileInfo, error) {
	if s.inMemory() {
		db, err := s.openMemory()
		return db, nil, err
	}
	if why == writing {
		if err := s.makeFile(); err != nil {
			return nil, nil, err
		}
	}
	info, err := os.Stat(s.path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &Error{Code: Unavailable, File: s.path, Cause: errors.New("it is not a regular file")}
	}
	q := url.Values{}
	q.Set("_txlock", "immediate")
	q.Set("_busy_timeout", strconv.Itoa(busyMS))
	q.Set("mode", "rw") // SQLite must not create the file: it would get another mode
	// Syncing costs a run of the command 4 ms of its 20. Without it, a power
	// failure can damage the file, which is then replaced by a new one, or a row,
	// which its checksum detects.
	q.Add("_pragma", "synchronous(off)")
	q.Add("_pragma", fmt.Sprintf("journal_size_limit(%d)", logBytes))
	if s.options.maxPages > 0 {
		q.Add("_pragma", fmt.Sprintf("max_page_count(%d)", s.options.maxPages))
	}
	if s.options.opening != nil {
		s.options.opening()
	}
	connector, err := sqlite.NewConnector("file:" + (&url.URL{Path: filepath.ToSlash(s.path)}).EscapedPath() + "?" + q.Encode())
	if err != nil {
		return nil, info, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	d, err := s.prepared(db)
	if err == nil && s.options.Ready {
		connect(db)
	}
	return d, info, err
}

// connect opens all connections of a database, which stay open. What cannot be opened now
// is opened when it is needed.
func connect(db *sql.DB) {
	for range maxConns {
		if c, err := db.Conn(context.Background()); err == nil {
			defer c.Close() // all of them, after the last one
		}
	}
}

// makeFile creates an empty file with mode 0600 before SQLite can create it with
// another mode; SQLite gives its log the same mode.
func (s *Store) makeFile() error {
	if err := private.Dir(s.options.Dir); err != nil {
		return err
	}
	f, err := os.OpenFile(s.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// makeTables creates the tables that are missing. It has no context: what is interrupted
// would have to run again.
//
// When two processes start one file, the change to the write-ahead log fails at once
// for one of them: SQLite does not wait for that lock (sqlite.org/c3ref/busy_handler.html).
func (s *Store) makeTables(db *database) error {
	err := makeItems(db)
	for waited := 0; codeOf(err) == Busy && waited < busyMS; waited += retryMS {
		time.Sleep(retryMS * time.Millisecond)
		err = makeItems(db)
	}
	if err != nil || s.options.Words == nil {
		return err
	}
	return makeIndex(db)
}

func makeItems(db *database) error {
	missing := func(row *sql.Row) (bool, error) {
		var version int
		err := row.Scan(&version)
		switch {
		case err != nil || version == 0 || version == schemaVersion:
		case version > schemaVersion:
			err = errNewer
		default: // no release wrote it: a new file takes its place
			err = errUnknown
		}
		return version == 0, err
	}
	if missing, err := missing(db.QueryRow(`PRAGMA user_version`)); !missing || err != nil {
		return err
	}
	// These two settings are stored in the file. The first must be set before the first table
	// is created.
	if _, err := db.Exec(`PRAGMA auto_vacuum = incremental; PRAGMA journal_mode = wal`); err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have made them in the meantime.
	if missing, err := missing(tx.QueryRow(`PRAGMA user_version`)); !missing || err != nil {
		return err
	}
	if _, err := tx.Exec(schema); err != nil {
		return err
	}
	return tx.Commit()
}

// aside returns the path to which a damaged file is moved. It replaces the
// previous damaged file, so that they do not accumulate.
func aside(path string) string { return path + ".damaged" }

// letGo closes a file that must no longer be used, unless another call has
// already opened another file.
func (s *Store) letGo(bad os.FileInfo) {
	if s.db != nil && os.SameFile(bad, s.opened) {
		_ = s.close() // the file is already known to be bad
	}
}

// isAt reports whether a file is still at the path.
func isAt(path string, file os.FileInfo) bool {
	now, err := os.Stat(path)
	return err == nil && file != nil && os.SameFile(file, now)
}

// moveAside moves a damaged file aside, unless another process has already done
// that. It removes the log first: SQLite must not apply it to a new file.
func (s *Store) moveAside(bad os.FileInfo) {
	if !isAt(s.path, bad) {
		return
	}
	// If moving fails, opening the file will fail again and report that.
	_ = os.Remove(s.path + "-wal")
	_ = os.Remove(s.path + "-shm")
	_ = os.Rename(s.path, aside(s.path))
}

// codeOf returns the code for an error of SQLite or of the file system.
func codeOf(err error) errorCode {
	var own *Error
	var se *sqlite.Error
	switch {
	case errors.As(err, &own):
		return own.Code
	case errors.Is(err, errNewer):
		return codeNewer
	case errors.Is(err, errUnknown):
		return codeDamaged
	case errors.As(err, &se):
		switch se.Code() & 0xff {
		case codeBusy:
			return Busy
		case codeCorrupt, codeNotDB:
			return codeDamaged
		case codeFull:
			return Full
		case codeCantOpen:
			return Unavailable
		}
	case errors.As(err, new(*fs.PathError)):
		return Unavailable
	}
	return codeFailed
}

func asError(path string, err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	return &Error{Code: codeOf(err), File: path, Cause: err}
}

// inTx runs f in a transaction that writes.
func inTx(ctx context.Context, db *database, f func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}
