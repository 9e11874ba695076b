package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/provenance"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	// DefaultIdle ends contexts that nobody used for so long.
	DefaultIdle = 15 * time.Minute
	// DefaultTimeout bounds an operation.
	DefaultTimeout = 30 * time.Second
	// MaxTabs bounds the tabs of a context, MaxContexts those of a browser.
	MaxTabs     = 5
	MaxContexts = 20
	// busy is how many pages work at once. On two cores more tabs do not read
	// more pages a second, measured: 4.2 with 4, 4.6 with 8.
	busy = 4
)

// Options configure a [Browser]. The zero value of each field but Guard is the
// default.
type Options struct {
	// Guard judges all that leaves. Required.
	Guard *egress.Guard
	// Provenance says which addresses a caller may ask for because of where they
	// came from; nil: all. It has no word on where pages lead.
	Provenance *provenance.Ledger
	// Path is the browser to start; empty: the one that [Find] finds.
	Path string
	// Helper has the browser run in a network namespace, where the kernel allows
	// it.
	Helper Helper
	// Headed shows its windows.
	Headed bool
	// UserAgent replaces that of the browser; empty: its own.
	UserAgent string
	// Idle ends a context that was not used for so long, and the browser when it
	// was the last one; 0 means DefaultIdle.
	Idle time.Duration
	// Timeout bounds an operation; 0 means DefaultTimeout.
	Timeout time.Duration
	// Folder is where profiles live while the browser runs; empty: the system's
	// folder for temporary files.
	Folder string
	// CaptureDir is where screenshots and PDFs are written; empty: captures fail.
	CaptureDir string
	// UploadDir is the only folder that files are uploaded from; empty: uploads
	// are refused.
	UploadDir string
	// AllowScript allows Evaluate.
	AllowScript bool
	// Visited hears of each address that was asked for, with the page that came
	// or the error. Nil: nobody listens.
	Visited func(ctx context.Context, asked string, p *Page, err error)
}

// Browser starts and keeps the browser. Make one with [New]; its methods may
// be called from several goroutines.
type Browser struct {
	options Options
	slots   chan struct{}
	direct  string // tests: go to these hosts without the proxy, and leave out the flags that lead there

	starting chan struct{} // held by who starts or ends the engine

	mu       sync.Mutex
	engine   *engine // nil while none runs
	profiles map[string]*profile
	spare    *profile
	sparing  bool // a spare is being made
	lastTab  int
	lastName int
	idle     *time.Timer
	shut     bool

	work sync.WaitGroup
}

// Place says where an operation happens. The zero value is the current tab of
// the default context.
type Place struct {
	// Context is the name of a context; it is made when it is not there.
	Context string
	// Tab is "t1" and so on; empty: the current one.
	Tab string
}

// New returns a Browser. Nothing is started.
func New(o Options) (*Browser, error) {
	if o.Guard == nil {
		return nil, errors.New("a browser needs a guard")
	}
	if o.Idle <= 0 {
		o.Idle = DefaultIdle
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	return &Browser{options: o, slots: make(chan struct{}, busy), starting: make(chan struct{}, 1), profiles: make(map[string]*profile)}, nil
}

// NewContext returns a name for a context that no other caller has.
func (b *Browser) NewContext() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lastName++
	return fmt.Sprintf("c%d-%s", b.lastName, random(6))
}

// Facts are what doctor says of the browser.
type Facts struct {
	Path    string // empty where none is installed
	Sandbox bool   // Chromium's own sandbox is on
	Running bool
	// Namespace is whether the one that runs is in a network namespace.
	Namespace bool
	// Contexts and Tabs are those in use.
	Contexts, Tabs int
}

// Facts looks at the browser without starting it. The error is BrowserMissing.
func (b *Browser) Facts() (Facts, error) {
	path, err := Find(b.options.Path, b.options.Headed)
	f := Facts{Path: path, Sandbox: !isRoot()}
	b.mu.Lock()
	defer b.mu.Unlock()
	f.Running = b.engine != nil && b.engine.alive()
	f.Namespace = f.Running && b.engine.process.doors != nil
	f.Contexts = len(b.profiles)
	for _, p := range b.profiles {
		f.Tabs += len(p.list())
	}
	return f, err
}

// Close ends the browser. Nothing of it is left when it returns; a later call
// starts another.
func (b *Browser) Close() error {
	b.starting <- struct{}{}
	defer func() { <-b.starting }()
	b.drop()
	return nil
}

// Shut is Close for good.
func (b *Browser) Shut() error {
	b.mu.Lock()
	b.shut = true
	b.mu.Unlock()
	err := b.Close()
	b.work.Wait()
	return err
}

