// Reports whether a page that has loaded has scripts and shows almost nothing, or says itself that more comes.
// It looks when some milliseconds have passed since the load.
// prelude: members waits
(async after => {
	if (!document.scripts.length) return false;
	const [visit] = performance.getEntriesByType('navigation');
	await new Promise(done => setTimeout(done, after - performance.now() + (visit ? visit.loadEventEnd : 0)));
	const shown = shownText();
	return waits() || shown.length < 20 && !document.querySelector('input,button,select,textarea,a[href],img,svg,canvas,video,iframe,frame');
})
