package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// onTerminal runs the command with a terminal of 80 columns as its stdout and stderr, and
// returns what it printed there, without the erasing of the line of progress.
func onTerminal(t *testing.T, w *world, args ...string) string {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals on this machine: ", err)
	}
	defer screen.Close()
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = errors.Join(unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0),
			unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	}
	if err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close() // held open: once it is closed, the kernel may drop what was printed last
	c := w.command(context.Background(), "terminal", args...)
	c.Env = append(c.Env, "TERM=dumb")
	c.Stdout, c.Stderr = terminal, terminal
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	const theEnd = "the command has ended"
	go func() {
		_ = c.Wait()
		_, _ = terminal.WriteString(theEnd)
	}()
	said, buf := "", make([]byte, 4096)
	for !strings.HasSuffix(said, theEnd) {
		n, err := screen.Read(buf)
		said += string(buf[:n])
		if err != nil {
			t.Fatal(err)
		}
	}
	said = strings.TrimSuffix(said, theEnd)
	return strings.NewReplacer("\r\x1b[K", "", "\r\n", "\n").Replace(said)
}
