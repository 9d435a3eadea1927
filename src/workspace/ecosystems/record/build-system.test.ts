import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openBoundary } from '../../../boundary/open-boundary.ts';
import { tempTree } from '../../../testing/temp-tree.ts';
import {
  type BuildDirectory,
  firstOf,
  nearest,
  quoteWord,
  taskOf,
  readBuildFile,
  valueOf,
} from './build-system.ts';
import { readOnce } from '../manifest/read-manifest.ts';

test('files are read if they are there and can be', async () => {
  using tree = tempTree(['a.json = {"x":1}', 'b.json = {']);
  await using boundary = await openBoundary(tree.path);
  const list = async (): Promise<readonly string[]> => [];
  const directory: BuildDirectory = {
    names: ['a.json', 'b.json'],
    above: [],
    read: readOnce(boundary),
    list,
  };
  expect(await valueOf(directory, 'a.json', 'json')).toEqual({ x: 1 });
  expect(await valueOf(directory, 'b.json', 'json')).toBeUndefined();
  expect(await valueOf(directory, 'c.json', 'json')).toBeUndefined();
  expect(await readBuildFile(directory, 'b.json')).toBe('{');
  expect(await readBuildFile(directory, 'c.json')).toBe('');
  expect(await readBuildFile(directory, undefined)).toBe('');
  expect(firstOf(directory, ['c.json', 'b.json', 'a.json'])).toBe('b.json');
  expect(firstOf(directory, ['c.json'])).toBeUndefined();
});

test.each([
  ['test', 'test'],
  ['test:unit', 'test'],
  ['unit-test', 'test'],
  ['coverage', 'test'],
  ['lint', 'lint'],
  ['typecheck', 'lint'],
  ['check', 'lint'],
  ['fmt', 'format'],
  ['format:write', 'format'],
  ['dev', 'run'],
  ['start', 'run'],
  ['Build', 'build'],
  ['build:css', 'build'],
  ['install', 'install'],
  ['clean', 'clean'],
  ['deploy', 'other'],
  ['testimony', 'other'],
  ['builder', 'other'],
  ['prebuild', 'other'],
  ['release', 'other'],
  ['static-install', 'other'],
  ['static', 'other'],
  ['citest', 'other'],
  ['type-check', 'lint'],
  ['typeCheck', 'lint'],
  ['buildAll', 'build'],
  ['ci:test', 'test'],
])('%s is for %s', (name, task) => {
  expect(taskOf(name)).toBe(task);
});

test('the nearest of several files is taken, as a path from the directory', () => {
  const above = [['b'], ['a', 'b', 'c']];
  expect(nearest({ names: ['a'], above }, 'a')).toBe('./a');
  expect(nearest({ names: ['a'], above }, 'b')).toBe('../b');
  expect(nearest({ names: ['a'], above }, 'c')).toBe('../../c');
  expect(nearest({ names: ['a'], above }, 'd')).toBeUndefined();
});

test('plain names stay as they are', () => {
  expect(['test', 'test:unit', '@x/y', 'a.b'].map(quoteWord)).toEqual(['test', 'test:unit', '@x/y', 'a.b']);
});

test.runIf(process.platform !== 'win32')('any other name is one word to a shell', () => {
  const hostile = [
    'a; rm -rf /',
    '$(id)',
    '`id`',
    "it's",
    'a b',
    '-rf',
    '"',
    '\\',
    '',
    '*',
    '~',
    'a&b',
    '!x',
  ];
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${hostile.map(quoteWord).join(' ')}`], {
    encoding: 'utf8',
  });
  expect(stdout.split('\n').slice(0, -1)).toEqual(hostile);
});

test('nothing leaves its quotes', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      const word = quoteWord(name);
      expect(/^[\w@%+=:,./-]+$/.test(word) || /^'(?:[^']|'\\'')*'$/s.test(word)).toBe(true);
    }),
  );
});
