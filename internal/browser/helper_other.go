//go:build !linux

package browser

import "syscall"

const namespaces = false

func namespaceAttributes(uid int) (*syscall.SysProcAttr, int) { return processAttributes(uid), uid }

func becomeBrowser([]string) error { return errFlagsAlone }
