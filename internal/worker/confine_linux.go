package worker

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
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
	closeInherited()
	if limit(memory) {
		held = append(held, "limits")
	}
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	// All threads give up their rights, not only this one. With cgo there is no
	// call for that: seccomp has its own, Landlock is left out.
	runtime.LockOSThread()
	if _, _, e := syscall.AllThreadsSyscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); e == 0 {
		if landlock(nil, syscall.AllThreadsSyscall) {
			held = append(held, "landlock")
		}
		dropCapabilities(syscall.AllThreadsSyscall)
	} else if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil {
		return held
	}
	if seccomp(onlyAllowed(), unix.SECCOMP_FILTER_FLAG_TSYNC) {
		held = append(held, "seccomp")
	}
	runtime.UnlockOSThread()
	return held
}

// beforeExec takes the rights that the start of a program does not need, and starts this
// program again in this process, so that they are in force from its first instruction on. It
// returns where a step of that is refused.
//
//   - Descriptors, limits and capabilities as in confine.
//   - Landlock: files can be read and executed, and nothing else. It holds with cgo too,
//     where confine cannot apply it to all threads.
//   - seccomp: no socket, no process, nothing that reaches another process or the kernel's
//     more dangerous parts.
func beforeExec(memory int64) {
	replace(memory, []string{"/"}, "/proc/self/exe", os.Args, environment(memory, limited))
}

// installed are the folders in which programs, their libraries and their data are.
var installed = []string{"/usr", "/lib", "/lib64", "/bin", "/opt", "/nix/store"}

// become makes this process the program of a command, as beforeExec does, but that it reads
// what is installed only, and the folders that its variables name.
func become(memory int64, command []string) {
	roots, env := append([]string{filepath.Dir(command[0])}, installed...), os.Environ()
	for i, v := range env {
		name, value, _ := strings.Cut(v, "=")
		if name == variable {
			env[i] = "LC_ALL=C.UTF-8"
		} else if filepath.IsAbs(value) {
			roots = append(roots, value)
		}
	}
	replace(memory, roots, command[0], command, env)
}

// canBecome says that a program is started through become.
const canBecome = true

// replace takes rights and executes a program. It returns where a step is refused.
func replace(memory int64, roots []string, program string, args, env []string) {
	closeInherited()
	if !limit(memory) {
		return
	}
	// What follows is of one thread, which becomes the only one of the next program. Where
	// that is refused, this goroutine stays on it: confine gives the other threads the same.
	runtime.LockOSThread()
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil {
		return
	}
	_ = landlock(roots, unix.Syscall)
	dropCapabilities(unix.Syscall)
	_ = seccomp(allButDenied(), 0)
	_ = unix.Exec(program, args, env)
}

func closeInherited() {
	for _, fd := range inherited() {
		_ = unix.Close(fd)
	}
}

// limit sets the limits of this process.
func limit(memory int64) bool {
	ok := true
	for what, n := range map[int]uint64{
		// The collector keeps within the memory limit as long as it can, and the pool ends
		// what holds more than memory. The kernel's limit is for what grows faster than the
		// pool looks. It also counts what is not touched or was given back, and 8 MB for the
		// stack of each thread in programs with cgo: with memory as the limit, a docx of 4 MB
		// was refused that holds 90 MB.
		unix.RLIMIT_DATA: uint64(2*memory + raceMemory), unix.RLIMIT_NOFILE: 16, unix.RLIMIT_FSIZE: 0, unix.RLIMIT_CORE: 0,
	} {
		if unix.Setrlimit(what, &unix.Rlimit{Cur: n, Max: n}) != nil {
			ok = false
		}
	}
	return ok
}

// systemCall makes a system call in this thread, or in all.
type systemCall func(number, a, b, c uintptr) (uintptr, uintptr, syscall.Errno)

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

// dropCapabilities gives up what root may do: the system calls of the filter need none of
// it, and without a filter root could read every file.
func dropCapabilities(call systemCall) {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	_, _, _ = call(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none[0])), 0)
}

