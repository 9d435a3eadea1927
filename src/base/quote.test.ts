import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeJson, escapeLine, escapeText, quote } from './quote.ts';

describe('quote', () => {
  test.each([
    ['plain', '"plain"'],
    ['with "quotes"', '"with \\"quotes\\""'],
    ['C:\\x', '"C:\\\\x"'],
    ['a\nb\u0000c', '"a\\u{a}b\\u{0}c"'],
    ['\u202Etxt.exe', '"\\u{202e}txt.exe"'],
    ['lone \uD83D', '"lone \\u{d83d}"'],
    ['😀 café', '"😀 café"'],
    ['a\u{E0041}\u2800\u00A0b', '"a\\u{e0041}\\u{2800}\\u{a0}b"'],
    ['a\u3164\u034F\uFE0Fb', '"a\\u{3164}\\u{34f}\\u{fe0f}b"'],
  ])('shows %j as %s', (text, shown) => {
    expect(quote(text)).toBe(shown);
  });

  test('shortens a long text in the middle', () => {
    const shown = quote(`start${'x'.repeat(10_000)}end`);
    expect(shown).toMatch(/^"startx+…x+end"$/);
    expect(shown.length).toBeLessThan(300);
  });

  test('splits no character', () => {
    for (const before of ['', 'x']) {
      const shown = quote(`${before}${'😀'.repeat(1_000)}`);
      expect(shown).not.toContain('\\u{d83d}');
      expect(shown).not.toContain('\\u{de00}');
    }
  });

  test('never lets a control or bidirectional character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(quote(text)).not.toMatch(/[\u0000-\u001F\u007F\u202A-\u202E\u2066-\u2069]/u);
      }),
    );
  });
});

test('escapeText keeps visible characters, and escapes those that move a cursor', () => {
  expect(escapeText('C:\\x "y"')).toBe('C:\\x "y"');
  expect(escapeText('a\u001B]0;title\u0007b\nc')).toBe('a\\u{1b}]0;title\\u{7}b\\u{a}c');
});

test('escapeJson keeps the data, and escapes invisible characters', () => {
  const data = { name: 'a\u202Eb\u{E0041}\u00A0', lines: ['x\ny', '😀 café'] };
  const json = escapeJson(JSON.stringify(data, undefined, 2));
  expect(JSON.parse(json)).toEqual(data);
  expect(json).toContain('a\\u202eb\\udb40\\udc41\\u00a0');
  expect(json).toContain('😀 café');
});

test('a line of a file keeps its tabs', () => {
  expect(escapeLine('\tif (a) {\u2066')).toBe('\tif (a) {\\u{2066}');
  expect(escapeLine('\tplain')).toBe('\tplain');
});
