//go:build !unix

package browser

import (
	"os"
	"syscall"
)

func processAttributes() *syscall.SysProcAttr { return nil }

func groupAttributes() *syscall.SysProcAttr { return nil }

func bound(int) {}

func killLeftovers(string) {}

func killGroup(int) {}

func isRoot() bool { return false }

// lockFile creates the file; folders of processes that were killed stay, since
// there is no lock here that would tell.
func lockFile(name string) (func(), error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}
