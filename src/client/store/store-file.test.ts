import { lstatSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHandles } from '../../../test/support/processes/open-handles.ts';
import { tempTree, type TempTree } from '../../testing/temp-tree.ts';
import { findPlace, followFile, readStore, rewriteStore } from './store-file.ts';

const placeIn = (tree: TempTree): { directory: string; name: string } => ({
  directory: tree.path,
  name: 'r',
});

describe('the place of a store', () => {
  test('is the target of a link, and need not exist', async () => {
    using tree = tempTree(['real/r', 'link => real/r', 'dangling => nowhere']);
    expect(await findPlace(tree.at('link'))).toEqual({ directory: tree.at('real'), name: 'r' });
    expect(await findPlace(tree.at('no', 'r'))).toEqual({ directory: tree.at('no'), name: 'r' });
    expect(await findPlace(tree.at('dangling'))).toEqual({ directory: tree.path, name: 'nowhere' });
    await expect(findPlace(tree.at('real'))).rejects.toMatchObject({ code: 'IS_A_DIRECTORY' });
  });

  test('has no text if there is no file', async () => {
    using tree = tempTree();
    expect(await readStore(placeIn(tree))).toBeUndefined();
    expect(await readStore({ directory: tree.at('no'), name: 'r' })).toBeUndefined();
  });
});

describe('a rewrite', () => {
  test('creates the file and its directory, for the owner only', async () => {
    using tree = tempTree();
    const place = { directory: tree.at('a', 'b'), name: 'r' };
    await rewriteStore(place, (before) => ({ text: `${before} new` }));
    expect(await readStore(place)).toBe('undefined new');
    expect(lstatSync(tree.at('a', 'b', 'r')).mode & 0o777).toBe(0o600);
    expect(readdirSync(tree.at('a', 'b'))).toEqual(['r', 'r.lock']);
  });

  test('leaves the file alone if there is nothing to write, or if it fails', async () => {
    using tree = tempTree(['r = old']);
    const before = openHandles(tree.path);
    await rewriteStore(placeIn(tree), () => undefined);
    const failing = rewriteStore(placeIn(tree), () => {
      throw new Error('damaged');
    });
    await expect(failing).rejects.toThrow('damaged');
    expect(readFileSync(tree.at('r'), 'utf8')).toBe('old');
    expect(openHandles(tree.path)).toEqual(before);
    // The lock is free again.
    await rewriteStore(placeIn(tree), () => ({ text: 'new' }), { timeout: 0 });
  });

  test('starts again if an editor saves in between', async () => {
    using tree = tempTree(['r = old']);
    const seen: (string | undefined)[] = [];
    await rewriteStore(placeIn(tree), (before) => {
      seen.push(before);
      if (seen.length === 1) writeFileSync(tree.at('r'), 'saved');
      return { text: `${before}!` };
    });
    expect(seen).toEqual(['old', 'saved']);
    expect(readFileSync(tree.at('r'), 'utf8')).toBe('saved!');
  });

  test('gives up if the file never stops changing', async () => {
    using tree = tempTree(['r = 0']);
    let count = 0;
    const rewriting = rewriteStore(placeIn(tree), () => {
      count += 1;
      writeFileSync(tree.at('r'), `${count}`);
      return { text: 'new' };
    });
    await expect(rewriting).rejects.toMatchObject({ code: 'BUSY' });
    expect(count).toBe(20);
    expect(readFileSync(tree.at('r'), 'utf8')).toBe('20');
  });

  test('keeps one backup of the old text if asked to', async () => {
    using tree = tempTree(['r = old']);
    for (const text of ['one', 'two']) await rewriteStore(placeIn(tree), () => ({ text, backup: 'r.bak' }));
    expect(readFileSync(tree.at('r.bak'), 'utf8')).toBe('old');
  });

  test('keeps the mode of the file', async () => {
    using tree = tempTree(['r = old']);
    const { mode } = lstatSync(tree.at('r'));
    await rewriteStore(placeIn(tree), () => ({ text: 'new' }));
    expect(lstatSync(tree.at('r')).mode).toBe(mode);
  });
});

test('the next change removes temporary files of killed processes, and nothing else', async () => {
  const old = `.rootward-${'a'.repeat(24)}.tmp`;
  const young = `.rootward-${'b'.repeat(24)}.tmp`;
  using tree = tempTree([old, young, 'mine.tmp', 'r']);
  const then = new Date(Date.now() - 2 * 60 * 60_000);
  for (const name of [old, 'mine.tmp', 'r']) utimesSync(tree.at(name), then, then);
  await rewriteStore(placeIn(tree), () => ({ text: 'new' }));
  expect(readdirSync(tree.path)).toEqual([young, 'mine.tmp', 'r', 'r.lock']);
});

/** Counts calls, and resolves with the next one. */
function counter(): {
  readonly onChange: () => void;
  readonly next: () => Promise<void>;
  readonly count: () => number;
} {
  let [count, wake] = [0, (): void => {}];
  return {
    onChange() {
      count += 1;
      wake();
    },
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    count: () => count,
  };
}

test('reports a file that is written, replaced and removed', async () => {
  using tree = tempTree(['a', 'other']);
  const { onChange, next, count } = counter();
  const following = followFile({ directory: tree.path, name: 'a' }, onChange);
  // The first look reports a change, because there was none before.
  await next();
  for (const change of [
    () => writeFileSync(tree.at('a'), 'more'),
    () => renameSync(tree.at('other'), tree.at('a')),
    () => renameSync(tree.at('a'), tree.at('gone')),
    () => writeFileSync(tree.at('a'), 'back'),
  ]) {
    const told = next();
    change();
    await told;
  }
  expect(count()).toBeGreaterThanOrEqual(5);
  await following.close();
});

test('reports many changes together', async () => {
  using tree = tempTree(['a', 'b']);
  const { onChange, next, count } = counter();
  const following = followFile({ directory: tree.path, name: 'a' }, onChange);
  await next();
  for (let change = 0; change < 200; change += 1) {
    writeFileSync(tree.at('a'), `${change}`);
    await new Promise(setImmediate);
  }
  writeFileSync(tree.at('a'), 'the last one');
  await next();
  expect(count()).toBeLessThan(50);
  await following.close();
});

test('reports a file whose directory did not exist', async () => {
  using tree = tempTree();
  const { onChange, next, count } = counter();
  const following = followFile({ directory: tree.at('later'), name: 'a' }, onChange);
  await next();
  const told = next();
  tree.add('later/a');
  await told;
  expect(count()).toBe(2);
  await following.close();
});

test('stops for good', async () => {
  using tree = tempTree(['a']);
  const before = openHandles(tree.path);
  const { onChange, next, count } = counter();
  const following = followFile({ directory: tree.path, name: 'a' }, onChange);
  await next();
  await following.close();
  const told = count();
  writeFileSync(tree.at('a'), 'x');
  expect(openHandles(tree.path)).toEqual(before);
  expect(count()).toBe(told);
});
