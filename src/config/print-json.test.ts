import { expect, test } from 'vitest';
import { layoutOf, printJson, printMember } from './print-json.ts';

const layout = { unit: '  ', eol: '\n' };

test.each([
  [['read', 'list'], '["read", "list"]'],
  [{ a: 1, b: undefined, c: {} }, '{\n  "a": 1,\n  "c": {}\n}'],
  [[{ a: [] }], '[\n  {\n    "a": []\n  }\n]'],
  [['x'.repeat(90)], `[\n  "${'x'.repeat(90)}"\n]`],
  [null, 'null'],
])('prints %j', (value, printed) => {
  expect(printJson(value, layout)).toBe(printed);
});

test('sets in what stands within something else', () => {
  expect(printMember('a', { b: 1 }, layout, '    ')).toBe('"a": {\n      "b": 1\n    }');
});

test.each([
  ['{}', { unit: '  ', eol: '\n' }],
  ['{\n\t\t"a": 1\n}', { unit: '\t', eol: '\n' }],
  ['{\r\n    "a": 1\r\n}', { unit: '    ', eol: '\r\n' }],
])('tells the layout of %j', (text, expected) => {
  expect(layoutOf(text)).toEqual(expected);
});
