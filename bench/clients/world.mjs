// The servers for the clients: a site, a search service and a language model, all on
// loopback, and spyhop over HTTP. The model is scripted: it calls the given tools in
// order, and records what it is shown.
import http from 'node:http';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';

const listen = (handler) => new Promise((resolve) => {
  const server = http.createServer(handler).listen(0, '127.0.0.1', () => resolve({ server, origin: `http://127.0.0.1:${server.address().port}` }));
});

const days = Array.from({ length: 120 }, (_, i) => `<p>On day ${i + 1} the ferry left the quay at <b>dawn</b>, followed the <a href="/coast">coast</a> for an hour, and met nobody but two fishermen, who waved.</p>`);
const article = `<!doctype html><html lang=en><title>The ferry & the "fog"</title><body><nav><a href=/>Home</a></nav><article><h1>The ferry & the "fog"</h1>
<p>A table, code and links have to reach a model as they are, line by line.</p>
<h2>Times</h2><table><tr><th>from</th><th>to</th></tr><tr><td>7:10</td><td>8:05</td></tr></table>
<h2>Code</h2><pre><code class="language-go">if a < b && c {
	fmt.Println("\\n")
}</code></pre><h2>Days</h2>${days.join('\n')}</article></body></html>`;

function page(q, r) {
  const url = new URL(q.url, 'http://x');
  if (url.pathname === '/search') {
    r.setHeader('content-type', 'application/json');
    r.end(JSON.stringify({ query: url.searchParams.get('q'), results: [
      { title: 'The ferry', url: 'https://example.com/ferry', content: 'It leaves at <dawn> & returns.', engine: 'double', engines: ['double'] },
    ], unresponsive_engines: [] }));
  } else if (url.pathname === '/ferry') {
    r.setHeader('content-type', 'text/html; charset=utf-8');
    r.end(article);
  } else {
    r.statusCode = 404;
    r.end('nothing here');
  }
}

// Model answers in the wire forms of OpenAI's responses and of Gemini.
export class Model {
  constructor() { this.calls = []; this.shown = []; }

  // next is the call to make now, by the name under which a client offers it.
  next(names, results) {
    if (results.length >= this.calls.length) {
      this.shown = results;
      return null;
    }
    const { tool, args } = this.calls[results.length];
    // Gemini has a web_fetch of its own.
    const name = names.find((n) => n.includes('spyhop') && n.endsWith(tool));
    if (!name) this.shown = [`no ${tool} among ${names.join(', ')}`];
    return name ? { name, args } : null;
  }

  serve(q, r) {
    let raw = '';
    q.on('data', (d) => { raw += d; });
    q.on('end', () => {
      const body = raw ? JSON.parse(raw) : {};
      if (q.url.includes('/responses')) this.responses(body, r);
      else if (q.url.includes('enerateContent')) this.gemini(body, r, q.url.includes('stream'));
      else { r.setHeader('content-type', 'application/json'); r.end('{"data":[],"models":[]}'); }
    });
  }

  responses(body, r) {
    const offered = (body.tools ?? []).flatMap((t) => (t.type === 'namespace' ? t.tools.map((u) => ({ full: t.name + u.name, name: u.name, namespace: t.name })) : [{ full: t.name ?? '', name: t.name }]));
    const results = (body.input ?? []).filter((i) => i.type === 'function_call_output').map((i) => i.output);
    const call = this.next(offered.map((o) => o.full), results);
    let item = { type: 'message', id: 'm1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done', annotations: [] }] };
    if (call) {
      const { name, namespace } = offered.find((o) => o.full === call.name);
      item = { type: 'function_call', id: `f${results.length}`, call_id: `c${results.length}`, name, namespace, arguments: JSON.stringify(call.args), status: 'completed' };
    }
    const response = { id: `r${results.length}`, object: 'response', status: 'in_progress', output: [] };
    const usage = { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 };
    r.setHeader('content-type', 'text/event-stream');
    for (const event of [
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
    ]) r.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    r.end();
  }

  gemini(body, r, stream) {
    const names = (body.tools ?? []).flatMap((t) => (t.functionDeclarations ?? []).map((f) => f.name));
    const parts = (body.contents ?? []).flatMap((c) => c.parts ?? []);
    const results = parts.filter((p) => p.functionResponse).map((p) => p.functionResponse.response);
    const call = names.length ? this.next(names, results) : null;
    const part = call ? { functionCall: { name: call.name, args: call.args } } : { text: 'done' };
    const answer = { candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }], usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } };
    r.setHeader('content-type', stream ? 'text/event-stream' : 'application/json');
    r.end(stream ? `data: ${JSON.stringify(answer)}\n\n` : JSON.stringify(answer));
  }
}

// makeWorld starts all of it; end stops it.
export async function makeWorld(spyhop) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'spyhop-clients-'));
  const site = await listen(page);
  const model = new Model();
  const llm = await listen((q, r) => model.serve(q, r));
  const env = {
    PATH: process.env.PATH, HOME: dir, WEB_DATA_DIR: path.join(dir, 'data'), WEB_ALLOW_PRIVATE: site.origin.slice('http://'.length),
    WEB_SEARCH_PROVIDER: 'searxng', SEARXNG_URL: site.origin,
  };
  const ready = path.join(dir, 'ready');
  const server = spawn(spyhop, ['serve', '--quiet', '--listen', '127.0.0.1:0', '--ready-file', ready], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  for (let i = 0; !fs.existsSync(ready); i++) {
    if (i > 200) throw new Error('spyhop serve does not get ready');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    dir, env, model, site: site.origin, llm: llm.origin, spyhop,
    url: `${fs.readFileSync(ready, 'utf8').trim()}/mcp`,
    calls: [
      { tool: 'web_fetch', args: { url: `${site.origin}/ferry` } },
      { tool: 'web_search', args: { query: 'ferry' } },
      { tool: 'web_fetch', args: { url: 'http://10.0.0.1/' } },
    ],
    async end() {
      server.kill('SIGINT');
      await new Promise((resolve) => server.on('exit', resolve));
      for (const s of [site.server, llm.server]) { s.closeAllConnections(); s.close(); }
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}
