function(origin, items) {
	if (location.origin !== origin) return '';
	localStorage.clear();
	for (const [key, value] of JSON.parse(items)) localStorage.setItem(key, value);
	return '';
}
