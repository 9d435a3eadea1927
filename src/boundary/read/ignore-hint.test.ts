import fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, test } from 'vitest';
import { createIgnoreHint } from './ignore-hint.ts';

describe('a name concerns the rules', () => {
  test.each([
    ['dist', 'dist'],
    ['/dist/', 'dist'],
    ['!a/keep.log', 'keep.log'],
    ['\uFEFFdist', 'dist'],
    ['dist  ', 'dist'],
    ['*.log', 'a.log'],
    ['*.py[cod]', 'a.pyc'],
    ['[Bb]in', 'bin'],
    ['npm-debug.log*', 'npm-debug.log.1'],
    ['a/**', 'anything'],
    ['a/**/', 'anything'],
    ['*', 'anything'],
    ['\\#hash', '#hash'],
    ['trailing\\ ', 'trailing '],
  ])('of %j: %s', (rule, name) => {
    expect(createIgnoreHint(['# comment', '', rule], false)(name)).toBe(true);
  });

  test('whatever its case, where case does not count', () => {
    expect(createIgnoreHint(['Build', '*.ΛΌΓΟΣ'], true)('bUILD')).toBe(true);
    expect(createIgnoreHint(['Build', '*.ΛΌΓΟΣ'], true)('x.λόγος')).toBe(true);
    expect(createIgnoreHint(['Build'], false)('build')).toBe(false);
  });
});

test.each([
  ['dist', 'distant'],
  ['a/b', 'a'],
  ['*.log', 'log'],
  ['[Bb]in', 'obj'],
  ['# src', 'src'],
  ['', 'src'],
])('rules such as %j do not concern %s', (rule, name) => {
  expect(createIgnoreHint([rule], false)(name)).toBe(false);
});

test('rules that do not concern a name neither ignore it nor take it back', () => {
  const rule = fc.string({
    unit: fc.constantFrom('a', 'b', '.', '*', '?', '[', ']', '!', '#', '\\', '/', ' ', '-', '^'),
    minLength: 1,
    maxLength: 8,
  });
  const name = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', '.', '-', '[', ']', '!', ' ', '#'),
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(
      fc.array(rule),
      fc.array(name, { maxLength: 2 }),
      name,
      fc.boolean(),
      (lines, above, last, folds) => {
        const rules = ignore({ ignorecase: folds, allowRelativePaths: true }).add(lines);
        const isNew = above.every(
          (_, depth) => !rules.test(`${above.slice(0, depth + 1).join('/')}/`).ignored,
        );
        fc.pre(isNew && !createIgnoreHint(lines, folds)(last));
        for (const end of ['', '/']) {
          const { ignored, unignored } = rules.test([...above, last].join('/') + end);
          expect({ ignored, unignored }).toEqual({ ignored: false, unignored: false });
        }
      },
    ),
    { numRuns: 3_000 },
  );
});
