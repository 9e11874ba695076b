//go:build unix

package main

import (
	"syscall"
	"time"
)

// processTime is the processor time of the process so far, user and system, with that
// of the garbage collector.
func processTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
