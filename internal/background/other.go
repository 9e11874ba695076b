//go:build !linux && !darwin

package background

import (
	"os"
	"syscall"
)

func checkPeer(syscall.RawConn) error { return ErrUnsupported }

func lockFile(*os.File) error { return ErrUnsupported }

func detached() *syscall.SysProcAttr { return nil }
