//go:build !linux

package browser

// AsInit is for Linux only: elsewhere this program is never process 1.
func AsInit() (exit int, done bool) { return 0, false }