// drop ends the engine and all that belongs to it. b.starting is held.
func (b *Browser) drop() {
	b.mu.Lock()
	e, all := b.engine, b.profiles
	spare := b.spare
	b.engine, b.spare, b.profiles = nil, nil, make(map[string]*profile)
	if b.idle != nil {
		b.idle.Stop()
	}
	b.mu.Unlock()
	if e == nil {
		return
	}
	e.close()
	for _, p := range all {
		_ = p.proxy.Close()
	}
	if spare != nil {
		_ = spare.proxy.Close()
	}
}

// CloseContext ends a context with its tabs, and the browser when it was the
// last one.
func (b *Browser) CloseContext(ctx context.Context, name string) error {
	return b.endContext(ctx, name, true)
}

// endContext ends a context; all ends the browser too, when nobody else uses
// it.
func (b *Browser) endContext(ctx context.Context, name string, all bool) error {
	if err := b.hold(ctx); err != nil {
		return err
	}
	defer func() { <-b.starting }()
	b.mu.Lock()
	p := b.profiles[name]
	delete(b.profiles, name)
	last := all && len(b.profiles) == 0
	b.mu.Unlock()
	switch {
	case last:
		b.drop()
	case p != nil:
		p.dispose(ctx)
	}
	return nil
}

func (b *Browser) hold(ctx context.Context) error {
	select {
	case b.starting <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// running returns the engine, started if need be.
func (b *Browser) running(ctx context.Context) (*engine, error) {
	if err := b.hold(ctx); err != nil {
		return nil, err
	}
	defer func() { <-b.starting }()
	b.mu.Lock()
	e, shut := b.engine, b.shut
	b.mu.Unlock()
	if shut {
		return nil, tool.NewError(tool.BrowserError, "the browser is shut", "")
	}
	if e != nil && e.alive() {
		return e, nil
	}
	b.drop()
	path, err := Find(b.options.Path, b.options.Headed)
	if err != nil {
		return nil, err
	}
	e, err = newEngine(ctx, launchOptions{path: path, headed: b.options.Headed, noSandbox: isRoot(), helper: b.options.Helper, direct: b.direct}, b.folder())
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &tool.Error{Type: tool.BrowserError, Retryable: true, Message: "the browser " + path + " does not start: " + err.Error(),
			Hint: "run it by hand to see why, or name another with WEB_BROWSER", Cause: err}
	}
	e.userAgent = b.options.UserAgent
	b.mu.Lock()
	b.engine = e
	b.mu.Unlock()
	return e, nil
}

func (b *Browser) folder() string {
	if b.options.Folder == "" {
		return os.TempDir()
	}
	return b.options.Folder
}

// profile returns the context of a name, made if need be.
func (b *Browser) profile(ctx context.Context, name string) (*profile, error) {
	e, err := b.running(ctx)
	if err != nil {
		return nil, err
	}
	if err := b.hold(ctx); err != nil {
		return nil, err
	}
	defer func() { <-b.starting }()
	b.mu.Lock()
	p := b.profiles[name]
	n := len(b.profiles)
	spare := b.spare
	if p == nil && spare != nil && spare.engine == e {
		b.spare, p = nil, spare
		p.name, p.used = name, time.Now()
		b.profiles[name] = p
		b.mu.Unlock()
		return p, nil
	}
	b.mu.Unlock()
	if p != nil {
		return p, nil
	}
	if n >= MaxContexts {
		return nil, tool.NewError(tool.BrowserError, fmt.Sprintf("%d browser contexts are in use, which is the most", n), "end one with close_browser")
	}
	if p, err = b.newProfile(ctx, e, name); err != nil {
		return nil, err
	}
	b.mu.Lock()
	p.used = time.Now()
	b.profiles[name] = p
	b.mu.Unlock()
	return p, nil
}

// prepareSpare makes a context ahead of the one who needs it, where there is
// none. It is called when an operation has ended: while the first page loads,
// the processors are for that. Where windows are shown, nobody would know what to
// do with an empty one.
func (b *Browser) prepareSpare(e *engine) {
	b.mu.Lock()
	want := b.engine == e && b.spare == nil && !b.sparing && !b.options.Headed
	b.sparing = b.sparing || want
	b.mu.Unlock()
	if !want {
		return
	}
	begun := e.background(func(ctx context.Context) {
		p, err := b.newProfile(ctx, e, "")
		b.mu.Lock()
		b.sparing = false
		keep := err == nil && b.spare == nil && b.engine == e
		if keep {
			b.spare = p
		}
		b.mu.Unlock()
		if err == nil && !keep {
			p.dispose(ctx)
		}
	})
	if !begun {
		b.mu.Lock()
		b.sparing = false
		b.mu.Unlock()
	}
}

// nextTab returns an id that no tab had before.
func (b *Browser) nextTab() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lastTab++
	return fmt.Sprintf("t%d", b.lastTab)
}

