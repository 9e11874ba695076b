// The `spyhop` program as a child process.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpyhopError } from './index.js';

export interface ServerOptions {
  /** Path of the program; the default is $SPYHOP, else `spyhop` on the PATH. */
  binary?: string;
  /** Settings as environment variables, for example { WEB_ROBOTS: 'on' }. */
  settings?: Record<string, string>;
  /** Milliseconds until the server has to listen; 20,000 by default. */
  timeout?: number;
}

export interface Server { url: string; close(): Promise<void> }

export async function startServer(options: ServerOptions): Promise<Server> {
  const program = options.binary ?? process.env.SPYHOP ?? 'spyhop';
  const folder = await mkdtemp(join(tmpdir(), 'spyhop-'));
  const ready = join(folder, 'url');
  const child = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--ready-file', ready], {
    stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...options.settings },
  });
  let said = '', failed: Error | undefined, exited = false;
  child.stderr!.on('data', (bytes) => { said = (said + bytes).slice(-500); });
  const exit = new Promise<void>((done) => {
    child.once('error', (e) => { failed = e; exited = true; done(); });
    child.once('close', () => { exited = true; done(); });
  });
  const close = async () => {
    if (!exited) child.kill();
    await exit;
    await rm(folder, { recursive: true, force: true });
  };
  for (const end = Date.now() + (options.timeout ?? 20_000); ;) {
    const url = (await readFile(ready, 'utf8').catch(() => '')).trim();
    if (url) return { url, close };
    if (exited || Date.now() > end) {
      await close();
      throw failed
        ? new SpyhopError(`cannot start ${program}: ${failed.message}`, 'InvalidInput', 'install spyhop, or give the URL of a server: new Spyhop({ url })')
        : new SpyhopError(`spyhop serve did not start: ${said.trim() || 'no message'}`, 'InternalError', 'run spyhop doctor');
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}
