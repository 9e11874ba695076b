// Runs the blocks of docs/typescript.md on the demo site.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawn, execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

test('the blocks of docs/typescript.md', async () => {
  const page = await readFile(new URL('../../../docs/typescript.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map((m) => m[1]).filter((b) => !b.startsWith('// not run'));
  assert.ok(blocks.length >= 3);
  const demo = spawn(process.env.SPYHOP, ['demo', '--keep'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const part of demo.stdout) {
    text += part;
    if (/WEB_ALLOW_PRIVATE=\S+\n/.test(text)) break;
  }
  const site = /The site is at (\S+)\//.exec(text)[1];
  const env = { ...process.env, WEB_ALLOW_PRIVATE: /WEB_ALLOW_PRIVATE=(\S+)/.exec(text)[1], WEB_DATA_DIR: await mkdtemp(join(tmpdir(), 'spyhop-')), WEB_HOST_RATE: '1000/s' };
  const file = new URL('./block.tmp.mjs', import.meta.url);
  try {
    for (const block of blocks) {
      await writeFile(file, block.replaceAll('@spyhop/client', '../dist/index.js').replaceAll('https://go.dev/doc/effective_go', `${site}/documentation`).replaceAll('https://go.dev/doc/', `${site}/`));
      const { stdout } = await promisify(execFile)(process.execPath, [file.pathname], { env });
      assert.ok(stdout.trim(), block);
    }
  } finally {
    demo.kill();
    await rm(file, { force: true });
  }
});
