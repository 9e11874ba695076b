//go:build !linux

package main

import "time"

var start = time.Now()

// processCPU returns wall time, because CPU time is not available on this
// system.
func processCPU() time.Duration { return time.Since(start) }
