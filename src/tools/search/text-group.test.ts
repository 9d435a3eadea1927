import { expect, test } from 'vitest';
import { sampleQuery } from '../../../test/support/trees/sample-query.ts';
import { limits } from '../tool/answer-limits.ts';
import { TextGroup } from './text-group.ts';
import type { FileHits, TextQuery } from './text-query.ts';

const query = sampleQuery({ pattern: 'x', perFile: 10, lines: 100 });

/** A group of files with these texts, and the first x of each of their lines. */
function group(texts: Readonly<Record<string, string>>, wish: Partial<TextQuery> = {}): readonly FileHits[] {
  const together = new TextGroup({ ...query, ...wish });
  const files = Object.entries(texts).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
  const bytes = together.add(files);
  expect(together.size).toBe(bytes.length);
  for (let start = 0; start < bytes.length; start = bytes.indexOf(10, start) + 1) {
    const place = bytes.indexOf('x', start);
    if (place !== -1 && place < bytes.indexOf(10, start)) together.match(place);
  }
  return [...together.hits()];
}

function linesOf(hits: FileHits | undefined, skip = 0, most = 100): readonly string[] {
  return [...(hits?.lines(skip, most) ?? [])].map(
    ({ line, text, at }) => `${line}${at === undefined ? '-' : ':'}${text}`,
  );
}

test('assigns each match to its file, even without a final newline', () => {
  const [a, c, ...rest] = group({ a: 'one x', b: 'two\n', c: 'x\nthree\nfour x\n' });
  expect(rest).toEqual([]);
  expect([a?.path, ...linesOf(a)]).toEqual(['a', '1:one x']);
  expect([c?.path, ...linesOf(c)]).toEqual(['c', '1:x', '3:four x']);
});

test('adds context lines once each, and only from the same file', () => {
  const text = '1\n2\nx3\n4\n5\n6\nx7\nx8\n9\n';
  const [, hits] = group({ a: 'x\n', b: text, c: 'c\n' }, { context: 1 });
  expect(linesOf(hits)).toEqual(['2-2', '3:x3', '4-4', '6-6', '7:x7', '8:x8', '9-9']);
  expect(linesOf(hits, 1)).toEqual(['6-6', '7:x7', '8:x8', '9-9']);
  expect(linesOf(hits, 2)).toEqual(['8:x8', '9-9']);
  expect(linesOf(hits, 0, 1)).toEqual(['2-2', '3:x3', '4-4']);
  const [all] = group({ a: text }, { context: 20 });
  expect(linesOf(all)).toHaveLength(9);
});

test('counts up to the limit, and keeps positions only if lines are shown', () => {
  const text = 'x\n'.repeat(50);
  expect(group({ a: text })[0]?.matches).toBe(10);
  const { lines: _lines, ...counting } = query;
  const [hits] = group({ a: text }, { ...counting, perFile: 20 });
  expect(hits?.matches).toBe(20);
});

test('reports when there are enough lines', () => {
  const together = new TextGroup({ ...query, lines: 2 });
  together.add([{ path: 'a', bytes: Buffer.from('x\nx\nx\n') }]);
  expect([together.match(0), together.isEnough]).toEqual([false, false]);
  expect([together.match(2), together.isEnough]).toEqual([true, true]);
});

test('keeps only the part of a very long line around the match', () => {
  const [hits] = group({ a: `${'ä'.repeat(1_000_000)}x${'b'.repeat(1_000_000)}\r\n` });
  const [line] = hits?.lines(0, 1) ?? [];
  expect(line?.text.length).toBeLessThan(limits.line * 12);
  expect(line?.text.slice(line.at, (line.at ?? 0) + 2)).toBe('xb');
  expect(line?.at).toBeGreaterThan(limits.line);
});

test('counts positions in characters, and excludes line ends', () => {
  const [hits] = group({ a: 'äöx\r\n' });
  expect([...(hits?.lines(0, 1) ?? [])]).toEqual([{ line: 1, text: 'äöx', at: 2 }]);
});
