package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/bench/internal/leftover"
)

// This command shares the processors with the server. A flood that keeps them busy makes
// this command late, too, whatever the server does. The floor says by how much: the same
// calls to a process that answers with a constant, without and with a third process that
// uses as much processor time as the flood did.

// processorTime is what a process has used so far (proc_pid_stat(5)).
func processorTime(pid int) time.Duration {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// processors begins to count the processor time of the server and of this command. used
// is how many processors they have kept busy since then.
func (s *server) processors() (used func() float64) {
	now := func() time.Duration { return processorTime(s.cmd.Process.Pid) + processorTime(os.Getpid()) }
	begin, before := time.Now(), now()
	return func() float64 { return (now() - before).Seconds() / time.Since(begin).Seconds() }
}

// floor makes the calls of others to a process that answers with a constant, without and
// with a process that keeps so many processors busy.
func (w *world) floor(names []string, length time.Duration, busy float64) (alone, with []time.Duration, err error) {
	constant, out, err := again("--bare")
	if err != nil {
		return nil, nil, err
	}
	defer end(constant)
	line, _ := bufio.NewReader(out).ReadString('\n')
	s := &server{url: strings.TrimSpace(line), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	defer s.client.CloseIdleConnections()
	w.others(s, names, length/4)
	alone, _ = w.others(s, names, length)
	hog, _, err := again("--spin", strconv.FormatFloat(busy, 'f', 2, 64))
	if err != nil {
		return nil, nil, err
	}
	defer end(hog)
	time.Sleep(time.Second)
	with, _ = w.others(s, names, length)
	return alone, with, nil
}

// again starts this program for another purpose.
func again(args ...string) (c *exec.Cmd, out io.Reader, err error) {
	c = exec.Command("/proc/self/exe", args...)
	c.Stderr = os.Stderr
	if out, err = c.StdoutPipe(); err != nil {
		return nil, nil, err
	}
	return c, out, leftover.Start(c)
}

func end(c *exec.Cmd) {
	_ = c.Process.Kill()
	_ = c.Wait()
}

// bare answers every request with the same text until the process is ended, and writes its
// address to stdout.
func bare() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String())
	body := []byte(strings.Repeat("the ferry met fishermen ", 400))
	return http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
}

// spin keeps so many processors busy, for example 1.3, until the process is ended.
func spin(processors float64) {
	const period = 10 * time.Millisecond
	runtime.GOMAXPROCS(int(processors) + 2)
	for ; processors > 0; processors-- {
		busy := time.Duration(min(processors, 1) * float64(period))
		go func() {
			runtime.LockOSThread()
			for {
				begin := time.Now()
				for time.Since(begin) < busy {
				}
				time.Sleep(period - busy)
			}
		}()
	}
	select {}
}
