import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../testing/temp-tree.ts';
import { openCaughtClients } from './caught-clients.ts';

const client = { name: 'rough', version: '1' };
const day = 86_400_000;

test('a client is remembered by name and version, by the next process, for a day', async () => {
  using tree = tempTree();
  let now = Date.parse('2026-11-17T12:00:00Z');
  const open = (): ReturnType<typeof openCaughtClients> =>
    openCaughtClients(tree.at('state'), { now: () => now });
  expect(await open().find(client)).toBeUndefined();
  const first = open();
  first.note(client, 'silent');
  await first.close();
  expect(await open().find(client)).toMatchObject({ fault: 'silent', at: '2026-11-17T12:00:00.000Z' });
  expect(await open().find({ ...client, version: '2' })).toBeUndefined();
  expect(await open().find({ name: 'rough' })).toBeUndefined();
  now += day;
  expect(await open().find(client)).toBeUndefined();
});

test('a client that answers is forgotten', async () => {
  using tree = tempTree();
  const caught = openCaughtClients(tree.at('state'));
  caught.note(client, 'unknown-method');
  caught.note(client, undefined);
  expect(await caught.find(client)).toBeUndefined();
});

test('a hundred clients are remembered, with the beginning of their names', async () => {
  using tree = tempTree();
  const caught = openCaughtClients(tree.at('state'));
  for (let index = 0; index <= 100; index += 1) caught.note({ name: 'x'.repeat(index) }, 'silent');
  caught.note({ name: 'n'.repeat(1_000) }, 'silent');
  await caught.close();
  const text = readFileSync(tree.at('state', 'caught-clients.json'), 'utf8');
  expect(JSON.parse(text)).toHaveLength(100);
  expect(text.length).toBeLessThan(30_000);
});

test('a file of another kind, or a place that cannot be used, remembers nothing', async () => {
  using tree = tempTree(['state/caught-clients.json = [{"name":5}]', 'file = x']);
  expect(await openCaughtClients(tree.at('state')).find(client)).toBeUndefined();
  const nowhere = openCaughtClients(tree.at('file'));
  nowhere.note(client, 'silent');
  expect(await nowhere.find(client)).toBeUndefined();
});
