package browser

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// processAttributes make the browser the leader of a group, have the kernel kill
// it when this process dies, and give it its user id.
func processAttributes(uid int) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if uid != ownUID {
		a.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)} // and no further groups
	}
	return a
}

// limit sets the limits of this process before it becomes the browser; they hold for
// all of the browser's processes. None of them writes what it holds in memory to a
// core file.
func limit() error {
	return errors.Join(unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}), unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxData, Max: maxData}))
}

// killLeftovers kills processes with this argument: helpers that have left the
// process group of a browser that has ended.
func killLeftovers(argument string) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err != nil {
			continue
		}
		for arg := range bytes.SplitSeq(line, []byte{0}) {
			if string(arg) == argument {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				break
			}
		}
	}
}
