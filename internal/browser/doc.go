// Package browser provides pages in a real browser: it finds a Chromium, starts
// it when the first page is wanted, and reads and acts on pages over the
// DevTools protocol, with all of their traffic going through the guard.
//
//	b, err := browser.New(browser.Options{Guard: guard})
//	if err != nil {
//		return err
//	}
//	defer b.Close()
//	at := browser.Place{} // the default context and its current tab
//	if _, err := b.Navigate(ctx, at, browser.Navigation{URL: "https://example.com/"}); err != nil {
//		return err // a *tool.Error: BrowserMissing, BrowserError, Blocked, Timeout, …
//	}
//	s, err := b.Snapshot(ctx, at, browser.SnapshotRequest{})
//	changes, err := b.Click(ctx, at, browser.Pointer{Ref: "b12"})
//
// One browser runs for all callers. A browser context has cookies and storage of
// its own, and a forward proxy ([egress.Guard.Proxy]); one more is kept ready. It
// belongs to an owner ([Place]): no name leads to a context of another owner. Only
// an operation that goes to an address makes one. Its tabs are t1, t2 and so on; a
// number is never used for a second tab. Operations in one context wait for each
// other, those in different contexts do not.
//
// What a page shows is read from outside, by the accessibility tree and the
// DOM snapshot, so that a page cannot fake it; package snapshot makes the text.
// Actions are input events at the place where the element is, after a look at
// what is really there.
//
// # Guarantees
//
// No operation outlives its deadline by more than a few seconds: a page that
// hangs is ended, that call fails with a typed error, and the next works. A
// browser that dies costs one call. After [Browser.Close], and a moment after
// this process was killed, no process, port or folder is left. Nothing leaves but
// through the guard: by the browser's flags, and with a [Helper] because its
// network namespace has no other way out. Downloads, permissions and prompts for
// passwords are refused.
//
// # Limits
//
// At most [MaxTabs] tabs a context: windows beyond are closed. Frames of other
// processes are read up to 64 a page. Root's browser runs under another user id, on
// Linux. Where that is not possible, and where the kernel gives no user namespaces,
// Chromium runs without its own sandbox; [Browser.Facts] says so. Windows is not supported: the pipes of the protocol are Unix files.
package browser
