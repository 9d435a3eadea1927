import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleEntry } from '../../test/support/trees/sample-entry.ts';
import { changeKinds } from '../boundary/step/context.ts';
import { operations } from '../boundary/step/operation.ts';
import {
  type AuditChange,
  type AuditEntry,
  formatEntry,
  lineStart,
  longestLine,
  parseEntry,
} from './entry.ts';

describe('an entry', () => {
  test('is one line of JSON with its fields in one order, whatever the order it was made in', () => {
    const { time, ...rest } = sampleEntry({ reason: 'it may', code: 'NOT_FOUND', outcome: 'failed' });
    expect(formatEntry({ ...rest, time })).toBe(
      '{"time":"2025-06-01T12:00:00.000Z","caller":"test 1","operation":"read","path":"src/a.ts",' +
        '"root":"app","verdict":"allow","rule":"allow:read","reason":"it may","outcome":"failed",' +
        '"code":"NOT_FOUND","duration":0.125,"revision":1}',
    );
  });

  test('comes back from its line unchanged, whatever its texts contain', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        expect(parseEntry(formatEntry(entry))).toEqual(entry);
      }),
    );
  });

  test('can neither break its line nor begin another one', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const line = formatEntry(entry);
        expect(line).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202E]/);
        expect(line.isWellFormed()).toBe(true);
        expect(line.lastIndexOf(lineStart)).toBe(0);
      }),
    );
  });

  test('contains no raw invisible character', () => {
    const path = 'a\u202Eb\u200Bc\u0085d\u00E9\u{E0041}\u3164';
    const line = formatEntry(sampleEntry({ path }));
    expect(line).toContain(String.raw`"path":"a\u202eb\u200bc\u0085dé\udb40\udc41\u3164"`);
    expect(parseEntry(line)?.path).toBe(path);
  });

  test('says its duration to the microsecond', () => {
    expect(parseEntry(formatEntry(sampleEntry({ duration: 1.234_567 })))?.duration).toBe(1.235);
  });
});

describe('a text that is too long', () => {
  test('loses its middle, and the line is marked as shortened', () => {
    const path = `/start${'x'.repeat(1_000_000)}/end`;
    const entry = parseEntry(formatEntry(sampleEntry({ path })));
    expect(entry?.shortened).toBe(true);
    expect(entry?.path).toMatch(/^\/startx+…x+\/end$/);
    expect(entry?.path).toHaveLength(4_096);
  });

  test('is not a long but valid path', () => {
    const path = 'x'.repeat(4_096);
    expect(parseEntry(formatEntry(sampleEntry({ path })))).toEqual(sampleEntry({ path }));
  });

  test.each(['a', '\n', '\uD800', '\u202E', '€', '😀'])(
    'of %j in every field still makes a bounded line',
    (character) => {
      const text = character.repeat(20_000);
      const texts = {
        caller: text,
        tool: text,
        path: text,
        detail: text,
        root: text,
        place: text,
        changed: Array.from({ length: 9 }, () => ({ kind: 'written' as const, place: text, count: 1 })),
        rule: text,
        reason: text,
        code: text,
        revision: text,
      };
      const line = formatEntry(sampleEntry(texts));
      expect(Buffer.byteLength(`${line}\n`)).toBeLessThanOrEqual(longestLine);
      expect(parseEntry(line)).toMatchObject({ shortened: true, operation: 'read' });
    },
  );
});

describe('a line that is not an entry', () => {
  const line = formatEntry(sampleEntry({ reason: 'it may' }));

  test('is every truncated entry', () => {
    const beginnings = Array.from({ length: line.length }, (_, end) => line.slice(0, end));
    expect(beginnings.filter((text) => parseEntry(text) !== undefined)).toEqual([]);
  });

  test.each([
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '42'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['prose', 'hello'],
    ['of another logger', '{"level":30,"time":1531171074631,"msg":"hello"}'],
    ['two of them', line + line],
    ['one with a date alone', change({ time: '2025-06-01' })],
    ['one with a number for a time', change({ time: 0 })],
    ['one with an unknown operation', change({ operation: 'delete' })],
    ['one with an unknown verdict', change({ verdict: 'maybe' })],
    ['one without an outcome', change({ outcome: undefined })],
    ['one without a path', change({ path: null })],
    ['one with a number for a caller', change({ caller: 1 })],
    ['one with a text for a duration', change({ duration: '1' })],
    ['one without a duration', change({ duration: Number.NaN })],
    ['one with an object for a revision', change({ revision: {} })],
    ['one that denies being shortened', change({ shortened: false })],
  ])('is %s', (_what, text) => {
    expect(parseEntry(text)).toBeUndefined();
  });

  test('is not one with a field of a later version, which is dropped', () => {
    expect(parseEntry(change({ mood: 'good' }))).toEqual(sampleEntry());
  });
});

function change(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...sampleEntry(), ...fields });
}

/** Any 16-bit units: lone surrogates and everything that a line must not contain. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    fc.constantFrom('\n', '\r', '"', '\\', '{"time":"', '\u2028', '\u202E', '\u0000', '…'),
  ),
  maxLength: 60,
});

const anyChange: fc.Arbitrary<AuditChange> = fc.record(
  {
    kind: fc.constantFrom(...changeKinds),
    place: anyText,
    count: fc.nat(),
    lines: fc.record({ added: fc.nat(), removed: fc.nat() }),
  },
  { requiredKeys: ['kind', 'place', 'count'] },
);

const anyEntry: fc.Arbitrary<AuditEntry> = fc.record(
  {
    time: fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    caller: anyText,
    operation: fc.constantFrom(...operations),
    path: anyText,
    root: anyText,
    verdict: fc.constantFrom('allow', 'deny', 'ask'),
    rule: anyText,
    reason: anyText,
    outcome: fc.constantFrom('done', 'refused', 'failed', 'cancelled'),
    changed: fc.array(anyChange, { maxLength: 3 }),
    code: anyText,
    duration: fc.integer({ min: 0, max: 1e9 }).map((microseconds) => microseconds / 1_000),
    revision: fc.oneof(fc.nat(), anyText),
    shortened: fc.constant(true as const),
  },
  { requiredKeys: ['time', 'operation', 'path', 'verdict', 'rule', 'outcome', 'duration', 'revision'] },
);

test('an entry about a root names the event', () => {
  const entry = sampleEntry({ event: 'grant' });
  expect(parseEntry(formatEntry(entry))).toEqual(entry);
  expect(parseEntry(formatEntry(entry).replace('"grant"', '"party"'))).toBeUndefined();
});
