// Reports whether keys go into a field that stands in, around or over
// "this", as it does after a click on what only shows the field's text: "no", "terminal" (a field that is always empty) or
// "full"; "keys" where "this" itself has the focus and is no field.
// prelude: up
function() {
	let a = document.activeElement;
	while (a && a.shadowRoot && a.shadowRoot.activeElement) a = a.shadowRoot.activeElement;
	if (!a || a === document.body || !this.isConnected && !a.isConnected) return 'no';
	const field = a instanceof HTMLInputElement || a instanceof HTMLTextAreaElement || a.isContentEditable || !!a.editContext;
	const inside = (n, of) => { for (; n; n = up(n)) if (n === of) return true; return false; };
	if (!field) return !this.isConnected || inside(a, this) ? 'keys' : 'no';
	if (a.disabled) return 'no';
	let near = !this.isConnected || inside(a, this) || inside(this, a);
	for (let n = this, i = 0; n && n !== document.body && !near && i < 10; n = up(n), i++) near = inside(a, n);
	return !near ? 'no' : a.value === '' && a.ariaMultiLine === 'false' ? 'terminal' : 'full';
}
