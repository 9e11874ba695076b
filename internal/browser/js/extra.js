// Finds an option that is chosen and not among the values, in a list with several
// choices that drawn_option.js has seen.
// prelude: chosen
function(values) {
	const same = s => s.replace(/\s+/g, ' ').trim().toLowerCase();
	const wanted = values.map(same), seen = globalThis.optionsSeen || [];
	const names = o => [o.getAttribute('aria-label') || '', o.innerText || '', (o.innerText || '').trim().split('\n')[0]].map(same);
	return seen.find(o => o.isConnected && isChosen(o) && !names(o).some(n => wanted.includes(n))) || null;
}
