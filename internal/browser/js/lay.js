// Lays out what the browser lays out only when it comes near the window: to ask
// for its place does. The page does not notice.
// prelude: members
(most => {
	const end = performance.now() + most;
	for (const e of (document.body || document).getElementsByTagName('*')) {
		if (performance.now() > end) return;
		if (!isDrawn(e, {contentVisibilityAuto: true}) && isDrawn(e)) boxOf(e);
	}
})
