import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, nameKey } from './fold.ts';

describe('fold', () => {
  test.each([
    ['README', 'readme'],
    ['Ärger', 'ÄRGER'],
    ['ПРИВЕТ', 'привет'],
    ['Éa', 'éA'],
  ])('%s and %s are one name', (one, other) => {
    expect(fold(one)).toBe(fold(other));
  });

  test.each([
    ['straße', 'STRASSE'],
    ['ı', 'i'],
    ['ı', 'I'],
    ['\u212A', 'k'],
    ['ſ', 's'],
    ['ﬀ', 'ff'],
    ['é', 'e\u0301'],
    ['İ', 'i'],
  ])('%s and %s stay different', (one, other) => {
    expect(fold(one)).not.toBe(fold(other));
  });

  test('folding twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(fold(fold(name))).toBe(fold(name));
      }),
    );
  });
});

test('names keep their case on posix and lose it on Windows, unless told otherwise', () => {
  expect(nameKey({ platform: 'posix' })('A')).toBe('A');
  expect(nameKey({ platform: 'win32' })('A')).toBe('a');
  expect(nameKey({ platform: 'posix', caseSensitive: false })('A')).toBe('a');
  expect(nameKey({ platform: 'win32', caseSensitive: true })('A')).toBe('A');
});
