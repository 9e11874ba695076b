function(values) {
	const e = this.control || this;
	const same = s => s.replace(/\s+/g, ' ').trim();
	if (['checkbox', 'radio'].includes(e.type || e.role)) return {kind: 'box'};
	if (e instanceof HTMLInputElement && e.list && values.length === 1) {
		const all = [...e.list.options], o = all.find(o => same(o.value || o.label).toLowerCase() === same(values[0]).toLowerCase());
		if (!o) return {kind: 'missing', value: values[0], options: all.slice(0, 40).map(o => same(o.value))};
		e.focus();
		e.value = o.value;
		e.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
		e.dispatchEvent(new Event('change', {bubbles: true}));
		return {kind: 'done'};
	}
	if (!(e instanceof HTMLSelectElement)) return {kind: 'other'};
	const chosen = [], options = [...e.options];
	e.focus(); // what another field waits for happens when it is left
	for (const v of values) {
		const o = options.find(o => o.value === v) || options.find(o => same(o.label) === same(v)) || options.find(o => same(o.label).toLowerCase() === same(v).toLowerCase()) ||
			options.find(o => o.parentNode.label && same(o.parentNode.label + ': ' + o.label).toLowerCase() === same(v).toLowerCase());
		if (!o || o.disabled) return {kind: o ? 'disabled' : 'missing', value: v, options: options.slice(0, 40).map(o => same(o.label) + (o.disabled ? ' (disabled)' : ''))};
		chosen.push(o);
	}
	if (chosen.length > 1 && !e.multiple) return {kind: 'one'};
	for (const o of options) o.selected = chosen.includes(o);
	e.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
	e.dispatchEvent(new Event('change', {bubbles: true}));
	return {kind: 'done'};
}
