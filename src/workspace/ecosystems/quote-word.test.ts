import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteWord } from './quote-word.ts';

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
