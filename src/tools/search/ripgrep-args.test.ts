import { expect, test } from 'vitest';
import { ripgrepArgs } from './ripgrep-args.ts';
import type { TextQuery } from './text-query.ts';

const query: TextQuery = {
  pattern: '-x',
  literal: false,
  ignoreCase: false,
  wholeWord: false,
  context: 0,
  globs: [],
  exclude: [],
  gitignore: true,
  perFile: 10,
};

test('never asks for links, configuration, or the engine that can take for ever', () => {
  const args = ripgrepArgs(query);
  expect(args).toContain('--no-follow');
  expect(args).toContain('--no-config');
  expect(args).toContain('--engine=default');
  expect(args).toContain('--no-ignore-parent');
  expect(args.at(-1)).toBe('--');
});

test('a pattern is never an option', () => {
  expect(ripgrepArgs({ ...query, pattern: '--pre=evil' })).toContain('--regexp=--pre=evil');
});

test('each wish has its argument', () => {
  const args = ripgrepArgs({
    ...query,
    literal: true,
    ignoreCase: true,
    wholeWord: true,
    context: 3,
    globs: ['*.ts'],
    exclude: ['a.ts'],
  });
  expect(args).toEqual(
    expect.arrayContaining([
      '--fixed-strings',
      '--ignore-case',
      '--word-regexp',
      '--context=3',
      '--max-count=10',
    ]),
  );
  expect(args).toContain('--glob=!a.ts');
});

test('without rules nothing is left out', () => {
  const args = ripgrepArgs({ ...query, gitignore: false }, ['node_modules']);
  expect(args).toContain('--no-ignore');
  expect(args).not.toContain('--glob=!node_modules');
  expect(args).not.toContain('--glob=!.git');
  expect(ripgrepArgs(query, ['node_modules'])).toContain('--glob=!node_modules');
});

test.each([
  [['*.ts'], ['--type-add=wanted:*.ts', '--type=wanted']],
  [
    ['src/**/*.ts', '*.js'],
    ['--type-add=wanted:*.ts', '--type-add=wanted:*.js', '--type=wanted'],
  ],
  [['docs/'], ['--type-add=wanted:docs', '--type=wanted']],
  [['src/**', '*.js'], []],
  [['{src/a,b}.ts'], []],
  [['a:b'], []],
  [[], []],
])('globs %j become kinds of files, as far as names go', (globs, kinds) => {
  expect(ripgrepArgs({ ...query, globs }).filter((arg) => arg.startsWith('--type'))).toEqual(kinds);
});

test('an end of line may have a carriage return', () => {
  expect(ripgrepArgs({ ...query, pattern: 'x$' })).toContain('--crlf');
  expect(ripgrepArgs({ ...query, pattern: 'x$', literal: true })).not.toContain('--crlf');
});
