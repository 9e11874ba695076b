package frontier

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	maxConns = 4
	// callTime bounds a call whose context does not; dialTime a connection.
	callTime = 2 * time.Minute
	dialTime = 15 * time.Second
	// defaultPatience is that of [Options.Patience].
	defaultPatience = 30 * time.Second
	// openPatience is that of the first connection: an address that is wrong is told soon.
	openPatience = 5 * time.Second
	retryPause   = 200 * time.Millisecond
	mostRetry    = 10 // for deadlocks, and for what another transaction was quicker with
)

// pool holds the connections to a database. It is safe for concurrent use.
type pool struct {
	config *pgconn.Config
	slots  chan struct{} // one element for each connection in use
	free   chan *pgConn
	ended  chan struct{} // closed by close
}

func newPool(config *pgconn.Config) *pool {
	return &pool{config: config, slots: make(chan struct{}, maxConns), free: make(chan *pgConn, maxConns), ended: make(chan struct{})}
}

func (p *pool) close() {
	close(p.ended)
	for range maxConns { // waits for the calls that run
		p.slots <- struct{}{}
	}
	for {
		select {
		case c := <-p.free:
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			c.Close(ctx)
			cancel()
		default:
			return
		}
	}
}

// with calls f with a connection that nobody else uses.
func (p *pool) with(ctx context.Context, f func(c *pgConn) error) error {
	select {
	case p.slots <- struct{}{}:
	case <-p.ended:
		return fs.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.slots }()
	var c *pgConn
	select {
	case <-p.ended:
		return fs.ErrClosed
	default:
	}
	select {
	case c = <-p.free:
	default:
		dial, cancel := context.WithTimeout(ctx, dialTime)
		defer cancel()
		plain, err := pgconn.ConnectConfig(dial, p.config)
		if err != nil {
			return &connectError{err}
		}
		c = newPgConn(plain)
	}
	// A transaction that the end of a call left open is rolled back with its
	// connection.
	err := f(c)
	if c.IsClosed() || c.TxStatus() != 'I' {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		c.Close(ctx)
		return err
	}
	p.free <- c
	return err
}

// connectError is a connection that was not made: nothing was sent.
type connectError struct{ error }

func (e *connectError) Unwrap() error { return e.error }

// pgCodeOf is the code of an error of PostgreSQL or of the connection to it.
func pgCodeOf(err error) Code {
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
func again(err error) bool {
	var server *pgconn.PgError
	return errors.Is(err, errAgain) || errors.As(err, &server) && (server.Code == "40001" || server.Code == "40P01")
}

var errAgain = errors.New("another transaction was quicker")

// away reports whether the database went away and may come back: a wrong password
// stays wrong.
func away(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return strings.HasPrefix(server.Code, "57P") || strings.HasPrefix(server.Code, "08") || server.Code == "53300"
	}
	return pgCodeOf(err) == Unavailable
}

// plain is an error without what a server or a driver may tell about the
// connection: no address, no user, no password, no values.
func plain(err error) error {
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
	if pgCodeOf(err) == Unavailable {
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

// do runs f with a connection. It runs it again when another transaction made it
// fail, and when the database went away, for as long as patience and ctx last. An f
// that must not run twice is given with once: then only a connection is tried again.
func (p *Postgres) do(ctx context.Context, what string, once bool, f func(ctx context.Context, c *pgConn) error) error {
	if err := ctx.Err(); err != nil {
		return &Error{Code: Ended, What: what, Cause: context.Cause(ctx)}
	}
	call, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	start, retries := time.Now(), 0
	for {
		err := p.pool.with(call, func(c *pgConn) error { return f(call, c) })
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return &Error{Code: Ended, What: what, Cause: context.Cause(ctx)}
		case again(err) && retries < mostRetry:
			retries++
			continue
		case away(err) && time.Since(start) < p.patience && (!once || errors.As(err, new(*connectError))):
			pause := time.NewTimer(retryPause)
			select {
			case <-pause.C:
				continue
			case <-p.pool.ended:
			case <-ctx.Done():
			}
			pause.Stop()
		}
		var own *Error
		if errors.As(err, &own) {
			return own
		}
		return &Error{Code: pgCodeOf(err), What: what, Cause: plain(err)}
	}
}
