import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdits, joinLines, splitEnds, toPlain } from './apply-edits.ts';

function edit(text: string, ...edits: readonly (readonly [string, string])[]): string {
  return applyEdits(
    text,
    edits.map(([oldText, newText]) => ({ oldText, newText })),
    'a.txt',
  );
}

test('replaces the first exact occurrence', () => {
  expect(edit('a a a', ['a', '$&'])).toBe('$& a a');
  expect(edit('one\ntwo\n', ['one\ntwo', 'both'])).toBe('both\n');
});

test('an edit sees the results of earlier ones', () => {
  expect(edit('a', ['a', 'b'], ['b', 'c'])).toBe('c');
});

test('keeps the line ends of the file', () => {
  expect(edit('a\r\nb\r\nc\r\n', ['a\nb', 'x\ny'])).toBe('x\r\ny\r\nc\r\n');
  expect(edit('a\nb\n', ['a\r\nb', 'x\r\ny'])).toBe('x\ny\n');
});

test('finds lines with other indentation, and keeps that of the file', () => {
  const text = 'class A {\n    if (a) {\n        b();\n    }\n}\n';
  expect(edit(text, ['if (a) {\n  b();\n}', 'if (c) {\n  d();\n  if (e) {\n    f();\n  }\n}'])).toBe(
    'class A {\n    if (c) {\n        d();\n        if (e) {\n          f();\n        }\n    }\n}\n',
  );
});

test('tabs for spaces', () => {
  expect(edit('\tif\n\t\tthen\n', ['if\n  then', 'if\n  else\n\nend'])).toBe('\tif\n\t\telse\n\n\tend\n');
});

test('prefers an exact match to a similar one', () => {
  expect(edit('  x\nx = 1\n', ['x = 1', 'y'])).toBe('  x\ny\n');
});

test('refuses a text that is not found, and leaves the file unchanged', () => {
  expect(() => edit('a\nb\n', ['a', 'x'], ['nothing', 'y'])).toThrow(
    'Cannot edit "a.txt": it does not contain "nothing"',
  );
  expect(() => edit('a\n\n\nb', ['   \n   ', 'y'])).toThrow('does not contain');
  expect(() => edit('', ['a', 'b'])).toThrow('does not contain');
});

test('an empty text matches at the beginning', () => {
  expect(edit('', ['', 'a'])).toBe('a');
  expect(edit('b', ['', 'a'])).toBe('ab');
});

test('untouched lines keep their ends in a file with mixed ends', () => {
  expect(edit('a\r\nb\nc\n', ['c', 'C'])).toBe('a\r\nb\nC\n');
  expect(edit('a\nb\r\nc\n', ['b', 'B'])).toBe('a\nB\r\nc\n');
  expect(edit('a\r\nb\nc\r\n', ['a\nb\n', 'a\nnew\nb\n'])).toBe('a\r\nnew\nb\nc\r\n');
  expect(edit('a\r\nb\nc\r\n', ['b\n', ''])).toBe('a\r\nc\r\n');
  expect(edit('a\r\n  b\nc\r\n', ['b', 'x\ny'])).toBe('a\r\n  x\r\n  y\nc\r\n'.replace('  y', 'y'));
});

test('an added line ends like the one before it', () => {
  expect(edit('a\r\nb', ['b', 'b\nc'])).toBe('a\r\nb\r\nc');
  expect(edit('a\nb\r\n', ['a', 'a\nc'])).toBe('a\nc\nb\r\n');
  expect(edit('a', ['a', 'a\nb'])).toBe('a\nb');
});

test('matches lines whatever their ends', () => {
  const line = fc.tuple(fc.constantFrom('a', 'b', ''), fc.constantFrom('\n', '\r\n'));
  const lines = fc.array(line).map((pairs) => pairs.flat().join(''));
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      expect(edit(`${before}MARK${after}`, ['MARK', 'one'])).toBe(`${before}one${after}`);
      const grown = edit(`${before}MARK${after}`, ['MARK', 'one\ntwo']);
      expect(grown.startsWith(`${before}one`) && grown.endsWith(`two${after}`)).toBe(true);
    }),
  );
});

const mebibyte = 1_048_576;

/** Each is at the limit of one call. */
const worst: readonly (readonly [
  name: string,
  text: string,
  edits: readonly (readonly [string, string])[],
])[] = [
  [
    'many edits of a large file',
    'a\n'.repeat(4 * mebibyte),
    Array.from({ length: 1_000 }, () => ['a', 'b'] as const),
  ],
  ['lines that are nearly there', ' a\n'.repeat(2 * mebibyte), [[`${'a\n'.repeat(mebibyte)}b`, '']]],
  ['a long text that is nearly there', 'a'.repeat(8 * mebibyte), [[`${'a'.repeat(4 * mebibyte)}b`, '']]],
  ['the same with another beginning', 'a'.repeat(8 * mebibyte), [[`b${'a'.repeat(4 * mebibyte)}`, '']]],
  [
    'ends of lines that differ',
    'a\r\na\n'.repeat(mebibyte),
    Array.from({ length: 1_000 }, () => ['a', 'b'] as const),
  ],
  ['nothing but lines', '\n'.repeat(8 * mebibyte), [['x', 'y']]],
  [
    'as many indentations',
    Array.from({ length: 2_000 }, (_, index) => `${' '.repeat(index)}\tx${index}\n`).join(''),
    [
      [
        Array.from({ length: 2_000 }, (_, index) => `${' '.repeat(index)}x${index}`).join('\n'),
        `${' '.repeat(1_999)}y\n`.repeat(2_000),
      ],
    ],
  ],
];

test.each(worst)('%s are quick, or refused', (_name, text, edits) => {
  const start = process.cpuUsage();
  try {
    edit(text, ...edits);
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(?:TOO_MUCH_WORK|EDIT_NOT_FOUND)$/) });
  }
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(3_000);
});

test('applies a thousand edits to an ordinary file', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index};`);
  const edits = lines.map((line) => [line, `${line} done`] as const);
  expect(edit(lines.join('\n'), ...edits)).toBe(lines.map((line) => `${line} done`).join('\n'));
});

test('normalizes line ends, and remembers the original ones', () => {
  expect(splitEnds('a\r\nb\nc')).toEqual({ plain: 'a\nb\nc', ends: ['\r\n', '\n'] });
  expect(splitEnds('')).toEqual({ plain: '', ends: '\n' });
  expect(splitEnds('a\nb\n')).toEqual({ plain: 'a\nb\n', ends: '\n' });
  expect(splitEnds('a\r\nb\r\n')).toEqual({ plain: 'a\nb\n', ends: '\r\n' });
  expect(toPlain('a\r\nb\rc')).toBe('a\nb\rc');
});

test('restores every text exactly', () => {
  const text = fc.array(fc.constantFrom('\r', '\n', '\r\n', 'a', ' ', '$&')).map((parts) => parts.join(''));
  fc.assert(fc.property(text, (before) => joinLines(splitEnds(before)) === before));
});
