// Reports whether a page shows a text, or has an element of a selector.
// prelude: members waits
((what, selector) => {
	const same = s => s.replace(/\s+/g, ' ').trim();
	try { if (selector && document.querySelector(what)) return true; } catch {}
	return same(shownText()).includes(same(what));
})
