package browser

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// AsInit runs this program once more where it is process 1, as in a container
// without an init, and reports whether it did. The kernel makes process 1 the
// parent of every process whose own parent has ended, such as those of a browser;
// it has to wait for them, or they stay as zombies. Call it in main after NewHelper. A
// second process keeps this apart from the waits for the program's own children.
func AsInit() (exit int, done bool) {
	if os.Getpid() != 1 {
		return 0, false
	}
	// SIGCHLD is not among them: the loop below waits for children by itself.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2)
	self := exec.Command("/proc/self/exe", os.Args[1:]...)
	self.Args[0] = os.Args[0]
	self.Stdin, self.Stdout, self.Stderr = os.Stdin, os.Stdout, os.Stderr
	self.SysProcAttr = new(syscall.SysProcAttr) // the kernel ends it with process 1
	if _, err := unix.IoctlGetTermios(0, unix.TCGETS); err == nil {
		// The terminal's signals then go to the program, and not twice.
		self.SysProcAttr.Foreground, self.SysProcAttr.Setpgid = true, true
	}
	if err := self.Start(); err != nil {
		return 0, false // the program works without it, and leaves zombies
	}
	program := self.Process.Pid
	go func() {
		for s := range signals {
			_ = syscall.Kill(program, s.(syscall.Signal))
		}
	}()
	for {
		var status syscall.WaitStatus
		switch pid, err := syscall.Wait4(-1, &status, 0, nil); {
		case err == syscall.EINTR:
		case err != nil:
			return 1, true
		case pid == program && status.Exited():
			return status.ExitStatus(), true
		case pid == program && status.Signaled():
			return 128 + int(status.Signal()), true // as shells say it
		}
	}
}
