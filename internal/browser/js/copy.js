// prelude: focused
((kind, most) => {
	const field = e && typeof e.selectionStart === 'number';
	let text = e && e.type === 'password' ? '' : field ? e.value.slice(e.selectionStart, e.selectionEnd) : String(d.getSelection());
	const data = new DataTransfer();
	if (!tell(kind, data)) text = data.getData('text/plain');
	else if (kind === 'cut' && text) d.execCommand('delete');
	return text.slice(0, most);
})
