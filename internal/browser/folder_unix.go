//go:build unix

package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownFolder makes a folder of this user's, or takes the one that is there, and
// returns its name without symbolic links. It is an error where another user owns
// it, or could put another folder in its place.
func ownFolder(dir string, mode os.FileMode) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	me := uint32(os.Geteuid())
	for at, last := dir, true; ; last = false {
		info, err := os.Lstat(at)
		if err != nil {
			return "", err
		}
		owner := info.Sys().(*syscall.Stat_t).Uid
		switch shared := info.Mode().Perm()&0o002 != 0; {
		case !info.IsDir(), owner != me && (last || owner != 0):
			return "", fmt.Errorf("%s does not belong to the user %d", at, me)
		case shared && (last || info.Mode()&os.ModeSticky == 0):
			return "", fmt.Errorf("%s can be written by everybody", at)
		}
		up := filepath.Dir(at)
		if up == at {
			break
		}
		at = up
	}
	return dir, os.Chmod(dir, mode)
}

// lockFile takes the lock of a folder, or fails when another process has it. The
// kernel releases it when this process ends. A symbolic link is not followed.
func lockFile(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

// lives reports whether there is a process with a number.
func lives(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }
