// Looks for an option of a list that the page draws itself: in the
// popup that the list says is its own, else among what has appeared since
// before.js. What stood there before belongs to something else.
// prelude: options says
async function(value, most) {
	const look = () => {
	const list = this.matches('[aria-controls],[aria-owns]') ? this : this.querySelector('[role=combobox]') || this; // what it stands for
	const ids = [list.getAttribute('aria-controls'), list.getAttribute('aria-owns')].join(' ').split(/\s+/).filter(Boolean);
	const own = ids.flatMap(id => [...new Set([root, document])].flatMap(r => [...r.querySelectorAll('#' + CSS.escape(id))])); // libraries give an id to each of their lists
	let all = shown(own, () => true);
	if (!all.length) all = within([this], roles);
	const fresh = o => !globalThis.optionsBefore.has(o);
	if (!all.length) all = shown(roots, o => fresh(o) && !this.contains(o)); // what it holds may be what was chosen
	if (!all.length) all = shown([this], fresh);
	const names = all.map(words);
	// The name, all of its words, its first line, or its first words: these of one option alone.
	const v = same(value), ways = [n => n === v, (n, o) => same(o.innerText || '') === v, (n, o) => same((o.innerText || '').trim().split('\n')[0]) === v, n => n.startsWith(v + ' ')];
	let i = -1;
	for (const [w, way] of ways.entries()) {
		const found = all.filter((o, k) => way(same(names[k]), o));
		if (i < 0 && (w < 2 && found.length || found.length === 1)) i = all.indexOf(found[0]);
	}
	globalThis.optionsSeen = all;
	if (!all.length) { // nothing but its text says that it is an option
		const said = says(own.length ? own : roots, value).filter(fresh);
		if (said.length === 1) return said[0];
	}
	if (i < 0 || off(all[i])) return {names: names.slice(0, 40).map((n, i) => tidy(n).slice(0, 60) + (off(all[i]) ? ' (disabled)' : '')).filter(Boolean)};
	return all[i];
	};
	// Lists that are long draw only what their window shows, or load more at their end.
	const scroller = () => {
		let n = globalThis.optionsSeen[0];
		for (let i = 0; n && i < 8; i++, n = n.parentElement || (n.getRootNode().host || null))
			if (n.scrollHeight > n.clientHeight + 1 && /auto|scroll|hidden/.test(getComputedStyle(n).overflowY)) return n;
		return null;
	};
	const further = n => {
		const before = n.scrollTop, all = globalThis.optionsSeen, tall = all.map(o => o.getBoundingClientRect().height);
		const drawn = tall.reduce((sum, h) => sum + h, 0);
		n.scrollTop = drawn > n.scrollHeight * .8 ? n.scrollHeight : before + Math.max(40, n.clientHeight * .8, drawn - Math.max(...tall));
		if (n.scrollTop !== before) return true;
		n.dispatchEvent(new WheelEvent('wheel', {deltaY: n.clientHeight * .8, bubbles: true, cancelable: true}));
		return n.scrollTop !== before;
	};
	const begun = performance.now(), seen = found => found instanceof Node ? '' : found.names.join();
	let found = look(), names = found.names, moved = false;
	while (!(found instanceof Node) && performance.now() - begun < most) {
		const n = scroller(), before = seen(found);
		if (!n) break;
		if (n !== globalThis.optionsFrom && n.scrollTop > 0) n.scrollTop = 0; // a list opens at what is chosen
		else if (!further(n)) break;
		globalThis.optionsFrom = n;
		moved = true;
		for (let frame = 0; frame < 3 && seen(found) === before; frame++) {
			await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
			found = look();
		}
		if (!names.length) names = found.names || [];
	}
	globalThis.optionFound = found instanceof Node ? found : null;
	return {names, moved, found: found instanceof Node};
}
