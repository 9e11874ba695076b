// For scripts that look for text that nobody sees yet.
const clear = e => isDrawn(e, {opacityProperty: true, visibilityProperty: true});
const hasText = e => /\S/.test(textOf(e));
const unseen = e => {
	if (!clear(e)) return true;
	const r = boxOf(e);
	return getComputedStyle(e).opacity < .05 || r.width < 1 || r.height < 1 || r.right <= 0 || r.left >= innerWidth || r.bottom + scrollY <= 0;
};
