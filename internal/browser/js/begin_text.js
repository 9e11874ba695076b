// Notes what the field with the focus holds, and whether it gets keys and input from now on.
// Returns whether the field has room for a text.
// prelude: held
function(wanted) {
	const now = globalThis.spyhopText = {field: a, held, input: false, key: null};
	addEventListener('input', () => { now.input = true; }, {capture: true, once: true});
	addEventListener('keydown', e => { now.key = e; }, {capture: true, once: true});
	return !(a && a.maxLength >= 0 && a.maxLength < wanted.length);
}
