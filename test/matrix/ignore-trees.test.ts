import { symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTextReaders } from '../../src/boundary/read/text-readers.ts';
import { openToolCall } from '../../src/testing/open-tool-call.ts';
import { type TempTree, tempTree } from '../../src/testing/temp-tree.ts';
import { findFiles } from '../../src/tools/search/find-files.ts';
import { searchPlace } from '../../src/tools/search/search-place.ts';
import { findRipgrep } from '../../src/tools/search/search-text.ts';
import { attackScale, attackSeed } from '../support/race/seed.ts';
import { createRepository, git } from '../support/trees/git.ts';
import { ignoreTrees, plantTrees } from '../support/trees/ignore-trees.ts';

const readers = createTextReaders(2);
afterAll(() => readers.close());

/** The same trees in each run, and others in `npm run attack`. */
const trees = ignoreTrees(30 * attackScale, attackScale === 1 ? 1 : attackSeed);

const query = {
  // Not plain text, which would be found without ripgrep.
  pattern: 'nee[d]le|^',
  literal: false,
  ignoreCase: false,
  wholeWord: false,
  context: 0,
  globs: [],
  exclude: [],
  gitignore: true,
  perFile: 1,
};

/** The paths that each way of searching shows below a directory of the tree. */
const ways = {
  find_files: async (tree: TempTree, path: string) => {
    await using call = await openToolCall([tree.path]);
    const found: string[] = [];
    for (let next: unknown = 0; next !== undefined;) {
      const { structuredContent } = await call.run(findFiles, {
        globs: ['*'],
        path,
        limit: 10_000,
        offset: next,
      });
      const { paths, next: more } = structuredContent as { paths: string[]; next?: number };
      found.push(...paths);
      next = more;
    }
    return found;
  },
  'search_text with ripgrep': async (tree: TempTree, path: string) =>
    search(tree, path, await findRipgrep(process.env)),
  'search_text without ripgrep': (tree: TempTree, path: string) => search(tree, path, undefined),
} as const;

async function search(tree: TempTree, path: string, ripgrep: string | undefined): Promise<readonly string[]> {
  await using call = await openToolCall([tree.path]);
  return await call.access({ operation: 'read', path }, async (location) => {
    const found: string[] = [];
    for await (const hits of searchPlace(location, query, { ripgrep, readers, signal: call.signal }))
      found.push(path === '.' ? hits.path : `${path}/${hits.path}`);
    return found;
  });
}

function listedByGit(tree: TempTree): readonly string[] {
  return git(tree.path, 'ls-files', '-coz', '--exclude-standard')
    .split('\0')
    .filter((path) => path !== '');
}

function sorted(paths: readonly string[]): readonly string[] {
  return paths.toSorted();
}

/** All trees side by side, and what Git lists of them. */
let tree: TempTree;
let listed: readonly string[];

beforeAll(() => {
  tree = tempTree();
  plantTrees(tree, trees, 'needle');
  git(tree.path, 'init', '--quiet');
  listed = listedByGit(tree);
});

afterAll(() => tree[Symbol.dispose]());

describe.each(Object.entries(ways))('%s', (_name, look) => {
  test(`shows what Git lists, in ${trees.length} trees`, async () => {
    const found = new Set(await look(tree, '.'));
    const expected = new Set(listed);
    const differ = (path: string): boolean => found.has(path) !== expected.has(path);
    const wrong = [...new Set([...found, ...expected])].filter(differ);
    const named = wrong.map(
      (path) => `${trees[Number(/\d+/.exec(path)?.[0])]?.name} (${attackSeed}): ${path}`,
    );
    expect(named).toEqual([]);
    expect(trees.length).toBeGreaterThanOrEqual(50);
    expect(found.size).toBeGreaterThan(1_000);
  });

  test('shows the same when it starts in a directory below rules', async () => {
    for (const path of ['t1/app', 't1/app/src', 't4/a/b', 't6/app/dist', 't6/app/dist/deep', 't10/a/b'])
      expect(sorted(await look(tree, path))).toEqual(
        sorted(listed.filter((each) => each.startsWith(`${path}/`))),
      );
  });

  test('shows what is in an ignored directory that it starts in', async () => {
    expect(await look(tree, 't2/app/deep')).toEqual(['t2/app/deep/b']);
    expect(await look(tree, 't1/app/dist/deep')).toEqual(['t1/app/dist/deep/b.js']);
    // The rule leaves out what is in the directory, and not the directory.
    expect(await look(tree, 't1/app/dist')).toEqual([]);
  });

  /** What differs from Git, and why it must. */
  test.each([
    [
      'a tracked file that is ignored is left out: the index of Git is not read',
      (made: TempTree) => {
        createRepository(made.path);
        made.add('.gitignore = a.txt\n');
      },
      { git: ['.gitignore', 'a.txt', 'sub/b.txt'], ours: ['.gitignore', 'sub/b.txt'] },
    ],
    [
      'rules that are not in the tree do not count: they belong to a person, and lie out of reach',
      (made: TempTree) => {
        git(made.path, 'init', '--quiet');
        made.add('.git/info/exclude = a.txt\n');
      },
      { git: ['sub/b.txt'], ours: ['a.txt', 'sub/b.txt'] },
    ],
    [
      'a repository in another is a part of the tree: the root is what was granted, not the repository',
      (made: TempTree) => {
        git(made.path, 'init', '--quiet');
        createRepository(made.at('sub'));
      },
      { git: ['a.txt', 'sub/'], ours: ['a.txt', 'sub/b.txt'] },
    ],
    [
      'a rule of more than 256 characters is not applied: it could take for ever',
      (made: TempTree) => {
        git(made.path, 'init', '--quiet');
        writeFileSync(made.at('.gitignore'), `a.txt\n${'*'.repeat(300)}b.txt\n`);
      },
      { git: ['.gitignore'], ours: ['.gitignore', 'sub/b.txt'] },
    ],
  ] as const)('%s', async (_reason, prepare, expected) => {
    using made = tempTree(['a.txt = needle', 'sub/b.txt = needle']);
    prepare(made);
    expect(sorted(listedByGit(made))).toEqual(expected.git);
    expect(sorted(await look(made, '.'))).toEqual(expected.ours);
  });
});

test('Git lists a link, find_files too, and search_text does not follow it', async () => {
  using made = tempTree(['a.txt = needle']);
  symlinkSync('a.txt', made.at('link'));
  git(made.path, 'init', '--quiet');
  expect(listedByGit(made)).toEqual(['a.txt', 'link']);
  expect(await ways.find_files(made, '.')).toEqual(['a.txt', 'link']);
  expect(await ways['search_text with ripgrep'](made, '.')).toEqual(['a.txt']);
});
