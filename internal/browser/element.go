package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// An element is one that a ref names.
type element struct {
	tab     *tab
	session *session
	ref     string
	node    cdp.BackendNodeID
	frame   cdp.FrameID
	offset  *offset // in it; nil: wherever it takes clicks
}

// element finds the element of a ref. The ref is stale if the element now is in
// another record than when it was read.
func (t *tab) element(ctx context.Context, ref string) (*element, error) {
	e, err := t.named(ctx, ref)
	if err != nil {
		return nil, err
	}
	ref = e.ref
	marks := t.last.Marks(snapshot.Node{Process: string(e.session.id), ID: int64(e.node)})
	if len(marks) == 0 {
		return e, nil
	}
	places := make([][2]int, len(marks))
	for i, m := range marks {
		places[i] = [2]int{m.Up, m.Back}
	}
	var texts [][]string
	if err := e.ask(ctx, &texts, script("marks"), places); err != nil {
		return nil, err
	}
	for i, m := range marks {
		if i >= len(texts) || !m.In(texts[i]) {
			return nil, staleRef(ref)
		}
	}
	return e, nil
}

// bareRef takes what a snapshot writes around a ref from it: [Save](b12), (ref=p3).
func bareRef(s string) string {
	s = strings.TrimSpace(s)
	if at := strings.LastIndex(s, "]("); at >= 0 && strings.HasSuffix(s, ")") {
		s = s[at+1:]
	}
	s = strings.TrimPrefix(strings.Trim(s, "[]() "), "ref=")
	if ref, _, _ := strings.Cut(s, " "); snapshot.IsRef(ref) {
		return ref // with the URL of a link
	}
	return s
}

// refOf returns the ref that a role and a name stand for; other refs stay as they are.
func (t *tab) refOf(ctx context.Context, ref string) (string, error) {
	if bare := bareRef(ref); snapshot.IsRef(bare) {
		return bare, nil
	}
	n, ok := snapshot.ParseName(ref)
	if !ok {
		return ref, nil
	}
	var found []snapshot.Match
	if t.last != nil && t.shownLoader == t.document() {
		found = t.last.Named(n)
	}
	if len(found) != 1 {
		now, err := t.look(ctx)
		if err != nil {
			return "", err
		}
		found = now.Named(n)
	}
	asked := text.Name(n.Role) + " " + text.Quoted(n.Text)
	switch len(found) {
	case 0:
		return "", invalidRef("nothing on this page is " + asked)
	case 1:
		return found[0].Ref, nil
	}
	lines := make([]string, 0, len(found))
	for _, m := range found[:min(len(found), 8)] {
		lines = append(lines, m.Ref+": "+line(m.Line, 200))
	}
	e := invalidRef(fmt.Sprintf("%d things on this page are %s", len(found), asked))
	e.Hint = "use the ref of one of them:\n" + tool.Fence(strings.Join(lines, "\n"))
	return "", e
}

// named finds the element that a ref was given to.
func (t *tab) named(ctx context.Context, ref string) (*element, error) {
	asked := ref
	ref, err := t.refOf(ctx, ref)
	if err != nil {
		return nil, err
	}
	ref, at, ok := cutOffset(strings.TrimSpace(ref))
	if !ok || !snapshot.IsRef(ref) {
		return nil, invalidRef(text.Quoted(asked) + " is not a ref: refs look like b12, k3@10,20 for a place in one, or button \"Save\" for a role and a name")
	}
	n, ok := t.refs.Node(ref)
	if !ok || t.last == nil || t.document() != t.shownLoader {
		return nil, staleRef(ref)
	}
	s := t.main
	if n.Process != string(t.main.id) {
		t.mu.Lock()
		s = t.frames[target.SessionID(n.Process)]
		t.mu.Unlock()
		if s == nil {
			return nil, staleRef(ref)
		}
	}
	return &element{t, s, ref, cdp.BackendNodeID(n.ID), cdp.FrameID(t.last.Frame(n)), at}, nil
}

// resolve makes the element an object of our world, which belongs to the group
// of its name.
func (e *element) resolve(ctx context.Context) (runtime.RemoteObjectID, error) {
	object, err := e.session.resolve(ctx, e.frame, e.node)
	return object, e.stale(err)
}

// run calls a function of ours with the element as "this".
func (e *element) run(ctx context.Context, function string, args ...any) (json.RawMessage, error) {
	mine, err := e.resolve(ctx)
	if err != nil {
		return nil, err
	}
	defer e.session.release(ctx)
	return e.session.function(ctx, mine, function, args...)
}

// is reports whether a function of ours says true of the element.
func (e *element) is(ctx context.Context, function string, args ...any) (bool, error) {
	raw, err := e.run(ctx, function, args...)
	return string(raw) == "true", err
}

// ask reads what a function of ours says of the element.
func (e *element) ask(ctx context.Context, out any, function string, args ...any) error {
	raw, err := e.run(ctx, function, args...)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

// word is ask for a function that returns a string.
func (e *element) word(ctx context.Context, function string, args ...any) (out string, err error) {
	err = e.ask(ctx, &out, function, args...)
	return out, err
}

// object calls a function of ours with the element as "this". It returns the
// element that the function returns, or ""; the caller releases it.
func (e *element) object(ctx context.Context, function string, args ...any) (_ runtime.RemoteObjectID, release func(), err error) {
	mine, err := e.resolve(ctx)
	if err != nil {
		return "", nil, err
	}
	release = func() { e.session.release(ctx) }
	p := runtime.CallFunctionOnParams{ObjectID: mine, ObjectGroup: world, AwaitPromise: new(true)}
	if p.FunctionDeclaration, p.Arguments, err = withArguments(function, args); err != nil {
		release()
		return "", nil, err
	}
	res, err := call(ctx, e.session, runtime.CallFunctionOn, p)
	if err != nil {
		release()
		return "", nil, err
	}
	if res.Result == nil {
		return "", release, nil
	}
	return res.Result.ObjectID, release, nil
}

// stale returns the error for an element that has left the page.
func (e *element) stale(err error) error {
	if refused(err) {
		return staleRef(e.ref)
	}
	return err
}

// hears returns the events that the page has handlers for at an element, as far
// as the browser says.
func (e *element) hears(ctx context.Context) []string {
	// Only the page's own world has the handlers.
	mine, err := call(ctx, e.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: e.node})
	if err != nil {
		return nil
	}
	defer func() {
		_ = do(ctx, e.session, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: mine.Object.ObjectID})
	}()
	all, err := call(ctx, e.session, domdebugger.GetEventListeners, domdebugger.GetEventListenersParams{ObjectID: mine.Object.ObjectID})
	if err != nil {
		return nil
	}
	var out []string
	for _, l := range all.Listeners {
		out = append(out, l.Type)
	}
	return out
}
