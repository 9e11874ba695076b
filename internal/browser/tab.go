package browser

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// maxFrames bounds the frames of other processes that are read in a page; further
// frames run, and are not read.
const maxFrames = 64

// maxKids bounds the frames that are known by name, for their downloads.
const maxKids = 1000

// A tab is a page. Its state is set by events; operations wait for it to
// change.
type tab struct {
	engine   *engine
	target   target.ID
	main     *session
	id       string // t1; set when a context takes it
	opened   bool   // by a page
	opener   *tab   // whose page opened it; may be nil
	borrowed bool   // of an attached browser, and not opened here
	seen     bool   // an operation of the opener has waited for it
	home     *browserContext
	turn     turn // of the operation that runs in it

	prepared   chan struct{}
	prepareErr error

	mu sync.Mutex
	moment

	frames    map[target.SessionID]*session // of other processes, by session
	reached   map[string]bool               // lifecycle events of the main document
	arrivals  map[cdp.LoaderID]arrival      // of main documents, those that did not stay among them
	inflight  map[network.RequestID]bool
	saves     []*download          // that go on
	kids      map[cdp.FrameID]bool // frames of the page's own process
	unkept    map[cdp.FrameID]bool // frames whose documents came with Cache-Control: no-store
	asksFiles cdp.BackendNodeID    // the field of the file chooser that was opened last; 0: none
	untrusted string               // the host of the certificate that was refused last
	alerts    int                  // of the main document
	notices   []string             // what happened since the last answer: dialogs, popups, downloads
	dialogs   []string             // what closed dialogs said since then
	noticed   int                  // the bytes of notices
	unsaid    int                  // what happened besides
	journal   journal
	routes    []Route                            // the one that was added last decides
	overhear  func(method string, params []byte) // gets events first; may be nil

	// The fields below belong to operations, of which there is one at a time.
	refs        *snapshot.Refs
	visits      int
	last        *snapshot.Page        // that a diff starts from
	shownLoader cdp.LoaderID          // of the document that refs belong to
	calmLoader  cdp.LoaderID          // of the document whose content was awaited last
	revealed    map[int64]bool        // see [snapshot.Process.Revealed]
	revealedIn  cdp.LoaderID          // the document of revealed
	begins      page.ScriptIdentifier // of the script that fills its sessionStorage
	width       float64               // of the window
	height      float64
	mobile      bool    // the page is told that it runs on a telephone
	scale       float64 // of its screen; 0: 1
	agent       string  // the device in its user agent; "": the browser's own
	locale      string  // that it is told; "": the browser's own
	shown       point   // of a page that a telephone shows smaller, in its pixels
}

// A moment is what events have told of a tab most recently.
type moment struct {
	changed  chan struct{} // closed and replaced when the tab changes
	gone     error         // why the tab is closed; nil while it is open
	loader   cdp.LoaderID  // of the main document
	url      string
	moving   bool        // the main frame is about to navigate
	dialog   *openDialog // the question that the page asks; nil: none
	started  int         // requests so far
	finished int
	thrown   int // errors of scripts that no script has caught
}

// now returns what is known of the tab.
func (t *tab) now() moment {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.moment
}

// openDialog is a question of the page that waits for an answer.
type openDialog struct {
	kind, message string
	preset        string // what a prompt suggests
}

func newTab(e *engine, id target.ID, main target.SessionID) *tab {
	t := &tab{
		engine: e, target: id, prepared: make(chan struct{}), moment: moment{changed: make(chan struct{}), url: "about:blank"},
		frames: make(map[target.SessionID]*session), reached: make(map[string]bool), inflight: make(map[network.RequestID]bool), kids: make(map[cdp.FrameID]bool), unkept: make(map[cdp.FrameID]bool),
		arrivals: make(map[cdp.LoaderID]arrival),
		refs:     snapshot.NewRefs(), width: windowWidth, height: windowHeight, turn: make(turn, 1),
	}
	t.main = e.process.conn.attach(main, t.event)
	return t
}

// prepare sets up a page that waits at its start, and lets it run.
func (t *tab) prepare(ctx context.Context) {
	defer close(t.prepared)
	if t.prepareErr = t.prepareSession(ctx, t.main); t.prepareErr != nil {
		t.close(t.prepareErr)
	} else if t.engine.isTheirs() {
		t.catchUp(ctx)
	}
}

