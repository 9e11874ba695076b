package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"strings"

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
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// What events tell of a page. They come on the goroutine that reads for all pages: each sets
// fields of a tab and wakes the operations that wait for it.

func newTab(e *engine, id target.ID, main target.SessionID) *tab {
	t := &tab{
		engine: e, target: id, prepared: make(chan struct{}), moment: moment{changed: make(chan struct{}), url: "about:blank"},
		frames: make(map[target.SessionID]*session), reached: make(map[string]bool), inflight: make(map[network.RequestID]bool), kids: make(map[cdp.FrameID]bool), unkept: make(map[cdp.FrameID]bool),
		arrivals: make(map[cdp.LoaderID]arrival),
		refs:     snapshot.NewRefs(), device: device{width: windowWidth, height: windowHeight}, turn: make(turn, 1),
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
		Response  sentAnswer           `json:"response"` // of the event of an answer
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
	if hear := heard[method]; hear != nil && hear(t, params) {
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

// on makes a handler of an event of a function that gets its parameters. Each of them updates the
// state of the tab and reports whether an operation may wait for the change; t.mu is held.
func on[E any](f func(*tab, E) bool) func(*tab, []byte) bool {
	return func(t *tab, params []byte) bool {
		ev, ok := decodeEvent[E](params)
		return ok && f(t, ev)
	}
}

// heard are the events that change the state of a tab.
var heard = map[string]func(*tab, []byte) bool{
	page.LifecycleEvent.Method: on(func(t *tab, ev lifecycleEvent) bool {
		is := ev.FrameID == cdp.FrameID(t.target) && (ev.LoaderID == t.loader || ev.Name == "init")
		if is {
			t.reached[ev.Name] = true
		}
		return is
	}),
	page.FrameNavigated.Method: on((*tab).hearNavigated),
	page.FrameAttached.Method: on(func(t *tab, ev withinEvent) bool {
		if len(t.kids) < maxKids {
			t.kids[ev.FrameID] = true
		}
		return false
	}),
	page.NavigatedWithinDocument.Method: on(func(t *tab, ev withinEvent) bool {
		if ev.FrameID == cdp.FrameID(t.target) {
			t.url = cut(ev.URL, maxURL)
		}
		return t.moves(ev, false)
	}),
	page.FrameStartedNavigating.Method:   on(func(t *tab, ev withinEvent) bool { return t.moves(ev, true) }),
	page.FrameRequestedNavigation.Method: on(func(t *tab, ev withinEvent) bool { return t.moves(ev, true) }),
	page.FrameStoppedLoading.Method:      on(func(t *tab, ev withinEvent) bool { return t.moves(ev, false) }),
	page.JavascriptDialogOpening.Method:  on((*tab).hearDialog),
	page.JavascriptDialogClosed.Method: func(t *tab, _ []byte) bool {
		t.dialog = nil
		return true
	},
	fetch.RequestPaused.Method: func(t *tab, params []byte) bool {
		t.hearPaused(t.main, params)
		return false
	},
	certificateError: on((*tab).hearCertificate),
	page.FileChooserOpened.Method: on(func(t *tab, ev page.EventFileChooserOpened) bool {
		t.note("the page asks for files: use browser_upload_file with the ref of its field")
		t.asksFiles = ev.BackendNodeID
		return true
	}),
	network.RequestWillBeSent.Method: on((*tab).hearRequest),
	network.ResponseReceived.Method: on(func(t *tab, ev requestEvent) bool {
		switch {
		case t.isDocument(ev):
			a := t.arrivals[ev.LoaderID]
			a.status, a.noStore = ev.Response.Status, ev.Response.noStore()
			t.keepArrival(ev.LoaderID, a)
		case ev.Type == network.ResourceTypeDocument && len(t.unkept) < maxKids && ev.Response.noStore():
			t.unkept[ev.FrameID] = true
		}
		t.hearAnswer(ev, ev.Response)
		return true
	}),
	network.LoadingFinished.Method: on((*tab).hearEnd),
	network.LoadingFailed.Method:   on((*tab).hearEnd),
	runtime.ConsoleAPICalled.Method: func(t *tab, params []byte) bool {
		if len(params) > 64*journalBytes {
			t.journal.console.add(fmt.Sprintf("log: (%d bytes)", len(params)))
		} else if ev, ok := event(params, runtime.ConsoleAPICalled); ok {
			t.journal.console.add(string(ev.Type) + ": " + consoleText(ev.Args))
		}
		return false
	},
	runtime.ExceptionThrown.Method: on(func(t *tab, ev runtime.EventExceptionThrown) bool {
		if ev.ExceptionDetails != nil {
			line := "exception: " + ev.ExceptionDetails.Text
			if x := ev.ExceptionDetails.Exception; x != nil {
				line += " " + x.Description
			}
			t.journal.console.add(line)
			t.thrown++
		}
		return false
	}),
	log.EntryAdded.Method: on(func(t *tab, ev log.EventEntryAdded) bool {
		if ev.Entry != nil {
			t.journal.console.add(string(ev.Entry.Level) + ": " + ev.Entry.Text + " " + address(ev.Entry.URL))
		}
		return false
	}),
}

// hearNavigated notes another main document.
func (t *tab) hearNavigated(ev navigatedEvent) bool {
	if ev.Frame.ParentID != "" {
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
}

// moves notes whether the main frame is about to navigate.
func (t *tab) moves(ev withinEvent, is bool) bool {
	if ev.FrameID != cdp.FrameID(t.target) {
		return false
	}
	t.moving = is
	return true
}

// hearRequest notes a request. One that a redirect leads to has the number of the
// request before it, and the answer to that. The address that a document of the tab is asked for by
// is noted, and the one that it is redirected to.
func (t *tab) hearRequest(ev requestEvent) bool {
	if strings.HasPrefix(ev.Request.URL, "data:") {
		return false
	}
	if t.isDocument(ev) {
		a := t.arrivals[ev.LoaderID]
		if a.first == "" {
			a.first = ev.Request.URL
			t.journal.network.page(ev.Request.URL)
		}
		a.url = ev.Request.URL
		t.keepArrival(ev.LoaderID, a)
	}
	t.started++
	if len(t.inflight) < maxInflight && ev.Type != network.ResourceTypeEventSource && ev.Type != network.ResourceTypePing {
		t.inflight[ev.RequestID] = true
	}
	x := &t.journal.exchanges
	if ev.Redirect != nil {
		if e := t.hearAnswer(ev, *ev.Redirect); e.detail != nil {
			e.detail.hops = true
		}
		x.end(ev.RequestID, "", 0, ev.At)
	}
	x.begin(ev.RequestID, ev.Type, ev.Request, ev.At)
	return true
}

// hearAnswer notes the beginning of an answer.
func (t *tab) hearAnswer(ev requestEvent, a sentAnswer) *exchange {
	e := t.journal.exchanges.answer(ev.RequestID, ev.Type, a)
	t.journal.network.add(e.line(strconv.Itoa(a.Status) + " " + strings.ToLower(string(ev.Type))))
	return e
}

// hearEnd notes that nothing more comes of an answer.
func (t *tab) hearEnd(ev endedEvent) bool {
	e := t.journal.exchanges.end(ev.RequestID, ev.ErrorText, ev.Bytes, ev.At)
	if e != nil && ev.ErrorText != "" && !ev.Canceled {
		t.journal.network.add(e.line("failed") + " " + ev.ErrorText)
	}
	delete(t.inflight, ev.RequestID)
	t.finished++
	return true
}

// isDocument reports whether a request is for a main document of the tab.
func (t *tab) isDocument(ev requestEvent) bool {
	return ev.Type == network.ResourceTypeDocument && string(ev.RequestID) == string(ev.LoaderID) && string(ev.FrameID) == string(t.target)
}

func (t *tab) keepArrival(loader cdp.LoaderID, a arrival) {
	if len(t.arrivals) > maxArrivals {
		shown := t.arrivals[t.loader]
		clear(t.arrivals)
		t.arrivals[t.loader] = shown
	}
	t.arrivals[loader] = a
}

func consoleText(args []*runtime.RemoteObject) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch s, err := strconv.Unquote(string(a.Value)); {
		case err == nil:
			b.WriteString(s)
		case len(a.Value) > 0:
			b.Write(a.Value)
		default:
			b.WriteString(a.Description)
		}
		if b.Len() > journalBytes {
			break
		}
	}
	return b.String()
}

// hearDialog handles a dialog of the page. Alerts, and questions whether to leave the
// page, are accepted at once. Other questions wait for browser_dialog.
func (t *tab) hearDialog(ev page.EventJavascriptDialogOpening) bool {
	d := &openDialog{string(ev.Type), line(ev.Message, messageBytes), line(ev.DefaultPrompt, messageBytes)}
	switch ev.Type {
	case page.DialogTypeAlert:
		t.note("the page showed an alert, which was closed")
		t.said(d.text())
		if t.alerts++; t.alerts > maxDialogs {
			t.note("the page's script was told to stop: it shows alert after alert")
			t.engine.background(func(ctx context.Context) { _ = do(ctx, t.main, runtime.TerminateExecution, cdp.Empty{}) })
		}
	case page.DialogTypeBeforeunload:
		t.note("the page asked whether it may be left, and was left")
	default:
		t.dialog = d
		return true
	}
	t.engine.background(func(ctx context.Context) { _ = t.answer(ctx, true, "") })
	return true
}

// hearPaused decides about a request that routes are for. t.mu is held.
func (t *tab) hearPaused(s *session, params []byte) {
	ev, ok := decodeEvent[struct {
		ID      fetch.RequestID `json:"requestId"`
		Request struct {
			URL     string            `json:"url"`
			Headers map[string]string `json:"headers"`
		} `json:"request"`
	}](params)
	if !ok || len(t.routes) == 0 {
		return
	}
	var route Route
	for _, r := range t.routes {
		if matches(r.Pattern, ev.Request.URL) {
			route = r
		}
	}
	t.engine.background(func(ctx context.Context) {
		switch route.Action {
		case "block":
			_ = do(ctx, s, fetch.FailRequest, fetch.FailRequestParams{RequestID: ev.ID, ErrorReason: network.ErrorReasonBlockedByClient})
		case "mock":
			_ = do(ctx, s, fetch.FulfillRequest, route.response(ev.ID))
		case "headers":
			for name, value := range route.Headers {
				maps.DeleteFunc(ev.Request.Headers, func(old, _ string) bool { return strings.EqualFold(old, name) })
				ev.Request.Headers[name] = value
			}
			_ = do(ctx, s, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: ev.ID, Headers: entries(ev.Request.Headers)})
		default:
			_ = do(ctx, s, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: ev.ID})
		}
	})
}

