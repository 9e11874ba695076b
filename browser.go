package spyhop

import "github.com/spyhop-dev/spyhop/internal/browser"

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
