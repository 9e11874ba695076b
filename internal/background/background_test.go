//go:build linux || darwin

package background

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func folder(t *testing.T) string {
	t.Helper()
	// A short path: t.TempDir has the name of the test.
	dir, err := os.MkdirTemp("", "bg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	f, err := Folder(dir, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFolder(t *testing.T) {
	runtime := t.TempDir()
	if err := os.Chmod(runtime, 0o700); err != nil {
		t.Fatal(err)
	}
	open := t.TempDir()
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	env := func(dir string) func(string) (string, bool) {
		return func(string) (string, bool) { return dir, dir != "" }
	}
	for _, c := range []struct{ runtime, data, want, err string }{
		{runtime, data, filepath.Join(runtime, "spyhop"), ""},
		{"", data, filepath.Join(data, "run"), ""},
		{"relative", data, filepath.Join(data, "run"), ""},
		{open, data, filepath.Join(data, "run"), ""}, // others can put files into it
		{"", "", "", "WEB_DATA_DIR"},
		{"", filepath.Join(data, strings.Repeat("x", 100)), "", "shorter path"},
	} {
		got, err := Folder(c.data, env(c.runtime))
		if got != c.want && c.err == "" || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("Folder(%q, %q) = %q, %v; want %q, %q", c.data, c.runtime, got, err, c.want, c.err)
		}
	}
	info, err := os.Stat(filepath.Join(data, "run"))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v; want mode 0700", info.Mode(), err)
	}
}

func TestSocket(t *testing.T) {
	dir, ctx := folder(t), context.Background()
	if _, err := Dial(ctx, dir); !errors.Is(err, ErrNone) {
		t.Fatalf("Dial without a listener: %v, want ErrNone", err)
	}
	// A socket that a killed process has left.
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, socketName), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	_ = left.Close()
	if _, err := Dial(ctx, dir); !errors.Is(err, ErrNone) {
		t.Fatalf("Dial to a socket without a listener: %v, want ErrNone", err)
	}
	l, err := Listen(dir)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, socketName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v; want mode 0600", info.Mode(), err)
	}
	if _, err := Listen(dir); !errors.Is(err, errRunning) {
		t.Errorf("a second listener: %v, want errRunning", err)
	}
	accepted := make(chan net.Conn, 1)
	go func() {
		c, err := l.Accept()
		if err == nil {
			_, _ = io.WriteString(c, "hello")
			_ = c.Close()
		}
		accepted <- c
	}()
	c, err := Dial(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(c); string(data) != "hello" {
		t.Errorf("read %q, %v", data, err)
	}
	_ = c.Close()
	<-accepted
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(ctx, dir); !errors.Is(err, ErrNone) {
		t.Errorf("Dial after the end: %v, want ErrNone", err)
	}
	again, err := Listen(dir)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
}

// TestOtherUser refuses other users, and a folder that they can write to.
func TestOtherUser(t *testing.T) {
	if err := sameUser(1001, 1000); err == nil {
		t.Error("another user is accepted")
	}
	if err := sameUser(1000, 1000); err != nil {
		t.Error(err)
	}
	if err := sameUser(0, 1000); err == nil {
		t.Error("the superuser is accepted at a user's socket")
	}
	dir := folder(t)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(context.Background(), dir); err == nil || !strings.Contains(err.Error(), "chmod 700") {
		t.Errorf("a folder that others can write: %v", err)
	}
}
