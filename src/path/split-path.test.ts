import { describe, expect, test } from 'vitest';
import { climbs, componentFault, longestPath, splitPath } from './split-path.ts';

describe('splitPath on posix', () => {
  test.each([
    ['/', '/', [], true],
    ['//a///b', '/', ['a', 'b'], false],
    ['/a/./b/', '/', ['a', 'b'], true],
    ['a/../b', '', ['a', '..', 'b'], false],
    ['.', '', [], true],
    ['..', '', ['..'], true],
    ['/a/.', '/', ['a'], true],
    ['/a/..', '/', ['a', '..'], true],
    ['...', '', ['...'], false],
    ['a.', '', ['a.'], false],
    ['C:\\x', '', ['C:\\x'], false],
    ['a\\', '', ['a\\'], false],
    ['~/x', '', ['~', 'x'], false],
    [' a ', '', [' a '], false],
    [`/${'é'.repeat(127)}`, '/', ['é'.repeat(127)], false],
  ])('takes %j apart', (path, prefix, components, directory) => {
    expect(splitPath(path, 'posix')).toEqual({ prefix, components, directory });
  });

  test.each([
    ['', 'empty'],
    ['a\0', 'NUL'],
    ['\uDC00', 'surrogate'],
    [`/${'é'.repeat(128)}`, 'longer than 255'],
    [`/${'n'.repeat(256)}`, 'longer than 255'],
    ['a/'.repeat(longestPath), 'longer than 32768'],
  ])('refuses %j', (path, reason) => {
    expect(splitPath(path, 'posix')).toEqual({ fault: expect.stringContaining(reason) });
  });
});

describe('splitPath on Windows', () => {
  test.each([
    ['c:\\a/b', 'C:\\', ['a', 'b'], false],
    ['C:\\', 'C:\\', [], true],
    ['a\\..\\b\\', '', ['a', '..', 'b'], true],
    ['\\\\server\\share\\a', '\\\\server\\share\\', ['a'], false],
    ['//server/share', '\\\\server\\share\\', [], false],
  ])('takes %j apart', (path, prefix, components, directory) => {
    expect(splitPath(path, 'win32')).toEqual({ prefix, components, directory });
  });

  test.each([
    'C:',
    'C:a',
    '\\a',
    '/a',
    '\\\\.\\C:\\x',
    '\\\\?\\C:\\x',
    '//?/C:/x',
    '\\\\server',
    '\\\\server\\NUL\\x',
    'C:\\a\\b.',
    'C:\\a\\.. \\b',
    'C:\\...\\b',
    'a:b',
    'con',
    'x\\GIT~1\\config',
    'a\tb',
    'a|b',
  ])('refuses %j', (path) => {
    expect(splitPath(path, 'win32')).toEqual({ fault: expect.any(String) });
  });
});

test.each([
  [['a', '..'], 0, false],
  [['a', '..', '..', 'a'], 0, true],
  [['..'], 0, true],
  [['x', '..', 'y'], 1, true],
  [[], 0, false],
])('%j from %d climbs: %s', (components, start, answer) => {
  expect(climbs(components, start)).toBe(answer);
});

describe('on posix', () => {
  test.each(['a', '...', ' ', '-rf', 'a\nb', 'C:', 'NUL', 'a\\b', '\u202E', 'x'.repeat(255)])(
    '%j is a name',
    (name) => {
      expect(componentFault(name, 'posix')).toBeUndefined();
    },
  );

  test.each(['', 'a/b', '\0', '\uD83D', 'x'.repeat(256), '😀'.repeat(64)])('%j is none', (name) => {
    expect(componentFault(name, 'posix')).toBeDefined();
  });
});

describe('on Windows', () => {
  test.each(['a', '.git', 'com10', 'nul1', 'console', 'a~', '~a', 'longername~1', 'a.b.c', 'x'.repeat(255)])(
    '%j is a name',
    (name) => {
      expect(componentFault(name, 'win32')).toBeUndefined();
    },
  );

  test.each([
    ['NUL', 'device'],
    ['nul.txt', 'device'],
    ['Aux .c', 'device'],
    ['COM¹', 'device'],
    ['lpt0', 'device'],
    ['CONOUT$', 'device'],
    ['a:b', 'stream'],
    ['a.txt::$DATA', 'stream'],
    ['a.', 'dot'],
    ['a ', 'space'],
    ['.git.', 'dot'],
    ['GIT~1', 'short'],
    ['LONGNA~1.TXT', 'short'],
    ['a\u0001', 'forbids'],
    ['a?', 'forbids'],
    ['a\\b', 'forbids'],
    ['x'.repeat(256), 'longer'],
  ])('%j is none: %s', (name, reason) => {
    expect(componentFault(name, 'win32')).toContain(reason);
  });
});
