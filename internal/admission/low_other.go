//go:build !linux

package admission

// lowerPriority does nothing: this system has no priorities of threads that a program
// without cgo can set.
func lowerPriority() {}
