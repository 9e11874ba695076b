//go:build !race

package main

// Of TestLargeInWorker, in bytes.
const (
	workerMemory = 0 // the usual
	largeSize    = 4 << 20
)
