package fetch

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// resolving is a client with the real guard and another resolver.
func resolving(t *testing.T, r egress.Resolver) *Client {
	t.Helper()
	guard, err := egress.New(egress.Policy{Resolver: r})
	if err != nil {
		t.Fatal(err)
	}
	return client(t, Options{
		RoundTripper: guard.RoundTripper(),
		Judge: func(u weburl.URL) (weburl.URL, error) {
			u, d := guard.Judge(u)
			return u, d.Err()
		},
	})
}

// never answers, as a name server that is gone.
type never struct{}

func (never) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// A name server that does not answer costs as much as the call has (T17).
func TestDNSNeverAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := resolving(t, never{})
		begun := time.Now()
		_, err := c.Get(t.Context(), Request{URL: parse(t, "https://hostile.example.com/"), Timeout: 20 * time.Second})
		if e := failure(t, err, Timeout); e.Error() != "timed out after 20 seconds while looking up the host" || time.Since(begun) != 20*time.Second {
			t.Errorf("%v after %v", e, time.Since(begun))
		}
	})
}

// Name servers on loopback that answer with too much or in circles (T17), asked
// by Go's own resolver.
func TestHostileDNS(t *testing.T) {
	name := dnsmessage.MustNewName("hostile.example.com.")
	other := dnsmessage.MustNewName("other.example.com.")
	header := func(n dnsmessage.Name, k dnsmessage.Type) dnsmessage.ResourceHeader {
		return dnsmessage.ResourceHeader{Name: n, Type: k, Class: dnsmessage.ClassINET, TTL: 60}
	}
	addresses := func(n int) []dnsmessage.Resource {
		var all []dnsmessage.Resource
		for i := range n {
			all = append(all, dnsmessage.Resource{Header: header(name, dnsmessage.TypeA),
				Body: &dnsmessage.AResource{A: [4]byte{8, 8, byte(i >> 8), byte(i)}}})
		}
		return all
	}
	alias := func(from, to dnsmessage.Name) dnsmessage.Resource {
		return dnsmessage.Resource{Header: header(from, dnsmessage.TypeCNAME), Body: &dnsmessage.CNAMEResource{CNAME: to}}
	}
	for _, c := range []struct {
		name    string
		answers []dnsmessage.Resource
		code    Code
		why     string
	}{
		{"1000 addresses", addresses(1000), Blocked, "hostile.example.com has too many addresses"},
		{"64 KB", addresses(4000), Blocked, "hostile.example.com has too many addresses"},
		{"circle of aliases", []dnsmessage.Resource{alias(name, other), alias(other, name)}, ConnectionError, "no such host"},
		{"alias of itself", []dnsmessage.Resource{alias(name, name)}, ConnectionError, "no such host"},
		{"nothing", nil, ConnectionError, "no such host"},
	} {
		t.Run(c.name, func(t *testing.T) {
			noLeak(t)
			var servers sync.WaitGroup
			defer servers.Wait()
			resolver := &net.Resolver{PreferGo: true, Dial: func(_ context.Context, network, _ string) (net.Conn, error) {
				ours, theirs := net.Pipe() // a stream: the resolver speaks as over TCP
				servers.Go(func() { serveDNS(theirs, c.answers) })
				return ours, nil
			}}
			_, err := resolving(t, resolver).Get(t.Context(), Request{URL: parse(t, "https://hostile.example.com/")})
			if e := failure(t, err, c.code); e.Error() != c.why {
				t.Errorf("%v (%v)", e, e.Cause)
			}
		})
	}
}

// serveDNS answers questions for addresses with the same records.
func serveDNS(c net.Conn, answers []dnsmessage.Resource) {
	defer c.Close()
	for {
		var length [2]byte
		if _, err := io.ReadFull(c, length[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(c, question); err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(question) != nil || len(m.Questions) != 1 {
			return
		}
		m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
		if m.Questions[0].Type == dnsmessage.TypeA {
			m.Answers = answers
		}
		b, err := m.Pack()
		if err != nil || len(b) > 0xffff {
			return
		}
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(b))), b...)); err != nil {
			return
		}
	}
}
