import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type TempTree, tempTree } from '../src/testing/temp-tree.ts';
import { readWalk, type Walk } from './coverage.ts';
import { placeOf, program, startServer } from './covered-server.ts';

export type WalkName = 'stdio' | 'http-2025' | 'http-2026' | 'roots-add' | 'read-text';

/** Walks through the sources. Of a server it is one call of many: what its connection needs once is done before. */
export const walks: Readonly<Record<WalkName, () => Promise<Walk>>> = {
  stdio: walkStdio,
  'http-2025': () => walkHttp(beginSession),
  'http-2026': () => walkHttp(async () => modernHeaders),
  'roots-add': () => walkProgram([program, 'roots', 'add', 'app']),
  'read-text': () => walkProgram(['--input-type=module', '--eval', readText]),
};

/** How many sources a call may cross. */
export const mostFiles: Readonly<Partial<Record<WalkName, number>>> = {
  stdio: 45,
  'http-2025': 70,
  // It has no session, so each request composes its workspace anew.
  'http-2026': 118,
};

async function walkStdio(): Promise<Walk> {
  using tree = plant();
  await using server = startServer(tree);
  server.send(JSON.stringify(initialize));
  await server.nextLine();
  server.send(JSON.stringify(initialized));
  return await server.walk(async (id) => {
    server.send(JSON.stringify(callOf(id)));
    return server.nextLine();
  });
}

function plant(): TempTree {
  return tempTree(['app/a/b = inside', 'coverage/', 'home/']);
}

const client = { name: 'walker', version: '1' };
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', clientInfo: client, capabilities: {} },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

function callOf(id: number, meta?: object): object {
  const params = { name: 'read_text_file', arguments: { path: 'a/b' } };
  return { jsonrpc: '2.0', id, method: 'tools/call', params: meta ? { ...params, _meta: meta } : params };
}

type Headers = Readonly<Record<string, string>>;
type Post = (message: object, headers?: Headers) => Promise<Response>;

async function walkHttp(begin: (post: Post) => Promise<Headers>): Promise<Walk> {
  using tree = plant();
  await using server = startServer(tree, ['--http', ':0']);
  const url = lastWord(await server.nextError());
  const authorization = `Bearer ${lastWord(await server.nextError())}`;
  const post: Post = (message, headers) =>
    fetch(url, {
      method: 'POST',
      headers: { ...everyHeaders, authorization, ...headers },
      body: JSON.stringify(message),
    });
  const headers = await begin(post);
  const meta = headers === modernHeaders ? modernMeta : undefined;
  return await server.walk(async (id) => (await post(callOf(id, meta), headers)).text());
}

/** The server says where it listens, and then the token. */
function lastWord(line: string): string {
  return line.split(' ').at(-1) ?? '';
}

const everyHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function beginSession(post: Post): Promise<Headers> {
  const answer = await post(initialize);
  await answer.text();
  const headers = {
    'mcp-session-id': answer.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
  await post(initialized, headers);
  return headers;
}

const modernHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'read_text_file',
};
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': client,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A program from its start to its end. */
async function walkProgram(argv: readonly string[]): Promise<Walk> {
  using tree = plant();
  const { status, stderr } = spawnSync(process.execPath, argv, { ...placeOf(tree), encoding: 'utf8' });
  if (status !== 0) throw new Error(`It ended with ${status}: ${stderr}`);
  return readWalk(tree.at('coverage'));
}

/** Loading is not counted. */
const readText = `import { takeCoverage } from 'node:v8';
import { openBoundary } from '${pathToFileURL(resolve('.build/src/index.js')).href}';
takeCoverage();
const boundary = await openBoundary('app');
await boundary.readText('a/b');`;
