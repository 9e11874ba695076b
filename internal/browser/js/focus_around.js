// Focuses what is nearest around an element and can have the focus, as a
// click on the element does, unless the focus is in it already. It reports whether the
// element can be seen.
// prelude: up
function() {
	if (!this.isConnected || this.checkVisibility && !this.checkVisibility()) return false;
	for (let n = this; n; n = up(n)) {
		if (!(n instanceof Element)) continue;
		if (n.matches(':focus, :focus-within')) break;
		if (n.tabIndex < 0 && !n.hasAttribute('tabindex')) continue;
		if (n.focus) n.focus({preventScroll: true});
		if (n.matches(':focus')) break;
	}
	return true;
}
