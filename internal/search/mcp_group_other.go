//go:build !unix

package search

import "syscall"

// On this platform ownGroup and endGroup do nothing: a server must end its own
// children.
func ownGroup() *syscall.SysProcAttr { return nil }
func endGroup(int)                   {}
