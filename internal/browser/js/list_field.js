// Finds the field or the button in a list that is a box around it (ARIA 1.1, combobox): a click beside it may do
// nothing.
function() {
	if (this.role !== 'combobox' || this.matches('input,select,textarea,button')) return null;
	const drawn = what => [...this.querySelectorAll(what)].filter(n => n.tabIndex >= 0 && n.checkVisibility({opacityProperty: true, visibilityProperty: true}) && n.offsetWidth > 40);
	const fields = drawn('input,textarea'), all = fields.length ? fields : drawn('button');
	if (all.length !== 1) return null;
	this.scrollIntoViewIfNeeded();
	const r = all[0].getBoundingClientRect(), at = this.getRootNode().elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
	return all[0].contains(at) ? all[0] : null;
}
