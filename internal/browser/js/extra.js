// Finds a choice of a list with several that is not among the values: one that the list shows beside one of them,
// or, where it is asked for, an option that is chosen, which drawn_option.js has seen. It returns its text, and
// extraFound is what takes it back; "" for none.
// prelude: options chosen chips
function(values, options) {
	const wanted = values.map(same), seen = globalThis.optionsSeen || [], all = chips();
	const known = n => wanted.some(v => named(n, v) || named(v, n));
	const like = all.find(c => known(c.name)), kind = n => n.localName + ' ' + n.getAttribute('class');
	const chip = like && all.find(c => !known(c.name) && kind(c.part) === kind(like.part));
	const option = !chip && options && seen.find(o => o.isConnected && isChosen(o) && !wanted.some(v => named(same(words(o)), v) || named(same(o.innerText || ''), v)));
	globalThis.extraFound = chip ? chip.part : option || null;
	return chip ? chip.name : option ? same(words(option)) : '';
}
