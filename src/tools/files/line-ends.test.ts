import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinLines, splitEnds, toPlain } from './line-ends.ts';

test('lines end alike, and are known to end differently', () => {
  expect(splitEnds('a\r\nb\nc')).toEqual({ plain: 'a\nb\nc', ends: ['\r\n', '\n'] });
  expect(splitEnds('')).toEqual({ plain: '', ends: '\n' });
  expect(splitEnds('a\nb\n')).toEqual({ plain: 'a\nb\n', ends: '\n' });
  expect(splitEnds('a\r\nb\r\n')).toEqual({ plain: 'a\nb\n', ends: '\r\n' });
  expect(toPlain('a\r\nb\rc')).toBe('a\nb\rc');
});

test('every text comes back as it was', () => {
  const text = fc.array(fc.constantFrom('\r', '\n', '\r\n', 'a', ' ', '$&')).map((parts) => parts.join(''));
  fc.assert(fc.property(text, (before) => joinLines(splitEnds(before)) === before));
});
