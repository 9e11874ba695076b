package egress

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A process in a network namespace of its own reaches what the proxy allows,
// through a namespaceListener, and nothing else. The test runs itself once more inside of
// the namespace.
func TestListenersOfNamespace(t *testing.T) {
	if target := os.Getenv("EGRESS_TEST_NAMESPACE"); target != "" {
		if err := insideNamespace(target); err != nil {
			t.Fatal(err)
		}
		return
	}
	s := newSite(t, false, nil)
	near, far, err := SocketPair()
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestListenersOfNamespace$", "-test.v")
	cmd.Env = append(os.Environ(), "EGRESS_TEST_NAMESPACE="+s.port)
	cmd.ExtraFiles = []*os.File{far}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	address, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("this kernel gives no network namespace to an ordinary process: %v", err)
	}
	_ = far.Close()
	listeners, err := ReceiveListeners(near, 20*time.Second)
	if err != nil {
		_ = cmd.Wait()
		if strings.Contains(out.String(), syscall.EPERM.Error()) {
			t.Skipf("this kernel gives no powers in a namespace: %s", out.String())
		}
		t.Fatalf("%v\n%s", err, out.String())
	}
	defer listeners.Close()
	l, err := listeners.Listen()
	if err != nil {
		t.Fatal(err)
	}
	proxy := newSession(t, newGuard(t, open([]*site{s}, "a.example.com")), ProxyOptions{Listener: l})
	if proxy.Token() != "" || proxy.Environ() != nil {
		t.Error("a namespaceListener asks for a token")
	}
	_, _ = io.WriteString(address, proxy.Addr()+"\n")
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	if s.hits.Load() != 1 || s.conns.Load() != 1 {
		t.Errorf("%d hits by %d connections, want 1 by 1", s.hits.Load(), s.conns.Load())
	}
	for range 2 { // in the order in which they end
		x := proxy.next(t)
		if site := x.Decision.Allowed && x.Status == 200; !site && x.Decision.Rule != ruleMetadata {
			t.Errorf("heard of %+v", x)
		}
	}
}

// insideNamespace is what runs inside.
func insideNamespace(port string) error {
	if err := SendListeners(os.NewFile(3, "socket pair"), 2); err != nil {
		return err
	}
	// Nothing is near, whatever the flags of a browser say.
	for _, address := range []string{"127.0.0.1:" + port, "169.254.169.254:80", "93.184.215.14:443", "[2606:4700::1111]:443"} {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			return fmt.Errorf("%s was reached without the proxy", address)
		}
	}
	address, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		return err
	}
	tr := &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: strings.TrimSpace(address)}), DisableKeepAlives: true}
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
	return nil
}

// NamespaceListeners are given away again, without what came while nobody listened.
func TestListenersAgain(t *testing.T) {
	near, far, err := SocketPair()
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	defer far.Close()
	if err := sendListeners(far, 1); err != nil {
		t.Fatal(err)
	}
	listeners, err := ReceiveListeners(near, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	l, err := listeners.Listen()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := listeners.Listen(); !errors.Is(err, errNoListener) {
		t.Errorf("one namespaceListener twice: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := l.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed twice: %v", err)
	}
	for _, who := range []string{"stale", "fresh"} {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, who); err != nil {
			t.Fatal(err)
		}
		if who == "stale" {
			if l, err = listeners.Listen(); err != nil {
				t.Fatal(err)
			}
		}
	}
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	got := make([]byte, 5)
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != "fresh" {
		t.Errorf("%q %v", got, err)
	}
	listeners.Close()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		t.Error("somebody still listens")
	}
}

// What does not come is an error, in time.
func TestListenersThatDoNotCome(t *testing.T) {
	for name, end := range map[string]func(*os.File){
		"closed": func(far *os.File) { _ = far.Close() },
		"silent": func(*os.File) {},
		"empty":  func(far *os.File) { _ = syscall.Sendmsg(int(far.Fd()), []byte{1}, nil, nil, 0) },
	} {
		near, far, err := SocketPair()
		if err != nil {
			t.Fatal(err)
		}
		end(far)
		if d, err := ReceiveListeners(near, 50*time.Millisecond); err == nil {
			t.Errorf("%s: listeners have come: %v", name, d)
		}
		_, _ = near.Close(), far.Close()
	}
	if err := SendListeners(nil, 0); err == nil {
		t.Error("no listeners were sent")
	}
}
