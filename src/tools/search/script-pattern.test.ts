import { spawnSync } from 'node:child_process';
import { sampleQuery } from '../../../test/support/trees/sample-query.ts';
import { expect, test } from 'vitest';
import { findFault, ripgrepArgs } from './ripgrep-args.ts';
import { toScriptPattern } from './script-pattern.ts';
import { findRipgrep } from './search-text.ts';
import type { TextQuery } from './text-query.ts';

const plain = sampleQuery();

const words = [
  '',
  'a',
  'ab',
  'abc',
  'A',
  'aB1',
  'aa',
  'aaa',
  '_',
  'word',
  'words',
  'foobar',
  'foo_bar',
  '1.5e3',
];
const signs = [
  'foo.bar(baz)',
  'x-y',
  '[x]',
  'a{2}',
  'a-b',
  'a]b',
  'a}b',
  '\\d',
  'q&&r',
  '~',
  '#c',
  '/p',
  '$5',
  '^',
  'a|b',
];
const letters = [
  'ä',
  'Straße',
  '日本語',
  'Ωμέγα',
  '😀 smile',
  '٣',
  'e\u0301',
  'ſ',
  'K',
  '\u00A0x',
  'x\u0085y',
  '\u2028',
];
const spaces = ['foo bar', ' lead', 'trail ', 'tab\there', 'a\r', 'x\ry', 'foo\r'];
const lines = [...words, ...signs, ...letters, ...spaces];

const ripgrep = (await findRipgrep(process.env)) ?? '';

/** The first match of each line as `line@byte`, or that the pattern is refused. */
function byRipgrep(query: TextQuery): readonly string[] | 'refused' {
  if (findFault(query) !== undefined) return 'refused';
  const { status, stdout } = spawnSync(ripgrep, ripgrepArgs(query), {
    input: `${lines.join('\n')}\n`,
    env: {},
  });
  if (status === 2) return 'refused';
  const starts = lines.map(
    (_, index) => Buffer.byteLength(lines.slice(0, index).join('\n')) + Math.min(index, 1),
  );
  const places = stdout
    .toString()
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => Number.parseInt(row, 10));
  const found = new Map<number, number>();
  for (const place of places) {
    const line = starts.findLastIndex((start) => start <= place);
    if (!found.has(line)) found.set(line, place - (starts[line] ?? 0));
  }
  return [...found].map(([line, at]) => `${line}@${at}`);
}

function byScript(query: TextQuery): readonly string[] | 'refused' {
  const expression = toScriptPattern(query);
  if (typeof expression === 'string') return 'refused';
  return lines.flatMap((line, index) => {
    const at = line.search(expression);
    return at === -1 ? [] : [`${index}@${Buffer.byteLength(line.slice(0, at))}`];
  });
}

