//go:build unix

package main

import (
	"os"
	"strconv"
	"syscall"
)

// keepDescriptors keeps what this program's parent has left open to this process: its
// children (workers, browsers, servers that search) get what they are given, and not, for
// example, the socket of systemd.
func keepDescriptors() {
	entries, _ := os.ReadDir("/dev/fd")
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}
