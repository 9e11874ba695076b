// Finds a point of the window where a click reaches this element, else one of its labels where a
// person clicks these. It looks at what is there in the same moment, since elements move. The
// point's offset from the upper left corner of the element may be given, in widths and heights. Returns
//   at     the point
//   cover  what a click reaches instead, where there is none: "<div#veil> Please wait"
//   around whether the element is in that: it takes no clicks, or is cut
//   box    the element's
//   window the size of the frame
//   gone   whether the element has left the page
// prelude: up members
function(offset) {
	const rectsOf = member(Element, 'getClientRects'), rootOf = member(Node, 'getRootNode'), holds = member(Node, 'contains');
	const fits = member(Element, 'matches'), allIn = member(Element, 'querySelectorAll'), tagOf = member(Element, 'tagName');
	const ariaOf = member(Element, 'ariaLabel'), wordsOf = member(HTMLElement, 'innerText'), is = (n, what) => n instanceof Element && fits(n, what);
	const controls = 'a[href],button,input,select,textarea,summary,[contenteditable],[role=button],[role=link]';
	const size = n => { const r = boxOf(n); return r.width * r.height; };
	const isRoot = n => !(n instanceof Element) || n === document.body || n === document.documentElement;
	const isSeen = n => { const s = getComputedStyle(n); return size(n) >= 16 && s.opacity !== '0' && s.clip === 'auto' && !/^inset\((50|100)%/.test(s.clipPath); };
	const over = n => { n = up(n); return n && n.nodeType === 11 ? up(n) : n; };
	const said = n => (ariaOf(n) || n instanceof HTMLElement && wordsOf(n) || '').replace(/\s+/g, ' ').trim().slice(0, 40);
	const within = (n, e) => { while (n && n !== e) n = up(n); return !!n; };

	// What is drawn at a point, in whichever shadow tree. That of the element can be one of the browser's own.
	const hit = (e, x, y) => {
		let at = rootOf(e).elementFromPoint(x, y), inner = at;
		while (inner && (inner = inner.shadowRoot && inner.shadowRoot.elementFromPoint(x, y)) && inner !== at) at = inner;
		return at;
	};

	// What a click on "at" reaches: "" for e. That is so where "at" is inside of it, or
	// belongs to its label, or is its own parent. It is also so where "at" is what a person sees in place of
	// e: a control without a label that is drawn by nothing (opacity 0, clipped to a point) has the
	// small box of the first element around it that is drawn, e.g. a star beside a hidden radio button; and a
	// list that the page draws (role=combobox) shows its value or its tags over itself. A label in such a list
	// may not open it: another place is better. So it is for a control within e, which is "~".
	const reached = (e, at) => {
		let inner = '';
		for (let n = at; n; n = up(n)) {
			if (n === e || n instanceof HTMLLabelElement && n.control === e || e.control && n === e.control) {
				if (inner && n instanceof HTMLLabelElement && n.control) break; // a link in a label is not the label (HTML, the label element)
				return inner;
			}
			if (is(n, controls) || n.localName === 'label' && e.role === 'combobox') inner = '~';
		}
		// A field that takes no clicks itself, in a box with nothing else to act on.
		if (is(e, 'input,textarea') && at !== e && holds(at, e) && !isRoot(at) && [...allIn(at, controls)].every(n => n === e || !isSeen(n)) && boxOf(at).height <= 2 * Math.max(boxOf(e).height, 24)) return '';
		let around = over(e);
		if (!isSeen(e) || !isRoot(around) && !isSeen(around)) {
			for (let i = 0; i < 4 && !isRoot(around) && !isSeen(around); i++) around = over(around);
			if (e.labels && e.labels.length || !isRoot(around) && size(around) > Math.max(1e4, 1.5 * size(e))) around = null;
		} else {
			const list = is(e, '[role=combobox],[role=listbox]') && !is(e, controls);
			for (let i = 0; i < 3 && !isRoot(around) && !(around === at || list && holds(around, at) && size(around) <= 1.5 * size(e)); i++) around = over(around);
			if (around !== at && !list || !isRoot(around) && size(around) > 1.5 * size(e)) around = null;
		}
		if (around && !isRoot(around)) {
			let n = at;
			while (n && n !== around && !is(n, controls + ',label,[tabindex="0"],[role=option],[role^=menuitem],[role=tab],[role=checkbox],[role=radio],[role=switch]')) n = up(n);
			if (n === around) return '';
		}
		if (e.localName === 'canvas' && at.localName === 'canvas' && at.parentNode === e.parentNode && size(at) === size(e)) return ''; // layers of one drawing
		const name = tagOf(at).toLowerCase() + (at.id ? '#' + at.id : '') + (typeof at.className === 'string' && at.className ? '.' + at.className.trim().split(/\s+/)[0] : '');
		const words = said(at);
		// A larger place to click, or another sign of the same thing, which a library puts over a control.
		let part = at;
		while (up(part) && !holds(up(part), e)) part = up(part);
		const look = part instanceof Element && getComputedStyle(part);
		if (look && look.position === 'absolute' && look.cursor === 'pointer' && !said(part) && !allIn(part, controls).length && size(part) <= 4 * size(e)) return '';
		// A field that nobody sees takes the mouse for what is drawn in its place: a slider, a button for a file.
		if (at instanceof HTMLInputElement && /^(range|file)$/.test(at.type) && !isSeen(at) && within(e, up(at))) return '';
		// What takes the clicks for a form of a drawing: one that is not painted, or that lies under a text which takes none.
		const paints = (s, what) => s[what] !== 'none' && s[what + 'Opacity'] !== '0' && !/, 0\)$/.test(s[what]);
		if (at instanceof SVGElement && at.parentNode.localName === 'g' && at.parentNode.contains(e) &&
			(getComputedStyle(e).pointerEvents === 'none' || !paints(getComputedStyle(at), 'fill') && !paints(getComputedStyle(at), 'stroke'))) return '';
		return '<' + name + '>' + (words && ' ' + words);
	};

	// The boxes of an element, or of the first thing in it, in its shadow tree or in its slot that has one, where style
	// makes its own vanish (CSS Display 3, contents). Parts that nobody sees come last, such as a hidden field in a label.
	const boxes = (e, offset) => {
		const shown = list => [...list].filter(r => r.width * r.height >= 1).sort((a, b) => Math.min(b.width * b.height, 16) - Math.min(a.width * a.height, 16));
		const range = document.createRange();
		let all = shown(rectsOf(e));
		// An entry of a tree that holds others has a line of its own above them.
		const held = !offset && e.role === 'treeitem' && all.length === 1 && [...allIn(e, '[role=treeitem]')].find(n => boxOf(n).height > 0);
		if (held && boxOf(held).top > all[0].top + 4) all = [new DOMRect(all[0].x, all[0].y, all[0].width, boxOf(held).top - all[0].top)];
		for (const tree of [e, e.shadowRoot, ...e.localName === 'slot' ? e.assignedNodes({flatten: true}) : []]) {
			if (tree && tree.parentNode && !all.length) {
				range.selectNode(tree);
				all = shown(range.getClientRects());
			}
			const walk = tree && document.createTreeWalker(tree, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
			for (let n = walk && walk.nextNode(), i = 0; n && i < 500 && !all.length; n = walk.nextNode(), i++) {
				range.selectNode(n);
				all = shown(range.getClientRects());
			}
		}
		return all;
	};
	const look = (e, offset) => {
		const all = boxes(e, offset), found = {window: [innerWidth, innerHeight]};
		if (!all.length) return found;
		const x = Math.min(...all.map(r => r.left)), y = Math.min(...all.map(r => r.top));
		const width = Math.max(...all.map(r => r.right)) - x, height = Math.max(...all.map(r => r.bottom)) - y;
		found.box = [x, y, width, height];
		const points = offset ? [[x + offset[0] * width, y + offset[1] * height]] : all.slice(0, 8).flatMap(r => {
			const x = r.x + r.width / 2, y = r.y + r.height / 2, w = r.width * .375, h = r.height * .375; // three quarters of the way to each corner
			return [[x, y], [x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]];
		});
		let second;
		for (const p of points) {
			const at = hit(e, ...p), what = at && reached(e, at);
			if (what === '' || what === '~' && offset) return {...found, at: p, cover: ''};
			if (what === '~') second ||= p;
			else if (at) Object.assign(found, {cover: what, around: within(e, at)});
		}
		return second ? {...found, at: second, cover: ''} : found;
	};
	if (!this.isConnected) return {gone: true};
	const found = look(this, offset);
	if (found.at || offset) return found;
	for (const l of /^(checkbox|radio|file)$/.test(this.type) && this.labels ? [...this.labels].slice(0, 4) : []) {
		l.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});
		const label = look(l);
		if (label.at) return label;
		if (!found.cover) Object.assign(found, label);
	}
	return found;
}
