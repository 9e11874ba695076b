package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/domsnapshot"
	"github.com/chromedp/cdproto/runtime"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	// frameLimit bounds the look into a frame of another process: the page is
	// read without one that does not answer.
	frameLimit = 3 * time.Second
	// treeNodes is how large a process' documents may be for their accessibility
	// tree to be asked for too. It takes twice as long as the DOM snapshot
	// (measured: 94 ms and 45 ms at the median of twelve pages), and tells little
	// of documents, much of applications, which are small.
	treeNodes = 2000
)

// capture reads the page of a tab.
func (t *tab) capture(ctx context.Context) (p *snapshot.Page, err error) {
	err = t.readAnyway(ctx, func(ctx context.Context) (err error) {
		p, err = t.captureDocument(ctx)
		return err
	})
	return p, err
}

// look reads the page, which the refs are of from now on.
func (t *tab) look(ctx context.Context) (*snapshot.Page, error) {
	p, err := t.capture(ctx)
	if err == nil {
		t.last = p
	}
	return p, err
}

// lookOnce is look unless the document was read before.
func (t *tab) lookOnce(ctx context.Context) (*snapshot.Page, error) {
	if t.last != nil && t.shownLoader == t.document() {
		return t.last, nil
	}
	return t.look(ctx)
}

func (t *tab) captureDocument(ctx context.Context) (*snapshot.Page, error) {
	loader := t.document()
	before := t.last
	if t.shownLoader != loader {
		t.refs.Forget()
		t.shownLoader, before, t.mouse = loader, nil, point{}
	}
	in, err := t.readAll(ctx, loader, readProcess)
	if err != nil {
		return nil, err
	}
	return t.write(in, before), nil
}

// readAll reads the documents of a page, those of its main process and those of others, and
// what else is known of them.
func (t *tab) readAll(ctx context.Context, loader cdp.LoaderID, read func(context.Context, *session) (snapshot.Process, error)) (snapshot.Input, error) {
	t.mu.Lock()
	others := make([]*session, 0, len(t.frames))
	for _, s := range t.frames {
		others = append(others, s)
	}
	t.mu.Unlock()
	in := snapshot.Input{Processes: make([]snapshot.Process, 1+len(others)), Frames: make(map[snapshot.Node]string)}
	var work sync.WaitGroup
	var mainErr error
	work.Go(func() { in.Processes[0], mainErr = t.readMain(ctx, read) })
	for i, s := range others {
		work.Go(func() {
			ctx, cancel := within(ctx, frameLimit)
			defer cancel()
			if p, err := read(ctx, s); err == nil {
				in.Processes[1+i] = p
			}
		})
	}
	work.Wait()
	if mainErr != nil {
		return in, mainErr
	}
	in.Processes[0].Revealed = t.revealedOf(loader)
	t.place(ctx, &in, others)
	return in, nil
}

// layLimit bounds the time for which late parts are laid out.
const layLimit = 500 * time.Millisecond

// readMain reads the main process, with what is laid out late.
func (t *tab) readMain(ctx context.Context, read func(context.Context, *session) (snapshot.Process, error)) (snapshot.Process, error) {
	p, err := read(ctx, t.main)
	if err != nil || !p.DOM.Skips() {
		return p, err
	}
	look, cancel := within(ctx, aliveLimit)
	defer cancel()
	if _, err := t.main.ask(look, cdp.FrameID(t.target), fmt.Sprintf("%s(%d)", script("lay"), layLimit.Milliseconds())); err != nil {
		return p, ctx.Err() // what is laid out is read
	}
	return read(ctx, t.main)
}

// write makes the text of a page that was read.
func (t *tab) write(in snapshot.Input, before *snapshot.Page) *snapshot.Page {
	p := snapshot.Make(in, t.refs, snapshot.Viewport{Width: t.width, Height: t.height})
	p.Keep(before, t.refs)
	return p
}

