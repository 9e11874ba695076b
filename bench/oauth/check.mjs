// Connects MCP's own client to spyhop serve with tokens of a real authorization server
// (oidc-provider):
//
//	node check.mjs --spyhop ../../bin/spyhop
//
// The client finds the metadata by the challenge, and the server by the metadata; a machine
// then gets its token by client credentials.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import Provider from 'oidc-provider';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { discoverOAuthProtectedResourceMetadata, discoverAuthorizationServerMetadata } from '@modelcontextprotocol/sdk/client/auth.js';

const { values } = parseArgs({ options: { spyhop: { type: 'string' } } });
const free = () => new Promise((ok) => { const s = http.createServer().listen(0, '127.0.0.1', () => { const { port } = s.address(); s.close(() => ok(port)); }); });
const [idPort, webPort] = [await free(), await free()];
const issuer = `http://127.0.0.1:${idPort}`;
const resource = `http://127.0.0.1:${webPort}/mcp`;
const provider = new Provider(issuer, {
  clients: [{ client_id: 'machine', client_secret: 'a-secret-of-the-machine', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
  scopes: ['web'],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, indicator) => ({ scope: 'web', audience: indicator, accessTokenFormat: 'jwt', accessTokenTTL: 600, jwt: { sign: { alg: 'RS256' } } }),
    },
  },
});
const id = provider.listen(idPort, '127.0.0.1');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'spyhop-oauth-'));
const ready = path.join(dir, 'ready');
const server = spawn(path.resolve(values.spyhop), ['serve', '--quiet', '--listen', `127.0.0.1:${webPort}`, '--ready-file', ready], {
  env: { PATH: process.env.PATH, HOME: dir, WEB_DATA_DIR: path.join(dir, 'data'), WEB_SERVE_OAUTH_ISSUER: issuer, WEB_SERVE_OAUTH_AUDIENCE: resource, WEB_SERVE_OAUTH_SCOPES: 'web' }, stdio: ['ignore', 'inherit', 'inherit'],
});
for (let i = 0; !fs.existsSync(ready); i++) {
  if (i > 200) throw new Error('spyhop serve does not get ready');
  await new Promise((ok) => setTimeout(ok, 50));
}

let failed = 0;
async function check(name, call, ok) {
  let got;
  try { got = await call(); } catch (e) { got = { thrown: String(e.message), code: e.code }; }
  const right = (() => { try { return ok(got); } catch { return false; } })();
  if (!right) failed++;
  console.log(`${right ? 'ok  ' : 'FAIL'} ${name}${right ? '' : `: ${JSON.stringify(got)?.slice(0, 500)}`}`);
}
const token = async (audience, scope = 'web') => (await (await fetch(`${issuer}/token`, {
  method: 'POST', headers: { authorization: `Basic ${btoa('machine:a-secret-of-the-machine')}` }, body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience, scope }),
})).json()).access_token;
const connect = async (bearer) => {
  const client = new Client({ name: 'check', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(resource), { requestInit: { headers: bearer ? { authorization: `Bearer ${bearer}` } : {} } }));
  const list = await client.listTools();
  await client.close();
  return list;
};

await check('the challenge names the metadata', () => fetch(resource, { method: 'POST', body: '{}' }), (r) => r.status === 401 && r.headers.get('www-authenticate').includes(`resource_metadata="http://127.0.0.1:${webPort}/.well-known/oauth-protected-resource/mcp"`));
await check('the client finds the metadata', () => discoverOAuthProtectedResourceMetadata(resource), (m) => m.resource === resource && m.authorization_servers[0] === issuer && m.scopes_supported[0] === 'web');
await check('and the authorization server', () => discoverAuthorizationServerMetadata(issuer), (m) => m.issuer === issuer && m.jwks_uri);
await check('a token for this server', async () => connect(await token(resource)), (l) => l.tools.some((t) => t.name === 'web_fetch'));
await check('a token for another server', async () => connect(await token('https://other.example.com/mcp')), (g) => /401|another audience|Unauthorized/.test(g.thrown));
await check('no token', () => connect(''), (g) => /401|Unauthorized|missing/.test(g.thrown));
await check('a token of nobody', () => connect('abc.def.ghi'), (g) => /401|Unauthorized|not a signed JWT/.test(g.thrown));
id.close();
server.kill('SIGTERM');
await new Promise((ok) => server.on('exit', ok));
console.log(failed ? `${failed} wrong` : 'all as they have to be');
process.exit(failed ? 1 : 0);
