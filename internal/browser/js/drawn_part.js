// Finds the first thing in an element that has a place of its
// own, where the element has none: as when style makes it vanish around what it
// holds (CSS Display 3, contents).
function() {
	const walk = document.createTreeWalker(this, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT), range = document.createRange();
	for (let n = walk.nextNode(), i = 0; n && i < 500; n = walk.nextNode(), i++) {
		range.selectNode(n);
		const r = range.getBoundingClientRect();
		if (r.width >= 1 && r.height >= 1) return n;
	}
	return null;
}
