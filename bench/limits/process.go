package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
)

// cost is what one read took.
type cost struct {
	CPU    time.Duration
	Memory int64 // the most of the process beyond what it had when it was idle
	// Late is how much later than its deadline a read ended, negative where it ended
	// before; After is the processor time from the deadline on.
	Late, After time.Duration
	// Asked is how many documents the site was asked for, each of which is an input.
	Asked int64
}

// fresh reads a document in a process of its own.
func fresh(body []byte, mediaType, way string) (c cost, err error) {
	self, err := os.Executable()
	if err != nil {
		return c, err
	}
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, self, "--one", way, "--type", mediaType, "--deadline", deadline.String(), strconv.Itoa(len(body)))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(body), os.Stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return c, errors.New("more than 2 minutes")
	}
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(out, &c)
}

// deadline is that of the ways which have one.
var deadline = time.Second

// alone is the process of fresh: it prints its cost.
func alone(way, mediaType, size string) {
	n, err := strconv.Atoi(size)
	if err != nil {
		panic(err)
	}
	read := extractAlone
	if w, ok := ways[way]; ok {
		defer w.open(mediaType)()
		read = w.read
	}
	idle := memoryNow("VmRSS:")
	body := make([]byte, n)
	if _, err := io.ReadFull(os.Stdin, body); err != nil {
		panic(err)
	}
	atDeadline := make(chan time.Duration, 1)
	timer := time.AfterFunc(deadline, func() { atDeadline <- used() })
	start, before := time.Now(), used()
	read(body, mediaType, way)
	c := cost{Late: time.Since(start) - deadline}
	if way == "late" {
		settle()
	}
	c.CPU, c.Memory = used()-before, memoryNow("VmHWM:")-idle
	if !timer.Stop() {
		c.After = used() - <-atDeadline
	}
	if way != "deadline" && way != "late" {
		c.Late, c.After = 0, 0
	} else {
		c.Memory = 0
	}
	out, _ := json.Marshal(c)
	fmt.Println(string(out))
}

// extractAlone reads a document without a call around it.
func extractAlone(body []byte, mediaType, way string) {
	o := extract.Options{URL: "https://example.com/"}
	if way == "deadline" {
		ctx, stop := context.WithTimeout(context.Background(), deadline)
		defer stop()
		o.Stop = ctx.Err
	}
	_, _ = extract.Document(body, mediaType, o)
}

// settle waits until the process takes no more processor time.
func settle() {
	for range 50 {
		before := used()
		time.Sleep(100 * time.Millisecond)
		if used()-before < 5*time.Millisecond {
			return
		}
	}
}

// memoryNow is memoryOf for this process.
func memoryNow(field string) int64 { return memoryOf(os.Getpid(), field) }

// memoryOf is a line of the status of a process in bytes, 0 where there is none.
func memoryOf(pid int, field string) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), field)
	value, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.ParseInt(value, 10, 64)
	return n << 10
}

func used() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
