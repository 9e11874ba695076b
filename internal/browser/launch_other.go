//go:build !unix

package browser

import "syscall"

func processAttributes(int) *syscall.SysProcAttr { return nil }

func groupAttributes() *syscall.SysProcAttr { return nil }

func killLeftovers(string) {}

func killGroup(int) {}

func isRoot() bool { return false }

// browserUID is always the user id of this process here.
func browserUID(int) (int, error) { return ownUID, nil }
