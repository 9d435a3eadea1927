import { afterAll, expect, test } from 'vitest';
import type { StoredRoot, StoreSnapshot } from '../client/stored-root.ts';
import { toFileUri } from '../path/file-uri.ts';
import type { PermissionConfig } from '../policy/policy-config.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { tryPath } from './try-path.ts';

const tree = tempTree([
  'app/a.ts',
  'app/.env = x',
  'app/dist/b.js',
  'app/out => ../outside',
  'outside/s',
  'docs/d.md',
]);
afterAll(() => tree[Symbol.dispose]());

function root(name: string, permissions: PermissionConfig = {}): StoredRoot {
  const path = tree.at(name);
  return { name, path, uri: toFileUri(path), kind: 'unknown', permissions, servers: {}, grants: [] };
}

const snapshot: StoreSnapshot = {
  revision: 1,
  roots: [root('app', { allow: ['read', 'list'], ask: ['write'], deny: ['/dist'] }), root('docs')],
  servers: { search: { roots: [tree.at('docs')] } },
};

const outcomes = (steps: readonly { readonly outcome: string }[]): string =>
  steps.map(({ outcome }) => outcome).join(' ');

test.each([
  ['a plain file', 'app/a.ts', 'read', 'allow', 'good good good good good'],
  ['a secret', 'app/.env', 'read', 'deny', 'good good bad skipped skipped'],
  ['a restriction', 'app/dist/b.js', 'read', 'deny', 'good good bad skipped skipped'],
  ['an operation that asks', 'app/a.ts', 'write', 'ask', 'good good good bad skipped'],
  ['an operation that is not permitted', 'app/a.ts', 'remove', 'deny', 'good good good bad skipped'],
  ['a link that leads out', 'app/out/s', 'read', 'deny', 'good good good good bad'],
  ['a path outside', 'outside/s', 'read', 'deny', 'good bad'],
  ['what is not there yet', 'app/new.ts', 'read', 'allow', 'good good good good good'],
] as const)('%s', async (...given) => {
  const [, path, operation, verdict, way] = given;
  const tried = await tryPath(snapshot, { path: tree.at(path), operation });
  expect([tried.verdict, outcomes(tried.steps)]).toEqual([verdict, way]);
  if (verdict !== 'allow') expect(tried.hint).toMatch(/\w/);
});

test('a file URI is read as what it means', async () => {
  const tried = await tryPath(snapshot, { path: toFileUri(tree.at('app/a.ts')), operation: 'read' });
  expect(tried).toMatchObject({ verdict: 'allow', root: 'app' });
  const bad = await tryPath(snapshot, { path: 'file:///a%00b', operation: 'read' });
  expect(bad).toMatchObject({ verdict: 'deny', rule: 'unreadable' });
  expect(await tryPath(snapshot, { path: '  ', operation: 'read' })).toMatchObject({ rule: 'unreadable' });
});

test('a server sees only the roots that were named for it', async () => {
  const as = (server: string, path: string) =>
    tryPath(snapshot, { path: tree.at(path), operation: 'read', server });
  expect((await as('search', 'app/a.ts')).verdict).toBe('deny');
  expect((await as('search', 'docs/d.md')).verdict).toBe('allow');
  expect((await as('other', 'app/a.ts')).verdict).toBe('allow');
});

test('says that there is nothing to hold it', async () => {
  const { steps } = await tryPath({ revision: 1, roots: [], servers: {} }, { path: '/x', operation: 'read' });
  expect(steps.at(-1)?.text).toBe('There is no root yet');
});
