package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/tool"
)

// An el is an element that a ref names.
type element struct {
	tab     *tab
	session *session
	ref     string
	node    cdp.BackendNodeID
	frame   cdp.FrameID
	offset  *offset // in it; nil: wherever it takes clicks
}

// element finds the element of a ref.
func (t *tab) element(ref string) (*element, error) {
	asked := ref
	ref, at, ok := cutOffset(strings.TrimSpace(ref))
	if !ok || !snapshot.IsRef(ref) {
		return nil, invalidRef(fmt.Sprintf("%q is not a ref: refs look like b12, or k3@10,20 for a place in one", cut(asked, 40)))
	}
	t.mu.Lock()
	loader := t.loader
	t.mu.Unlock()
	n, ok := t.refs.Node(ref)
	if !ok || t.last == nil || loader != t.shownLoader {
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

// world is the name of the scripts' world of ours, in which no page can have
// changed what functions do.
const world = "spyhop"

// resolve makes the element an object of our world, which belongs to the group
// of its name.
func (e *element) resolve(ctx context.Context) (runtime.RemoteObjectID, error) {
	context, err := e.session.world(ctx, e.frame)
	if err != nil {
		return "", e.stale(err)
	}
	object, err := call(ctx, e.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: e.node, ExecutionContextID: context, ObjectGroup: world})
	if err != nil {
		return "", e.stale(err)
	}
	return object.Object.ObjectID, nil
}

// run calls a function of ours with the element as "this".
func (e *element) run(ctx context.Context, function string, args ...any) (json.RawMessage, error) {
	mine, err := e.resolve(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		_ = do(ctx, e.session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: world})
	}()
	return e.session.function(ctx, mine, function, args...)
}

// object calls a function of ours with the element as "this", and returns the
// element that it returns, "" for none, until it is released.
func (e *element) object(ctx context.Context, function string, args ...string) (_ runtime.RemoteObjectID, release func(), err error) {
	mine, err := e.resolve(ctx)
	if err != nil {
		return "", nil, err
	}
	release = func() {
		_ = do(ctx, e.session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: world})
	}
	p := runtime.CallFunctionOnParams{FunctionDeclaration: function, ObjectID: mine, ObjectGroup: world}
	for _, a := range args {
		data, err := json.Marshal(a)
		if err != nil {
			return "", release, err
		}
		p.Arguments = append(p.Arguments, &runtime.CallArgument{Value: data})
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

// stale explains an element that the browser does not find: it has left the
// page.
func (e *element) stale(err error) error {
	if refused(err) {
		return staleRef(e.ref)
	}
	return err
}

// world returns our world in a frame.
func (s *session) world(ctx context.Context, frame cdp.FrameID) (runtime.ExecutionContextID, error) {
	res, err := call(ctx, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame, WorldName: world})
	return res.ExecutionContextID, err
}

// function calls a function on an object and returns what it returns.
func (s *session) function(ctx context.Context, this runtime.RemoteObjectID, function string, args ...any) (json.RawMessage, error) {
	p := runtime.CallFunctionOnParams{FunctionDeclaration: function, ObjectID: this, ReturnByValue: new(true), AwaitPromise: new(true), UserGesture: new(true)}
	for _, a := range args {
		data, err := json.Marshal(a)
		if err != nil {
			return nil, err
		}
		p.Arguments = append(p.Arguments, &runtime.CallArgument{Value: data})
	}
	res, err := call(ctx, s, runtime.CallFunctionOn, p)
	if err != nil {
		return nil, err
	}
	return scriptValue(res.Result, res.ExceptionDetails)
}

func scriptValue(v *runtime.RemoteObject, x *runtime.ExceptionDetails) (json.RawMessage, error) {
	if x != nil {
		text := x.Text
		if x.Exception != nil {
			text += " " + x.Exception.Description
		}
		return nil, tool.NewError(tool.InvalidInput, "the script failed: "+line(text, 400), "")
	}
	if v == nil || len(v.Value) == 0 {
		return json.RawMessage("null"), nil
	}
	return json.RawMessage(v.Value), nil
}

// A point is a place in the window, in CSS pixels.
type point struct{ x, y float64 }

