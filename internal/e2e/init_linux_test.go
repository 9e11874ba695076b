package e2e_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestProcessOne: as process 1 of a container the program leaves no zombie, also when its
// browser is killed from outside, and it ends when it is asked to.
func TestProcessOne(t *testing.T) {
	needsBrowser(t)
	if os.Getuid() != 0 {
		t.Skip("only root mounts /proc for a process namespace")
	}
	w := newWorld(t, map[string]http.HandlerFunc{"calm.example.org": serves("text/html", "<!doctype html><title>Calm</title><h1>Calm words</h1>")}, "WEB_HTTP=allow")
	c := w.command(context.Background(), "init", "serve", "--listen", "127.0.0.1:0")
	c.Args = append([]string{"sh", "-c", `mount -t proc proc /proc && exec "$0" "$@"`, w.program}, c.Args[1:]...)
	c.Path = "/bin/sh"
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID, Unshareflags: syscall.CLONE_NEWNS}
	at, err := start(t, c)
	if err != nil {
		t.Skip("this kernel gives no process namespace: ", err)
	}
	first := c.Process.Pid
	for range 2 {
		r, err := http.Post(at+"/v1/tools/navigate_to_url", "application/json", strings.NewReader(`{"url":"http://calm.example.org/"}`))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if !strings.Contains(string(body), "Calm words") {
			t.Fatalf("%s: %.500s", r.Status, body)
		}
		killed := 0
		for _, p := range processesOf(t, first) {
			if strings.Contains(p.name, "chrom") {
				_ = syscall.Kill(p.pid, syscall.SIGKILL) // it may have ended with the one before
				killed++
			}
		}
		if killed < 2 {
			t.Fatalf("%d processes of the browser were killed: the test tests nothing", killed)
		}
		zombies := func() []process {
			return slices.DeleteFunc(processesOf(t, first), func(p process) bool { return p.state != "Z" })
		}
		for end := time.Now().Add(time.Minute); len(zombies()) > 0 && time.Now().Before(end); {
			time.Sleep(20 * time.Millisecond)
		}
		if left := zombies(); len(left) > 0 {
			t.Errorf("zombies are left: %v", left)
		}
	}
}

// process is a line of /proc.
type process struct {
	pid         int
	name, state string
}

// processesOf are a process' children and theirs.
func processesOf(t *testing.T, first int) (all []process) {
	t.Helper()
	children := map[int][]process{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range stats {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		pid, rest, _ := strings.Cut(string(b), " (")
		name, rest, _ := strings.Cut(rest, ") ")
		p := process{name: name}
		var parent int
		if _, err := fmt.Sscan(rest, &p.state, &parent); err != nil {
			continue
		}
		p.pid, _ = strconv.Atoi(pid)
		children[parent] = append(children[parent], p)
	}
	for next := []int{first}; len(next) > 0; next = next[1:] {
		for _, p := range children[next[0]] {
			all, next = append(all, p), append(next, p.pid)
		}
	}
	return all
}
