// Focuses a field and selects its content, or puts the caret where the text goes. It returns how the
// field takes text: "text" by typing, "inner" by typing into a field in it, "away" by typing into
// what the page gives the focus instead, "value" by setting its value, "focused" by keys, since it
// holds no text, "keys" by those of a slider, "" not at all. A label stands for its control.
async function(at) {
	const select = e => {
		if (at === 'caret') return;
		e.select();
		if (at !== 'end') return;
		try { e.setSelectionRange(e.value.length, e.value.length); } catch { // a number, an e-mail address
			const type = e.type;
			e.type = 'text';
			e.setSelectionRange(e.value.length, e.value.length);
			e.type = type;
		}
	};
	const e = this.control || this;
	if (e.checkVisibility && !e.checkVisibility()) return '';
	const root = e.getRootNode(), before = root.activeElement;
	e.focus();
	// What the page makes of a field that is entered comes with the next frame: masks rewrite it. Some fields
	// take text only a moment later, so that the browser fills in nothing.
	const locked = () => e.readOnly && !['range', 'color'].includes(e.type); // it says nothing of those (HTML, readonly)
	if (root.activeElement === e && before !== e && (locked() || at === 'replace' && e.value)) await new Promise(done => {
		if (!locked()) requestAnimationFrame(() => setTimeout(done));
		setTimeout(done, 100);
	});
	if (locked()) return 'readonly';
	const text = root.activeElement === e ? 'text' : root.activeElement === before ? 'unfocused' : 'away';
	if (e instanceof HTMLInputElement) {
		if (['date','time','datetime-local','month','week','color','range'].includes(e.type)) return 'value';
		if (['checkbox','radio','file','button','submit','reset','image'].includes(e.type)) return '';
		if (text !== 'unfocused') select(e);
		return text;
	}
	if (e instanceof HTMLTextAreaElement) { if (text !== 'unfocused') select(e); return text; }
	if (e.isContentEditable) {
		const r = document.createRange(), s = getSelection();
		let last = e;
		if (at === 'caret' && s.rangeCount && e.contains(s.getRangeAt(0).startContainer)) return 'text';
		if (at !== 'replace') { // in the last block, where editors have the end
			while (last.lastChild && (last.lastChild.nodeType === 3 || last.lastChild.isContentEditable)) last = last.lastChild.localName === 'br' && last.lastChild.previousSibling || last.lastChild;
			if (last.localName === 'br') last = last.parentNode;
		}
		r.selectNodeContents(last);
		if (at !== 'replace') r.collapse(false);
		s.removeAllRanges(); s.addRange(r);
		return 'text';
	}
	const role = e.getAttribute && e.getAttribute('role'), turns = e.hasAttribute && e.hasAttribute('aria-valuenow');
	if (turns && ['slider', 'scrollbar'].includes(role)) return 'keys'; // a field in it is there for forms
	const inner = e.querySelector && [...e.querySelectorAll('input:not([type=hidden]),textarea,[contenteditable]')].find(f => !f.readOnly && !f.disabled && f.ariaHidden !== 'true' && f.checkVisibility());
	if (inner) { inner.focus(); if (inner.select && at === 'replace') inner.select(); return 'inner'; }
	if (turns && role === 'spinbutton') return 'keys';
	return document.activeElement === e ? 'focused' : '';
}
