//go:build !linux

package worker

import "errors"

// confine has nothing to take here beyond the memory limit that the collector
// keeps and the end that the pool makes: no call of this system takes a
// process' rights from within without cgo.
func confine(int64) []string { return nil }

func beforeExec(int64) {}

func become(int64, []string) {}

// canBecome says that a program has only the deadline as a limit here.
const canBecome = false

func inherited() []int { return nil }

func openSocket() error { return errors.New("not tried on this system") }
