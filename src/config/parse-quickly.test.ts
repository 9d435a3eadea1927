import fc from 'fast-check';
import { parse, type ParseError } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { parseQuickly } from './parse-quickly.ts';

describe('a text that is read quickly', () => {
  test.each([
    ['// a\n{ "a": [1, /* b */ 2,], }', { a: [1, 2] }],
    [
      '{ "a": "// no comment", "b": "/* none */", "c": ",]" }',
      { a: '// no comment', b: '/* none */', c: ',]' },
    ],
    ['{ "a": "\\"// x", /* "b": 1 */ }', { a: '"// x' }],
    ['[1 /* , */ , // ]\n ]', [1]],
    ['"a"', 'a'],
  ])('%j', (text, value) => {
    expect(parseQuickly(text)).toEqual({ value });
  });

  test.each([
    '{ "a": 1, "a": 2 }',
    '{ "a" 1 }',
    '',
    '[1,,]',
    '{ "a": "x\ny" }',
    '[,]',
    '{ // "a": 1 }',
    '/* [1]',
  ])('is left to those who look closely: %j', (text) => {
    expect(parseQuickly(text)).toBeUndefined();
  });

  test('never says something else than a close look', () => {
    const parts = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '"//"',
      '"\\""',
      '1',
      ' ',
      '\n',
      '//',
      '/*',
      '*/',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 14 }), (tokens) => {
        const text = tokens.join('');
        const quick = parseQuickly(text);
        const errors: ParseError[] = [];
        const value: unknown = parse(text, errors, { allowTrailingComma: true });
        if (quick !== undefined) expect([quick.value, errors]).toEqual([value, []]);
      }),
      { numRuns: 5_000 },
    );
  });
});
