package e2e_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/egress"
)

// internet is a double of the internet: hosts by name, each with a handler,
// behind an upstream proxy on loopback. What a client asks for takes the whole
// way, with names, addresses, policy and TLS. A host without a handler has a
// name and takes no connection.
type internet struct {
	hosts  map[string]http.HandlerFunc
	config spyhop.Config // leads there
	pem    []byte        // the authority that programs besides have to trust

	mu    sync.Mutex
	asked []string // "GET https://host/path?query", in order
	conns chan net.Conn
}

// newInternet makes one, and a configuration of the library that leads there. The
// program that is built with the tag spyhop_e2e finds it by the environment of a
// world.
func newInternet(t testing.TB, c spyhop.Config, hosts map[string]http.HandlerFunc) *internet {
	n := &internet{hosts: hosts, conns: make(chan net.Conn)}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cert, roots := certificate(t, slices.Collect(maps.Keys(hosts)))
	server := &http.Server{Handler: http.HandlerFunc(n.answer), ErrorLog: log.New(io.Discard, "", 0)}
	served := make(chan error)
	go func() { served <- server.Serve(&tunnels{listener, n.conns}) }()
	var accepting sync.WaitGroup
	accepting.Go(func() { n.accept(listener, &tls.Config{Certificates: []tls.Certificate{cert}}) })
	t.Cleanup(func() {
		listener.Close()
		accepting.Wait()
		close(n.conns)
		server.Close()
		<-served
	})
	table := make(map[string][]string)
	for name, address := range otherNames {
		table[name] = []string{address}
	}
	resolver := egress.StaticResolver(table, netip.MustParseAddr(publicAddress))
	c.Proxy = "http://" + listener.Addr().String()
	c.Resolver, c.RootCAs = resolver, roots
	n.config = c
	n.pem = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Certificate[0]})
	return n
}

// accept opens the tunnels that are asked for, with TLS on port 443.
func (n *internet) accept(l net.Listener, config *tls.Config) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		req, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil || req.Method != http.MethodConnect {
			conn.Close()
			continue
		}
		io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		if strings.HasSuffix(req.RequestURI, ":443") {
			conn = tls.Server(conn, config)
		}
		n.conns <- conn
	}
}

// answer is every host.
func (n *internet) answer(w http.ResponseWriter, r *http.Request) {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	n.mu.Lock()
	n.asked = append(n.asked, r.Method+" "+scheme+"://"+r.Host+r.URL.String())
	n.mu.Unlock()
	host := n.hosts[r.Host]
	if host == nil {
		panic(http.ErrAbortHandler)
	}
	host(w, r)
}

// publicAddress is example.com's; all names of the double resolve to it.
const publicAddress = "93.184.215.14"

// otherNames have another address: a network behind a firewall.
var otherNames = map[string]string{"private.example.com": "10.0.0.7"}

// names is what otherNames and publicAddress are for the tagged program.
func names() string {
	entries := []string{publicAddress}
	for _, name := range slices.Sorted(maps.Keys(otherNames)) {
		entries = append(entries, name+"="+otherNames[name])
	}
	return strings.Join(entries, ",")
}

// requests are those since the last call.
func (n *internet) requests() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	asked := n.asked
	n.asked = nil
	return asked
}

// client returns a client that lives there.
func (n *internet) client(t testing.TB) *spyhop.Client {
	t.Helper()
	client, err := spyhop.New(n.config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// tunnels is the listener whose connections come out of a channel.
type tunnels struct {
	net.Listener
	conns chan net.Conn
}

func (t *tunnels) Accept() (net.Conn, error) {
	conn, ok := <-t.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

// Close leaves the real listener to its owner.
func (t *tunnels) Close() error { return nil }

// certificate makes one for the names, and the authorities that vouch for it.
func certificate(t testing.TB, names []string) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: names, NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}

// The double is a valid one only if it detects the requests that it is for.
func TestInternet(t *testing.T) {
	n := newInternet(t, spyhop.Config{}, map[string]http.HandlerFunc{"example.com": serves("text/html", "<p>here</p>"), "example.org": nil})
	client := n.client(t)
	r, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: "http://example.com/a?b=c"})
	if err != nil || r.Markdown != "here" {
		t.Errorf("%v %v", r, err)
	}
	if _, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: "https://example.org/"}); err == nil {
		t.Error("a host that takes no connection answered")
	}
	if _, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: "https://example.net/"}); err == nil {
		t.Error("a host without a certificate answered")
	}
	if got := fmt.Sprint(n.requests()); !strings.HasPrefix(got, "[GET https://example.com/a?b=c GET https://example.org/") {
		t.Error(got)
	}
}
