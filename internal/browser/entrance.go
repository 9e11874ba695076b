package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

// Entrances. Some pages make text transparent, or place it beside the window, and bring it
// in by an animation; others bring in each part when a person scrolls to it. What no
// person sees is left out of what is read. A page that has just come is therefore looked at
// as a person does: its entrances are awaited, and where text below the window is transparent,
// the page is scrolled there, once, and back. What was seen on the way and is transparent again
// counts as seen. Animations without an end are not awaited.

// entranceWait bounds the wait for a page that has just come, entrances and scrolling
// together.
const entranceWait = restLimit

// unseenScript is the beginning of scripts that look for text that nobody sees yet.
const unseenScript = membersScript + `
	const clear = e => isDrawn(e, {opacityProperty: true, visibilityProperty: true});
	const hasText = e => /\S/.test(textOf(e));
	const unseen = e => {
		if (!clear(e)) return true;
		const r = boxOf(e);
		return getComputedStyle(e).opacity < .05 || r.width < 1 || r.height < 1 || r.right <= 0 || r.left >= innerWidth || r.bottom + scrollY <= 0;
	};
`

// scrollScript scrolls to what is below the window, in the flow of the page, holds text
// and is transparent: menus and tooltips, which wait for something else, stand outside of
// the flow. It ends when three in a row have not come. It returns whether any has, and
// keeps those that were seen.
const scrollScript = `(async most => {` + unseenScript + `
	const contains = member(Node, 'contains'), animations = member(Element, 'getAnimations');
	let left = 5000;
	const end = performance.now() + most, veiled = [];
	const walk = document.createTreeWalker(document.body || document, NodeFilter.SHOW_ELEMENT, e => {
		if (left-- < 0) return NodeFilter.FILTER_REJECT;
		if (getComputedStyle(e).contentVisibility === 'auto') return NodeFilter.FILTER_REJECT; // to ask about what is in it would lay it out
		if (clear(e)) return NodeFilter.FILTER_SKIP;
		if (!isDrawn(e)) return NodeFilter.FILTER_REJECT; // to ask for the box would lay out what is closed
		const c = getComputedStyle(e), r = boxOf(e);
		return /^(static|relative)$/.test(c.position) && r.top >= innerHeight && r.width > 0 && r.height > 0 && hasText(e) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT;
	});
	while (document.scripts.length && walk.nextNode() && veiled.length < 300) if (!veiled.length || !contains(veiled.at(-1), walk.currentNode)) veiled.push(walk.currentNode);
	const frames = n => new Promise(f => n ? requestAnimationFrame(() => f(frames(n - 1))) : setTimeout(f, 0));
	const comes = e => clear(e) || animations(e, {subtree: true}).some(a => a.playState === 'running' && a.effect.getComputedTiming().endTime < 1e5);
	const moved = new Map;
	const scroller = e => {
		for (e = parentOf(e); e && e !== document.body; e = parentOf(e)) if (e.scrollHeight > e.clientHeight && /auto|scroll/.test(getComputedStyle(e).overflowY)) return e;
		return document.scrollingElement || document.documentElement;
	};
	const seen = globalThis.spyhopSeen = new Set, came = [];
	let missed = 0;
	for (const e of veiled) {
		for (const c of came) if (clear(c)) seen.add(c);
		if (performance.now() > end || missed === 3) break;
		if (comes(e)) { came.push(e); continue; }
		const r = boxOf(e), s = scroller(e);
		if (!moved.has(s)) moved.set(s, s.scrollTop);
		s.scrollTo({top: s.scrollTop + r.top - innerHeight / 3, behavior: 'instant'});
		const begun = performance.now();
		do await frames(2); while (!clear(e) && performance.now() - begun < 300);
		if (comes(e)) came.push(e), missed = 0; else missed++;
	}
	for (const c of came) if (clear(c)) seen.add(c);
	for (const [s, top] of moved) s.scrollTo({top, behavior: 'instant'});
	return came.length > 0;
})`

// appear waits until a page that has just come stands still and shows what a person who
// looks through it sees.
func (t *tab) appear(ctx context.Context) error {
	most := spareTime(ctx, entranceWait)
	end := time.Now().Add(most)
	if err := t.still(ctx, loadMotion, most); err != nil {
		return err
	}
	most = max(0, time.Until(end))
	script := fmt.Sprintf("%s(%d).then(came => came && %s)", scrollScript, most.Milliseconds()/2, stillScript(loadMotion, most/2))
	if err := t.watch(ctx, most+frameWait, script); err != nil {
		return err
	}
	return t.noteRevealed(ctx)
}

// mostRevealed bounds the elements of [tab.noteRevealed].
const mostRevealed = 100

// noteRevealed notes what was seen while the page was scrolled, and is transparent again. A
// page that asks, leaves or hangs has nothing of the kind.
func (t *tab) noteRevealed(ctx context.Context) error {
	t.revealed, t.revealedIn = nil, t.document()
	if now := t.now(); now.dialog != nil || now.moving {
		return nil
	}
	look, cancel := within(ctx, aliveLimit)
	defer cancel()
	t.revealed = t.idsOf(look, fmt.Sprintf(`[...(globalThis.spyhopSeen || [])].filter(e => !Element.prototype.checkVisibility.call(e, {opacityProperty: true})).slice(0, %d)`, mostRevealed))
	return ctx.Err()
}

// revealedOf returns what was revealed of a document.
func (t *tab) revealedOf(loader cdp.LoaderID) map[int64]bool {
	if t.revealedIn != loader {
		return nil
	}
	return t.revealed
}

// idsOf returns the ids of the elements of a list, which is an expression; none where the browser
// refuses. It asks for all at once, because a page that is busy takes its time for each question.
func (t *tab) idsOf(ctx context.Context, list string) map[int64]bool {
	defer t.main.release(ctx)
	w, err := t.main.world(ctx, cdp.FrameID(t.target))
	if err != nil {
		return nil
	}
	object, err := call(ctx, t.main, runtime.Evaluate, runtime.EvaluateParams{ContextID: w, Expression: list, ObjectGroup: world})
	if err != nil {
		return nil
	}
	members, err := call(ctx, t.main, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: object.Result.ObjectID, OwnProperties: new(true)})
	if err != nil {
		return nil
	}
	var waits []func(context.Context, any) error
	for _, m := range members.Result {
		if m.Value != nil && m.Value.ObjectID != "" {
			waits = append(waits, t.main.post(ctx, dom.DescribeNode.Method, dom.DescribeNodeParams{ObjectID: m.Value.ObjectID}))
		}
	}
	ids := make(map[int64]bool)
	for _, wait := range waits {
		var found dom.DescribeNodeResult
		if wait(ctx, &found) == nil && found.Node != nil {
			ids[int64(found.Node.BackendNodeID)] = true
		}
	}
	return ids
}
