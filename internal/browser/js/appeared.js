// Reports whether options are there that before.js has not seen.
// prelude: options
function() {
	return !!globalThis.optionsBefore && shown(roots, o => !globalThis.optionsBefore.has(o)).length > 0;
}
