import { expect, test } from 'vitest';
import { type Gathered, gatherHits, type HitShape } from './gather-hits.ts';
import type { FileHits, Hits } from './text-query.ts';

const file = (path: string, count: number): FileHits => ({
  path,
  lines: Array.from({ length: count }, (_line, index) => ({ line: index + 1, text: 'match', at: 0 })),
});

async function gather(
  files: readonly FileHits[],
  limit: number,
  shape: HitShape = 'lines',
): Promise<Gathered & { readonly ended: boolean }> {
  let ended = false;
  async function* hits(): Hits {
    try {
      yield* files;
      return { complete: true };
    } finally {
      ended = true;
    }
  }
  return { ...(await gatherHits(hits(), { shape, limit, tick: () => undefined })), ended };
}

test('everything that fits, in order', async () => {
  const { files, matches, complete } = await gather([file('b', 1), file('a/z', 2), file('a', 1)], 4);
  expect(files.map(({ path }) => path)).toEqual(['a', 'a/z', 'b']);
  expect({ matches, complete }).toEqual({ matches: 4, complete: true });
});

test('stops at one too many, and ends the search', async () => {
  const { files, matches, complete, ended } = await gather([file('a', 3), file('b', 3), file('c', 1)], 4);
  expect(files.map((found) => found.lines.length)).toEqual([3, 1]);
  expect({ matches, complete, ended }).toEqual({ matches: 4, complete: false, ended: true });
  expect(await gather([file('a', 2), file('b', 1)], 2)).toMatchObject({ matches: 2, complete: false });
});

test('files alone count as files', async () => {
  const found = await gather([file('a', 3), file('b', 3)], 2, 'counts');
  expect(found.files).toEqual([
    { path: 'a', matches: 3, lines: [] },
    { path: 'b', matches: 3, lines: [] },
  ]);
  expect(found.complete).toBe(true);
});

test('a long line is shown around its match', async () => {
  const text = `${'a'.repeat(1_000)}NEEDLE${'b'.repeat(1_000)}`;
  const { files } = await gather([{ path: 'a', lines: [{ line: 1, text, at: 1_000 }] }], 1);
  const shown = files[0]?.lines[0]?.text ?? '';
  expect(shown).toContain('NEEDLE');
  expect(shown).toMatch(/^…a+NEEDLEb+…$/);
  expect(shown.length).toBeLessThan(410);
});
