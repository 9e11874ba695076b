//go:build !linux

package browser

import "syscall"

const namespaces = false

func namespaceAttributes() *syscall.SysProcAttr { return processAttributes() }

func becomeBrowser([]string) error { return errFlagsAlone }
