//go:build !linux

package main

import "time"

// threadTime is 0 where the system does not tell it.
func threadTime() time.Duration { return 0 }
