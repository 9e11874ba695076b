package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/tool"
)

// sockets are those that systemd passed to this process.
type sockets struct {
	calls []net.Listener
	admin net.Listener // nil: none is named adminSocket
}

const (
	// adminSocket is the FileDescriptorName= of the socket for the admin listener; one
	// with another name is for calls.
	adminSocket = "admin"
	// firstSocket is SD_LISTEN_FDS_START, and mostSockets bounds what LISTEN_FDS can say.
	firstSocket = 3
	mostSockets = 16
)

// activated returns the sockets that systemd passed to this process, and none if it passed
// none (sd_listen_fds_with_names(3)).
func activated(getenv func(string) string, pid int) (s sockets, err error) {
	if getenv("LISTEN_PID") != strconv.Itoa(pid) {
		return sockets{}, nil
	}
	n, err := strconv.Atoi(getenv("LISTEN_FDS"))
	if err != nil || n < 1 || n > mostSockets {
		return sockets{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("LISTEN_FDS is %.20q: the server takes 1 to %d sockets", getenv("LISTEN_FDS"), mostSockets), "start the server from a .socket unit")
	}
	names := strings.Split(getenv("LISTEN_FDNAMES"), ":")
	for i := range n {
		l, err := passed(firstSocket + i)
		switch {
		case err != nil:
		case i >= len(names) || names[i] != adminSocket:
			s.calls = append(s.calls, l)
		case s.admin == nil:
			s.admin = l
		default:
			err = errors.Join(tool.NewError(tool.InvalidInput, "LISTEN_FDNAMES names two sockets admin", "give one ListenStream= line to the .socket unit with FileDescriptorName=admin"), l.Close())
		}
		if err != nil {
			s.close()
			return sockets{}, err
		}
	}
	return s, nil
}

func (s sockets) close() {
	for _, l := range s.calls {
		_ = l.Close()
	}
	if s.admin != nil {
		_ = s.admin.Close()
	}
}

// passed returns the socket that a file descriptor is, which it closes.
func passed(fd int) (net.Listener, error) {
	const hint = "give the .socket unit ListenStream=127.0.0.1:7749"
	file := os.NewFile(uintptr(fd), "LISTEN_FDS")
	if file == nil {
		return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("file descriptor %d, which LISTEN_FDS names, is not open", fd), "start the server from a .socket unit")
	}
	defer file.Close() // the listener has a copy, which children do not inherit
	l, err := net.FileListener(file)
	if err != nil {
		return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("the socket of LISTEN_FDS, file descriptor %d, cannot be used: %s", fd, cause(err)), hint)
	}
	if _, ok := l.Addr().(*net.TCPAddr); !ok {
		return nil, errors.Join(tool.NewError(tool.InvalidInput, fmt.Sprintf("the socket of LISTEN_FDS, file descriptor %d, is not a TCP socket", fd), hint), l.Close())
	}
	return l, nil
}
