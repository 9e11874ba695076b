package frontier

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// This file is what the frontier needs above the protocol: pipelines of prepared
// statements, and values in PostgreSQL's binary format. The rest of pgx, which does
// this for every type, is 3 MB.

// pgConn is one connection. It is not safe for concurrent use.
type pgConn struct {
	*pgconn.PgConn
	prepared map[string]*pgconn.StatementDescription // by their text
	// bytes and values are those of the statement that is being sent. bytes is never nil:
	// that would be NULL.
	bytes  []byte
	values [][]byte
}

func newPgConn(c *pgconn.PgConn) *pgConn {
	return &pgConn{PgConn: c, prepared: map[string]*pgconn.StatementDescription{}, bytes: make([]byte, 0, 4<<10)}
}

const mostKept = 1 << 20 // bytes of pgConn.bytes that a connection keeps

// allBinary says that all values have the binary format.
var allBinary = []int16{1}

// batch is statements that are sent together.
type batch struct {
	statements []string
	args       [][]any
}

func (b *batch) queue(statement string, args ...any) {
	b.statements, b.args = append(b.statements, statement), append(b.args, args)
}

// results reads the answers of a batch in order; the first error ends it.
type results struct {
	p   *pgconn.Pipeline
	err error
}

// The types of PostgreSQL that are sent, by their numbers (pg_type.oid).
const (
	oidBool, oidBytea, oidInt8, oidText, oidUUID        = 16, 17, 20, 25, 2950
	oidBools, oidByteas, oidInt8s, oidUUIDs      uint32 = 1000, 1001, 1016, 2951
)

// prepare gives a statement a name on the connection.
func (c *pgConn) prepare(ctx context.Context, statement string, args []any) (*pgconn.StatementDescription, error) {
	if d, ok := c.prepared[statement]; ok {
		return d, nil
	}
	types := make([]uint32, len(args))
	for i, a := range args {
		types[i] = typeOf(a)
	}
	d, err := c.Prepare(ctx, "s"+strconv.Itoa(len(c.prepared)), statement, types)
	if err != nil {
		return nil, err
	}
	c.prepared[statement] = d
	return d, nil
}

func typeOf(a any) uint32 {
	switch a.(type) {
	case bool:
		return oidBool
	case []byte:
		return oidBytea
	case int, int64, *int64:
		return oidInt8
	case string:
		return oidText
	case hash:
		return oidUUID
	case []bool:
		return oidBools
	case [][]byte:
		return oidByteas
	case []int64:
		return oidInt8s
	case []hash, []*hash:
		return oidUUIDs
	}
	panic(fmt.Sprintf("frontier: a value of %T is not sent", a)) // a statement of ours is wrong
}

func (c *pgConn) send(ctx context.Context, b *batch) *results {
	for i, s := range b.statements {
		if _, err := c.prepare(ctx, s, b.args[i]); err != nil {
			return &results{err: err}
		}
	}
	p := c.StartPipeline(ctx)
	for i, args := range b.args {
		c.bytes, c.values = c.bytes[:0], c.values[:0]
		for _, a := range args {
			c.values = append(c.values, c.encode(a))
		}
		// The values are copied. The description of the rows is known, so it is not sent again.
		p.SendQueryStatement(c.prepared[b.statements[i]], c.values, allBinary, allBinary)
	}
	if cap(c.bytes) > mostKept {
		c.bytes = make([]byte, 0, 4<<10)
	}
	return &results{p: p, err: p.Sync()}
}

// encode is a value in the binary format of its type; nil is NULL. It is valid until the
// next statement.
func (c *pgConn) encode(a any) []byte {
	if b, ok := a.([]byte); ok {
		return b
	}
	from := len(c.bytes)
	b, null := appendValue(c.bytes, a)
	if null {
		return nil
	}
	c.bytes = b
	return b[from:len(b):len(b)]
}

// next is the answer of the next statement; nil where an earlier one failed.
func (r *results) next() *pgconn.ResultReader {
	if r.err != nil {
		return nil
	}
	answer, err := r.p.GetResults()
	if err != nil {
		r.err = err
		return nil
	}
	reader, ok := answer.(*pgconn.ResultReader)
	if !ok {
		r.err = errors.New("an answer is missing")
		return nil
	}
	return reader
}

// exec reads the answer of a statement without rows, and returns how many rows it
// changed.
func (r *results) exec() int64 {
	reader := r.next()
	if reader == nil {
		return 0
	}
	tag, err := reader.Close()
	r.err = err
	return tag.RowsAffected()
}

// rows calls each for each row, which is valid during the call.
func (r *results) rows(each func(row) error) {
	reader := r.next()
	if reader == nil {
		return
	}
	var failed error
	for reader.NextRow() {
		if failed == nil {
			failed = each(row(reader.Values()))
		}
	}
	if _, r.err = reader.Close(); r.err == nil {
		r.err = failed
	}
}

func (r *results) close() error {
	if r.p != nil {
		if err := r.p.Close(); r.err == nil {
			r.err = err
		}
	}
	return r.err
}

// exec runs one statement.
func (c *pgConn) exec(ctx context.Context, statement string, args ...any) (int64, error) {
	b := &batch{}
	b.queue(statement, args...)
	r := c.send(ctx, b)
	n := r.exec()
	return n, r.close()
}

