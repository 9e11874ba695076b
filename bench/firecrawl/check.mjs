// Calls spyhop serve with Firecrawl's own client, which is only given another address:
//
//	node check.mjs --spyhop ../../bin/spyhop
//
// A site and a search service are on loopback. Each line is a call and whether it came to
// what it has to; docs/firecrawl.md has the table.
import http from 'node:http';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Firecrawl } from '@mendable/firecrawl-js';

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
    r.end(JSON.stringify({ query: 'x', results: [1, 2].map((i) => ({ title: `Light ${i}`, url: `${origin}/light/${i}`, content: 'A light.', engine: 'double', engines: ['double'] })), unresponsive_engines: [] }));
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
  } else if (url.pathname === '/tower/') {
    r.end(`<title>Tower</title><main><h1>Tower</h1>${words(11)}<p>The height is ${feet++} feet today.</p></main>`);
  } else if (url.pathname === '/v1/chat/completions') { // a model that has read one page
    const parts = [];
    q.on('data', (part) => parts.push(part));
    q.on('end', () => {
      const ask = JSON.parse(Buffer.concat(parts));
      r.setHeader('content-type', 'application/json');
      r.end(JSON.stringify({ model: 'double', choices: [{ message: { content: ask.response_format ? `{"height":"${JSON.stringify(ask.messages).match(/\d+ feet/)?.[0] ?? '3 metres'}"}` : 'The light is 3 metres high [1 "3 metres"].' }, finish_reason: 'stop' }], usage: { prompt_tokens: 9, completion_tokens: 9 } }));
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
const ready = path.join(dir, 'ready');
const server = spawn(path.resolve(values.spyhop), ['serve', '--quiet', '--listen', '127.0.0.1:0', '--ready-file', ready], { env, stdio: ['ignore', 'inherit', 'inherit'] });
for (let i = 0; !fs.existsSync(ready); i++) {
  if (i > 200) throw new Error('spyhop serve does not get ready');
  await new Promise((resolve) => setTimeout(resolve, 50));
}
const apiUrl = fs.readFileSync(ready, 'utf8').trim();
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
await check('scrape what this server does not have', () => ann.scrape(`${origin}/light/3`, { formats: ['branding'] }), refuses(400, 'branding'));
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
await check('crawl with external links', () => ann.startCrawl(origin, { allowExternalLinks: true }), refuses(400, 'allowExternalLinks'));
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
await check('crawl with headers for the webhook', () => ann.startCrawl(origin, { webhook: { url: `${origin}/hook`, headers: { Authorization: 'x' } } }), refuses(400, 'option headers of the webhook is unsupported'));
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

server.kill('SIGINT');
await new Promise((resolve) => server.on('exit', resolve));
site.closeAllConnections();
site.close();
fs.rmSync(dir, { recursive: true, force: true });
console.log(failed ? `${failed} failed` : 'all as they have to be');
process.exit(failed ? 1 : 0);
