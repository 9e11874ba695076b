// prelude: focused
(text => {
	const data = new DataTransfer();
	data.setData('text/plain', text);
	return tell('paste', data);
})
