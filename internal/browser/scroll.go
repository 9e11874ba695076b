package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
)

// Reading further by scrolling. Many pages bring the rest of a list, or a part below the
// window, when a person scrolls there, and remove again what leaves the window (virtual
// lists). Render scrolls a page to its end where that is asked for, and a page that looks
// cut a little, so that it can say that there is more.

// The limits of [tab.scroll]. A page that looks cut is scrolled for a third of what a
// caller may ask for.
const (
	scrollScreens  = 30
	scrollRecords  = 2000
	probeScreens   = 10
	scrollWait     = 3 * time.Second // for what a step makes the page request
	scrollQuiet    = 120             // milliseconds without anything new after a step
	scrollSure     = 600             // the same, at the end of a list that has grown
	scrollBusyWait = 1500            // the same, where the page says that it loads
	recentGrowth   = 3               // steps after which a page that is not at its end is taken to have grown enough
)

// Scrolled is what scrolling a page brought.
type Scrolled struct {
	// Screens is how often the page was scrolled.
	Screens int
	// Grows says that the last step brought more, so that the page goes on.
	Grows bool
}

// cutScript reports whether a page looks cut: it shows little and is longer than the
// window, or a list with much of its text goes to its end.
const cutScript = `(() => {` + waitsScript + `
	const page = document.scrollingElement || document.documentElement;
	if (!page || !document.scripts.length) return false;
	const all = shownText().length;
	if (all < 500 && page.scrollHeight > 1.3 * innerHeight) return true;
	for (const e of document.querySelectorAll('*')) {
		if (e.childElementCount < 5 || e === document.body) continue;
		const last = e.lastElementChild, kind = last.localName;
		if ([...e.children].filter(c => c.localName === kind).length < 5 || textOf(e).length * 3 < all) continue;
		if (boxOf(last).bottom + scrollY > page.scrollHeight - 1.5 * innerHeight) return true;
	}
	return false;
})()`

// stepScript scrolls the page and the larger boxes in it by most of a window, or to the end
// of what there is if the step before brought more. It keeps the rows of lists as they pass,
// and ends when nothing new has come for a while. It returns what
// the step brought.
const stepScript = `(async (quiet, busyQuiet, mostRecords) => {` + waitsScript + `
	const S = globalThis.spyhopScroll ||= {lists: new Map, records: 0};
	const page = document.scrollingElement || document.documentElement;
	const size = () => document.getElementsByTagName('*').length + ' ' + textOf(document.documentElement).replace(/[\d\s:.,%]+/g, '').length;
	const sides = e => e === page ? innerHeight : e.clientHeight;
	const scrollers = () => {
		const out = [page];
		let left = 8000;
		for (const e of document.getElementsByTagName('*')) {
			if (left-- < 0 || out.length > 3) break;
			if (e !== page && e.scrollHeight > e.clientHeight + 40 && e.clientHeight * e.clientWidth * 12 > innerHeight * innerWidth && /auto|scroll/.test(getComputedStyle(e).overflowY)) out.push(e);
		}
		return out;
	};
	const keep = all => {
		let left = 8000;
		for (const e of document.getElementsByTagName('*')) {
			if (left-- < 0 || S.records >= mostRecords) return;
			if (e.childElementCount < 5 || e === document.head) continue;
			const kind = e.firstElementChild.localName, rows = [...e.children].filter(c => c.localName === kind);
			if (/^(script|link|meta|option|style|br|source|path|col)$/.test(kind) || rows.length < 5) continue;
			const s = all.find(s => s !== page && s.contains(e)), top = s ? s.scrollTop - boxOf(s).top : scrollY;
			if (!S.lists.has(e)) S.lists.set(e, new Map);
			const seen = S.lists.get(e);
			for (const r of rows) {
				const text = textOf(r).replace(/\s+/g, ' ').trim();
				if (!text || text.length > 20000 || seen.has(text) || S.records >= mostRecords) continue;
				seen.set(text, {row: r.cloneNode(true), top: boxOf(r).top + top});
				S.records++;
			}
		}
	};
	let all = scrollers();
	if (!S.size) { keep(all); S.size = size(); }
	let end = true;
	for (const s of all) s.scrollTo({top: S.grew && !S.removes ? s.scrollHeight : s.scrollTop + .9 * sides(s), behavior: 'instant'});
	await new Promise(f => { requestAnimationFrame(() => f()); setTimeout(f, 1000); }); // scroll handlers run before it
	const begun = performance.now();
	let last = size(), since = begun;
	while (performance.now() - since < (waits() ? busyQuiet : quiet) && performance.now() - begun < 2 * busyQuiet) {
		await new Promise(f => setTimeout(f, 30));
		const is = size();
		if (is !== last) { last = is; since = performance.now(); }
	}
	const before = S.records;
	keep(scrollers());
	for (const [list, seen] of S.lists) if (!S.removes && list.isConnected) S.removes = [...seen.values()].length > list.childElementCount + 2;
	S.grew = last !== S.size || S.records > before;
	S.size = last;
	for (const s of scrollers()) if (s.scrollTop + sides(s) < s.scrollHeight - 4) end = false;
	return {grew: S.grew, end, full: S.records >= mostRecords};
})`

