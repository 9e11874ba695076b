package main

import (
	"syscall"
	"time"
)

// processCPU returns the CPU time of the process, user and system, including the
// garbage collector, which runs on other threads.
func processCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // the only errors, EFAULT and EINVAL, cannot happen here
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
