import { describe, expect, test } from 'vitest';
import { insertChild, removeChild } from './edit-children.ts';
import { parseJsonc } from './parse-jsonc.ts';

const layout = { unit: '  ', eol: '\n' };

function treeOf(text: string): Parameters<typeof insertChild>[1] {
  const parsed = parseJsonc(text);
  if ('fault' in parsed) throw new Error(parsed.fault.reason);
  return parsed.tree;
}

function insert(text: string, index: number): string {
  return insertChild(text, treeOf(text), { index, layout, print: () => 'new' });
}

describe('an item that is put in', () => {
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

describe('an item that is taken out', () => {
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
