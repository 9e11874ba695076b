package frontier

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Address is where a PostgreSQL server is, and as whom it is asked. Make one with
// [ParseAddress].
type Address struct {
	// Server is https://host:port, for the egress policy; it has no user name.
	Server                   weburl.URL
	user, password, database string
	tls                      *tls.Config // nil: no TLS
}

const (
	postgresPort = "5432"
	addressForm  = "use postgres://user:password@host:port/database"
)

// TLS modes of an address, as libpq names them. Those that fall back to a
// connection without TLS (allow, prefer) are refused.
const (
	tlsDisable = "disable"     // no TLS
	tlsRequire = "require"     // TLS; any certificate
	tlsCA      = "verify-ca"   // a certificate of a known authority, for any host
	tlsFull    = "verify-full" // a certificate of a known authority, for this host
)

// ParseAddress reads postgres://user:password@host:port/database?sslmode=MODE. The
// parameters sslrootcert, sslcert and sslkey name PEM files. Without sslmode it is
// verify-full, and disable for a loopback address. PG* variables, .pgpass and service files do not
// count. The error repeats nothing of the address, which may hold a password.
func ParseAddress(raw string) (Address, error) {
	rest, ok := strings.CutPrefix(raw, "postgres://")
	if !ok {
		if rest, ok = strings.CutPrefix(raw, "postgresql://"); !ok {
			return Address{}, errors.New("it has another scheme: " + addressForm)
		}
	}
	authority, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	var a Address
	host := authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		name, password, _ := strings.Cut(authority[:i], ":")
		var err, err2 error
		a.user, err = url.PathUnescape(name)
		a.password, err2 = url.PathUnescape(password)
		if err != nil || err2 != nil {
			return a, errors.New("user name or password have a % that is no escape: write it as %25")
		}
		host = authority[i+1:]
	}
	path, query, _ := strings.Cut(path, "?")
	database, err := url.PathUnescape(strings.TrimPrefix(path, "/"))
	switch {
	case err != nil || database == "" || strings.ContainsAny(database, "/#"):
		return a, errors.New("it names no database: " + addressForm)
	case a.user == "":
		return a, errors.New("it names no user: " + addressForm)
	case strings.ContainsRune(a.user+a.password+database, 0):
		return a, errors.New("it has a NUL byte: " + addressForm)
	}
	a.database = database
	if err := a.setServer(host); err != nil {
		return a, err
	}
	return a, a.setTLS(query)
}

func (a *Address) setServer(host string) error {
	if strings.HasSuffix(host, "]") || !strings.Contains(host, ":") {
		host += ":" + postgresPort
	}
	u, err := weburl.Parse("https://" + host + "/")
	if err != nil || u.Host() == "" || u.Path() != "/" || u.HasUserinfo() || u.Oddities() != 0 || strings.Contains(u.Host(), ",") {
		return errors.New("its host is not one host, or its port is not a number (sockets of the file system and lists of hosts are not spoken): " + addressForm)
	}
	a.Server = u
	return nil
}

func (a *Address) setTLS(query string) error {
	options, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("its options cannot be read: " + addressForm)
	}
	for name := range options {
		switch name {
		case "sslmode", "sslrootcert", "sslcert", "sslkey":
		default:
			return errors.New("it has an option that is not spoken: sslmode, sslrootcert, sslcert and sslkey are")
		}
	}
	mode := options.Get("sslmode")
	if mode == "" {
		mode = tlsFull
		if ip, ok := a.Server.Addr(); ok && ip.Unmap().IsLoopback() || a.Server.Host() == "localhost" {
			mode = tlsDisable
		}
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: a.Server.Host()}
	switch mode {
	case tlsDisable:
		return nil
	case tlsRequire, tlsCA:
		config.InsecureSkipVerify = true
	case tlsFull:
	case "allow", "prefer":
		return errors.New("sslmode allow and prefer may go on without TLS: use disable, require, verify-ca or verify-full")
	default:
		return errors.New("its sslmode is unknown: use disable, require, verify-ca or verify-full")
	}
	if file := options.Get("sslrootcert"); file != "" {
		pem, err := os.ReadFile(file)
		config.RootCAs = x509.NewCertPool()
		if err != nil || !config.RootCAs.AppendCertsFromPEM(pem) {
			return errors.New("sslrootcert is not a readable file with certificates in PEM")
		}
		if mode == tlsRequire { // as libpq: with a root certificate, the certificate is verified
			mode = tlsCA
		}
	}
	if mode == tlsCA {
		roots := config.RootCAs
		config.VerifyConnection = func(s tls.ConnectionState) error { return verifyChain(s, roots) }
	}
	if cert, key := options.Get("sslcert"), options.Get("sslkey"); cert != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return errors.New("sslcert and sslkey are not a certificate and its key in PEM")
		}
		config.Certificates = []tls.Certificate{pair}
	}
	a.tls = config
	return nil
}

