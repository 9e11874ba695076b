package worker

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confine takes the rights of this process and returns what has taken effect.
//
//   - Descriptors: what the parent had open and left open at exec is closed.
//   - Capabilities: none is left, also where the parent is root.
//   - Limits: writable memory, open files, size of files, core dumps. There is
//     no limit on processes: Linux counts them by user, with those of other
//     programs, and Go could not make threads.
//   - Landlock: no file is opened, no port is dialled or bound.
//   - seccomp: only the system calls of a Go program that computes, and those
//     that read and write what is already open.
func confine(memory int64) (held []string) {
	for _, fd := range inherited() {
		_ = unix.Close(fd)
	}
	limits := true
	for what, n := range map[int]uint64{
		// The collector keeps within the memory limit as long as it can; what
		// goes beyond ends the process. A heap grows in steps of 64 MB.
		unix.RLIMIT_DATA: uint64(memory + raceMemory), unix.RLIMIT_NOFILE: 16, unix.RLIMIT_FSIZE: 0, unix.RLIMIT_CORE: 0,
	} {
		if unix.Setrlimit(what, &unix.Rlimit{Cur: n, Max: n}) != nil {
			limits = false
		}
	}
	if limits {
		held = append(held, "limits")
	}
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	// All threads give up their rights, not only this one. With cgo there is no
	// call for that: seccomp has its own, Landlock is left out.
	runtime.LockOSThread()
	if _, _, e := syscall.AllThreadsSyscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); e == 0 {
		if landlock() {
			held = append(held, "landlock")
		}
		dropCapabilities()
	} else if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil {
		return held
	}
	if seccomp() {
		held = append(held, "seccomp")
	}
	runtime.UnlockOSThread()
	return held
}

// inherited are the descriptors beyond the three streams that this process has from its
// parent: those that exec has not closed. Go opens its own so that exec closes them.
func inherited() (fds []int) {
	const most = 4096 // where there is no /proc
	isLeft := func(fd int) bool {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		return fd > 2 && err == nil && flags&unix.FD_CLOEXEC == 0
	}
	entries, err := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && isLeft(fd) {
			fds = append(fds, fd)
		}
	}
	for fd := 3; err != nil && fd < most; fd++ {
		if isLeft(fd) {
			fds = append(fds, fd)
		}
	}
	return fds
}

// dropCapabilities gives up what root may do, in all threads: the system calls of the
// filter need none of it, and without a filter root could read every file.
func dropCapabilities() {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	_, _, _ = syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none[0])), 0)
}

// landlockAttr is struct landlock_ruleset_attr of linux/landlock.h.
type landlockAttr struct{ fs, net, scoped uint64 }

// landlock denies all that this kernel's Landlock can deny: a set of rules
// without a rule. The numbers are those of linux/landlock.h by version.
func landlock() bool {
	version, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if e != 0 || version < 1 {
		return false
	}
	attr, size := landlockAttr{fs: 1<<13 - 1}, unsafe.Sizeof(uint64(0))
	if version >= 2 {
		attr.fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		attr.fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		attr.net, size = unix.LANDLOCK_ACCESS_NET_BIND_TCP|unix.LANDLOCK_ACCESS_NET_CONNECT_TCP, 2*size
	}
	if version >= 5 {
		attr.fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if version >= 6 {
		attr.scoped, size = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET|unix.LANDLOCK_SCOPE_SIGNAL, unsafe.Sizeof(attr)
	}
	fd, _, e := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if e != 0 {
		return false
	}
	defer unix.Close(int(fd))
	_, _, e = syscall.AllThreadsSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0)
	return e == 0
}

// allowed are the system calls of Go's runtime (memory, threads, signals,
// clocks, its poller), and reading, writing and closing what is open.
var allowed = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_CLOSE, unix.SYS_FUTEX,
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_BRK,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY,
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_GETRANDOM, unix.SYS_RESTART_SYSCALL,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2, unix.SYS_FCNTL, unix.SYS_FSTAT,
	unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ,
}

// seccomp lets through the allowed calls, clone for threads only, and tgkill
// within this process; every other call fails with EPERM. It is applied to all
// threads.
func seccomp() bool {
	var arch uint32
	switch runtime.GOARCH {
	case "amd64":
		arch = unix.AUDIT_ARCH_X86_64
	case "arm64":
		arch = unix.AUDIT_ARCH_AARCH64
	default:
		return false
	}
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		bits  = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		end   = unix.BPF_RET | unix.BPF_K

		// offsets in struct seccomp_data, little endian
		number, architecture, firstArgument = 0, 4, 16

		yes  = unix.SECCOMP_RET_ALLOW
		no   = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		none = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	)
	filter := []unix.SockFilter{
		{Code: load, K: architecture},
		{Code: equal, K: arch, Jt: 1},
		{Code: end, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: load, K: number},
	}
	for _, n := range allowed {
		filter = append(filter, unix.SockFilter{Code: equal, K: n, Jf: 1}, unix.SockFilter{Code: end, K: yes})
	}
	filter = append(filter,
		unix.SockFilter{Code: equal, K: unix.SYS_CLONE3, Jf: 1}, // hides its flags from a filter; clone stands in
		unix.SockFilter{Code: end, K: none},
		unix.SockFilter{Code: equal, K: unix.SYS_CLONE, Jf: 4},
		unix.SockFilter{Code: load, K: firstArgument},
		unix.SockFilter{Code: bits, K: unix.CLONE_THREAD, Jf: 1},
		unix.SockFilter{Code: end, K: yes},
		unix.SockFilter{Code: end, K: no},
		unix.SockFilter{Code: equal, K: unix.SYS_TGKILL, Jf: 3},
		unix.SockFilter{Code: load, K: firstArgument},
		unix.SockFilter{Code: equal, K: uint32(os.Getpid()), Jf: 1},
		unix.SockFilter{Code: end, K: yes},
		unix.SockFilter{Code: end, K: no},
	)
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
	return e == 0
}

// openSocket tries to open a socket that could send.
func openSocket() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}
