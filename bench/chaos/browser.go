package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// descendants returns the processes that the server has started, with their command lines.
func (s *server) descendants() map[int]string {
	parents, lines := map[int]int{}, map[int]string{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
		f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(f) > 1 {
			parents[pid], _ = strconv.Atoi(f[1])
			line, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
			lines[pid] = strings.ReplaceAll(string(line), "\x00", " ")
		}
	}
	own := map[int]string{}
	for pid := range parents {
		for p := parents[pid]; p > 1; p = parents[p] {
			if p == s.cmd.Process.Pid {
				own[pid] = lines[pid]
				break
			}
		}
	}
	return own
}

func killZygotes(s *server) (n int) {
	for pid, line := range s.descendants() {
		if strings.Contains(line, "--type=zygote") && syscall.Kill(pid, syscall.SIGKILL) == nil {
			n++
		}
	}
	return n
}

func stopBrowser(s *server) (n int) {
	for pid, line := range s.descendants() {
		if strings.Contains(line, "--remote-debugging-pipe") && !strings.Contains(line, "--type=") && syscall.Kill(pid, syscall.SIGSTOP) == nil {
			n++
		}
	}
	return n
}

func browserFault(fault func(*server) int) func(*world) (string, bool, error) {
	return func(w *world) (string, bool, error) {
		s, err := w.serve("", nil, nil)
		if err != nil {
			return "", false, err
		}
		defer s.stop()
		n := 0
		call := func() (time.Duration, bool, string) {
			n++
			begin := time.Now()
			status, body, err := s.call(context.Background(), "", "browser_navigate", fmt.Sprintf(`{"url":"%s/b%d"}`, w.fast, n))
			return time.Since(begin).Round(time.Millisecond), err == nil && status == 200, fmt.Sprintf("%d %.120s", status, body)
		}
		if _, ok, said := call(); !ok {
			return "", false, fmt.Errorf("the browser does not work: %s", said)
		}
		hit := fault(s)
		if hit == 0 {
			return "", false, errors.New("no process of the browser was found")
		}
		fault1, ok1, _ := call()
		fault2, ok2, said := call()
		got := fmt.Sprintf("%d processes; first call %v after %v, second %v after %v", hit, ok1, fault1, ok2, fault2)
		if !ok2 {
			got += ": " + said
		}
		return got, ok2 && fault2 <= 5*time.Second, nil
	}
}
