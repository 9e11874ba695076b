// Scrolls to what is below the window, in the flow of the page, holds text
// and is transparent: menus and tooltips, which wait for something else, stand outside of
// the flow. It ends when three in a row have not come. It returns whether any has, and
// keeps those that were seen.
// prelude: members unseen
(async most => {
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
})
