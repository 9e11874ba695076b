//go:build !linux

package main

import "time"

var start = time.Now()

// threadCPU returns wall time: only Linux counts the CPU time of one thread.
func threadCPU() time.Duration { return time.Since(start) }
