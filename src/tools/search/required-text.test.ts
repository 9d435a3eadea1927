import { expect, test } from 'vitest';
import { requiredText } from './required-text.ts';
import type { TextQuery } from './text-query.ts';

function textIn(pattern: string, more: Partial<TextQuery> = {}): string | undefined {
  const plain = { literal: false, ignoreCase: false, wholeWord: false, context: 0 };
  return requiredText({
    pattern,
    ...plain,
    globs: [],
    exclude: [],
    gitignore: true,
    perFile: 1,
    ...more,
  });
}

test.each([
  ['needle', 'needle'],
  ['a needle in a haystack', 'a needle in a haystack'],
  ['foo\\.bar', 'foo'],
  ['^import .* from', 'import '],
  ['\\bclass\\s+Foo', 'class'],
  ['colou?r', 'colo'],
  ['ab+cd', 'ab'],
  ['ab*c', 'a'],
  ['名前+', '名前'],
  ['abc[de]fghij', 'abc'],
  ['abc(de)?fghij', 'abc'],
  ['abc{2}defgh', 'ab'],
  ['x\\x41bcdef', 'x'],
  ['x\\pLbcdef', 'x'],
  ['x\\u{41}bcdef', 'x'],
])('%s needs %s', (pattern, text) => {
  expect(textIn(pattern)).toBe(text);
});

test.each(['a|b', '(?i)abc', '(?x) a b', '.*', '\\d+', '[ab]c', '(a)b', 'a?', 'a*', 'a{0}', '\\Qab'])(
  '%s needs nothing that is plain to see',
  (pattern) => {
    expect(textIn(pattern)).toBeUndefined();
  },
);

test('plain text is needed as it is, unless the case does not matter', () => {
  expect(textIn('a|b(', { literal: true })).toBe('a|b(');
  expect(textIn('a|b(', { literal: true, ignoreCase: true })).toBeUndefined();
  expect(textIn('abc', { ignoreCase: true })).toBeUndefined();
});
