import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nativePath, pathName } from '../../test/support/trees/path-arbitraries.ts';
import { isInside } from './inside.ts';
import type { Platform } from './platform.ts';
import { createRootIndex } from './root-index.ts';
import { splitPath } from './split-path.ts';

function indexOf(roots: readonly string[], platform: Platform = 'posix') {
  return createRootIndex(
    roots.map((root) => [root, root] as const),
    { platform },
  );
}

describe('createRootIndex', () => {
  test('finds the longest root', () => {
    const index = indexOf(['/a', '/a/b/c', '/a/b']);
    expect(index.place('/a/b/c/d')).toEqual({ root: '/a/b/c', relative: 'd', directory: false });
    expect(index.place('/a/b/x/')).toEqual({ root: '/a/b', relative: 'x', directory: true });
    expect(index.place('/a')).toEqual({ root: '/a', relative: '.', directory: false });
    expect(index.place('/b')).toBeUndefined();
  });

  test('a climb out of a nested root stays in the outer one', () => {
    const index = indexOf(['/a', '/a/b']);
    expect(index.place('/a/b/../c')).toMatchObject({ root: '/a', relative: 'b/../c' });
    expect(index.place('/a/b/../../c')).toBeUndefined();
  });

  test('a relative path needs exactly one root', () => {
    expect(indexOf(['/a']).place('x/y')).toMatchObject({ root: '/a', relative: 'x/y' });
    expect(indexOf(['/a']).place('../a/x')).toBeUndefined();
    expect(indexOf(['/a', '/b']).place('x')).toBeUndefined();
    expect(indexOf([]).place('x')).toBeUndefined();
  });

  test('the same root given twice is one root', () => {
    expect(indexOf(['/a', '/a/']).place('x')).toMatchObject({ root: '/a' });
  });

  test('an unacceptable root holds nothing', () => {
    expect(indexOf(['a', '/a/..', '', '/x\0']).place('/a/b')).toBeUndefined();
    expect(indexOf(['a', '/b']).place('x')).toMatchObject({ root: '/b' });
  });

  test('a value of any kind is kept, falsy ones too', () => {
    expect(createRootIndex([['/a', 0]], { platform: 'posix' }).place('/a/b')?.root).toBe(0);
  });

  test('the whole file system is a root like others', () => {
    expect(indexOf(['/']).place('/')).toMatchObject({ root: '/', relative: '.' });
    expect(indexOf(['/']).place('/a/b')).toMatchObject({ root: '/', relative: 'a/b' });
    expect(indexOf(['C:\\'], 'win32').place('c:/a')).toMatchObject({ root: 'C:\\', relative: 'a' });
  });
});

describe.each(['posix', 'win32'] as const)('on %s', (platform: Platform) => {
  test('agrees with the naive definition', () => {
    const roots = fc.array(nativePath(platform), { maxLength: 12 });
    const child = fc
      .tuple(nativePath(platform), fc.array(fc.oneof(pathName(platform), fc.constant('..'))))
      .map(([path, names]) => [path, ...names].join(platform === 'win32' ? '\\' : '/'));
    fc.assert(
      fc.property(roots, child, (parents, path) => {
        expect(indexOf(parents, platform).place(path)?.root).toBe(naive(parents, path, platform));
      }),
      { numRuns: 500 },
    );
  });
});

/** The longest of the roots that hold the path; the first of equals. */
function naive(roots: readonly string[], path: string, platform: Platform): string | undefined {
  let best: string | undefined;
  for (const root of roots) {
    if (isInside(root, path, { platform }) && depth(root, platform) > depth(best, platform)) best = root;
  }
  return best;
}

function depth(path: string | undefined, platform: Platform): number {
  if (path === undefined) return -1;
  const split = splitPath(path, platform);
  return 'fault' in split ? -1 : split.components.length;
}
