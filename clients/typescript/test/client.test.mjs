// Runs the client and the examples against the real program and its demo site. $SPYHOP is the program.
import { test, before, after } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV2 } from 'ai/test';
import { Spyhop, SpyhopError } from '../dist/index.js';
import { tools as forAI } from '../examples/ai-sdk.mjs';
import { tools as forLangChain } from '../examples/langchain.mjs';

let demo, site, web, settings;

before(async () => {
  demo = spawn(process.env.SPYHOP, ['demo', '--keep'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const part of demo.stdout) {
    text += part;
    if (/WEB_ALLOW_PRIVATE=\S+\n/.test(text)) break;
  }
  site = /The site is at (\S+)\//.exec(text)[1];
  settings = {
    WEB_ALLOW_PRIVATE: /WEB_ALLOW_PRIVATE=(\S+)/.exec(text)[1], WEB_DATA_DIR: await mkdtemp(join(tmpdir(), 'spyhop-')), WEB_HOST_RATE: '1000/s',
    SEARXNG_URL: site, WEB_SEARCH_PROVIDER: 'searxng',
  };
  web = await Spyhop.start({ settings });
});

after(async () => {
  await web?.close();
  demo?.kill();
});

test('fetch', async () => {
  const page = await web.fetch(`${site}/documentation`, { query: 'exit status' });
  assert.equal(page.title, 'Reading the sightings feed');
  assert.match(page.markdown, /Exit status/);
  const schema = { type: 'object', properties: { title: { type: 'string', 'x-selector': 'h1' } } };
  assert.deepEqual(JSON.parse((await web.fetch(`${site}/documentation`, { schema })).content), { title: 'Reading the sightings feed' });
});

test('search, map, crawl, batch, recall', async () => {
  assert.ok((await web.search('humpback ferry')).results[0].url);
  assert.ok((await web.map(`${site}/`)).links.some((l) => l.url === `${site}/documentation`));
  const pages = [];
  for await (const p of web.crawl(`${site}/`, { max_pages: 4 })) pages.push(p);
  assert.ok(pages.filter((p) => p.markdown).length >= 4);
  const batch = [];
  for await (const p of web.batch([`${site}/article`, `${site}/nothing-here`])) batch.push(Boolean(p.error));
  assert.deepEqual(batch.sort(), [false, true]);
  assert.ok((await web.recall('humpback ferry')).pages[0].passages[0].text);
  assert.equal((await web.api.GET('/v1/crawls/{id}', { params: { path: { id: 'c1' } } })).data.state, 'done');
});

test('errors', async () => {
  const fails = (call, type, hint) => assert.rejects(call, (e) => e instanceof SpyhopError && e.type === type && hint.test(e.hint));
  await fails(web.fetch('http://169.254.169.254/'), 'Blocked', /./);
  await fails(web.fetch(`${site}/article`, { mod: 'text' }), 'InvalidInput', /mode/);
  await fails(new Spyhop({ url: 'http://127.0.0.1:9' }).fetch('https://example.com/'), 'ConnectionError', /spyhop serve/);
  await fails(Spyhop.start({ binary: '/nowhere/spyhop' }), 'InvalidInput', /install spyhop/);
  await assert.rejects(Spyhop.start({ settings: { WEB_HTTP: 'maybe' } }), /WEB_HTTP/);
});

test('the Vercel AI SDK', async () => {
  let turn = 0;
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const model = new MockLanguageModelV2({
    doGenerate: async () => turn++ === 0
      ? { finishReason: 'tool-calls', usage, warnings: [], content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'fetch', input: JSON.stringify({ url: `${site}/documentation` }) }] }
      : { finishReason: 'stop', usage, warnings: [], content: [{ type: 'text', text: 'done' }] },
  });
  const r = await generateText({ model, prompt: 'read it', tools: forAI(web), stopWhen: stepCountIs(3) });
  assert.equal(r.text, 'done');
  assert.match(r.steps[0].toolResults[0].output, /sightings feed/);
});

test('LangChain.js', async () => {
  const [fetch, search] = forLangChain(web);
  assert.match(await fetch.invoke({ url: `${site}/documentation` }), /sightings feed/);
  assert.ok(JSON.parse(await search.invoke({ query: 'humpback ferry' })).length > 0);
});