// restoreScript puts back the rows that a virtual list has removed, in their order.
const restoreScript = `(() => {` + membersScript + `
	const S = globalThis.spyhopScroll;
	delete globalThis.spyhopScroll;
	if (!S || !S.removes) return;
	for (const [list, seen] of S.lists) {
		if (!list.isConnected) continue;
		const present = new Set;
		let first = null, at = Infinity;
		for (const r of list.children) {
			const text = textOf(r).replace(/\s+/g, ' ').trim();
			if (text) present.add(text);
			if (seen.has(text) && seen.get(text).top < at) { first = r; at = seen.get(text).top; }
		}
		const missing = [...seen].filter(([text]) => !present.has(text)).map(([, m]) => m).sort((a, b) => a.top - b.top);
		if (missing.length < 3) continue;
		for (const m of missing) {
			m.row.style.setProperty('position', 'static', 'important');
			m.row.style.setProperty('transform', 'none', 'important');
			if (m.top < at) list.insertBefore(m.row, first); else list.append(m.row);
		}
	}
})()`

// scrollFor scrolls a page as far as the caller asks for, or a little if it looks cut.
func (t *tab) scrollFor(ctx context.Context, asked bool) (Scrolled, error) {
	switch {
	case asked:
		return t.scroll(ctx, scrollScreens)
	case t.is(ctx, cutScript):
		return t.scroll(ctx, probeScreens)
	}
	return Scrolled{}, nil
}

// loads reports whether the document has not come to its end, or shows little more than
// that it loads.
func (t *tab) loads(ctx context.Context) bool {
	t.mu.Lock()
	whole := t.reached["DOMContentLoaded"]
	t.mu.Unlock()
	if !whole {
		return true
	}
	return t.is(ctx, `(() => {`+waitsScript+` return shownText().length < 2000 && waits(); })()`)
}

// scroll scrolls a page until nothing new comes, or for so many screens. A page that asks,
// leaves or hangs meanwhile is read as it is.
func (t *tab) scroll(ctx context.Context, screens int) (s Scrolled, err error) {
	wait, cancel := spare(ctx, time.Duration(screens)*time.Second)
	defer cancel()
	ended, last, still := false, -recentGrowth, 0 // last is the latest step that brought more, still counts those since then at the end
	for !ended && s.Screens < screens && wait.Err() == nil {
		t.mu.Lock()
		started, over := t.started, t.dialog != nil || t.moving
		t.mu.Unlock()
		if over {
			break
		}
		quiet := scrollQuiet
		if still > 0 {
			quiet = scrollSure
		}
		var step struct{ Grew, End, Full bool }
		if t.ask(wait, &step, fmt.Sprintf("%s(%d,%d,%d)", stepScript, quiet, scrollBusyWait, scrollRecords)) != nil {
			break
		}
		s.Screens++
		asks := func() bool { return t.started > started && len(t.inflight) > 0 && t.dialog == nil }
		t.mu.Lock()
		more := asks()
		t.mu.Unlock()
		if more {
			answer, done := within(wait, scrollWait)
			_ = t.await(answer, func() bool { return !asks() })
			done() // what came of it shows in the next step
		}
		switch {
		case step.Full:
			s.Grows, ended = true, true
		case step.Grew:
			last, still = s.Screens, 0
		case step.End:
			// A list that has grown gets a second, longer look: a busy machine is slow. What
			// the page requests at each step may be for its statistics only.
			still++
			ended = !more && (last < 0 || still > 1) || still > 3
		}
	}
	s.Grows = s.Grows || !ended && last >= 0 && (wait.Err() != nil || s.Screens-last < recentGrowth)
	if ctx.Err() != nil {
		return s, ctx.Err()
	}
	_, err = t.main.ask(ctx, cdp.FrameID(t.target), restoreScript)
	return s, unlessRefused(err)
}
