// Finds the elements that are seen and whose whole text is a value.
const same = s => tidy(s).toLowerCase();
const says = (from, value) => from.flatMap(f => {
	const walk = document.createTreeWalker(f, NodeFilter.SHOW_TEXT), out = [];
	for (let n = walk.nextNode(); n; n = walk.nextNode()) if (same(n.data) === same(value) && n.parentElement && placed(n.parentElement)) out.push(n.parentElement);
	return out;
});
