import { readdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { sampleRoot } from '../../../test/support/trees/sample-root.ts';
import { createMemorySink } from '../../audit/sink.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { openRootStore } from './open-root-store.ts';
import { createInspection, createUnsafeRefusal } from './store-additions.ts';

describe('one root', () => {
  test('that is too broad or sensitive is added only by force', async () => {
    using tree = tempTree();
    await using store = await openRootStore({ file: tree.at('roots.jsonc'), follow: false });
    for (const path of [homedir(), '/etc']) {
      await expect(store.add(path)).rejects.toMatchObject({ code: 'UNSAFE_ROOT' });
      expect(readdirSync(tree.path)).toEqual([]);
    }
    expect(await store.add({ path: '/etc', force: true })).toMatchObject({ path: '/etc' });
    expect(store.get('etc')).not.toHaveProperty('force');
  });

  test('that contains the store is added only by force: a server there could grant itself the rest', async () => {
    using tree = tempTree(['app/', 'config/']);
    await using store = await openRootStore({ file: tree.at('config', 'roots.jsonc'), follow: false });
    await store.add(tree.at('app'));
    await expect(store.add(tree.path)).rejects.toMatchObject({ code: 'UNSAFE_ROOT' });
    await expect(store.add(tree.at('config'))).rejects.toMatchObject({ code: 'UNSAFE_ROOT' });
  });
});

test.each([true, false])(
  'a link counts as its target, whether it must exist or not: %s',
  async (mustExist) => {
    using tree = tempTree(['a/link => /etc', 'a/app/', 'a/fine => app']);
    await using store = await openRootStore({ file: tree.at('config', 'roots.jsonc'), follow: false });
    await expect(store.add({ path: tree.at('a/link'), mustExist })).rejects.toMatchObject({
      code: 'UNSAFE_ROOT',
    });
    expect(await store.add({ path: tree.at('a/fine'), mustExist })).toMatchObject({ name: 'fine' });
  },
);

test('judges a missing directory by where it would be', async () => {
  using tree = tempTree(['link => /etc']);
  await using store = await openRootStore({ file: tree.at('config', 'roots.jsonc'), follow: false });
  for (const path of ['/etc/none', tree.at('link', 'none')])
    await expect(store.add({ path, mustExist: false })).rejects.toMatchObject({ code: 'UNSAFE_ROOT' });
  await store.add({ path: tree.at('later'), mustExist: false });
});

describe('several roots', () => {
  test('are one change, and one entry each in the audit', async () => {
    using tree = tempTree(['a/app/', 'b/app/']);
    const audit = createMemorySink();
    await using store = await openRootStore({ file: tree.at('roots.jsonc'), follow: false, audit });
    const added = await store.addAll([tree.at('a/app'), { path: tree.at('b/app'), allow: ['read'] }]);
    expect(added.map(({ name }) => name)).toEqual(['app', 'app-2']);
    expect([store.revision, audit.entries().length]).toEqual([1, 2]);
    await store.undo();
    expect(store.list()).toEqual([]);
  });

  test.each([
    ['one of them twice', ['app', 'app'], 'ALREADY_EXISTS'],
    ['one that is not there', ['app', 'none'], 'NOT_FOUND'],
  ])('are all refused if one is %s', async (_what, names, code) => {
    using tree = tempTree(['app/']);
    await using store = await openRootStore({ file: tree.at('config', 'roots.jsonc'), follow: false });
    await expect(store.addAll(names.map((name) => tree.at(name)))).rejects.toMatchObject({ code });
    expect(store.list()).toEqual([]);
  });

  test.each([true, false])('are added if the findings are approved: %s', async (isApproved) => {
    using tree = tempTree(['app/src/', 'b/', 'config/']);
    await using store = await openRootStore({ file: tree.at('config', 'roots.jsonc'), follow: false });
    await store.add(tree.at('app'));
    const seen: string[] = [];
    const added = await store.addAll([tree.at('b'), tree.at('app/src')], (findings) => {
      seen.push(...findings.map(({ index, code }) => `${index} ${code}`));
      return isApproved;
    });
    expect(seen).toEqual(['1 nested']);
    expect([added.length, store.list().length]).toEqual(isApproved ? [2, 3] : [0, 1]);
  });

  test('that are too broad are not added by an approval, only by force', async () => {
    using tree = tempTree();
    await using store = await openRootStore({ file: tree.at('roots.jsonc'), follow: false });
    await expect(store.addAll(['/etc'], () => true)).rejects.toMatchObject({ code: 'UNSAFE_ROOT' });
  });

  test('may be an empty list', async () => {
    using tree = tempTree();
    await using store = await openRootStore({ file: tree.at('roots.jsonc'), follow: false });
    expect([await store.addAll([]), store.revision]).toEqual([[], 0]);
  });
});

test('refuses a root named like the path of another', async () => {
  using tree = tempTree(['app/', 'b/']);
  await using store = await openRootStore({ file: tree.at('config', 'roots.jsonc'), follow: false });
  await expect(store.add({ path: tree.at('b'), name: tree.at('app') })).rejects.toMatchObject({
    code: 'INVALID_NAME',
  });
  await store.add({ path: tree.at('b'), name: 'b' });
  await expect(store.rename('b', tree.at('app'))).rejects.toMatchObject({ code: 'INVALID_NAME' });
  expect((await store.add(tree.at('app'))).path).toBe(tree.at('app'));
});

test('a root that was named by hand like the path of another does not hide it', async () => {
  using tree = tempTree(['app/', 'b/']);
  const [app, b] = [tree.at('app'), tree.at('b')];
  tree.add(
    `roots.jsonc = {"version":1,"roots":[{"path":"${b}","name":"${app}"},{"path":"${app}","name":"app"}]}`,
  );
  await using store = await openRootStore({ file: tree.at('roots.jsonc'), follow: false });
  await store.remember(app, { server: 's', answer: 'always', date: '2026-01-01' });
  expect(store.list().map(({ path, grants }) => [path, grants.length])).toEqual([
    [b, 0],
    [app, 1],
  ]);
  expect((await store.remove(app)).path).toBe(app);
  expect(store.list().map(({ path }) => path)).toEqual([b]);
});

function createRefusal(file: string): (path: string, real?: string) => Promise<void> {
  const refuse = createUnsafeRefusal(createInspection(file));
  return (path, real = path) => refuse(sampleRoot({ path, uri: `file://${path}` }), real);
}

test.each([
  [homedir(), /the home directory/],
  [tmpdir(), /temporary files/],
  ['/etc/ssl', /belongs to the system/],
])('refuses %s', async (path, reason) => {
  using tree = tempTree();
  await expect(createRefusal(tree.at('roots.jsonc'))(path)).rejects.toMatchObject({
    code: 'UNSAFE_ROOT',
    data: { path, reason: expect.stringMatching(reason) },
    hint: expect.stringContaining('use force'),
  });
});

test('refuses a root that contains the store file, but not in another store', async () => {
  using tree = tempTree(['app/config/roots.jsonc', 'app/src/']);
  const refuse = createRefusal(tree.at('app/config/roots.jsonc'));
  await expect(refuse(tree.at('app'))).rejects.toMatchObject({ code: 'UNSAFE_ROOT' });
  await expect(refuse(tree.at('app/config/roots.jsonc'))).rejects.toMatchObject({ code: 'UNSAFE_ROOT' });
  await refuse(tree.at('app/src'));
  await createRefusal(tree.at('roots.jsonc'))(tree.at('app'));
});

test('refuses a link to a sensitive place, whatever its name', async () => {
  using tree = tempTree();
  const refuse = createRefusal(tree.at('r'));
  await refuse(tree.at('link'));
  await expect(refuse(tree.at('link'), '/etc')).rejects.toMatchObject({ code: 'UNSAFE_ROOT' });
});
