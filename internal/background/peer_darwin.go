package background

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// peer is the user id at the other end of a connection (LOCAL_PEERCRED, unix(4)).
func peer(raw syscall.RawConn) (uid int, err error) {
	var cred *unix.Xucred
	var failed error
	if err := raw.Control(func(fd uintptr) { cred, failed = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED) }); err != nil {
		return 0, err
	}
	if failed != nil {
		return 0, failed
	}
	return int(cred.Uid), nil
}
