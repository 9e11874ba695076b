// A real MCP client for trying packages: it starts a server, lists its tools, reads a
// page on loopback, and prints what came back.
// Usage: node client.mjs COMMAND [ARGS…]. CLIENT_MODULES is a folder in which
// @modelcontextprotocol/sdk is installed; the default is the current one.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const from = createRequire((process.env.CLIENT_MODULES ?? process.cwd()) + "/");
const load = (name) => import(pathToFileURL(from.resolve(name)));
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");

const page = "<title>Fog</title><h1>Fog</h1><p>The ferry left the quay at dawn and met the fog after eleven minutes.</p>";
const site = createServer((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end(page));
await new Promise((ready) => site.listen(0, "127.0.0.1", ready));
const host = `127.0.0.1:${site.address().port}`;

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "try", version: "1" });
const started = performance.now();
await client.connect(new StdioClientTransport({ command, args, env: { ...process.env, WEB_ALLOW_PRIVATE: host } }));
const { tools } = await client.listTools();
const answer = await client.callTool({ name: "web_fetch", arguments: { url: `http://${host}/` } });
const text = answer.content.map((c) => c.text ?? "").join("\n");
await client.close();
site.close();
if (answer.isError || !text.includes("eleven minutes")) {
  console.error(text);
  process.exit(1);
}
const { name, version } = client.getServerVersion();
console.log(`client: ${name} ${version} lists ${tools.length} tools and read a page, ${Math.round(performance.now() - started)} ms`);
