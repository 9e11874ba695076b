package main

import (
	"bufio"
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
	"syscall"
	"time"

	"github.com/spyhop-dev/spyhop/bench/internal/leftover"
)

// starter starts the program so that it takes calls at an address, until end is called.
type starter func(program, dir string, settings ...string) (pid int, address string, end func(), err error)

// served reads what a site answers through a server of the program that is started for it, in
// one of the calls of [overHTTP]; late is a call with a deadline. What workers take is not in it.
func served(start starter, program string, site http.HandlerFunc, mediaType, name string, late bool) (c cost, err error) {
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
	var asked atomic.Int64
	pages := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		(*now.Load())(out, r)
	}))
	defer pages.Close()
	small := documentOf("text/html", []byte("<p>small"))
	now.Store(&small)
	var settings []string
	if late { // of calls that have no argument for it
		settings = append(settings, fmt.Sprintf("WEB_FETCH_TIMEOUT_MS=%d", deadline.Milliseconds()))
	}
	pid, address, end, err := start(program, dir, settings...)
	if err != nil {
		return c, err
	}
	defer end()
	ask := func(how overHTTPCall, page string, timeout time.Duration) error {
		r, err := how(address, pages.URL+page, timeout)
		if err != nil {
			return err
		}
		defer r.Body.Close()
		answer, err := io.ReadAll(r.Body)
		if r.StatusCode != http.StatusOK && page == "/small" {
			err = errors.Join(err, fmt.Errorf("%s: %.300s", r.Status, answer))
		}
		if os.Getenv("LIMITS_ERRORS") != "" {
			fmt.Fprintf(os.Stderr, "%s: %.300s\n", r.Status, answer)
		}
		return err
	}
	first := overHTTP["fetch"]
	if name == "mcp" {
		first = how // the only call on stdio
	}
	if err := ask(first, "/small", time.Minute); err != nil {
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
	idle, before := memoryOf(pid, "VmRSS:"), usedBy(pid)
	now.Store(&site)
	asked.Store(0)
	timeout := time.Minute
	if late {
		timeout = deadline
	}
	atDeadline := make(chan time.Duration, 1)
	timer := time.AfterFunc(deadline, func() { atDeadline <- usedBy(pid) })
	begun := time.Now()
	if err := ask(how, "/", timeout); err != nil {
		return c, err
	}
	c.Late = time.Since(begun) - deadline
	for last := time.Duration(-1); last != usedBy(pid); time.Sleep(100 * time.Millisecond) { // what it does after the answer
		last = usedBy(pid)
	}
	c.CPU, c.Memory, c.Asked = usedBy(pid)-before, memoryOf(pid, "VmHWM:")-idle, asked.Load()
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

// startServer starts "spyhop serve", and waits until it is ready.
func startServer(program, dir string, settings ...string) (pid int, address string, end func(), err error) {
	ready := filepath.Join(dir, "ready")
	cmd := command(program, dir, "serve", "--quiet", "--listen", "127.0.0.1:0", "--ready-file", ready)
	cmd.Env = append(cmd.Env, settings...)
	if err := leftover.Start(cmd); err != nil {
		return 0, "", nil, err
	}
	end = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		data, _ := os.ReadFile(ready)
		if address = strings.TrimSpace(string(data)); address != "" {
			return cmd.Process.Pid, address, end, nil
		}
		if time.Since(begun) > 20*time.Second {
			end()
			return 0, "", nil, errors.New("the server is not ready")
		}
	}
}

// startStdio starts "spyhop mcp" behind a server that hands its messages on.
func startStdio(program, dir string, settings ...string) (pid int, address string, end func(), err error) {
	cmd := command(program, dir, "mcp", "--quiet")
	cmd.Env = append(cmd.Env, settings...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, "", nil, err
	}
	if err := leftover.Start(cmd); err != nil {
		return 0, "", nil, err
	}
	lines := bufio.NewReader(out)
	bridge := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		message, err := io.ReadAll(r.Body)
		if err == nil {
			_, err = in.Write(append(message, '\n'))
		}
		var line []byte
		for err == nil && !bytes.Contains(line, []byte(`"id":1`)) { // others are notifications
			line, err = lines.ReadBytes('\n')
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		_, _ = w.Write(line)
	}))
	return cmd.Process.Pid, bridge.URL, func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		bridge.Close()
	}, nil
}

// commanded reads what a site answers with "spyhop fetch", in memory beyond what that takes
// for a small page. What workers take is in its processor time.
func commanded(program string, site http.HandlerFunc) (c cost, err error) {
	dir, err := os.MkdirTemp("", "limits")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	small := documentOf("text/html", []byte("<p>small"))
	pages := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/small" {
			small(out, r)
			return
		}
		site(out, r)
	}))
	defer pages.Close()
	run := func(page string) (cost, error) {
		cmd := command(program, dir, "fetch", "--quiet", "--render", "never", pages.URL+page)
		cmd.Stderr = nil
		if err := cmd.Run(); cmd.ProcessState == nil {
			return cost{}, err
		}
		r := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		return cost{CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), Memory: r.Maxrss << 10}, nil
	}
	idle, err := run("/small")
	if err != nil {
		return c, err
	}
	c, err = run("/")
	c.Memory -= idle.Memory
	return c, err
}

// command is the program with nothing but loopback and a folder of its own.
func command(program, dir string, arguments ...string) *exec.Cmd {
	cmd := exec.Command(program, arguments...)
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "WEB_DATA_DIR="+filepath.Join(dir, "data"), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir,
		"WEB_ALLOW_PRIVATE=127.0.0.1", "WEB_HTTP=allow")
	return cmd
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
