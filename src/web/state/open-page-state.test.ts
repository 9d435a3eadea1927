import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { openPageState } from './open-page-state.ts';
import { announce } from '../processes/running.ts';
import type { PageEvent } from '../wire/wire.ts';

const line =
  '{"time":"2026-01-01T00:00:00.000Z","operation":"read","path":"a","verdict":"allow","rule":"r","outcome":"done","duration":1,"revision":1}\n';

test('reports changes of roots, decisions and processes', async () => {
  using tree = tempTree(['work/app/']);
  const events: PageEvent[] = [];
  const options = {
    file: tree.at('roots.jsonc'),
    log: tree.at('log'),
    state: tree.at('state'),
    tops: [tree.at('work')],
    version: '1',
  };
  await using pageState = await openPageState(options, (event) => events.push(event));
  await pageState.store.add(tree.at('work/app'));
  appendFileSync(tree.at('log/audit.jsonl'), line);
  await using server = await announce(options.state, {
    command: 'serve',
    version: '1',
    directory: '/',
    connections: [],
  });
  await expect
    .poll(() => new Set(events.map(({ kind }) => kind)), { timeout: 20_000 })
    .toEqual(new Set(['roots', 'running', 'audit']));
  await expect.poll(() => pageState.audit.page({ operation: 'read' }, 0, 1).total).toBe(1);
  await expect.poll(() => pageState.running().map(({ command }) => command)).toEqual(['web', 'serve']);
  expect(pageState.running().map(({ id }) => id)).toContain(server.id);
  expect(pageState.audit.page({ caller: 'rootward web' }, 0, 5).entries).toMatchObject([{ event: 'change' }]);
});

test('fails to open with an unreadable store, and leaves nothing open', async () => {
  using tree = tempTree(['roots.jsonc = {']);
  const options = {
    file: tree.at('roots.jsonc'),
    log: tree.at('log'),
    state: tree.at('state'),
    tops: [],
    version: '1',
  };
  await expect(openPageState(options, () => {})).rejects.toThrow('roots.jsonc');
});
