//go:build !race

package extract_test

// Of TestLargeInWorker, in bytes.
const (
	workerMemory = 0 // the usual
	largeSize    = 4 << 20
)
