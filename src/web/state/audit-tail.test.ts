import { expect, test } from 'vitest';
import type { AuditEntry } from '../../audit/entry.ts';
import { parseEntry } from '../../audit/entry.ts';
import { AuditTail } from './audit-tail.ts';

function entry(minute: number, more: Partial<AuditEntry> = {}): AuditEntry {
  const time = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  return {
    time,
    caller: 'editor',
    operation: 'read',
    path: `src/${minute}.ts`,
    root: 'app',
    verdict: 'allow',
    rule: 'allow:read',
    outcome: 'done',
    duration: 1,
    revision: 1,
    ...more,
  };
}

function bookOf(...entries: readonly AuditEntry[]): AuditTail {
  const book = new AuditTail();
  for (const one of entries) book.add(one);
  return book;
}

test('the newest come first, page by page', () => {
  const book = bookOf(...Array.from({ length: 10 }, (_, minute) => entry(minute)));
  expect(book.page({}, 0, 3).entries.map(({ number }) => number)).toEqual([10, 9, 8]);
  expect(book.page({}, 8, 5).entries.map(({ number }) => number)).toEqual([2, 1]);
  expect(book.page({}, 50, 5)).toMatchObject({ total: 10, entries: [] });
});

test('leaves later entries out of a paused list', () => {
  const book = bookOf(entry(1), entry(2));
  const { upto } = book.page({}, 0, 10);
  book.add(entry(3));
  expect(book.page({ upto }, 0, 10)).toMatchObject({ total: 2, entries: [{ number: 2 }, { number: 1 }] });
  expect(book.page({}, 0, 10).total).toBe(3);
});

test.each([
  [{ caller: 'other' }, 1],
  [{ root: 'docs' }, 1],
  [{ operation: 'write' }, 1],
  [{ operation: 'exposure' }, 1],
  [{ verdict: 'deny' }, 1],
  [{ text: ' SECRET ' }, 1],
  [{ text: 'environment' }, 1],
  [{ caller: 'other', verdict: 'allow' }, 0],
  [{}, 4],
])('%j finds %i', (filter, total) => {
  const book = bookOf(
    entry(1),
    entry(2, { caller: 'other', verdict: 'deny', rule: 'deny:.env', reason: 'environment files' }),
    entry(3, { root: 'docs', operation: 'write', path: 'secret.md' }),
    entry(4, { event: 'exposure' }),
  );
  expect(book.page(filter, 0, 10).total).toBe(total);
  book.add(entry(5, { path: 'other', operation: 'remove', verdict: 'ask', caller: 'x', root: 'x' }));
  expect(book.page(filter, 0, 10).total).toBe(total + (Object.keys(filter).length === 0 ? 1 : 0));
});

test('counts allowed and refused entries over time', () => {
  const book = bookOf(entry(0), entry(0, { verdict: 'deny' }), entry(30), entry(60, { verdict: 'ask' }));
  expect(book.plot({}, 3)).toEqual({
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-01T01:00:00.000Z',
    allowed: [1, 1, 0],
    refused: [1, 0, 1],
  });
  expect(new AuditTail().plot({}, 2)).toEqual({ from: '', to: '', allowed: [0, 0], refused: [0, 0] });
});

test('exported lines can be parsed again', () => {
  const book = bookOf(entry(1), entry(2, { path: 'a\nb\u202E' }));
  const lines = [...book.lines({})];
  expect(lines.map((line) => parseEntry(line.trimEnd())?.path)).toEqual(['src/1.ts', 'a\nb\u202E']);
});

test('lists the names that occur', () => {
  const book = bookOf(entry(1), entry(2, { caller: 'a', root: 'z' }));
  expect(book.names()).toEqual({ callers: ['a', 'editor'], roots: ['app', 'z'] });
});

test('drops the oldest of too many entries, and still finds the rest', () => {
  const book = new AuditTail();
  for (let count = 0; count < 300_001; count += 1) book.add(entry(count % 60));
  const { total, entries } = book.page({ caller: 'editor' }, 0, 1);
  expect([total, entries[0]?.number]).toEqual([250_001, 300_001]);
});
