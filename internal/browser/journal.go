package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/spyhop-dev/spyhop/internal/text"
)

const (
	// journalEntries and journalBytes bound what is kept of a page that writes
	// without end.
	journalEntries = 1000
	journalBytes   = 2 << 10
	maxInflight    = 4096
)

// A journal keeps the last lines of a page's console and network.
type journal struct {
	console, network ring
	exchanges        exchanges
}

// A ring keeps its last journalEntries lines.
type ring struct {
	lines   []string
	start   int
	dropped int
}

// add cleans a line of the page, since filter is compared with the shown text.
func (r *ring) add(words string) {
	// The prefix is longer than what is kept, because cleaning removes characters.
	line := line(strings.ToValidUTF8(cut(words, 8*journalBytes), "\ufffd"), journalBytes)
	if len(r.lines) < journalEntries {
		r.lines = append(r.lines, line)
		return
	}
	r.lines[r.start] = line
	r.start = (r.start + 1) % journalEntries
	r.dropped++
}

// page adds a line that begins another page. No page can write such a line: the lines
// of a page begin with their kind or number.
func (r *ring) page(url string) {
	if url != "about:blank" {
		r.add("page: " + maskedAddress(url))
	}
}

// all returns the lines, the oldest first.
func (r *ring) all() []string {
	return append(append(make([]string, 0, len(r.lines)), r.lines[r.start:]...), r.lines[:r.start]...)
}

// cut shortens a text to at most n bytes.
func cut(s string, n int) string { return text.CutBytes(s, n) }

// address is an address as a line of the journal has it.
func address(url string) string { return cut(text.VisibleURL(cut(url, journalBytes)), journalBytes) }

// arrival is what is known of the answer with a tab's document.
type arrival struct {
	// first is the address that was asked for, url the one that redirects led to.
	first, url string
	// status is 0 until a server or the proxy has answered.
	status  int
	noStore bool
}

// documentAsked notes the address that a document of the tab is asked for by, or
// redirected to. t.mu is held.
func (t *tab) documentAsked(loader cdp.LoaderID, url string) {
	a := t.arrivals[loader]
	if a.first == "" {
		a.first = url
		t.journal.network.page(url)
	}
	a.url = url
	t.keepArrival(loader, a)
}

// documentAnswered notes the answer with a document of the tab. t.mu is held.
func (t *tab) documentAnswered(loader cdp.LoaderID, status int, noStore bool) {
	a := t.arrivals[loader]
	a.status, a.noStore = status, noStore
	t.keepArrival(loader, a)
}

func (t *tab) keepArrival(loader cdp.LoaderID, a arrival) {
	if len(t.arrivals) > maxArrivals {
		shown := t.arrivals[t.loader]
		clear(t.arrivals)
		t.arrivals[t.loader] = shown
	}
	t.arrivals[loader] = a
}

// maxArrivals bounds the documents that were replaced at once.
const maxArrivals = 16

// noStore reports whether an answer has the directive no-store (RFC 9111 section
// 5.2.2.5). The word in an argument counts too, which errs on the safe side.
func (a *sentAnswer) noStore() bool {
	var headers map[string]any
	if json.Unmarshal(a.Headers, &headers) != nil {
		return false
	}
	for name, v := range headers {
		if s, _ := v.(string); strings.EqualFold(name, "Cache-Control") && strings.Contains(strings.ToLower(s), "no-store") {
			return true
		}
	}
	return false
}

// hearNetwork keeps count of requests, and the journal. t.mu is held.
func (t *tab) hearNetwork(method string, params []byte) bool {
	switch method {
	case network.RequestWillBeSent.Method:
		ev, ok := decodeEvent[requestEvent](params)
		if !ok || strings.HasPrefix(ev.Request.URL, "data:") {
			return false
		}
		t.hearRequest(ev)
		return true
	case network.ResponseReceived.Method:
		ev, ok := decodeEvent[responseEvent](params)
		if !ok {
			return false
		}
		if t.isDocument(ev.Type, ev.RequestID, ev.LoaderID, ev.FrameID) {
			t.documentAnswered(ev.LoaderID, ev.Response.Status, ev.Response.noStore())
		} else if ev.Type == network.ResourceTypeDocument && len(t.unkept) < maxKids && ev.Response.noStore() {
			t.unkept[ev.FrameID] = true
		}
		t.hearAnswer(ev.RequestID, ev.Type, ev.Response)
		return true
	case network.LoadingFinished.Method, network.LoadingFailed.Method:
		ev, ok := decodeEvent[endedEvent](params)
		if !ok {
			return false
		}
		e := t.journal.exchanges.end(ev.RequestID, ev.ErrorText, ev.Bytes, ev.At)
		if e != nil && ev.ErrorText != "" && !ev.Canceled {
			t.journal.network.add(e.line("failed") + " " + ev.ErrorText)
		}
		delete(t.inflight, ev.RequestID)
		t.finished++
		return true
	}
	t.hearConsole(method, params)
	return false
}