// coverLooks are how often something covered is looked at again, coverWait
// apart: things open and close within some tenths of a second.
const (
	coverLooks = 5
	coverWait  = 80 * time.Millisecond
)

// aim scrolls an element into the window and returns a place where it, and not
// something over it, takes a click.
func (e *element) aim(ctx context.Context) (point, error) {
	if err := do(ctx, e.session, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: e.node}); err != nil {
		if refused(err) && !strings.Contains(err.Error(), "layout") {
			return point{}, staleRef(e.ref)
		}
		if !refused(err) {
			return point{}, err
		}
	}
	p, cover, err := e.free(ctx)
	for n := 0; err == nil && cover != "" && n < coverLooks; n++ {
		if n == 0 {
			// What stays at the edge of the window may lie over it, or what the mouse
			// has opened where it was.
			if _, err := e.run(ctx, `function() { this.scrollIntoView && this.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'}) }`); err != nil {
				return point{}, err
			}
			if err := e.mouse(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved}); err != nil {
				return point{}, err
			}
		} else {
			// Or what is still on its way.
			pause, cancel := within(ctx, coverWait)
			<-pause.Done()
			cancel()
		}
		if err := e.tab.drawn(ctx); err != nil {
			return point{}, err
		}
		p, cover, err = e.free(ctx)
	}
	if err != nil || cover == "" {
		return p, err
	}
	return point{}, e.covered(cover)
}

func (e *element) covered(cover string) error {
	return tool.NewError(tool.BrowserError, fmt.Sprintf("element %s cannot be reached: %s", e.ref, cover),
		"close what lies over it, or scroll; browser_snapshot shows what is there")
}

// free looks for a place of the element that nothing covers, or for what does.
func (e *element) free(ctx context.Context) (_ point, cover string, err error) {
	quads, err := e.quads(ctx)
	if err != nil {
		return point{}, "", err
	}
	var tried []point
	for _, q := range quads {
		tried = append(tried, places(q)...)
		if len(tried) > 40 {
			break
		}
	}
	if b, ok := boxOf(quads); ok && e.offset != nil {
		tried = []point{e.offset.in(b)}
	}
	if len(tried) == 0 {
		if there, err := e.run(ctx, `function() { return this.isConnected }`); err != nil || string(there) != "true" {
			return point{}, "", cmp.Or(err, staleRef(e.ref))
		}
		return point{}, "", tool.NewError(tool.BrowserError, "element "+e.ref+" has no place on the screen", "take a new browser_snapshot: it may be hidden by now")
	}
	// What the browser is asked for below is a place of the document.
	var scrolled point
	if m, err := call(ctx, e.session, page.GetLayoutMetrics, cdp.Empty{}); err == nil && m.CSSVisualViewport != nil {
		scrolled = point{m.CSSVisualViewport.PageX, m.CSSVisualViewport.PageY}
	}
	var second *point
	for _, p := range tried {
		what, err := e.hit(ctx, point{p.x + scrolled.x, p.y + scrolled.y})
		if err != nil {
			return point{}, "", err
		}
		switch {
		case what == "", what == innerControl && e.offset != nil:
			return p, "", nil
		case what != innerControl:
			cover = what
		case second == nil:
			second = &p
		}
	}
	if second != nil {
		return *second, "", nil
	}
	return point{}, cover, nil
}

// drawnPartScript finds the first thing in an element that has a place of its
// own, where the element has none: as when style makes it vanish around what it
// holds (CSS Display 3, contents).
const drawnPartScript = `function() {
	const walk = document.createTreeWalker(this, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT), range = document.createRange();
	for (let n = walk.nextNode(), i = 0; n && i < 500; n = walk.nextNode(), i++) {
		range.selectNode(n);
		const r = range.getBoundingClientRect();
		if (r.width >= 1 && r.height >= 1) return n;
	}
	return null;
}`

