import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connectLegacy, type LegacyPair } from '../../../test/support/peers/connect-legacy.ts';
import { connectModern } from '../../../test/support/peers/connect-modern.ts';
import type { ToolRun } from '../../../test/support/peers/sdks.ts';
import { diskKinds, fillDisk } from '../../../test/support/trees/mounts.ts';
import type { Operation } from '../../boundary/step/operation.ts';
import { toFileUri } from '../../path/file-uri.ts';
import { parseRoots, type Root } from '../../path/root.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { permissionsKey } from '../../policy/rules/root-permissions.ts';
import { tempTree, type TempTree } from '../../testing/temp-tree.ts';
import type { AttachOptions } from '../settings/attach-options.ts';
import type { Rootward } from '../settings/rootward.ts';
import { readSettings } from '../settings/settings.ts';
import { findRefusedPlaces, nameSafely } from './effective-roots.ts';

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

describe('a root with restrictions by the client', () => {
  test('allows no more, without directories of the operator', async () => {
    using tree = tempTree(layout);
    await using pair = await connect({}, sent(tree.at('srv', 'app'), readOnly));
    expect((await pair.call('read', { path: tree.at('srv', 'app', 'a.txt') })).text).toBe('app');
    expect(await pair.call('write', { path: tree.at('srv', 'app', 'a.txt') })).toMatchObject({
      isError: true,
    });
    expect((await pair.call('read', { path: tree.at('srv', 'app', 'secret', 'b.txt') })).isError).toBe(true);
    expect(readFileSync(tree.at('srv', 'app', 'a.txt'), 'utf8')).toBe('app');
  });

  test('allows what the server allows, without restrictions', async () => {
    using tree = tempTree(layout);
    // Negative control for the others: the policy of the server allows it.
    await using pair = await connect({}, { uri: toFileUri(tree.at('srv', 'app')) });
    expect((await pair.call('write', { path: tree.at('srv', 'app', 'a.txt') })).text).toBe('written');
  });

  test.each([
    ['in a directory of the operator', ['srv']],
    ['that the operator named too', ['srv', 'app']],
  ])('allows no more %s', async (_case, names) => {
    using tree = tempTree(layout);
    await using pair = await connect({ ceiling: [tree.at(...names)] }, sent(tree.at('srv', 'app'), readOnly));
    expect((await pair.call('read', { path: tree.at('srv', 'app', 'a.txt') })).text).toBe('app');
    expect((await pair.call('write', { path: tree.at('srv', 'app', 'a.txt') })).isError).toBe(true);
    expect((await pair.call('read', { path: tree.at('srv', 'app', 'secret', 'b.txt') })).isError).toBe(true);
  });

  test('leaves the rest of the operator’s directory alone, and no link avoids it', async () => {
    using tree = tempTree(layout);
    await using pair = await connect({ ceiling: [tree.at('srv')] }, sent(tree.at('srv', 'app'), readOnly));
    expect((await pair.call('write', { path: tree.at('srv', 'c.txt') })).text).toBe('written');
    expect((await pair.call('write', { path: tree.at('srv', 'to-app', 'a.txt') })).isError).toBe(true);
    // Negative control: the link leads there.
    writeFileSync(tree.at('srv', 'to-app', 'a.txt'), 'changed');
    expect(readFileSync(tree.at('srv', 'app', 'a.txt'), 'utf8')).toBe('changed');
  });

  test('allows no more in 2026-07-28', async () => {
    using tree = tempTree(layout);
    await using pair = await connectModern({ options: { policy }, tools: { write } });
    const answers = { 'roots/list': () => ({ roots: [sent(tree.at('srv', 'app'), readOnly)] }) };
    expect((await pair.call('read', { path: 'a.txt' }, answers)).text).toBe('app');
    expect((await pair.call('write', { path: 'a.txt' }, answers)).isError).toBe(true);
  });
});

test('a client never allows more than the server does', async () => {
  using tree = tempTree(layout);
  const all = { allow: ['read', 'list', 'write', 'remove', 'execute'], ask: [], deny: [] };
  await using pair = await connect({ policy: { preset: 'read-only' } }, sent(tree.at('srv', 'app'), all));
  expect((await pair.call('write', { path: tree.at('srv', 'app', 'a.txt') })).isError).toBe(true);
});

test('unreadable permissions allow nothing', async () => {
  using tree = tempTree(layout);
  await using pair = await connect({}, sent(tree.at('srv', 'app'), { alow: ['read'] }));
  expect((await pair.call('read', { path: tree.at('srv', 'app', 'a.txt') })).isError).toBe(true);
});

test('restrictions by the client change with its next list', async () => {
  using tree = tempTree(layout);
  await using pair = await connect({}, sent(tree.at('srv', 'app'), readOnly));
  const path = tree.at('srv', 'app', 'a.txt');
  expect((await pair.call('write', { path })).isError).toBe(true);
  const more = { allow: ['read', 'list', 'write'], ask: [], deny: [] };
  pair.client.answers.set('roots/list', () => ({ roots: [sent(tree.at('srv', 'app'), more)] }));
  await pair.changed();
  expect((await pair.call('write', { path })).text).toBe('written');
});

