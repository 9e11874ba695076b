// Runs spyhop with real MCP clients, and compares what they show a model with golden
// files:
//
//	node run.mjs --spyhop ../../bin/spyhop [--update] [--only NAME]
//
// golden/fetch.txt, search.txt and error.txt are the answers themselves;
// golden/clients.txt has what each client shows. {fetch}, {search} and {error} stand
// for an answer that is shown whole and unchanged; if a client cuts or escapes an
// answer, the file has the text that it shows.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeWorld } from './world.mjs';
import { clients } from './clients.mjs';

const { values } = parseArgs({ options: { spyhop: { type: 'string' }, update: { type: 'boolean' }, only: { type: 'string' }, golden: { type: 'string' } } });
const golden = values.golden ?? path.join(import.meta.dirname, 'golden');
const world = await makeWorld(path.resolve(values.spyhop));
world.npm = process.cwd();

// plain takes out what differs between runs.
const plain = (s) => s.replaceAll(world.site, 'http://SITE').replace(/(<untrusted text |<\/)\d{6,}>/g, '$1BOUNDARY>')
  .replace(/"cached":(true|false)/g, '"cached":BOOL').replace(/; cached/g, '').replace(/Wall time: [\d.]+/, 'Wall time: SOME');

let failed = 0;
const fail = (s) => { failed++; console.error(`FAIL ${s}`); };

// check holds the answer to web_fetch to what every client has to get.
function check(fetch) {
  const head = Buffer.from(fetch).subarray(0, 300).toString();
  for (const want of ['http://SITE/ferry', 'title "The ferry & the \\"fog\\""', 'start_index=']) {
    if (!head.includes(want)) fail(`the first 300 bytes have no ${want}: ${head}`);
  }
  for (const want of ['\n## Times\n', '\n| 7:10 | 8:05 |\n', '\n```go\nif a < b && c {\n\tfmt.Println("\\n")\n}\n```\n', 'Call web_fetch again with start_index=']) {
    if (!fetch.includes(want)) fail(`the answer has no ${JSON.stringify(want)}`);
  }
  if (Buffer.byteLength(fetch) >= 10_000) fail(`the answer has ${Buffer.byteLength(fetch)} bytes`);
}

const kinds = ['fetch', 'search', 'error'];
let answers;
const rows = [];
for (const client of clients.filter((c) => !values.only || c.name.includes(values.only) || c === clients[0])) {
  for (const way of client.ways) {
    let all;
    try {
      all = (await client.run(world, way)).map(plain);
      if (all.length !== kinds.length) throw new Error(`${all.length} answers: ${JSON.stringify(all).slice(0, 500)}`);
    } catch (e) {
      fail(`${client.name} over ${way}: ${e.stack}`);
      continue;
    }
    if (!answers) {
      answers = all.map((s) => s.replace(/^isError: /, '').split('\nstructured: ')[0]);
      check(answers[0]);
    }
    const structured = all.map((s) => kinds.reduce((t, kind, i) => t.replaceAll(answers[i], `{${kind}}`), s));
    kinds.forEach((kind, i) => rows.push(`${client.name}, ${way}, ${kind}: ${structured[i].replaceAll('\n', '\n\t')}`));
    console.log(`${client.name}, ${way}: ${structured.map((s) => s.length).join(' ')}`);
  }
}
await world.end();

const files = { ...Object.fromEntries(kinds.map((kind, i) => [`${kind}.txt`, `${answers?.[i]}\n`])), 'clients.txt': `${rows.join('\n')}\n` };
for (const [name, content] of Object.entries(files)) {
  const file = path.join(golden, name);
  if (name === 'clients.txt' && values.only) continue;
  if (values.update) fs.writeFileSync(file, content);
  else if (fs.readFileSync(file, 'utf8') !== content) {
    fs.writeFileSync(path.join(world.npm, name), content);
    fail(`${name} is not as in the golden files; this run's is in ${path.join(world.npm, name)}`);
  }
}
console.log(failed ? `${failed} failed` : 'all as in the golden files');
process.exit(failed ? 1 : 0);
