//go:build unix && !linux

package browser

import "syscall"

func processAttributes() *syscall.SysProcAttr { return groupAttributes() }

func bound(int) {}

func killLeftovers(string) {}
