//go:build unix

package browser

import (
	"os"
	"syscall"
)

// groupAttributes make a process the leader of a group.
func groupAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

func isRoot() bool { return os.Geteuid() == 0 }
