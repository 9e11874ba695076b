// For scripts about the lists that pages draw
// themselves: shown are the elements that look like options and have a place, by
// their roles, else by their names.
const root = this.isConnected ? this.getRootNode() : document, top = root.host ? document : root; // opening may remove it
const placed = o => { const r = o.getBoundingClientRect(); return r.width > 1 && r.height > 1 && o.checkVisibility(); };
const deep = (f, what) => [...f.querySelectorAll(what), ...[...f.querySelectorAll('*')].flatMap(h => h.shadowRoot ? deep(h.shadowRoot, what) : [])];
const within = (from, what) => from.flatMap(f => deep(f, what)).filter(o => placed(o) && !o.contains(this));
const off = o => o.getAttribute('aria-disabled') === 'true' || o.matches(':disabled');
const words = o => o.getAttribute('aria-label') || o.innerText || (o.getRootNode().host ? o.getRootNode().host.innerText : '') || '';
const roles = '[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem]', likes = 'li,[class*=option],[class*=item]';
const shown = (from, wanted) => {
	const all = within(from, roles).filter(wanted);
	return all.length ? all : within(from, likes).filter(wanted).filter(o => !o.querySelector(likes));
};
const roots = [top];
