// Reports whether a page looks cut: it shows little and is longer than the
// window, or a list with much of its text goes to its end.
// prelude: members waits
(() => {
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
})()
