// Calls spyhop serve with Firecrawl's own client, which is only given another address:
//
//	node check.mjs --spyhop ../../bin/spyhop
//
// A site and a search service are on loopback. Each line is a call and whether it came to
// what it has to. The calls of the package's README, and the methods and option forms of its
// types, are counted: how many work, and how many are refused by name. docs/firecrawl.md has
// the table.
import http from 'node:http';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { parseArgs } from 'node:util';
import { WebSocket } from 'undici';
import { z } from 'zod';

globalThis.WebSocket ??= WebSocket; // Node before 22 has none; without one the client polls
const { Firecrawl } = await import('@mendable/firecrawl-js');

const { values } = parseArgs({ options: { spyhop: { type: 'string' } } });
const words = (n) => Array.from({ length: 8 }, (_, i) => `<p>The keeper of light ${n} wrote on day ${i * n + i} that storm ${n * 31 + i} had passed the tower of light ${n} before dawn.</p>`).join('');
const pages = 150;
let looks = 0;
let feet = 0;
const messages = []; // of webhooks

function page(q, r) {
  const url = new URL(q.url, 'http://x');
  const n = Number(url.pathname.match(/^\/(?:light|other)\/(\d+)$/)?.[1] ?? 0);
  r.setHeader('content-type', 'text/html; charset=utf-8');
  if (url.pathname === '/hook') {
    const parts = [];
    q.on('data', (part) => parts.push(part));
    q.on('end', () => {
      const raw = Buffer.concat(parts);
      messages.push({ ...JSON.parse(raw), genuine: (secret) => q.headers['x-firecrawl-signature'] === `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}` });
      r.end();
    });
  } else if (url.pathname === '/search') {
    r.setHeader('content-type', 'application/json');
    r.end(JSON.stringify({ query: 'x', results: [...[1, 2].map((i) => [`Light ${i}`, `${origin}/light/${i}`, 'A light.']), ...(url.searchParams.get('q').includes('backoff') ? [['Retry', 'https://github.com/firecrawl/firecrawl/issues/7', 'Backoff is exponential.']] : []), ...(url.searchParams.get('q').includes('papers') ? [['On light', 'https://arxiv.org/abs/2301.00001', 'We study light.']] : [])].map(([title, at, content]) => ({ title, url: at, content, engine: 'double', engines: ['double'] })), unresponsive_engines: [] }));
  } else if (url.pathname === '/robots.txt') {
    r.setHeader('content-type', 'text/plain');
    r.end(`User-agent: *\nDisallow: /private\nSitemap: ${origin}/sitemap.xml\n`);
  } else if (url.pathname === '/sitemap.xml') {
    r.setHeader('content-type', 'application/xml');
    r.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from({ length: pages }, (_, i) => `<url><loc>${origin}/light/${i + 1}</loc></url>`).join('')}<url><loc>${origin}/list?page=2</loc></url></urlset>`);
  } else if (url.pathname === '/') {
    r.end(`<title>Lights</title><main><h1>Lights</h1>${words(777)}<a href="/light/1">Light 1</a> <a href="/other/3">Other 3</a> <a href="/private/x">Private</a></main>`);
  } else if (n > 0 && n <= pages) {
    r.end(`<html lang="en"><title>Light ${n}</title><nav><a href="/">Home of lights</a></nav><main><h1>Light ${n}</h1>${words(n)}<p class="height">${n} metres</p><a href="/light/${n + 1}">Next</a></main></html>`);
  } else if (url.pathname === '/moved') {
    r.statusCode = 302;
    r.setHeader('location', `${origin.replace('127.0.0.1', 'localhost')}/light/7`);
    r.end();
  } else if (url.pathname === '/form') {
    r.end(`<title>Form</title><main><h1>Form</h1>${words(5)}<img src="/a.png" alt="a tower"><a class="n" href="/light/1">Light 1</a><label>Name <input id="name"></label><button id="go" onclick="document.getElementById('out').textContent='Hello '+document.getElementById('name').value">Go</button><p id="out"></p></main>`);
  } else if (url.pathname === '/clock') {
    r.end(`<title>Clock</title><main><h1>Clock</h1>${words(9)}<p>This is look ${looks++} at the clock of the tower.</p></main>`);
  } else if (url.pathname === '/queries') {
    r.end(`<title>Queries</title><main><h1>Queries</h1>${words(19)}<a href="/light/9?a=1">A</a> <a href="/light/9?a=2">B</a> <a href="/light/9">C</a></main>`);
  } else if (url.pathname === '/basket') {
    if (url.searchParams.has('add')) r.setHeader('set-cookie', `n=${url.searchParams.get('add')}; Max-Age=9999; Path=/`);
    r.end(`<title>Basket</title><main><h1>Basket</h1>${words(24)}<p class="n">It has ${/n=(\d+)/.exec(q.headers.cookie ?? '')?.[1] ?? 'no'} things in it.</p></main>`);
  } else if (url.pathname === '/twins') {
    r.end(`<title>Twins</title><main><h1>Twins</h1>${words(21)}<a href="/twin/1">A</a> <a href="/twin/2">B</a></main>`);
  } else if (url.pathname.startsWith('/twin/')) {
    r.end(`<title>Twin</title><main><h1>Twin</h1>${words(22)}</main>`);
  } else if (url.pathname === '/out') {
    r.end(`<title>Out</title><main><h1>Out</h1>${words(23)}<a href="${origin.replace('127.0.0.1', 'localhost')}/light/8">Elsewhere</a></main>`);
  } else if (url.pathname === '/shop') {
    r.end(`<title>Lamp</title><main><h1>Lamp</h1>${words(13)}</main><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lamp","brand":{"@type":"Brand","name":"Sund"},"offers":{"@type":"Offer","price":"24.90","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}</script>`);
  } else if (url.pathname === '/menu') {
    r.end(`<title>Quay</title><main><h1>Quay</h1>${words(15)}</main><script type="application/ld+json">{"@context":"https://schema.org","@type":"Restaurant","name":"Quay","hasMenu":{"@type":"Menu","hasMenuSection":{"@type":"MenuSection","name":"Soups","hasMenuItem":{"@type":"MenuItem","name":"Leek","offers":{"@type":"Offer","price":"6.50","priceCurrency":"EUR"}}}}}</script>`);
  } else if (url.pathname === '/watch') {
    r.end(`<title>Tides</title><main><h1>Tides</h1>${words(16)}</main><script type="application/ld+json">{"@context":"https://schema.org","@type":"VideoObject","name":"Tides","contentUrl":"${origin}/tides.mp4"}</script>`);
  } else if (url.pathname === '/tower/') {
    r.end(`<title>Tower</title><main><h1>Tower</h1>${words(11)}<p>The height is ${feet++} feet today.</p></main>`);
  } else if (url.pathname === '/v1/chat/completions') { // a model that has read one page
    const parts = [];
    q.on('data', (part) => parts.push(part));
    q.on('end', () => {
      const ask = JSON.parse(Buffer.concat(parts));
      r.setHeader('content-type', 'application/json');
      r.end(JSON.stringify({ model: 'double', choices: [{ message: { content: JSON.stringify(ask).includes('A crawl begins at this page') ? '{"includePaths":["^/light/"],"limit":3}' : ask.response_format ? `{"height":"${JSON.stringify(ask.messages).match(/\d+ feet/)?.[0] ?? '3 metres'}"}` : 'The light is 3 metres high [1 "3 metres"].' }, finish_reason: 'stop' }], usage: { prompt_tokens: 9, completion_tokens: 9 } }));
    });
  } else if (url.pathname === '/never') {
    return; // it does not answer
  } else {
    r.statusCode = 404;
    r.end('nothing here');
  }
}

const site = http.createServer(page);
await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${site.address().port}`;
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'spyhop-firecrawl-'));
const tokens = path.join(dir, 'tokens.toml');
const entry = (name) => `[[token]]\nname = "${name}"\nsha256 = "${createHash('sha256').update(`token-of-${name}`).digest('hex')}"\n\n`;
fs.writeFileSync(tokens, entry('ann') + entry('bob'), { mode: 0o600 });
const env = {
  PATH: process.env.PATH, HOME: dir, WEB_DATA_DIR: path.join(dir, 'data'), WEB_ALLOW_PRIVATE: `${origin.slice(7)},localhost:${site.address().port}`, WEB_HTTP: 'allow',
  WEB_SEARCH_PROVIDER: 'searxng', SEARXNG_URL: origin, WEB_SERVE_TOKENS: tokens, WEB_HOST_RATE: '200/s', WEB_MODEL: 'double/m', WEB_MODEL_URL: `${origin}/v1`, ...(process.getuid() === 0 ? { WEB_BROWSER_UID: '-1' } : {}),
};
const servers = [];
async function serve(more = {}) {
  const ready = path.join(dir, `ready-${servers.length}`);
  servers.push(spawn(path.resolve(values.spyhop), ['serve', '--quiet', '--listen', '127.0.0.1:0', '--ready-file', ready], { env: { ...env, ...more }, stdio: ['ignore', 'inherit', 'inherit'] }));
  for (let i = 0; !fs.existsSync(ready); i++) {
    if (i > 1200) throw new Error('spyhop serve does not get ready');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return fs.readFileSync(ready, 'utf8').trim();
}
const apiUrl = await serve();
const ann = new Firecrawl({ apiKey: 'token-of-ann', apiUrl });
const bob = new Firecrawl({ apiKey: 'token-of-bob', apiUrl });

let failed = 0;
async function check(name, call, ok) {
  let got;
  try {
    got = await call();
  } catch (e) {
    got = { thrown: e.message, status: e.status, code: e.code };
  }
  const right = (() => { try { return ok(got); } catch { return false; } })();
  if (!right) failed++;
  console.log(`${right ? 'ok  ' : 'FAIL'} ${name}${right ? '' : `: ${JSON.stringify(got).slice(0, 600)}`}`);
  return got;
}
const refuses = (status, text) => (g) => g.status === status && g.thrown.includes(text);

// What of the package is counted: calls of its README, and methods and option forms of its types.
const counts = {};
async function counted(kind, name, call, ok, works = 'works') {
  const before = failed;
  const got = await check(`${kind}: ${name}`, call, ok);
  const c = (counts[kind] ??= { works: [], refused: [], elsewhere: [], failed: [] });
  c[failed > before ? 'failed' : works].push(name);
  return got;
}
const readme = (name, call, ok) => counted('README', name, call, ok);
const method = (name, call, ok) => counted('method', name, call, ok);
const option = (name, call, ok) => counted('option', name, call, ok);
const refused = (kind, name, call, text, status = 400) => counted(kind, name, call, refuses(status, text), 'refused');
// What asks a site of the internet is not counted as working: here there is no way to it.
const elsewhere = (kind, name, call, text) => counted(kind, name, call, (g) => text.test(g.thrown ?? ''), 'elsewhere');

await check('scrape', () => ann.scrape(`${origin}/light/3`), (d) => d.markdown.startsWith('# Light 3\n') && !d.markdown.includes('Home of lights') && d.metadata.title === 'Light 3' && d.metadata.statusCode === 200 && d.metadata.language === 'en' && d.metadata.sourceURL === `${origin}/light/3`);
await check('scrape in four formats', () => ann.scrape(`${origin}/light/3`, { formats: ['markdown', 'html', 'rawHtml', 'links'] }), (d) => d.markdown && d.html.includes('<h1>Light 3</h1>') && d.rawHtml.includes('<nav>') && d.links.includes(`${origin}/light/4`));
await check('scrape the whole body', () => ann.scrape(`${origin}/light/3`, { onlyMainContent: false }), (d) => d.markdown.includes('Home of lights') && d.markdown.includes('# Light 3'));
await check('scrape by selector', () => ann.scrape(`${origin}/light/3`, { includeTags: ['.height'] }), (d) => d.markdown.trim() === '3 metres');
await check('scrape to JSON by selectors', () => ann.scrape(`${origin}/light/3`, { formats: [{ type: 'json', schema: { type: 'object', properties: { height: { type: 'string', 'x-selector': '.height' } } } }] }), (d) => d.json.height === '3 metres');
await check('scrape a redirect to another host', () => ann.scrape(`${origin}/moved`), (d) => d.markdown.startsWith('# Light 7') && d.metadata.sourceURL === `${origin}/moved` && d.metadata.url.endsWith('/light/7'));
await check('scrape with highlights', () => ann.scrape(`${origin}/light/3`, { formats: [{ type: 'highlights', query: 'storm 95' }] }), (d) => d.highlights.includes('storm 95'));
await check('scrape what is not there', () => ann.scrape(`${origin}/gone`), (g) => g.status === 500 && g.code === 'SCRAPE_SITE_ERROR' && g.thrown.includes('HTTP 404'));
await check('scrape what does not answer', () => ann.scrape(`${origin}/never`, { timeout: 700 }), (g) => g.status === 408 && g.code === 'SCRAPE_TIMEOUT');
await check('scrape a private address', () => ann.scrape('http://10.0.0.1/'), refuses(403, '10.0.0.1 is not a public address'));
await check('scrape after actions', () => ann.scrape(`${origin}/form`, { formats: ['markdown', 'html', 'rawHtml', 'links'], actions: [{ type: 'wait', milliseconds: 50 }, { type: 'click', selector: '#name' }, { type: 'write', text: 'Ada' }, { type: 'click', selector: '#go' }, { type: 'wait', selector: '#go' }, { type: 'scroll', direction: 'down' }, { type: 'press', key: 'Tab' }, { type: 'screenshot' }, { type: 'scrape' }, { type: 'pdf' }] }), (d) => d.markdown.includes('Hello Ada') && d.html.includes('Hello Ada') && d.rawHtml.includes('Hello Ada') && d.actions.screenshots[0].startsWith(`${apiUrl}/v1/files/`) && d.actions.pdfs.length === 1 && d.actions.scrapes[0].html.includes('Hello Ada'));
await check('scrape after an action that finds nothing', () => ann.scrape(`${origin}/form`, { actions: [{ type: 'click', selector: '#nowhere' }] }), refuses(422, 'action 1: no element'));
await check('scrape after a script', () => ann.scrape(`${origin}/form`, { actions: [{ type: 'executeJavascript', script: '1' }] }), refuses(403, 'WEB_ALLOW_SCRIPT'));
await check('scrape without some elements', () => ann.scrape(`${origin}/light/3`, { excludeTags: ['.height'], location: { languages: ['de'] } }), (d) => d.markdown.startsWith('# Light 3') && !d.markdown.includes('3 metres'));
await check('scrape images and attributes', () => ann.scrape(`${origin}/form`, { formats: ['images', { type: 'attributes', selectors: [{ selector: 'a.n', attribute: 'href' }] }] }), (d) => d.images[0] === `${origin}/a.png` && d.attributes[0].values[0] === `${origin}/light/1`);
await check('scrape a summary', () => ann.scrape(`${origin}/light/3`, { formats: ['summary'] }), (d) => d.summary.includes('3 metres'));
await check('scrape as a phone', () => ann.scrape(`${origin}/light/3`, { mobile: true }), (d) => d.markdown.startsWith('# Light 3'));
await check('track changes', async () => { await ann.scrape(`${origin}/clock`, { formats: ['changeTracking'], maxAge: 0 }); return ann.scrape(`${origin}/clock`, { formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }], maxAge: 0 }); }, (d) => d.changeTracking.changeStatus === 'changed' && d.changeTracking.previousScrapeAt && d.changeTracking.diff.text.includes('look 1') && d.changeTracking.diff.json.files[0].chunks[0].changes.some((c) => c.type === 'add' && c.content.includes('look 1')));
const tracked = { formats: ['markdown', { type: 'changeTracking', modes: ['git-diff', 'json'], schema: { type: 'object', properties: { height: { type: 'string' } } } }] };
await check('track changes in a crawl', async () => { await ann.crawl(`${origin}/tower/`, { limit: 2, pollInterval: 1, scrapeOptions: tracked }); return ann.crawl(`${origin}/tower/`, { limit: 2, pollInterval: 1, scrapeOptions: tracked }); }, (c) => c.data[0].changeTracking.changeStatus === 'changed' && c.data[0].changeTracking.diff.text.startsWith('@@') && /^\d+ feet$/.test(c.data[0].changeTracking.json.height.previous) && c.data[0].changeTracking.json.height.current !== c.data[0].changeTracking.json.height.previous);
await check('track changes in a batch', () => ann.batchScrape([`${origin}/tower/`, `${origin}/light/3`], { pollInterval: 1, options: tracked }), (b) => { const of = (p) => b.data.find((d) => d.metadata.sourceURL.endsWith(p)).changeTracking; return of('/tower/').changeStatus === 'changed' && of('/light/3').changeStatus === 'same' && of('/light/3').previousScrapeAt; });
await check('scrape without checking certificates', () => ann.scrape(`${origin}/light/3`, { skipTlsVerification: true }), refuses(400, 'option skipTlsVerification is unsupported'));
await check('scrape with an unknown option', () => ann.scrape(`${origin}/light/3`, { ofTomorrow: 1 }), refuses(400, 'ofTomorrow'));
await check('scrape a screenshot', () => ann.scrape(`${origin}/light/3`, { formats: ['markdown', { type: 'screenshot', fullPage: true }] }), (d) => d.screenshot.startsWith(`${apiUrl}/v1/files/`) && d.markdown.startsWith('# Light 3'));
await check('scrape a form of tomorrow', () => ann.scrape(`${origin}/light/3`, { formats: ['hologram'] }), refuses(400, 'hologram'));
await check('agent', () => ann.agent({ prompt: 'How high is light 3?', urls: [`${origin}/light/3`], effort: 'low', pollInterval: 1 }), (a) => a.status === 'completed' && a.data.answer === 'The light is 3 metres high [1].' && a.citations[0].quote === '3 metres');
await check('agent with a schema', () => ann.agent({ prompt: 'How high is light 3?', urls: [`${origin}/light/3`], effort: 'low', pollInterval: 1, schema: { type: 'object', properties: { height: { type: 'string' } } } }), (a) => a.data.height === '3 metres' && a.evidence[0].confidence === 'quoted');
await check('agent: cancel and look', async () => { const a = await ann.startAgent({ prompt: 'x', urls: [`${origin}/never`], effort: 'low' }); const ok = await ann.cancelAgent(a.id); return { ok, ...(await ann.getAgentStatus(a.id)) }; }, (a) => a.ok && a.status === 'cancelled');
await check('extract', () => ann.extract({ urls: [`${origin}/light/3`], schema: { type: 'object', properties: { height: { type: 'string' } } }, showSources: true, pollInterval: 1 }), (e) => e.status === 'completed' && e.data.height === '3 metres' && e.sources.length === 1);
await check("another's agent run", async () => { const a = await ann.startAgent({ prompt: 'x', urls: [`${origin}/light/3`], effort: 'low' }); return bob.getAgentStatus(a.id); }, refuses(404, 'there is no agent'));
await check('scrape without a token', () => new Firecrawl({ apiKey: 'wrong', apiUrl }).scrape(`${origin}/light/3`), refuses(401, 'bearer token'));

