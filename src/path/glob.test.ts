import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlobs } from './glob.ts';

describe('a glob matches', () => {
  test.each([
    ['*.pem', 'a.pem'],
    ['*.pem', 'deep/down/a.pem'],
    ['.env', 'packages/a/.env'],
    ['.env*', '.env.local'],
    ['*secret*', 'a/my-secret-file'],
    ['id_{rsa,ed25519}', '.ssh/id_rsa'],
    ['/.env', '.env'],
    ['.git/hooks/**', '.git/hooks'],
    ['.git/hooks/**', '.git/hooks/pre-commit'],
    ['**/.git/config', '.git/config'],
    ['**/.git/config', 'vendor/x/.git/config'],
    ['src/**/*.ts', 'src/a.ts'],
    ['src/**/*.ts', 'src/a/b/c.ts'],
    ['src/[a-c].ts', 'src/b.ts'],
    ['dist/', 'dist'],
    ['a?c', 'abc'],
    ['**', 'x/y'],
    ['a\\*b', 'a*b'],
    ['**/*', '.hidden/.x'],
    ['#notes', '#notes'],
  ])('%s — %s', (pattern, path) => {
    expect(compileGlobs([pattern]).match(path)).toBe(pattern);
  });
});

describe('a glob does not match', () => {
  test.each([
    ['*.pem', 'a.pem.txt'],
    ['.env', '.envrc'],
    ['/.env', 'a/.env'],
    ['a/*.key', 'b/a/x.key'],
    ['a/*.key', 'a/b/x.key'],
    ['src/*.ts', 'src/a/b.ts'],
    ['a?c', 'a/c'],
    ['a\\*b', 'axb'],
    ['*.PEM', 'a.pem'],
  ])('%s — %s', (pattern, path) => {
    expect(compileGlobs([pattern]).match(path)).toBeUndefined();
  });
});

test('the first pattern that matches is the answer, as it was written', () => {
  expect(compileGlobs(['*.md', '/README.md', '**']).match('README.md')).toBe('*.md');
  expect(compileGlobs([]).match('README.md')).toBeUndefined();
});

test('case is folded where the file system folds it', () => {
  expect(compileGlobs(['*.PEM'], { platform: 'win32' }).match('Key.pem')).toBe('*.PEM');
  expect(compileGlobs(['.ENV'], { platform: 'posix', caseSensitive: false }).match('a/.env')).toBe('.ENV');
});

describe('a pattern is refused', () => {
  test.each([
    ['', 'empty'],
    ['/', 'empty'],
    ['!*.ts', 'negation'],
    ['+(a|b)', 'extended glob'],
    ['a\\b', 'backslash'],
    ['../x', '".."'],
    ['a/./b', '"."'],
    ['a\0', 'NUL'],
    ['[a-z', 'not closed'],
    ['{a,b', 'not closed'],
    ['a}', 'not closed'],
    ['x'.repeat(1_025), 'longer than 1024'],
    ['**/'.repeat(17), '"**"'],
    ['{a,b}'.repeat(9), 'more than 256 patterns'],
    ['{1..100000}', 'more than 256 patterns'],
  ])('%j: %s', (pattern, reason) => {
    expect(() => compileGlobs(['ok', pattern])).toThrow(
      expect.objectContaining({ code: 'INVALID_GLOB', message: expect.stringContaining(reason) }),
    );
  });

  test('when there are too many', () => {
    expect(() => compileGlobs(Array.from({ length: 2_001 }, () => '*.x'))).toThrow('more than 2000 patterns');
  });
});

describe('the measured glob bombs', () => {
  /** Generous: a backtracking matcher needs minutes to centuries for these. */
  const budget = 10_000;

  test.each([
    ['many globstars on a deep path', '**/a/'.repeat(6).slice(0, -1), 'a/'.repeat(60) + 'c'],
    ['many stars in one name', '*a'.repeat(12) + '*b', 'a'.repeat(255)],
    ['stars and questions', '*?'.repeat(100) + 'b', 'a'.repeat(255)],
    ['classes and stars', '[a-z]*'.repeat(60) + '1', 'a'.repeat(255)],
    ['all the globstars allowed', '**/a/'.repeat(16) + 'b', 'a/'.repeat(3_000) + 'c'],
    ['a nest of braces', '{a,{b,{c,{d,{e,{f,g}}}}}}*'.repeat(1) + '*z', 'a'.repeat(255)],
  ])('%s', (_name, pattern, path) => {
    const start = performance.now();
    expect(compileGlobs([pattern]).match(path)).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(budget);
  });

  test('22 braces are refused before they are expanded', () => {
    const start = performance.now();
    expect(() => compileGlobs(['{a,b}'.repeat(22)])).toThrow('braces');
    expect(performance.now() - start).toBeLessThan(budget);
  });
});

test('the fast forms match like the general matcher', () => {
  const name = fc
    .string({ unit: fc.constantFrom('a', 'b', '.', '-'), minLength: 1, maxLength: 4 })
    .filter((text) => text !== '.' && text !== '..');
  const short = fc
    .tuple(fc.constantFrom('', '*'), name, fc.constantFrom('', '*'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(short, fc.array(name, { minLength: 1, maxLength: 3 }), (pattern, names) => {
      const path = names.join('/');
      const general = compileGlobs([`**/${pattern}`]).match(path) !== undefined;
      expect(compileGlobs([pattern]).match(path) !== undefined).toBe(general);
    }),
    { numRuns: 1_000 },
  );
});

describe('patterns that expand to too much together are refused', () => {
  const alternatives = `{${Array.from({ length: 200 }, (_, index) => `a${index}`).join(',')}}`;

  test.each([
    ['alternatives', Array<string>(25).fill(alternatives)],
    ['characters', Array<string>(300).fill('a'.repeat(1_000))],
    ['as many as a list may have', Array<string>(1_000).fill(alternatives)],
  ])('by their %s', (_name, patterns) => {
    const start = process.cpuUsage();
    expect(() => compileGlobs(patterns)).toThrow(
      'together with the patterns before it, it expands to too many',
    );
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });

  test('lists of realistic length are accepted', () => {
    const patterns = Array.from({ length: 1_000 }, (_, index) => `**/secret-${index}/*.{pem,key,p12}`);
    expect(compileGlobs(patterns).match('a/secret-7/b.key')).toBe('**/secret-7/*.{pem,key,p12}');
  });
});
