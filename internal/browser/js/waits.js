// For scripts that look at whether a page waits for something of its own: waits is what it says, veiled is that it shows none of its text.
const placed = e => { if (!isDrawn(e, {opacityProperty: true, visibilityProperty: true})) return false; const r = boxOf(e); return r.width > 0 && r.height > 0; };
const busyMarks = '[aria-busy="true"],[role=progressbar]:not([aria-valuenow]),[class*=skeleton i],[class*=spinner i],[class*=loader i],[class*=loading i]';
const busyWords = /(saving|processing|submitting|sending|searching|uploading|updating)\s*(…|\.\.\.)|\b(loading|please wait|fetching|chargement|wird geladen|cargando|caricamento)\b|加载中|読み込み中|загрузка/i;
const clear = e => isDrawn(e, {opacityProperty: true});
const holds = e => !/^(script|style|noscript|template)$/.test(e.localName) && /\S/.test(textOf(e));
const veiled = () => {
	const b = document.body, parts = b ? [...b.children].slice(0, 200).filter(holds) : [];
	return parts.length > 0 && (!clear(b) || !parts.some(clear) && ![...b.childNodes].some(n => n.nodeType === 3 && /\S/.test(n.data)));
};
const shownText = () => ((document.body && document.body.innerText) || '').trim();
const waits = () => {
	const marks = document.querySelectorAll(busyMarks);
	for (let i = 0; i < marks.length && i < 50; i++) if (marks[i] !== document.body && marks[i] !== document.documentElement && placed(marks[i])) return true;
	if (veiled()) return true;
	if (!document.body || document.body.textContent.length > 20000) return false;
	const text = shownText();
	return text.length < 2000 && busyWords.test(text);
};