// verifyChain is verify-ca: the chain, not the name.
func verifyChain(s tls.ConnectionState, roots *x509.CertPool) error {
	if len(s.PeerCertificates) == 0 {
		return errors.New("the server has no certificate")
	}
	o := x509.VerifyOptions{Roots: roots, Intermediates: x509.NewCertPool()}
	for _, c := range s.PeerCertificates[1:] {
		o.Intermediates.AddCert(c)
	}
	_, err := s.PeerCertificates[0].Verify(o)
	return err
}

// String is the address without password and options.
func (a Address) String() string {
	return "postgres://" + url.PathEscape(a.user) + "@" + a.Server.HostPort() + "/" + url.PathEscape(a.database)
}

// local reports whether the server is on this machine, as far as the address says.
func (a Address) local() bool {
	ip, err := netip.ParseAddr(a.Server.Host())
	return err == nil && ip.Unmap().IsLoopback() || a.Server.Host() == "localhost"
}

// config is the address for pgx. pgx takes only configurations that its parser has
// made, and the parser reads the environment and files of the home folder. So it
// gets a text in which everything that would be read is given, and each of its
// answers that counts is replaced.
func (a Address) config() (*pgx.ConnConfig, error) {
	// With a socket as the host, no TLS files are read; with a password, no .pgpass.
	text := "host=/nowhere port=1 user=x password=x database=x sslmode=disable sslcertmode=disable sslnegotiation=postgres" +
		" connect_timeout=0 target_session_attrs=any min_protocol_version=3.0 max_protocol_version=3.0 channel_binding=prefer require_auth=''"
	if os.Getenv("PGSERVICE") != "" {
		// The parser looks for this service in a file. It finds an empty one in ours.
		f, err := os.CreateTemp("", "spyhop-")
		if err != nil {
			return nil, err
		}
		defer os.Remove(f.Name())
		_, err = f.WriteString("[spyhop]\n")
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return nil, err
		}
		text += " service=spyhop servicefile='" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(f.Name()) + "'"
	}
	c, err := pgx.ParseConfig(text)
	if err != nil {
		return nil, fmt.Errorf("pgx reads its environment: %w", err)
	}
	c.Host, c.Port = a.Server.Host(), uint16(a.Server.EffectivePort())
	c.User, c.Password, c.Database = a.user, a.password, a.database
	c.TLSConfig, c.Fallbacks, c.SSLCertMode = nil, nil, "allow"
	if a.tls != nil {
		c.TLSConfig = a.tls.Clone()
	}
	c.KerberosSpn, c.KerberosSrvName = "", ""
	// A server that is not the one could ask for the password itself.
	if a.tls == nil && !a.local() {
		c.RequireAuth = "scram-sha-256"
	}
	c.ValidateConnect, c.AfterConnect, c.OAuthTokenProvider = nil, nil, nil
	c.MaxProtocolMessageBodyLen = 1 << 30 // what one value of PostgreSQL can have
	c.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
	c.RuntimeParams = map[string]string{
		"application_name": "spyhop",
		"timezone":         "UTC",
		"search_path":      "pg_catalog",
		// A worker that hangs does not hold its locks for long.
		"idle_in_transaction_session_timeout": "60000",
		"lock_timeout":                        "30000",
		// Every statement looks rows up by a key, and gets the keys as arrays. The planner
		// knows neither how long these are nor, in a new database, how large the tables
		// are, and would read whole jobs.
		"plan_cache_mode":   "force_generic_plan",
		"enable_seqscan":    "off",
		"enable_bitmapscan": "off",
		"enable_hashjoin":   "off",
		"enable_mergejoin":  "off",
		"enable_material":   "off",
		"enable_sort":       "off",
		"jit":               "off",
	}
	return c, nil
}