// each runs one statement and calls f for each row.
func (c *pgConn) each(ctx context.Context, f func(row) error, statement string, args ...any) error {
	b := &batch{}
	b.queue(statement, args...)
	r := c.send(ctx, b)
	r.rows(f)
	return r.close()
}

// get scans the first row; false: there is none.
func (c *pgConn) get(ctx context.Context, dest []any, statement string, args ...any) (found bool, err error) {
	err = c.each(ctx, func(r row) error {
		if found {
			return nil
		}
		found = true
		return r.scan(dest...)
	}, statement, args...)
	return found, err
}

// row is the values of one row.
type row [][]byte

// scan copies values to *int64, *int, *string, *[]byte, *bool or *hash; NULL is the
// zero value.
func (r row) scan(dest ...any) error {
	if len(r) != len(dest) {
		return fmt.Errorf("a row has %d values, want %d", len(r), len(dest))
	}
	for i, v := range r {
		ok := true
		switch d := dest[i].(type) {
		case *int64:
			*d, ok = integer(v)
		case *int:
			var n int64
			n, ok = integer(v)
			*d = int(n)
		case *string:
			*d = string(v)
		case *[]byte:
			*d = nil
			if len(v) > 0 {
				*d = append([]byte(nil), v...)
			}
		case *bool:
			*d = len(v) == 1 && v[0] == 1
			ok = len(v) <= 1
		case *hash:
			*d = hash{}
			ok = v == nil || copy(d[:], v) == len(v)
		default:
			ok = false
		}
		if !ok {
			return fmt.Errorf("value %d of a row is not a %T", i, dest[i])
		}
	}
	return nil
}

func integer(v []byte) (int64, bool) {
	switch len(v) {
	case 0:
		return 0, v == nil
	case 2:
		return int64(int16(binary.BigEndian.Uint16(v))), true
	case 4:
		return int64(int32(binary.BigEndian.Uint32(v))), true
	case 8:
		return int64(binary.BigEndian.Uint64(v)), true
	}
	return 0, false
}

// appendValue appends a value in the binary format of its type; null says that it is NULL.
func appendValue(b []byte, a any) (out []byte, null bool) {
	switch v := a.(type) {
	case bool:
		return appendBool(b, v), false
	case int:
		return binary.BigEndian.AppendUint64(b, uint64(v)), false
	case int64:
		return binary.BigEndian.AppendUint64(b, uint64(v)), false
	case *int64:
		if v == nil {
			return b, true
		}
		return binary.BigEndian.AppendUint64(b, uint64(*v)), false
	case string:
		return append(b, v...), false
	case hash:
		return append(b, v[:]...), false
	case []bool:
		b = appendArray(b, oidBool, len(v))
		for _, e := range v {
			b = appendBool(binary.BigEndian.AppendUint32(b, 1), e)
		}
		return b, false
	case [][]byte:
		b = appendArray(b, oidBytea, len(v))
		for _, e := range v {
			b = appendElement(b, e)
		}
		return b, false
	case []int64:
		b = appendArray(b, oidInt8, len(v))
		for _, e := range v {
			b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(b, 8), uint64(e))
		}
		return b, false
	case []hash:
		b = appendArray(b, oidUUID, len(v))
		for i := range v {
			b = appendElement(b, v[i][:])
		}
		return b, false
	case []*hash:
		b = appendArray(b, oidUUID, len(v))
		for _, e := range v {
			if e == nil {
				b = appendElement(b, nil)
			} else {
				b = appendElement(b, e[:])
			}
		}
		return b, false
	}
	panic(fmt.Sprintf("frontier: a value of %T is not sent", a)) // typeOf has refused it
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// appendArray appends the head of an array of one dimension: the number of dimensions,
// whether there is a NULL, the type, the length, the lower bound. The elements follow.
func appendArray(b []byte, oid uint32, n int) []byte {
	dimensions := uint32(1)
	if n == 0 {
		dimensions = 0
	}
	b = binary.BigEndian.AppendUint32(b, dimensions)
	b = binary.BigEndian.AppendUint32(b, 1)
	b = binary.BigEndian.AppendUint32(b, oid)
	if n == 0 {
		return b
	}
	b = binary.BigEndian.AppendUint32(b, uint32(n))
	return binary.BigEndian.AppendUint32(b, 1)
}

func appendElement(b, v []byte) []byte {
	if v == nil {
		return binary.BigEndian.AppendUint32(b, 0xffffffff)
	}
	return append(binary.BigEndian.AppendUint32(b, uint32(len(v))), v...)
}

// inTx runs f in a transaction.
func (c *pgConn) inTx(ctx context.Context, f func() error) error {
	return c.tx(ctx, func() error {
		if _, err := c.exec(ctx, `BEGIN`); err != nil {
			return err
		}
		if err := f(); err != nil {
			return err
		}
		_, err := c.exec(ctx, `COMMIT`)
		return err
	})
}

// tx runs an f that begins a transaction with its first batch and commits it with its
// last one, so that a transaction costs few round trips.
func (c *pgConn) tx(ctx context.Context, f func() error) error {
	err := f()
	if c.IsClosed() || c.TxStatus() == 'I' {
		return err
	}
	if _, e := c.exec(ctx, `ROLLBACK`); err == nil {
		err = e
	}
	return err
}
