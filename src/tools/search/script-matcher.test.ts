import { expect, test } from 'vitest';
import { sampleQuery } from '../../../test/support/trees/sample-query.ts';
import type { MatcherOptions } from './matcher.ts';
import { startScript } from './script-matcher.ts';
import type { TextQuery } from './text-query.ts';

const plain = sampleQuery();

async function places(
  texts: readonly string[],
  wish: Partial<TextQuery>,
  options: Partial<MatcherOptions> = {},
): Promise<readonly number[]> {
  const found: number[] = [];
  const settled = {
    onMatch: (place: number) => found.push(place) >= 1_000,
    milliseconds: 15_000,
    signal: new AbortController().signal,
    ...options,
  };
  await using matcher = startScript({ ...plain, ...wish }, settled);
  for (const text of texts) await matcher.write(Buffer.from(text));
  expect(await matcher.end()).toBe(true);
  return found;
}

test('reports one match per line, counted through all texts', async () => {
  expect(await places(['äx\nb\nxx\r\n', 'x\n'], { pattern: 'x' })).toEqual([2, 6, 10]);
  expect(await places(['a\r\n\r\n'], { pattern: '^$' })).toEqual([3]);
});

test('words, plain text and case', async () => {
  expect(await places(['needles\na needle\n'], { pattern: 'needle', wholeWord: true })).toEqual([10]);
  expect(await places(['axb\na.b\n'], { pattern: 'a.b', literal: true })).toEqual([4]);
  expect(await places(['A\n'], { pattern: 'a', ignoreCase: true })).toEqual([0]);
});

test('refuses an invalid pattern, and ends one that takes too long', async () => {
  await expect(places(['a\n'], { pattern: '(' })).rejects.toMatchObject({ code: 'INVALID_PATTERN' });
  let isAwake = false;
  setImmediate(() => (isAwake = true));
  const slow = places([`${'a'.repeat(40)}\n`], { pattern: '(a+)+b' });
  await expect(slow).rejects.toMatchObject({ code: 'INVALID_PATTERN' });
  expect(isAwake).toBe(true);
});

test('reports when the time of the search is over', async () => {
  const options = { onMatch: () => false, milliseconds: 0, signal: new AbortController().signal };
  await using matcher = startScript({ ...plain, pattern: '(a+)+b' }, options);
  await matcher.write(Buffer.from(`${'a'.repeat(40)}\n`));
  expect(await matcher.end()).toBe(false);
});

test('can be cancelled in the middle', async () => {
  const cancel = new AbortController();
  const slow = places([`${'a'.repeat(40)}\n`], { pattern: '(a+)+b' }, { signal: cancel.signal });
  setImmediate(() => cancel.abort());
  await expect(slow).rejects.toThrow('aborted');
});
