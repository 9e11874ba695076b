//go:build unix && !linux

package browser

import "syscall"

func processAttributes(int) *syscall.SysProcAttr { return groupAttributes() }

func killLeftovers(string) {}

// browserUID is always the user id of this process here.
func browserUID(int) (int, error) { return ownUID, nil }