await check('map', () => ann.map(origin), (m) => m.links.length >= pages && m.links.every((l) => l.url.startsWith(origin) && !l.url.includes('?')));
await check('map with a limit and a query', () => ann.map(origin, { limit: 5, search: 'light 17', ignoreQueryParameters: false }), (m) => m.links.length <= 5 && m.links[0].url === `${origin}/light/17`);
await check('map from the sitemap only', () => ann.map(origin, { sitemap: 'only' }), (m) => !m.links.some((l) => l.url.includes('/other/')));

await check('search', () => ann.search('lights', { limit: 2 }), (s) => s.web.length === 2 && s.web[0].url === `${origin}/light/1` && s.web[0].description === 'A light.');
await check('search and scrape', () => ann.search('lights', { limit: 2, scrapeOptions: { formats: ['markdown'] } }), (s) => s.web[1].markdown.startsWith('# Light 2') && s.web[1].metadata.statusCode === 200);
await check('search for news and images', () => ann.search('lights', { sources: ['web', 'news', { type: 'images' }], limit: 2 }), (s) => s.web.length === 2 && s.news[0].url === `${origin}/light/1` && s.images.length === 2);
await check('search a category', () => ann.search('lights', { categories: ['research'] }), (s) => s.web.length === 0);
await check('search for tools', () => ann.search('lights', { sources: ['tools'] }), refuses(400, 'source'));

