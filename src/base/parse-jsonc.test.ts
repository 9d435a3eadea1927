import fc from 'fast-check';
import { parse, type ParseError } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { nodeAt, parseJsonc, parseQuickly, positionAt } from './parse-jsonc.ts';

describe('JSON with comments', () => {
  test('may have them, and commas at the end', () => {
    expect(parseJsonc('// a\n{ "a": [1, /* b */ 2,], }')).toMatchObject({ value: { a: [1, 2] } });
  });

  test.each([
    ['', 0, 'value expected'],
    ['{ "a": 1 "b": 2 }', 9, 'comma expected'],
    ['{ a: 1 }', 2, 'this is not JSON'],
    ['{ "a": 1, "b": { "c": 1, "c": 2 } }', 25, 'this key appears twice'],
    ['{} {}', 3, 'end of file expected'],
    ['{ "a": ', 7, 'value expected'],
    ['['.repeat(100_000), 0, 'it is nested too deeply'],
  ])('that is none is told with the place: %.40j', (text, offset, reason) => {
    expect(parseJsonc(text)).toEqual({ fault: expect.objectContaining({ offset, reason }) });
  });

  test('gives every key as a property of its own', () => {
    const parsed = parseJsonc('{ "__proto__": { "x": 1 } }');
    expect('value' in parsed && Object.keys(parsed.value as object)).toEqual(['__proto__']);
    expect({}).not.toHaveProperty('x');
  });
});

test('a path leads to its part, or as near as it can', () => {
  const text = '{ "a": [10, { "b": 20 }] }';
  const parsed = parseJsonc(text);
  if ('fault' in parsed) throw new Error(parsed.fault.reason);
  const at = (...path: (string | number)[]): string => {
    const { offset, length } = nodeAt(parsed.tree, path);
    return text.slice(offset, offset + length);
  };
  expect(at('a', 1, 'b')).toBe('20');
  expect(at('a', 0)).toBe('10');
  expect(at('a', 7, 'x')).toBe('[10, { "b": 20 }]');
  expect(at('x')).toBe(text);
});

test.each([
  [0, 1, 1],
  [3, 2, 1],
  [5, 2, 3],
])('offset %i is line %i, column %i', (offset, line, column) => {
  expect(positionAt('ab\ncde', offset)).toEqual({ line, column });
});

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
