// Reports what a click on "at" reaches: "" for "this". That is so where "at" is
// inside of it, or belongs to its label, or is its own parent. It is also so where "at" is
// what a person sees in place of "this": a control without a label that is drawn by nothing
// (opacity 0, clipped to a point) has the small box of the first element around it that is
// drawn, e.g. a star beside a hidden radio button; and a list that the page draws (role=combobox) shows its
// value or its tags over itself. A label in such a list may not open it: another place is better.
// prelude: up
function(at, x, y) {
	if (!this.isConnected) return 'gone';
	const controls = 'a[href],button,input,select,textarea,summary,[contenteditable],[role=button],[role=link]';
	let inner = '';
	for (let n = at; n; n = up(n)) {
		if (n === this || n.control === this || this.control && n === this.control) {
			if (inner && n.control) break; // a link in a label is not the label (HTML, the label element)
			return inner;
		}
		if (n.matches && n.matches(controls) || n.localName === 'label' && this.role === 'combobox') inner = '~';
	}
	const size = n => { const r = n.getBoundingClientRect(); return r.width * r.height; };
	const isRoot = n => !(n instanceof Element) || n === document.body || n === document.documentElement;
	const isDrawn = n => { const s = getComputedStyle(n); return size(n) >= 16 && s.opacity !== '0' && s.clip === 'auto' && !/^inset\((50|100)%/.test(s.clipPath); };
	const over = n => { n = up(n); return n && n.nodeType === 11 ? up(n) : n; };
	let around = over(this);
	if (!isDrawn(this) || !isRoot(around) && !isDrawn(around)) {
		for (let i = 0; i < 4 && !isRoot(around) && !isDrawn(around); i++) around = over(around);
		if (this.labels && this.labels.length || !isRoot(around) && size(around) > Math.max(1e4, 1.5 * size(this))) around = null;
	} else {
		const list = this.matches('[role=combobox],[role=listbox]') && !this.matches(controls);
		for (let i = 0; i < 3 && !isRoot(around) && !(around === at || list && around.contains(at) && size(around) <= 1.5 * size(this)); i++) around = over(around);
		if (around !== at && !list || !isRoot(around) && size(around) > 1.5 * size(this)) around = null;
	}
	const e = at.nodeType === 1 ? at : at.parentElement;
	if (!e) return 'something';
	if (around && !isRoot(around)) {
		let n = at;
		while (n && n !== around && !(n.matches && n.matches(controls + ',label,[tabindex="0"],[role=option],[role^=menuitem],[role=tab],[role=checkbox],[role=radio],[role=switch]'))) n = up(n);
		if (n === around) return '';
	}
	const name = e.tagName.toLowerCase() + (e.id ? '#' + e.id : '') + (typeof e.className === 'string' && e.className ? '.' + e.className.trim().split(/\s+/)[0] : '');
	const said = n => (n.ariaLabel || n.innerText || '').replace(/\s+/g, ' ').trim().slice(0, 40), words = said(e);
	// A larger place to click, or another sign of the same thing, which a library puts over a control.
	let part = e;
	while (up(part) && !up(part).contains(this)) part = up(part);
	const look = part instanceof Element && getComputedStyle(part);
	if (look && look.position === 'absolute' && look.cursor === 'pointer' && !said(part) && !part.querySelector(controls) && size(part) <= 4 * size(this)) return '';
	return '<' + name + '>' + (words && ' ' + words);
}
