package main

import (
	"syscall"
	"time"
)

// rusageThread is RUSAGE_THREAD of getrusage(2); package syscall has no name
// for it.
const rusageThread = 1

// threadCPU returns the CPU time, user and system, that the calling thread has
// used. The caller holds the thread with runtime.LockOSThread.
func threadCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &u); err != nil {
		panic(err) // EFAULT and EINVAL cannot be
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
