//go:build !linux

package worker

import (
	"os"
	"syscall"
	"time"
)

func program() (string, error) { return os.Executable() }

func attributes() *syscall.SysProcAttr { return nil }

// usage is not known here: the deadline is the only limit on time.
func usage(int) (cpu time.Duration, memory int64, ok bool) { return 0, 0, false }
