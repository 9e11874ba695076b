package egress

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A process in a network namespace of its own reaches what the proxy allows,
// through a Relay, and nothing without it. The test runs itself once more
// inside of the namespace.
func TestRelayInNamespace(t *testing.T) {
	const inner = "EGRESS_TEST_NAMESPACE"
	if v := os.Getenv(inner); v != "" {
		socket, target, _ := strings.Cut(v, " ")
		if err := insideNamespace(socket, target); err != nil {
			t.Fatal(err)
		}
		return
	}
	s := newSite(t, false, nil)
	proxy := newSession(t, newGuard(t, open([]*site{s}, "a.example.com")), ProxyOptions{UnixSocket: filepath.Join(shortDir(t), "proxy")})
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRelayInNamespace$", "-test.v")
	cmd.Env = append(os.Environ(), inner+"="+proxy.Addr()+" "+s.port)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Skipf("this kernel gives no network namespace to an ordinary process: %v", err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	if s.hits.Load() != 1 || s.conns.Load() != 1 {
		t.Errorf("%d hits by %d connections, want 1 by 1", s.hits.Load(), s.conns.Load())
	}
	for range 2 { // in the order in which they end
		x := proxy.next(t)
		if site := x.Decision.Allowed && x.Status == 200; !site && x.Decision.Rule != RuleMetadata {
			t.Errorf("heard of %+v", x)
		}
	}
}

// insideNamespace is what runs inside.
func insideNamespace(socket, port string) error {
	if err := loopbackUp(); err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	// Nothing is near, whatever the flags of a browser say.
	for _, address := range []string{"127.0.0.1:" + port, "169.254.169.254:80", "93.184.215.14:443", "[2606:4700::1111]:443"} {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			return fmt.Errorf("%s was reached without the relay", address)
		}
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- Relay(ctx, l, socket) }()
	tr := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: l.Addr().String()}), DisableKeepAlives: true}
	for raw, want := range map[string]int{"http://a.example.com:" + port + "/": 200, "http://169.254.169.254/latest/": 502} {
		resp, err := (&http.Client{Transport: tr}).Get(raw)
		if err != nil {
			return err
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			return fmt.Errorf("%s: status %d", raw, resp.StatusCode)
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// loopbackUp switches the loopback interface on, by netlink (RTM_NEWLINK with
// IFF_UP for interface 1): a new namespace has it switched off.
func loopbackUp() error {
	fd, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	m := make([]byte, syscall.SizeofNlMsghdr+syscall.SizeofIfInfomsg)
	e := binary.NativeEndian
	e.PutUint32(m[0:], uint32(len(m)))
	e.PutUint16(m[4:], syscall.RTM_NEWLINK)
	e.PutUint16(m[6:], syscall.NLM_F_REQUEST|syscall.NLM_F_ACK)
	e.PutUint32(m[20:], 1) // the interface
	e.PutUint32(m[24:], syscall.IFF_UP)
	e.PutUint32(m[28:], syscall.IFF_UP)
	if err := syscall.Sendto(fd, m, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return err
	}
	answer := make([]byte, 4096)
	n, _, err := syscall.Recvfrom(fd, answer, 0)
	if err != nil {
		return err
	}
	if n >= 20 && e.Uint16(answer[4:]) == syscall.NLMSG_ERROR {
		if errno := int32(e.Uint32(answer[16:])); errno != 0 {
			return syscall.Errno(-errno)
		}
	}
	return nil
}