// intercepts is the command by which the browser asks about the requests that routes are for.
func (t *tab) intercepts() (method string, params any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.routes) == 0 {
		return fetch.Disable.Method, cdp.Empty{}
	}
	p := fetch.EnableParams{}
	for _, r := range t.routes {
		p.Patterns = append(p.Patterns, &fetch.RequestPattern{URLPattern: r.Pattern})
	}
	return fetch.Enable.Method, p
}

// matches reports whether a URL has a pattern, in which * stands for any characters.
func matches(pattern, url string) bool {
	is, err := regexp.Compile(`(?s)^` + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + `$`)
	return err == nil && is.MatchString(url)
}

// response is a mock.
func (r Route) response(id fetch.RequestID) fetch.FulfillRequestParams {
	headers := map[string]string{"Content-Type": "application/json", "Access-Control-Allow-Origin": "*"}
	if r.Type != "" {
		headers["Content-Type"] = r.Type
	} else if r.Body != "" && !json.Valid([]byte(r.Body)) {
		headers["Content-Type"] = "text/plain; charset=utf-8"
	}
	for name, value := range r.Headers {
		headers[http.CanonicalHeaderKey(name)] = value
	}
	status := int64(http.StatusOK)
	if r.Status != 0 {
		status = int64(r.Status)
	}
	return fetch.FulfillRequestParams{RequestID: id, ResponseCode: status, ResponseHeaders: entries(headers), Body: []byte(r.Body)}
}

