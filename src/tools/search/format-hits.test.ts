import { expect, test } from 'vitest';
import { formatHits } from './format-hits.ts';
import type { Gathered } from './gather-hits.ts';

const found: Gathered = {
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

test('lines with their numbers, below the path', () => {
  expect(formatHits(found, 'lines')).toBe(
    'a.ts\n1: one\n2- two\n--\n9: nine\n\nb.ts\n3: three\n\n[3 matching lines in 2 files]',
  );
});

test('files alone, or with their numbers', () => {
  expect(formatHits(found, 'files')).toBe('a.ts\nb.ts\n\n[2 files]');
  expect(formatHits(found, 'counts')).toBe('a.ts: 2\nb.ts: 1\n\n[3 matching lines in 2 files]');
});

test('says if there may be more, and if there is nothing', () => {
  expect(formatHits({ ...found, complete: false }, 'files')).toMatch(/\[Cut: not everything was looked at/);
  expect(formatHits({ ...found, complete: false, next: 3 }, 'lines')).toMatch(/call again with offset 3;/);
  expect(formatHits({ files: [], matches: 0, complete: true }, 'lines')).toBe('No matches found');
  expect(formatHits({ files: [], matches: 0, complete: false }, 'lines')).toMatch(/so far\n\[Cut/);
});
