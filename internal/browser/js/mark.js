// Draws refs beside what they name.
(function(marks) {
	const host = document.createElement('div');
	globalThis.marks = host;
	host.style.cssText = 'all:initial;position:absolute;left:0;top:0;width:0;height:0;z-index:2147483647;pointer-events:none';
	const root = host.attachShadow({mode: 'closed'});
	for (const m of marks) {
		const x = m.X + scrollX, y = m.Y + scrollY;
		const box = document.createElement('div'), tag = document.createElement('div');
		box.style.cssText = 'position:absolute;box-sizing:border-box;border:1px solid #d00;left:' + x + 'px;top:' + y + 'px;width:' + m.W + 'px;height:' + m.H + 'px';
		// On the upper edge, at the right: on the left it covers the first letters, outside
		// it covers the neighbours.
		tag.style.cssText = 'position:absolute;right:-1px;top:' + (y < 6 ? -1 : -6) + 'px;background:#d00;color:#fff;font:bold 10px/11px monospace;padding:0 2px';
		tag.textContent = m.Ref;
		box.append(tag);
		root.append(box);
	}
	document.documentElement.append(host);
})
