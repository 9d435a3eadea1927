import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connectLegacy, type LegacyPair } from '../../../test/attached/connect-legacy.ts';
import { connectModern } from '../../../test/attached/connect-modern.ts';
import type { ToolRun } from '../../../test/attached/sdks.ts';
import type { Operation } from '../../boundary/step/operation.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { permissionsKey } from '../../policy/rules/root-permissions.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { AttachOptions } from '../settings/attach-options.ts';
import type { Rootward } from '../settings/rootward.ts';

const write =
  (rootward: Rootward): ToolRun =>
  (context, { path = '' }) =>
    rootward.access(context, { operation: 'write', path }, async ({ boundary, relative }) => {
      await boundary.write(relative, 'new');
      return 'written';
    });

const layout = ['srv/app/a.txt = app', 'srv/app/secret/b.txt', 'srv/c.txt = srv', 'srv/to-app => app'];
const policy = { preset: 'write-in-project' } as const;

function sent(path: string, permissions: unknown): object {
  return { uri: toFileUri(path), name: 'theirs', _meta: { [permissionsKey]: permissions } };
}

async function connect(options: AttachOptions, ...roots: readonly object[]): Promise<LegacyPair> {
  const pair = await connectLegacy({ options: { policy, ...options }, tools: { write } });
  pair.client.answers.set('roots/list', () => ({ roots }));
  return pair;
}

const readOnly = { allow: ['read', 'list'] satisfies Operation[], ask: [], deny: [{ glob: 'secret' }] };

describe('a root that a client permits less in', () => {
  test('permits no more, by the client alone', async () => {
    using tree = tempTree(layout);
    await using pair = await connect({}, sent(tree.at('srv', 'app'), readOnly));
    expect((await pair.call('read', { path: tree.at('srv', 'app', 'a.txt') })).text).toBe('app');
    expect(await pair.call('write', { path: tree.at('srv', 'app', 'a.txt') })).toMatchObject({
      isError: true,
    });
    expect((await pair.call('read', { path: tree.at('srv', 'app', 'secret', 'b.txt') })).isError).toBe(true);
    expect(readFileSync(tree.at('srv', 'app', 'a.txt'), 'utf8')).toBe('app');
  });

  test('permits what the server permits, without a word about it', async () => {
    using tree = tempTree(layout);
    // Negative control for all of the others: the policy of the server allows it.
    await using pair = await connect({}, { uri: toFileUri(tree.at('srv', 'app')) });
    expect((await pair.call('write', { path: tree.at('srv', 'app', 'a.txt') })).text).toBe('written');
  });

  test.each([
    ['in a directory of the operator', ['srv']],
    ['that the operator named too', ['srv', 'app']],
  ])('permits no more %s', async (_case, names) => {
    using tree = tempTree(layout);
    await using pair = await connect({ ceiling: [tree.at(...names)] }, sent(tree.at('srv', 'app'), readOnly));
    expect((await pair.call('read', { path: tree.at('srv', 'app', 'a.txt') })).text).toBe('app');
    expect((await pair.call('write', { path: tree.at('srv', 'app', 'a.txt') })).isError).toBe(true);
    expect((await pair.call('read', { path: tree.at('srv', 'app', 'secret', 'b.txt') })).isError).toBe(true);
  });

  test('leaves the rest of the directory of the operator as it is, and no link leads around it', async () => {
    using tree = tempTree(layout);
    await using pair = await connect({ ceiling: [tree.at('srv')] }, sent(tree.at('srv', 'app'), readOnly));
    expect((await pair.call('write', { path: tree.at('srv', 'c.txt') })).text).toBe('written');
    expect((await pair.call('write', { path: tree.at('srv', 'to-app', 'a.txt') })).isError).toBe(true);
    // Negative control: the link leads there.
    writeFileSync(tree.at('srv', 'to-app', 'a.txt'), 'changed');
    expect(readFileSync(tree.at('srv', 'app', 'a.txt'), 'utf8')).toBe('changed');
  });

  test('permits no more in 2026-07-28', async () => {
    using tree = tempTree(layout);
    await using pair = await connectModern({ options: { policy }, tools: { write } });
    const answers = { 'roots/list': () => ({ roots: [sent(tree.at('srv', 'app'), readOnly)] }) };
    expect((await pair.call('read', { path: 'a.txt' }, answers)).text).toBe('app');
    expect((await pair.call('write', { path: 'a.txt' }, answers)).isError).toBe(true);
  });
});

test('a client never permits more than the server does', async () => {
  using tree = tempTree(layout);
  const all = { allow: ['read', 'list', 'write', 'remove', 'execute'], ask: [], deny: [] };
  await using pair = await connect({ policy: { preset: 'read-only' } }, sent(tree.at('srv', 'app'), all));
  expect((await pair.call('write', { path: tree.at('srv', 'app', 'a.txt') })).isError).toBe(true);
});

test('permissions that cannot be read permit nothing', async () => {
  using tree = tempTree(layout);
  await using pair = await connect({}, sent(tree.at('srv', 'app'), { alow: ['read'] }));
  expect((await pair.call('read', { path: tree.at('srv', 'app', 'a.txt') })).isError).toBe(true);
});

test('what a client permits changes with its next list', async () => {
  using tree = tempTree(layout);
  await using pair = await connect({}, sent(tree.at('srv', 'app'), readOnly));
  const path = tree.at('srv', 'app', 'a.txt');
  expect((await pair.call('write', { path })).isError).toBe(true);
  const more = { allow: ['read', 'list', 'write'], ask: [], deny: [] };
  pair.client.answers.set('roots/list', () => ({ roots: [sent(tree.at('srv', 'app'), more)] }));
  await pair.changed();
  expect((await pair.call('write', { path })).text).toBe('written');
});
