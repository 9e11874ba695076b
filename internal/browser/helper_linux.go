package browser

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/spyhop-dev/spyhop/internal/egress"
)

const namespaces = true

// namespaceAttributes are processAttributes with a new network namespace. A process
// without CAP_SYS_ADMIN (root in most containers, every other user) gets it in a
// user namespace, in which the browser's user id is the only one; the power to
// switch on the loopback interface there ends before the browser begins. With
// CAP_SYS_ADMIN the process inside takes the user id itself, after it has used its
// powers.
func namespaceAttributes(uid int) (_ *syscall.SysProcAttr, inside int) {
	if mayDo(unix.CAP_SYS_ADMIN) {
		a := processAttributes(ownUID)
		a.Cloneflags = syscall.CLONE_NEWNET
		return a, uid
	}
	a := processAttributes(uid)
	a.Cloneflags = syscall.CLONE_NEWNET | syscall.CLONE_NEWUSER
	u, g := os.Getuid(), os.Getgid()
	if uid != ownUID {
		u, g = uid, uid
		a.GidMappingsEnableSetgroups = true
	}
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: u, HostID: u, Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: g, HostID: g, Size: 1}}
	a.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN}
	return a, ownUID
}

// changeUID makes all threads of this process those of a user without groups.
func changeUID(uid int) error {
	if err := syscall.Setgroups(nil); err != nil {
		return err
	}
	if err := syscall.Setresgid(uid, uid, uid); err != nil {
		return err
	}
	return syscall.Setresuid(uid, uid, uid)
}

// becomeBrowser runs inside of the namespace: it sends the sockets out and
// becomes the browser, under the user id that the first word names. It returns
// only when it fails.
func becomeBrowser(command []string) error {
	// The calls below apply to one thread, which becomes the browser.
	runtime.LockOSThread()
	far := os.NewFile(doorwayFD, "doorway")
	if err := egress.SendListeners(far, sockets); err != nil {
		return err
	}
	_ = far.Close()
	if len(command) < 2 || command[1] == "" {
		return errors.New("there is no browser to become")
	}
	uid, err := strconv.Atoi(command[0])
	if err != nil {
		return err
	}
	command = command[1:]
	if err := limit(); err != nil {
		return fmt.Errorf("setting the limits of the browser: %w", err)
	}
	if uid != ownUID {
		if err := changeUID(uid); err != nil {
			return fmt.Errorf("taking the user id %d: %w", uid, err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up powers: %w", err)
	}
	// The kernel forgets it where a process changes its user id, and for threads; this
	// one may not be the first.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("tying the browser to its owner: %w", err)
	}
	return fmt.Errorf("%s: %w", command[0], syscall.Exec(command[0], command, os.Environ()))
}