// prepareSession sends all commands before it waits for the first answer: some
// pages answer none until they run.
func (t *tab) prepareSession(ctx context.Context, s *session) error {
	var waits []func(context.Context, any) error
	send := func(method string, params any) { waits = append(waits, s.post(ctx, method, params)) }
	send(page.Enable.Method, page.EnableParams{})
	send(page.SetLifecycleEventsEnabled.Method, page.SetLifecycleEventsEnabledParams{Enabled: true})
	send(network.Enable.Method, network.EnableParams{
		MaxTotalBufferSize: new(int64(bufferedBodies)), MaxResourceBufferSize: new(int64(bufferedBody)), MaxPostDataSize: new(int64(shownBody))})
	send(runtime.Enable.Method, cdp.Empty{})
	send(log.Enable.Method, cdp.Empty{})
	send(page.SetInterceptFileChooserDialog.Method, page.SetInterceptFileChooserDialogParams{Enabled: true})
	if s == t.main {
		if t.engine.trusts != nil {
			send("Security.enable", cdp.Empty{})
			send(overrideCertificates, json.RawMessage(`{"override":true}`))
		}
		send(emulation.SetFocusEmulationEnabled.Method, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		if ua := t.engine.userAgent; ua != "" {
			send(emulation.SetUserAgentOverride.Method, emulation.SetUserAgentOverrideParams{UserAgent: ua})
		}
	}
	if s != t.main {
		send(t.intercepts()) // a frame of another process has the routes of its page
	}
	send(target.SetAutoAttach.Method, target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true)})
	send(runtime.RunIfWaitingForDebugger.Method, cdp.Empty{})
	var first error
	for _, wait := range waits {
		if err := wait(ctx, nil); err != nil && !refused(err) && first == nil {
			first = err
		}
	}
	return first
}

// The parts of events that are used. Of parts that a page can make long, little is
// kept.
type (
	lifecycleEvent struct {
		FrameID  cdp.FrameID  `json:"frameId"`
		LoaderID cdp.LoaderID `json:"loaderId"`
		Name     string       `json:"name"`
	}
	navigatedEvent struct {
		Frame struct {
			ID       cdp.FrameID  `json:"id"`
			ParentID cdp.FrameID  `json:"parentId"`
			LoaderID cdp.LoaderID `json:"loaderId"`
			URL      string       `json:"url"`
			Fragment string       `json:"urlFragment"`
		} `json:"frame"`
	}
	withinEvent struct {
		FrameID cdp.FrameID `json:"frameId"`
		URL     string      `json:"url"`
	}
	requestEvent struct {
		RequestID network.RequestID    `json:"requestId"`
		LoaderID  cdp.LoaderID         `json:"loaderId"`
		FrameID   cdp.FrameID          `json:"frameId"`
		Type      network.ResourceType `json:"type"`
		At        float64              `json:"timestamp"`
		Request   sentRequest          `json:"request"`
		Redirect  *sentAnswer          `json:"redirectResponse"`
	}
	responseEvent struct {
		RequestID network.RequestID    `json:"requestId"`
		LoaderID  cdp.LoaderID         `json:"loaderId"`
		FrameID   cdp.FrameID          `json:"frameId"`
		Type      network.ResourceType `json:"type"`
		Response  sentAnswer           `json:"response"`
	}
	endedEvent struct {
		RequestID network.RequestID `json:"requestId"`
		At        float64           `json:"timestamp"`
		Bytes     float64           `json:"encodedDataLength"`
		ErrorText string            `json:"errorText"`
		Canceled  bool              `json:"canceled"`
	}
)

