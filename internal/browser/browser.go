package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/provenance"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// Options configure a [Browser]. The zero value of each field but Guard is the
// default.
type Options struct {
	// Guard decides about every connection. Required.
	Guard *egress.Guard
	// Provenance decides which addresses a caller may ask for, by where they came
	// from; nil: all. It does not restrict navigation that pages start.
	Provenance *provenance.Ledger
	// Attach is where a browser that runs is asked for its version, such as
	// http://127.0.0.1:9222; it has to be an endpoint of the guard's policy. Zero: a browser
	// is started. See attach.go.
	Attach weburl.URL
	// Profile is the folder of a profile that lasts; empty: none. See attach.go.
	Profile string
	// Path is the browser's program; empty: the one that [Find] finds.
	Path string
	// Helper runs the browser in a network namespace, if the kernel allows it.
	Helper Helper
	// Headed shows its windows.
	Headed bool
	// UserAgent replaces the browser's own user agent; empty: its own.
	UserAgent string
	// Idle is how long a context may be unused before it is ended; the browser ends
	// with its last context. 0 means 15 minutes.
	Idle time.Duration
	// Timeout bounds an operation; 0 means 30 seconds.
	Timeout time.Duration
	// Folder is where the browser's files are while it runs. It is made with mode 0700
	// and has to belong to this user. Empty, or out of the reach of UID: see folder.go.
	Folder string
	// UID is the user id that a browser without windows runs under where this process
	// is root; 0 means an unused one, and -1 that of this process. Other processes
	// cannot change it.
	UID int
	// CaptureDir is where screenshots and PDFs are written; empty: captures fail.
	CaptureDir string
	// CaptureKeep is how long captures are kept; 0 means a day.
	CaptureKeep time.Duration
	// UploadDir is the only folder that files are uploaded from; empty: uploads
	// are refused.
	UploadDir string
	// AllowScript allows Evaluate.
	AllowScript bool
	// Secrets are typed in the place of ${secret:NAME}; nil: none.
	Secrets *Secrets
	// Visited is called for each address that was asked for, with the page or the
	// error. It may be nil.
	Visited func(ctx context.Context, asked string, p *Page, err error)
}

