import { expect, test } from 'vitest';
import { sampleQuery } from '../../../test/support/trees/sample-query.ts';
import { findFault, ripgrepArgs } from './ripgrep-args.ts';
import type { TextQuery } from './text-query.ts';

const query = sampleQuery({ pattern: '-x', context: 3, globs: ['*.ts'], exclude: ['a.ts'], perFile: 10 });

test('searches only its input, without configuration, ignore files or the backtracking engine', () => {
  const args = ripgrepArgs(query);
  expect(args).toEqual(expect.arrayContaining(['--no-config', '--no-ignore', '--engine=default']));
  expect(args).toEqual(expect.arrayContaining(['--regex-size-limit=8M', '--dfa-size-limit=8M']));
  expect(args.slice(-2)).toEqual(['--', '-']);
  expect(args.slice(0, -2).filter((arg) => !arg.startsWith('--'))).toEqual([]);
});

/** The expression among the arguments. */
function expressionOf(wish: Partial<TextQuery>): string | undefined {
  return ripgrepArgs({ ...query, ...wish }).find((arg) => arg.startsWith('--regexp='));
}

test('a pattern is never taken for an option', () => {
  expect(expressionOf({ pattern: '--pre=evil' })).toBe(String.raw`--regexp=(?:--pre=evil)(?-u:[^\n])*`);
});

test('each option has its argument', () => {
  expect(ripgrepArgs(query)).toContain('--case-sensitive');
  expect(ripgrepArgs({ ...query, ignoreCase: true })).toContain('--ignore-case');
  expect(expressionOf({ wholeWord: true })).toContain(String.raw`(?:\b{start-half}(?:-x)\b{end-half})`);
  expect(expressionOf({ pattern: 'a.(b)', literal: true })).toContain(String.raw`(?:a\.\(b\))`);
});

test.each([
  ['a)|(b', 'unopened group'],
  ['.)|(.', 'unopened group'],
  ['[]a])|(b', 'unopened group'],
  ['[^]a])|(b', 'unopened group'],
  ['[-])|(b', 'unopened group'],
  ['[[:alpha:]])|(b', 'unopened group'],
  ['[a[b]])|(b', 'unopened group'],
  ['\\[)|(b', 'unopened group'],
  ['[\\]])|(b', 'unopened group'],
  ['[:a:])|(b', 'unopened group'],
  ['(?x)a # )', 'the flag x, for comments and spaces, is not supported'],
  ['(?i-x)a', 'the flag x, for comments and spaces, is not supported'],
])('refuses %j as part of an expression', (pattern, fault) => {
  expect(findFault({ ...query, pattern })).toBe(fault);
  expect(findFault({ ...query, pattern, literal: true })).toBeUndefined();
});

test.each([
  '(a)(b)',
  '[)]',
  '[])]',
  '[^])]',
  '[a[)]]',
  '[[:alpha:])]',
  '\\)',
  '((a)|b)',
  '[(]',
  '(?i)a',
  '[-)]',
])('accepts %j', (pattern) => {
  expect(findFault({ ...query, pattern })).toBeUndefined();
});

test('an end of line may have a carriage return', () => {
  expect(ripgrepArgs({ ...query, pattern: 'x$' })).toContain('--crlf');
  expect(ripgrepArgs({ ...query, pattern: 'x$', literal: true })).not.toContain('--crlf');
});