const rootsOf = (...entries: readonly { uri: string; name?: string }[]) => parseRoots(entries).roots;
const rules = {
  ceiling: rootsOf({ uri: 'file:///srv/app' }, { uri: 'file:///srv/docs' }),
  policy: parsePolicy({ roots: { vault: { allow: ['write'] }, 'app (client)': { allow: ['write'] } } }),
};
const namesOf = (roots: readonly { readonly name: string }[]): readonly string[] =>
  roots.map(({ name }) => name);

test('a client root named like one of the operator, or like a rule, gets another name', () => {
  const roots = rootsOf(
    { uri: 'file:///home/app' },
    { uri: 'file:///home/x', name: 'vault' },
    { uri: 'file:///home/mine' },
  );
  expect(namesOf(nameSafely(roots, rules))).toEqual(['app (client)-2', 'vault (client)', 'mine']);
});

test('a root of the operator keeps its name', () => {
  expect(nameSafely(rules.ceiling, rules)).toEqual(rules.ceiling);
});

test('two client roots with the same name get no name of a rule', () => {
  const policy = parsePolicy({ roots: { 'x-2': { allow: ['write'] } } });
  const roots = rootsOf({ uri: 'file:///a/x' }, { uri: 'file:///b/x' });
  expect(namesOf(nameSafely(roots, { ...rules, policy }))).toEqual(['x', 'x-3']);
});

test('without directories of the operator, names are unchanged', () => {
  const roots = rootsOf({ uri: 'file:///home/x', name: 'vault' });
  expect(nameSafely(roots, { ...rules, ceiling: undefined })).toBe(roots);
});

const layoutRefusedPlaces = [
  'srv/app/a.txt = app',
  'srv/app/sub/deep/s.txt = sub',
  'srv/b.txt = srv',
  'docs/d.txt = docs',
];

interface Said {
  readonly ceiling?: readonly string[];
  readonly refused?: readonly string[];
}

/** An operator with these settings, as paths in the tree. */
function operatorOf(tree: TempTree, { ceiling = [], refused = [] }: Said): AttachOptions {
  const rootsOf = (names: readonly string[]): readonly Root[] =>
    parseRoots(names.map((name) => tree.at(name))).roots;
  const policy = parsePolicy({ preset: 'write-in-project' });
  const word = { revision: 1, policy, ceiling: rootsOf(ceiling), refused: rootsOf(refused) };
  return { operator: () => word };
}

function connectRefusedPlaces(
  tree: TempTree,
  listed: readonly string[],
  options: AttachOptions,
): Promise<LegacyPair> {
  return connectLegacy({
    roots: listed.map((name) => tree.at(name)),
    options: { policy: { preset: 'write-in-project' }, ...options },
  });
}

/** The files the client can read, by name. */
async function readable(pair: LegacyPair, tree: TempTree): Promise<readonly string[]> {
  const files = ['srv/app/a.txt', 'srv/app/sub/deep/s.txt', 'srv/b.txt', 'docs/d.txt'];
  const answers = await Promise.all(files.map((file) => pair.call('read', { path: tree.at(file) })));
  return files.filter((_, index) => answers[index]?.isError === false);
}

describe('a refused root', () => {
  test.each([
    ['itself', ['srv/app'], []],
    ['something beneath it', ['srv/app/sub'], []],
    ['what it lies in', ['srv'], ['srv/b.txt']],
    ['it and what it lies in', ['srv', 'srv/app'], ['srv/b.txt']],
    ['a link to it', ['link'], []],
    ['a link to something beneath it', ['link/sub'], []],
  ])('is not reached by a client that lists %s', async (_case, listed, expected) => {
    using tree = tempTree(layoutRefusedPlaces);
    symlinkSync(tree.at('srv', 'app'), tree.at('link'));
    await using pair = await connectRefusedPlaces(tree, listed, operatorOf(tree, { refused: ['srv/app'] }));
    expect(await readable(pair, tree)).toEqual(expected);
    // Negative control: without the refusal the same client reaches more.
    await using control = await connectRefusedPlaces(tree, listed, operatorOf(tree, {}));
    expect((await readable(control, tree)).length).toBeGreaterThan(expected.length);
  });

  test('is not reached if the operator names a link to it', async () => {
    using tree = tempTree(layoutRefusedPlaces);
    symlinkSync(tree.at('srv', 'app'), tree.at('link'));
    await using pair = await connectRefusedPlaces(tree, ['srv'], operatorOf(tree, { refused: ['link'] }));
    expect(await readable(pair, tree)).toEqual(['srv/b.txt']);
  });

  test('does not become the project, and the client is told why', async () => {
    using tree = tempTree(layoutRefusedPlaces);
    const options = operatorOf(tree, { refused: ['srv/app'] });
    await using pair = await connectRefusedPlaces(tree, ['srv/app', 'docs'], { ...options, tools: ['why'] });
    expect((await pair.call('paths')).text).toBe(tree.at('docs'));
    expect((await pair.call('why')).text).toContain('1 that the operator refuses');
  });
});

