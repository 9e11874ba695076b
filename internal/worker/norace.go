//go:build !race

package worker

// raceMemory is 0 without the race detector.
const raceMemory = 0
