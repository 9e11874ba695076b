// Ends when the page stands still: its size and its elements are the
// same for two frames, no animation of a style sheet is about to end, in shadow trees
// too, and no script has moved or filled an element for a moment: a table has its new rows
// some frames after its pager. What still moves at the end of the time is not
// waited for again: clocks, carousels. An entrance is awaited longer: an animation that ends, and whose text
// nobody sees until it has run.
// prelude: members unseen
((most, still, entrance) => new Promise(done => {
	const root = document.documentElement, body = document.body, begun = performance.now();
	const known = globalThis.spyhopMoving ||= {elements: new WeakSet, size: false};
	const roots = [];
	let left = 10000;
	const look = n => {
		const walk = document.createTreeWalker(n, NodeFilter.SHOW_ELEMENT);
		for (let e = walk.nextNode(); e && left > 0 && roots.length < 300; e = walk.nextNode(), left--) if (!(e instanceof HTMLFormElement) && e.shadowRoot) { roots.push(e.shadowRoot); look(e.shadowRoot); }
	};
	look(document);
	const size = () => known.size ? '' : [root && root.scrollHeight, body && body.scrollHeight, body && body.offsetHeight, document.getElementsByTagName('*').length, roots.reduce((n, r) => n + r.childElementCount, 0)].join();
	const running = limit => [document, ...roots].flatMap(r => r.getAnimations()).slice(0, limit).filter(a => a.playState === 'running' && a.effect);
	const toRun = a => a.effect.getComputedTiming().endTime - (a.currentTime || 0);
	const animated = () => running(200).some(a => toRun(a) < most && !known.elements.has(a.effect.target));
	const awaited = new Set; // up to their end: the box of an element can be seen before its text is
	const entering = () => {
		const left = begun + entrance - performance.now();
		return left > 0 && running(2000).some(a => a.effect.target && toRun(a) < left && (awaited.has(a) || hasText(a.effect.target) && unseen(a.effect.target) && awaited.add(a)));
	};
	const wait = () => setTimeout(() => entering() ? wait() : end(), 50);
	let before = null, same = 0, frames = 0, moved = new Map();
	const eye = new MutationObserver(all => { for (const m of all) if (!known.elements.has(m.target) && moved.size < 1000) moved.set(m.target, [performance.now(), frames]); });
	for (const r of [document, ...roots]) eye.observe(r, {subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['style', 'transform', 'd', 'x', 'y', 'cx', 'cy']});
	const end = () => { eye.disconnect(); setTimeout(done, 0); };
	const frame = () => requestAnimationFrame(() => {
		const now = performance.now(), is = size();
		frames++;
		same = is === before ? same + 1 : 0;
		before = is;
		const moves = now - begun < still || [...moved.values()].some(([t, f]) => now - t < still || frames - f < 3);
		if (same > 0 && !moves && !animated()) return entering() ? wait() : end();
		if (now - begun > most) {
			known.size ||= same === 0;
			for (const [e, [t]] of moved) if (now - t < 2 * still) known.elements.add(e);
			return wait();
		}
		frame();
	});
	frame();
}))
