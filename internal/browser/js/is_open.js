// Says how a list stands: "own" where it is open and says which options are its own, "open" where it is
// open, else "shut". What stands for a field in it has the state of that.
function() {
	const e = this.matches('[aria-expanded]') ? this : this.querySelector('[role=combobox]') || this;
	const list = e.role === 'listbox';
	if (e.ariaExpanded !== 'true' && (!list || e.ariaExpanded)) return 'shut';
	return list || e.getAttribute('aria-controls') || e.getAttribute('aria-owns') ? 'own' : 'open';
}
