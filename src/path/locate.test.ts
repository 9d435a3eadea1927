import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundaryCases } from '../../test/support/boundary/boundary-cases.ts';
import { nativePath } from '../../test/support/trees/path-arbitraries.ts';
import { parseFileUri } from './file-uri.ts';
import { isInside } from './inside.ts';
import { locate } from './locate.ts';

describe('every path case', () => {
  test.each(boundaryCases('path'))('$id $platform $verdict: $why', (entry) => {
    const { platform, input, resolved, verdict } = entry;
    const roots = (entry.roots ?? []).map((uri) => parseFileUri(uri, { platform }));
    const located = locate(roots, input, { platform });
    if (verdict === 'deny') expect(located).toBeUndefined();
    else expect(located).toEqual({ root: entry.root ?? roots[0], relative: resolved });
  });
});

describe('locate', () => {
  test('returns the root as it was given', () => {
    expect(locate(['/a/'], '/a/b', { platform: 'posix' })).toEqual({ root: '/a/', relative: 'b' });
  });

  test('takes file URIs, and refuses bad ones instead of reading them as names', () => {
    expect(locate(['/a'], 'file:///a/b%20c', { platform: 'posix' })).toEqual({ root: '/a', relative: 'b c' });
    expect(locate(['/a'], 'file:x', { platform: 'posix' })).toBeUndefined();
    expect(locate(['/a'], 'file:///a/%2e%2e/b', { platform: 'posix' })).toBeUndefined();
  });

  test('joins in the native form', () => {
    expect(locate(['C:\\a'], 'c:/a/b/c', { platform: 'win32' })).toEqual({ root: 'C:\\a', relative: 'b\\c' });
  });

  test('never places a path in a root that does not hold it', () => {
    const roots = fc.array(nativePath('posix'), { minLength: 1, maxLength: 5 });
    const path = fc.string({ unit: fc.constantFrom('/', '..', '.', 'a', 'b', '\0', '%2e') });
    fc.assert(
      fc.property(roots, path, (parents, tail) => {
        const child = `${parents[0] ?? ''}/${tail}`;
        const located = locate(parents, child, { platform: 'posix' });
        if (located !== undefined) expect(isInside(located.root, child, { platform: 'posix' })).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
