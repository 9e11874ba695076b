// Reports whether a box is checked, or the hidden box that it is drawn for.
function() {
	let e = this.control || this;
	const box = 'input[type=checkbox],input[type=radio],[role=switch],[role=checkbox]';
	const before = e.previousElementSibling;
	if (!('checked' in e) && !e.hasAttribute('aria-checked')) e = e.querySelector(box) || before && before.matches(box) && before || e.parentElement && e.parentElement.querySelector(box) || e;
	return !!e.checked || e.getAttribute('aria-checked') === 'true';
}
