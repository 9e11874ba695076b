// Runs the MCP Inspector on spyhop, over stdio and HTTP, for each protocol revision,
// and puts load on it:
//
//	node inspect.mjs --spyhop ../../bin/spyhop
//
// The schemas must pass --strict without a message, and no call of a load may fail.
// Times are printed but not checked, because machines are shared.
import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify, parseArgs } from 'node:util';
import { makeWorld } from './world.mjs';

const { values } = parseArgs({ options: { spyhop: { type: 'string' } } });
const world = await makeWorld(path.resolve(values.spyhop));
const inspector = path.resolve('node_modules/.bin/mcp-inspector');
const run = promisify(execFile);
const inspect = (args) => run(process.execPath, [inspector, '--cli', ...args], { env: world.env, maxBuffer: 1 << 26, timeout: 120_000 });

let failed = 0;
for (const [way, target] of [['stdio', [world.spyhop, 'mcp', '--quiet']], ['http', [world.url, '--transport', 'http']]]) {
  for (const era of ['legacy', 'auto', 'modern']) {
    const name = `${way}, ${era}`;
    try {
      const list = await inspect([...target, '--protocol-era', era, '--method', 'tools/list', '--strict']);
      if (list.stderr) throw new Error(`tools/list --strict says: ${list.stderr}`);
      const load = JSON.parse((await inspect([...target, '--protocol-era', era, '--method', 'tools/call', '--tool-name', 'web_fetch',
        '--tool-arg', `url=${world.site}/ferry`, '--load', '--load-requests', '500', '--load-concurrency', '10'])).stdout);
      if (load.errorMessages.length) throw new Error(load.errorMessages.join('; '));
      const { p50, p99, max } = load.latencyMs;
      console.log(`${name}: ${JSON.parse(list.stdout).tools.length} tools, strict; 500 calls, 10 at a time: p50 ${p50} ms, p99 ${p99} ms, most ${max} ms`);
    } catch (e) {
      failed++;
      console.error(`FAIL ${name}: ${e.message}`);
    }
  }
}
await world.end();
process.exit(failed ? 1 : 0);
