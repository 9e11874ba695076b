// Reports whether a page that has loaded has scripts and shows almost nothing, or says itself that more comes.
// prelude: members waits
(() => {
	if (!document.scripts.length) return false;
	const shown = shownText();
	return waits() || shown.length < 20 && !document.querySelector('input,button,select,textarea,a[href],img,svg,canvas,video,iframe,frame');
})()
