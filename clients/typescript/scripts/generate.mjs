// Writes src/schema.ts, the types of the HTTP API, from /openapi.json of the program
// that $SPYHOP names.
import { writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import openapiTS, { astToString } from 'openapi-typescript';

const folder = await mkdtemp(join(tmpdir(), 'spyhop-'));
const ready = join(folder, 'url');
const server = spawn(process.env.SPYHOP ?? 'spyhop', ['serve', '--listen', '127.0.0.1:0', '--ready-file', ready], {
  stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, WEB_DATA_DIR: folder },
});
const ended = once(server, 'exit').then(([code]) => { throw new Error(`spyhop serve ended with ${code}`); });
ended.catch(() => {});
const url = await Promise.race([ended, (async () => {
  for (;;) {
    const text = await readFile(ready, 'utf8').catch(() => '');
    if (text.trim()) return text.trim();
    await new Promise((done) => setTimeout(done, 20));
  }
})()]);
const response = await fetch(`${url}/openapi.json`);
await writeFile(new URL('../src/schema.ts', import.meta.url),
  '// Written by scripts/generate.mjs from /openapi.json. Do not edit.\n' + astToString(await openapiTS(await response.json())));
server.kill();
