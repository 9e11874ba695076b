// The clients. Each gets a world and a transport ("stdio" or "http"), makes the
// world's calls, and returns what it would show a model of each answer.
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';

const stdio = (w) => ({ command: w.spyhop, args: ['mcp'], env: w.env });
const text = (r) => r.content.map((c) => c.text).join('\n');
const mark = (r, s) => (r.isError ? `isError: ${s}` : s);

// The protocol's own SDKs give a program the whole answer; for them this is the text,
// and the structured content if there is any.
const shown = (r) => mark(r, text(r)) + (r.structuredContent ? `\nstructured: ${JSON.stringify(r.structuredContent)}` : '');

async function sdk(w, client, transport) {
  await client.connect(transport);
  try {
    const out = [];
    for (const c of w.calls) out.push(shown(await client.callTool({ name: c.tool, arguments: c.args })));
    return out;
  } finally {
    await client.close();
  }
}

async function sdk1(w, way) {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const transport = way === 'stdio' ? new StdioClientTransport(stdio(w)) : new StreamableHTTPClientTransport(new URL(w.url));
  return sdk(w, new Client({ name: 'sdk1', version: '1' }), transport);
}

const sdk2 = (mode) => async (w, way) => {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const transport = way === 'stdio' ? new StdioClientTransport(stdio(w)) : new StreamableHTTPClientTransport(new URL(w.url));
  return sdk(w, new Client({ name: 'sdk2', version: '1' }, { versionNegotiation: { mode } }), transport);
};

// ai-sdk's loop with the mock model that it brings along.
async function aiSDK(w, way) {
  const { createMCPClient } = await import('@ai-sdk/mcp');
  const { Experimental_StdioMCPTransport: Stdio } = await import('@ai-sdk/mcp/mcp-stdio');
  const { generateText, isStepCount } = await import('ai');
  const { MockLanguageModelV4 } = await import('ai/test');
  const client = await createMCPClient({ transport: way === 'stdio' ? new Stdio(stdio(w)) : { type: 'http', url: w.url } });
  try {
    const tools = await client.tools();
    const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
    const out = [];
    let n = 0;
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        const last = prompt.at(-1);
        if (last.role === 'tool') out.push(...last.content.map((c) => outputText(c.output)));
        const call = w.calls[n++];
        return call
          ? { content: [{ type: 'tool-call', toolCallId: `c${n}`, toolName: call.tool, input: JSON.stringify(call.args) }], finishReason: { unified: 'tool-calls', raw: 'x' }, usage, warnings: [] }
          : { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop', raw: 'x' }, usage, warnings: [] };
      },
    });
    await generateText({ model, tools, stopWhen: isStepCount(10), prompt: 'go' });
    return out;
  } finally {
    await client.close();
  }
}

function outputText(o) {
  if (o.type === 'content') return o.value.map((v) => (v.type === 'text' ? v.text : JSON.stringify(v))).join('\n');
  return typeof o.value === 'string' ? o.value : `${o.type}: ${JSON.stringify(o.value)}`;
}

async function langchain(w, way) {
  const { MultiServerMCPClient } = await import('@langchain/mcp-adapters');
  const server = way === 'stdio' ? { transport: 'stdio', ...stdio(w) } : { transport: 'http', url: w.url };
  const client = new MultiServerMCPClient({ mcpServers: { spyhop: server } });
  try {
    const tools = await client.getTools();
    const out = [];
    for (const c of w.calls) {
      const tool = tools.find((t) => t.name.endsWith(c.tool));
      try {
        const r = await tool.invoke({ type: 'tool_call', id: 'c', name: tool.name, args: c.args });
        out.push(typeof r.content === 'string' ? r.content : r.content.map((p) => p.text ?? JSON.stringify(p)).join('\n'));
      } catch (e) {
        out.push(`throws ${e.constructor.name}: ${e.message}`);
      }
    }
    return out;
  } finally {
    await client.close();
  }
}

