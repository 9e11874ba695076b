// Returns whether the field has taken a text since begin_text.js: it got input, or holds something
// else, or what was wanted.
// prelude: held
function(wanted) {
	return !heard || heard.input || heard.field !== a || held !== heard.held || held === wanted;
}
