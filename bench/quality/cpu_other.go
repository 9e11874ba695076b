//go:build !linux

package main

import "time"

var start = time.Now()

// processCPU returns wall time where the CPU time is not to be had.
func processCPU() time.Duration { return time.Since(start) }
