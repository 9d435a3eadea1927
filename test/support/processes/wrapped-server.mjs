// A server without an SDK, for the gateway: it says what it got, and can misbehave in every way.
import { readFileSync } from 'node:fs';

const [, , ...args] = process.argv;
const mode = process.env.SERVER_MODE ?? '';
const lines = [];
const asked = new Map();
let count = 0;
let initialize;
if (mode.includes('banner')) process.stdout.write('Server ready\n{"level":"info"}\n');
if (mode.includes('deaf')) {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1_000);
}
if (mode.includes('crash')) {
  process.stderr.write('no such module\n');
  process.exit(7);
}
process.stderr.write(`pid ${process.pid}\n`);

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answer = (id, result) => send({ id, result });
const text = (id, value, more = {}) =>
  answer(id, {
    content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
    ...more,
  });
const ask = (method, params) =>
  new Promise((resolve) => {
    asked.set(count, resolve);
    send({ id: count++, method, params });
  });

const tools = {
  echo: (id, { text: said }) => text(id, said),
  args: (id) => text(id, args),
  env: (id, { name }) => text(id, process.env[name] ?? ''),
  cwd: (id) => text(id, process.cwd()),
  pid: (id) => text(id, String(process.pid)),
  roots: async (id) => text(id, (await ask('roots/list')).result ?? 'refused'),
  ask: async (id, { method, params }) => text(id, await ask(method, params)),
  lines: (id) =>
    text(
      id,
      lines.map((line) => line.toString('base64')),
    ),
  said: (id) => text(id, { initialize, heard: lines.map((line) => JSON.parse(line).method) }),
  file: (id, { path }) => text(id, readFileSync(path, 'utf8')),
  exit: (_id, { code }) => process.exit(code),
  hang: () => undefined,
  long: (id) => text(id, 'l'.repeat(11 * 1024 * 1024)),
  fail: (id) => text(id, 'it failed', { isError: true }),
  print: (id, { text: printed }) => {
    process.stdout.write(`${printed}\n`);
    text(id, 'printed');
  },
  raw: (_id, { text: printed }) => process.stdout.write(printed),
  split: (id, { text: said }) => {
    const bytes = Buffer.from(
      `${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: said }] } })}\n`,
    );
    for (const byte of bytes) process.stdout.write(Buffer.of(byte));
  },
  progress: (id, _args, token) => {
    send({ method: 'notifications/progress', params: { progressToken: token, progress: 1 } });
    text(id, 'done');
    send({ method: 'notifications/progress', params: { progressToken: token, progress: 2 } });
  },
};

const list = Object.keys(tools).map((name) => ({
  name,
  inputSchema: { type: 'object' },
  annotations: ['echo', 'args', 'roots'].includes(name) ? { readOnlyHint: true } : {},
}));
if (mode.includes('roots-as-tools'))
  list.push(...args.map((name) => ({ name, inputSchema: { type: 'object' } })));

function take(line) {
  const { id, method, params = {}, ...rest } = JSON.parse(line);
  if (method === undefined) return asked.get(id)?.(rest);
  if (line.length < 65_536) lines.push(line);
  if (method === 'initialize') {
    initialize = params;
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {}, resources: { subscribe: true }, logging: {} },
      serverInfo: { name: 'wrapped', version: '1' },
    });
  } else if (method === 'tools/list') answer(id, { tools: list });
  else if (method === 'tools/call')
    tools[params.name](id, params.arguments ?? {}, params['_meta']?.progressToken);
  else if (method === 'resources/read')
    answer(id, { contents: [{ uri: params.uri, text: readFileSync(new URL(params.uri), 'utf8') }] });
  else if (id !== undefined) answer(id, {});
}

let rest = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
    take(rest.subarray(0, end));
    rest = rest.subarray(end + 1);
  }
});