// event hears of the page and of its frames. It runs on the goroutine that
// reads for all pages: it sets fields and leaves the rest to others.
func (t *tab) event(method string, params []byte) {
	switch method {
	case target.AttachedToTarget.Method:
		if ev, ok := event(params, target.AttachedToTarget); ok {
			t.attachedFrame(ev)
		}
		return
	case target.DetachedFromTarget.Method:
		if ev, ok := event(params, target.DetachedFromTarget); ok {
			t.leaveFrame(ev.SessionID)
		}
		return
	case targetCrashed:
		// The page will not answer any more.
		t.close(errCrashed)
		t.engine.process.conn.detach(t.main.id)
		t.engine.background(func(ctx context.Context) { t.engine.closePage(ctx, t) })
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.overhear != nil {
		t.overhear(method, params)
	}
	if t.hear(method, params) {
		t.wake()
	}
}

const targetCrashed = "Inspector.targetCrashed"

// frameEvent hears of a frame of another process.
func (t *tab) frameEvent(id target.SessionID, method string, params []byte) {
	switch method {
	case page.LifecycleEvent.Method, page.FrameNavigated.Method, page.NavigatedWithinDocument.Method:
	case targetCrashed:
		t.leaveFrame(id)
	case fetch.RequestPaused.Method:
		t.mu.Lock()
		defer t.mu.Unlock()
		if s := t.frames[id]; s != nil {
			t.hearPaused(s, params)
		}
	default:
		t.event(method, params)
	}
}

// leaveFrame stops reading a frame.
func (t *tab) leaveFrame(id target.SessionID) {
	t.update(func() { delete(t.frames, id) })
	t.engine.process.conn.detach(id) // last: who waits for an answer looks then
}

// attachedFrame begins to read a frame or a worker of the page.
func (t *tab) attachedFrame(ev target.EventAttachedToTarget) {
	c := t.engine.process.conn
	t.mu.Lock()
	follow := ev.TargetInfo.Type == "iframe" && len(t.frames) < maxFrames
	var s *session
	if follow {
		s = c.attach(ev.SessionID, func(method string, params []byte) { t.frameEvent(ev.SessionID, method, params) })
		t.frames[ev.SessionID] = s
	} else {
		s = c.attach(ev.SessionID, nil)
	}
	t.mu.Unlock()
	t.engine.background(func(ctx context.Context) {
		if follow {
			_ = t.prepareSession(ctx, s)
			return
		}
		_ = release(ctx, s)
	})
}

// hear updates the state by an event, and reports whether an operation may wait for
// the change. t.mu is held.
func (t *tab) hear(method string, params []byte) bool {
	switch method {
	case page.LifecycleEvent.Method:
		ev, ok := decodeEvent[lifecycleEvent](params)
		if !ok || ev.FrameID != cdp.FrameID(t.target) || ev.LoaderID != t.loader && ev.Name != "init" {
			return false
		}
		t.reached[ev.Name] = true
		return true
	case page.FrameNavigated.Method:
		ev, ok := decodeEvent[navigatedEvent](params)
		if !ok || ev.Frame.ParentID != "" {
			return false
		}
		t.loader, t.url, t.moving = ev.Frame.LoaderID, cut(ev.Frame.URL+ev.Frame.Fragment, maxURL), false
		t.journal.console.page(t.url)
		clear(t.reached)
		t.alerts, t.asksFiles = 0, 0
		t.reached["commit"] = true
		clear(t.inflight)
		clear(t.kids)
		clear(t.unkept)
		return true
	case page.FrameAttached.Method:
		if ev, ok := decodeEvent[withinEvent](params); ok && len(t.kids) < maxKids {
			t.kids[ev.FrameID] = true
		}
	case page.NavigatedWithinDocument.Method:
		ev, ok := decodeEvent[withinEvent](params)
		if ok && ev.FrameID == cdp.FrameID(t.target) {
			t.url = cut(ev.URL, maxURL)
			t.moving = false
			return true
		}
	case page.FrameStartedNavigating.Method, page.FrameRequestedNavigation.Method:
		ev, ok := decodeEvent[withinEvent](params)
		if ok && ev.FrameID == cdp.FrameID(t.target) {
			t.moving = true
			return true
		}
	case page.FrameStoppedLoading.Method:
		ev, ok := decodeEvent[withinEvent](params)
		if ok && ev.FrameID == cdp.FrameID(t.target) {
			t.moving = false
			return true
		}
	case page.JavascriptDialogOpening.Method:
		t.hearDialog(params)
		return true
	case page.JavascriptDialogClosed.Method:
		t.dialog = nil
		return true
	case fetch.RequestPaused.Method:
		t.hearPaused(t.main, params)
	case certificateError:
		t.hearCertificate(params)
	case page.FileChooserOpened.Method:
		t.note("the page asks for files: use browser_upload_file with the ref of its field")
		if ev, ok := event(params, page.FileChooserOpened); ok {
			t.asksFiles = ev.BackendNodeID
		}
		return true
	}
	return t.hearNetwork(method, params)
}

// isAsking reports whether the page asks a question.
func (t *tab) isAsking() bool { return t.now().dialog != nil }

// isGone reports whether the tab is closed.
func (t *tab) isGone() bool { return t.now().gone != nil }

// document names the document that is in the tab.
func (t *tab) document() cdp.LoaderID { return t.now().loader }

// wake wakes all operations that wait for the tab. t.mu is held.
func (t *tab) wake() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// update changes the state and wakes whoever waits.
func (t *tab) update(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
	t.wake()
}

// overheard returns events of the tab that have one of the methods, until stop is called. Where
// they are not taken, further ones are dropped.
func overheard[E any](t *tab, methods ...string) (_ <-chan E, stop func()) {
	events := make(chan E, 16)
	t.update(func() {
		t.overhear = func(method string, params []byte) {
			if !slices.Contains(methods, method) {
				return
			}
			if ev, ok := decodeEvent[E](params); ok {
				select {
				case events <- ev:
				default:
				}
			}
		}
	})
	return events, func() { t.update(func() { t.overhear = nil }) }
}

// close ends all waits for the tab; the first reason is kept.
func (t *tab) close(why error) {
	t.update(func() {
		if t.gone == nil {
			t.gone = why
		}
	})
}

// await waits until ready, which is called with t.mu held, says so.
func (t *tab) await(ctx context.Context, ready func() bool) error {
	for {
		t.mu.Lock()
		done, now := ready(), t.moment
		t.mu.Unlock()
		if done || now.gone != nil {
			if done {
				return nil
			}
			return now.gone
		}
		var end error
		select {
		case <-now.changed:
			continue
		case <-ctx.Done():
			end = ctx.Err()
		case <-t.engine.process.conn.lost:
			end = errLost
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if ready() { // it came before what ended the wait, or ended the context
			return nil
		}
		return end
	}
}

// awaitFor is await for d at most. The error is nil where only that time was over.
func (t *tab) awaitFor(ctx context.Context, d time.Duration, ready func() bool) (late bool, err error) {
	wait, cancel := spare(ctx, d)
	defer cancel()
	return t.awaitIn(ctx, wait, ready)
}

// awaitIn is awaitFor in the time of another context.
func (t *tab) awaitIn(ctx, wait context.Context, ready func() bool) (late bool, err error) {
	err = t.await(wait, ready)
	if late = errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil; late {
		return true, nil
	}
	return false, err
}

// note keeps a line for the next answer, unless there are too many. t.mu is held.
func (t *tab) note(line string) {
	if slices.Contains(t.notices, line) {
		return
	}
	if len(t.notices) >= maxNotices || t.noticed+len(line) > noticeBytes {
		t.unsaid++
		return
	}
	t.notices = append(t.notices, line)
	t.noticed += len(line)
}

// said notes what a dialog said. t.mu is held.
func (t *tab) said(line string) {
	if len(t.dialogs) < maxNotices && !slices.Contains(t.dialogs, line) {
		t.dialogs = append(t.dialogs, line)
	}
}

// takeNotices returns what happened since the last answer, and what dialogs said.
func (t *tab) takeNotices() (notices, dialogs []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	notices, dialogs = t.notices, t.dialogs
	if t.unsaid > 0 {
		notices = append(notices, "… and "+text.Count(t.unsaid, "more event")+" of this kind")
	}
	t.notices, t.dialogs, t.noticed, t.unsaid = nil, nil, 0, 0
	return notices, dialogs
}

// maxNotices and noticeBytes bound what an answer says besides the page. Pages
// write some of it: the words of alerts and questions, up to messageBytes each.
const (
	maxNotices   = 10
	noticeBytes  = 1000
	messageBytes = 200
)

// maxURL bounds the address of a page, in bytes. Scripts set addresses of any
// length (history.pushState); servers send no page for one of more.
const maxURL = 8 << 10
