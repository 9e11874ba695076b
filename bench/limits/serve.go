package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// served reads what a site answers through a server of the program that is started for it, in
// one of the calls of [overHTTP]; late is a call with a deadline. What workers take is not in it.
func served(program string, site http.HandlerFunc, mediaType, name string, late bool) (c cost, err error) {
	how, ok := overHTTP[name]
	if !ok {
		return c, fmt.Errorf("no call %q", name)
	}
	dir, err := os.MkdirTemp("", "limits")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	var now atomic.Pointer[http.HandlerFunc]
	pages := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { (*now.Load())(out, r) }))
	defer pages.Close()
	small := documentOf("text/html", []byte("<p>small"))
	now.Store(&small)
	cmd, address, err := startServer(program, dir)
	if err != nil {
		return c, err
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	ask := func(how overHTTPCall, page string, timeout time.Duration) error {
		r, err := how(address, pages.URL+page, timeout)
		if err != nil {
			return err
		}
		defer r.Body.Close()
		answer, err := io.ReadAll(r.Body)
		if r.StatusCode != http.StatusOK && page == "/small" || os.Getenv("LIMITS_ERRORS") != "" {
			err = errors.Join(err, fmt.Errorf("%s: %.300s", r.Status, answer))
			fmt.Fprintln(os.Stderr, err)
		}
		return err
	}
	if err := ask(overHTTP["fetch"], "/small", time.Minute); err != nil {
		return c, err
	}
	if name == "since" {
		older := http.HandlerFunc(olderPage(mediaType))
		now.Store(&older)
		if err := ask(overHTTP["fetch"], "/", time.Minute); err != nil {
			return c, err
		}
	}
	time.Sleep(200 * time.Millisecond)
	pid := cmd.Process.Pid
	idle, before := memoryOf(pid, "VmRSS:"), usedBy(pid)
	now.Store(&site)
	timeout := time.Minute
	if late {
		timeout = deadline
	}
	atDeadline := make(chan time.Duration, 1)
	timer := time.AfterFunc(deadline, func() { atDeadline <- usedBy(pid) })
	start := time.Now()
	if err := ask(how, "/", timeout); err != nil {
		return c, err
	}
	c.Late = time.Since(start) - deadline
	for last := time.Duration(-1); last != usedBy(pid); time.Sleep(100 * time.Millisecond) { // what it does after the answer
		last = usedBy(pid)
	}
	c.CPU, c.Memory = usedBy(pid)-before, memoryOf(pid, "VmHWM:")-idle
	if !timer.Stop() {
		c.After = usedBy(pid) - <-atDeadline
	}
	if late {
		c.Memory, c.CPU = 0, 0
	} else {
		c.Late, c.After = 0, 0
	}
	return c, nil
}

// documentOf answers every request with a document.
func documentOf(mediaType string, body []byte) http.HandlerFunc {
	return func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", mediaType+"; charset=utf-8")
		_, _ = out.Write(body)
	}
}

// startServer starts the program as a server, and waits until it is ready.
func startServer(program, dir string) (cmd *exec.Cmd, address string, err error) {
	ready := filepath.Join(dir, "ready")
	cmd = exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--ready-file", ready)
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "WEB_DATA_DIR="+filepath.Join(dir, "data"), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir,
		"WEB_ALLOW_PRIVATE=127.0.0.1", "WEB_HTTP=allow", "WEB_TIMEOUT="+max(deadline, time.Second).String())
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		data, _ := os.ReadFile(ready)
		if address = strings.TrimSpace(string(data)); address != "" {
			return cmd, address, nil
		}
		if time.Since(begun) > 20*time.Second {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			return nil, "", errors.New("the server is not ready")
		}
	}
}

// usedBy is the processor time of a process, 0 where /proc does not tell.
func usedBy(pid int) time.Duration {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(string(f[11]))
	system, _ := strconv.Atoi(string(f[12]))
	return time.Duration(user+system) * 10 * time.Millisecond
}