const job = await check('crawl to its end, with further parts', () => ann.crawl(origin, { limit: 130, pollInterval: 1 }), (c) => c.status === 'completed' && c.completed === 130 && c.total >= 130 && c.data.length === 130 && c.data.every((d) => d.markdown && d.metadata.sourceURL.startsWith(origin)));
await check('crawl: the first part by itself', () => ann.getCrawlStatus(job.id, { autoPaginate: false }), (c) => c.data.length === 100 && c.next.startsWith(`${apiUrl}/v2/crawl/${job.id}?cursor=`));
await check('crawl: at most so many results', () => ann.getCrawlStatus(job.id, { maxResults: 110 }), (c) => c.data.length === 110);
await check('crawl: errors', () => ann.getCrawlErrors(job.id), (e) => Array.isArray(e.errors) && Array.isArray(e.robotsBlocked));
await check('crawl of another caller', () => bob.getCrawlStatus(job.id), refuses(404, 'does not exist'));
await check('cancel that of another caller', () => bob.cancelCrawl(job.id), refuses(404, 'does not exist'));
await check('cancel what has ended', () => ann.cancelCrawl(job.id), refuses(409, 'has ended already'));
await check('crawl some paths', () => ann.crawl(origin, { includePaths: ['^/light/1.*'], excludePaths: ['/light/1[0-9]'].map(() => '^/light/10.*'), limit: 8, pollInterval: 1 }), (c) => c.status === 'completed' && c.data.length > 3 && c.data.every((d) => d.metadata.url === `${origin}/` || (d.metadata.url.includes('/light/1') && !d.metadata.url.includes('/light/10'))));
await check('crawl below a path', () => ann.crawl(`${origin}/other/3`, { limit: 5, pollInterval: 1 }), (c) => c.data.length === 1);
await check('crawl against robots.txt', () => ann.startCrawl(`${origin}/private/x`, { limit: 3 }).then((j) => ann.waitForCrawlCompletion?.(j.id) ?? new Promise((resolve) => { const t = setInterval(async () => { const s = await ann.getCrawlStatus(j.id); if (s.status !== 'scraping') { clearInterval(t); resolve(s); } }, 300); })), (c) => c.status === 'failed' && c.data.length === 0);
await check('crawl a private address', () => ann.startCrawl('http://10.0.0.1/'), refuses(403, '10.0.0.1'));
const running = await check('start a crawl', () => ann.startCrawl(origin, { limit: 100 }), (c) => c.id && c.url === `${apiUrl}/v2/crawl/${c.id}`);
await check('active crawls', () => ann.getActiveCrawls(), (a) => a.crawls.some((c) => c.id === running.id && c.url.startsWith(origin)));
await check('active crawls of another caller', () => bob.getActiveCrawls(), (a) => a.crawls.length === 0);
await check('cancel a crawl', () => ann.cancelCrawl(running.id), (c) => c === true);
await check('the state of a cancelled crawl', () => ann.getCrawlStatus(running.id), (c) => c.status === 'cancelled');

