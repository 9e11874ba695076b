package egress

import (
	"encoding/binary"
	"net"
	"slices"
	"syscall"
	"time"
)

// The interfaces of a new network namespace, by netlink (rtnetlink(7)).

// loopbackUp switches the loopback interface on: a new namespace has it switched
// off.
func loopbackUp() error {
	return netlink(syscall.RTM_NEWLINK, 0, link(1, syscall.IFF_UP))
}

// The indices of the two ends of the pair that linkUp makes: any that a new
// namespace has not given out.
const (
	linkIndex = 10
	peerIndex = 11
)

// linkUp makes a pair of interfaces that lead to each other only (veth(4)), and
// gives one an address for documentation (RFC 5737). Nothing can leave by them.
// Chromium looks for an interface like that to decide whether it is online, and
// tells pages (navigator.onLine). Overriding what it tells by the DevTools
// protocol was tried: the override ends with each document.
func linkUp() error {
	const (
		infoKind, infoData = 1, 2 // of IFLA_LINKINFO
		peerInfo           = 1    // of IFLA_INFO_DATA of a veth
	)
	pair := attribute(syscall.IFLA_LINKINFO, slices.Concat(
		attribute(infoKind, []byte("veth")),
		attribute(infoData, attribute(peerInfo, link(peerIndex, 0)))))
	if err := netlink(syscall.RTM_NEWLINK, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL, append(link(linkIndex, 0), pair...)); err != nil {
		return err
	}
	for _, index := range []uint32{linkIndex, peerIndex} { // neither can be up before both are there
		if err := netlink(syscall.RTM_NEWLINK, 0, link(index, syscall.IFF_UP)); err != nil {
			return err
		}
	}
	address := []byte{192, 0, 2, 1}
	m := make([]byte, syscall.SizeofIfAddrmsg)
	m[0], m[1] = syscall.AF_INET, 32
	binary.NativeEndian.PutUint32(m[4:], linkIndex)
	m = slices.Concat(m, attribute(syscall.IFA_LOCAL, address), attribute(syscall.IFA_ADDRESS, address))
	if err := netlink(syscall.RTM_NEWADDR, syscall.NLM_F_CREATE|syscall.NLM_F_EXCL, m); err != nil {
		return err
	}
	// The kernel sets the state of a link from a work queue, on a busy machine late. A
	// browser that starts before it tells its pages that they are offline.
	for range runningLooks {
		if i, err := net.InterfaceByIndex(linkIndex); err == nil && i.Flags&net.FlagRunning != 0 {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

// runningLooks bounds the wait for a link to run, in milliseconds.
const runningLooks = 500

// link is a struct ifinfomsg for an interface, with the flags that it is to get.
func link(index, flags uint32) []byte {
	m := make([]byte, syscall.SizeofIfInfomsg)
	e := binary.NativeEndian
	e.PutUint32(m[4:], index)
	e.PutUint32(m[8:], flags)
	e.PutUint32(m[12:], flags)
	return m
}

// attribute is a struct rtattr with its data, padded to four bytes.
func attribute(kind uint16, data []byte) []byte {
	m := make([]byte, syscall.SizeofRtAttr, syscall.SizeofRtAttr+len(data)+3)
	e := binary.NativeEndian
	e.PutUint16(m, uint16(syscall.SizeofRtAttr+len(data)))
	e.PutUint16(m[2:], kind)
	m = append(m, data...)
	return append(m, make([]byte, -len(m)&3)...)
}

// netlink sends a request and waits for its acknowledgement.
func netlink(kind, flags uint16, body []byte) error {
	fd, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	m := make([]byte, syscall.SizeofNlMsghdr, syscall.SizeofNlMsghdr+len(body))
	e := binary.NativeEndian
	e.PutUint32(m[0:], uint32(len(m)+len(body)))
	e.PutUint16(m[4:], kind)
	e.PutUint16(m[6:], syscall.NLM_F_REQUEST|syscall.NLM_F_ACK|flags)
	if err := syscall.Sendto(fd, append(m, body...), 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		return err
	}
	answer := make([]byte, 4096)
	n, _, err := syscall.Recvfrom(fd, answer, 0)
	if err != nil {
		return err
	}
	if n >= 20 && e.Uint16(answer[4:]) == syscall.NLMSG_ERROR {
		if errno := int32(e.Uint32(answer[16:])); errno != 0 {
			return syscall.Errno(-errno)
		}
	}
	return nil
}
