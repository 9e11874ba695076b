//go:build unix

package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestDescriptors: what the parent of a server has left open, as systemd leaves its socket,
// reaches none of the processes that the server starts, and the one that reads documents has
// none of root's powers.
func TestDescriptors(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc lists descriptors")
	}
	w := newWorld(t, map[string]http.HandlerFunc{
		"papers.example.com": serves("application/pdf", pdfOf("Fog", []string{"The ferry left the quay at dawn."})),
	})
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	pipe, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", write.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	// A server that searches, which notes what it has open and then is none.
	list, script := filepath.Join(w.home, "open"), filepath.Join(w.home, "search.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nls -l /proc/$$/fd > '"+list+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := w.command(context.Background(), "descriptors", "serve", "--listen", "127.0.0.1:0")
	c.Env = append(c.Env, "WEB_SEARCH_MCP="+script)
	c.ExtraFiles = []*os.File{write}
	at, err := start(t, c)
	if err != nil {
		t.Fatal(err)
	}
	open := func(pid int) (out string) {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, l := range links {
			to, _ := os.Readlink(l)
			out += l + " " + to + "\n"
		}
		return out
	}
	if got := open(c.Process.Pid); !strings.Contains(got, pipe) {
		t.Fatalf("the server does not have %s: the test tests nothing\n%s", pipe, got)
	}
	for _, call := range [][2]string{{"web_fetch", `{"url":"https://papers.example.com/fog.pdf"}`}, {"web_search", `{"query":"fog"}`}} {
		r, err := http.Post(at+"/v1/tools/"+call[0], "application/json", strings.NewReader(call[1]))
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
	}
	workers := workersOf(c.Process.Pid)
	if len(workers) == 0 {
		t.Error("no process reads documents")
	}
	for _, pid := range workers {
		if got := open(pid); strings.Contains(got, pipe) {
			t.Errorf("the process that reads documents has what the server's parent had:\n%s", got)
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"CapEff:\t0000000000000000\n", "CapPrm:\t0000000000000000\n"} {
			if !strings.Contains(string(status), want) {
				t.Errorf("the process that reads documents: no %q in\n%s", want, status)
			}
		}
	}
	if b, err := os.ReadFile(list); err != nil || len(b) == 0 || strings.Contains(string(b), pipe) {
		t.Errorf("the server that searches has %v\n%s", err, b)
	}
}
