package frontiertest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"
)

// startServer starts a private PostgreSQL of Debian's packages in a temporary folder,
// on a port of loopback. Root starts it as another user: PostgreSQL refuses root. The
// kernel ends it with this process.
func startServer() (url string, stop func(), err error) {
	bin, err := binaries()
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "spyhop-postgres-")
	if err != nil {
		return "", nil, err
	}
	remove := func() { os.RemoveAll(dir) }
	attr, err := account(dir)
	if err != nil {
		remove()
		return "", nil, err
	}
	password := rand.Text()
	file := filepath.Join(dir, "password")
	if err := os.WriteFile(file, []byte(password+"\n"), 0o644); err != nil {
		remove()
		return "", nil, err
	}
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir, cmd.SysProcAttr, cmd.Env = dir, attr, []string{"LC_ALL=C", "TZ=UTC", "PATH=/usr/bin:/bin"}
		return cmd
	}
	data := filepath.Join(dir, "data")
	if out, err := run("initdb", "-D", data, "-U", "spyhop", "--pwfile", file, "--auth", "scram-sha-256", "--no-locale", "-E", "UTF8", "--no-sync").CombinedOutput(); err != nil {
		remove()
		return "", nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	port, release, err := holdPort()
	if err != nil {
		remove()
		return "", nil, err
	}
	remove = func() { release(); os.RemoveAll(dir) }
	fsync := "off"
	if os.Getenv("SPYHOP_POSTGRES_FSYNC") != "" {
		fsync = "on"
	}
	cmd := run("postgres", "-D", data, "-p", strconv.Itoa(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
		"-c", "fsync="+fsync, "-c", "max_connections=200", "-c", "shared_buffers=128MB", "-c", "log_min_messages=fatal")
	if extra := os.Getenv("SPYHOP_POSTGRES_OPTIONS"); extra != "" {
		cmd.Args = append(cmd.Args, strings.Fields(extra)...)
		cmd.Stderr = os.Stderr
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the signal comes when the thread ends that started the process
		started <- cmd.Start()
		if cmd.Process != nil {
			cmd.Wait()
		}
		select {}
	}()
	if err := <-started; err != nil {
		remove()
		return "", nil, err
	}
	stop = func() {
		cmd.Process.Signal(syscall.SIGQUIT)
		for range 500 {
			if _, err := os.Stat(filepath.Join(data, "postmaster.pid")); err != nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		remove()
	}
	url = fmt.Sprintf("postgres://spyhop:%s@127.0.0.1:%d", password, port)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		c, err := pgx.Connect(ctx, url+"/postgres?sslmode=disable")
		if err == nil {
			return url, stop, c.Close(ctx)
		}
		if ctx.Err() != nil {
			stop()
			return "", nil, fmt.Errorf("the server does not answer: %w", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// binaries is the folder of PostgreSQL's programs; Debian keeps it off the PATH.
func binaries() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if p, err := exec.LookPath("initdb"); err == nil {
		found = append(found, p)
	}
	if len(found) == 0 {
		return "", errNoServer
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1]), nil
}

// account says as whom the server runs, and gives that user the folder.
func account(dir string) (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
	if os.Getuid() != 0 {
		return attr, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr, os.Chown(dir, uid, gid)
}

// holdPort binds a port of loopback that nobody else is given until it is released. The
// socket does not listen and may share its port, so that a server can listen there.
func holdPort() (port int, release func(), err error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, err
	}
	var at unix.Sockaddr
	err = errors.Join(unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1), unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	if err == nil {
		at, err = unix.Getsockname(fd)
	}
	if err != nil {
		unix.Close(fd)
		return 0, nil, err
	}
	return at.(*unix.SockaddrInet4).Port, func() { unix.Close(fd) }, nil
}
