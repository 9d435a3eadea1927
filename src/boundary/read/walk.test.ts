import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drivers, openContext } from '../../../test/support/trees/boundary-context.ts';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { type TempTree, tempTree } from '../../testing/temp-tree.ts';
import type { BoundaryContext } from '../step/context.ts';
import { flatten, walk, type Walk, type WalkOptions } from './walk.ts';

async function paths(entries: Walk): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { path } of entries) found.push(path);
  return found.toSorted();
}

function walkPaths(
  context: BoundaryContext,
  path: string,
  options?: WalkOptions,
): Promise<readonly string[]> {
  return paths(walk(context, path, options));
}

/** A directory with as many directories and files as asked for, on two levels. */
function wide(count: number): TempTree {
  return tempTree(Array.from({ length: count }, (_, index) => `d${index}/f`));
}

describe.each(drivers)('with the %s driver', (_name, driver) => {
  test('sees everything once, links as links, and follows none', async () => {
    using tree = tempTree(['a/b/c', 'a/d/', 'f', 'to-a => a', 'loop => .', 'out => ..', 'pipe|']);
    using context = openContext(tree.path, { driver });
    const entries = walk(context, '.');
    const found: Record<string, string> = {};
    for await (const { path, kind } of entries) found[path] = kind;
    expect(found).toEqual({
      a: 'directory',
      'a/b': 'directory',
      'a/b/c': 'file',
      'a/d': 'directory',
      f: 'file',
      loop: 'link',
      out: 'link',
      pipe: 'FIFO',
      'to-a': 'link',
    });
    expect(entries).toMatchObject({ stopped: undefined, skipped: 0 });
  });

  test('starts anywhere, and reports real paths from the root', async () => {
    using tree = tempTree(['a/b/c', 'to-b => a/b']);
    using context = openContext(tree.path, { driver });
    expect(await walkPaths(context, 'a')).toEqual(['a/b', 'a/b/c']);
    expect(await walkPaths(context, 'to-b')).toEqual(['a/b/c']);
  });

  test.each([
    ['f', 'NOT_A_DIRECTORY'],
    ['missing', 'NOT_FOUND'],
    ['..', 'OUTSIDE_ROOTS'],
    ['out', 'OUTSIDE_ROOTS'],
  ])('refuses %s with %s when the walk begins', async (path, code) => {
    using tree = tempTree(['f', 'out => ..']);
    using context = openContext(tree.path, { driver });
    const entries = walk(context, path);
    await expect(paths(entries)).rejects.toMatchObject({ code, data: { path } });
  });

  test('closes every handle, at the end and when the loop is left', async () => {
    using tree = tempTree(['a/b/c/d/e', 'a/b/f']);
    using context = openContext(tree.path, { driver });
    const before = openHandles(tree.path);
    for (const last of ['a', 'a/b', 'a/b/c/d', 'none']) {
      for await (const { path } of walk(context, '.')) if (path === last) break;
      expect(openHandles(tree.path)).toEqual(before);
    }
    await expect(failAt(walk(context, '.'), 'a/b/c')).rejects.toThrow('mine');
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('skips a directory that is gone before it is entered', async () => {
    using tree = tempTree(['a/x', 'b/y']);
    using context = openContext(tree.path, { driver });
    const entries = walk(context, '.');
    const found: string[] = [];
    for await (const { path } of entries) {
      if (found.length === 0) rmSync(tree.at('a'), { recursive: true });
      found.push(path);
    }
    expect(found.toSorted()).toEqual(['a', 'b', 'b/y']);
    expect(entries).toMatchObject({ skipped: 1, stopped: undefined });
  });

  test('does not enter a link that took the place of a directory', async () => {
    using tree = tempTree(['ROOT/a/x', 'secret/key']);
    using context = openContext(tree.at('ROOT'), { driver });
    const entries = walk(context, '.');
    const found: string[] = [];
    for await (const { path } of entries) {
      renameSync(tree.at('ROOT', 'a'), tree.at('moved'));
      tree.add('ROOT/a => ../secret');
      found.push(path);
    }
    expect(found).toEqual(['a']);
    expect(entries.skipped).toBe(1);
  });
});

async function failAt(entries: Walk, last: string): Promise<void> {
  for await (const { path } of entries) if (path === last) throw new Error('mine');
}

test('gives the same entries one directory at a time', async () => {
  using tree = tempTree(['a/x', 'a/y', 'f', 'empty/']);
  using context = openContext(tree.path);
  const batches: string[] = [];
  for await (const batch of walk(context, '.').batches()) {
    batches.push(
      batch
        .map(({ path }) => path)
        .toSorted()
        .join(' '),
    );
  }
  expect(batches.toSorted()).toEqual(['a empty f', 'a/x a/y']);
});

describe('depth', () => {
  test.each([
    [0, ['a'], 'depth'],
    [1, ['a', 'a/b'], 'depth'],
    [2, ['a', 'a/b', 'a/b/c'], 'depth'],
    [3, ['a', 'a/b', 'a/b/c', 'a/b/c/f'], undefined],
  ] as const)('%d sees %j', async (depth, expected, stopped) => {
    using tree = tempTree(['a/b/c/f']);
    using context = openContext(tree.path);
    const entries = walk(context, '.', { depth });
    expect(await paths(entries)).toEqual(expected);
    expect(entries.stopped).toBe(stopped);
  });

  test('is bounded by default', async () => {
    using tree = tempTree([`${'d/'.repeat(140)}f`]);
    using context = openContext(tree.path);
    const entries = walk(context, '.');
    expect(await paths(entries)).toHaveLength(129);
    expect(entries.stopped).toBe('depth');
  });

  test('leaves out what is too deep, and nothing else', async () => {
    using tree = tempTree(['a/b/c', 'x/y']);
    using context = openContext(tree.path);
    const entries = walk(context, '.', { depth: 1 });
    expect(await paths(entries)).toEqual(['a', 'a/b', 'x', 'x/y']);
    expect(entries.stopped).toBe('depth');
  });
});

describe('a limit of entries', () => {
  test.each([
    [0, 0, 'entries'],
    [3, 3, 'entries'],
    [4, 4, undefined],
    [5, 4, undefined],
  ] as const)('of %d gives %d of 4', async (limit, count, stopped) => {
    using tree = tempTree(['a/x', 'b/y']);
    using context = openContext(tree.path);
    const before = openHandles(tree.path);
    const entries = walk(context, '.', { entries: limit });
    expect(await paths(entries)).toHaveLength(count);
    expect(entries.stopped).toBe(stopped);
    expect(openHandles(tree.path)).toEqual(before);
  });

  test('does not count entries that are left out', async () => {
    using tree = tempTree(['a', 'b', 'x.log', 'y.log']);
    using context = openContext(tree.path);
    const entries = walk(context, '.', { entries: 2, ignore: ['*.log'] });
    expect(await paths(entries)).toEqual(['a', 'b']);
    expect(entries.stopped).toBeUndefined();
  });
});

test('ends when its time is over, and reports it', async () => {
  using tree = wide(50);
  using context = openContext(tree.path);
  const entries = walk(context, '.', { milliseconds: 0 });
  expect((await paths(entries)).length).toBeLessThan(100);
  expect(entries.stopped).toBe('time');
  expect(openHandles(tree.path)).toHaveLength(process.platform === 'linux' ? 1 : 0);
});

describe('a walk that is aborted', () => {
  test('before it begins fails with the reason, however small the tree is', async () => {
    using tree = tempTree(['a']);
    using context = openContext(tree.path);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(walkPaths(context, '.', { signal })).rejects.toThrow('enough');
  });

  test('in its middle fails before the next directory, and keeps nothing open', async () => {
    using tree = wide(20);
    using context = openContext(tree.path);
    const before = openHandles(tree.path);
    const controller = new AbortController();
    const found: string[] = [];
    const walking = (async () => {
      for await (const batch of walk(context, '.', { signal: controller.signal }).batches()) {
        found.push(...batch.map(({ path }) => path));
        controller.abort(new Error('enough'));
      }
    })();
    await expect(walking).rejects.toThrow('enough');
    expect(found).toHaveLength(20);
    expect(openHandles(tree.path)).toEqual(before);
  });
});

describe('what is left out', () => {
  test('globs leave out entries, directories with their content', async () => {
    using tree = tempTree(['src/a.ts', 'src/a.js', 'node_modules/x/index.js', 'a/node_modules/y', 'dist/b']);
    using context = openContext(tree.path);
    const ignore = ['node_modules', '*.js', '/dist/**'];
    expect(await walkPaths(context, '.', { ignore })).toEqual(['a', 'src', 'src/a.ts']);
  });

  test('the guard leaves out entries silently, by real path', async () => {
    using tree = tempTree(['a/.env', 'a/x', 'secret/key']);
    using context = openContext(tree.path, {
      guard: (_operation, relative) => (/(^|\/)\.env$|^secret/.test(relative) ? new Error('no') : undefined),
    });
    const entries = walk(context, '.');
    expect(await paths(entries)).toEqual(['a', 'a/x']);
    expect(entries).toMatchObject({ skipped: 0, stopped: undefined });
  });

  test('by .gitignore files, and .git itself', async () => {
    using tree = tempTree([
      '.git/config',
      'a/x.log',
      'a/keep.log',
      'a/b/keep.log',
      'build/out',
      'a/build',
      'z.log',
    ]);
    writeFileSync(tree.at('.gitignore'), '*.log\nbuild/\n');
    writeFileSync(tree.at('a', '.gitignore'), '!/keep.log\n');
    using context = openContext(tree.path);
    expect(await walkPaths(context, '.', { gitignore: true })).toEqual(
      ['.gitignore', 'a', 'a/.gitignore', 'a/b', 'a/build', 'a/keep.log'].toSorted(),
    );
    expect(await walkPaths(context, '.')).toContain('.git/config');
  });

  test('an invalid glob is refused before the walk', () => {
    using tree = tempTree();
    using context = openContext(tree.path);
    expect(() => walk(context, '.', { ignore: ['[a'] })).toThrow(
      expect.objectContaining({ code: 'INVALID_GLOB' }),
    );
  });
});

test('keeps the boundary open until it ends, and does not begin after', async () => {
  using tree = tempTree(['a/b']);
  using context = openContext(tree.path);
  const order: string[] = [];
  let closed: Promise<unknown> | undefined;
  for await (const { path } of walk(context, '.')) {
    closed ??= context.lease.close().then(() => order.push('closed'));
    order.push(path);
  }
  await closed;
  expect(order).toEqual(['a', 'a/b', 'closed']);
  await expect(walkPaths(context, '.')).rejects.toMatchObject({ code: 'CLOSED' });
});

test('yields to other work while it walks', async () => {
  using tree = wide(1_500);
  using context = openContext(tree.path);
  const ran = new AbortController();
  const timer = setTimeout(() => ran.abort(new Error('ran')), 1);
  // More rounds than needed, if the timer runs at all.
  const rounds = Array.from({ length: 1_000 });
  const walking = (async () => {
    for (const _ of rounds) await walkPaths(context, '.', { signal: ran.signal });
  })();
  await expect(walking).rejects.toThrow('ran');
  clearTimeout(timer);
});

describe('a choice', () => {
  const names: WalkOptions['choose'] = (name, kind) => {
    if (name.startsWith('show')) return 'show';
    return kind === 'directory' && name !== 'skip' ? 'enter' : 'skip';
  };

  test('enters, shows or skips each name', async () => {
    using tree = tempTree(['a/show.txt', 'a/x', 'show-me/show', 'skip/show', 'show-link => a']);
    using context = openContext(tree.path);
    expect(await walkPaths(context, '.', { choose: names })).toEqual([
      'a',
      'a/show.txt',
      'show-link',
      'show-me',
    ]);
  });

  test('is told the kind of each name, also of skipped ones', async () => {
    using tree = tempTree(['d/f', 'l => d', 'p|']);
    using context = openContext(tree.path);
    const asked: Record<string, string> = {};
    await walkPaths(context, '.', {
      choose(name, kind) {
        asked[name] = kind;
        return 'enter';
      },
    });
    expect(asked).toEqual({ d: 'directory', f: 'file', l: 'link', p: 'FIFO' });
  });

  test('enters nothing but directories', async () => {
    using tree = tempTree(['f', 'l => d', 'd/x']);
    using context = openContext(tree.path);
    expect(await walkPaths(context, '.', { choose: () => 'enter' })).toEqual(['d', 'd/x', 'f', 'l']);
  });

  test('shows entries that .gitignore files ignore, and enters none of them', async () => {
    using tree = tempTree(['.git/show', 'made/show', 'show-made/x', 'a/show.log']);
    writeFileSync(tree.at('.gitignore'), 'made\nshow-made\n*.log\n');
    using context = openContext(tree.path);
    const choose: WalkOptions['choose'] = (name, kind) =>
      name === '.git' ? 'show' : (names?.(name, kind) ?? 'skip');
    expect(await walkPaths(context, '.', { choose, gitignore: true })).toEqual([
      '.git',
      'a',
      'a/show.log',
      'show-made',
    ]);
  });

  test('does not show entries that globs and the guard leave out', async () => {
    using tree = tempTree(['show-a', 'show-b', 'show-c']);
    using context = openContext(tree.path, {
      guard: (_operation, relative) => (relative === 'show-b' ? new Error('no') : undefined),
    });
    expect(await walkPaths(context, '.', { choose: names, ignore: ['show-a'] })).toEqual(['show-c']);
  });

  test.each([
    [3, 'entries'],
    [4, undefined],
  ])('counts skipped entries: a limit of %d', async (entries, stopped) => {
    using tree = tempTree(['show', 'x', 'y', 'z']);
    using context = openContext(tree.path);
    const walking = walk(context, '.', { choose: names, entries });
    await paths(walking);
    expect(walking.stopped).toBe(stopped);
  });
});

test('a batch is complete, unless its directory is very large', async () => {
  using tree = tempTree(['small/f', 'large/f']);
  for (let index = 0; index < 3_000; index += 1) {
    linkSync(tree.at('large', 'f'), tree.at('large', String(index).padStart(200, '0')));
  }
  using context = openContext(tree.path);
  const entries = walk(context, '.');
  const seen: Record<string, boolean> = {};
  for await (const [first] of entries.batches()) seen[first?.path.split('/').at(-2) ?? '.'] = entries.whole;
  expect(seen).toEqual({ '.': true, small: true, large: false });
  expect(entries.whole).toBe(true);
});

test('rules count in a very large directory too', async () => {
  using tree = tempTree(['f']);
  writeFileSync(tree.at('.gitignore'), '0*\n');
  for (let index = 0; index < 3_000; index += 1) {
    linkSync(tree.at('f'), tree.at(String(index).padStart(200, '0')));
  }
  using context = openContext(tree.path);
  expect(await walkPaths(context, '.', { gitignore: true })).toEqual(['.gitignore', 'f']);
});

async function* inBatches(ended: () => void): AsyncGenerator<readonly number[]> {
  try {
    yield [1, 2];
    yield [];
    yield [3];
  } finally {
    ended();
  }
}

function numbers(ended: () => void = () => {}): AsyncIterable<number> {
  return { [Symbol.asyncIterator]: () => flatten(inBatches(ended)) };
}

test('flatten yields single entries', async () => {
  const seen = [];
  for await (const number of numbers()) seen.push(number);
  expect(seen).toEqual([1, 2, 3]);
});

test('leaving early ends the source of the batches', async () => {
  let ended = 0;
  for await (const number of numbers(() => (ended += 1))) if (number === 1) break;
  expect(ended).toBe(1);
});
