// Says whether an element says that it is open. A part of an image map (HTML, the area element) has no box:
// it is clicked by the script.
function() {
	if (this.localName !== 'area') return this.ariaExpanded || '';
	this.click();
	return 'clicked';
}
