import { expect, test } from 'vitest';
import { limits } from '../tool/answer-limits.ts';
import { formatHits, type GatheredHits, gatherHits, type HitShape } from './gather-hits.ts';
import type { FileHits, FoundLine, HitStream } from './text-query.ts';

const hits = (path: string, all: readonly FoundLine[]): FileHits => ({
  path,
  matches: all.filter(({ at }) => at !== undefined).length,
  lines: (skip, most) => {
    const places = [...all.keys()].filter((index) => all[index]?.at !== undefined);
    return all.slice((places[skip - 1] ?? -1) + 1, places[skip + most]);
  },
});

const file = (path: string, count: number): FileHits =>
  hits(
    path,
    Array.from({ length: count }, (_line, index) => ({ line: index + 1, text: 'match', at: 0 })),
  );

async function gather(
  files: readonly FileHits[],
  limit: number,
  shape: HitShape = 'lines',
  offset = 0,
): Promise<GatheredHits & { readonly ended: boolean }> {
  let ended = false;
  async function* found(): HitStream {
    try {
      yield* files;
      return { complete: true };
    } finally {
      ended = true;
    }
  }
  return { ...(await gatherHits(found(), { shape, limit, offset, tick: () => undefined })), ended };
}

test('gathers everything that fits, in order', async () => {
  const { files, matches, complete } = await gather([file('b', 1), file('a/z', 2), file('a', 1)], 4);
  expect(files.map(({ path }) => path)).toEqual(['a', 'a/z', 'b']);
  expect({ matches, complete }).toEqual({ matches: 4, complete: true });
});

test('stops one after the limit, and ends the search', async () => {
  const { files, matches, complete, ended } = await gather([file('a', 3), file('b', 3), file('c', 1)], 4);
  expect(files.map((found) => found.lines.length)).toEqual([3, 1]);
  expect({ matches, complete, ended }).toEqual({ matches: 4, complete: false, ended: true });
  expect(await gather([file('a', 2), file('b', 1)], 2)).toMatchObject({ matches: 2, complete: false });
});

test('counts files if only files are listed', async () => {
  const found = await gather([file('a', 3), file('b', 3)], 2, 'counts');
  expect(found.files).toEqual([
    { path: 'a', matches: 3, lines: [] },
    { path: 'b', matches: 3, lines: [] },
  ]);
  expect(found.complete).toBe(true);
});

test('shows a long line around its match', async () => {
  const text = `${'a'.repeat(1_000)}NEEDLE${'b'.repeat(1_000)}`;
  const { files } = await gather([hits('a', [{ line: 1, text, at: 1_000 }])], 1);
  const shown = files[0]?.lines[0]?.text ?? '';
  expect(shown).toContain('NEEDLE');
  expect(shown).toMatch(/^…a+NEEDLEb+…$/);
  expect(shown.length).toBeLessThan(410);
});

test('continues where it was cut, even within a file', async () => {
  const all = [file('a', 3), file('b', 3), file('c', 1)];
  const seen: string[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page: GatheredHits = await gather(all, 2, 'lines', offset);
    seen.push(...page.files.flatMap(({ path, lines }) => lines.map(({ line }) => `${path}${line}`)));
    expect(page.complete).toBe(page.next === undefined);
    offset = page.next;
  }
  expect(seen).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1']);
});

test('continues a list of files', async () => {
  const all = [file('a', 3), file('b', 3), file('c', 1)];
  expect(await gather(all, 2, 'files')).toMatchObject({ next: 2, complete: false });
  const rest = await gather(all, 2, 'files', 2);
  expect(rest.files.map(({ path }) => path)).toEqual(['c']);
  expect(rest.complete).toBe(true);
});

test('keeps context lines with their match', async () => {
  const around = { line: 2, text: 'around' };
  const lines = [{ line: 1, text: 'one', at: 0 }, around, { line: 3, text: 'two', at: 0 }];
  const { files } = await gather([hits('a', lines)], 1, 'lines', 1);
  expect(files[0]?.lines.map(({ line }) => line)).toEqual([2, 3]);
});

test('limits the size of a result, and continues in the next', async () => {
  const text = '"'.repeat(limits.line);
  const long = (path: string): FileHits =>
    hits(
      path,
      Array.from({ length: 4_000 }, (_, index) => ({ line: index + 1, text, at: 0 })),
    );
  const first = await gather([long('a'), long('b')], 100_000);
  expect(first.complete).toBe(false);
  expect(first.next).toBe(first.matches);
  expect(JSON.stringify(first.files).length).toBeLessThan(limits.answer);
  expect(JSON.stringify(first.files).length).toBeGreaterThan(limits.answer / 2);
  const rest = await gather([long('a'), long('b')], 100_000, 'lines', first.next);
  expect(first.matches + rest.matches).toBe(8_000);
});

const found: GatheredHits = {
  files: [
    {
      path: 'a.ts',
      matches: 2,
      lines: [
        { line: 1, text: 'one', match: true },
        { line: 2, text: 'two', match: false },
        { line: 9, text: 'nine', match: true },
      ],
    },
    { path: 'b.ts', matches: 1, lines: [{ line: 3, text: 'three', match: true }] },
  ],
  matches: 3,
  complete: true,
};

test('prints lines with numbers below the path', () => {
  expect(formatHits(found, 'lines')).toBe(
    'a.ts\n1: one\n2- two\n--\n9: nine\n\nb.ts\n3: three\n\n[3 matching lines in 2 files]',
  );
});

test('prints files alone, or with counts', () => {
  expect(formatHits(found, 'files')).toBe('a.ts\nb.ts\n\n[2 files]');
  expect(formatHits(found, 'counts')).toBe('a.ts: 2\nb.ts: 1\n\n[3 matching lines in 2 files]');
});

test('says if there may be more, and if there is nothing', () => {
  expect(formatHits({ ...found, complete: false }, 'files')).toMatch(/\[Cut: not everything was searched/);
  expect(formatHits({ ...found, complete: false, next: 3 }, 'lines')).toMatch(/call again with offset 3;/);
  expect(formatHits({ files: [], matches: 0, complete: true }, 'lines')).toBe('No matches found');
  expect(formatHits({ files: [], matches: 0, complete: false }, 'lines')).toMatch(/so far\n\[Cut/);
});
