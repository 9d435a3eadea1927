import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRoot, parseRoots } from './root.ts';

describe('parseRoot', () => {
  test('keeps the name that was sent and the canonical URI', () => {
    expect(parseRoot({ uri: 'file:///home/u/my%20app/', name: 'App' }, { platform: 'posix' })).toEqual({
      root: { uri: 'file:///home/u/my%20app', path: '/home/u/my app', name: 'App', kind: 'unknown' },
      issues: [],
    });
  });

  test.each([undefined, null, ''])('takes the last name of the path when the name is %j', (name) => {
    expect(parseRoot({ uri: 'file:///home/u/app', name }, { platform: 'posix' }).root?.name).toBe('app');
  });

  test('keeps the _meta of the entry, if that is an object', () => {
    const meta = { 'some/key': 1 };
    expect(parseRoot({ uri: 'file:///app', _meta: meta }).root?.meta).toBe(meta);
    for (const other of [undefined, null, 'text', [1]])
      expect(parseRoot({ uri: 'file:///app', _meta: other }).root).not.toHaveProperty('meta');
  });

  test.each([42, {}, 'x'.repeat(257), '\uD800', 'a\u001B[2Jb', 'two\nlines'])(
    'reports that the name %j is not usable',
    (name) => {
      const { root, issues } = parseRoot({ uri: 'file:///home/u/app', name }, { platform: 'posix' });
      expect(root?.name).toBe('app');
      expect(issues).toEqual([expect.objectContaining({ code: 'bad-name', effect: 'repaired' })]);
    },
  );

  test.each([undefined, null, 42, [], {}, { uri: 42 }, { url: 'file:///x' }, 10n, Symbol('x')])(
    'drops %s, which is not an entry',
    (entry) => {
      expect(parseRoot(entry)).toEqual({ issues: [expect.objectContaining({ code: 'not-an-entry' })] });
    },
  );

  test('reads a text as an entry, and reports it', () => {
    const { root, issues } = parseRoot('file:///home/u/app', { platform: 'posix' });
    expect(root?.path).toBe('/home/u/app');
    expect(issues.map(({ code }) => code)).toEqual(['string-entry']);
  });

  test('a whole file system is named after its path', () => {
    expect(parseRoot({ uri: 'file:///' }, { platform: 'posix', whole: true }).root?.name).toBe('/');
    expect(parseRoot({ uri: 'file:///C:/' }, { platform: 'win32', whole: true }).root?.name).toBe('C:\\');
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), fc.string(), (entry, uri) => {
        for (const value of [entry, { uri: entry }, { uri, name: entry }, { uri: `file:///${uri}` }]) {
          expect(parseRoot(value).issues).toBeInstanceOf(Array);
        }
      }),
    );
  });
});

describe('parseRoots', () => {
  test('a bad entry does not affect the others', () => {
    const { roots, issues } = parseRoots(
      [{ uri: 'vscode-remote://x/y' }, { uri: 'file:///a' }, null, { uri: '/b' }, { uri: 'file:///a/../c' }],
      { platform: 'posix' },
    );
    expect(roots.map(({ path }) => path)).toEqual(['/a', '/b']);
    expect(issues.map(({ code }) => code)).toEqual([
      'foreign-scheme',
      'not-an-entry',
      'bare-path',
      'invalid',
    ]);
  });

  test('the same place twice is one root, by the rules of the platform', () => {
    const entries = [{ uri: 'file:///C:/A' }, { uri: 'file:///c%3A/a/' }];
    const { roots, issues } = parseRoots(entries, { platform: 'win32' });
    expect(roots).toHaveLength(1);
    expect(issues.map(({ code }) => code)).toEqual(['encoded-drive-colon', 'duplicate']);
    expect(
      parseRoots([{ uri: 'file:///A' }, { uri: 'file:///a' }], { platform: 'posix' }).roots,
    ).toHaveLength(2);
  });

  test.each([undefined, {}, 'file:///a', 7])('%j is not a list', (entries) => {
    expect(parseRoots(entries)).toEqual({
      roots: [],
      issues: [expect.objectContaining({ code: 'not-a-list' })],
    });
  });

  test('a list that is too long is cut, and reported', () => {
    const entries = Array.from({ length: 100_002 }, (_, index) => ({ uri: `file:///r/${index}` }));
    const { roots, issues } = parseRoots(entries, { platform: 'posix' });
    expect(roots).toHaveLength(100_000);
    expect(issues.map(({ code }) => code)).toEqual(['too-many']);
  });
});
