package frontiertest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/spyhop-dev/spyhop/internal/frontier"
)

// postgresURL names a PostgreSQL for these tests, as a superuser's address without
// a database: postgres://user:password@host:port. Without it, the tests start one of
// Debian's packages (see startServer), and skip where there is none.
const postgresURL = "SPYHOP_POSTGRES"

var server struct {
	once sync.Once
	url  string
	err  error
	stop func()
}

// errNoServer says that this machine has no PostgreSQL to start.
var errNoServer = errors.New("no PostgreSQL is installed: apt-get install postgresql, or name a server with " + postgresURL + "=postgres://user:password@host:port")

// postgresServer returns the address of a server, without a database.
func postgresServer(t testing.TB) string {
	t.Helper()
	server.once.Do(func() {
		if server.url = os.Getenv(postgresURL); server.url != "" {
			return
		}
		server.url, server.stop, server.err = startServer()
	})
	if errors.Is(server.err, errNoServer) {
		t.Skip(server.err)
	}
	if server.err != nil {
		t.Fatal(server.err)
	}
	return server.url
}

// postgresPlace makes a database.
func postgresPlace(t testing.TB) string {
	base := postgresServer(t)
	name := "test_" + strings.ToLower(rand.Text())
	admin := func(q string) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		c, err := pgx.Connect(ctx, base+"/postgres?sslmode=disable")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(ctx)
		if _, err := c.Exec(ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	admin("CREATE DATABASE " + name)
	t.Cleanup(func() { admin("DROP DATABASE " + name + " WITH (FORCE)") })
	return base + "/" + name + "?sslmode=disable"
}

// dialOnly dials the server of an address and nothing else.
func dialOnly(a frontier.Address) func(context.Context) (net.Conn, error) {
	return func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", a.Server.HostPort())
	}
}

func openPostgres(place string, o frontier.Options) (*frontier.Frontier, error) {
	a, err := frontier.ParseAddress(place)
	if err != nil {
		return nil, err
	}
	f, err := frontier.OpenPostgres(context.Background(), a, dialOnly(a), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a, err)
	}
	return f, nil
}
