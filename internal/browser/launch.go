package browser

import (
	"cmp"
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

// flags are the arguments of the browser.
//
// The first group keeps its traffic on the way through the guard. Measured on
// Chromium 156, --proxy-server alone leaks to loopback, to link-local addresses
// and over UDP; with these, nothing does. Both spellings of the WebRTC policy
// are needed: each build ignores the other's. The proxy named here is that of
// a profile that lasts, else a dead end: contexts name their own, and what belongs to none has no way out.
func flags(o launchOptions) []string {
	lead := []string{
		"--proxy-server=http://" + cmp.Or(o.proxy, "127.0.0.1:9"),
		"--proxy-bypass-list=<-loopback>",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--disable-quic",
		"--dns-prefetch-disable",
	}
	if o.direct != "" {
		lead = nil
	}
	f := append(lead,
		// No requests to the browser's vendor.
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
		"--disable-domain-reliability", "--disable-client-side-phishing-detection", "--safebrowsing-disable-auto-update",
		"--no-pings", "--metrics-recording-only", "--disable-field-trial-config",
		"--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,InterestFeedContentSuggestions,"+
			"AutofillServerCommunication,CertificateTransparencyComponentUpdater,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"+
			"PaintHolding,LensOverlay,GlobalMediaControls,AcceptCHFrame,DestroyProfileOnBrowserClose",

		// No person can answer these.
		"--no-first-run", "--no-default-browser-check", "--noerrdialogs", "--disable-prompt-on-repost", "--deny-permission-prompts",
		"--disable-extensions", "--disable-component-extensions-with-background-pages",
		"--disable-breakpad", "--disable-crash-reporter", "--password-store=basic", "--use-mock-keychain", "--mute-audio",
		"--disable-search-engine-choice-screen", "--disable-external-intent-requests",

		// Pages in the background go on working, and this package ends pages that hang.
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
		"--disable-hang-monitor",

		// A script that uses more memory than this ends its own page.
		"--js-flags=--max-old-space-size=768", "--disable-dev-shm-usage", "--disk-cache-size=33554432",
		// A headless browser says that it has no mouse, and sites then serve what is for
		// touch screens.
		"--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
		"--force-color-profile=srgb", "--hide-scrollbars", "--window-size=1280,800", "--lang=en-US", "--disable-gpu", "--enable-unsafe-swiftshader",

		"--remote-debugging-pipe",
		"--user-data-dir="+o.dir,
	)
	if o.noSandbox {
		f = append(f, "--no-sandbox")
	}
	if !o.headed && !strings.Contains(o.path, "headless") {
		f = append(f, "--headless=new")
	}
	return append(f, "--no-startup-window")
}

type launchOptions struct {
	path      string
	dir       string // the profile; start sets it
	profile   string // that lasts; empty: the one in the folder of the process
	proxy     string // that the default context has; empty: a dead end
	folder    string // where the folder of the process is made; see folderFor
	headed    bool
	uid       int // that the browser runs under; ownUID: that of this process
	noSandbox bool
	helper    Helper
	direct    string // see Browser.direct
	again     bool   // one in a namespace has ended by itself
	why       error  // what went wrong with the namespace; nil: nothing, or none was tried
}