// readProcess reads the frames that a session's process holds.
func readProcess(ctx context.Context, s *session) (snapshot.Process, error) {
	var tree struct {
		Nodes []snapshot.AXNode `json:"nodes"`
	}
	p := snapshot.Process{Name: string(s.id)}
	read := s.post(ctx, domsnapshot.CaptureSnapshot.Method, domSnapshotParams())
	heard := listen(ctx, s)
	err := read(ctx, &p.DOM) // is decoded while the browser looks for handlers
	all, failed := heard()
	if err == nil {
		err = failed
	}
	if err != nil {
		return p, err
	}
	p.Listeners = all
	nodes := 0
	for _, d := range p.DOM.Documents {
		nodes += len(d.Nodes.Parent)
	}
	if nodes > treeNodes {
		return p, nil
	}
	// Without a tree, names are missing. If no answer comes, the page hangs.
	err = s.Call(ctx, accessibility.GetFullAXTree.Method, accessibility.GetFullAXTreeParams{}, &tree)
	if err != nil && !refused(err) {
		return p, err
	}
	p.AX = tree.Nodes
	for i, d := range p.DOM.Documents {
		if i == 0 || i > maxFrames || d.FrameID < 0 || d.FrameID >= len(p.DOM.Strings) {
			continue
		}
		tree.Nodes = nil
		err := s.Call(ctx, accessibility.GetFullAXTree.Method, accessibility.GetFullAXTreeParams{FrameID: cdp.FrameID(p.DOM.Strings[d.FrameID])}, &tree)
		if err != nil && !refused(err) {
			return p, err
		}
		p.AX = append(p.AX, tree.Nodes...)
	}
	return p, nil
}

// readDOM reads the nodes of a session's process, their boxes and styles.
func readDOM(ctx context.Context, s *session) (snapshot.Process, error) {
	p := snapshot.Process{Name: string(s.id)}
	err := s.Call(ctx, domsnapshot.CaptureSnapshot.Method, domSnapshotParams(), &p.DOM)
	return p, err
}

// domSnapshotParams ask for all that a snapshot is made of.
func domSnapshotParams() domsnapshot.CaptureSnapshotParams {
	return domsnapshot.CaptureSnapshotParams{ComputedStyles: snapshot.Styles(), IncludePaintOrder: new(true)}
}

// listen asks for the handlers of all elements, and returns what waits for them, which has
// to be called. It takes some milliseconds (measured: 1 to 5 on twelve real pages). The
// object belongs to no group, so that the browser leaves out the handlers' code. Without an
// answer, markup tells what there is.
func listen(ctx context.Context, s *session) func() ([]snapshot.Listener, error) {
	// No page can put something else in the place of "document" (HTML, LegacyUnforgeable).
	root, err := call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{Expression: "document"})
	if err != nil || root.Result.ObjectID == "" {
		return func() ([]snapshot.Listener, error) { return nil, unlessRefused(err) }
	}
	answer := s.post(ctx, domdebugger.GetEventListeners.Method, domdebugger.GetEventListenersParams{ObjectID: root.Result.ObjectID, Depth: new(int64(-1)), Pierce: new(true)})
	return func() ([]snapshot.Listener, error) {
		var all struct {
			Listeners []snapshot.Listener `json:"listeners"`
		}
		err := answer(ctx, &all)
		if err == nil {
			err = do(ctx, s, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: root.Result.ObjectID})
		}
		return all.Listeners, unlessRefused(err)
	}
}

// place finds the elements that frames of other processes stand in.
func (t *tab) place(ctx context.Context, in *snapshot.Input, others []*session) {
	holders := append([]*session{t.main}, others...)
	for i := range others {
		p := &in.Processes[1+i]
		if len(p.DOM.Documents) == 0 {
			continue
		}
		id := p.DOM.Documents[0].FrameID
		if id < 0 || id >= len(p.DOM.Strings) {
			continue
		}
		for _, h := range holders {
			if h == others[i] {
				continue
			}
			step, cancel := within(ctx, frameLimit)
			owner, err := call(step, h, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: cdp.FrameID(p.DOM.Strings[id])})
			cancel()
			if err == nil {
				in.Frames[snapshot.Node{Process: string(h.id), ID: int64(owner.BackendNodeID)}] = p.Name
				break
			}
		}
	}
}

// SnapshotRequest says what to read of a page. The zero value is the whole
// page within the default budget.
type SnapshotRequest struct {
	// Ref limits the snapshot to a part of the page.
	Ref string
	// MaxTokens is the budget, by estimate; 0 for DefaultSnapshotTokens, less for
	// none.
	MaxTokens int
	// Diff asks for what changed since the last snapshot of the tab.
	Diff bool
	// Links adds the URLs of links.
	Links bool
}

// DefaultSnapshotTokens is the budget of a snapshot.
const DefaultSnapshotTokens = 2400

// Snapshot is a page as text with refs.
type Snapshot struct {
	Page
	Text string
	// Tokens is the size of the text, and Total that of the whole page, both by
	// estimate.
	Tokens, Total int
}

