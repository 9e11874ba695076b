package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/egress"
)

// Rules of the process:
//
//   - It talks over two pipes: no port is opened. When this process ends, in
//     whatever way, the pipes close and the browser ends itself; on Linux the
//     kernel kills it besides (Pdeathsig), which is why the thread that started
//     it is kept until it has ended.
//   - It leads a process group of its own, which is killed as one.
//   - Its profile is a folder with a lock that dies with this process. A shell
//     that waits for this process' end removes it; where there is none, the next
//     start does.

const (
	folderPrefix = "spyhop-browser-"
	lockName     = "spyhop.lock"
	// startLimit is how long a browser may take to answer for the first time where
	// the operation has no deadline. On a loaded machine with a cold disk Chromium
	// takes some seconds.
	startLimit = 20 * time.Second
	outputKept = 4 << 10
	sweepAge   = 5 * time.Second
)

type launchOptions struct {
	path      string
	dir       string
	headed    bool
	noSandbox bool
	helper    Helper
	direct    string // see Browser.direct
}

// A process is a browser that runs.
type process struct {
	cmd       *exec.Cmd
	conn      *conn
	listeners *egress.NamespaceListeners // of its network namespace; nil where there is none
	dir       string
	unlock    func()
	clean     func() // ends the shell that waits
	output    *tail
	exited    chan struct{}
	reader    chan struct{} // closed when nobody reads the pipe any longer
	ended     sync.Once
}

// start launches a browser whose profile is a new folder below root. The
// caller ends it with kill.
func start(o launchOptions, root string) (*process, error) {
	sweep(root)
	dir, err := os.MkdirTemp(root, folderPrefix)
	if err != nil {
		return nil, err
	}
	unlock, err := lockFile(filepath.Join(dir, lockName))
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	o.dir, o.path = dir, unwrapped(o.path)
	p := &process{dir: dir, unlock: unlock, clean: cleaner(dir)}
	alone := !o.helper.here || o.headed && displayIsFar(os.Getenv)
	if alone || p.run(o, true) != nil {
		err = p.run(o, false)
	}
	if err != nil {
		unlock()
		removeAll(dir)
		p.clean()
		return nil, err
	}
	return p, nil
}

// cleaner starts a shell that removes a folder when this process has ended, in
// whatever way, and returns what ends it. Where there is no shell, nothing
// happens.
func cleaner(dir string) (end func()) {
	none := func() {}
	if runtime.GOOS == "windows" {
		return none
	}
	read, write, err := os.Pipe()
	if err != nil {
		return none
	}
	// The browser may still write while it dies.
	const wait = `read -r end; n=0; while [ -e "$1" ] && [ $n -lt 50 ]; do rm -rf -- "$1" || sleep 0.1; n=$((n+1)); done`
	cmd := exec.Command("/bin/sh", "-c", wait, "spyhop-cleaner", dir)
	cmd.Env, cmd.Dir = []string{"PATH=/usr/bin:/bin"}, "/"
	cmd.Stdin = read
	cmd.SysProcAttr = groupAttributes()
	err = cmd.Start()
	_ = read.Close()
	if err != nil {
		_ = write.Close()
		return none
	}
	return func() {
		_ = write.Close()
		_ = cmd.Wait()
	}
}

// run starts the process, in a network namespace or without. When it fails,
// there is none.
func (p *process) run(o launchOptions, namespace bool) error {
	p.output, p.exited, p.reader = &tail{max: outputKept}, make(chan struct{}), make(chan struct{})
	childIn, in, err := os.Pipe()
	if err != nil {
		return err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return errors.Join(err, childIn.Close(), in.Close())
	}
	p.cmd = exec.Command(o.path, flags(o)...)
	p.cmd.ExtraFiles = []*os.File{childIn, childOut} // descriptors 3 and 4
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	p.cmd.SysProcAttr = processAttributes()
	p.cmd.WaitDelay = time.Second // a child of its own may hold the output open
	p.cmd.Env = environment(os.Environ(), o.dir)
	var w *way
	if namespace {
		if w, err = o.helper.wrap(p.cmd); err != nil {
			return errors.Join(err, childIn.Close(), childOut.Close(), in.Close(), out.Close())
		}
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		if err == nil {
			bound(p.cmd.Process.Pid)
		}
		started <- err
		if err == nil {
			_ = p.cmd.Wait()
			close(p.exited)
		}
	}()
	err = <-started
	_, _ = childIn.Close(), childOut.Close()
	if err != nil {
		if namespace {
			w.close()
		}
		return errors.Join(err, in.Close(), out.Close())
	}
	p.conn = newConn(out, in)
	go func() {
		defer close(p.reader)
		p.conn.read()
	}()
	if namespace {
		if p.listeners, err = w.listeners(); err != nil {
			p.end()
			return aloneBecause(p.output, err)
		}
	}
	return nil
}

