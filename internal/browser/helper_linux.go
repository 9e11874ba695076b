package browser

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/spyhop-dev/spyhop/internal/egress"
)

const namespaces = true

// namespaceAttributes are processAttributes with a new network namespace. Who may
// not make one gets it in a user namespace, where he stays who he is; the power
// to switch on the loopback interface there ends before the browser begins.
func namespaceAttributes() *syscall.SysProcAttr {
	a := processAttributes()
	a.Cloneflags = syscall.CLONE_NEWNET
	if !mayUnshare() {
		a.Cloneflags |= syscall.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		a.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN}
	}
	return a
}

// mayUnshare reports whether this process has CAP_SYS_ADMIN; root has it, but
// seldom in a container.
func mayUnshare() bool {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var caps [2]unix.CapUserData
	return unix.Capget(&head, &caps[0]) == nil && caps[0].Effective&(1<<unix.CAP_SYS_ADMIN) != 0
}

// becomeBrowser runs inside of the namespace: it sends the sockets out and
// becomes the browser. It returns only when it fails.
func becomeBrowser(command []string) error {
	// What follows is asked for by a thread, and is to hold for the browser.
	runtime.LockOSThread()
	far := os.NewFile(doorwayFD, "doorway")
	if err := egress.SendListeners(far, sockets); err != nil {
		return err
	}
	_ = far.Close()
	if len(command) == 0 || command[0] == "" {
		return errors.New("there is no browser to become")
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up powers: %w", err)
	}
	// The kernel forgets it for threads, and this one may not be the first.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("tying the browser to its owner: %w", err)
	}
	return fmt.Errorf("%s: %w", command[0], syscall.Exec(command[0], command, os.Environ()))
}