const batch = await check('batch', () => ann.batchScrape([`${origin}/light/1`, `${origin}/gone`, `${origin}/light/2`], { pollInterval: 1, options: { formats: ['markdown'] } }), (b) => b.status === 'completed' && b.completed === 2 && b.total === 3 && b.data.length === 2);
await check('batch: errors', () => ann.getBatchScrapeErrors(batch.id), (e) => e.errors.length === 1 && e.errors[0].url === `${origin}/gone` && e.errors[0].error.includes('404'));
await check('batch with an invalid address', () => ann.startBatchScrape([`${origin}/light/1`, 'http://'], { ignoreInvalidURLs: true }), (b) => b.id && b.invalidURLs[0] === 'http://');
await check('batch of HTML', () => ann.batchScrape([`${origin}/light/1`], { pollInterval: 1, options: { formats: ['html'] } }), (b) => b.data[0].html.includes('<h1>Light 1</h1>'));
await check('batch with a webhook inside', () => ann.startBatchScrape([`${origin}/light/1`], { webhook: 'http://10.0.0.1/hook' }), refuses(403, '10.0.0.1'));
await check('crawl with headers for the webhook', () => ann.startCrawl(origin, { webhook: { url: `${origin}/hook`, headers: { Authorization: 'x' } } }), refuses(400, 'webhook: option headers is unsupported'));
const told = (id) => messages.filter((m) => m.id === id).map((m) => `${m.type}${m.success ? '' : ' failed'}`);
const until = async (id, type) => { for (let i = 0; i < 600 && !told(id).some((t) => t.startsWith(type)); i++) await new Promise((resolve) => setTimeout(resolve, 50)); };
const hooked = await check('crawl with a webhook', () => ann.crawl(origin, { limit: 4, pollInterval: 1, webhook: { url: `${origin}/hook`, metadata: { project: 'tides' } } }), (c) => c.data.length === 4);
await until(hooked.id, 'crawl.completed');
await check('the messages of the crawl', async () => told(hooked.id), (t) => t.join() === 'crawl.started,crawl.page,crawl.page,crawl.page,crawl.page,crawl.completed');
await check('the pages in them', async () => messages.filter((m) => m.id === hooked.id && m.type === 'crawl.page'), (all) => all.every((m) => m.data.length === 1 && m.data[0].markdown && m.data[0].metadata.sourceURL && m.metadata.project === 'tides') && new Set(all.map((m) => m.webhookId)).size === 4);
// The client drops the secret from the answer; it is the same for each job of a caller to an address.
const secret = (await (await fetch(`${apiUrl}/v2/batch/scrape`, { method: 'POST', headers: { Authorization: 'Bearer token-of-ann', 'Content-Type': 'application/json' }, body: JSON.stringify({ urls: [`${origin}/light/1`], webhook: { url: `${origin}/hook`, events: ['completed'] } }) })).json());
await until(secret.id, 'batch_scrape.completed');
await check('the events that are wanted', async () => told(secret.id), (t) => t.join() === 'batch_scrape.completed');
await check('signatures', async () => messages.map((m) => m.genuine(secret.webhookSecret) && !m.genuine('another')), (all) => all.length === 7 && all.every(Boolean));
const strict = await check('crawl with a page that robots.txt refuses', () => ann.crawl(origin, { includePaths: ['^/private'], crawlEntireDomain: true, pollInterval: 1 }), (c) => c.status === 'completed');
await check('robotsBlocked', () => ann.getCrawlErrors(strict.id), (e) => e.robotsBlocked.join() === `${origin}/private/x`);

// The README of the package, from its beginning to its end.
const has = (name) => (d) => Boolean(d[name]);
const light = `${origin}/light/3`;
const watched = (id, kind) => new Promise((resolve) => {
  const documents = [];
  const watch = ann.watcher(id, { kind, pollInterval: 2 });
  watch.on('document', (d) => documents.push(d));
  watch.on('error', (error) => resolve({ error }));
  watch.on('done', (state) => resolve({ status: state.status, documents, socket: watch.ws?.protocol }));
  watch.start();
});
await readme('scrape with formats', () => ann.scrape(light, { formats: ['markdown', 'html'] }), (d) => d.markdown && d.html);
await readme('crawl with formats', () => ann.crawl(origin, { limit: 3, scrapeOptions: { formats: ['markdown', 'html'] }, pollInterval: 1 }), (c) => c.data.length === 3 && c.data.every((d) => d.markdown && d.html));
await readme('scrape', () => ann.scrape(light), has('markdown'));
await refused('README', 'scrape a video of a site that names no file (YouTube)', () => ann.scrape(light, { formats: ['video'] }), 'the page states no video', 422);
await readme('scrape a product', () => ann.scrape(`${origin}/shop`, { formats: ['product'] }), (d) => d.product.title === 'Lamp' && d.product.brand === 'Sund' && d.product.variants[0].price.amount === 24.9 && d.product.variants[0].price.currency === 'EUR' && d.product.variants[0].availability.inStock);
await readme('scrape a menu', () => ann.scrape(`${origin}/menu`, { formats: ['menu'] }), (d) => d.menu.merchant.name === 'Quay' && d.menu.sections[0].items[0].price.amount === 6.5);
await readme('parse', () => ann.parse({ data: '<html><body><h1>Hello parse</h1></body></html>', filename: 'upload.html', contentType: 'text/html' }, { formats: ['markdown'] }), (d) => d.markdown.includes('Hello parse'));
await readme('crawl', () => ann.crawl(origin, { limit: 2, pollInterval: 1, scrapeOptions: { formats: ['markdown', 'html'] } }), (c) => c.data.length === 2);
const begun = await readme('startCrawl', () => ann.startCrawl(origin, { excludePaths: ['blog/*'], limit: 5 }), has('id'));
await readme('getCrawlStatus', () => ann.getCrawlStatus(begun.id), has('status'));
await readme('extract with zod', () => ann.extract({ urls: [light], prompt: 'Extract the height', schema: z.object({ height: z.string() }), showSources: true, pollInterval: 1 }), (e) => e.data.height === '3 metres');
await readme('map', () => ann.map(origin), (m) => m.links.length > 0);
await readme('search', () => ann.search('what is a light?', { limit: 5 }), (s) => s.web.length === 2);
await readme('search and scrape', () => ann.search('lights', { limit: 3, scrapeOptions: { formats: ['markdown'] } }), (s) => s.web[0].markdown);
await readme('search a category', () => ann.search('papers on lights', { categories: ['research'] }), (s) => s.web.length === 1 && s.web[0].url.includes('arxiv'));
await readme('developerSearch', () => ann.developerSearch('configure retry backoff', { repos: ['firecrawl/firecrawl'], passages: 3 }), (d) => d.results.length === 1 && d.results[0].url.endsWith('/issues/7') && d.results[0].passages[0].text === 'Backoff is exponential.');
await readme('research.searchPapers', () => ann.research.searchPapers('papers on light', { k: 10 }), (p) => p.results[0].primaryId === 'arxiv:2301.00001' && p.results[0].title === 'On light');
await elsewhere('README', 'research.getPaper', () => ann.research.getPaper('arxiv:2301.00001'), /arxiv\.org/);
await elsewhere('README', 'research.getPaper with a query', () => ann.research.getPaper('arxiv:2301.00001', { query: 'what?', k: 4 }), /arxiv\.org/);
await elsewhere('README', 'research.similarPapers', () => ann.research.similarPapers('pmid:1', { intent: 'x', k: 20 }), /pubmed/);
const scripts = await serve({ WEB_ALLOW_SCRIPT: 'true', WEB_ALLOW_INTERACTIVE: 'true', WEB_DATA_DIR: path.join(dir, 'data-2') });
const acting = new Firecrawl({ apiKey: 'token-of-ann', apiUrl: scripts });
const other = new Firecrawl({ apiKey: 'token-of-bob', apiUrl: scripts });
const seen = await readme('scrape with actions', () => acting.scrape(`${origin}/form`, { actions: [{ type: 'click', selector: '#go' }] }), (d) => d.metadata.scrapeId);
await readme('interact', () => acting.interact(seen.metadata.scrapeId, { code: 'console.log(await page.url())', language: 'node', timeout: 60 }), (r) => r.success && r.stdout === `${origin}/form\n`);
await check('interact: forms, elements and values', () => acting.interact(seen.metadata.scrapeId, { code: `await page.fill('#name', 'Ada'); await page.click('#go'); const said = await page.locator('#out').textContent(); console.error(await page.title()); return { said, inputs: await page.$$eval('input', (all) => all.length), sum: await page.evaluate((n) => n + 1, 2) };` }), (r) => r.result.said === 'Hello Ada' && r.result.inputs === 1 && r.result.sum === 3 && r.stderr === 'Form\n');
await check('interact: another page', () => acting.interact(seen.metadata.scrapeId, { code: `await page.goto('${light}'); const h = await page.innerText('h1'); await page.goBack(); return [h, page.url()]` }), (r) => r.result[0] === 'Light 3' && r.result[1] === `${origin}/form`);
await check('interact: an error of the code', () => acting.interact(seen.metadata.scrapeId, { code: `await page.click('#nowhere')` }), (r) => !r.success && r.exitCode === 1 && r.error.includes('#nowhere'));
await check('interact: what the page does not have', () => acting.interact(seen.metadata.scrapeId, { code: 'await page.dragAndDrop("a", "b")' }), (r) => r.error.includes('page.dragAndDrop is unsupported'));
await check('interact: a private address', () => acting.interact(seen.metadata.scrapeId, { code: `await page.goto('http://10.0.0.1/')` }), (r) => r.error.includes('10.0.0.1'));
await check('interact: too long', () => acting.interact(seen.metadata.scrapeId, { code: 'await new Promise(() => {})', timeout: 1 }), (r) => r.killed && !r.success);
await check("another's session", () => other.interact(seen.metadata.scrapeId, { code: '1' }), refuses(404, 'does not exist'));
await readme('stopInteraction', () => acting.stopInteraction(seen.metadata.scrapeId), (r) => r.success && r.sessionDurationMs > 0);
await check('interact where scripts are not allowed', async () => { const d = await ann.scrape(light); return ann.interact(d.metadata.scrapeId, { code: '1' }); }, refuses(403, 'WEB_ALLOW_SCRIPT'));
await readme('watch a crawl', async () => { const j = await ann.startCrawl(origin, { excludePaths: ['blog/*'], limit: 12 }); return watched(j.id, 'crawl'); }, (w) => w.status === 'completed' && w.documents.length === 12 && w.documents.every((d) => d.markdown) && w.socket === 'token-of-ann');
await check("watch another's crawl", async () => { const j = await bob.startCrawl(origin, { limit: 1 }); return watched(j.id, 'crawl'); }, (w) => w.error);
await readme('batchScrape', () => ann.batchScrape([light, `${origin}/light/4`], { pollInterval: 1, options: { formats: ['markdown', 'html'] } }), (b) => b.data.length === 2 && b.data[0].html);
const batch2 = await readme('startBatchScrape', () => ann.startBatchScrape([light, `${origin}/light/4`], { options: { formats: ['markdown', 'html'] } }), has('id'));
await readme('watch a batch', () => watched(batch2.id, 'batch'), (w) => w.status === 'completed' && w.documents.length === 2 && w.documents[0].html);
await readme('v1.scrapeUrl', () => ann.v1.scrapeUrl(light, { formats: ['markdown', 'html'] }), (d) => d.success && d.markdown && d.html);
await readme('v1.crawlUrl', () => ann.v1.crawlUrl(origin, { limit: 2 }, 1), (c) => c.success && c.data.length === 2);
await readme('v1.mapUrl', () => ann.v1.mapUrl(origin, {}), (m) => m.success && typeof m.links[0] === 'string');
await refused('README', 'search Alexandria', () => ann.search('x', { sources: ['web', 'alexandria'], domainTools: true }), 'domainTools is unsupported');
await refused('README', 'findTools', () => ann.findTools({ providers: ['particle'], limit: 2 }), 'alexandria is unsupported');
await refused('README', 'scrape({ alexandria: next })', () => ann.scrape({ alexandria: { provider: 'particle', capability: 'x' } }), 'alexandria is unsupported');
await refused('README', 'scrape({ alexandria, requestId })', () => ann.scrape({ alexandria: [{ provider: 'particle', capability: 'x', options: {} }], requestId: 'a' }), 'alexandria is unsupported');

