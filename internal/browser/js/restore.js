// Puts back the rows that a virtual list has removed, in their order.
// prelude: members
(() => {
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
})()
