// Finds an option that is chosen and not among the values, in a list with several
// choices that drawn_option.js has seen.
// prelude: options chosen
function(values) {
	const same = s => tidy(s).toLowerCase(), wanted = values.map(same), seen = globalThis.optionsSeen || [];
	const named = (n, v) => n === v || n.startsWith(v + ' ');
	return seen.find(o => o.isConnected && isChosen(o) && !wanted.some(v => named(same(words(o)), v) || named(same(o.innerText || ''), v))) || null;
}
