// Returns the texts within some of the parents of an element, or those so many
// elements before one of them.
// prelude: up
function(places) {
	const texts = (root, out) => {
		const walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
		for (let c = walk.currentNode; c && out.length < 60; c = walk.nextNode()) {
			if (c.nodeType === 3) { if (c.data.trim()) out.push(c.data.slice(0, 400)); }
			if (c.nodeType !== 1) continue;
			if (c.ariaLabel) out.push(c.ariaLabel.slice(0, 400));
			if (c.localName === 'img' && c.alt.trim()) out.push(c.alt.slice(0, 400));
			else if (c.shadowRoot) texts(c.shadowRoot, out);
			else if (c.localName === 'slot') for (const a of c.assignedNodes()) texts(a, out);
		}
	};
	return places.map(([above, back]) => {
		let n = this;
		for (; above > 0 && n; above--) {
			n = up(n);
			if (n && n.nodeType === 11) n = n.host || n; // a snapshot has what is in a shadow root in its host
		}
		const out = [];
		if (n && back > 0) {
			for (let passed = 0, c = n.previousSibling; c && passed < back; c = c.previousSibling) {
				if (c.nodeType === 1 && ++passed === back) texts(c, out);
				else if (c.nodeType === 3 && passed === back - 1) out.push(c.data.slice(0, 400));
			}
			return out;
		}
		if (!n) return out;
		texts(n, out);
		return out;
	});
}
