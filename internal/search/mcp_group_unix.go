//go:build unix

package search

import "syscall"

// ownGroup returns attributes that put a process and its children into a process
// group of their own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endGroup kills all processes of a group.
func endGroup(id int) { _ = syscall.Kill(-id, syscall.SIGKILL) }
