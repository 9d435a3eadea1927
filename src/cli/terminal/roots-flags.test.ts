import { expect, test } from 'vitest';
import { parseCount, parseOperations, parseSeconds, presetNames } from './roots-flags.ts';
import { presets } from '../../policy/rules/permission-presets.ts';

test('operations are read from one word', () => {
  expect(parseOperations('read,write')).toEqual(['read', 'write']);
  expect(() => parseOperations('read,')).toThrow('is no operation');
});

test('counts are whole and not negative', () => {
  expect(parseCount('3')).toBe(3);
  for (const text of ['', '-1', '1.5', 'x']) expect(() => parseCount(text)).toThrow('whole number');
});

test('seconds are no more than a timer counts', () => {
  expect(parseSeconds('2147483')).toBe(2_147_483);
  expect(() => parseSeconds('3000000')).toThrow('at most 2147483 seconds');
});

test('every preset can be named', () => {
  expect(new Set(presetNames)).toEqual(new Set(Object.keys(presets)));
});