// The methods of the client of version 2, without those that the README calls.
await method('cancelCrawl', async () => { const j = await ann.startCrawl(origin, { limit: 100 }); return ann.cancelCrawl(j.id); }, (c) => c === true);
await method('getCrawlErrors', () => ann.getCrawlErrors(begun.id), (e) => Array.isArray(e.errors));
await method('getActiveCrawls', () => ann.getActiveCrawls(), (a) => Array.isArray(a.crawls));
await method('crawlParamsPreview', () => ann.crawlParamsPreview(origin, 'only the lights'), (o) => o.includePaths[0] === '^/light/' && o.limit === 3);
await method('getBatchScrapeStatus', () => ann.getBatchScrapeStatus(batch2.id), (b) => b.data.length === 2);
await method('getBatchScrapeErrors', () => ann.getBatchScrapeErrors(batch2.id), (e) => e.errors.length === 0);
await method('cancelBatchScrape', async () => { const j = await ann.startBatchScrape([`${origin}/never`]); return ann.cancelBatchScrape(j.id); }, (c) => c === true);
const taken = await method('startExtract', () => ann.startExtract({ urls: [light], prompt: 'height' }), has('id'));
await method('getExtractStatus', () => ann.getExtractStatus(taken.id), has('status'));
await method('startAgent', () => ann.startAgent({ prompt: 'height', urls: [light], effort: 'low', maxCredits: 5 }), has('id'));
await method('listAgents', () => ann.listAgents(), (l) => l.agents.length > 0 && l.agents[0].options.prompt);
await method('agent', () => ann.agent({ prompt: 'How high is light 3?', urls: [light], effort: 'low', pollInterval: 1 }), (a) => a.status === 'completed');
await method('getAgentStatus', async () => ann.getAgentStatus((await ann.listAgents()).agents[0].id), has('status'));
await method('cancelAgent', async () => { const a = await ann.startAgent({ prompt: 'x', urls: [`${origin}/never`], effort: 'low' }); return ann.cancelAgent(a.id); }, (c) => c === true);
await refused('method', 'getAgentTrace', () => ann.getAgentTrace('x'), 'getAgentTrace');
await refused('method', 'getAgentSnapshot', () => ann.getAgentSnapshot('x', 'y'), 'getAgentSnapshot');
await refused('method', 'getAgentThread', () => ann.getAgentThread('x'), 'getAgentThread');
await refused('method', 'feedback', () => ann.feedback({ endpoint: 'scrape', jobId: 'x', rating: 'good' }), 'feedback is unsupported');
await refused('method', 'searchFeedback', () => ann.searchFeedback('x', { rating: 'good' }), 'searchFeedback is unsupported');
await refused('method', 'research.searchGithub', () => ann.research.searchGithub('x'), 'searchGithub is unsupported');
const session = await method('browser', () => acting.browser({ ttl: 60, activityTtl: 30 }), has('id'));
await method('listBrowsers', () => acting.listBrowsers({ status: 'active' }), (l) => l.sessions.some((s) => s.id === session.id));
await method('browserExecute', () => acting.browserExecute(session.id, { code: `await page.goto('${light}'); return page.title()`, language: 'node', timeout: 30 }), (r) => r.result === 'Light 3');
await method('deleteBrowser', () => acting.deleteBrowser(session.id), (r) => r.success);
await check('a session that has ended', () => acting.browserExecute(session.id, { code: '1', language: 'node' }), refuses(404, 'does not exist'));
await method('scrapeExecute', async () => { const d = await acting.scrape(light); const r = await acting.scrapeExecute(d.metadata.scrapeId, { code: 'return page.url()' }); await acting.stopInteractiveBrowser(d.metadata.scrapeId); return r; }, (r) => r.result === light);
await method('stopInteractiveBrowser', async () => { const d = await acting.scrape(light); await acting.interact(d.metadata.scrapeId, { code: '1' }); return acting.stopInteractiveBrowser(d.metadata.scrapeId); }, (r) => r.success);
await method('deleteScrapeBrowser', async () => { const d = await acting.scrape(light); await acting.interact(d.metadata.scrapeId, { code: '1' }); return acting.deleteScrapeBrowser(d.metadata.scrapeId); }, (r) => r.success);
await method('getConcurrency', () => ann.getConcurrency(), (c) => c.concurrency >= 0 && c.maxConcurrency > 0);
await method('getQueueStatus', () => ann.getQueueStatus(), (q) => q.success && q.jobsInQueue >= 0 && q.mostRecentSuccess);
await method('getCreditUsage', () => ann.getCreditUsage(), (c) => c.remainingCredits > 1e15);
await method('getTokenUsage', () => ann.getTokenUsage(), (c) => c.remainingTokens > 1e15);
await method('getCreditUsageHistorical', () => ann.getCreditUsageHistorical(), (c) => c.periods.length === 0);
await method('getTokenUsageHistorical', () => ann.getTokenUsageHistorical(), (c) => c.periods.length === 0);
const monitor = await method('createMonitor', () => ann.createMonitor({ name: 'lights', schedule: { text: 'every 30 minutes' }, targets: [{ type: 'scrape', urls: [light] }] }), (m) => m.name === 'lights' && m.status === 'active' && m.targets[0].urls[0] === light);
await method('listMonitors', () => ann.listMonitors({ limit: 10 }), (l) => l.some((m) => m.id === monitor.id && m.name === 'lights'));
await method('getMonitor', () => ann.getMonitor(monitor.id), (m) => m.schedule.text === 'every 30 minutes');
let rounds = await ann.listMonitorChecks(monitor.id);
for (let i = 0; rounds.length === 0 && i < 300; i++) { await new Promise((resolve) => setTimeout(resolve, 100)); rounds = await ann.listMonitorChecks(monitor.id); }
await method('listMonitorChecks', () => ann.listMonitorChecks(monitor.id, { limit: 5 }), (l) => l[0].status === 'completed' && l[0].summary.totalPages === 1);
await method('getMonitorCheck', () => ann.getMonitorCheck(monitor.id, rounds[0].id), (c) => c.monitorId === monitor.id && c.pages.length === 0);
await method('updateMonitor', () => ann.updateMonitor(monitor.id, { name: 'x', schedule: { cron: '0 9 * * *', timezone: 'Asia/Tokyo' }, goal: null }), (m) => m.name === 'x' && m.targets[0].urls[0] === light && new Date(m.nextRunAt).getUTCHours() === 0);
await check('a monitor that is paused', async () => { const m = await ann.updateMonitor(monitor.id, { status: 'paused' }); await ann.runMonitor(monitor.id).catch(() => { m.refused = true; }); await ann.updateMonitor(monitor.id, { status: 'active' }); return m; }, (m) => m.status === 'paused' && !m.nextRunAt && m.refused);
await method('runMonitor', async () => { let c = await ann.runMonitor(monitor.id); const { id } = c; for (let i = 0; c.status !== 'completed' && i < 300; i++) { await new Promise((resolve) => setTimeout(resolve, 100)); c = await ann.getMonitorCheck(monitor.id, id); } return c; }, (c) => c.status === 'completed' && c.trigger === 'manual' && c.summary.totalPages === 1);
await check("another's monitor", () => bob.getMonitor(monitor.id), refuses(404, 'does not exist'));
await method('deleteMonitor', () => ann.deleteMonitor(monitor.id), (d) => d === true);
for (const [name, call] of Object.entries({
  scrapeUrl: () => ann.scrapeUrl(light), crawlUrl: () => ann.crawlUrl(origin, { limit: 1, pollInterval: 1 }), asyncCrawlUrl: () => ann.asyncCrawlUrl(origin, { limit: 1 }), checkCrawlStatus: () => ann.checkCrawlStatus(begun.id), checkCrawlErrors: () => ann.checkCrawlErrors(begun.id), mapUrl: () => ann.mapUrl(origin),
  batchScrapeUrls: () => ann.batchScrapeUrls([light], { pollInterval: 1 }), asyncBatchScrapeUrls: () => ann.asyncBatchScrapeUrls([light]), checkBatchScrapeStatus: () => ann.checkBatchScrapeStatus(batch2.id), checkBatchScrapeErrors: () => ann.checkBatchScrapeErrors(batch2.id),
})) await method(name, call, (r) => r && !r.thrown);

