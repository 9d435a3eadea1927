import { describe, expect, test } from 'vitest';
import { describeIgnored, withNotes } from './ignored-arguments.ts';

const text = { type: 'string' };
const edit = { type: 'object', properties: { oldText: text, newText: text } };
const schema = {
  type: 'object',
  properties: {
    path: text,
    head: text,
    excludePatterns: text,
    edits: { type: 'array', items: edit },
    any: {},
  },
};

test.each<[object | undefined, string | undefined]>([
  [undefined, undefined],
  [{}, undefined],
  [{ path: 'a', any: { thing: { at: 'all' } } }, undefined],
  [{ path: 'a', lines: 5 }, 'ignored: lines; did you mean head?'],
  [{ pth: 'a' }, 'ignored: pth; did you mean path?'],
  [{ exclude_patterns: [] }, 'ignored: exclude_patterns; did you mean excludePatterns?'],
  [{ file_path: 'a' }, 'ignored: file_path; did you mean path?'],
  // An argument that was given is not the one that was meant.
  [{ path: 'a', file_path: 'b' }, 'ignored: file_path'],
  [{ zzz: 1, lines: 5, pth: 'a' }, 'ignored: lines, pth, zzz; did you mean head, path?'],
  [{ edits: [{ old_string: 'a' }, { old_string: 'b' }] }, 'ignored: edits.old_string; did you mean oldText?'],
  [{ toString: 1, constructor: 2 }, 'ignored: toString, constructor'],
  [{ 'a\nb': 1 }, 'ignored: a\\u{a}b'],
])('of %j: %s', (input, line) => {
  expect(describeIgnored(schema, input)).toBe(line);
});

test('names ten, and counts the others', () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`zz${index}`, index]));
  expect(describeIgnored(schema, many)).toMatch(/^ignored: zz0, .*, zz9 and 2 more$/);
  expect(describeIgnored(schema, { ['z'.repeat(1_000)]: 1 })?.length).toBeLessThan(60);
});

describe('the lines of an answer', () => {
  const block = { type: 'text', text: 'the file' };

  test('stand after the text of a result, and in the text of an error', () => {
    expect(withNotes({ content: [block] }, ['one', 'two'])).toEqual({
      content: [block, { type: 'text', text: 'one\ntwo' }],
    });
    expect(withNotes({ isError: true, content: [block] }, ['one'])).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'the file\none' }],
    });
    expect(withNotes({ content: [] }, ['one'])).toEqual({ content: [{ type: 'text', text: 'one' }] });
  });

  test('leave a question as it is', () => {
    const question = { resultType: 'input_required', inputRequests: {} };
    expect(withNotes(question, ['one'])).toBe(question);
  });
});
