package main

import (
	"syscall"
	"time"
)

// processCPU returns the CPU time, user and system, that the process has used:
// that of the garbage collector too, which runs on threads of its own.
func processCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // EFAULT and EINVAL cannot be
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
