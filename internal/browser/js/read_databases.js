// Puts values of IndexedDB into JSON, from which write_databases.js reads them: what JSON has no
// form for is an object with its kind. A value with something else in it is left out.
async function(origin) {
	if (location.origin !== origin || !indexedDB.databases) return '';
	const done = q => new Promise((ok, no) => { q.onsuccess = () => ok(q.result); q.onerror = () => no(q.error); });
	const bytes = b => btoa([...new Uint8Array(b)].map(c => String.fromCharCode(c)).join(''));
	const put = v => {
		if (v === undefined) return {$: 'undefined'};
		if (v === null || typeof v === 'boolean' || typeof v === 'string' || typeof v === 'number' && isFinite(v)) return v;
		if (typeof v === 'number' || typeof v === 'bigint') return {$: typeof v, v: String(v)};
		if (v instanceof Date) return {$: 'date', v: +v};
		if (v instanceof ArrayBuffer) return {$: 'buffer', v: bytes(v)};
		if (ArrayBuffer.isView(v)) return {$: 'view', of: v.constructor.name, v: bytes(v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength))};
		if (v instanceof Map) return {$: 'map', v: [...v].map(put)};
		if (v instanceof Set) return {$: 'set', v: [...v].map(put)};
		if (Array.isArray(v)) return v.map(put);
		if (Object.getPrototypeOf(v) === Object.prototype) return {$: 'object', v: Object.entries(v).map(([k, x]) => [k, put(x)])};
		throw new Error('no form');
	};
	const out = [];
	let size = 0;
	for (const {name} of (await indexedDB.databases()).slice(0, 50)) {
		const db = await done(indexedDB.open(name)), stores = [];
		for (const s of db.objectStoreNames) {
			const store = db.transaction(s).objectStore(s), records = [];
			const indexes = [...store.indexNames].map(i => { const x = store.index(i); return {name: i, keyPath: x.keyPath, unique: x.unique, multiEntry: x.multiEntry}; });
			const [keys, values] = await Promise.all([done(store.getAllKeys(null, 50000)), done(store.getAll(null, 50000))]);
			for (let i = 0; i < keys.length && size < 8388608; i++) try { const r = [put(keys[i]), put(values[i])]; size += JSON.stringify(r).length; records.push(r); } catch {}
			stores.push({name: s, keyPath: store.keyPath, autoIncrement: store.autoIncrement, indexes, records});
		}
		out.push({name, version: db.version, stores});
		db.close();
	}
	return size >= 8388608 ? 'too long' : out.length ? JSON.stringify(out) : '';
}
