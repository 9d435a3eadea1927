import { appendFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { recordStatuses } from '../../../test/support/peers/record-statuses.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { type ContentChange, createIgnoreTest } from './root-content.ts';
import { watchRoots } from './watch-roots.ts';

describe('seed 004, RootWatcher: the content of a root', () => {
  test('is reported, debounced, each path once, without ignored paths', async () => {
    using tree = tempTree(['app/src/', 'app/node_modules/x/', 'app/.git/', 'app/target/', 'app/.next/']);
    const contents: ContentChange[] = [];
    const { promise: quiet, add } = gather(contents, 'src/deep/new/b.ts');
    await using recorded = await recordStatuses([tree.at('app')], {
      content: { onContent: add, ignore: ['*.log'], quietMilliseconds: 100 },
    });
    tree.add('app/node_modules/x/i.js', 'app/.git/HEAD', 'app/target/t', 'app/.next/n', 'app/src/a.log');
    for (let count = 0; count < 20; count += 1) appendFileSync(tree.at('app/src/a.ts'), 'x');
    tree.add('app/src/deep/new/b.ts');
    await quiet;
    await recorded.watch.close();
    const paths = contents.flatMap((change) => change.paths);
    expect(paths).toEqual(expect.arrayContaining(['src/a.ts', 'src/deep']));
    expect(paths.filter((path) => /node_modules|\.git|target|\.next|\.log/.test(path))).toEqual([]);
    expect(contents.length).toBeLessThan(5);
    expect(contents.every(({ root, complete }) => root.name === 'app' && complete)).toBe(true);
  });

  test('is watched again when the root returns', async () => {
    using tree = tempTree(['app/']);
    const contents: ContentChange[] = [];
    const { promise: seen, add } = gather(contents, 'again');
    await using recorded = await recordStatuses([tree.at('app')], {
      content: { onContent: add, quietMilliseconds: 20 },
    });
    rmSync(tree.at('app'), { recursive: true });
    await recorded.record.state('missing');
    tree.add('app/');
    await recorded.record.state('returned');
    tree.add('app/again');
    await seen;
    expect(contents.at(-1)?.paths).toContain('again');
  });

  test('of a file is the file itself', async () => {
    using tree = tempTree(['settings.json = 1', 'beside']);
    const contents: ContentChange[] = [];
    const { promise: seen, add } = gather(contents, '');
    await using recorded = await recordStatuses([tree.at('settings.json')], {
      content: { onContent: add, quietMilliseconds: 20 },
    });
    appendFileSync(tree.at('beside'), 'x');
    appendFileSync(tree.at('settings.json'), 'x');
    await seen;
    await recorded.watch.close();
    expect(contents.flatMap(({ paths }) => paths)).toEqual(['']);
  });

  test('is reported as incomplete if too much changed at once', async () => {
    using tree = tempTree(['app/']);
    const contents: ContentChange[] = [];
    const { promise: seen, add } = gather(contents, undefined);
    await using recorded = await recordStatuses([tree.at('app')], {
      content: { onContent: add, quietMilliseconds: 100, paths: 3 },
    });
    tree.add(...Array.from({ length: 20 }, (_, count) => `app/f${count}`));
    await seen;
    await recorded.watch.close();
    expect(contents[0]?.paths).toHaveLength(3);
    expect(contents[0]?.complete).toBe(false);
  });

  test('refuses an invalid glob at once', () => {
    const content = { onContent: () => {}, ignore: ['../x'] };
    expect(() => watchRoots([], { content })).toThrow(expect.objectContaining({ code: 'INVALID_GLOB' }));
  });
});

/** Collects changes; resolves when one contains the path, or with the first change. */
function gather(into: ContentChange[], wanted: string | undefined): Gathering {
  let done: () => void = () => {};
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  const add = (change: ContentChange): void => {
    into.push(change);
    if (wanted === undefined || change.paths.includes(wanted)) done();
  };
  return { promise, add };
}

interface Gathering {
  readonly promise: Promise<void>;
  readonly add: (change: ContentChange) => void;
}

test('ignores globs, and names at any depth', () => {
  const isIgnored = createIgnoreTest({ onContent: () => {}, ignore: ['docs/**'], prune: ['made'] });
  expect(['docs', 'docs/a', 'a/made', 'made'].filter(isIgnored)).toHaveLength(4);
  expect(['src/docs', 'remade', 'node_modules'].filter(isIgnored)).toEqual([]);
});
