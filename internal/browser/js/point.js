// Scrolls to a point of the page that is not in the window, and returns where it
// is there, after the size of the page.
((x, y) => {
	const e = document.scrollingElement || document.documentElement;
	const size = [Math.max(e.scrollWidth, innerWidth), Math.max(e.scrollHeight, innerHeight)];
	const outside = x < scrollX || y < scrollY || x >= scrollX + innerWidth || y >= scrollY + innerHeight;
	if (outside) scrollTo({left: x - innerWidth / 2, top: y - innerHeight / 2, behavior: 'instant'});
	return [...size, x - scrollX, y - scrollY];
})