func entries(headers map[string]string) (out []*fetch.HeaderEntry) {
	for name, value := range headers {
		out = append(out, &fetch.HeaderEntry{Name: name, Value: value})
	}
	return out
}

// catchUp asks a page that was there before what its events would have said.
func (t *tab) catchUp(ctx context.Context) {
	f, err := call(ctx, t.main, page.GetFrameTree, cdp.Empty{})
	if err == nil && f.FrameTree != nil && f.FrameTree.Frame != nil {
		loaded, _ := call(ctx, t.main, runtime.Evaluate, runtime.EvaluateParams{Expression: "document.readyState === 'complete'", ReturnByValue: new(true)})
		t.update(func() {
			t.loader, t.url = f.FrameTree.Frame.LoaderID, cut(f.FrameTree.Frame.URL, maxURL)
			for _, moment := range []string{"init", "commit", "DOMContentLoaded"} {
				t.reached[moment] = true
			}
			t.reached["load"] = loaded.Result != nil && string(loaded.Result.Value) == "true"
		})
	}
	if m, err := call(ctx, t.main, page.GetLayoutMetrics, cdp.Empty{}); err == nil && m.CSSLayoutViewport != nil && m.CSSLayoutViewport.ClientWidth > 0 {
		t.width, t.height = float64(m.CSSLayoutViewport.ClientWidth), float64(m.CSSLayoutViewport.ClientHeight)
	}
}

