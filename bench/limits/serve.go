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
	"time"
)

// served reads a document through a server of the program that is started for it, with
// POST /v1/tools/web_fetch; late is a call with a deadline. What workers take is not in it.
func served(program string, body []byte, mediaType string, late bool) (c cost, err error) {
	dir, err := os.MkdirTemp("", "limits")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	now := []byte("<p>small")
	pages := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		kind := mediaType
		if len(now) < 10 {
			kind = "text/html"
		}
		out.Header().Set("Content-Type", kind+"; charset=utf-8")
		_, _ = out.Write(now)
	}))
	defer pages.Close()
	ready := filepath.Join(dir, "ready")
	cmd := exec.Command(program, "serve", "--listen", "127.0.0.1:0", "--ready-file", ready)
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "WEB_DATA_DIR="+filepath.Join(dir, "data"), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir,
		"WEB_ALLOW_PRIVATE=127.0.0.1", "WEB_HTTP=allow")
	if err := cmd.Start(); err != nil {
		return c, err
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	address := ""
	for begun := time.Now(); address == ""; time.Sleep(5 * time.Millisecond) {
		data, _ := os.ReadFile(ready)
		address = strings.TrimSpace(string(data))
		if time.Since(begun) > 20*time.Second {
			return c, errors.New("the server is not ready")
		}
	}
	ask := func(path string, timeout time.Duration) error {
		r, err := http.Post(address+"/v1/tools/web_fetch", "application/json", strings.NewReader(fmt.Sprintf(`{"url":%q,"render":"never","timeout_ms":%d}`, pages.URL+path, timeout.Milliseconds())))
		if err != nil {
			return err
		}
		defer r.Body.Close()
		answer, err := io.ReadAll(r.Body)
		if r.StatusCode != http.StatusOK && path == "/small" {
			return fmt.Errorf("%s: %.200s", r.Status, answer)
		}
		return err
	}
	if err := ask("/small", time.Minute); err != nil {
		return c, err
	}
	time.Sleep(200 * time.Millisecond)
	pid := cmd.Process.Pid
	idle, before := memoryOf(pid, "VmRSS:"), usedBy(pid)
	now = body
	timeout := time.Minute
	if late {
		timeout = deadline
	}
	atDeadline := make(chan time.Duration, 1)
	timer := time.AfterFunc(deadline, func() { atDeadline <- usedBy(pid) })
	start := time.Now()
	if err := ask("/", timeout); err != nil {
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
