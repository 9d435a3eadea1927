import { describe, expect, test } from 'vitest';
import { countOf, itemsOf, membersOf, namedOf, StoreFault, textOf, timeOf } from './spot.ts';

const at = (value: unknown): { value: unknown; path: string[] } => ({ value, path: ['x'] });

describe('a value of the file', () => {
  test('leads to its parts with the way to them', () => {
    expect(membersOf(at({ a: 1 }), ['a', 'b'])).toEqual({ a: { value: 1, path: ['x', 'a'] } });
    expect(namedOf(at({ '': 1 }))).toEqual([['', { value: 1, path: ['x', ''] }]]);
    expect(itemsOf(at(['a']))).toEqual([{ value: 'a', path: ['x', 0] }]);
  });

  test.each<[string, () => unknown, readonly (string | number)[]]>([
    ['"c" is unknown here', () => membersOf(at({ c: 1 }), ['a']), ['x', 'c']],
    ['an object is expected', () => membersOf(at([]), ['a']), ['x']],
    ['an object is expected', () => namedOf(at(null)), ['x']],
    ['a list is expected', () => itemsOf(at({})), ['x']],
    ['a text is expected', () => textOf(at('')), ['x']],
    ['a text is expected', () => textOf(at(1)), ['x']],
    ['a whole number from 0 on is expected', () => countOf(at(-1)), ['x']],
    ['a whole number from 0 on is expected', () => countOf(at(1.5)), ['x']],
    ['a time such as 2026-01-31T12:00:00Z is expected', () => timeOf(at('12:00')), ['x']],
    ['a time such as 2026-01-31T12:00:00Z is expected', () => timeOf(at('2026-13-41')), ['x']],
  ])('is refused: %s', (reason, read, path) => {
    expect(read).toThrow(StoreFault);
    expect(read).toThrow(expect.objectContaining({ reason, path }));
  });

  test.each(['2026-01-31', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00+01:00'])(
    'may be the time %s',
    (time) => {
      expect(timeOf(at(time))).toBe(time);
    },
  );
});
