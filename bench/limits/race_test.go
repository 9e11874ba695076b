//go:build race

package main

// The race detector takes several times the memory and the time of a program.
const (
	workerMemory = 2 << 30
	largeSize    = 512 << 10
)
