import { describe, expect, test } from 'vitest';
import type { MemberRule } from './declaration.ts';
import { compileMembers } from './members.ts';

/** `!` before a pattern makes it an exception, `=` makes it literal. */
function rulesOf(patterns: readonly string[]): readonly MemberRule[] {
  return patterns.map((text) => {
    const pattern = text.replace(/^[!=]/, '');
    return { pattern, except: text.startsWith('!'), literal: text.startsWith('=') };
  });
}

function has(patterns: readonly string[], directory: string): boolean {
  return compileMembers(rulesOf(patterns), 'posix').members.has(directory);
}

describe('a directory is a member', () => {
  test.each([
    [['packages/*'], 'packages/a'],
    [['./packages/*'], 'packages/a'],
    [['/packages/*/'], 'packages/a'],
    [['packages//a'], 'packages/a'],
    [['packages/x/../a'], 'packages/a'],
    [['crates/**'], 'crates/a/b/c'],
    [['crates/**'], 'crates'],
    [['*'], 'a'],
    [['**'], 'a/b'],
    [['{apps,packages}/*'], 'apps/a'],
    [['packages/[a-c]'], 'packages/b'],
    [['core'], 'core'],
    [['core', 'docs'], 'docs'],
    [['=a [1] {b}*'], 'a [1] {b}*'],
    [['with space/*'], 'with space/ä'],
    [['packages/*', '!packages/a', 'packages/a'], 'packages/a'],
    [['!packages/a', 'packages/*'], 'packages/a'],
  ])('of %j: %s', (patterns, directory) => {
    expect(has(patterns, directory)).toBe(true);
  });
});

describe('a directory is no member', () => {
  test.each([
    [['packages/*'], 'packages'],
    [['packages/*'], 'packages/a/b'],
    [['packages/*'], 'other/packages/a'],
    [['*'], 'a/b'],
    [['core'], 'a/core'],
    [['=pack*'], 'packages'],
    [['packages/*', '!packages/a'], 'packages/a'],
    [['packages/**', '!**/test/**'], 'packages/a/test/b'],
    [['.'], ''],
    [['..', '../*', '../x'], 'x'],
    [['a/../..'], 'a'],
    [[], 'a'],
  ])('of %j: %s', (patterns, directory) => {
    expect(has(patterns, directory)).toBe(false);
  });
});

test('names compare as the platform compares them, and literal ones may have its separators', () => {
  const rules = [{ pattern: 'Packages/*' }, { pattern: 'apps\\Web', literal: true }];
  const windows = compileMembers(rules, 'win32').members;
  expect(['packages/a', 'apps/web'].map((directory) => windows.has(directory))).toEqual([true, true]);
  const posix = compileMembers(rules, 'posix').members;
  expect(['packages/a', 'apps/web', 'apps\\Web'].map((name) => posix.has(name))).toEqual([
    false,
    false,
    true,
  ]);
});

test('a pattern that cannot be used is a fault, and the others hold', () => {
  const { members, faults } = compileMembers(rulesOf(['@(a|b)/*', 'a/[x', 'c/*']), 'posix');
  expect(faults).toEqual([
    '"@(a|b)/*" is no pattern: it is an extended glob; write alternatives as {a,b}',
    '"a/[x" is no pattern: a bracket or brace in it is not closed',
  ]);
  expect(members.has('c/d')).toBe(true);
});

describe('a hostile declaration', () => {
  test.each([
    ['patterns', Array.from({ length: 5_000 }, (_, index) => `${index}/*`)],
    ['patterns that are none', Array.from({ length: 5_000 }, () => '[')],
    ['exceptions', Array.from({ length: 5_000 }, (_, index) => (index % 2 === 0 ? 'a' : '!b'))],
  ])('with too many %s is cut, and says so', (_what, patterns) => {
    const { members, faults } = compileMembers(rulesOf(patterns), 'posix');
    expect(faults.at(-1)).toBe('it has more patterns than are looked at');
    expect(faults.length).toBeLessThanOrEqual(201);
    expect(members.has('x')).toBe(false);
  });

  test('may name very many directories', () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `packages/${index}`);
    const { members, faults } = compileMembers(rulesOf(names), 'posix');
    expect(faults).toEqual([]);
    expect(members.has('packages/49999')).toBe(true);
  });
});

test('refuses a pattern at the very limit of its length, and does not throw', () => {
  const pattern = `*${'a'.repeat(1_023)}`;
  expect(() => compileMembers([{ pattern }], 'posix')).not.toThrow();
});
