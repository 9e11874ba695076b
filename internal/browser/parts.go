package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/chromedp/cdproto/cdp"
	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
)

// partsScript lists the styles of [snapshot.Parts]. Equal ones are given once. Of an option
// only those count that a list takes over when it opens.
const partsScript = `((selector, names, own, most) => {
	const rows = [], at = [], known = new Map;
	let count = 0;
	const put = (e, pseudo, asked) => {
		const c = getComputedStyle(e, pseudo), row = names.map(n => !asked || asked.includes(n) ? c.getPropertyValue(n) : ''), key = row.join('\0');
		if (!known.has(key)) known.set(key, rows.push(row) - 1);
		at.push([count, known.get(key)]);
	};
	for (const e of document.querySelectorAll(selector)) {
		if (at.length < most) switch (e.localName) {
		case 'details': if (e.open) put(e, '::details-content'); break;
		case 'input': case 'textarea': if (e.placeholder && !e.value) put(e, '::placeholder'); break;
		default: put(e, null, own);
		}
		count++;
	}
	const lines = [], selectors = [];
	const walk = rules => {
		for (const r of rules) {
			if (/:first-line/.test(r.selectorText)) selectors.push(r.selectorText.replace(/::?first-line/g, ''));
			if (r.cssRules) walk(r.cssRules);
		}
	};
	for (const s of [...document.styleSheets, ...document.adoptedStyleSheets]) try { walk(s.cssRules); } catch {} // of another origin
	const all = selectors.length ? [...document.querySelectorAll('*')] : [];
	for (const s of selectors.slice(0, 50)) try {
		for (const e of document.querySelectorAll(s)) if (at.length + lines.length < most) {
			put(e, '::first-line');
			lines.push([all.indexOf(e), at.pop()[1]]);
		}
	} catch {}
	return {count, rows, at, lines, elements: all.length};
})(%s, %s, ['display','visibility','opacity','color','-webkit-text-fill-color','background-color','font-size'], %d)`

// maxParts bounds the parts that are asked for: it takes about a millisecond for a hundred.
const maxParts = 500

// readParts asks for the styles of parts that have no box, for what was read of the main
// document. Without an answer they are not known.
func (t *tab) readParts(ctx context.Context, p *snapshot.Process) error {
	if !p.DOM.HasParts() {
		return nil
	}
	look, cancel := within(ctx, aliveLimit)
	defer cancel()
	names, err := json.Marshal(snapshot.Styles())
	if err != nil {
		return err
	}
	raw, err := t.main.ask(look, cdp.FrameID(t.target), fmt.Sprintf(partsScript, strconv.Quote(snapshot.PartElements), names, maxParts))
	if err == nil && json.Unmarshal(raw, &p.Parts) != nil {
		p.Parts = snapshot.Parts{}
	}
	return ctx.Err()
}
