package worker

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

// program is this program as it was started, also when its file was replaced
// or removed since.
func program() (string, error) { return "/proc/self/exe", nil }

// attributes have the kernel end a worker with its parent.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// usage is the processor time that a process has taken and the memory that it
// holds, as the kernel counts them (proc(5): utime, stime in ticks of 10 ms,
// rss in pages).
func usage(pid int) (cpu time.Duration, memory int64, ok bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0, false
	}
	i := bytes.LastIndexByte(stat, ')') // of the name, which may hold anything
	fields := bytes.Fields(stat[i+1:])
	if i < 0 || len(fields) < 22 {
		return 0, 0, false
	}
	number := func(field int) int64 {
		n, _ := strconv.ParseInt(string(fields[field-3]), 10, 64)
		return n
	}
	const tick = 10 * time.Millisecond
	return time.Duration(number(14)+number(15)) * tick, number(24) * int64(os.Getpagesize()), true
}
