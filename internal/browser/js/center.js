// Scrolls an element to the middle of the window; where style makes its box vanish (CSS Display 3, contents),
// the first thing in it that has one, or what it is in.
// prelude: up
function() {
	const inner = n => n.assignedElements && n.assignedElements()[0] || n.firstElementChild || n.shadowRoot && n.shadowRoot.firstElementChild;
	let n = this;
	while (n instanceof Element && getComputedStyle(n).display === 'contents' && inner(n)) n = inner(n);
	while (n && (!n.scrollIntoView || getComputedStyle(n).display === 'contents')) n = up(n);
	if (n) n.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
}
