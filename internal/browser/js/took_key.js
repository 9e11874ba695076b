// Returns whether the page itself has made something of a key since begin_text.js.
// prelude: held
function() {
	return !heard || heard.field !== a || held !== heard.held || !!heard.key && heard.key.defaultPrevented;
}