// longestTemp is how long the folder's name may be for Chromium's socket in it,
// /org.chromium.Chromium.XXXXXX/SingletonSocket, to stay below the 108 bytes of
// sun_path; Chromium ends itself beyond.
const longestTemp = 60

// environment is what the browser gets of ours: no proxies, no keys.
func environment(env []string, dir string) []string {
	tmp := dir
	if len(dir) > longestTemp {
		tmp = os.TempDir()
	}
	out := []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_CACHE_HOME=" + dir, "TMPDIR=" + tmp}
	for _, kv := range env {
		switch name, _, _ := strings.Cut(kv, "="); name {
		case "PATH", "LANG", "LC_ALL", "TZ", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
			"FONTCONFIG_PATH", "FONTCONFIG_FILE", "LD_LIBRARY_PATH", "SystemRoot", "LocalAppData":
			out = append(out, kv)
		}
	}
	return out
}

// kill ends the browser with all of its processes, and removes its folder. It
// returns when that has happened; it may be called more than once.
func (p *process) kill() {
	p.ended.Do(func() {
		p.end()
		if p.listeners != nil {
			p.listeners.Close()
		}
		p.unlock()
		removeAll(p.dir)
		p.clean()
	})
}

// end ends the processes.
func (p *process) end() {
	killGroup(p.cmd.Process.Pid)
	_ = p.cmd.Process.Kill()
	<-p.exited
	_ = p.conn.pipe.Close()
	<-p.reader
	killLeftovers("--user-data-dir=" + p.dir)
}

// failure says why a browser did not start, in its own last words.
func (p *process) failure(err error) error {
	select {
	case <-p.exited:
		if words := p.output.lastLine(); words != "" {
			return fmt.Errorf("%w: %s", err, words)
		}
	default:
	}
	return err
}

// removeAll removes a folder that a dying process may still write to.
func removeAll(dir string) {
	for i := range 20 {
		if err := os.RemoveAll(dir); err == nil {
			return
		}
		time.Sleep(time.Duration(i+1) * 5 * time.Millisecond)
	}
}

// sweep removes the folders below root whose owner has died.
func sweep(root string) {
	if root == "" {
		root = os.TempDir()
	}
	found, err := filepath.Glob(filepath.Join(root, folderPrefix+"*"))
	if err != nil {
		return
	}
	for _, dir := range found {
		// A folder that was made a moment ago may not have its lock yet.
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 || time.Since(info.ModTime()) < sweepAge {
			continue
		}
		unlock, err := lockFile(filepath.Join(dir, lockName))
		if err != nil {
			continue // somebody lives there, or it is not ours
		}
		killLeftovers("--user-data-dir=" + dir)
		unlock()
		removeAll(dir)
	}
}

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
	max int
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - t.max; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

func (t *tail) lastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.buf), []byte("\n"))
	return string(bytes.TrimSpace(lines[len(lines)-1]))
}

// awaitVersion asks the first question; a browser that answers works.
func (p *process) awaitVersion(ctx context.Context, s *session) error {
	if p.listeners != nil { // it can be started without a namespace
		var cancel context.CancelFunc
		ctx, cancel = deadline.Share(ctx, 2)
		defer cancel()
	}
	ctx, cancel := step(ctx, startLimit)
	defer cancel()
	if err := s.Call(ctx, "Browser.getVersion", nil, nil); err != nil {
		if errors.Is(err, errLost) {
			select {
			case <-p.exited:
			case <-ctx.Done():
			}
		}
		return p.failure(err)
	}
	return nil
}