// Rules of certificates. Chromium has authorities of its own. Where it does not trust a
// certificate, the guard decides: it connects to the same server, as the HTTP client does,
// with the authorities of the system (SSL_CERT_FILE), and the hosts whose certificates are
// not checked (WEB_TLS_INSECURE). So both trust the same. A person's browser decides for
// itself.

// The protocol's names for this are not among those of cdproto, since they are deprecated.
const (
	overrideCertificates = "Security.setOverrideCertificateErrors"
	certificateError     = "Security.certificateError"
	decideCertificate    = "Security.handleCertificateError"
)

// hearCertificate decides about a certificate that the browser does not trust. t.mu is held.
func (t *tab) hearCertificate(ev struct {
	ID  int    `json:"eventId"`
	URL string `json:"requestURL"`
}) bool {
	t.engine.background(func(ctx context.Context) {
		action := "cancel"
		u, err := weburl.Parse(ev.URL)
		if err == nil && t.engine.trusts != nil && t.engine.trusts(ctx, u) {
			action = "continue"
		} else {
			t.update(func() { t.untrusted = u.Host() })
		}
		_ = t.main.Call(ctx, decideCertificate, json.RawMessage(`{"eventId":`+strconv.Itoa(ev.ID)+`,"action":"`+action+`"}`), nil)
	})
	return false
}

// uncheckedNotice is what each answer says of a page whose certificate was not checked; "" for
// others.
func (b *Browser) uncheckedNotice(at string) string {
	u, err := weburl.Parse(at)
	if err != nil || u.Scheme() != "https" || !b.options.Guard.Unchecked(u.Host()) {
		return ""
	}
	return "the certificate of " + text.Name(u.Host()) + " was not checked (WEB_TLS_INSECURE)"
}
