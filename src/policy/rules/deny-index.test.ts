import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operations } from '../../boundary/step/operation.ts';
import type { NameRules } from '../../path/fold.ts';
import { createDenyIndex } from './deny-index.ts';
import { compileDenyRule, keyOf } from './deny-rule.ts';

const anywhere: NameRules = { platform: 'posix' };

function indexOf(globs: readonly string[]) {
  const rules = globs.map((glob) => compileDenyRule({ glob, operations, reason: 'x' }, anywhere));
  return createDenyIndex(rules, anywhere);
}

test('finds rules by name, by extension and by neither', () => {
  const find = indexOf(['.git', '**/.ssh/config', '*.pem', 'a/*.tar.gz', '.env.*']);
  expect(find('x/.GIT')?.rule).toBe('deny:.git');
  expect(find('.ssh/config')?.rule).toBe('deny:**/.ssh/config');
  expect(find('config')).toBeUndefined();
  expect(find('x/key.Pem')?.rule).toBe('deny:*.pem');
  expect(find('a/b.tar.gz')?.rule).toBe('deny:a/*.tar.gz');
  expect(find('b.tar.gz')).toBeUndefined();
  expect(find('.env.local')?.rule).toBe('deny:.env.*');
  expect(find('src/main.ts')).toBeUndefined();
});

test('of two rules with the same ending the first one decides', () => {
  const rules = ['ours', 'theirs'].map((reason) =>
    compileDenyRule({ glob: '.env', operations, reason }, anywhere),
  );
  expect(createDenyIndex(rules, anywhere)('.env')?.reason).toBe('ours');
});

test.each(['.', ''])('no rule matches the root itself: %j', (path) => {
  expect(indexOf(['*', '**', '/**', '**/*', '?'])(path)).toBeUndefined();
});

test('a file named like an extension is an ordinary file', () => {
  expect(indexOf(['*.pem'])('*.pem')?.rule).toBe('deny:*.pem');
  expect(indexOf(['a/*.pem'])('*.pem')).toBeUndefined();
});

test('denies exactly what the rules deny one by one', () => {
  const part = fc.constantFrom('a', 'B', '.x', '*', '**', '*.x', 'a.*', '.x*', 'é?', '?', '[aB]', '{a,.x}');
  const glob = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const name = fc.constantFrom('a', 'b', '.x', 'a.x', 'A.X', 'a.x.b', '...', 'é.x', '.xy', 'e\u0323\u0301');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  fc.assert(
    fc.property(fc.array(glob, { maxLength: 5 }), path, (globs, asked) => {
      const step = { path: asked, loose: keyOf(anywhere)(asked) };
      const denied = globs.some((each) =>
        compileDenyRule({ glob: each, operations, reason: 'x' }, anywhere).matches(step),
      );
      expect(indexOf(globs)(asked) !== undefined).toBe(denied);
    }),
    { numRuns: 1_000 },
  );
});

test('the cache does not change the answer, in any directory, nor after very many names', () => {
  const find = indexOf(['a/.env', '*.pem']);
  const look = (): readonly (string | undefined)[] =>
    ['a/.env', 'b/.env', 'x.pem', 'x.ts'].map((path) => find(path)?.rule);
  const before = look();
  expect(before).toEqual(['deny:a/.env', undefined, 'deny:*.pem', undefined]);
  expect(look()).toEqual(before);
  for (let index = 0; index < 10_000; index += 1) find(`name-${index}`);
  expect(look()).toEqual(before);
});
