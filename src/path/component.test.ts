import { describe, expect, test } from 'vitest';
import { componentFault } from './component.ts';

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
