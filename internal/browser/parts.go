package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
)

// partsScript lists the styles of [snapshot.Parts]. Equal ones are given once. Of an option
// only those count that a list takes over when it opens, of letters that a highlight or the
// selection paints only the colours.
const partsScript = `((selector, names, own, most, shadows) => {
	const trees = [document];
	if (shadows) for (const t of trees) for (const e of t.querySelectorAll(':not(form)')) if (e.shadowRoot) trees.push(e.shadowRoot);
	const find = selector => trees.flatMap(t => [...t.querySelectorAll(selector)]);
	const rows = [], known = new Map, elements = [], at = [], lines = [], backs = [], canvases = [], listed = new Map;
	const end = performance.now() + 1000;
	let over = false;
	const put = (list, e, pseudo, asked) => {
		if (list.length >= most || performance.now() > end) { over = true; return; }
		const c = getComputedStyle(e, pseudo), row = names.map(n => !asked || asked.includes(n) ? c.getPropertyValue(n) : ''), key = row.join('\0');
		if (!known.has(key)) known.set(key, rows.push(row) - 1);
		list.push([elements.push(e) - 1, known.get(key)]);
	};
	const quiet = f => { try { f(); } catch {} }; // what the browser does not know
	const drawn = e => e.checkVisibility(); // to ask about what is in closed details would lay it out
	for (const e of find(selector)) switch (e.localName) {
	case 'details': if (e.open && drawn(e)) put(at, e, '::details-content'); break;
	case 'input': case 'textarea': if (e.placeholder && !e.value && drawn(e)) put(at, e, '::placeholder'); break;
	default:
		const list = e.closest('select'), n = listed.get(list) || 0;
		listed.set(list, n + 1);
		if (list && (n || drawn(list))) n < most / 2 ? put(at, e, null, own) : over = true;
		else listed.delete(list);
	}
	// Styles are compared. To look for rules takes longer, and the selector of one that does not
	// apply can take any time.
	const every = document.getElementsByTagName('*'), all = shadows ? find('*') : every;
	for (let i = 0; i < all.length && i < most && performance.now() < end; i++) {
		const own = getComputedStyle(all[i]), line = getComputedStyle(all[i], '::first-line');
		if (/inline|none|contents/.test(own.display)) continue;
		if (own.color !== line.color || own.fontSize !== line.fontSize || own.webkitTextFillColor !== line.webkitTextFillColor || own.backgroundColor !== line.backgroundColor) put(lines, all[i], '::first-line');
	}
	const colours = ['color', '-webkit-text-fill-color', 'background-color'];
	const painted = (range, pseudo) => {
		const top = range.commonAncestorContainer, walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT), done = new Set;
		for (let n = top.nodeType === 3 ? top : walk.nextNode(); n && done.size < most && performance.now() < end; n = walk.nextNode()) {
			if (!range.intersectsNode(n) || !n.parentElement || done.has(n.parentElement)) continue;
			done.add(n.parentElement);
			put(lines, n.parentElement, pseudo, colours);
		}
	};
	quiet(() => {
		for (const [name, ranges] of CSS.highlights) for (const r of ranges) if (performance.now() < end) quiet(() => {
			const range = document.createRange();
			range.setStart(r.startContainer, r.startOffset);
			range.setEnd(r.endContainer, r.endOffset);
			if (lines.length < most && performance.now() < end) painted(range, '::highlight(' + CSS.escape(name) + ')');
		});
	});
	const selection = getSelection();
	for (let i = 0; selection && !selection.isCollapsed && i < selection.rangeCount; i++) painted(selection.getRangeAt(i), '::selection');
	for (const s of ['dialog:modal', ':popover-open', ':fullscreen']) quiet(() => find(s).forEach(e => put(backs, e, '::backdrop')));
	const cells = 32, painters = find('canvas');
	for (let i = 0; i < painters.length && i < 10; i++) quiet(() => {
		const c = painters[i], g = new OffscreenCanvas(cells, cells).getContext('2d', {willReadFrequently: true}), runs = [];
		if (!c.checkVisibility({opacityProperty: true, visibilityProperty: true})) return;
		g.imageSmoothingQuality = 'high';
		g.drawImage(c, 0, 0, cells, cells);
		let data = null; // of a picture of another origin
		quiet(() => data = g.getImageData(0, 0, cells, cells).data);
		for (let y = 0; y < cells; y++) for (let x = 0, from = -1; x <= cells; x++) {
			const opaque = x < cells && (!data || data[4 * (y * cells + x) + 3] > 250);
			if (opaque && from < 0) from = x;
			if (opaque || from < 0) continue;
			const above = runs.find(r => r[3] === y && r[0] === from && r[2] === x);
			above ? above[3] = y + 1 : runs.push([from, y, x, y + 1]);
			from = -1;
		}
		if (runs.length) elements.push(c);
		for (const r of runs.slice(0, 100)) canvases.push([elements.length - 1, ...r]);
	});
	globalThis.spyhopParts = elements;
	const wanted = new Set(elements), places = new Map;
	for (let i = 0; wanted.size && i < every.length; i++) if (wanted.has(every[i])) places.set(every[i], i);
	return {elements: every.length, places: elements.map(e => places.has(e) ? places.get(e) : -1), rows, at, lines, backs, canvases, over};
})(%s, %s, ['display','visibility','opacity','color','-webkit-text-fill-color','background-color','font-size'], %d, %t)`

