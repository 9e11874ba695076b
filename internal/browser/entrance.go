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

// appear waits until a page that has just come stands still and shows what a person who
// looks through it sees.
func (t *tab) appear(ctx context.Context) error {
	most := spareTime(ctx, restLimit)
	end := time.Now().Add(most)
	if err := t.still(ctx, loadMotion, most); err != nil {
		return err
	}
	most = max(0, time.Until(end))
	look := fmt.Sprintf("%s(%d).then(came => came && %s)", script("scroll"), most.Milliseconds()/2, stillScript(loadMotion, most/2))
	if err := t.watch(ctx, most+frameWait, look); err != nil {
		return err
	}
	return t.noteRevealed(ctx)
}

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
