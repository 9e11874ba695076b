//go:build race

package worker

// raceMemory is what the race detector takes for itself: a program that is built with
// it does not start below it.
const raceMemory = 8 << 30
