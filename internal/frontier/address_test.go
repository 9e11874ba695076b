package frontier

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	for _, c := range []struct{ raw, shown, password, mode string }{
		{"postgres://u:p%40s%2Fs@db.example.com:5499/crawl", "postgres://u@db.example.com:5499/crawl", "p@s/s", tlsFull},
		{"postgresql://u@DB.example.com/crawl?sslmode=require", "postgres://u@db.example.com:5432/crawl", "", tlsRequire},
		{"postgres://u:a@b@10.1.2.3/crawl?sslmode=verify-ca", "postgres://u@10.1.2.3:5432/crawl", "a@b", tlsCA},
		{"postgres://u:p@localhost/crawl", "postgres://u@localhost:5432/crawl", "p", tlsDisable},
		{"postgres://u:p@[::1]:443/a%20b", "postgres://u@[::1]:443/a%20b", "p", tlsDisable},
		{"postgres://u:p@127.0.0.1/crawl?sslmode=verify-full", "postgres://u@127.0.0.1:5432/crawl", "p", tlsFull},
		{"postgres://u:p@db/crawl?sslmode=disable", "postgres://u@db:5432/crawl", "p", tlsDisable},
	} {
		a, err := ParseAddress(c.raw)
		if err != nil || a.String() != c.shown || a.password != c.password {
			t.Errorf("%s: %v with %q, %v", c.raw, a, a.password, err)
			continue
		}
		mode := tlsDisable
		if a.tls != nil {
			switch mode = tlsRequire; {
			case !a.tls.InsecureSkipVerify:
				mode = tlsFull
			case a.tls.VerifyConnection != nil:
				mode = tlsCA
			}
			if a.tls.ServerName != a.Server.Host() {
				t.Errorf("%s: TLS for %q", c.raw, a.tls.ServerName)
			}
		}
		if mode != c.mode {
			t.Errorf("%s: TLS mode %s, want %s", c.raw, mode, c.mode)
		}
	}
	for _, raw := range []string{"", "mysql://u:hush@h/d", "postgres://hush", "postgres://u:hush@h", "postgres://u:hush@h/", "postgres://:hush@h/d", "postgres://u:hush@h:x/d",
		"postgres://u:hush@h1,h2/d", "postgres://u:hush@/d?host=/tmp", "postgres://u:hush@h/d?sslmode=prefer", "postgres://u:hush@h/d?sslmode=allow", "postgres://u:hush@h/d?sslmode=x",
		"postgres://u:hush@h/d?service=hush", "postgres://u:hush@h/d?options=-c%20x", "postgres://u:hush%@h/d", "postgres://u:hush%00@h/d", "postgres://u:hush@h/d?sslrootcert=/hush&sslmode=require",
		"postgres://u:hush@h/d/e", "postgres://u:hush@0x7f.1/d", "postgres://u:hush@h:99999/d"} {
		if a, err := ParseAddress(raw); err == nil {
			t.Errorf("%q is read as %v", raw, a)
		} else if strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: the error shows it: %v", raw, err)
		}
	}
}

// TestEnvironment wants nothing of what libpq and pgx read from the environment and
// from the home folder.
func TestEnvironment(t *testing.T) {
	home := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write(".pgpass", "*:*:*:*:frompass\n")
	write(".postgresql/root.crt", "broken")
	t.Setenv("HOME", home)
	for name, value := range map[string]string{"PGHOST": "evil.example.com", "PGPORT": "x", "PGUSER": "evil", "PGPASSWORD": "evil", "PGDATABASE": "evil", "PGSERVICE": "evil",
		"PGSERVICEFILE": write("service", "[evil]\nhost=evil.example.com\npassword=evil\noptions=-c evil=1\n"), "PGPASSFILE": write("pass", "*:*:*:*:evil\n"), "PGOPTIONS": "-c evil=1",
		"PGSSLMODE": "evil", "PGSSLROOTCERT": "/nowhere", "PGSSLCERTMODE": "evil", "PGCONNECT_TIMEOUT": "evil", "PGTARGETSESSIONATTRS": "evil", "PGCHANNELBINDING": "evil",
		"PGREQUIREAUTH": "evil", "PGMINPROTOCOLVERSION": "evil", "PGAPPNAME": "evil", "PGTZ": "evil", "PGSSLNEGOTIATION": "direct"} {
		t.Setenv(name, value)
	}
	a, err := ParseAddress("postgres://u@db.example.com/crawl")
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.config()
	if err != nil {
		t.Fatal(err)
	}
	if c.Host != "db.example.com" || c.Port != 5432 || c.User != "u" || c.Password != "" || c.Database != "crawl" || len(c.Fallbacks) != 0 || c.TLSConfig == nil || c.TLSConfig.InsecureSkipVerify ||
		c.ConnectTimeout != 0 || c.RuntimeParams["application_name"] != "spyhop" || c.RuntimeParams["options"] != "" || c.RuntimeParams["timezone"] != "UTC" || c.SSLNegotiation != "postgres" {
		t.Errorf("configuration %+v", c)
	}
	if names, err := c.LookupFunc(t.Context(), "db.example.com"); err != nil || len(names) != 1 || names[0] != "db.example.com" {
		t.Errorf("pgx would look names up: %v, %v", names, err)
	}
}

// TestNoPlaintextPassword wants no answer to a server without TLS, elsewhere, that
// asks for the password itself.
func TestNoPlaintextPassword(t *testing.T) {
	a, err := ParseAddress("postgres://u:hush@db.example.com/crawl?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 1)
	dial := func(context.Context) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			b := make([]byte, 4096)
			server.Read(b)
			server.Write([]byte{'R', 0, 0, 0, 8, 0, 0, 0, 3}) // AuthenticationCleartextPassword
			n, _ := server.Read(b)
			got <- string(b[:n])
			server.Close()
		}()
		return client, nil
	}
	_, err = OpenPostgres(t.Context(), a, dial, Options{Patience: 1})
	if CodeOf(err) != Unavailable {
		t.Errorf("error %v", err)
	}
	if s := <-got; strings.Contains(s, "hush") {
		t.Errorf("the server got %q", s)
	}
}

// TestTLSIsKept wants no connection without TLS where the server has none.
func TestTLSIsKept(t *testing.T) {
	for _, mode := range []string{"", "?sslmode=require", "?sslmode=verify-ca"} {
		a, err := ParseAddress("postgres://u:hush@db.example.com/crawl" + mode)
		if err != nil {
			t.Fatal(err)
		}
		sent := make(chan []byte, 1)
		dial := func(context.Context) (net.Conn, error) {
			client, server := net.Pipe()
			go func() {
				b := make([]byte, 4096)
				n, _ := server.Read(b)
				server.Write([]byte{'N'}) // no TLS here
				m, _ := server.Read(b[n:])
				sent <- b[:n+m]
				server.Close()
			}()
			return client, nil
		}
		_, err = OpenPostgres(t.Context(), a, dial, Options{Patience: 1})
		if CodeOf(err) != Unavailable || !strings.Contains(err.Error(), "TLS") {
			t.Errorf("%q: error %v", mode, err)
		}
		if b := <-sent; len(b) != 8 || strings.Contains(string(b), "hush") {
			t.Errorf("%q: sent %q after the server had no TLS", mode, b)
		}
	}
	if err := verifyChain(tls.ConnectionState{}, nil); err == nil {
		t.Error("a server without a certificate is trusted")
	}
	if !errors.Is(new(pgDB).plain(context.DeadlineExceeded), context.DeadlineExceeded) {
		t.Error("a deadline is lost")
	}
}
