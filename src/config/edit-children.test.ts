import { describe, expect, test } from 'vitest';
import { insertChild, layoutOf, printJson, printMember, removeChild } from './edit-children.ts';
import { parseJsonc } from '../base/parse-jsonc.ts';

const layout = { unit: '  ', eol: '\n' };

function treeOf(text: string): Parameters<typeof insertChild>[1] {
  const parsed = parseJsonc(text);
  if ('fault' in parsed) throw new Error(parsed.fault.reason);
  return parsed.tree;
}

function insert(text: string, index: number): string {
  return insertChild(text, treeOf(text), { index, layout, print: () => 'new' });
}

describe('insertChild', () => {
  test.each([
    ['[]', 0, '[\n  new\n]'],
    ['[1]', 1, '[1, new]'],
    ['[1]', 0, '[ new,1]'],
    ['[\n  1,\n  2\n]', 1, '[\n  1,\n  new,\n  2\n]'],
    ['[ // list\n  1\n]', 0, '[ // list\n  new,\n  1\n]'],
    ['[\n  1, // one\n]', 1, '[\n  1, // one\n  new\n]'],
    ['[\n  1 // one\n  /* end */\n]', 1, '[\n  1, // one\n  new\n  /* end */\n]'],
  ])('%j at %i', (text, index, expected) => {
    expect(insert(text, index)).toBe(expected);
  });
});

describe('removeChild', () => {
  test.each([
    ['[1]', 0, '[]'],
    ['[\n  1\n]', 0, '[]'],
    ['[1, 2]', 0, '[ 2]'],
    ['[1, 2]', 1, '[1]'],
    ['[\n  1,\n  // two\n  2\n]', 1, '[\n  1\n]'],
    ['[\n  1,\n  // far\n\n  // two\n  2,\n  3\n]', 1, '[\n  1,\n  // far\n\n  3\n]'],
    ['[\n  1, // one\n  2 ]', 1, '[\n  1 // one\n ]'],
    ['[1]', 7, '[1]'],
  ])('%j at %i', (text, index, expected) => {
    expect(removeChild(text, treeOf(text), index)).toBe(expected);
  });
});

test.each([
  [['read', 'list'], '["read", "list"]'],
  [{ a: 1, b: undefined, c: {} }, '{\n  "a": 1,\n  "c": {}\n}'],
  [[{ a: [] }], '[\n  {\n    "a": []\n  }\n]'],
  [['x'.repeat(90)], `[\n  "${'x'.repeat(90)}"\n]`],
  [null, 'null'],
])('prints %j', (value, printed) => {
  expect(printJson(value, layout)).toBe(printed);
});

test('indents nested values', () => {
  expect(printMember('a', { b: 1 }, layout, '    ')).toBe('"a": {\n      "b": 1\n    }');
});

test.each([
  ['{}', { unit: '  ', eol: '\n' }],
  ['{\n\t\t"a": 1\n}', { unit: '\t', eol: '\n' }],
  ['{\r\n    "a": 1\r\n}', { unit: '    ', eol: '\r\n' }],
])('detects the layout of %j', (text, expected) => {
  expect(layoutOf(text)).toEqual(expected);
});
