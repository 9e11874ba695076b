package spyhop

import (
	"context"
	"path/filepath"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// BrowserHelper runs the browser in a network namespace of Linux, from which the
// only way out is the policy. The zero value does not: command-line flags lead
// the browser's traffic through the policy then.
type BrowserHelper struct{ helper browser.Helper }

// NewBrowserHelper returns a value for Config.BrowserHelper. It must be the first
// call in main: the program is started once more for each browser, inside the
// namespace, and there the call does not return. On systems without network
// namespaces it returns the zero value.
func NewBrowserHelper() BrowserHelper { return BrowserHelper{browser.NewHelper()} }

// Probe starts a process in a namespace, as a browser would be, and returns why
// that fails; nil when it works. It takes some ten milliseconds.
func (h BrowserHelper) Probe() error { return h.helper.Probe() }

// BrowserFacts say what confines the browser on this machine.
type BrowserFacts struct {
	// Namespace says that it is in a network namespace, Sandbox that it has its own
	// sandbox.
	Namespace, Sandbox bool
	// UID is the user id that it runs under; -1 where the system has none.
	UID int
}

// CheckBrowser starts the browser that a client with this configuration would
// start, ends it, and returns what confined it. The error is a *ToolError.
func (h BrowserHelper) CheckBrowser(ctx context.Context, c Config) (BrowserFacts, error) {
	at, err := c.browserEndpoint()
	if err != nil {
		return BrowserFacts{}, err
	}
	p := egress.Policy{}
	if !at.IsZero() {
		p.Endpoints = []weburl.URL{at}
	}
	guard, err := egress.New(p)
	if err != nil {
		return BrowserFacts{}, err
	}
	f, err := browser.Check(ctx, browser.Options{Guard: guard, Attach: at, Profile: c.BrowserProfile, Helper: h.helper, Path: c.Browser, Headed: c.BrowserHeaded, UID: c.BrowserUID, Folder: c.browserFolder()})
	return BrowserFacts{f.Namespace, f.Sandbox, f.UID}, err
}

// browserFolder is where the browser's files are while it runs.
func (c Config) browserFolder() string {
	if c.DataDir == "" {
		return ""
	}
	return filepath.Join(c.DataDir, "browser")
}
