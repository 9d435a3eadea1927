import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { difficultClients, probeServer, tempTree } from '../../../src/testing/index.ts';

const server = at('../../../examples/guarded-server/server.js');
const command = process.execPath;
const args = [
  '--import',
  new URL('../../support/processes/resolve-rootward.mjs', import.meta.url).href,
  server,
];

test('the example is a whole server in less than 60 lines', () => {
  expect(readFileSync(server, 'utf8').trimEnd().split('\n').length).toBeLessThan(60);
});

const identity = { name: 'tester', version: '1.0.0' };
const capabilities = { roots: { listChanged: true } };

const clients = {
  'of SDK v1': async (uri: string) => {
    const client = new ClientV1(identity, { capabilities });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri }] }));
    await client.connect(new TransportV1({ command, args }));
    return client;
  },
  'of SDK v2': async (uri: string) => connectV2(uri, {}),
  'of SDK v2 in 2026-07-28': async (uri: string) =>
    connectV2(uri, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
};

describe.each(Object.entries(clients))('the guarded server and a client %s', (_name, connect) => {
  test('reads, lists and searches the project, and nothing else', async () => {
    using tree = tempTree([
      'app/.git/',
      'app/src/main.ts = let needle = 1;',
      'app/.env = needle',
      'app/way-out => ../secret',
      'app/.gitignore = ignored',
      'app/ignored = needle',
      'secret/key = needle',
    ]);
    // Negative control: the link leads there, without a guard.
    expect(readFileSync(tree.at('app', 'way-out', 'key'), 'utf8')).toBe('needle');
    const client = await connect(`file://${tree.at('app')}`);
    try {
      expect(await call('read_file', { path: 'src/main.ts' })).toBe('let needle = 1;');
      expect(await call('list_directory', {})).toContain('src/');
      expect(await call('search', { text: 'needle' })).toBe('src/main.ts:1: let needle = 1;');
      expect(await call('read_file', { path: tree.at('secret', 'key') })).toMatch(/outside the roots/);
      expect(await call('read_file', { path: '../secret/key' })).toMatch(/outside the roots/);
      expect(await call('read_file', { path: 'way-out/key' })).toMatch(/^Cannot .*way-out/);
      expect(await call('read_file', { path: '.env' })).toMatch(/^Cannot .*\.env/);
    } finally {
      await client.close();
    }

    async function call(name: string, input: Record<string, unknown>): Promise<string> {
      const result = (await client.callTool({ name, arguments: input })) as { content: { text: string }[] };
      return result.content[0]?.text ?? '';
    }
  });
});

test('the guarded server writes nothing but messages, and leaves with its client', async () => {
  using tree = tempTree(['app/.git/', 'app/a.txt']);
  const report = await probeServer(
    { command, args: [...args, tree.at('app')], cwd: tree.path },
    { client: difficultClients.undeclared, calls: [{ tool: 'read_file', arguments: { path: 'a.txt' } }] },
  );
  expect(report.calls).toMatchObject([{ outcome: 'result', result: { content: [{ text: 'app/a.txt' }] } }]);
  expect(report.asks).toEqual([]);
  expect(report.noise).toEqual([]);
  expect(report.stderr).toBe('');
  expect(report.exit).toEqual({ code: 0, signal: null, stopped: false });
});

type Negotiation = Pick<NonNullable<ConstructorParameters<typeof Client>[1]>, 'versionNegotiation'>;

async function connectV2(uri: string, negotiation: Negotiation): Promise<Client> {
  const client = new Client(identity, { capabilities, ...negotiation });
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri }] }));
  await client.connect(new StdioClientTransport({ command, args }));
  return client;
}

function at(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
