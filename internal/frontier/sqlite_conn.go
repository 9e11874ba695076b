package frontier

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"syscall"
	"time"

	"modernc.org/sqlite"
)

// conn is one connection to SQLite, with its prepared statements. It speaks to the
// driver directly: package database/sql costs as much as a statement that inserts a
// row. It is not safe for concurrent use.
type conn struct {
	c     driver.Conn
	stmts map[string]statement
	args  []driver.NamedValue
	row   []driver.Value
}

type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

const (
	busyTime  = 10 * time.Second // another process writes
	busyPause = 5 * time.Millisecond
	logBytes  = 64 << 20  // the write-ahead log is truncated to this after a checkpoint
	cacheKB   = 64 << 10  // SQLite's page cache
	codeBusy  = 5         // SQLITE_BUSY
	maxStmts  = 2000      // about forty for each job
	mostRows  = 1_000_000 // that one query gives
	fileMode  = 0o600
	connQuery = "_txlock=immediate&mode=rw"
)

func openConn(path string) (*conn, error) {
	q := fmt.Sprintf("file:%s?%s&_busy_timeout=0&_pragma=synchronous(full)&_pragma=journal_size_limit(%d)&_pragma=cache_size(-%d)&_pragma=temp_store(2)",
		(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), connQuery, logBytes, cacheKB)
	var c driver.Conn
	if err := patiently(func() (err error) { c, err = (&sqlite.Driver{}).Open(q); return err }); err != nil {
		return nil, err
	}
	return &conn{c: c, stmts: map[string]statement{}}, nil
}

func (c *conn) close() error {
	c.forget()
	return c.c.Close()
}

// forget closes the prepared statements.
func (c *conn) forget() {
	for q, s := range c.stmts {
		s.Close()
		delete(c.stmts, q)
	}
}

func (c *conn) prepared(q string) (statement, error) {
	if s, ok := c.stmts[q]; ok {
		return s, nil
	}
	if len(c.stmts) >= maxStmts {
		c.forget()
	}
	p, err := c.c.(driver.ConnPrepareContext).PrepareContext(context.Background(), q)
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

func (c *conn) bind(args []any) []driver.NamedValue {
	c.args = c.args[:0]
	for i, a := range args {
		switch v := a.(type) {
		case int:
			a = int64(v)
		case uint64:
			a = int64(v)
		case int32:
			a = int64(v)
		}
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return c.args
}

// exec runs a statement and returns how many rows it changed. Calls of SQLite are
// short, so a context is heeded between them only: with one, the driver starts a
// goroutine for each.
func (c *conn) exec(q string, args ...any) (int64, error) {
	s, err := c.prepared(q)
	if err != nil {
		return 0, err
	}
	r, err := s.ExecContext(context.Background(), c.bind(args))
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
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

// script runs several statements.
func (c *conn) script(q string) error {
	return patiently(func() error {
		_, err := c.c.(driver.ExecerContext).ExecContext(context.Background(), q, nil)
		return err
	})
}

// query calls each for every row; the values are valid during the call, which must
// not use the connection.
func (c *conn) query(q string, each func(row []driver.Value) error, args ...any) error {
	var rows driver.Rows
	err := patiently(func() error {
		s, err := c.prepared(q)
		if err == nil {
			rows, err = s.QueryContext(context.Background(), c.bind(args))
		}
		return err
	})
	if err != nil {
		return err
	}
	defer rows.Close()
	n := len(rows.Columns())
	for len(c.row) < n {
		c.row = append(c.row, nil)
	}
	row := c.row[:n]
	for range mostRows {
		switch err := rows.Next(row); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := each(row); err != nil {
			return err
		}
	}
	return nil
}

// get returns the first row.
func (c *conn) get(q string, args ...any) (row []driver.Value, ok bool, err error) {
	err = c.query(q, func(r []driver.Value) error {
		if !ok {
			row, ok = r, true
		}
		return nil
	}, args...)
	return row, ok, err
}

// tx runs f in a transaction that writes.
func (c *conn) tx(f func() error) error {
	if err := c.script(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	err := f()
	if err == nil {
		if _, err = c.exec(`COMMIT`); err == nil {
			return nil
		}
	}
	if _, failed := c.exec(`ROLLBACK`); failed != nil && codeOf(err) == Internal {
		return errors.Join(err, failed) // SQLite has rolled back by itself after some errors
	}
	return err
}

// number, str and data are a value of a row; NULL is the zero value.
func number(v driver.Value) int64 { n, _ := v.(int64); return n }

func str(v driver.Value) string {
	switch s := v.(type) {
	case string:
		return s
	case []byte:
		return string(s)
	}
	return ""
}

func data(v driver.Value) []byte {
	switch s := v.(type) {
	case string:
		return []byte(s)
	case []byte:
		if len(s) > 0 {
			return append([]byte(nil), s...)
		}
	}
	return nil
}

// codeOf is the code of an error of SQLite or of the file system.
func codeOf(err error) Code {
	var own *Error
	var se *sqlite.Error
	switch {
	case errors.As(err, &own):
		return own.Code
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
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
