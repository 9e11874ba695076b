package frontiertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
)

// forwarder is the way to a server, which can be cut.
type forwarder struct {
	to string

	mu     sync.Mutex
	conns  map[net.Conn]bool
	closed bool
}

// dial connects, unless the way is cut.
func (f *forwarder) dial(ctx context.Context) (net.Conn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	}
	c, err := new(net.Dialer).DialContext(ctx, "tcp", f.to)
	if err == nil {
		f.conns[c] = true
	}
	return c, err
}

// cut ends all connections; open lets new ones through.
func (f *forwarder) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for c := range f.conns {
		c.(*net.TCPConn).SetLinger(0)
		c.Close()
		delete(f.conns, c)
	}
}

func (f *forwarder) open() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = false
}

// TestOutage crawls while the database goes away again and again, also in the middle
// of commits, and wants every page once.
func TestOutage(t *testing.T) {
	t.Parallel()
	const pages = 500
	place := postgresPlace(t)
	a, err := frontier.ParseAddress(place)
	if err != nil {
		t.Fatal(err)
	}
	way := &forwarder{to: a.Server.HostPort(), conns: map[net.Conn]bool{}}
	f, err := frontier.OpenPostgres(t.Context(), a, way.dial, frontier.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := &bench{t: t, Frontier: f, place: place, clock: newClock()}
	b.job = b.create(frontier.Job{Owner: "local"}).ID
	b.add(1, synthetic(0))
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for b.workSlowly(f, frontier.LeaseRequest{Job: b.job, Worker: fmt.Sprint(w), Sites: 4, PerSite: 2, TTL: 2 * time.Second}, pages) {
			}
		})
	}
	ended := make(chan struct{})
	go func() { wg.Wait(); close(ended) }()
	cuts := 0
	for over := false; !over; {
		select {
		case <-ended:
			over = true
		case <-time.After(300 * time.Millisecond): // time for connections and commits
			if cuts == 20 {
				continue
			}
			way.cut()
			cuts++
			time.Sleep(10 * time.Millisecond)
			way.open()
		}
	}
	t.Logf("%d outages", cuts)
	checkSynthetic(b, pages)
}

// workSlowly is work without a clock of its own.
func (b *bench) workSlowly(f *frontier.Frontier, q frontier.LeaseRequest, pages uint64) bool {
	ctx := b.t.Context()
	turns, err := f.Lease(ctx, q)
	if err != nil {
		b.t.Error(err)
		return false
	}
	if len(turns) == 0 {
		s, err := f.Stats(ctx, q.Job)
		if err != nil {
			b.t.Error(err)
			return false
		}
		time.Sleep(5 * time.Millisecond)
		return s.Queued > 0
	}
	for _, turn := range turns {
		if _, err := f.Commit(ctx, []frontier.Commit{{Turn: turn, Outcomes: readSynthetic(turn, pages)}}); err != nil {
			b.t.Error(err)
			return false
		}
	}
	return true
}

// TestAway wants an error that says what is wrong when the database stays away, and
// none that shows the password or the address.
func TestAway(t *testing.T) {
	for _, c := range []struct {
		name string
		dial func(context.Context) (net.Conn, error)
		want string
	}{
		{"refused", func(context.Context) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 9, 8, 7), Port: 5499}, Err: errors.New("connect: connection refused")}
		}, "refuses"},
		{"no name", func(context.Context) (net.Conn, error) {
			return nil, &net.DNSError{Err: "no such host", Name: "db.corp"}
		}, "no address"},
		{"not PostgreSQL", func(context.Context) (net.Conn, error) {
			a, b := net.Pipe()
			go func() {
				b.Read(make([]byte, 10))
				io.WriteString(b, "HTTP/1.1 400 Bad Request hush-password\r\n\r\n")
				b.Close()
			}()
			return a, nil
		}, "no connection"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, err := frontier.ParseAddress("postgres://crawler:hush-password@10.9.8.7:5499/crawl?sslmode=disable")
			if err != nil {
				t.Fatal(err)
			}
			// The first error counts: with patience, one call would wait for the database.
			_, err = frontier.OpenPostgres(t.Context(), a, c.dial, frontier.Options{Patience: time.Nanosecond})
			if frontier.CodeOf(err) != frontier.Unavailable || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want unavailable and %q", err, c.want)
			}
			if s := fmt.Sprintf("%v %+v %#v", err, err, errors.Unwrap(err)); strings.Contains(s, "hush") || strings.Contains(s, "10.9.8.7") {
				t.Errorf("the error shows the password or the address: %s", s)
			}
		})
	}
}

// TestWrongPassword does not wait for the database: it is not away.
func TestWrongPassword(t *testing.T) {
	place := postgresPlace(t)
	rest := place[strings.LastIndexByte(place, '@'):]
	_, err := openPostgres("postgres://spyhop:hush-password"+rest, frontier.Options{Patience: time.Hour})
	if frontier.CodeOf(err) != frontier.Unavailable || strings.Contains(err.Error(), "hush") || !strings.Contains(err.Error(), "28P01") {
		t.Errorf("error %v", err)
	}
}
