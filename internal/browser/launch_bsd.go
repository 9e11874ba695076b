//go:build unix && !linux

package browser

import "syscall"

func processAttributes() *syscall.SysProcAttr { return groupAttributes() }

func killLeftovers(string) {}
