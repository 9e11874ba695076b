// hit notes that a goal was reached; a frame tells the page around it.
window.hits = {};
window.done = false;
function hit(goal) {
	if (top !== window) top.postMessage({ hit: goal }, '*');
	else hits[goal] = (hits[goal] || 0) + 1;
}
addEventListener('message', e => { if (e.data && e.data.hit) hit(e.data.hit); });
// on listens to an event of each element that a selector names; the goal is the
// element's id, or what data-goal says.
function on(selector, type, root) {
	for (const e of (root || document).querySelectorAll(selector)) {
		e.addEventListener(type, () => hit(e.dataset.goal || e.id));
	}
}