// Snapshot reads the page. One that asks a question stands still: the text is empty
// then, the notices have the question, and it stays open.
func (b *Browser) Snapshot(ctx context.Context, at Place, q SnapshotRequest) (*Snapshot, error) {
	var out *Snapshot
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) (err error) {
		if err := t.calm(ctx); err != nil {
			return err
		}
		err = errAsks
		if !t.isAsking() {
			out, err = t.snapshot(ctx, q)
		}
		if errors.Is(err, errAsks) {
			out, err = t.asking(ctx)
		}
		return err
	})
	return out, err
}

// asking is the snapshot of a page that asks a question.
func (t *tab) asking(ctx context.Context) (*Snapshot, error) {
	where, err := t.describe(ctx)
	if err != nil {
		return nil, err
	}
	return &Snapshot{Page: *where}, nil
}

// emptyLooks are how often an empty page is looked at again.
const emptyLooks = 5

// emptyNotice is what is said of a page that shows nothing, or that goes on to the next one each
// time it is looked at.
const emptyNotice = "the page shows nothing yet: browser_wait_for waits for a text; browser_snapshot looks again"

func (t *tab) snapshot(ctx context.Context, q SnapshotRequest) (*Snapshot, error) {
	if q.Ref != "" {
		ref, err := t.refOf(ctx, q.Ref)
		if err != nil {
			return nil, err
		}
		q.Ref = ref
	}
	p, err := t.capture(ctx)
	// A page that shows nothing may have just been loaded.
	end := time.Now().Add(calmLimit)
	for n := 0; err == nil && len(p.Lines) == 0 && n < emptyLooks && time.Now().Before(end); n++ {
		wait, cancel := within(ctx, calmLimit/emptyLooks)
		err = t.await(wait, func() bool { return t.reached["DOMContentLoaded"] || t.dialog != nil })
		cancel()
		if err == nil || ctx.Err() == nil {
			p, err = t.capture(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	where, err := t.describe(ctx)
	if err != nil {
		return nil, err
	}
	out := &Snapshot{Page: *where, Total: p.Tokens()}
	if len(p.Lines) == 0 {
		out.Notices = append(out.Notices, emptyNotice)
	}
	most := q.MaxTokens
	if most == 0 {
		most = DefaultSnapshotTokens
	}
	before := t.last
	t.last = p
	shown := func(p *snapshot.Page) string {
		if q.Links {
			p = p.WithLinks()
		}
		return p.Within(most)
	}
	switch {
	case q.Ref != "":
		part, ok := p.Part(q.Ref, t.refs)
		if !ok {
			return nil, t.explainStale(ctx, staleRef(q.Ref))
		}
		out.Total = part.Tokens()
		out.Text = shown(part)
	case q.Diff && before != nil:
		out.Text = snapshot.Diff(before, p, most)
		if out.Text == "" {
			out.Text = "nothing changed since the last snapshot\n"
		}
	default:
		out.Text = shown(p)
	}
	out.Tokens = snapshot.Estimate(out.Text)
	return out, nil
}

// explainStale looks at the page again and says what is in the place of a stale
// ref, with its own ref. Other errors stay as they are.
func (t *tab) explainStale(ctx context.Context, err error) error {
	var stale staleError
	if !errors.As(err, &stale) || t.shownLoader != t.document() || t.last == nil {
		return err
	}
	now, failed := t.look(ctx)
	if failed != nil {
		return err
	}
	s, ok := now.Successor(stale.ref, t.refs)
	if !ok {
		return err
	}
	of := func(record string) string {
		if record == "" {
			return ""
		}
		return " of " + text.Quoted(record)
	}
	e := &tool.Error{Type: tool.InvalidInput, Cause: stale,
		Message: fmt.Sprintf("ref %s is stale: what it was on%s (%s) is no longer there", text.Name(stale.ref), of(s.Record), text.Quoted(s.Was)),
		Hint:    "take a new browser_snapshot, and use a ref from it"}
	switch {
	case s.Same:
		e.Hint = fmt.Sprintf("its place has %s now: %s", text.Name(s.Ref), text.Quoted(s.Line))
	case s.Ref != "":
		e.Hint = fmt.Sprintf("in its place is now %s%s: %s; use %s if you want that, or take a new browser_snapshot", text.Name(s.Ref), of(s.NowRecord), text.Quoted(s.Line), text.Name(s.Ref))
		if s.Named.Text != "" {
			e.Hint += fmt.Sprintf("; while the page draws it again and again, use %s %s as the ref", text.Name(s.Named.Role), text.Quoted(s.Named.Text))
		}
	}
	return e
}
