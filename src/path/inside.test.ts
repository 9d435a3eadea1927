import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInside } from './inside.ts';
import { nativePath, pathName } from '../../test/support/trees/path-arbitraries.ts';
import type { Platform } from './platform.ts';

describe('isInside', () => {
  test.each([
    ['/a', '/a'],
    ['/a', '/a/'],
    ['/a', '/a/b/../c'],
    ['/', '/a'],
    ['/a/', '//a/b'],
    ['/a', '/a/..b'],
  ])('%j holds %j', (parent, child) => {
    expect(isInside(parent, child, { platform: 'posix' })).toBe(true);
  });

  test.each([
    ['/a', '/ab'],
    ['/a', '/a/..'],
    ['/a', '/a/../a/b'],
    ['/a', '/A/b'],
    ['/a/b', '/a'],
    ['/a', 'b'],
    ['a', 'a/b'],
    ['/a/../b', '/b/c'],
    ['/a', '/a/\0'],
    ['/a', ''],
    ['', ''],
  ])('%j does not hold %j', (parent, child) => {
    expect(isInside(parent, child, { platform: 'posix' })).toBe(false);
  });

  test('case matters as the rules say', () => {
    expect(isInside('/a', '/A/b', { platform: 'posix', caseSensitive: false })).toBe(true);
    expect(isInside('C:\\a', 'c:\\A\\b', { platform: 'win32' })).toBe(true);
    expect(isInside('C:\\a', 'c:\\A\\b', { platform: 'win32', caseSensitive: true })).toBe(false);
    expect(isInside('C:\\a', 'D:\\a\\b', { platform: 'win32' })).toBe(false);
    expect(isInside('\\\\s\\x', '\\\\S\\X\\b', { platform: 'win32' })).toBe(true);
    expect(isInside('\\\\s\\x', '\\\\s\\y\\b', { platform: 'win32' })).toBe(false);
  });
});

describe.each(['posix', 'win32'] as const)('the laws on %s', (platform: Platform) => {
  const rules = { platform };
  const path = nativePath(platform);
  const separator = platform === 'win32' ? '\\' : '/';

  test('a path is inside itself', () => {
    fc.assert(fc.property(path, (one) => isInside(one, one, rules)));
  });

  test('a path is inside each of its ancestors, and none of them inside it', () => {
    fc.assert(
      fc.property(path, fc.array(pathName(platform), { minLength: 1 }), (above, names) => {
        const below = [above.replace(/[\\/]$/, ''), ...names].join(separator);
        expect(isInside(above, below, rules)).toBe(true);
        expect(isInside(below, above, rules)).toBe(false);
      }),
    );
  });

  test('containment is transitive', () => {
    fc.assert(
      fc.property(path, path, path, (a, b, c) => {
        if (isInside(a, b, rules) && isInside(b, c, rules)) expect(isInside(a, c, rules)).toBe(true);
      }),
    );
  });

  test('a longer last name is a sibling', () => {
    fc.assert(
      fc.property(path, pathName(platform), (one, name) => {
        fc.pre(!/[\\/]$/.test(one));
        expect(isInside(one, `${one}${name}`, rules)).toBe(false);
      }),
    );
  });
});
