package frontier

import (
	"context"
	"crypto/rand"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"modernc.org/sqlite"

	"github.com/spyhop-dev/spyhop/internal/private"
)

// The names of what a SQLite frontier has in its folder.
const (
	FileName   = "crawl.db"
	folderName = "crawl" // a lock for each process
)

const (
	busyTime  = 10 * time.Second // another process writes
	busyPause = 5 * time.Millisecond
	logBytes  = 64 << 20 // the write-ahead log is truncated to this after a checkpoint
	logPages  = 8000     // of 4 kB, after which it is written to the database: most rows change several times until then
	// SQLite looks through its whole page cache after most commits, so it is small, and pages
	// that are only read come from the system's cache, by a map of the file.
	cacheKB  = 16 << 10
	mapBytes = 1 << 30
	codeBusy = 5 // SQLITE_BUSY
	fileMode = 0o600
)

// lite is the database of one machine: one file. It has one connection, which speaks to the
// driver directly: package database/sql costs as much as a statement that inserts a row.
type liteDB struct {
	now  func() time.Time
	dir  string
	name string        // of the lock
	lock *os.File      // of this process
	busy chan struct{} // holds one element while a call runs
	conn *liteConn     // nil once it is closed
}

// OpenSQLite opens the frontier of one machine in a folder, and creates it when it is
// missing. The error is an [*Error].
func OpenSQLite(o Options) (*Frontier, error) {
	const what = "open " + FileName
	process := rand.Text()
	db := &liteDB{now: o.Now, dir: filepath.Join(o.Dir, folderName), busy: make(chan struct{}, 1)}
	if db.now == nil {
		db.now = time.Now
	}
	if err := db.open(o.Dir, process); err != nil {
		db.close()
		code := db.codeOf(err)
		if code == Internal && (errors.As(err, new(*fs.PathError)) || errors.Is(err, fs.ErrPermission)) {
			code = Unavailable
		}
		return nil, &Error{Code: code, What: what, Cause: err}
	}
	return open(context.Background(), what, db, process, o)
}

func (d *liteDB) open(dir, process string) error {
	for _, folder := range []string{dir, d.dir} {
		if err := private.Dir(folder); err != nil {
			return err
		}
	}
	path := filepath.Join(dir, FileName)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, fileMode) // SQLite gives its log the same mode
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	d.name = d.lockPath(process)
	if d.lock, err = os.OpenFile(d.name, os.O_CREATE|os.O_RDWR|os.O_EXCL, fileMode); err != nil {
		return err
	}
	lockFile(d.lock)
	d.conn, err = openLite(path)
	return err
}

func (d *liteDB) lockPath(process string) string {
	return filepath.Join(d.dir, "process-"+process+".lock")
}

// gone implements database: the lock of a process ends with it.
func (d *liteDB) gone(process string) bool {
	f, err := os.OpenFile(d.lockPath(process), os.O_RDWR, fileMode)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	if !lockFile(f) {
		return false
	}
	os.Remove(f.Name())
	return true
}

func (d *liteDB) close() error {
	d.busy <- struct{}{}
	defer func() { <-d.busy }()
	var err error
	if d.conn != nil {
		err = d.conn.close()
		d.conn = nil
	}
	if d.lock != nil {
		d.lock.Close()
		os.Remove(d.name) // what is left is removed by the next process
	}
	return err
}

func (d *liteDB) with(ctx context.Context, f func(c conn) error) error {
	select {
	case d.busy <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-d.busy }()
	if d.conn == nil {
		return fs.ErrClosed
	}
	defer func() {
		if d.conn.open { // f has panicked
			d.conn.open = false
			d.conn.script(ctx, rollback)
		}
	}()
	return f(d.conn)
}

func (d *liteDB) alone() bool { return true }

func (d *liteDB) clock() *int64 {
	us := d.now().UnixMicro()
	return &us
}

func (d *liteDB) again(error) bool      { return false }
func (d *liteDB) away(error) bool       { return false }
func (d *liteDB) unsent(error) bool     { return false }
func (d *liteDB) plain(err error) error { return err }

// codeOf is the code of an error of SQLite or of the file system.
func (d *liteDB) codeOf(err error) Code {
	var own *Error
	var se *sqlite.Error
	switch {
	case errors.As(err, &own):
		return own.Code
	case errors.Is(err, fs.ErrClosed), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Ended
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return Full
	case errors.As(err, &se):
		switch se.Code() & 0xff { // sqlite.org/rescode.html
		case codeBusy, 6, 14: // BUSY, LOCKED, CANTOPEN
			return Unavailable
		case 13: // FULL
			return Full
		case 11, 26: // CORRUPT, NOTADB
			return Damaged
		case 10: // IOERR
			return Unavailable
		}
	}
	return Internal
}

// liteConn is the connection, with its prepared statements.
type liteConn struct {
	c     driver.Conn
	stmts map[string]statement
	args  []driver.NamedValue
	row   []driver.Value
	open  bool // a transaction is
}

type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

