// Scrolls the page and the larger boxes in it by most of a window, or to the end
// of what there is if the step before brought more. It keeps the rows of lists as they pass,
// and ends when nothing new has come for a while. It returns what
// the step brought.
// prelude: members waits
(async (quiet, busyQuiet, mostRecords) => {
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
})
