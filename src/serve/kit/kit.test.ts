import { setImmediate } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { connectKit } from '../../../test/support/peers/connect-kit.ts';
import { createMemory } from '../../server/connection/connection-memory.ts';
import type { AttachOptions } from '../../server/settings/attach-options.ts';
import type { Trace } from '../../server/settings/trace-event.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { allTools } from '../../tools/all-tools.ts';
import { createKit, createTrace } from './kit.ts';

test('a server has its name, and offers our tools and additional ones', async () => {
  using tree = tempTree(['app/']);
  await using kit = await connectKit({
    tools: allTools,
    instructions: 'Read this first.',
    attach: { ceiling: [tree.at('app')] },
  });
  expect(kit.client.getServerVersion()).toMatchObject({ name: 'rootward', version: '1.2.3' });
  expect(kit.client.getInstructions()).toBe('Read this first.');
  const names = (await kit.client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(allTools.map(({ name }) => name)));
  expect(names).toEqual(expect.arrayContaining(['list_roots', 'switch_project', 'why']));
});

test('servers of one kit share open workspaces, and keep the memory of their connection', async () => {
  using tree = tempTree(['app/', 'lib/']);
  const attach = { environment: {}, cwd: '/', ceiling: [tree.at('app'), tree.at('lib')] };
  const kit = createKit({ version: '1.0.0', tools: [], instructions: '', attach });
  const memory = createMemory();
  const projectIn = async (own: typeof memory): Promise<string> => {
    const { rootward } = kit.createServer({ memory: () => own });
    const { project } = await rootward.workspace();
    await rootward.close();
    return project.name;
  };
  expect(await projectIn(memory)).toBe('app');
  await memory.keepSwitched({ text: tree.at('lib') });
  expect(await projectIn(memory)).toBe('lib');
  expect(await projectIn(createMemory())).toBe('app');
  kit.close();
});

test('reads the options once for any number of servers', async () => {
  using tree = tempTree(['app/']);
  let reads = 0;
  const attach = {
    environment: {},
    cwd: '/',
    get ceiling() {
      reads += 1;
      return [tree.at('app')];
    },
  };
  const kit = createKit({ version: '1.0.0', tools: [], instructions: '', attach });
  const before = reads;
  for (let request = 0; request < 20; request += 1) {
    const { rootward } = kit.createServer({ overHttp: true });
    expect((await rootward.workspace()).project.name).toBe('app');
    await rootward.close();
  }
  expect([before, reads]).toEqual([1, 1]);
  kit.close();
});

test('calls every trace listener in order', () => {
  const heard: string[] = [];
  const listener =
    (name: string): Trace =>
    ({ kind }) =>
      void heard.push(`${name}: ${kind}`);
  createTrace([listener('first'), listener('second')])({ kind: 'changed' });
  expect(heard).toEqual(['first: changed', 'second: changed']);
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('speaks %s', async (version) => {
  const attach = { environment: {}, cwd: '/' };
  const kit = createKit({ version: '1.0.0', tools: [], instructions: '', attach });
  const { server, rootward } = kit.createServer();
  const client = new Client({ name: 'tester', version: '1.0.0' }, { supportedProtocolVersions: [version] });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('why');
  await client.close();
  await rootward.close();
  kit.close();
});

test.each([
  ['finds the project while a client without roots starts', {}, ['composed']],
  ['asks a client with roots when a call needs them, and not before', { roots: {} }, []],
])('%s', async (_case, capabilities, expected) => {
  const seen: string[] = [];
  const attach: AttachOptions = { environment: {}, cwd: '/', trace: ({ kind }) => void seen.push(kind) };
  const kit = createKit({ version: '1.0.0', tools: [], instructions: '', attach });
  const { server, rootward } = kit.createServer();
  const client = new Client({ name: 'tester', version: '1.0.0' }, { capabilities });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  await client.listTools();
  const composed = (): readonly string[] => seen.filter((kind) => kind === 'composed');
  if (expected.length > 0) await expect.poll(composed).toEqual(expected);
  else for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect(composed()).toEqual(expected);
  await client.close();
  await rootward.close();
  kit.close();
});
