// Ends when the page has drawn nothing new for a while, see the rules.
// prelude: members waits
((short, long, enough, most) => new Promise(done => {
	const begun = performance.now();
	const size = () => [document.getElementsByTagName('*').length, document.documentElement ? document.documentElement.textContent.replace(/[\d\s:.,%]+/g, '').length : 0].join();
	const answers = () => performance.getEntriesByType('resource').length;
	let last = size(), since = begun, text = null, busy = false, got = answers();
	const look = () => {
		const now = performance.now(), is = size();
		if (is !== last) { last = is; since = now; text = null; }
		if (veiled() || busy && answers() !== got) { since = now; got = answers(); }
		if (text === null || busy) { const n = shownText().length; busy = !n && enough > 0 || waits(); text = n >= enough && !busy ? short : long; }
		if (now - since >= text || now - begun >= most) return done(globalThis.spyhopWaits = waits());
		setTimeout(look, 50);
	};
	look();
}))