// on runs an operation in a tab, with the deadline, alone in its context. What
// it returns is nil or a *tool.Error.
func (b *Browser) on(ctx context.Context, at Place, limit time.Duration, f func(context.Context, *profile, *tab) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	b.work.Add(1)
	defer b.work.Done()
	p, t, leave, err := b.enter(ctx, at)
	if err != nil {
		return b.failure(ctx, nil, err)
	}
	defer leave()
	if err := f(ctx, p, t); err != nil {
		return b.failure(ctx, t, err)
	}
	return nil
}

// enter waits for its turn and finds the tab.
func (b *Browser) enter(ctx context.Context, at Place) (*profile, *tab, func(), error) {
	p, err := b.profile(ctx, at.Context)
	if err != nil {
		return nil, nil, nil, err
	}
	b.touch(p, 1)
	for _, wait := range []chan struct{}{p.turn, b.slots} {
		select {
		case wait <- struct{}{}:
		case <-ctx.Done():
			if wait == b.slots {
				<-p.turn
			}
			b.touch(p, -1)
			return nil, nil, nil, ctx.Err()
		}
	}
	leave := func() {
		<-b.slots
		<-p.turn
		b.touch(p, -1)
		b.prepareSpare(p.engine)
	}
	t, err := p.tab(ctx, at.Tab)
	if err != nil {
		leave()
		return nil, nil, nil, err
	}
	return p, t, leave, nil
}

// touch notes that a call begins (1) or ends (-1) to use a context, and looks
// later whether anybody still does.
func (b *Browser) touch(p *profile, calls int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.used = time.Now()
	p.calls += calls
	if b.idle == nil {
		b.idle = time.AfterFunc(b.options.Idle, b.sweepIdle)
		return
	}
	b.idle.Reset(b.options.Idle)
}

// sweepIdle ends the contexts that nobody has used for long.
func (b *Browser) sweepIdle() {
	b.mu.Lock()
	var names []string
	next := b.options.Idle
	for name, p := range b.profiles {
		if left := b.options.Idle - time.Since(p.used); left > 0 {
			next = min(next, left)
		} else if p.calls == 0 {
			names = append(names, name)
		}
	}
	b.idle.Reset(next)
	b.mu.Unlock()
	slices.Sort(names)
	for _, n := range names {
		ctx, cancel := context.WithTimeout(context.Background(), stepLimit)
		_ = b.CloseContext(ctx, n)
		cancel()
	}
}

var (
	errCrashed = errors.New("the page crashed")
	errHung    = errors.New("the page hangs")
)

// failure makes the error of an operation, and ends what does not answer.
func (b *Browser) failure(ctx context.Context, t *tab, err error) error {
	if t != nil && errors.Is(err, errDetached) {
		err = cmp.Or(t.why(), err)
	}
	var te *tool.Error
	switch {
	case errors.As(err, &te):
		return te
	case errors.Is(ctx.Err(), context.Canceled):
		return tool.AsError(context.Canceled)
	case errors.Is(err, errLost):
		return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err,
			Message: "the browser has ended unexpectedly", Hint: "call navigate_to_url again: it starts another browser"}
	case errors.Is(err, errCrashed), errors.Is(err, errDetached), errors.Is(err, errHung):
		return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err,
			Message: err.Error() + tabName(t), Hint: "call navigate_to_url again: it opens a new tab"}
	case errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, context.DeadlineExceeded):
		return b.late(t, err)
	}
	return &tool.Error{Type: tool.BrowserError, Retryable: true, Cause: err, Message: "the browser refused: " + err.Error()}
}

func tabName(t *tab) string {
	if t == nil || t.id == "" {
		return ""
	}
	return " (tab " + t.id + ")"
}

// late handles an operation that did not end in time: a page that still
// answers stays, one that hangs is ended.
func (b *Browser) late(t *tab, err error) error {
	e := &tool.Error{Type: tool.Timeout, Retryable: true, Cause: err, Message: "the browser did not answer in time", Hint: "try again"}
	if t == nil {
		return e
	}
	e.Message = "the page did not answer in time" + tabName(t)
	if t.revive() {
		return e
	}
	e.Cause = errHung
	e.Message = "the page hangs and was closed" + tabName(t)
	e.Hint = "call navigate_to_url again: it opens a new tab"
	return e
}

// refusal makes the error of an address that may not be opened.
func refusal(u string, err error) *tool.Error {
	e := tool.NewError(tool.Blocked, "Failed to fetch "+u+": "+err.Error(), "")
	var p interface {
		BlockedByPolicy() (rule, reason, hint string)
	}
	if errors.As(err, &p) {
		_, reason, hint := p.BlockedByPolicy()
		e.Message, e.Hint = "Failed to fetch "+u+": blocked by policy: "+reason, hint
	}
	e.Cause = err
	return e
}

// quoted lists names for a message.
func quoted(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func invalidRef(what string) *tool.Error {
	return tool.NewError(tool.InvalidInput, what, "take a new browser_snapshot, and use a ref from it")
}
