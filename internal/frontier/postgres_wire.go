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
	names map[string]string // of the prepared statements
}

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
func (c *pgConn) prepare(ctx context.Context, statement string, args []any) (string, error) {
	if name, ok := c.names[statement]; ok {
		return name, nil
	}
	types := make([]uint32, len(args))
	for i, a := range args {
		types[i] = typeOf(a)
	}
	name := "s" + strconv.Itoa(len(c.names))
	if _, err := c.Prepare(ctx, name, statement, types); err != nil {
		return "", err
	}
	c.names[statement] = name
	return name, nil
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
	names := make([]string, len(b.statements))
	for i, s := range b.statements {
		var err error
		if names[i], err = c.prepare(ctx, s, b.args[i]); err != nil {
			return &results{err: err}
		}
	}
	p := c.StartPipeline(ctx)
	for i, args := range b.args {
		values, formats := make([][]byte, len(args)), make([]int16, len(args))
		for k, a := range args {
			values[k], formats[k] = encodeValue(a), 1
		}
		p.SendQueryPrepared(names[i], values, formats, []int16{1})
	}
	return &results{p: p, err: p.Sync()}
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

// encodeValue is a value in the binary format of its type; nil is NULL.
func encodeValue(a any) []byte {
	switch v := a.(type) {
	case bool:
		return boolean(v)
	case []byte:
		return v
	case int:
		return binary.BigEndian.AppendUint64(nil, uint64(v))
	case int64:
		return binary.BigEndian.AppendUint64(nil, uint64(v))
	case *int64:
		if v == nil {
			return nil
		}
		return binary.BigEndian.AppendUint64(nil, uint64(*v))
	case string:
		return []byte(v)
	case hash:
		return v[:]
	case []bool:
		return array(oidBool, len(v), 1, func(b []byte, i int) []byte { return element(b, boolean(v[i])) })
	case [][]byte:
		size := 0
		for _, e := range v {
			size += len(e)
		}
		return array(oidBytea, len(v), size/max(len(v), 1)+1, func(b []byte, i int) []byte { return element(b, v[i]) })
	case []int64:
		return array(oidInt8, len(v), 8, func(b []byte, i int) []byte {
			return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(b, 8), uint64(v[i]))
		})
	case []hash:
		return array(oidUUID, len(v), 16, func(b []byte, i int) []byte { return element(b, v[i][:]) })
	case []*hash:
		return array(oidUUID, len(v), 16, func(b []byte, i int) []byte {
			if v[i] == nil {
				return element(b, nil)
			}
			return element(b, v[i][:])
		})
	}
	panic(fmt.Sprintf("frontier: a value of %T is not sent", a)) // typeOf has refused it
}

func boolean(b bool) []byte {
	if b {
		return []byte{1}
	}
	return []byte{0}
}

// array is the binary format of an array of one dimension: their number, whether
// there is a NULL, the type, the length, the lower bound, the elements.
func array(oid uint32, n, size int, appendTo func(b []byte, i int) []byte) []byte {
	b := make([]byte, 0, 20+n*(4+size))
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
	b = binary.BigEndian.AppendUint32(b, 1)
	for i := range n {
		b = appendTo(b, i)
	}
	return b
}

func element(b, v []byte) []byte {
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
