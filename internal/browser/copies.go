package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
)

// Rules of what pages copy by script, as "Copy" buttons do. The document of an element
// is listened to from the first action on it. What the page copies during an action is
// told in the answer, and becomes the clipboard of the context. The browser's clipboard
// is never read: with a window it is that of the user.

// copiedEvent is the event by which a page's world tells ours what was copied. A page
// can send it too, which tells no more than a Copy button of its own.
const copiedEvent = "spyhop-copied"

// hearScript begins to keep what is copied, and counts copies that are not complete. It
// runs in our world. For execCommand, the
// page's handlers of the event may change the text and may stop the event; so it is
// looked at on its way down, at its target and on its way up, and the last look counts.
const hearScript = `function(kind, most) {
	const d = this.ownerDocument || this, w = d.defaultView;
	if (!w || globalThis.spyhopCopies) return;
	const all = globalThis.spyhopCopies = [];
	globalThis.spyhopCopying = 0;
	d.addEventListener(kind, e => {
		globalThis.spyhopCopying += e.detail === null ? 1 : -1;
		if (e.detail && all.length < 20) all.push(String(e.detail).slice(0, most));
	});
	let last = null;
	const look = e => {
		if (!e.isTrusted) return;
		let text = e.defaultPrevented ? e.clipboardData.getData('text/plain') : String(d.getSelection());
		const f = d.activeElement;
		if (!e.defaultPrevented && f && typeof f.selectionStart === 'number' && f.type !== 'password') text = f.value.slice(f.selectionStart, f.selectionEnd) || text;
		if (last === e) all.pop(); else last = e;
		all.push(text.slice(0, most));
	};
	w.addEventListener('copy', e => { look(e); e.target.addEventListener('copy', look, {once: true}); }, true);
	w.addEventListener('copy', look);
}`

// tellScript has the functions by which pages copy tell what they copied. It runs in the
// page's world.
const tellScript = `function(kind) {
	const d = this.ownerDocument || this, w = d.defaultView, c = w && w.Clipboard;
	if (!c || c.prototype.writeText.spyhop) return;
	const tell = detail => d.dispatchEvent(new CustomEvent(kind, {detail}));
	const told = (copying, words) => {
		tell(null);
		copying.then(words).then(s => tell(String(s)), () => tell(''));
		return copying;
	};
	const text = c.prototype.writeText, items = c.prototype.write;
	c.prototype.writeText = function writeText(s) { return told(text.apply(this, arguments), () => s); };
	c.prototype.writeText.spyhop = true;
	c.prototype.write = function write(data) {
		const item = [...data].find(i => i.types.includes('text/plain'));
		return told(items.apply(this, arguments), () => item ? item.getType('text/plain').then(b => b.text()) : '');
	};
}`

// takeScript returns what was copied since it was called last. It waits a moment for
// copies that are not complete.
const takeScript = `new Promise(done => {
	const begun = performance.now();
	const look = () => {
		if (globalThis.spyhopCopying > 0 && performance.now() - begun < 500) return setTimeout(look, 20);
		globalThis.spyhopCopying = 0;
		done((globalThis.spyhopCopies || []).splice(0).pop() || '');
	};
	look();
})`

// hearing is a document that is listened to.
type hearing struct {
	session *session
	frame   cdp.FrameID
}

// hearCopies listens to the document of an element. A page where that fails is acted
// on as it is.
func (e *element) hearCopies(ctx context.Context) {
	ctx, cancel := within(ctx, aliveLimit)
	defer cancel()
	if _, err := e.run(ctx, hearScript, copiedEvent, maxClipboard); err != nil {
		return
	}
	object, err := call(ctx, e.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: e.node, ObjectGroup: world})
	if err != nil || object.Object == nil {
		return
	}
	_, _ = e.session.function(ctx, object.Object.ObjectID, tellScript, copiedEvent)
	e.session.release(ctx)
	e.tab.hears = &hearing{e.session, e.frame}
}

// takeCopied returns a line about what the page copied by script since the last call,
// or "". It becomes the context's clipboard.
func (t *tab) takeCopied(ctx context.Context) string {
	h := t.hears
	if h == nil || t.isAsking() {
		return ""
	}
	ctx, cancel := within(ctx, aliveLimit)
	defer cancel()
	raw, err := h.session.ask(ctx, h.frame, takeScript)
	copied := ""
	if err != nil || json.Unmarshal(raw, &copied) != nil || copied == "" {
		return ""
	}
	if t.home != nil {
		t.home.copy(copied)
	}
	words := line(strings.ToValidUTF8(copied, "\ufffd"), toldBytes)
	if len(copied) > toldBytes {
		words += fmt.Sprintf(" (%d bytes in all)", len(copied))
	}
	return "Copied to the clipboard: " + words + "\n"
}

// toldBytes bounds what an answer says of what was copied.
const toldBytes = 500
