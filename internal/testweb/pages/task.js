// done says that a task was solved; failed, that it cannot be any more.
window.solved = false;
function done(ok = true) { if (window.solved !== 'failed') window.solved = !!ok; }
function failed() { window.solved = 'failed'; }
// el makes an element; props go to it, children into it.
function el(tag, props, ...children) {
	const e = Object.assign(document.createElement(tag), props);
	e.append(...children);
	return e;
}
// started covers the page until somebody clicks, and gives ten seconds then.
function started() {
	const cover = el('div', { id: 'sync-task-cover', textContent: 'START' });
	cover.style = 'position:fixed;inset:0;background:#fcf;z-index:9;font-size:40px';
	cover.onclick = () => { cover.remove(); setTimeout(() => { if (!window.solved) failed(); }, 10000); };
	document.body.append(cover);
}
