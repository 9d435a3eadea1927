import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connectLegacy, type LegacyPair } from '../../../test/attached/connect-legacy.ts';
import { diskKinds, fillDisk } from '../../../test/disks/mounts.ts';
import { parseRoots, type Root } from '../../path/root.ts';
import { parsePolicy } from '../../policy/rules/policy.ts';
import { tempTree, type TempTree } from '../../testing/temp-tree.ts';
import type { AttachOptions } from '../settings/attach-options.ts';
import { findRefusedPlaces } from './refused-places.ts';
import { readSettings } from '../settings/settings.ts';

const layout = [
  'srv/app/a.txt = app',
  'srv/app/sub/deep/s.txt = sub',
  'srv/b.txt = srv',
  'docs/d.txt = docs',
];

interface Said {
  readonly ceiling?: readonly string[];
  readonly refused?: readonly string[];
}

/** An operator who says this, as paths in the tree. */
function operatorOf(tree: TempTree, { ceiling = [], refused = [] }: Said): AttachOptions {
  const rootsOf = (names: readonly string[]): readonly Root[] =>
    parseRoots(names.map((name) => tree.at(name))).roots;
  const policy = parsePolicy({ preset: 'write-in-project' });
  const word = { revision: 1, policy, ceiling: rootsOf(ceiling), refused: rootsOf(refused) };
  return { operator: () => word };
}

function connect(tree: TempTree, listed: readonly string[], options: AttachOptions): Promise<LegacyPair> {
  return connectLegacy({
    roots: listed.map((name) => tree.at(name)),
    options: { policy: { preset: 'write-in-project' }, ...options },
  });
}

/** What the client can read of everything there is, by its name. */
async function readable(pair: LegacyPair, tree: TempTree): Promise<readonly string[]> {
  const files = ['srv/app/a.txt', 'srv/app/sub/deep/s.txt', 'srv/b.txt', 'docs/d.txt'];
  const answers = await Promise.all(files.map((file) => pair.call('read', { path: tree.at(file) })));
  return files.filter((_, index) => answers[index]?.isError === false);
}

describe('a root that is refused', () => {
  test.each([
    ['itself', ['srv/app'], []],
    ['something beneath it', ['srv/app/sub'], []],
    ['what it lies in', ['srv'], ['srv/b.txt']],
    ['it and what it lies in', ['srv', 'srv/app'], ['srv/b.txt']],
    ['a link to it', ['link'], []],
    ['a link to something beneath it', ['link/sub'], []],
  ])('is not reached by a client that lists %s', async (_case, listed, expected) => {
    using tree = tempTree(layout);
    symlinkSync(tree.at('srv', 'app'), tree.at('link'));
    await using pair = await connect(tree, listed, operatorOf(tree, { refused: ['srv/app'] }));
    expect(await readable(pair, tree)).toEqual(expected);
    // Negative control: without the refusal the same client reaches more.
    await using control = await connect(tree, listed, operatorOf(tree, {}));
    expect((await readable(control, tree)).length).toBeGreaterThan(expected.length);
  });

  test('is not reached where the operator names a link to it', async () => {
    using tree = tempTree(layout);
    symlinkSync(tree.at('srv', 'app'), tree.at('link'));
    await using pair = await connect(tree, ['srv'], operatorOf(tree, { refused: ['link'] }));
    expect(await readable(pair, tree)).toEqual(['srv/b.txt']);
  });

  test('does not become the project, and the client is told why', async () => {
    using tree = tempTree(layout);
    const options = operatorOf(tree, { refused: ['srv/app'] });
    await using pair = await connect(tree, ['srv/app', 'docs'], { ...options, tools: ['why'] });
    expect((await pair.call('paths')).text).toBe(tree.at('docs'));
    expect((await pair.call('why')).text).toContain('1 that the operator refuses');
  });
});

describe('of two that hold each other the inner one decides', () => {
  test('a refused root in a directory of the operator', async () => {
    using tree = tempTree(layout);
    const options = operatorOf(tree, { ceiling: ['srv'], refused: ['srv/app'] });
    await using pair = await connect(tree, ['srv/app/sub'], options);
    expect(await readable(pair, tree)).toEqual(['srv/b.txt']);
  });

  test('a directory of the operator in a refused root', async () => {
    using tree = tempTree(layout);
    const options = operatorOf(tree, { ceiling: ['srv/app/sub'], refused: ['srv'] });
    await using pair = await connect(tree, ['srv', 'srv/app/sub/deep'], options);
    expect(await readable(pair, tree)).toEqual(['srv/app/sub/deep/s.txt']);
  });

  test('of the same place twice a no goes before a yes', async () => {
    using tree = tempTree(layout);
    symlinkSync(tree.at('srv', 'app'), tree.at('link'));
    const options = operatorOf(tree, { ceiling: ['link'], refused: ['srv/app'] });
    await using pair = await connect(tree, [], options);
    expect(await readable(pair, tree)).toEqual([]);
  });
});

describe('what is forbidden', () => {
  test('is not reached, also where the operator names it or what is in it', async () => {
    using tree = tempTree(layout);
    const forbidden = [tree.at('srv', 'app')];
    const ceiling = [tree.at('srv'), tree.at('srv', 'app', 'sub')];
    await using pair = await connect(tree, [], { ceiling, forbidden });
    expect(await readable(pair, tree)).toEqual(['srv/b.txt']);
    await using control = await connect(tree, [], { ceiling });
    expect(await readable(control, tree)).toHaveLength(3);
  });

  test('is not reached as the project that is found', async () => {
    using tree = tempTree(['own/package.json = {}', 'own/a.txt']);
    const read = async (forbidden: readonly string[]): Promise<boolean> => {
      const options = { cwd: tree.at('own'), forbidden };
      await using pair = await connectLegacy({ capabilities: {}, options });
      return (await pair.call('read', { path: tree.at('own', 'a.txt') })).isError;
    };
    expect(await read([tree.at('own')])).toBe(true);
    expect(await read([])).toBe(false);
  });

  test('is found behind links, also where it does not exist yet', async () => {
    using tree = tempTree(['real/', 'home => real']);
    const settings = readSettings({ forbidden: [tree.at('home', 'config', 'own')] });
    const { covers } = await findRefusedPlaces(settings);
    expect(covers(tree.at('real', 'config', 'own', 'roots.jsonc'))).toBe(true);
    expect(covers(tree.at('real', 'config', 'other'))).toBe(false);
  });

  test('that is no path refuses to start', () => {
    expect(() => readSettings({ forbidden: ['here'] })).toThrow('here');
  });
});

test('where nothing is refused the rules stay as they are', async () => {
  const { covers, deny } = await findRefusedPlaces(readSettings({}));
  const policy = parsePolicy({});
  expect(covers('/')).toBe(false);
  expect(deny(policy, { roots: [] } as never)).toBe(policy);
});

const caseless = diskKinds.find(({ title }) => title === 'NTFS without case');
const missing = caseless?.missing === undefined ? '' : ` (skipped: ${caseless.missing})`;

describe.runIf(caseless !== undefined && missing === '')(`where case does not count${missing}`, () => {
  test('what is refused is so in another case, and where case counts it is another directory', async () => {
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
});
