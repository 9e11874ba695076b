package egress

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"
)

// maxListeners is how many descriptors one message can carry: SCM_MAX_FD of the
// kernel.
const maxListeners = 253

// SocketPair returns the two ends of the connection that carries listeners: near
// is for [ReceiveListeners], far for [SendListeners] in the namespace's process.
func SocketPair() (near, far *os.File, err error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	return os.NewFile(uintptr(fds[0]), "socket pair"), os.NewFile(uintptr(fds[1]), "socket pair"), nil
}

// SendListeners makes n sockets and sends them through the far end of a socket pair. It is
// called by the process inside, in a namespace that is new: the loopback
// interface is switched on by it, which takes CAP_NET_ADMIN there.
func SendListeners(far *os.File, n int) error {
	if n < 1 || n > maxListeners {
		return fmt.Errorf("%d listeners: from 1 to %d can be sent", n, maxListeners)
	}
	if err := loopbackUp(); err != nil {
		return fmt.Errorf("the loopback interface of the namespace: %w", err)
	}
	_ = linkUp() // without it pages are told that they are offline, and work
	return sendListeners(far, n)
}

func sendListeners(far *os.File, n int) error {
	var fds []int
	for range n {
		l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			return err
		}
		defer l.Close()
		f, err := l.File()
		if err != nil {
			return err
		}
		defer f.Close()
		fds = append(fds, int(f.Fd()))
	}
	return os.NewSyscallError("sendmsg", syscall.Sendmsg(int(far.Fd()), []byte{byte(n)}, syscall.UnixRights(fds...), nil, 0))
}

// ReceiveListeners returns what the process inside has sent, or an error when it
// ends or takes longer than limit. The caller closes the listeners.
func ReceiveListeners(near *os.File, limit time.Duration) (*NamespaceListeners, error) {
	if err := near.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return nil, err
	}
	raw, err := near.SyscallConn()
	if err != nil {
		return nil, err
	}
	data, rights := make([]byte, 1), make([]byte, syscall.CmsgSpace(4*maxListeners))
	var n, more int
	var received error
	err = raw.Read(func(fd uintptr) bool {
		n, more, _, _, received = syscall.Recvmsg(int(fd), data, rights, syscall.MSG_CMSG_CLOEXEC)
		return !errors.Is(received, syscall.EAGAIN) && !errors.Is(received, syscall.EINTR)
	})
	if err == nil {
		err = os.NewSyscallError("recvmsg", received)
	}
	if err != nil {
		return nil, err
	}
	messages, err := syscall.ParseSocketControlMessage(rights[:more])
	if err != nil {
		return nil, err
	}
	var files []*os.File
	for i := range messages {
		fds, err := syscall.ParseUnixRights(&messages[i])
		if err != nil {
			continue
		}
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), "listener"))
		}
	}
	listeners := newNamespaceListeners(files)
	if n == 0 || len(files) == 0 || len(files) != int(data[0]) {
		listeners.Close()
		return nil, errors.New("the process in the namespace has sent no sockets")
	}
	return listeners, nil
}

// drain closes connections that were not accepted: they belong to an earlier
// session.
func drain(f *os.File) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		if syscall.SetNonblock(int(fd), true) != nil {
			return
		}
		for range 1024 { // bounded: the process inside can go on connecting
			c, _, err := syscall.Accept4(int(fd), syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK)
			if err != nil {
				return
			}
			_ = syscall.Close(c)
		}
	})
}
