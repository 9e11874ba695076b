// Returns what an origin has stored. The scripts of storage do nothing where the browser has gone
// elsewhere, such as to https.
function(origin) {
	if (location.origin !== origin || !localStorage.length) return '';
	const items = [];
	for (let i = 0; i < localStorage.length; i++) { const key = localStorage.key(i); items.push([key, localStorage.getItem(key)]); }
	const all = JSON.stringify(items);
	return all.length > 8388608 ? 'too long' : all;
}
