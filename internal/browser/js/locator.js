// Describes an element by its place, for a step, and reports whether it takes a password.
function() {
	const e = this.localName === 'label' && this.control || this, path = [];
	for (let n = e; n && n.nodeType === 1 && path.length < 6; n = n.parentElement) {
		if (n.id) { path.unshift('#' + CSS.escape(n.id)); break; }
		path.unshift(n.localName + ':nth-of-type(' + ([...n.parentElement ? n.parentElement.children : []].filter(c => c.localName === n.localName).indexOf(n) + 1) + ')');
	}
	return {css: path.join(' > '), password: e.type === 'password'};
}
