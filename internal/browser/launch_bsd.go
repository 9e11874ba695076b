//go:build unix && !linux

package browser

import "syscall"

func processAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func killLeftovers(string) {}
