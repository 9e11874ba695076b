package browser

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// processAttributes make the browser the leader of a group, and have the
// kernel kill it when this process dies.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// maxData bounds the writable memory of each of the browser's processes, in
// bytes: pages of the corpus take 700 MB of it, of which they use 150.
const maxData = 2 << 30

// bound sets the limits of a process that has just begun, and of those that it
// will start.
func bound(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxData, Max: maxData}, nil)
}

// killLeftovers kills processes with this argument: helpers that left the group
// of a browser that is gone.
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
