import { expect, test } from 'vitest';
import { compileGlobs } from '../../path/glob.ts';
import { referenceGlob, referenceTreeExclusion } from './reference-globs.ts';

const matches = (pattern: string, path: string): boolean =>
  compileGlobs([referenceGlob(pattern)]).match(path) !== undefined;

test('a name without a slash is meant at the top', () => {
  expect(matches('*.ts', 'a.ts')).toBe(true);
  expect(matches('*.ts', 'src/a.ts')).toBe(false);
  expect(matches('**/*.ts', 'src/a.ts')).toBe(true);
});

test('what is in a directory is not the directory', () => {
  expect(matches('src/**', 'src')).toBe(false);
  expect(matches('src/**', 'src/.a/b')).toBe(true);
  expect(matches('**', 'src')).toBe(true);
});

test('of a tree a plain name is left out at any depth', () => {
  const left = compileGlobs(referenceTreeExclusion('node_modules'));
  expect(left.match('node_modules')).toBeDefined();
  expect(left.match('a/b/node_modules')).toBeDefined();
  expect(left.match('a/node_modules_old')).toBeUndefined();
});

test.each(['', '!a', '!(a)'])('"%s" is refused by its own words', (pattern) => {
  expect(() => compileGlobs([referenceGlob(pattern)])).toThrow(`Cannot use "${pattern}" as a glob`);
});