test.each([
  [
    'classes of POSIX',
    [
      '[[:alpha:]]+',
      '[[:^alpha:]]',
      '[^[:alpha:]]',
      '[[:digit:][:punct:]]',
      '[[:alpha:]-z]',
      '[[:foo:]]',
      '[[:constructor:]]',
    ],
  ],
  [
    'properties',
    [
      '\\p{Greek}',
      '\\p{greek}',
      '\\pL',
      '\\PL',
      '\\p{Lu}',
      '\\p{Letter}',
      '\\p{sc=Han}',
      '\\p{Emoji}',
      '[\\p{Greek}a]',
    ],
  ],
  ['codes', ['\\x{1F600}', '\\x41', '\\x{e4}', '\\u{e4}', '\\u00e4', '\\U0001F600', '[\\x{e4}-\\x{f6}]']],
  ['places', ['\\Aa', 'a\\z', '\\Afoo\\z', '^$', '^', '$', 'foo$', '^.$', 'a\\r?$', '(?m)^a$', '^*']],
  [
    'words',
    [
      '\\<foo',
      'bar\\>',
      '\\<foo\\>',
      '\\bfoo\\b',
      '\\Boo',
      '\\b{start}foo',
      'foo\\b{end}',
      '\\b{start-half}oo',
    ],
  ],
  [
    'sets',
    ['[a-z&&[^aeiou]]', '[a-c&&b-d]', '[a-c--b]', '[a-z&&[^a]&&[^b]]', '[^a-z&&[^x]]', '[\\w--\\d_]', '&&'],
  ],
  [
    'characters of Unicode',
    ['\\d', '\\D', '\\w+', '\\W', '\\s', '\\S', '[\\s\\d]', '[^\\w]', '.', 'x.y', '[^\\n]'],
  ],
  [
    'brackets',
    ['[]a]', '[^]a]', '[a-]', '[-a]', '[a\\-z]', '[a\\]]', '[[]x]]', '[a[bc]]', '[^a[bc]]', '[a-b-c]', '[.]'],
  ],
  [
    'repetitions',
    ['a{2}', 'a{2,}', 'a{1,2}$', 'a+?b', 'a}', 'a]', '\\{', '(a|b)c', '(?P<n>a)b', '(?<n>a)b', '(|a)'],
  ],
  ['flags', ['(?i)FOO', '(?i)straße', '(?i)k', '(?s)a.', '(?im)A$']],
  ['signs', ['\\.', '\\/', '/', '\\-', '#', '~', '\\$5', 'a\\|b', '\\t', '\\"', '"']],
])('%s match as in ripgrep', (_what, patterns) => {
  const found = patterns.map((pattern) => [pattern, byScript({ ...plain, pattern })]);
  expect(found).toEqual(patterns.map((pattern) => [pattern, byRipgrep({ ...plain, pattern })]));
  expect(found.flatMap(([, matches]) => matches)).not.toHaveLength(0);
});

test.each([
  ['\\p{Lu}', { ignoreCase: true }],
  ['[a-c--b]', { ignoreCase: true }],
  ['straSSe|ß|k', { ignoreCase: true }],
  ['[[:alpha:]]+', { wholeWord: true }],
  ['\\w|-', { wholeWord: true }],
  ['ABC|日本語', { wholeWord: true, ignoreCase: true }],
  ['a{2}', { literal: true }],
  ['\\d', { literal: true }],
  ['~', { literal: true, wholeWord: true }],
])('%s with %j matches as in ripgrep', (pattern, wish) => {
  const found = byScript({ ...plain, pattern, ...wish });
  expect(found).toEqual(byRipgrep({ ...plain, pattern, ...wish }));
  expect(found).not.toHaveLength(0);
});

test.each([
  [
    '(',
    ')',
    '[',
    'a{',
    '{',
    '[z-a]',
    '\\',
    '\\x',
    '\\x{110000}',
    '\\p{^L}',
    '\\e',
    '\\Z',
    '\\Q',
    '[[:alpha:]',
    '*a',
  ],
  ['(?=x)', '(?!x)', '(?<=x)y', '(?<!x)y', '(a)\\1', '\\n', 'a\nb', '\\x0a', '(?x)a b', 'foo(?-m:$)'],
])('what ripgrep refuses is refused', (...patterns) => {
  for (const pattern of patterns) {
    const query = { ...plain, pattern };
    expect([pattern, byRipgrep(query), byScript(query)]).toEqual([pattern, 'refused', 'refused']);
  }
});

test.each([
  ['[a~~b]', 'the operator ~~ is not supported without ripgrep, which is missing here'],
  ['x(?i)a', 'the flag i at this place is not supported without ripgrep, which is missing here'],
  ['(?-u)a', 'the flag -u at this place is not supported without ripgrep, which is missing here'],
  ['\\p{Nonsense}', 'the class \\p{Nonsense} is not supported without ripgrep, which is missing here'],
  ['a++', 'Nothing to repeat, says JavaScript, which is used because ripgrep is missing'],
  ['(?=x)', 'look-around, including look-ahead and look-behind, is not supported'],
  ['(a)\\1', 'backreferences are not supported'],
  ['['.repeat(8_000), 'classes are nested too deeply'],
])('%s is refused with its reason', (pattern, reason) => {
  expect(toScriptPattern({ ...plain, pattern })).toBe(reason);
});
