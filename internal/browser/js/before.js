// Remembers what looks like an option before a list is opened, or says what
// is to be chosen.
// prelude: options says
function(values) {
	globalThis.optionsFrom = null;
	globalThis.optionsBefore = new WeakSet([...within(roots, roles), ...within(roots, likes), ...values.flatMap(v => says(roots, v))]);
}
