package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
)

// Rules of a large page that is read after an action. The browser takes seconds for its
// snapshot of 20,000 links, and most actions change next to nothing there. So what was
// read is kept, and a script of ours notes what changes afterwards:
//
//   - Where elements, attributes, boxes, visibility or the values of fields have changed,
//     the page is read again.
//   - Where only words have changed, each in an element that holds nothing else and has
//     its place and size as before, the words are put into what was kept.
//   - Pages with frames or closed shadow trees are not kept. The script cannot look into
//     them.
//
// Snapshots that a caller asks for always read the page.

const (
	// keptElements is how many elements a page has at least to be kept: smaller ones are
	// read in some tenths of a second. The text of a page that was small before has
	// keptLines lines at least.
	keptElements = 5000
	keptLines    = 500
	// mostTexts is how many texts may change before the whole page is read again.
	mostTexts = 20
)

// A keptPage is what was read of a large page.
type keptPage struct {
	loader cdp.LoaderID
	in     snapshot.Input
}

// keepScript begins to note what changes, and reports whether the page is kept. It runs
// before the page is read, so that no change is missed.
const keepScript = `((least, most) => {` + membersScript + `
	const attribute = member(Element, 'getAttributeNS'), boxes = member(Element, 'getClientRects');
	const before = globalThis.spyhopKept;
	globalThis.spyhopKept = null;
	if (before) before.eye.disconnect();
	if (document.getElementsByTagName('*').length < least || document.querySelector('iframe,frame,object,embed')) return false;
	const roots = [document], elements = [];
	const look = root => {
		for (const e of root.querySelectorAll('*')) {
			elements.push(e);
			if (!(e instanceof HTMLFormElement) && e.shadowRoot) { roots.push(e.shadowRoot); look(e.shadowRoot); }
		}
	};
	look(document);
	const state = e => e instanceof HTMLInputElement ? [e.value, e.checked, e.indeterminate].join() : e instanceof HTMLTextAreaElement ? e.value : e instanceof HTMLOptionElement ? e.selected : 0;
	const places = () => {
		const out = new Float32Array(elements.length * 5), left = scrollX, top = scrollY;
		for (let i = 0, k = 0; i < elements.length; i++, k += 5) {
			const e = elements[i], r = boxOf(e);
			if (r.width || r.height || boxes(e).length) out[k] = r.left + left, out[k + 1] = r.top + top, out[k + 2] = r.width, out[k + 3] = r.height;
			out[k + 4] = isDrawn(e, {opacityProperty: true, visibilityProperty: true}) ? 1 : 0;
		}
		return out;
	};
	const kept = globalThis.spyhopKept = {changed: false, texts: new Set};
	const note = records => {
		for (const r of kept.changed ? [] : records) {
			if (r.type === 'attributes') kept.changed = attribute(r.target, r.attributeNamespace, r.attributeName) !== r.oldValue;
			else if (r.type === 'characterData') r.target.nodeType === 3 && kept.texts.add(r.target.parentNode);
			else if ([...r.addedNodes, ...r.removedNodes].every(n => n.nodeType === 3)) kept.texts.add(r.target);
			else kept.changed = true;
			if (kept.texts.size > most) kept.changed = true;
		}
		if (kept.changed) kept.eye.disconnect();
	};
	kept.eye = new MutationObserver(note);
	for (const r of roots) kept.eye.observe(r, {subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true});
	const stood = places(), was = elements.map(state);
	kept.look = () => {
		note(kept.eye.takeRecords());
		if (kept.changed || elements.some((e, i) => state(e) !== was[i])) return null;
		const stand = places();
		if (stand.some((n, i) => Math.abs(n - stood[i]) > .5)) return null;
		kept.list = [...kept.texts].filter(e => e && e.isConnected && !(e instanceof HTMLTitleElement));
		const texts = kept.list.map(e => {
			const range = document.createRange(), only = e.childNodes.length === 1 && e.firstChild.nodeType === 3 && e.nodeType === 1 && getComputedStyle(e).textTransform === 'none';
			range.selectNodeContents(e);
			const r = range.getBoundingClientRect();
			return only && r.width >= 1 && r.height >= 1 && {text: e.textContent, box: [r.left + scrollX, r.top + scrollY, r.width, r.height]};
		});
		return texts.every(t => t) ? {texts, x: scrollX, y: scrollY} : null;
	};
	return true;
})`

