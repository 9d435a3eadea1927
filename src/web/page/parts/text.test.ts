import { expect, test } from 'vitest';
import { shorten } from '../../../base/quote.ts';
import { displayedText, splitText } from './text.tsx';

test('keeps plain text', () => {
  expect(splitText('straße 目录 👩‍🚀'.replace('\u200D', ''))).toHaveLength(1);
  expect(splitText('')).toEqual([]);
});

test('names invisible characters', () => {
  expect(splitText('a\u202Egpj.exe')).toEqual([
    { text: 'a', odd: false },
    { text: 'U+202E', odd: true },
    { text: 'gpj.exe', odd: false },
  ]);
  expect(displayedText('\u0000\u200B\uFEFF\n')).toBe('U+0000U+200BU+FEFFU+000A');
});

test('names tag characters, blanks and variation selectors', () => {
  expect(displayedText('a\u{E0041}b')).toBe('aU+E0041b');
  expect(displayedText('\u2800\u00A0\u3164\uFE0F')).toBe('U+2800U+00A0U+3164U+FE0F');
  expect(splitText('a b')).toEqual([{ text: 'a b', odd: false }]);
});

test('names lone surrogates', () => {
  expect(displayedText('x\uD800y')).toBe('xU+D800y');
});

test('shortens a long text in the middle', () => {
  expect(shorten('abcdef', 6)).toBe('abcdef');
  expect(shorten('x'.repeat(10_000), 200)).toHaveLength(201);
  expect(displayedText(shorten(`x${'😀'.repeat(500)}`, 20))).not.toContain('U+D');
});
