package browser

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// processAttributes make the browser the leader of a group, and have the
// kernel kill it when this process dies.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
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
