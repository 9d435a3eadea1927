import { expect, test } from 'vitest';
import { plainText, shorten, splitText } from './split-text.ts';

test('plain text stays whole', () => {
  expect(splitText('straße 目录 👩‍🚀'.replace('\u200D', ''))).toHaveLength(1);
  expect(splitText('')).toEqual([]);
});

test('what cannot be seen gets a name', () => {
  expect(splitText('a\u202Egpj.exe')).toEqual([
    { text: 'a', odd: false },
    { text: 'U+202E', odd: true },
    { text: 'gpj.exe', odd: false },
  ]);
  expect(plainText('\u0000\u200B\uFEFF\n')).toBe('U+0000U+200BU+FEFFU+000A');
});

test('half a character gets a name, too', () => {
  expect(plainText('x\uD800y')).toBe('xU+D800y');
});

test('an endless text loses its middle', () => {
  expect(shorten('abcdef', 6)).toBe('abcdef');
  expect(shorten('x'.repeat(10_000), 200)).toHaveLength(201);
});