// New returns a Browser. It starts no process.
func New(o Options) (*Browser, error) {
	if o.Guard == nil {
		return nil, errors.New("a browser needs a guard")
	}
	if o.Idle <= 0 {
		o.Idle = defaultIdle
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	b := &Browser{options: o, starting: make(chan struct{}, 1), contexts: make(map[contextKey]*browserContext)}
	if !o.Attach.IsZero() || o.Profile != "" {
		o.Attach, o.Profile = weburl.URL{}, ""
		var err error
		if b.plain, err = New(o); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Facts is what `spyhop doctor` prints about the browser.
type Facts struct {
	Path string // empty where none is installed
	// Attached is the browser that operations attach to; empty: one is started. Profile is
	// the profile that lasts; empty: none.
	Attached, Profile string
	Running           bool
	// Trouble is why no page can be made now: "missing", "does not start", "makes no
	// pages". It is empty before the first one was asked for.
	Trouble string
	// Namespace and Sandbox are whether the one that runs is in a network namespace,
	// and has Chromium's own sandbox. UID is the user id that it runs under. Why says
	// what went wrong if a namespace was tried and the browser runs without it.
	Namespace, Sandbox bool
	UID                int
	Why                error
	// Contexts and Tabs are those that are open, Calls the operations that use them.
	Contexts, Tabs, Calls int
}

// Facts looks at the browser without starting it. The error is BrowserMissing.
func (b *Browser) Facts() (Facts, error) {
	path, err := b.find()
	f := Facts{Path: path, Attached: b.options.Attach.String(), Profile: b.options.Profile}
	b.mu.Lock()
	defer b.mu.Unlock()
	if f.Running = b.engine != nil && b.engine.alive(); f.Running && !b.engine.isTheirs() {
		p := b.engine.process
		f.Namespace, f.Sandbox, f.UID, f.Why = p.listeners != nil, !p.options.noSandbox, p.options.uid, p.options.why
		if f.UID == ownUID {
			f.UID = os.Geteuid()
		}
	}
	switch {
	case err != nil:
		f.Trouble = "missing"
	case !f.Running && b.noStart:
		f.Trouble = "does not start"
	case f.Running && b.engine.failures.Load() > 0:
		f.Trouble = "makes no pages"
	}
	f.Contexts = len(b.contexts)
	for _, p := range b.contexts {
		f.Tabs += len(p.list())
		f.Calls += p.calls
	}
	return f, err
}

// Check starts the browser, ends it, and returns its facts while it ran. It takes
// about half a second. The error is a *tool.Error: BrowserMissing, BrowserError.
func Check(ctx context.Context, o Options) (Facts, error) {
	b, err := New(o)
	if err != nil {
		return Facts{}, err
	}
	defer b.Close()
	ctx, cancel := within(ctx, b.options.Timeout)
	defer cancel()
	if err := b.hold(ctx); err != nil {
		return Facts{}, tool.AsError(err)
	}
	_, err = b.running(ctx)
	<-b.starting
	if err != nil {
		return Facts{}, b.failure(ctx, nil, err)
	}
	return b.Facts()
}

// Close ends the browser; operations that begin later fail. When it returns, no
// process, file or operation of the browser is left. The error is always nil.
func (b *Browser) Close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.starting <- struct{}{}
	b.drop()
	<-b.starting
	b.work.Wait()
	if b.plain != nil {
		return b.plain.Close()
	}
	return nil
}

// begin counts an operation that Close waits for, unless Close was called; done
// ends it.
func (b *Browser) begin() (done func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, tool.NewError(tool.BrowserError, "the browser is closed", "")
	}
	b.work.Add(1)
	return b.work.Done, nil
}

// drop ends the engine and all that belongs to it. b.starting is held.
func (b *Browser) drop() {
	b.mu.Lock()
	e, all := b.engine, b.contexts
	b.engine, b.contexts = nil, make(map[contextKey]*browserContext)
	if b.idle != nil {
		b.idle.Stop()
	}
	b.mu.Unlock()
	if e == nil {
		return
	}
	if e.isTheirs() && e.alive() {
		ctx, cancel := within(e.ctx, stepLimit)
		for _, p := range all {
			p.letGo(ctx)
		}
		cancel()
	}
	if e.proxy != nil && e.alive() {
		e.closeOrderly()
	}
	e.close()
	for _, p := range all {
		p.closeProxy()
	}
}

// find is the path of the browser that is started.
func (b *Browser) find() (string, error) {
	if !b.options.Attach.IsZero() {
		return "", nil
	}
	return Find(b.options.Path, b.options.Headed)
}

// hold waits for the right to start and end the engine and contexts. The caller
// receives from b.starting afterwards.
func (b *Browser) hold(ctx context.Context) error {
	select {
	case b.starting <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// running returns the engine, which it starts when none runs. b.starting is
// held.
func (b *Browser) running(ctx context.Context) (*engine, error) {
	b.mu.Lock()
	e := b.engine
	b.mu.Unlock()
	if e != nil && e.alive() {
		return e, nil
	}
	b.drop()
	if !b.options.Attach.IsZero() {
		e, err := b.attach(ctx)
		b.mu.Lock()
		b.noStart = err != nil
		if err == nil {
			b.engine = e
		}
		b.mu.Unlock()
		return e, err
	}
	path, err := Find(b.options.Path, b.options.Headed)
	if err != nil {
		return nil, err
	}
	o, err := b.launchOptions(path)
	var proxy *egress.Proxy
	if err == nil && b.options.Profile != "" {
		if proxy, err = b.options.Guard.Proxy(egress.ProxyOptions{Session: profileContext}); err != nil {
			return nil, err
		}
		o.profile, o.proxy, o.helper, o.why = b.options.Profile, proxy.Addr(), Helper{}, errProfile
	}
	if err == nil {
		e, err = newEngine(ctx, o)
	}
	if err != nil {
		if proxy != nil {
			_ = proxy.Close()
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.mu.Lock()
		b.noStart = true
		b.mu.Unlock()
		return nil, b.startFailed(o, err)
	}
	e.userAgent, e.proxy = b.options.UserAgent, proxy
	e.trusts = b.options.Guard.TrustsCertificate
	b.mu.Lock()
	b.engine, b.noStart = e, false
	b.mu.Unlock()
	return e, nil
}

// launchOptions returns how a browser is started. A browser with windows keeps the
// user id of this process, because the display accepts it.
func (b *Browser) launchOptions(path string) (o launchOptions, err error) {
	o = launchOptions{path: path, headed: b.options.Headed, helper: b.options.Helper, direct: b.direct, folder: b.options.Folder, uid: ownUID}
	if !o.headed {
		o.uid, err = browserUID(b.options.UID)
	}
	o.noSandbox = isRoot() && o.uid == ownUID // Chromium refuses it
	return o, err
}

// startFailed makes the error of a browser that did not start.
func (b *Browser) startFailed(o launchOptions, err error) error {
	if te := (*tool.Error)(nil); errors.As(err, &te) {
		return te
	}
	e := &tool.Error{Type: tool.BrowserError, Retryable: true, Message: "the browser " + text.Path(o.path) + " does not start: " + text.Cause(err),
		Hint: "run it by hand to see why, or name another with WEB_BROWSER", Cause: err}
	if o.uid != ownUID && (errors.Is(err, os.ErrPermission) || strings.Contains(err.Error(), "ermission denied")) {
		e.Message = fmt.Sprintf("the browser %s does not start under the user id %d: %s", text.Path(o.path), o.uid, text.Cause(err))
		e.Hint = "install the browser where every user can run it, or set WEB_BROWSER_UID=-1 to run it as root without its sandbox"
	}
	return e
}

// profileContext is the name of the context of the profile.
const profileContext = "profile"

// errProfile is why a browser with a profile runs without a namespace.
var errProfile = errors.New("a browser with a profile that lasts is started without one")

// need is what an operation needs before it can run.
type need int

const (
	needsPage    need = iota // an open context whose tab shows a page
	needsContext             // an open context
	needsNothing             // the operation makes its context
)

// Memory is how many bytes of memory the processes of the browser have for
// themselves, without what they share with files and each other; 0 when none runs or
// the system has no /proc.
func (b *Browser) Memory() int64 {
	b.mu.Lock()
	e := b.engine
	b.mu.Unlock()
	if e == nil || !e.alive() {
		return 0
	}
	if e.isTheirs() {
		return 0
	}
	return privateMemory(e.process.cmd.Process.Pid)
}

// privateMemory sums the memory of a process and of those that it has started.
func privateMemory(root int) (sum int64) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	children := make(map[int][]int)
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
		// "pid (name) state parent …": the name can have spaces and parentheses.
		if f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])); len(f) > 1 {
			parent, _ := strconv.Atoi(f[1])
			children[parent] = append(children[parent], pid)
		}
	}
	for all := []int{root}; len(all) > 0; {
		pid := all[0]
		all = append(all[1:], children[pid]...)
		statm, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
		if f := strings.Fields(string(statm)); len(f) > 2 {
			resident, _ := strconv.ParseInt(f[1], 10, 64)
			shared, _ := strconv.ParseInt(f[2], 10, 64)
			sum += (resident - shared) * int64(os.Getpagesize())
		}
	}
	return sum
}
