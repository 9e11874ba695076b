//go:build unix

package frontier

import (
	"os"
	"syscall"
)

// lockFile locks a file for as long as it is open; the system unlocks it when the
// process ends, however that happens. ok is false when another holder has it.
func lockFile(f *os.File) (ok bool) {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