// quads are where an element is in the window; none where nothing of it shows.
func (e *element) quads(ctx context.Context) ([]dom.Quad, error) {
	own, err := call(ctx, e.session, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: e.node})
	if err != nil && !refused(err) {
		return nil, err
	}
	for _, q := range own.Quads {
		if len(places(q)) > 0 {
			return own.Quads, nil
		}
	}
	part, release, err := e.object(ctx, drawnPartScript)
	if err != nil {
		return nil, err
	}
	defer release()
	if part == "" {
		return own.Quads, nil
	}
	inner, err := call(ctx, e.session, dom.GetContentQuads, dom.GetContentQuadsParams{ObjectID: part})
	if err != nil && !refused(err) {
		return nil, err
	}
	return inner.Quads, nil
}

// places are points within a quadrilateral, its middle first. Those outside of
// the window are left out.
func places(q []float64) []point {
	if len(q) != 8 {
		return nil
	}
	cx, cy := (q[0]+q[2]+q[4]+q[6])/4, (q[1]+q[3]+q[5]+q[7])/4
	area := math.Abs((q[2]-q[0])*(q[5]-q[1]) - (q[4]-q[0])*(q[3]-q[1]))
	if area < 1 {
		return nil
	}
	out := []point{{cx, cy}}
	for i := 0; i < 8; i += 2 {
		// Three quarters of the way to each corner.
		out = append(out, point{cx + (q[i]-cx)*.75, cy + (q[i+1]-cy)*.75})
	}
	seen := out[:0]
	for _, p := range out {
		if p.x >= 0 && p.y >= 0 && p.x < windowWidth && p.y < windowHeight {
			seen = append(seen, p)
		}
	}
	return seen
}

// innerControl is the word of hit for a control within the element, which
// would take the click for itself.
const innerControl = "~"

// hit looks at what really is at a point of the document; "" when a click there goes to the
// element.
func (e *element) hit(ctx context.Context, p point) (string, error) {
	res, err := call(ctx, e.session, dom.GetNodeForLocation, dom.GetNodeForLocationParams{X: int64(p.x), Y: int64(p.y), IncludeUserAgentShadowDOM: new(true)})
	if err != nil {
		if refused(err) {
			return "it is outside of the window", nil
		}
		return "", err
	}
	if res.BackendNodeID == e.node {
		return "", nil
	}
	context, err := e.session.world(ctx, e.frame)
	if err != nil {
		return "", e.stale(err)
	}
	at, err := call(ctx, e.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: res.BackendNodeID, ExecutionContextID: context, ObjectGroup: world})
	if err != nil {
		if refused(err) { // it is in a frame that lies over the element
			return "a frame lies over it", nil
		}
		return "", err
	}
	mine, err := call(ctx, e.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: e.node, ExecutionContextID: context, ObjectGroup: world})
	if err != nil {
		return "", e.stale(err)
	}
	defer func() {
		_ = do(ctx, e.session, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: world})
	}()
	answer, err := call(ctx, e.session, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: hitScript, ObjectID: mine.Object.ObjectID, ReturnByValue: new(true),
		Arguments: []*runtime.CallArgument{{ObjectID: at.Object.ObjectID}},
	})
	if err != nil {
		return "", err
	}
	value, err := scriptValue(answer.Result, answer.ExceptionDetails)
	if err != nil {
		return "", err
	}
	var what string
	if err := json.Unmarshal(value, &what); err != nil {
		return "", err
	}
	if what == "gone" {
		return "", staleRef(e.ref)
	}
	return line(what, 120), nil
}

// hitScript says whether a click on "at" is one on "this": at is inside of it,
// or belongs to its label, or is its own parent, when it takes no clicks itself.
const hitScript = `function(at) {
	if (!this.isConnected) return 'gone';
	const up = n => n.assignedSlot || n.parentNode || n.host;
	let inner = '';
	for (let n = at; n; n = up(n)) {
		if (n === this || n.control === this || this.control && n === this.control) return inner;
		if (n.matches && n.matches('a[href],button,input,select,textarea,summary,[contenteditable],[role=button],[role=link]')) inner = '~';
	}
	let around = this;
	for (let i = 0; i < 3 && around; i++) { around = up(around); if (around === at && at !== document.body && at !== document.documentElement) return ''; }
	const e = at.nodeType === 1 ? at : at.parentElement;
	if (!e) return 'something lies over it';
	const name = e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + (typeof e.className === 'string' && e.className ? '.' + e.className.trim().split(/\s+/)[0] : '');
	return '<' + name + '> lies over it';
}`
