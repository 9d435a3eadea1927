import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import type { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TempTree, WireMessage } from '../../../src/testing/index.ts';
import { childrenOf } from '../../support/processes/children-of.ts';
import { connectHere } from '../../support/processes/connect.ts';
import { slowNames, slowPattern, slowText } from '../../support/trees/slow-trees.ts';
import { speak, speakHere, type Spoken } from '../../support/processes/speak.ts';

let texts: TempTree;
let names: TempTree;

beforeAll(() => {
  texts = slowText();
  names = slowNames();
});

afterAll(() => {
  texts[Symbol.dispose]();
  names[Symbol.dispose]();
});

/** What takes long, where, and what it says of itself on the way. */
const works = {
  search_text: { tree: () => texts, input: { pattern: slowPattern, output: 'files' } },
  search_files: { tree: () => names, input: { path: '.', pattern: '**/159' } },
} as const;

type Work = keyof typeof works;
const all: readonly Work[] = ['search_text', 'search_files'];

test.each([
  ['search_text', 'v1'],
  ['search_text', 'v2 in 2026'],
  ['search_files', 'v2'],
] as const)('%s tells a client of %s how far it is', async (name, client) => {
  const { tree, input } = works[name];
  await using connected = await connectHere(client, { args: [tree().path] });
  const reports: number[] = [];
  const onprogress = ({ progress }: { progress: number }): void => void reports.push(progress);
  const params = { name, arguments: { ...input } };
  const { raw } = connected;
  if (raw instanceof ClientV2) await raw.callTool(params, { onprogress });
  else await (raw as ClientV1).callTool(params, undefined, { onprogress });
  expect(reports.length).toBeGreaterThan(0);
  expect(reports).toEqual(reports.toSorted((one, other) => one - other));
});

test.each(all)('%s ends when it is cancelled, and is never heard of again', async (name) => {
  const { tree, input } = works[name];
  await using server = await speakHere({ args: [tree().path] });
  await begin(server, name, input);
  const isProgress = ({ method }: WireMessage): boolean => method === 'notifications/progress';
  await expect.poll(() => server.received.some(isProgress), { timeout: 20_000, interval: 5 }).toBe(true);
  await cancel(server);
  await server.call('list_roots');
  const log = join(server.home, 'log/audit.jsonl');
  const ends = (): readonly string[] =>
    existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [];
  await expect.poll(ends, { timeout: 20_000, interval: 5 }).toHaveLength(1);
  expect(JSON.parse(ends()[0] ?? '')).toMatchObject({ tool: name, verdict: 'allow', outcome: 'cancelled' });
  expect(ends()[0]).not.toContain('"code"');
  const before = server.received.length;
  // It would be done by the time at which another one of its kind is.
  expect(await server.call(name, input)).toMatchObject({ refused: false });
  expect(server.received.slice(before).filter(isProgress)).toEqual([]);
  expect(server.received.filter(({ id }) => id === 'long')).toEqual([]);
  expect(server.wire.stderr()).toBe('');
});

test('who cancels a search leaves no ripgrep behind', async () => {
  await using server = await speak({ args: [texts.path] });
  const pid = server.wire.pid ?? 0;
  await begin(server, 'search_text', works.search_text.input);
  await expect.poll(() => childrenOf(pid), { timeout: 20_000, interval: 5 }).toHaveLength(1);
  await cancel(server);
  await expect.poll(() => childrenOf(pid), { timeout: 20_000, interval: 5 }).toEqual([]);
});

async function begin(server: Spoken, name: string, input: object): Promise<void> {
  const params = { name, arguments: input, _meta: { progressToken: 'long' } };
  await server.wire.send({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params });
}

async function cancel(server: Spoken): Promise<void> {
  const params = { requestId: 'long', reason: 'no longer wanted' };
  await server.wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}
