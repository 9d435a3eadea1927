import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { RootwardError } from '../../../src/errors.ts';
import { tempTree, type TempTree } from '../../../src/testing/temp-tree.ts';
import { drivers } from '../../support/boundary/drivers.ts';
import { age, snapshot } from '../../support/trees/snapshot.ts';

const linksOut = [
  'd/inner',
  'd/relative => ../../OUT',
  'd/absolute => $TREE/OUT/vault',
  'd/secret => $TREE/OUT/secret',
  'd/sub/above => ../../..',
  'd/sub/back => ../../../ROOT',
  'd/round => .',
];

const entries = ['file d/inner', 'directory d/sub'];
const links = ['d/absolute', 'd/relative', 'd/round', 'd/secret', 'd/sub/above', 'd/sub/back'];

describe.runIf(process.platform !== 'win32').each(drivers)('with $name', ({ open }) => {
  test('a walk shows links and nothing behind them', async () => {
    using tree = createTree();
    await using boundary = await open(tree.at('ROOT'));
    const found: string[] = [];
    for await (const { kind, path } of boundary.walk('.')) found.push(`${kind} ${path}`);
    const expected = [...entries, ...links.map((path) => `link ${path}`), 'directory d'];
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test('a listing shows links as links', async () => {
    using tree = createTree();
    await using boundary = await open(tree.at('ROOT'));
    const kinds = (await boundary.list('d')).entries.map(({ kind, name }) => `${kind} ${name}`);
    expect(kinds).toEqual([
      'link absolute',
      'file inner',
      'link relative',
      'link round',
      'link secret',
      'directory sub',
    ]);
  });

  test('removing a tree removes its links and nothing behind them', async () => {
    using tree = createTree();
    await using boundary = await open(tree.at('ROOT'));
    const before = snapshot(tree.path, { without: ['ROOT'] });
    await boundary.remove('d', { tree: true });
    expect(snapshot(tree.path, { without: ['ROOT'] })).toEqual(before);
    expect(readdirSync(tree.at('ROOT'))).toEqual([]);
  });

  test('a recursive watch sees nothing behind links', async () => {
    using tree = createTree();
    await using boundary = await open(tree.at('ROOT'));
    const events = boundary.watch('d', { recursive: true });
    // Directories below are watched a moment later: from the first event on that comes from there.
    const knock = setInterval(() => writeFileSync(tree.at('ROOT/d/sub/knock'), ''), 1);
    await nextPath(events, 'd/sub/knock');
    clearInterval(knock);
    writeFileSync(tree.at('OUT/vault/unseen'), '');
    writeFileSync(tree.at('OUT/unseen'), '');
    writeFileSync(tree.at('ROOT/d/seen'), '');
    expect(await nextPath(events, '/seen')).not.toContainEqual(expect.stringContaining('unseen'));
  });

  test('a link that leads out only after it was moved is refused there', async () => {
    using tree = createTree();
    tree.add('ROOT/a/b/link => ../../up', 'ROOT/up', 'up = SECRET');
    await using boundary = await open(tree.at('ROOT'));
    expect(await boundary.readText('a/b/link')).toBe('ROOT/up');
    await boundary.rename('a/b', 'b');
    await expect(boundary.readText('b/link')).rejects.toThrow(
      new RootwardError('OUTSIDE_ROOTS', { path: 'b/link', roots: ['ROOT'] }),
    );
  });
});

describe.runIf(process.platform === 'linux')('without a boundary', () => {
  test("Node's own recursive listing goes behind links", () => {
    using tree = tempTree(['OUT/treasure', 'ROOT/d/link => $TREE/OUT']);
    expect(readdirSync(tree.at('ROOT'), { recursive: true })).toContain('d/link/treasure');
  });

  test('a link that leads out only after it was moved is followed there', () => {
    using tree = tempTree(['ROOT/a/b/link => ../../up', 'ROOT/up', 'up = SECRET']);
    renameSync(tree.at('ROOT/a/b'), tree.at('ROOT/b'));
    expect(readFileSync(tree.at('ROOT/b/link'), 'utf8')).toBe('SECRET');
  });
});

function createTree(): TempTree {
  const tree = tempTree([
    'OUT/secret = SECRET',
    'OUT/vault/treasure = SECRET',
    ...linksOut.map((entry) => `ROOT/${entry}`),
  ]);
  age(tree.path);
  return tree;
}

/** Paths of the events up to the first that ends like this. */
async function nextPath(
  events: AsyncIterator<{ readonly path: string }>,
  ending: string,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) throw new Error('the watch ended');
    paths.push(value.path);
    if (value.path.endsWith(ending)) return paths;
  }
}
