// Reports whether a field has kept one character of a text and the page gave the focus to another field, as with
// the boxes of a code. The field has the focus then, and its character is selected.
function(wanted) {
	const e = this.control || this, a = e.getRootNode().activeElement;
	if (wanted.length < 2 || !e.value || e.value.length !== 1 || a === e || !(a instanceof HTMLInputElement)) return false;
	e.focus();
	e.select();
	return true;
}
