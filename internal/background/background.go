// Package background provides a process of the user that outlives a command: one
// command starts it, and later commands of the same user find it again by a socket.
//
//	folder, err := background.Folder(dataDir, os.LookupEnv)
//	l, err := background.Listen(folder)              // in the process that stays
//	conn, err := background.Dial(ctx, folder)        // in a command
//	err = background.Start(ctx, folder, args, env)   // starts this program again
//
// # Guarantees
//
// The socket has mode 0600 and stands in a folder of mode 0700 that belongs to the
// user. Both sides ask the kernel for the user id at the other end, and close a
// connection of any other user before they read from it. One process at a time listens
// in a folder. A socket that a killed process has left is replaced.
//
// # Limits
//
// Linux and macOS have such sockets; elsewhere each function returns [ErrUnsupported].
// The superuser can connect to every socket, but has another user id, and is refused.
package background

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spyhop-dev/spyhop/internal/private"
)

var (
	// ErrNone means that no process listens in a folder.
	ErrNone = errors.New("no background process runs")
	// errRunning means that another process listens in the folder.
	errRunning = errors.New("a background process runs already")
	// ErrUnsupported means that this system has no sockets that tell who is at the
	// other end.
	ErrUnsupported = errors.New("background processes need Linux or macOS")
)

const (
	socketName = "browser.sock"
	lockName   = "browser.lock"
	logName    = "browser.log"
	// mostSocketPath is what every system allows for the path of a socket.
	mostSocketPath = 103
	// mostSaid is how much of what a process wrote before it ended is repeated.
	mostSaid = 2_000
)

// Folder makes the folder for the socket: below XDG_RUNTIME_DIR, which ends with the
// user's last session, else below the data folder.
func Folder(dataDir string, env func(string) (string, bool)) (string, error) {
	dir := ""
	if runtime, _ := env("XDG_RUNTIME_DIR"); filepath.IsAbs(runtime) && private.CheckDir(runtime) == nil {
		dir = filepath.Join(runtime, "spyhop")
	} else if dataDir != "" {
		dir = filepath.Join(dataDir, "run")
	}
	if dir == "" {
		return "", errors.New("there is no home folder for the socket: set WEB_DATA_DIR to a folder of your own")
	}
	if path := filepath.Join(dir, socketName); len(path) > mostSocketPath {
		return "", fmt.Errorf("the path of the socket, %s, has %d bytes, at most %d: set WEB_DATA_DIR to a shorter path", path, len(path), mostSocketPath)
	}
	if err := private.Dir(dir); err != nil {
		return "", err
	}
	// private.Dir accepts a folder that others can read.
	return dir, os.Chmod(dir, 0o700)
}

// Listener accepts connections of this user. Close it.
type Listener struct {
	*net.UnixListener
	lock *os.File
}

// Accept returns the next connection whose other end is this user.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if raw, err := c.SyscallConn(); err == nil && checkPeer(raw) == nil {
			return c, nil
		}
		_ = c.Close()
	}
}

// Close removes the socket, and lets another process listen.
func (l *Listener) Close() error {
	return errors.Join(l.UnixListener.Close(), l.lock.Close())
}

// Listen makes the socket in a folder that Folder returned. The error is errRunning if
// another process has it.
func Listen(folder string) (*Listener, error) {
	lock, err := os.OpenFile(filepath.Join(folder, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockFile(lock); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	path := filepath.Join(folder, socketName)
	// With the lock, a socket that is there belongs to a process that has ended.
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, errors.Join(err, lock.Close())
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close(), lock.Close())
	}
	return &Listener{l, lock}, nil
}

// Dial connects to the process that listens in a folder. The error is ErrNone if there
// is none.
func Dial(ctx context.Context, folder string) (net.Conn, error) {
	if err := private.CheckDir(folder); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, socketName)
	c, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, ErrNone
	}
	unix, ok := c.(*net.UnixConn)
	if !ok {
		return nil, errors.Join(ErrUnsupported, c.Close())
	}
	raw, err := unix.SyscallConn()
	if err == nil {
		err = checkPeer(raw)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Start starts this program with other arguments in a session of its own, and waits
// until it listens in the folder. It gets the environment env, no input, and a log file
// beside the socket. The error of a process that ends before it listens has what the
// process wrote.
func Start(ctx context.Context, folder string, args, env []string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(folder, logName), os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Args[0] = "spyhop"
	cmd.Env, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = env, log, log, detached()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // it ends with the process, or with this one
	for {
		c, err := Dial(ctx, folder)
		if err == nil {
			return c.Close()
		}
		if !errors.Is(err, ErrNone) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			if c, e := Dial(ctx, folder); e == nil { // another command was faster
				return c.Close()
			}
			return said(log, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// said is the error of a process that ended too early.
func said(log *os.File, err error) error {
	text := make([]byte, mostSaid)
	n, e := log.ReadAt(text, 0)
	if text = bytes.TrimSpace(text[:n]); len(text) > 0 && (e == nil || errors.Is(e, io.EOF)) {
		return errors.New(string(text))
	}
	return fmt.Errorf("the background process ended before it answered: %v", err)
}
