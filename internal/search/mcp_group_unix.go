//go:build unix

package search

import "syscall"

// ownGroup puts a process and its children into a group of their own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends all processes of a group.
func endGroup(id int) { _ = syscall.Kill(-id, syscall.SIGKILL) }
