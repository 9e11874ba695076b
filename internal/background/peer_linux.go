package background

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// peer is the user id at the other end of a connection, as the kernel recorded it when
// the connection was made (SO_PEERCRED, unix(7)).
func peer(raw syscall.RawConn) (uid int, err error) {
	var cred *unix.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) { cred, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return 0, err
	}
	if failed != nil {
		return 0, failed
	}
	return int(cred.Uid), nil
}