// mostParts bounds the parts of each kind that are asked for: it takes about a millisecond for
// a hundred. mostDescribed bounds those that are looked up one by one, and partsLimit the
// time of all of it.
const (
	mostParts     = 2000
	mostDescribed = 500
	partsLimit    = 3 * time.Second
)

// readParts asks for the styles of parts that have no box, for what was read of the main
// document and its open shadow trees. Without an answer they are not known.
func (t *tab) readParts(ctx context.Context, p *snapshot.Process) error {
	if !p.DOM.HasParts() {
		return nil
	}
	look, cancel := within(ctx, partsLimit)
	defer cancel()
	names, err := json.Marshal(snapshot.Styles())
	if err != nil {
		return err
	}
	raw, err := t.main.ask(look, cdp.FrameID(t.target), fmt.Sprintf(partsScript, strconv.Quote(snapshot.PartElements), names, mostParts, p.DOM.HasShadow()))
	if err != nil || json.Unmarshal(raw, &p.Parts) != nil {
		p.Parts = snapshot.Parts{Over: true}
		return ctx.Err()
	}
	if len(p.Parts.Places) > 0 && p.DOM.HasShadow() {
		p.Parts.IDs, err = t.idsOf(look, "spyhopParts", min(len(p.Parts.Places), mostDescribed))
		p.Parts.Over = p.Parts.Over || err != nil || len(p.Parts.Places) > mostDescribed
	}
	return ctx.Err()
}

// idsOf returns the ids of the first n elements of a list in our world, which is an expression:
// where slots change the order of elements, their places do not tell which they are. It asks for
// all at once, because a page that is busy takes its time for each question.
func (t *tab) idsOf(ctx context.Context, list string, n int) ([]int64, error) {
	defer func() {
		_ = do(ctx, t.main, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: world})
	}()
	w, err := t.main.world(ctx, cdp.FrameID(t.target))
	if err != nil {
		return nil, err
	}
	object, err := call(ctx, t.main, runtime.Evaluate, runtime.EvaluateParams{ContextID: w, Expression: list + ".slice(0, " + strconv.Itoa(n) + ")", ObjectGroup: world})
	if err != nil {
		return nil, err
	}
	members, err := call(ctx, t.main, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: object.Result.ObjectID, OwnProperties: new(true)})
	if err != nil {
		return nil, err
	}
	ids := make([]int64, n)
	waits := make([]func(context.Context, any) error, n)
	for _, m := range members.Result {
		if k, err := strconv.Atoi(m.Name); err == nil && k >= 0 && k < n && m.Value != nil {
			waits[k] = t.main.post(ctx, dom.DescribeNode.Method, dom.DescribeNodeParams{ObjectID: m.Value.ObjectID})
		}
	}
	for k, wait := range waits {
		var found struct {
			Node struct {
				ID int64 `json:"backendNodeId"`
			} `json:"node"`
		}
		if wait != nil && wait(ctx, &found) == nil {
			ids[k] = found.Node.ID
		}
	}
	return ids, ctx.Err()
}
