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
	// example.com's address; whose names it stands for does not matter.
	resolver := egress.StaticResolver(nil, netip.MustParseAddr("93.184.215.14"))
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

// serves is a handler that gives one body.
func serves(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, body)
	}
}

// article is a page with main content that several tests read.
func article(title, content string) string {
	return `<!DOCTYPE html><html lang="en"><head><title>` + title + `</title><style>p{margin:0}</style><script>var tracked = 1</script></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav>
<main><article><h1>` + title + `</h1>` + content + `</article></main>
<aside class="ad"><a href="https://ads.example.net/buy">Buy now</a></aside><footer><p>© 2026 Harbour Press. All rights reserved.</p></footer></body></html>`
}

// fog is a paragraph, long enough to be taken for content.
const fog = `<p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the open sea, and nobody on deck spoke.</p>`

// story is that many paragraphs, none like another.
func story(paragraphs int) string {
	var b strings.Builder
	for i := range paragraphs {
		fmt.Fprintf(&b, "<p>On day %d the ferry left the quay at %d minutes past dawn and followed the coast for %d miles before the fog came in from the open sea.</p>", i+1, i%60, i+7)
	}
	return b.String()
}

// The double is worth something only if what it stands for is seen there.
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

const examplePage = `<!DOCTYPE html><html lang="en"><head><title>Ferries in fog</title></head><body>
<nav><ul><li><a href="/news">News</a></li><li><a href="/shop">Shop</a></li></ul></nav>
<main><article><h1>Ferries in fog</h1>
<p>The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the open sea, and nobody on deck spoke.</p>
<p>The horn of the lighthouse was the only thing that told the pilot where he was going, and he had heard it every day for nineteen years.</p></article></main>
<footer><p>© 2026 Harbour Press</p></footer></body></html>`

// site is a client on an internet of one host, and that host's address.
func site(t testing.TB, c spyhop.Config) (*spyhop.Client, string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/page", serves("text/html; charset=utf-8", examplePage))
	mux.HandleFunc("/headers", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "agent=%s query=%s", r.UserAgent(), r.URL.RawQuery)
	})
	mux.HandleFunc("/inside", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
	})
	return newInternet(t, c, map[string]http.HandlerFunc{"site.example.org": mux.ServeHTTP}).client(t), "https://site.example.org"
}
