// Describes an element as Playwright's locators do: by its role and name, else by
// its label, placeholder or text, and which one of those that have the same it is.
function() {
	const e = this.localName === 'label' && this.control || this;
	const tidy = s => (s || '').replace(/\s+/g, ' ').trim().slice(0, 120);
	const inputs = {button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', text: 'textbox', email: 'textbox', tel: 'textbox', url: 'textbox'};
	const role = n => n.getAttribute('role') || (n.localName === 'a' && n.hasAttribute('href') ? 'link' : n.localName === 'button' ? 'button' : n.localName === 'textarea' ? 'textbox' : n.localName === 'select' ? (n.multiple || n.size > 1 ? 'listbox' : 'combobox') : n.localName === 'input' ? inputs[n.type] || '' : n.localName === 'option' ? 'option' : /^h[1-6]$/.test(n.localName) ? 'heading' : n.localName === 'img' ? 'img' : '');
	const label = n => tidy([...n.labels || []].map(l => l.innerText).join(' '));
	const name = n => tidy(n.getAttribute('aria-label')) || tidy((n.getAttribute('aria-labelledby') || '').split(/\s+/).map(i => i && n.getRootNode().getElementById(i)?.innerText || '').join(' ')) || label(n) || tidy(n.alt) ||
		(n.localName === 'input' && /^(button|submit|reset)$/.test(n.type) ? tidy(n.value) : '') || (/^(input|select|textarea)$/.test(n.localName) ? '' : tidy(n.innerText)) || tidy(n.title) || tidy(n.placeholder);
	const among = (all, same) => { const found = [...all].filter(same); return found.length > 1 ? found.indexOf(e) : -1; };
	const r = role(e), root = e.getRootNode(), path = [];
	for (let n = e; n && n.nodeType === 1 && path.length < 6; n = n.parentElement) {
		if (n.id) { path.unshift('#' + CSS.escape(n.id)); break; }
		path.unshift(n.localName + ':nth-of-type(' + ([...n.parentElement ? n.parentElement.children : []].filter(c => c.localName === n.localName).indexOf(n) + 1) + ')');
	}
	const out = {role: r, name: name(e), label: label(e) || tidy(e.getAttribute('aria-label')), placeholder: tidy(e.placeholder), css: path.join(' > '), password: e.type === 'password', nth: -1};
	if (r && out.name) out.nth = among(root.querySelectorAll('*'), n => role(n) === r && name(n) === out.name);
	return out;
}
