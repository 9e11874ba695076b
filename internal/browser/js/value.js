// Sets a value and sends the events that a person's choice sends. It returns
// false for what the field does not take, which keeps its value then, and the value that a
// range then has. Dates and times may be written as the browser shows them in its fields:
// 12/31/2026, 02:05 PM. What the page makes of the input is done before the change comes: React takes back
// the value of a field until then.
async function(v) {
	const e = this.control || this, was = e.value, two = s => s.padStart(2, '0');
	e.value = v;
	const m = v.trim().match(/^(?:(\d\d?)\/(?:(\d\d?)\/)?(\d{4}))?(?:^|$|[ ,]+)(?:(\d\d?):?(\d\d)(?::\d\d)? ?([ap])?\.?m?\.?)?$/i);
	if (e.value === '' && m) {
		const half = m[6] && m[6].toLowerCase(), hour = !half ? m[4] : m[4] > 0 && m[4] < 13 ? String(m[4] % 12 + (half === 'p') * 12) : '99';
		e.value = [m[3] && [m[3], two(m[1]), m[2] && two(m[2])].filter(Boolean).join('-'), hour && two(hour) + ':' + m[5]].filter(Boolean).join('T');
	}
	if (v !== '' && e.value === '' || e.type === 'color' && !CSS.supports('color', v)) {
		e.value = was;
		return false;
	}
	const now = e.value;
	e.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
	await new Promise(done => setTimeout(done));
	e.dispatchEvent(new Event('change', {bubbles: true}));
	return e.type === 'range' ? now : true;
}
