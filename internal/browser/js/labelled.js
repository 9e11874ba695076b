// Returns what a label names whose own control is not seen, as that of a slider which the page draws.
function() {
	if (this.localName !== 'label' || !this.id || this.control && this.control.checkVisibility()) return null;
	const e = this.getRootNode().querySelector('[aria-labelledby~="' + CSS.escape(this.id) + '"]');
	return e && e !== this && e.localName !== 'label' && e.checkVisibility() ? e : null;
}
