// Finds the field for files that an element is, labels or holds, or that lies over
// it: a click there is one on the field.
function() {
	const is = e => e instanceof HTMLInputElement && e.type === 'file';
	const e = this.control || this;
	if (is(e)) return e;
	const inner = this.querySelectorAll ? this.querySelectorAll('input[type=file]') : [];
	if (inner.length === 1) return inner[0];
	const r = this.getBoundingClientRect && this.getBoundingClientRect(), root = this.getRootNode();
	const over = r && root.elementFromPoint ? root.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2) : null;
	return over && is(over) ? over : null;
}