// keep begins to note what changes on a page that is about to be read, and reports whether
// the page can be kept.
func (t *tab) keep(ctx context.Context) bool {
	raw, err := t.main.ask(ctx, cdp.FrameID(t.target), fmt.Sprintf("%s(%d, %d)", keepScript, keptElements, mostTexts))
	return err == nil && string(raw) == "true"
}

// keptOf returns what was read of a page, as far as it can be kept.
func keptOf(in snapshot.Input, loader cdp.LoaderID) *keptPage {
	if len(in.Processes) != 1 || len(in.Processes[0].DOM.Documents) != 1 {
		return nil
	}
	d := &in.Processes[0].DOM
	if slices.ContainsFunc(d.Documents[0].Nodes.Shadow.Value, func(v int) bool { return v >= 0 && v < len(d.Strings) && d.Strings[v] == "closed" }) {
		return nil
	}
	return &keptPage{loader, in}
}

// keptChanges is what keepScript's look returns.
type keptChanges struct {
	X, Y  float64
	Texts []struct {
		Text string
		Box  []float64
	}
}

// captureAfter reads the page of a tab after an action: what was kept of it, with the
// texts that have changed, else all of it.
func (t *tab) captureAfter(ctx context.Context) (*snapshot.Page, error) {
	if p, ok, err := t.fromKept(ctx); ok || err != nil {
		return p, err
	}
	return t.capture(ctx)
}

func (t *tab) fromKept(ctx context.Context) (*snapshot.Page, bool, error) {
	k := t.kept
	if k == nil || k.loader != t.document() || t.shownLoader != k.loader || t.last == nil {
		return nil, false, nil
	}
	raw, err := t.main.ask(ctx, cdp.FrameID(t.target), "globalThis.spyhopKept && spyhopKept.look()")
	if err != nil {
		return nil, false, ctx.Err()
	}
	var now *keptChanges
	if json.Unmarshal(raw, &now) != nil || now == nil {
		return nil, false, nil
	}
	d := &k.in.Processes[0].DOM
	for i, c := range now.Texts {
		e, err := t.keptElement(ctx, i)
		if err != nil {
			return nil, false, ctx.Err()
		}
		if !d.Rewrite(int64(e.BackendNodeID), int64(e.Children[0].BackendNodeID), c.Text, c.Box) {
			return nil, false, nil
		}
	}
	d.Documents[0].ScrollX, d.Documents[0].ScrollY = now.X, now.Y
	return t.write(k.in, t.last), true, nil
}

// keptElement describes an element whose text has changed, with that text.
func (t *tab) keptElement(ctx context.Context, i int) (*cdp.Node, error) {
	n, err := t.described(ctx, fmt.Sprintf("spyhopKept.list[%d]", i))
	if err == nil && len(n.Children) != 1 {
		err = fmt.Errorf("the element holds %v", n)
	}
	return n, err
}

// described describes an element of the main document that an expression of ours names,
// with its children.
func (t *tab) described(ctx context.Context, expression string) (*cdp.Node, error) {
	w, err := t.main.world(ctx, cdp.FrameID(t.target))
	if err != nil {
		return nil, err
	}
	object, err := call(ctx, t.main, runtime.Evaluate, runtime.EvaluateParams{ContextID: w, Expression: expression, ObjectGroup: world})
	if err != nil {
		return nil, err
	}
	defer func() {
		_ = do(ctx, t.main, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: world})
	}()
	node, err := call(ctx, t.main, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: object.Result.ObjectID, Depth: new(int64(1))})
	if err == nil && node.Node == nil {
		err = fmt.Errorf("nothing is %s", expression)
	}
	return node.Node, err
}
