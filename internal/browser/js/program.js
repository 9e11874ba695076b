// Runs a program with a page of its own beside it. The page is a subset of Playwright's: what
// it does is wanted with next(), and reply() answers.
function(code, address) {
	const wanted = [], waiting = new Map();
	let wake, count = 0, where = address, ended;
	const out = { stdout: '', stderr: '', truncated: false };
	const most = 65536;
	const write = (to, values) => {
		const s = values.map(v => typeof v === 'string' ? v : v instanceof Error ? v.message : JSON.stringify(v) ?? String(v)).join(' ') + '\n';
		if (out[to].length + s.length > most) out.truncated = true;
		out[to] = (out[to] + s).slice(0, most);
	};
	const want = (name, args = {}) => new Promise((resolve, reject) => {
		waiting.set(++count, { resolve, reject });
		wanted.push({ id: count, name, args });
		wake?.();
	});
	const known = (what, members) => new Proxy(members, {
		get(target, name) {
			if (name in target || typeof name !== 'string' || name === 'then' || name === 'toJSON') return target[name];
			throw new Error(`${what}.${name} is unsupported here`);
		},
	});
	const text = (fn, arg) => typeof fn === 'function' ? `(${fn})(${JSON.stringify(arg) ?? ''})` : String(fn);
	const quote = JSON.stringify;
	const script = s => want('evaluate', { script: s });
	const one = (css, nth, rest) => script(`(() => { const e = document.querySelectorAll(${quote(css)})[${nth}]; if (!e) throw new Error('no element matches ' + ${quote(css)}); ${rest} })()`);
	const locator = (css, nth = 0) => {
		const at = nth ? `css=${css} >> nth=${nth}` : `css=${css}`;
		return known('locator', {
			click: () => want('click', { ref: at }),
			hover: () => want('hover', { ref: at }),
			fill: value => want('type', { ref: at, text: value }),
			type: value => want('type', { ref: at, text: value, at: 'end' }),
			press: async key => { await one(css, nth, 'e.focus()'); return want('press', { key }); },
			check: () => one(css, nth, 'if (!e.checked) e.click()'),
			uncheck: () => one(css, nth, 'if (e.checked) e.click()'),
			selectOption: values => want('select', { ref: at, values: [].concat(values) }),
			textContent: () => one(css, nth, 'return e.textContent'),
			innerText: () => one(css, nth, 'return e.innerText'),
			innerHTML: () => one(css, nth, 'return e.innerHTML'),
			inputValue: () => one(css, nth, 'return e.value'),
			getAttribute: name => one(css, nth, `return e.getAttribute(${quote(name)})`),
			isVisible: () => script(`!!document.querySelectorAll(${quote(css)})[${nth}]?.checkVisibility()`),
			count: () => script(`document.querySelectorAll(${quote(css)}).length`),
			allTextContents: () => script(`[...document.querySelectorAll(${quote(css)})].map(e => e.textContent)`),
			allInnerTexts: () => script(`[...document.querySelectorAll(${quote(css)})].map(e => e.innerText)`),
			waitFor: () => want('waitFor', { ref: at }),
			evaluate: (fn, arg) => one(css, nth, `return (${fn})(e, ${quote(arg) ?? 'undefined'})`),
			first: () => locator(css, 0),
			nth: n => locator(css, n),
			locator: inner => locator(`${css} ${inner}`),
		});
	};
	const on = name => (css, ...args) => locator(css)[name](...args);
	const page = known('page', {
		url: () => where,
		title: () => script('document.title'),
		content: () => script('document.documentElement.outerHTML'),
		goto: url => want('goto', { url }),
		reload: () => want('goto', { url: 'reload' }),
		goBack: () => want('goto', { url: 'back' }),
		goForward: () => want('goto', { url: 'forward' }),
		evaluate: (fn, arg) => script(text(fn, arg)),
		$eval: (css, fn, arg) => locator(css).evaluate(fn, arg),
		$$eval: (css, fn, arg) => script(`(${fn})([...document.querySelectorAll(${quote(css)})], ${quote(arg) ?? 'undefined'})`),
		waitForSelector: css => want('waitFor', { ref: `css=${css}` }),
		waitForTimeout: ms => want('wait', { time: ms / 1000 }),
		waitForLoadState: () => want('wait', { time: 0.5 }),
		screenshot: (o = {}) => want('screenshot', { full_page: !!o.fullPage }),
		pdf: () => want('pdf'),
		locator: css => locator(css),
		keyboard: known('page.keyboard', { press: key => want('press', { key }) }),
		...Object.fromEntries(['click', 'hover', 'fill', 'type', 'press', 'check', 'uncheck', 'selectOption', 'textContent', 'innerText', 'innerHTML', 'inputValue', 'getAttribute', 'isVisible'].map(name => [name, on(name)])),
	});
	const console = { log: (...v) => write('stdout', v), info: (...v) => write('stdout', v), debug: (...v) => write('stdout', v), warn: (...v) => write('stderr', v), error: (...v) => write('stderr', v) };
	const finish = (result, error) => { ended = { ...out, result: result === undefined ? null : result, error }; wake?.(); };
	globalThis.program = {
		next: async () => {
			if (!wanted.length && !ended) await new Promise(resolve => { wake = resolve; });
			return wanted.length ? { want: wanted.shift() } : { ended };
		},
		reply: (id, value, error, url) => {
			if (url) where = url;
			const p = waiting.get(id);
			waiting.delete(id);
			if (error) p?.reject(new Error(error)); else p?.resolve(value);
		},
	};
	(async () => {
		let run;
		const AsyncFunction = (async () => {}).constructor;
		try { run = new AsyncFunction('page', 'console', `return (${code}\n)`); } catch { run = new AsyncFunction('page', 'console', code); }
		return run(page, console);
	})().then(v => finish(v), e => finish(undefined, String(e?.message ?? e)));
}
