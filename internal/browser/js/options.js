// For scripts about the lists that pages draw
// themselves: shown are the elements that look like options and have a place, by
// their roles, else by their names.
const root = this.isConnected ? this.getRootNode() : document, top = root.host ? document : root; // opening may remove it
const placed = o => { const r = o.getBoundingClientRect(); return r.width > 1 && r.height > 1 && o.checkVisibility(); };
const deep = (f, what) => [...f.querySelectorAll(what), ...[...f.querySelectorAll('*')].flatMap(h => h.shadowRoot ? deep(h.shadowRoot, what) : [])];
const within = (from, what) => from.flatMap(f => deep(f, what)).filter(o => placed(o) && !o.contains(this));
const off = o => o.getAttribute('aria-disabled') === 'true' || o.matches(':disabled');
const tidy = s => s.replace(/\s+/g, ' ').trim();
// The parts of a row stand apart, also where the page draws the space between them; a name that is
// written twice is one.
const parts = o => o.childElementCount === 1 && tidy(o.textContent) === tidy(o.firstElementChild.textContent) ? parts(o.firstElementChild) :
	[...o.childNodes].some(n => n.nodeType === 3 && n.data.trim()) ? [o] : [...o.children];
const apart = o => tidy(parts(o).length > 1 ? parts(o).map(p => p.innerText || '').join(' ') : o.innerText || '');
const words = o => o.getAttribute('aria-label') || tidy(apart(o) || (o.labels && o.labels[0] ? o.labels[0].innerText : '') || (o.getRootNode().host ? o.getRootNode().host.innerText : '')).replace(/^(.+) \1$/, '$1');
const roles = '[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem]', likes = 'li,[class*=option],[class*=item]';
const shown = (from, wanted) => {
	const all = within(from, roles).filter(wanted);
	if (all.length) return all;
	// The largest with the same words: what lies over these belongs to it.
	const entry = o => {
		const most = 3 * o.getBoundingClientRect().height, text = tidy(o.innerText || '');
		for (let n = o; (n = n.parentElement) && n.getBoundingClientRect().height <= most && tidy(n.innerText || '') === text && !n.contains(this);) if (n.matches(likes) && wanted(n)) o = n;
		return o;
	};
	return [...new Set(within(from, likes).filter(wanted).filter(o => !o.querySelector(likes)).map(entry))];
};
const roots = [top];
