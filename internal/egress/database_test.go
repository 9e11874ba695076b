package egress_test

import (
	"errors"
	"net"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// TestDatabase wants a configured database to be reached on loopback and on any port,
// nothing else through it, and no page or model that way.
func TestDatabase(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	parse := func(s string) weburl.URL {
		u, err := weburl.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	server := parse("https://" + l.Addr().String() + "/")
	var seen []egress.Decision
	g, err := egress.New(egress.Policy{Databases: []weburl.URL{server, parse("https://169.254.169.254:5432/")}, Observe: func(d egress.Decision) { seen = append(seen, d) }})
	if err != nil {
		t.Fatal(err)
	}
	c, err := g.DialDatabase(t.Context(), server)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	for _, other := range []string{"https://127.0.0.1:1/", "https://localhost/", "https://169.254.169.254:5432/", "https://example.com/"} {
		_, err := g.DialDatabase(t.Context(), parse(other))
		if refusal := (*egress.Error)(nil); !errors.As(err, &refusal) {
			t.Errorf("%s: %v, want a refusal", other, err)
		}
	}
	if len(seen) != 5 || !seen[0].Allowed || seen[1].Allowed {
		t.Errorf("decisions %+v", seen)
	}
	if _, d := g.Judge(server); d.Allowed {
		t.Error("the address of the database is allowed for a page")
	}
	if _, err := g.Endpoint(server); err == nil {
		t.Error("the database is an endpoint for requests")
	}
	for _, bad := range []string{"http://db:5432/", "https://u:p@db:5432/"} {
		if _, err := egress.New(egress.Policy{Databases: []weburl.URL{parse(bad)}}); err == nil {
			t.Errorf("%s is taken as a database", bad)
		}
	}
}
