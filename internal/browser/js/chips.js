// The choices that a list with several shows in its field or beside it: texts with a part that takes each
// back, as the class or the name of the part says.
const same = s => tidy(s).toLowerCase(), named = (n, v) => n === v || n.startsWith(v + ' ');
const takes = ['remove', 'delete', 'close', 'clear', 'cancel', 'dismiss', 'deselect'].flatMap(w => ['class', 'aria-label', 'title', 'data-icon'].map(a => `[${a}*=${w} i]`)).join();
const parent = n => n.parentElement || n.getRootNode().host;
// What is around another field is not that of this list.
const alone = box => !within([box], 'input:not([type=hidden]),select,textarea,[role=combobox]').some(f => !this.contains(f) && f.tabIndex >= 0 && f.ariaHidden !== 'true');
const chips = () => {
	let all = new Map();
	for (let box = this, i = 0; box && box !== document.body && i < 6 && !all.size && alone(box); box = parent(box), i++)
		for (const part of within([box], takes)) {
			const own = tidy(part.textContent), text = n => tidy(tidy(n.innerText || '').replace(own, ''));
			let n = part;
			while (n && n !== box && !text(n)) n = parent(n);
			if (n && n !== part && n !== box && !n.contains(this) && !(globalThis.optionsSeen || []).some(o => o.contains(n) || n.contains(o))) all.set(n, {name: same(text(n)), part});
		}
	return [...all.values()];
};