async function openaiAgents(w, way) {
  const { Agent, MCPServerStdio, MCPServerStreamableHttp, Runner, setTracingDisabled } = await import('@openai/agents');
  setTracingDisabled(true);
  const server = way === 'stdio' ? new MCPServerStdio({ name: 'spyhop', ...stdio(w) }) : new MCPServerStreamableHttp({ name: 'spyhop', url: w.url });
  await server.connect();
  try {
    const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2, inputTokensDetails: [], outputTokensDetails: [] };
    const out = [];
    let n = 0;
    const model = {
      async getResponse({ input }) {
        const last = Array.isArray(input) ? input.at(-1) : null;
        if (last?.type === 'function_call_result') out.push(agentText(last.output));
        const call = w.calls[n++];
        return { usage, responseId: `r${n}`, output: [call
          ? { type: 'function_call', callId: `c${n}`, name: call.tool, arguments: JSON.stringify(call.args), status: 'completed' }
          : { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done' }] }] };
      },
      async* getStreamedResponse() {},
    };
    await new Runner({ tracingDisabled: true }).run(new Agent({ name: 'a', instructions: 'x', mcpServers: [server], model }), 'go');
    return out;
  } finally {
    await server.close();
  }
}

function agentText(o) {
  const parts = Array.isArray(o) ? o : [o];
  return parts.map((p) => (typeof p === 'string' ? p : p.text ?? JSON.stringify(p))).join('\n');
}

// run runs a command-line client and waits for it.
function run(command, args, env, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), 300_000);
    for (const s of [child.stdout, child.stderr]) s.on('data', (d) => { output += d; });
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(output); else reject(new Error(`${command} ends with ${code}: ${output.slice(-2000)}`));
    });
  });
}

const bin = (w, name) => path.join(w.npm, 'node_modules', '.bin', name);

async function gemini(w, way) {
  const home = fs.mkdtempSync(path.join(w.dir, 'gemini-'));
  fs.mkdirSync(path.join(home, '.gemini'));
  const server = way === 'stdio' ? stdio(w) : { httpUrl: w.url };
  fs.writeFileSync(path.join(home, '.gemini', 'settings.json'), JSON.stringify({
    mcpServers: { spyhop: { ...server, trust: true } }, security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  }));
  w.model.calls = w.calls;
  await run(bin(w, 'gemini'), ['-y', '--skip-trust', '-p', 'go'], { PATH: w.env.PATH, HOME: home, GOOGLE_GEMINI_BASE_URL: w.llm, GEMINI_API_KEY: 'dummy' }, home);
  return w.model.shown.map((r) => (typeof r.output === 'string' ? r.output : JSON.stringify(r)));
}

async function codex(w) {
  const home = fs.mkdtempSync(path.join(w.dir, 'codex-'));
  const env = Object.entries(w.env).map(([k, v]) => `${k} = ${JSON.stringify(v)}`).join('\n');
  fs.writeFileSync(path.join(home, 'config.toml'), `model = "scripted"
model_provider = "loopback"
[model_providers.loopback]
name = "loopback"
base_url = "${w.llm}/v1"
wire_api = "responses"
env_key = "LOOPBACK_KEY"
[mcp_servers.spyhop]
command = ${JSON.stringify(w.spyhop)}
args = ["mcp"]
default_tools_approval_mode = "approve"
[mcp_servers.spyhop.env]
${env}
`);
  w.model.calls = w.calls;
  await run(bin(w, 'codex'), ['exec', '--skip-git-repo-check', 'go'], { PATH: w.env.PATH, HOME: home, CODEX_HOME: home, LOOPBACK_KEY: 'dummy' }, home);
  return w.model.shown.map(agentText);
}

export const clients = [
  { name: '@modelcontextprotocol/sdk', run: sdk1, ways: ['stdio', 'http'] },
  { name: '@modelcontextprotocol/client legacy', run: sdk2('legacy'), ways: ['stdio', 'http'] },
  { name: '@modelcontextprotocol/client auto', run: sdk2('auto'), ways: ['stdio', 'http'] },
  { name: '@modelcontextprotocol/client 2026-07-28', run: sdk2({ pin: '2026-07-28' }), ways: ['stdio', 'http'] },
  { name: 'ai-sdk', run: aiSDK, ways: ['stdio', 'http'] },
  { name: 'langchain', run: langchain, ways: ['stdio', 'http'] },
  { name: 'openai-agents', run: openaiAgents, ways: ['stdio', 'http'] },
  { name: 'gemini-cli', run: gemini, ways: ['stdio', 'http'] },
  { name: 'codex', run: codex, ways: ['stdio'] },
];
