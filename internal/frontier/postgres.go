package frontier

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	maxConns = 4
	dialTime = 15 * time.Second
)

// pgDB is the database of several machines, which all of them ask. It is a pool of
// connections.
type pgDB struct {
	config *pgx.ConnConfig
	now    func() time.Time
	conns  chan *pgx.Conn // those that nobody uses; nil: one that is still to be made
	ended  chan struct{}  // closed by close
}

// OpenPostgres opens the frontier in a database, and creates its tables in the
// schema spyhop when they are missing. Every connection is made by dial, which the
// egress policy provides. Of the options, Pace, Now and Patience count; without Now, the clock
// is the database's. The error is an [*Error], and shows no password.
func OpenPostgres(ctx context.Context, a Address, dial func(ctx context.Context) (net.Conn, error), o Options) (*Frontier, error) {
	const what = "open PostgreSQL"
	config, err := a.config()
	if err != nil {
		return nil, &Error{Code: Unavailable, What: what, Cause: new(pgDB).plain(err)}
	}
	config.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }
	db := &pgDB{config: config, now: o.Now, conns: make(chan *pgx.Conn, maxConns), ended: make(chan struct{})}
	for range maxConns {
		db.conns <- nil
	}
	return open(ctx, what, db, rand.Text(), o)
}

func (d *pgDB) close() error {
	close(d.ended)
	for range maxConns { // waits for the calls that run
		if c := <-d.conns; c != nil {
			hangUp(context.Background(), c)
		}
	}
	return nil
}

func hangUp(ctx context.Context, c *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	c.Close(ctx)
}

func (d *pgDB) with(ctx context.Context, f func(c conn) error) (err error) {
	select {
	case <-d.ended:
		return fs.ErrClosed
	default:
	}
	var c *pgx.Conn
	select {
	case c = <-d.conns:
	case <-d.ended:
		return fs.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() {
		// A transaction that f has left open is rolled back with its connection.
		if c != nil && (c.IsClosed() || c.PgConn().TxStatus() != 'I') {
			hangUp(ctx, c)
			c = nil
		}
		d.conns <- c
	}()
	if c == nil {
		dial, cancel := context.WithTimeout(ctx, dialTime)
		defer cancel()
		if c, err = pgx.ConnectConfig(dial, d.config); err != nil {
			return &connectError{err}
		}
	}
	return f(pgConn{c})
}

func (d *pgDB) alone() bool { return false }

func (d *pgDB) clock() *int64 {
	if d.now == nil {
		return nil
	}
	us := d.now().UnixMicro()
	return &us
}

// gone implements database: nobody knows. A turn whose worker has ended is over with its time.
func (d *pgDB) gone(string) bool { return false }

func (d *pgDB) unsent(err error) bool { return errors.As(err, new(*connectError)) }

// pgConn is one connection.
type pgConn struct{ *pgx.Conn }

func (c pgConn) idle() bool { return c.IsClosed() || c.PgConn().TxStatus() == 'I' }

// script implements conn.
func (c pgConn) script(ctx context.Context, q sql) error {
	_, err := c.PgConn().Exec(ctx, q.pg).ReadAll()
	return err
}

// send implements conn.
func (c pgConn) send(ctx context.Context, b *batch) error {
	var sent pgx.Batch
	for _, it := range b.items {
		if it.pg == "" {
			continue
		}
		q := sent.Queue(it.pg, it.args...)
		switch {
		case it.each != nil:
			q.Query(func(rows pgx.Rows) error {
				for rows.Next() {
					if err := it.each(rows); err != nil {
						return err
					}
				}
				return rows.Err()
			})
		case it.done != nil:
			q.Exec(func(tag pgconn.CommandTag) error { return it.done(tag.RowsAffected()) })
		}
	}
	if sent.Len() == 0 {
		return nil
	}
	return c.SendBatch(ctx, &sent).Close()
}

// connectError is a connection that was not made: nothing was sent.
type connectError struct{ error }

func (e *connectError) Unwrap() error { return e.error }

// codeOf is the code of an error of PostgreSQL or of the connection to it.
func (d *pgDB) codeOf(err error) Code {
	var own *Error
	var server *pgconn.PgError
	var network net.Error
	switch {
	case errors.As(err, &own):
		return own.Code
	case errors.Is(err, fs.ErrClosed):
		return Ended
	case errors.As(err, &server):
		return serverCode(server.Code)
	case errors.As(err, new(*connectError)), errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), strings.Contains(err.Error(), "conn closed"):
		return Unavailable
	}
	return Internal
}

// serverCode is the code of a SQLSTATE (Appendix A of PostgreSQL's manual).
func serverCode(state string) Code {
	switch {
	case state == "53100", state == "53200": // disk full, out of memory
		return Full
	case strings.HasPrefix(state, "08"), strings.HasPrefix(state, "53"), strings.HasPrefix(state, "57P"), strings.HasPrefix(state, "28"),
		state == "3D000", state == "25P03", state == "55P03", state == "25006": // connection, resources, shutdown, login, no database, idle, lock, read only
		return Unavailable
	case strings.HasPrefix(state, "XX"), state == "42P01", state == "42703", state == "3F000": // corrupted, no table, no column, no schema
		return Damaged
	}
	return Internal
}

// again reports whether a transaction failed because of another one.
func (d *pgDB) again(err error) bool {
	var server *pgconn.PgError
	return errors.Is(err, errAgain) || errors.As(err, &server) && (server.Code == "40001" || server.Code == "40P01")
}

// away reports whether the database went away and may come back: a wrong password
// stays wrong.
func (d *pgDB) away(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return strings.HasPrefix(server.Code, "57P") || strings.HasPrefix(server.Code, "08") || server.Code == "53300"
	}
	return d.codeOf(err) == Unavailable
}

// plain is an error without what a server or a driver may tell about the
// connection: no address, no user, no password, no values.
func (d *pgDB) plain(err error) error {
	var server *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &server):
		s := strings.ToValidUTF8(server.Message, "")
		return errors.New("PostgreSQL says " + server.Code + ": " + s[:min(len(s), 200)])
	case errors.As(err, new(*connectError)):
		return errors.New(connectCause(err))
	}
	var own *Error
	if errors.As(err, &own) || errors.Is(err, fs.ErrClosed) {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	if d.codeOf(err) == Unavailable {
		return errors.New("the connection to PostgreSQL ended")
	}
	s := strings.ToValidUTF8(err.Error(), "")
	return errors.New(s[:min(len(s), 200)])
}

// connectCause says in a few words why no connection was made.
func connectCause(err error) string {
	var network net.Error
	var dns *net.DNSError
	s := err.Error()
	switch {
	case errors.As(err, &dns):
		return "the name of its host has no address"
	case strings.Contains(s, "tls:"), strings.Contains(s, "x509:"), strings.Contains(s, "refused TLS"):
		return "TLS with PostgreSQL failed: check sslmode and sslrootcert"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return "no connection to PostgreSQL within the time"
	case strings.Contains(s, "refused"):
		return "PostgreSQL refuses the connection"
	}
	return "no connection to PostgreSQL"
}
