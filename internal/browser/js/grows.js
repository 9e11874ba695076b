// Ends when a page has scrolled, and has grown if it says at the end of what the window shows that it loads more. One that has
// said so in vain is not waited for again.
// prelude: members waits
(most => new Promise(done => {
	const begun = performance.now(), size = () => document.getElementsByTagName('*').length, before = size();
	const says = () => {
		let n = document.elementFromPoint(innerWidth / 2, innerHeight - 8);
		for (let i = 0; n && n !== document.body && n !== document.documentElement && i < 4; i++, n = n.parentElement) for (const e of [n, n.previousElementSibling, n.nextElementSibling, n.lastElementChild])
			if (e && placed(e) && boxOf(e).top < innerHeight && (e.matches(busyMarks) || e.textContent.length < 200 && busyWords.test(e.textContent))) return true;
		return false;
	};
	let at = null;
	const look = () => {
		const moves = scrollY !== at;
		at = scrollY;
		if (!moves && (globalThis.spyhopEnd || size() !== before)) return done();
		if (!moves && performance.now() - begun > 150 && !says()) return done();
		if (performance.now() - begun > most) return done(globalThis.spyhopEnd = true);
		setTimeout(look, 50);
	};
	requestAnimationFrame(() => requestAnimationFrame(look));
}))