// landlockAttr is struct landlock_ruleset_attr of linux/landlock.h.
type landlockAttr struct{ fs, net, scoped uint64 }

// landlock denies all that this kernel's Landlock can deny, but that files in some folders
// are read and executed. The numbers are those of linux/landlock.h by version.
func landlock(roots []string, call systemCall) bool {
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
	for _, root := range roots {
		dir, err := unix.Open(root, unix.O_PATH|unix.O_CLOEXEC|unix.O_DIRECTORY, 0)
		if err != nil {
			continue // it is not there
		}
		rule := unix.LandlockPathBeneathAttr{Allowed_access: unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR, Parent_fd: int32(dir)}
		_, _, e := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, fd, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
		if unix.Close(dir); e != 0 {
			return false
		}
	}
	_, _, e = call(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0)
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

// denied are system calls that no start of a program needs: sockets, other processes,
// namespaces, and parts of the kernel in which faults are found.
var denied = []uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT4, unix.SYS_SENDTO, unix.SYS_SENDMSG,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_CHROOT, unix.SYS_PIVOT_ROOT, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_FSOPEN, unix.SYS_FSMOUNT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_MEMFD_CREATE, unix.SYS_OPEN_BY_HANDLE_AT,
}

// The values of filters, and offsets in struct seccomp_data, little endian.
const (
	load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	least = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	bits  = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	end   = unix.BPF_RET | unix.BPF_K

	callNumber, architecture, firstArgument = 0, 4, 16

	yes  = unix.SECCOMP_RET_ALLOW
	no   = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	none = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// onlyAllowed lets through the allowed calls, clone for threads only, and tgkill within
// this process; every other call fails with EPERM.
func onlyAllowed() (filter []unix.SockFilter) {
	for _, n := range allowed {
		filter = append(filter, unix.SockFilter{Code: equal, K: n, Jf: 1}, unix.SockFilter{Code: end, K: yes})
	}
	return append(append(filter, onlyThreads...),
		unix.SockFilter{Code: equal, K: unix.SYS_TGKILL, Jf: 3},
		unix.SockFilter{Code: load, K: firstArgument},
		unix.SockFilter{Code: equal, K: uint32(os.Getpid()), Jf: 1},
		unix.SockFilter{Code: end, K: yes},
		unix.SockFilter{Code: end, K: no},
	)
}

// allButDenied has the denied calls fail with EPERM, and clone other than for threads.
func allButDenied() (filter []unix.SockFilter) {
	// The calls of x32, the other numbers that amd64 has.
	filter = append(filter, unix.SockFilter{Code: least, K: 1 << 30, Jf: 1}, unix.SockFilter{Code: end, K: no})
	for _, n := range denied {
		filter = append(filter, unix.SockFilter{Code: equal, K: n, Jf: 1}, unix.SockFilter{Code: end, K: no})
	}
	return append(append(filter, onlyThreads...), unix.SockFilter{Code: end, K: yes})
}

// onlyThreads decides about clone and clone3.
var onlyThreads = []unix.SockFilter{
	{Code: equal, K: unix.SYS_CLONE3, Jf: 1}, // hides its flags from a filter; clone stands in
	{Code: end, K: none},
	{Code: equal, K: unix.SYS_CLONE, Jf: 4},
	{Code: load, K: firstArgument},
	{Code: bits, K: unix.CLONE_THREAD, Jf: 1},
	{Code: end, K: yes},
	{Code: end, K: no},
}

// seccomp applies a filter of the numbers of calls.
func seccomp(calls []unix.SockFilter, flags uintptr) bool {
	var arch uint32
	switch runtime.GOARCH {
	case "amd64":
		arch = unix.AUDIT_ARCH_X86_64
	case "arm64":
		arch = unix.AUDIT_ARCH_AARCH64
	default:
		return false
	}
	filter := append([]unix.SockFilter{
		{Code: load, K: architecture},
		{Code: equal, K: arch, Jt: 1},
		{Code: end, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: load, K: callNumber},
	}, calls...)
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
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
