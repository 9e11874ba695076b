// Connects MCP's own client and the MCP Inspector to spyhop serve with tokens of a real
// authorization server (oidc-provider):
//
//	node check.mjs --spyhop ../../bin/spyhop
//
// The client finds the metadata by the challenge, and the server by the metadata; a machine
// then gets its token by client credentials. The Inspector does the flow with a code and PKCE:
// it prints the URL where a person signs in, and this program fills in the two forms there.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { discoverOAuthProtectedResourceMetadata, discoverAuthorizationServerMetadata } from '@modelcontextprotocol/sdk/client/auth.js';

const { values } = parseArgs({ options: { spyhop: { type: 'string' } } });
const free = () => new Promise((ok) => { const s = http.createServer().listen(0, '127.0.0.1', () => { const { port } = s.address(); s.close(() => ok(port)); }); });
const [idPort, webPort, otherPort, backPort] = [await free(), await free(), await free(), await free()];
const callback = `http://127.0.0.1:${backPort}/oauth/callback`;
const keys = await generateKeyPair('RS256', { extractable: true });
const issuer = `http://127.0.0.1:${idPort}`;
const resource = `http://127.0.0.1:${webPort}/mcp`;
const settings = (jwk) => ({
  jwks: { keys: [jwk] },
  clients: [{ client_id: 'inspector', redirect_uris: [callback], application_type: 'native', token_endpoint_auth_method: 'none', grant_types: ['authorization_code'], response_types: ['code'] }, { client_id: 'machine', client_secret: 'a-secret-of-the-machine', grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
  scopes: ['web'],
  features: {
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, indicator) => ({ scope: 'web', audience: indicator, accessTokenFormat: 'jwt', accessTokenTTL: 600, jwt: { sign: { alg: 'RS256' } } }),
    },
  },
});
const jwk = async (k) => ({ ...(await exportJWK(k.privateKey)), kid: 'k', use: 'sig', alg: 'RS256' });
const id = new Provider(issuer, settings(await jwk(keys))).listen(idPort, '127.0.0.1');
const other = `http://127.0.0.1:${otherPort}`;
const otherID = new Provider(other, settings(await jwk(await generateKeyPair('RS256', { extractable: true })))).listen(otherPort, '127.0.0.1');
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
const token = async (audience, scope = 'web', from = issuer) => (await (await fetch(`${from}/token`, {
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
const now = Math.floor(Date.now() / 1000);
const expired = await new SignJWT({ scope: 'web', client_id: 'machine' }).setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'at+jwt' })
  .setIssuer(issuer).setAudience(resource).setSubject('ann').setIssuedAt(now - 7200).setExpirationTime(now - 3600).sign(keys.privateKey);

// inspect runs the Inspector; where it prints a URL to sign in at, person is called with it.
function inspect(args, person, env = {}) {
  const p = spawn(process.execPath, [path.resolve('node_modules/.bin/mcp-inspector'), '--cli', resource, '--transport', 'http', '--method', 'tools/list', ...args], {
    env: { ...process.env, HOME: dir, MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file', ...env }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '', err = '', asked;
  p.stdout.on('data', (b) => { out += b; });
  p.stderr.on('data', (b) => {
    err += b;
    const url = err.match(new RegExp(`${issuer}/auth\\?\\S+`))?.[0];
    if (url && !asked && person) asked = person(url).catch((e) => { err += e.stack; p.kill(); });
  });
  return new Promise((ok) => p.on('close', (code) => ok({ code, out, err, asked: !!asked })));
}

// ann signs in and consents, as a browser would.
async function ann(url) {
  const jar = {};
  const visit = async (at, form) => {
    for (;;) {
      const r = await fetch(at, { method: form ? 'POST' : 'GET', body: form && new URLSearchParams(form), redirect: 'manual', headers: { cookie: Object.entries(jar).map(([k, v]) => `${k}=${v}`).join('; ') } });
      for (const c of r.headers.getSetCookie()) { const [, k, v] = c.match(/^([^=]+)=([^;]*)/); jar[k] = v; }
      if (r.status < 300 || r.status > 399) return r.text();
      [at, form] = [new URL(r.headers.get('location'), at).href, undefined];
    }
  };
  for (let page = await visit(url); page.includes('name="prompt"');) {
    const action = page.match(/action="([^"]+)"/)[1];
    page = await visit(new URL(action, issuer).href, page.includes('value="login"') ? { prompt: 'login', login: 'ann', password: 'x' } : { prompt: 'consent' });
  }
}

const login = ['--client-id', 'inspector', '--callback-url', callback];
await check('the Inspector connects after a person has signed in', () => inspect(login, ann), (r) => r.code === 0 && r.asked && JSON.parse(r.out).tools.some((t) => t.name === 'web_fetch'));
await check('and again with the token that it has stored', () => inspect([...login, '--stored-auth-only']), (r) => r.code === 0 && !r.asked && JSON.parse(r.out).tools.length > 0);
const metadata = `resource_metadata="http://127.0.0.1:${webPort}/.well-known/oauth-protected-resource/mcp"`;
for (const [name, bearer, says] of [
  ['of another issuer', await token(resource, 'web', other), 'another issuer'], ['for another audience', await token('https://other.example.com/mcp'), 'another audience'],
  ['that has expired', expired, 'has expired'], ['of nobody', 'abc.def.ghi', 'not a signed JWT'], ['that is missing', '', 'missing'],
]) {
  const header = bearer ? { authorization: `Bearer ${bearer}` } : {};
  await check(`the challenge to a token ${name}`, () => fetch(resource, { method: 'POST', body: '{}', headers: header }), (r) => r.status === 401 && r.headers.get('www-authenticate').includes(metadata));
  await check(`the Inspector with a token ${name}`, () => inspect([...(bearer ? ['--header', `Authorization: Bearer ${bearer}`] : []), '--stored-auth-only'], undefined, { HOME: path.join(dir, 'nobody') }), (r) => r.code === 3 && r.err.includes('auth_required') && r.err.includes(says) && !r.out);
}
id.close();
otherID.close();
server.kill('SIGTERM');
await new Promise((ok) => server.on('exit', ok));
console.log(failed ? `${failed} wrong` : 'all as they have to be');
process.exit(failed ? 1 : 0);
