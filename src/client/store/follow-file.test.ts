import { renameSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHandles } from '../../../test/open-handles.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { followFile } from './follow-file.ts';

/** Counts, and tells when the next one comes. */
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

test('tells of a file that is written, replaced and removed', async () => {
  using tree = tempTree(['a', 'other']);
  const { onChange, next, count } = counter();
  const following = followFile({ directory: tree.path, name: 'a' }, onChange);
  // The first look tells, because nobody looked before.
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

test('tells many changes together', async () => {
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

test('tells of a file whose directory does not exist yet', async () => {
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

test('ends for good', async () => {
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
