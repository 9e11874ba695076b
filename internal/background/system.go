//go:build linux || darwin

package background

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// checkPeer returns an error unless the other end is this user.
func checkPeer(raw syscall.RawConn) error {
	uid, err := peer(raw)
	if err != nil {
		return err
	}
	return sameUser(uid, os.Geteuid())
}

func sameUser(theirs, own int) error {
	if theirs != own {
		return fmt.Errorf("the other end of the socket is user %d, and this is user %d", theirs, own)
	}
	return nil
}

// lockFile takes the lock, which ends with the file or the process.
func lockFile(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return errRunning
	}
	return err
}

// detached gives the process a session of its own: Ctrl-C in the terminal and its end
// do not reach it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
