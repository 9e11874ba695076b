package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/egress"
)

// Rules of the process:
//
//   - It uses two pipes and opens no port. When this process ends in any way, the
//     pipes close and the browser ends itself. On Linux the kernel also kills it
//     (Pdeathsig), so the thread that started it is kept until it has ended.
//   - It leads a process group of its own, which is killed as one.
//   - Its files are in a folder with a lock that dies with this process, see
//     folder.go. A shell that waits for this process' end removes the folder;
//     without a shell, the next start removes it.
//   - If this process is root, the browser runs under another user id, see
//     account_linux.go, with its own sandbox where the kernel allows it.

// start launches a browser in a folder of its own. The caller ends it with kill.
func start(o launchOptions) (*process, error) {
	f, err := newFolder(o.folder, o.uid)
	if err != nil {
		return nil, err
	}
	o.dir, o.path = f.profile, unwrapped(o.path)
	p := &process{folder: f, unlock: func() {}}
	if o.profile != "" {
		if p.unlock, err = lockProfile(o.profile, o.uid); err != nil {
			f.remove()
			return nil, err
		}
		o.dir = o.profile
	}
	p.clean = cleaner(f.outer())
	alone := !o.helper.here || o.headed && displayIsFar(os.Getenv)
	if !alone {
		o.why = p.run(o, true)
	}
	if alone || o.why != nil {
		err = p.run(o, false)
	}
	if err != nil {
		f.remove()
		p.unlock()
		p.clean()
		return nil, err
	}
	return p, nil
}

// limited has a shell set the limits that limit sets in a namespace. Setting those of
// a process of another user from here takes CAP_SYS_RESOURCE.
func limited(cmd *exec.Cmd) {
	const shell = "/bin/sh"
	if _, err := os.Stat(shell); err != nil || runtime.GOOS != "linux" {
		return
	}
	script := fmt.Sprintf(`ulimit -c 0; ulimit -d %d; exec "$0" "$@"`, maxData>>10)
	cmd.Args = append([]string{shell, "-c", script, cmd.Path}, cmd.Args[1:]...)
	cmd.Path = shell
}

// cleaner starts a shell that removes a folder when this process has ended in any
// way. It returns a function that ends the shell. Without a shell it does nothing.
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

// run starts the process, with or without a network namespace. If it fails, no
// process is left.
func (p *process) run(o launchOptions, namespace bool) error {
	p.options = o
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
	p.cmd.SysProcAttr = processAttributes(o.uid)
	p.cmd.WaitDelay = time.Second // a child of its own may hold the output open
	p.cmd.Env = environment(os.Environ(), p.folder.profile, o.headed)
	var w *way
	if !namespace {
		limited(p.cmd)
	} else {
		if w, err = o.helper.wrap(p.cmd, o.uid); err != nil {
			return errors.Join(err, childIn.Close(), childOut.Close(), in.Close(), out.Close())
		}
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
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

// environment returns the variables that the browser gets: an allowlist without
// proxies and keys. A browser with windows also gets those of the display.
func environment(env []string, dir string, headed bool) []string {
	tmp := dir
	if len(dir) > longestTemp {
		tmp = os.TempDir()
	}
	out := []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_CACHE_HOME=" + dir, "TMPDIR=" + tmp}
	for _, kv := range env {
		switch name, _, _ := strings.Cut(kv, "="); name {
		case "PATH", "LANG", "LC_ALL", "TZ", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "LD_LIBRARY_PATH", "SystemRoot", "LocalAppData":
			out = append(out, kv)
		case "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR":
			if headed {
				out = append(out, kv)
			}
		}
	}
	return out
}

// kill ends the browser with all of its processes, and removes its folder. It
// returns when that has happened; it may be called more than once.
func (p *process) kill() {
	p.ended.Do(func() {
		if p.cmd == nil { // it is not ours
			_ = p.conn.pipe.Close()
			<-p.reader
			return
		}
		p.end()
		if p.listeners != nil {
			p.listeners.Close()
		}
		p.folder.remove()
		p.unlock()
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
	killLeftovers("--user-data-dir=" + p.options.dir)
}

// failure returns why a browser did not start, with the end of its own output.
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

// lacksSandbox reports whether the browser ended because the kernel does not allow
// its sandbox.
func (p *process) lacksSandbox() bool {
	select {
	case <-p.exited:
	default:
		return false
	}
	words := p.output.text()
	return strings.Contains(words, "No usable sandbox") || strings.Contains(words, "Failed to move to new namespace")
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
		if p.cmd == nil {
			return err
		}
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

// A process is a browser that runs.
type process struct {
	cmd       *exec.Cmd
	conn      *conn
	listeners *egress.NamespaceListeners // of its network namespace; nil without one
	options   launchOptions              // with which it runs
	folder    *folder
	clean     func() // ends the shell that waits
	unlock    func() // gives up the profile that lasts
	output    *tail
	exited    chan struct{}
	reader    chan struct{} // closed when the reading of the pipe has ended
	ended     sync.Once
}