// hearRequest notes a request. One that a redirect leads to has the number of the
// request before it, and the answer to that. t.mu is held.
func (t *tab) hearRequest(ev requestEvent) {
	if t.isDocument(ev.Type, ev.RequestID, ev.LoaderID, ev.FrameID) {
		t.documentAsked(ev.LoaderID, ev.Request.URL)
	}
	t.started++
	if len(t.inflight) < maxInflight && ev.Type != network.ResourceTypeEventSource && ev.Type != network.ResourceTypePing {
		t.inflight[ev.RequestID] = true
	}
	x := &t.journal.exchanges
	if ev.Redirect != nil {
		e := t.hearAnswer(ev.RequestID, ev.Type, *ev.Redirect)
		if e.detail != nil {
			e.detail.hops = true
		}
		x.end(ev.RequestID, "", 0, ev.At)
	}
	x.begin(ev.RequestID, ev.Type, ev.Request, ev.At)
}

// hearAnswer notes the beginning of an answer. t.mu is held.
func (t *tab) hearAnswer(id network.RequestID, kind network.ResourceType, a sentAnswer) *exchange {
	e := t.journal.exchanges.answer(id, kind, a)
	t.journal.network.add(e.line(strconv.Itoa(a.Status) + " " + strings.ToLower(string(kind))))
	return e
}

// hearConsole keeps what a page writes to its console. t.mu is held.
func (t *tab) hearConsole(method string, params []byte) {
	switch method {
	case runtime.ConsoleAPICalled.Method:
		if len(params) > 64*journalBytes {
			t.journal.console.add(fmt.Sprintf("log: (%d bytes)", len(params)))
			return
		}
		if ev, ok := event(params, runtime.ConsoleAPICalled); ok {
			t.journal.console.add(string(ev.Type) + ": " + consoleText(ev.Args))
		}
	case runtime.ExceptionThrown.Method:
		if ev, ok := event(params, runtime.ExceptionThrown); ok && ev.ExceptionDetails != nil {
			line := "exception: " + ev.ExceptionDetails.Text
			if x := ev.ExceptionDetails.Exception; x != nil {
				line += " " + x.Description
			}
			t.journal.console.add(line)
			t.thrown++
		}
	case log.EntryAdded.Method:
		if ev, ok := event(params, log.EntryAdded); ok && ev.Entry != nil {
			t.journal.console.add(string(ev.Entry.Level) + ": " + ev.Entry.Text + " " + address(ev.Entry.URL))
		}
	}
}

// isDocument reports whether a request is for a main document of the tab.
func (t *tab) isDocument(kind network.ResourceType, id network.RequestID, loader cdp.LoaderID, frame cdp.FrameID) bool {
	return kind == network.ResourceTypeDocument && string(id) == string(loader) && string(frame) == string(t.target)
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
// page, are accepted at once. Other questions wait for browser_dialog. t.mu is held.
func (t *tab) hearDialog(params []byte) {
	ev, ok := event(params, page.JavascriptDialogOpening)
	if !ok {
		return
	}
	switch ev.Type {
	case page.DialogTypeAlert:
		t.note("the page showed an alert, which was closed")
		t.said((&openDialog{kind: string(ev.Type), message: ev.Message}).text())
		if t.alerts++; t.alerts > maxDialogs {
			t.note("the page's script was told to stop: it shows alert after alert")
			t.engine.background(func(ctx context.Context) { _ = do(ctx, t.main, runtime.TerminateExecution, cdp.Empty{}) })
		}
	case page.DialogTypeBeforeunload:
		t.note("the page asked whether it may be left, and was left")
	default:
		t.dialog = &openDialog{string(ev.Type), line(ev.Message, messageBytes), line(ev.DefaultPrompt, messageBytes)}
		return
	}
	t.engine.background(func(ctx context.Context) { _ = t.answer(ctx, true, "") })
}

// maxDialogs bounds the alerts of a document, whose script is stopped then, and
// the questions that are cancelled at a time.
const maxDialogs = 20

// answer closes the dialog that is open.
func (t *tab) answer(ctx context.Context, accept bool, text string) error {
	return do(ctx, t.main, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: accept, PromptText: text})
}
