import { describe, expect, test } from 'vitest';
import { operations } from '../../boundary/step/operation.ts';
import type { NameRules } from '../../path/fold.ts';
import { compileDenyRule, keyOf, type CompiledDenyRule } from './deny-rule.ts';

const anywhere: NameRules = { platform: 'posix' };

function compile(
  glob: string,
  rules: NameRules = anywhere,
  except: readonly string[] = [],
): CompiledDenyRule {
  return compileDenyRule({ glob, operations, reason: 'it is denied', except }, rules);
}

function matches(glob: string, path: string, rules: NameRules = anywhere): boolean {
  return compile(glob, rules).matches({ path, loose: keyOf(rules)(path) });
}

describe('a step is matched', () => {
  test.each([
    ['.env', 'a/.env'],
    ['.env', 'a/.ENV'],
    ['*.PEM', 'key.pem'],
    ['/dist', 'dist'],
    ['docs/**', 'docs'],
    ['docs/**/', 'docs'],
    ['docs/**/**', 'docs'],
    ['/docs/**', 'docs'],
    ['**/.git/**/config', '.git/config'],
    ['**/.git/**/config', 'a/.git/modules/b/config'],
    ['**', 'a'],
    ['/**', 'a'],
    ['**/**', 'a/b'],
    ['*', 'a/b'],
    ['café', 'cafe\u0301'],
    ['caf?', 'café'],
    ['[A-Z]*', 'Makefile'],
    ['[Z-a]x', 'Zx'],
    ['[[:upper:]]x', 'Ax'],
    ['straße', 'STRASSE'],
  ])('by %s: %s', (glob, path) => {
    expect(matches(glob, path)).toBe(true);
  });
});

describe('a step is not matched', () => {
  test.each([
    ['.env', '.environment'],
    ['/dist', 'a/dist'],
    ['docs/**', 'a/docs'],
    ['docs/**', 'documents'],
    ['**/.git/**/config', '.git/description'],
    ['**/.git/**/config', 'config'],
    ['a/*', 'a'],
  ])('by %s: %s', (glob, path) => {
    expect(matches(glob, path)).toBe(false);
  });

  test('beneath a denied step, because the step above is checked first', () => {
    expect(matches('docs/**', 'docs/a.md')).toBe(false);
  });
});

describe('case', () => {
  test('counts only if the file system is known to be case-sensitive', () => {
    expect(matches('.env', '.ENV', { platform: 'posix' })).toBe(true);
    expect(matches('.env', '.ENV', { platform: 'win32' })).toBe(true);
    expect(matches('.env', '.ENV', { platform: 'posix', caseSensitive: false })).toBe(true);
    expect(matches('.env', '.ENV', { platform: 'posix', caseSensitive: true })).toBe(false);
    expect(matches('.ENV', '.ENV', { platform: 'posix', caseSensitive: true })).toBe(true);
  });
});

describe('an exception', () => {
  const rule = compile('.env.*', anywhere, ['.env.example', '.env.*.example']);

  test.each([
    ['.env.local', true],
    ['.env.example', false],
    ['a/.env.Example', false],
    ['.env.local.example', false],
    ['.env.example.local', true],
  ])('covers only what it names: %s', (path, denied) => {
    expect(rule.matches({ path, loose: keyOf(anywhere)(path) })).toBe(denied);
  });
});

test('the decision names the glob as it was written', () => {
  expect(compile('Docs/**').decision).toEqual({
    verdict: 'deny',
    rule: 'deny:Docs/**',
    reason: 'it is denied',
  });
});

describe('the ending that a step must have', () => {
  test.each([
    ['.Git', '.git'],
    ['**/.git/**/config', 'config'],
    ['docs/**', 'docs'],
    ['dist/', 'dist'],
    ['*.PEM', '*.pem'],
    ['client_*.json', '*.json'],
    ['a/{b,c}.tar.gz', '*.gz'],
    ['.env.*', undefined],
    ['*', undefined],
    ['*secret', undefined],
    ['a.[ch]', undefined],
    ['{a.b,c}', undefined],
    ['a\\*b', undefined],
  ])('of %s is %s', (glob, ending) => {
    expect(compile(glob).ending).toBe(ending);
  });
});

describe('the beginning that the last name of a step must have', () => {
  test.each([
    ['.Env.*', '.env.'],
    ['**/.git/**/config', 'config'],
    ['docs/**', 'docs'],
    ['client_*.json', 'client_'],
    ['a/b{c,d}', 'b'],
    ['caf\u00e9*', 'cafe'],
    ['*secret', undefined],
    ['[ab]c', undefined],
  ])('of %s is %s', (glob, beginning) => {
    expect(compile(glob).beginning).toBe(beginning);
  });
});

test.each(['', '!a', 'a/../b', '[a', 'x\\y'])('an invalid glob is refused: %j', (glob) => {
  expect(() => compile(glob)).toThrow(expect.objectContaining({ code: 'INVALID_GLOB' }));
});
