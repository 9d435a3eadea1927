import { afterAll, expect, test } from 'vitest';
import type { StoredRoot, StoreSnapshot } from '../../client/store/stored-root.ts';
import { toFileUri } from '../../path/file-uri.ts';
import type { PermissionConfig } from '../../policy/rules/policy-config.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import type { AnnouncedProcess } from '../wire/wire.ts';
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

test('decodes a file URI', async () => {
  const tried = await tryPath(snapshot, { path: toFileUri(tree.at('app/a.ts')), operation: 'read' });
  expect(tried).toMatchObject({ verdict: 'allow', root: 'app' });
  const bad = await tryPath(snapshot, { path: 'file:///a%00b', operation: 'read' });
  expect(bad).toMatchObject({ verdict: 'deny', rule: 'unreadable' });
  expect(await tryPath(snapshot, { path: '  ', operation: 'read' })).toMatchObject({ rule: 'unreadable' });
});

test('a server sees only the roots in its list', async () => {
  const as = (server: string, path: string) =>
    tryPath(snapshot, { path: tree.at(path), operation: 'read', server });
  expect((await as('search', 'app/a.ts')).verdict).toBe('deny');
  expect((await as('search', 'docs/d.md')).verdict).toBe('allow');
  expect((await as('other', 'app/a.ts')).verdict).toBe('allow');
});

test('says that there are no roots', async () => {
  const { steps } = await tryPath({ revision: 1, roots: [], servers: {} }, { path: '/x', operation: 'read' });
  expect(steps.at(-1)?.text).toBe('There are no roots yet');
});

const time = '2026-01-01T00:00:00.000Z';

function running(rules: AnnouncedProcess['rules'], project?: string): AnnouncedProcess {
  const client = {
    transport: 'stdio',
    declared: { roots: false, listChanged: false, elicitation: false },
    changes: 0,
    since: time,
    seen: time,
    trail: [],
    roots: ['app', 'docs'],
    places: [tree.at('app'), tree.at('docs')],
  } as const;
  const at = project === undefined ? {} : { project: { name: project, location: tree.at(project) } };
  return {
    id: 'p',
    pid: 1,
    command: 'serve',
    version: '1',
    started: time,
    directory: '/',
    server: 'rootward',
    ...(rules && { rules }),
    connections: [
      { ...client, id: 'first', ...at },
      { ...client, id: 'second', project: { name: 'docs', location: tree.at('docs') } },
    ],
    questions: [],
  };
}

test('a relative path is ambiguous with several roots, unless a client or an entry says where it begins', async () => {
  const attempt = { path: 'd.md', operation: 'read' } as const;
  expect(await tryPath(snapshot, attempt)).toMatchObject({ verdict: 'deny', rule: 'unreadable' });
  expect(await tryPath(snapshot, { ...attempt, root: tree.at('docs') })).toMatchObject({ root: 'docs' });
  expect(await tryPath(snapshot, { ...attempt, root: 'app' })).toMatchObject({ root: 'app' });
  const process = running({ policy: {}, limited: true, follows: false }, 'app');
  expect(await tryPath(snapshot, { ...attempt, process })).toMatchObject({ root: 'app' });
  expect(await tryPath(snapshot, { ...attempt, process, connection: 'second' })).toMatchObject({
    root: 'docs',
  });
  const lost = running({ policy: {}, limited: true, follows: false });
  expect(await tryPath(snapshot, { ...attempt, process: lost })).toMatchObject({ rule: 'unreadable' });
});

test('with one root a relative path begins there', async () => {
  const alone = { ...snapshot, roots: snapshot.roots.slice(0, 1) };
  expect(await tryPath(alone, { path: 'a.ts', operation: 'read' })).toMatchObject({ verdict: 'allow' });
});

test.each([
  [
    'what its command says, where it follows nothing kept',
    { policy: { preset: 'write-in-project' }, limited: false, follows: false },
    'allow',
  ],
  [
    'what is kept, where it follows that',
    { policy: { preset: 'write-in-project' }, limited: false, follows: true },
    'ask',
  ],
  [
    'no more than its command, where that is limited',
    { policy: { preset: 'read-only' }, limited: true, follows: true },
    'deny',
  ],
] as const)('a running server decides by %s', async (_, rules, verdict) => {
  const attempt = { path: tree.at('app/a.ts'), operation: 'write' } as const;
  expect((await tryPath(snapshot, { ...attempt, process: running(rules, 'app') })).verdict).toBe(verdict);
});

test('a running server without a client uses its directories', async () => {
  const rules = { policy: {}, limited: true, follows: false, directories: [tree.at('docs')] };
  const process = { ...running(rules), connections: [] };
  const tried = (path: string) => tryPath(snapshot, { path: tree.at(path), operation: 'read', process });
  expect((await tried('docs/d.md')).verdict).toBe('allow');
  expect((await tried('app/a.ts')).rule).toBe('outside-roots');
});
