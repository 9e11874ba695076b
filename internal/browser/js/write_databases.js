async function(origin, all) {
	if (location.origin !== origin) return '';
	const done = q => new Promise((ok, no) => { q.onsuccess = () => ok(q.result); q.onerror = () => no(q.error); q.onblocked = () => no(new Error('in use')); });
	const buffer = s => Uint8Array.from(atob(s), c => c.charCodeAt(0)).buffer;
	const get = v => {
		if (v === null || typeof v !== 'object') return v;
		if (Array.isArray(v)) return v.map(get);
		switch (v.$) {
		case 'undefined': return undefined;
		case 'number': return Number(v.v);
		case 'bigint': return BigInt(v.v);
		case 'date': return new Date(v.v);
		case 'buffer': return buffer(v.v);
		case 'view': return new globalThis[v.of](buffer(v.v));
		case 'map': return new Map(v.v.map(get));
		case 'set': return new Set(v.v.map(get));
		}
		return Object.fromEntries(v.v.map(([k, x]) => [k, get(x)]));
	};
	for (const {name, version, stores} of JSON.parse(all)) {
		await done(indexedDB.deleteDatabase(name));
		const q = indexedDB.open(name, version);
		q.onupgradeneeded = () => {
			for (const s of stores) {
				const store = q.result.createObjectStore(s.name, {keyPath: s.keyPath, autoIncrement: s.autoIncrement});
				for (const i of s.indexes) store.createIndex(i.name, i.keyPath, {unique: i.unique, multiEntry: i.multiEntry});
				for (const [key, value] of s.records) s.keyPath === null ? store.put(get(value), get(key)) : store.put(get(value));
			}
		};
		(await done(q)).close();
	}
	return '';
}