// The option forms of its types: of each the value that asks for something.
const scraping = (options, name) => option(`scrape ${name}`, () => ann.scrape(light, options), (d) => d.metadata && !d.thrown);
const no = (name, options, text = name) => refused('option', `scrape ${name}`, () => ann.scrape(light, options), text);
for (const f of ['markdown', 'html', 'rawHtml', 'links', 'images', 'screenshot', 'summary', 'changeTracking']) await scraping({ formats: [f] }, `format ${f}`);
await option('scrape format branding', () => ann.scrape(`${origin}/shop`, { formats: ['branding'] }), (d) => d.branding.brandName === 'Sund');
await option('scrape format product', () => ann.scrape(`${origin}/shop`, { formats: [{ type: 'product' }] }), has('product'));
await option('scrape format menu', () => ann.scrape(`${origin}/menu`, { formats: [{ type: 'menu' }] }), has('menu'));
await option('scrape format video', () => ann.scrape(`${origin}/watch`, { formats: ['video'] }), (d) => d.video === `${origin}/tides.mp4`);
await option('scrape format audio', () => ann.scrape(light, { formats: ['audio'] }), refuses(422, 'the page states no audio'));
await scraping({ formats: [{ type: 'json', prompt: 'height', schema: { type: 'object', properties: { height: { type: 'string' } } } }] }, 'format json (prompt, schema)');
await scraping({ formats: [{ type: 'json', prompt: 'height', schema: z.object({ height: z.string() }) }] }, 'format json (zod)');
await no('format json (checkPromptInjection)', { formats: [{ type: 'json', prompt: 'x', checkPromptInjection: true }] }, 'checkPromptInjection');
await scraping({ formats: [{ type: 'screenshot', fullPage: true }] }, 'format screenshot (fullPage)');
await scraping({ formats: [{ type: 'screenshot', viewport: { width: 800, height: 600 } }] }, 'format screenshot (viewport)');
await option('scrape format screenshot (quality)', () => ann.scrape(light, { formats: [{ type: 'screenshot', quality: 50 }] }), (d) => d.screenshot.endsWith('.jpg'));
await scraping({ formats: [{ type: 'changeTracking', modes: ['git-diff'] }] }, 'format changeTracking (git-diff)');
await scraping({ formats: [{ type: 'changeTracking', modes: ['json'], schema: { type: 'object', properties: { height: { type: 'string' } } }, prompt: 'x' }] }, 'format changeTracking (json, schema, prompt)');
await no('format changeTracking (tag)', { formats: [{ type: 'changeTracking', modes: ['git-diff'], tag: 'a' }] }, 'tag');
await scraping({ formats: [{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }] }, 'format attributes');
await scraping({ formats: [{ type: 'question', question: 'How high?' }] }, 'format question');
await scraping({ formats: [{ type: 'highlights', query: 'storm' }] }, 'format highlights');
await scraping({ formats: [{ type: 'query', prompt: 'How high?' }] }, 'format query (freeform)');
await scraping({ formats: [{ type: 'query', prompt: 'storm', mode: 'directQuote' }] }, 'format query (directQuote)');
await scraping({ headers: { 'Accept-Language': 'de' } }, 'headers');
await scraping({ includeTags: ['main'] }, 'includeTags');
await scraping({ excludeTags: ['.height'] }, 'excludeTags');
await scraping({ onlyMainContent: false }, 'onlyMainContent');
await scraping({ timeout: 30000 }, 'timeout');
await scraping({ waitFor: 100 }, 'waitFor');
await scraping({ mobile: true }, 'mobile');
await scraping({ parsers: ['pdf'] }, 'parsers pdf');
await scraping({ parsers: ['image'] }, 'parsers image');
await scraping({ fastMode: true }, 'fastMode');
const audited = (name, call) => option(`${name} auditMetadata`, async () => { await call({ auditMetadata: { username: `eve of ${name}` } }); for (let i = 0; i < 100 && !fs.readFileSync(path.join(dir, 'data', 'audit.jsonl'), 'utf8').includes(`eve of ${name}`); i++) await new Promise((resolve) => setTimeout(resolve, 100)); return fs.readFileSync(path.join(dir, 'data', 'audit.jsonl'), 'utf8'); }, (log) => log.split('\n').some((line) => line.includes(`"user":"eve of ${name}"`) && line.includes('"owner":"ann"')));
await audited('scrape', (o) => ann.scrape(light, o));
await audited('map', (o) => ann.map(origin, o));
await audited('agent', (o) => ann.agent({ prompt: 'How high is light 3?', urls: [light], effort: 'low', pollInterval: 1, ...o }));
await option('scrape lockdown', async () => { const d = await ann.scrape(`${origin}/clock`, { lockdown: true }); return { d, look: looks, gone: await ann.scrape(`${origin}/light/149`, { lockdown: true }).catch((e) => e) }; }, (r) => r.d.metadata.cacheState === 'hit' && r.d.markdown.includes(`look ${r.look - 1} `) && r.gone.status === 422);
await option('scrape minAge', async () => { const d = await ann.scrape(light, { minAge: 1 }); return { d, young: await ann.scrape(light, { minAge: 86400000 }).catch((e) => e) }; }, (r) => r.d.metadata.cacheState === 'hit' && r.young.status === 422);
for (const [name, action] of Object.entries({ wait: { type: 'wait', milliseconds: 10 }, 'wait (selector)': { type: 'wait', selector: 'a' }, screenshot: { type: 'screenshot' }, 'screenshot (fullPage)': { type: 'screenshot', fullPage: true }, click: { type: 'click', selector: 'a' }, press: { type: 'press', key: 'Tab' }, scroll: { type: 'scroll', direction: 'down' }, 'scroll (selector)': { type: 'scroll', direction: 'down', selector: 'a' }, scrape: { type: 'scrape' }, pdf: { type: 'pdf' } })) await scraping({ actions: [action] }, `action ${name}`);
await option('scrape action write', () => ann.scrape(`${origin}/form`, { actions: [{ type: 'click', selector: '#name' }, { type: 'write', text: 'Ada' }] }), has('markdown'));
await option('scrape action executeJavascript', () => acting.scrape(light, { actions: [{ type: 'executeJavascript', script: '1 + 1' }] }), (d) => d.actions.javascriptReturns[0].value === 2);
await scraping({ actions: [{ type: 'pdf', format: 'A5', landscape: true, scale: 0.8 }] }, 'action pdf (format, landscape, scale)');
await option('scrape action screenshot (quality)', () => ann.scrape(light, { actions: [{ type: 'screenshot', quality: 50 }] }), (d) => d.actions.screenshots[0].endsWith('.jpg'));
await scraping({ location: { languages: ['de'] } }, 'location (languages)');
await no('location (country)', { location: { country: 'US' } }, 'country');
await scraping({ maxAge: 60000 }, 'maxAge');
await scraping({ integration: 'x', origin: 'y' }, 'integration, origin');
await scraping({ autoResume: false }, 'autoResume');
await scraping({ removeBase64Images: true, blockAds: true, storeInCache: true, proxy: 'auto' }, 'removeBase64Images, blockAds, storeInCache, proxy (auto)');
for (const [name, options] of Object.entries({ 'parsers (mode, pages, blocks)': { parsers: [{ type: 'pdf', pages: true }] }, skipTlsVerification: { skipTlsVerification: true }, useMock: { useMock: 'x' }, redactPII: { redactPII: true }, threatProtection: { threatProtection: { mode: 'normal' } }, domainTools: { domainTools: true }, toolDetail: { toolDetail: 'full' }, 'proxy (stealth)': { proxy: 'stealth' } })) await no(name, options, name.split(' ')[0]);
const crawling = (name, options) => option(`crawl ${name}`, async () => { const j = await ann.startCrawl(origin, { limit: 1, ...options }); await ann.cancelCrawl(j.id).catch(() => {}); return j; }, has('id'));
const noCrawl = (name, options) => refused('option', `crawl ${name}`, () => ann.startCrawl(origin, options), name);
await option('crawl prompt', () => ann.crawl(origin, { prompt: 'only the lights', limit: 2, pollInterval: 1 }), (c) => c.data.length === 2 && c.data.every((d) => d.metadata.url === `${origin}/` || d.metadata.url.includes('/light/')));
await option('crawl includePaths, excludePaths', () => ann.crawl(origin, { includePaths: ['/light/1[0-9]$'], excludePaths: ['/light/1[1-8]'], pollInterval: 1 }), (c) => c.data.every((d) => d.metadata.url === `${origin}/` || /\/light\/1[09]$/.test(d.metadata.url)) && c.data.length >= 2);
await option('crawl regexOnFullURL', () => ann.crawl(origin, { includePaths: ['^http://127[.]0[.]0[.]1:\\d+/light/(2|3)$'], regexOnFullURL: true, pollInterval: 1 }), (c) => c.data.length === 3);
await option('crawl sitemap skip', () => ann.crawl(origin, { sitemap: 'skip', maxDiscoveryDepth: 1, limit: 20, pollInterval: 1 }), (c) => c.data.some((d) => d.metadata.url.endsWith('/other/3')) && c.data.length === 3);
await option('crawl sitemap only', () => ann.crawl(origin, { sitemap: 'only', limit: 200, pollInterval: 1 }), (c) => !c.data.some((d) => d.metadata.url.includes('/other/')) && c.data.length > 100);
await option('crawl ignoreQueryParameters', () => ann.crawl(`${origin}/queries`, { ignoreQueryParameters: true, sitemap: 'skip', limit: 20, crawlEntireDomain: true, maxDiscoveryDepth: 1, pollInterval: 1 }), (c) => c.data.length === 2 && c.data.every((d) => !d.metadata.url.includes('?')));
const fresh = new Firecrawl({ apiKey: 'token-of-ann', apiUrl: await serve({ WEB_DATA_DIR: path.join(dir, 'fresh') }) }); // with nothing in its cache
await option('crawl delay', async () => { const from = Date.now(); const c = await fresh.crawl(origin, { delay: 1.5, limit: 4, pollInterval: 1 }); return { c, took: Date.now() - from }; }, (r) => r.c.data.length === 4 && r.took > 2900);
for (const [name, options] of Object.entries({ maxDiscoveryDepth: { maxDiscoveryDepth: 1 }, limit: { limit: 1 }, crawlEntireDomain: { crawlEntireDomain: true }, allowSubdomains: { allowSubdomains: true }, maxConcurrency: { maxConcurrency: 1 }, webhook: { webhook: `${origin}/hook` }, 'webhook (events, metadata)': { webhook: { url: `${origin}/hook`, events: ['completed'], metadata: { a: 'b' } } }, scrapeOptions: { scrapeOptions: { formats: ['links'] } }, 'integration, origin': { integration: 'x', origin: 'y' }, 'deduplicateSimilarURLs (true)': { deduplicateSimilarURLs: true } })) await crawling(name, options);
await option('crawl deduplicateSimilarURLs', () => ann.crawl(`${origin}/twins`, { deduplicateSimilarURLs: false, sitemap: 'skip', crawlEntireDomain: true, maxDiscoveryDepth: 1, pollInterval: 1 }), (c) => c.data.filter((d) => d.metadata.url.includes('/twin/')).length === 2);
await option('crawl allowExternalLinks', () => ann.crawl(`${origin}/out`, { allowExternalLinks: true, sitemap: 'skip', crawlEntireDomain: true, maxDiscoveryDepth: 1, pollInterval: 1 }), (c) => c.data.some((d) => d.metadata.url.includes('//localhost:')));
for (const [name, options] of Object.entries({ robotsUserAgent: { robotsUserAgent: 'x' }, zeroDataRetention: { zeroDataRetention: true }, headers: { webhook: { url: `${origin}/hook`, headers: { a: 'b' } } } })) await noCrawl(name, options);
const batching = (name, options) => option(`batch ${name}`, () => ann.startBatchScrape([light], options), has('id'));
for (const [name, options] of Object.entries({ options: { options: { formats: ['html'] } }, webhook: { webhook: `${origin}/hook` }, maxConcurrency: { maxConcurrency: 2 }, 'integration, origin': { integration: 'x', origin: 'y' } })) await batching(name, options);
await option('batch ignoreInvalidURLs', () => ann.startBatchScrape([light, 'http://'], { ignoreInvalidURLs: true }), (b) => b.invalidURLs.length === 1);
await option('batch idempotencyKey', async () => [await ann.startBatchScrape([light], { idempotencyKey: 'k1' }), await ann.startBatchScrape([light], { idempotencyKey: 'k1' }), await ann.startBatchScrape([light], { idempotencyKey: 'k2' })], (b) => b[0].id === b[1].id && b[2].id !== b[0].id);
await check('batch: an idempotency key of another request', () => ann.startBatchScrape([origin], { idempotencyKey: 'k1' }), refuses(409, 'was used for another request'));
await option('batch appendToId', async () => { const j = await ann.batchScrape([light], { pollInterval: 1 }); const more = await ann.startBatchScrape([`${origin}/light/4`, `${origin}/light/5`], { appendToId: j.id }); let s; do { s = await ann.getBatchScrapeStatus(j.id); } while (s.status === 'scraping'); return { same: more.id === j.id, ...s }; }, (b) => b.same && b.data.length === 3);
await refused('option', 'batch zeroDataRetention', () => ann.startBatchScrape([light], { zeroDataRetention: true }), 'zeroDataRetention');
const pagination = (name, p, n) => option(`pagination ${name}`, () => ann.getCrawlStatus(job.id, p), (c) => c.data.length === n);
await pagination('autoPaginate', { autoPaginate: false }, 100);
await pagination('maxResults', { maxResults: 110 }, 110);
await pagination('maxPages', { maxPages: 1 }, 130);
await pagination('maxWaitTime', { maxWaitTime: 60 }, 130);
for (const [name, options] of Object.entries({ search: { search: 'light 17' }, 'sitemap only': { sitemap: 'only' }, 'sitemap skip': { sitemap: 'skip' }, includeSubdomains: { includeSubdomains: false }, ignoreQueryParameters: { ignoreQueryParameters: false }, limit: { limit: 5 }, timeout: { timeout: 30000 }, 'integration, origin': { integration: 'x', origin: 'y' } })) await option(`map ${name}`, () => ann.map(origin, options), (m) => m.links.length > 0);
for (const [name, options] of Object.entries({ location: { location: { country: 'US' } }, threatProtection: { threatProtection: { mode: 'normal' } } })) await refused('option', `map ${name}`, () => ann.map(origin, options), name);
for (const [name, options] of Object.entries({ 'sources (web, news, images)': { sources: ['web', 'news', { type: 'images' }] }, 'categories (github, research, pdf)': { categories: ['github', { type: 'research' }, 'pdf'] }, includeDomains: { includeDomains: ['127.0.0.1'] }, excludeDomains: { excludeDomains: ['x.example'] }, 'developer of categories': { categories: ['developer'] }, limit: { limit: 1 }, tbs: { tbs: 'qdr:w' }, country: { country: 'DE' }, ignoreInvalidURLs: { ignoreInvalidURLs: true }, timeout: { timeout: 30000 }, scrapeOptions: { scrapeOptions: { formats: ['links'] } }, 'integration, origin': { integration: 'x', origin: 'y' } })) await option(`search ${name}`, () => ann.search('lights', options), (s) => Array.isArray(s.web));
await option('search highlights', () => ann.search('storm 32 before dawn', { highlights: true }), (s) => s.web[0].description.includes('storm 32'));
for (const [name, options] of Object.entries({ 'alexandria of sources': { sources: ['alexandria'] }, location: { location: 'Berlin' }, enterprise: { enterprise: ['zdr'] }, threatProtection: { threatProtection: { mode: 'normal' } }, toolDetail: { toolDetail: 'full' } })) await refused('option', `search ${name}`, () => ann.search('lights', options), name.split(' ')[0]);
const asking = (name, options) => option(`agent ${name}`, () => ann.startAgent({ prompt: 'height', urls: [light], ...options }), has('id'));
for (const [name, options] of Object.entries({ urls: {}, 'schema (zod)': { schema: z.object({ height: z.string() }) }, effort: { effort: 'high' }, maxCredits: { maxCredits: 3 }, strictConstrainToURLs: { strictConstrainToURLs: true }, 'mode (extract)': { mode: 'extract' }, webhook: { webhook: { url: `${origin}/hook`, events: ['completed'], metadata: { run: 'one' } } }, 'integration, origin': { integration: 'x', origin: 'y' } })) await asking(name, options);
await option('agent mode', () => ann.agent({ prompt: 'How high is light 3?', urls: [light], effort: 'low', mode: 'chat', pollInterval: 1 }), (a) => a.message.includes('3 metres'));
await option('agent threadId', async () => { const a = await ann.startAgent({ prompt: 'How high is it?', urls: [light], effort: 'low' }); return ann.agent({ prompt: 'And now?', urls: [light], effort: 'low', threadId: a.threadId, pollInterval: 1 }); }, (a) => a.threadTurn === 2);
await check('the webhook of an agent', async () => { for (let i = 0; !messages.some((m) => m.type === 'agent.completed') && i < 100; i++) await new Promise((resolve) => setTimeout(resolve, 100)); return messages.find((m) => m.type === 'agent.completed'); }, (m) => m.metadata.run === 'one' && m.data[0].data);
for (const [name, options] of Object.entries({ model: { model: 'spark-2' }, exchange: { exchange: { enabled: true } }, threatProtection: { threatProtection: { mode: 'normal' } } })) await refused('option', `agent ${name}`, () => ann.startAgent({ prompt: 'x', ...options }), name);
for (const [name, options] of Object.entries({ prompt: {}, schema: { schema: { type: 'object', properties: { height: { type: 'string' } } } }, systemPrompt: { systemPrompt: 'Be short.' }, enableWebSearch: { enableWebSearch: true }, showSources: { showSources: true }, ignoreInvalidURLs: { ignoreInvalidURLs: true } })) await option(`extract ${name}`, () => ann.startExtract({ urls: [light], prompt: 'height', ...options }), has('id'));
for (const [name, options] of Object.entries({ allowExternalLinks: { allowExternalLinks: true }, scrapeOptions: { scrapeOptions: { formats: ['html'] } }, agent: { agent: { model: 'FIRE-1' } } })) await refused('option', `extract ${name}`, () => ann.startExtract({ urls: [light], prompt: 'x', ...options }), name);
const file = (type) => ({ data: fs.readFileSync(new URL(import.meta.url)), filename: 'check.mjs', contentType: type });
await option('parse a Buffer', () => ann.parse({ data: Buffer.from('# Hello\n\nThis is a document of several words.'), filename: 'a.md' }), (d) => d.markdown.includes('Hello'));
await option('parse formats', () => ann.parse({ data: `<title>T</title><main><h1>T</h1>${words(3)}<a href="https://a.example/">A</a></main>`, filename: 'a.html', contentType: 'text/html' }, { formats: ['html', 'rawHtml', { type: 'attributes', selectors: [{ selector: 'a', attribute: 'href' }] }, { type: 'highlights', query: 'storm 93' }] }), (d) => d.html && d.rawHtml && d.attributes[0].values[0] === 'https://a.example/' && d.highlights.includes('storm 93'));
await option('parse onlyMainContent, includeTags, excludeTags', () => ann.parse({ data: `<nav>Home</nav><main><h1>T</h1>${words(3)}<p class="x">gone</p></main>`, filename: 'a.html' }, { includeTags: ['main'], excludeTags: ['.x'], timeout: 30000 }), (d) => d.markdown.includes('storm') && !d.markdown.includes('gone') && !d.markdown.includes('Home'));
await option('parse format summary', () => ann.parse(file('text/plain'), { formats: ['summary'] }), (d) => d.summary.includes('3 metres'));
const kept = { name: 'shop', saveChanges: true };
await option('scrape profile', async () => { await acting.scrape(`${origin}/basket?add=1`, { profile: kept }); return acting.scrape(`${origin}/basket`, { profile: { ...kept, saveChanges: false } }); }, (d) => d.markdown.includes('It has 1 things'));
await option('browser profile', async () => { const b = await acting.browser({ profile: kept }); try { return await acting.browserExecute(b.id, { code: `await page.goto('${origin}/basket'); return page.innerText('p.n')`, language: 'node' }); } finally { await acting.deleteBrowser(b.id); } }, (r) => r.result === 'It has 1 things in it.');
await option('browser streamWebView', async () => { const b = await acting.browser({ streamWebView: true }); await acting.deleteBrowser(b.id); return { b, status: (await fetch(b.liveViewUrl, { headers: { authorization: 'Bearer token-of-ann' }, redirect: 'manual' })).status }; }, (r) => r.status < 400);
await refused('option', 'execute language python, bash', async () => { const b = await acting.browser(); try { return await acting.browserExecute(b.id, { code: 'ls', language: 'python' }); } finally { await acting.deleteBrowser(b.id); } }, 'language');
await option('interact prompt', () => acting.interact(seen.metadata.scrapeId, { prompt: 'How high is the light?' }), (r) => r.success && r.output.includes('3 metres'));
for (const [name, options] of Object.entries({ 'target crawl': { targets: [{ type: 'crawl', url: origin, crawlOptions: { limit: 2 } }] }, 'target search': { targets: [{ type: 'search', queries: ['lights'] }] }, 'schedule cron': { schedule: { cron: '0 9 * * 1-5' } }, webhook: { webhook: { url: `${origin}/hook` } }, goal: { goal: 'storms' }, retentionDays: { retentionDays: 3 }, timezone: { schedule: { cron: '0 9 * * *', timezone: 'Europe/Berlin' } }, targets: { targets: [{ type: 'scrape', urls: [light] }, { type: 'scrape', urls: [`${origin}/light/4`] }] } })) await option(`monitor ${name}`, async () => { const m = await ann.createMonitor({ name: 'm', schedule: { text: 'daily at 9:00' }, targets: [{ type: 'scrape', urls: [light] }], ...options }); await ann.deleteMonitor(m.id); return m; }, has('id'));
for (const [name, options] of Object.entries({ notification: { notification: { email: { enabled: true } } }, judgeEnabled: { judgeEnabled: true } })) await refused('option', `monitor ${name}`, () => ann.createMonitor({ name: 'm', schedule: { text: 'hourly' }, targets: [{ type: 'scrape', urls: [light] }], ...options }), name);

for (const s of servers) s.kill('SIGINT');
await Promise.all(servers.map((s) => s.exitCode ?? new Promise((resolve) => s.on('exit', resolve))));
site.closeAllConnections();
site.close();
fs.rmSync(dir, { recursive: true, force: true });
for (const [kind, c] of Object.entries(counts)) console.log(`${kind}: ${c.works.length} of ${Object.values(c).flat().length} work; refused by name: ${c.refused.join('; ')}${c.elsewhere.length ? `; not tried, because they ask a site: ${c.elsewhere.join('; ')}` : ''}`);
console.log(failed ? `${failed} failed` : 'all as they have to be');
process.exit(failed ? 1 : 0);