func openLite(path string) (*liteConn, error) {
	q := fmt.Sprintf("file:%s?_txlock=immediate&mode=rw&_busy_timeout=0&_pragma=synchronous(full)&_pragma=journal_size_limit(%d)&_pragma=wal_autocheckpoint(%d)&_pragma=cache_size(-%d)&_pragma=mmap_size(%d)&_pragma=temp_store(2)&_pragma=auto_vacuum(incremental)",
		(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), logBytes, logPages, cacheKB, mapBytes)
	c := &liteConn{stmts: map[string]statement{}}
	err := patiently(func() (err error) { c.c, err = (&sqlite.Driver{}).Open(q); return err })
	if err == nil {
		err = c.script(context.Background(), sql{lite: `PRAGMA journal_mode = wal`}) // stored in the file
	}
	if err != nil {
		if c.c != nil {
			c.c.Close()
		}
		return nil, err
	}
	return c, nil
}

func (c *liteConn) close() error {
	for _, s := range c.stmts {
		s.Close()
	}
	return c.c.Close()
}

func (c *liteConn) idle() bool { return !c.open }

// script implements conn.
func (c *liteConn) script(_ context.Context, q sql) error {
	return patiently(func() error {
		_, err := c.c.(driver.ExecerContext).ExecContext(context.Background(), q.lite, nil)
		return err
	})
}

// send implements conn. Calls of SQLite are short, so a context is heeded between batches
// only: with one, the driver starts a goroutine for each.
func (c *liteConn) send(ctx context.Context, b *batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range b.items {
		if it := &b.items[i]; it.lite != "" {
			if err := c.run(it); err != nil {
				return err
			}
		}
	}
	return nil
}

// run runs a statement, once for each element of its arrays.
func (c *liteConn) run(it *item) error {
	var changed int64
	for k := range lengthOf(it.args) {
		if err := c.bind(it.args, k); err != nil {
			return err
		}
		n, err := c.once(it)
		if err != nil {
			return err
		}
		changed += n
	}
	switch it.sql {
	case begin, look:
		c.open = true
	case commit, rollback:
		c.open = false
	}
	if it.done != nil {
		return it.done(changed)
	}
	return nil
}

// once runs a statement with the values that are bound.
func (c *liteConn) once(it *item) (changed int64, err error) {
	s, err := c.prepared(it.lite)
	if err != nil {
		return 0, err
	}
	if it.each != nil {
		return 0, c.query(s, it.each)
	}
	err = patiently(func() error {
		r, err := s.ExecContext(context.Background(), c.args)
		if err == nil {
			changed, err = r.RowsAffected()
		}
		return err
	})
	if it.sql == rollback { // SQLite has rolled back by itself after some errors
		err = nil
	}
	return changed, err
}

// prepared is a statement as [both] has it.
func (c *liteConn) prepared(q string) (statement, error) {
	if s, ok := c.stmts[q]; ok {
		return s, nil
	}
	p, err := c.c.(driver.ConnPrepareContext).PrepareContext(context.Background(), lite(q))
	if err != nil {
		return nil, err
	}
	s, ok := p.(statement)
	if !ok {
		return nil, fmt.Errorf("a statement is a %T", p)
	}
	c.stmts[q] = s
	return s, nil
}

// query calls each for every row.
func (c *liteConn) query(s statement, each func(row) error) error {
	var rows driver.Rows
	if err := patiently(func() (err error) { rows, err = s.QueryContext(context.Background(), c.args); return err }); err != nil {
		return err
	}
	defer rows.Close()
	n := len(rows.Columns())
	for len(c.row) < n {
		c.row = append(c.row, nil)
	}
	for {
		switch err := rows.Next(c.row[:n]); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := each(liteRow(c.row[:n])); err != nil {
			return err
		}
	}
}

// lengthOf is how many elements the arrays among some values have; without arrays 1.
func lengthOf(args []any) int {
	for _, a := range args {
		switch v := a.(type) {
		case []int64:
			return len(v)
		case [][]byte:
			return len(v)
		}
	}
	return 1
}

// bind sets the values of a statement, of arrays the element k.
func (c *liteConn) bind(args []any, k int) error {
	c.args = c.args[:0]
	for i, a := range args {
		switch v := a.(type) {
		case int:
			a = int64(v)
		case *int64:
			a = *v
		case []int64:
			a = v[k]
		case []*int64:
			if a = nil; v[k] != nil {
				a = *v[k]
			}
		case [][]byte:
			a = v[k]
		case int64, string, []byte:
		default:
			return fmt.Errorf("a value of %T is not sent", a)
		}
		if b, ok := a.([]byte); ok && b == nil {
			a = nil
		}
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return nil
}

// liteRow is the values of a row.
type liteRow []driver.Value

// Scan implements row; NULL is the zero value.
func (r liteRow) Scan(dest ...any) error {
	for i, v := range r {
		switch d := dest[i].(type) {
		case *int64:
			*d, _ = v.(int64)
		case *string:
			*d, _ = v.(string)
		case *[]byte:
			b, _ := v.([]byte)
			*d = append([]byte(nil), b...)
		default:
			return fmt.Errorf("value %d of a row is not a %T", i, d)
		}
	}
	return nil
}

// patiently calls f until no other process is in its way, for busyTime at most. SQLite's
// own wait soon asks only ten times a second: where others write one after the other, it
// hardly ever meets a moment between them.
func patiently(f func() error) error {
	for end := time.Now().Add(busyTime); ; {
		err := f()
		var se *sqlite.Error
		if err == nil || !errors.As(err, &se) || se.Code()&0xff != codeBusy || !time.Now().Before(end) {
			return err
		}
		time.Sleep(busyPause)
	}
}