describe('the inner one of two nested places decides', () => {
  test('a refused root in a directory of the operator', async () => {
    using tree = tempTree(layoutRefusedPlaces);
    const options = operatorOf(tree, { ceiling: ['srv'], refused: ['srv/app'] });
    await using pair = await connectRefusedPlaces(tree, ['srv/app/sub'], options);
    expect(await readable(pair, tree)).toEqual(['srv/b.txt']);
  });

  test('a directory of the operator in a refused root', async () => {
    using tree = tempTree(layoutRefusedPlaces);
    const options = operatorOf(tree, { ceiling: ['srv/app/sub'], refused: ['srv'] });
    await using pair = await connectRefusedPlaces(tree, ['srv', 'srv/app/sub/deep'], options);
    expect(await readable(pair, tree)).toEqual(['srv/app/sub/deep/s.txt']);
  });

  test('a refusal wins if the same place is named twice', async () => {
    using tree = tempTree(layoutRefusedPlaces);
    symlinkSync(tree.at('srv', 'app'), tree.at('link'));
    const options = operatorOf(tree, { ceiling: ['link'], refused: ['srv/app'] });
    await using pair = await connectRefusedPlaces(tree, [], options);
    expect(await readable(pair, tree)).toEqual([]);
  });
});

describe('a forbidden place', () => {
  test('is not reached, even if the operator names it or its content', async () => {
    using tree = tempTree(layoutRefusedPlaces);
    const forbidden = [tree.at('srv', 'app')];
    const ceiling = [tree.at('srv'), tree.at('srv', 'app', 'sub')];
    await using pair = await connectRefusedPlaces(tree, [], { ceiling, forbidden });
    expect(await readable(pair, tree)).toEqual(['srv/b.txt']);
    await using control = await connectRefusedPlaces(tree, [], { ceiling });
    expect(await readable(control, tree)).toHaveLength(3);
  });

  test('is not reached as the detected project', async () => {
    using tree = tempTree(['own/package.json = {}', 'own/a.txt']);
    const read = async (forbidden: readonly string[]): Promise<boolean> => {
      const options = { cwd: tree.at('own'), forbidden };
      await using pair = await connectLegacy({ capabilities: {}, options });
      return (await pair.call('read', { path: tree.at('own', 'a.txt') })).isError;
    };
    expect(await read([tree.at('own')])).toBe(true);
    expect(await read([])).toBe(false);
  });

  test('is found behind links, even if it does not exist yet', async () => {
    using tree = tempTree(['real/', 'home => real']);
    const settings = readSettings({ forbidden: [tree.at('home', 'config', 'own')] });
    const { covers } = await findRefusedPlaces(settings);
    expect(covers(tree.at('real', 'config', 'own', 'roots.jsonc'))).toBe(true);
    expect(covers(tree.at('real', 'config', 'other'))).toBe(false);
  });

  test('that is not a path is an error at start', () => {
    expect(() => readSettings({ forbidden: ['here'] })).toThrow('here');
  });
});

test('without refusals the rules are unchanged', async () => {
  const { covers, deny } = await findRefusedPlaces(readSettings({}));
  const policy = parsePolicy({});
  expect(covers('/')).toBe(false);
  expect(deny(policy, { roots: [] } as never)).toBe(policy);
});

const caseless = diskKinds.find(({ title }) => title === 'NTFS without case');
const missing = caseless?.missing === undefined ? '' : ` (skipped: ${caseless.missing})`;

describe.runIf(caseless !== undefined && missing === '')(
  `on a case-insensitive file system${missing}`,
  () => {
    test('a refusal applies in another case, but not on a case-sensitive one', async () => {
      if (caseless === undefined) return;
      using disk = caseless.mount();
      fillDisk(disk.path, { 'App/sub/a.txt': 'a', 'other/b.txt': 'b' });
      using tree = tempTree(['App/', 'app/']);
      const settings = readSettings({ forbidden: [`${disk.path}/App`, tree.at('App')] });
      const { covers } = await findRefusedPlaces(settings);
      for (const path of ['App', 'APP', 'app/SUB', 'aPp/sub/none'])
        expect([path, covers(`${disk.path}/${path}`)]).toEqual([path, true]);
      expect(covers(`${disk.path}/other`)).toBe(false);
      expect([covers(tree.at('App')), covers(tree.at('app')), covers(tree.at('APP'))]).toEqual([
        true,
        false,
        false,
      ]);
    });
  },
);
