// Package browser provides pages in a real browser: it finds Chromium, starts it
// when the first page is wanted, and reads and acts on pages over the DevTools
// protocol. All of their traffic goes through the guard.
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
// its own, and a forward proxy ([egress.Guard.Proxy]). It belongs to an owner
// ([Place]): no name gives access to another owner's context. Only an operation that
// opens a URL makes a context. Its tabs are t1, t2 and so on; a number is never used
// for a second tab. Operations in one tab wait for each other, those in different tabs
// do not.
//
// What a page shows is read from outside, by the accessibility tree and the
// DOM snapshot, so that a page cannot fake it; package snapshot makes the text.
// Actions are input events at the place of the element, after checking which element
// is at that place.
//
// # Guarantees
//
// Every operation ends at most a few seconds after its deadline: a page that hangs
// is ended, that call fails with a typed error, and the next call works. If the
// browser dies, only the running calls fail. After [Browser.Close], and a moment after
// this process was killed, no process, port or folder is left. Nothing leaves but
// through the guard: by the browser's flags, and with a [Helper] because its
// network namespace has no other way out. Downloads, permissions and prompts for
// passwords are refused.
//
// # Files
//
// Callers come before what they call. The scripts that run in pages are in js.
//
//   - What tools ask for: program.go, upload.go, tabs.go, route.go, resize.go, mouse.go, look.go,
//     scroll.go, exchange.go, choose.go, typing.go, slider.go, act.go, changes.go, steps.go, capture.go,
//     snapshot.go, attend.go, state.go.
//   - How an operation runs: operation.go, navigate.go, contexts.go, browser.go, failure.go.
//   - Points, pages and their events: aim.go, rest.go, attach.go, start.go, hear.go.
//   - The process: launch.go, helper.go, helper_linux.go, account_linux.go, folder.go,
//     folder_unix.go, find.go, launch_linux.go, init_linux.go, leak.go.
//   - What operations are made of: alive.go, download.go, browsercontext.go, secret.go, engine.go,
//     launch_unix.go, websocket.go, input.go, disturbed.go, element.go, tab.go, scripts.go.
//   - What there is: objects.go, point.go, journal.go, errors.go, conn.go, limits.go.
//
// # Limits
//
// At most [maxTabs] tabs a context: windows beyond are closed. Frames of other
// processes are read up to 64 a page. Root's browser runs under another user id, on
// Linux. If that is not possible, or the kernel has no user namespaces, Chromium runs
// without its own sandbox; [Browser.Facts] reports it. Windows is not supported: the
// pipes of the protocol are Unix files.
package browser
