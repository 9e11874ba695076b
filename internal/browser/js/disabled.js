// Reports whether a control is disabled, or "said" if the page only says so by
// aria-disabled. If it is disabled, the field that has the focus is left, as by a click: many
// pages look at a field only when it is left.
function() {
	const e = this.control || this;
	if (!e.matches || !e.matches(':disabled')) return e.closest?.('[aria-disabled]')?.ariaDisabled === 'true' && 'said';
	let a = document.activeElement;
	while (a && a.shadowRoot && a.shadowRoot.activeElement) a = a.shadowRoot.activeElement;
	if (a && a !== document.body) a.blur();
	return e.matches(':disabled');
}
