import { describe, expect, test } from 'vitest';
import { migrateStore, parseStore } from './parse-store.ts';
import { currentVersion } from './store-document.ts';

const context = { file: 'roots.jsonc', home: '/home/me', platform: 'posix' } as const;

describe('a file', () => {
  test('is read with names, server lists and its revision', () => {
    const text =
      '{ "version": 1, "revision": 7, "roots": [{ "path": "~/app" }], "servers": { "s": { "roots": ["~/app/"] }, "t": {} } }';
    expect(parseStore(text, context).snapshot).toMatchObject({
      revision: 7,
      roots: [{ path: '/home/me/app' }],
      servers: { s: { roots: ['/home/me/app'] }, t: {} },
    });
  });

  test('gives free names to unnamed roots, and keeps chosen ones', () => {
    const paths = [{ path: '/a/app' }, { path: '/b/app' }, { path: '/c', name: 'app' }];
    const { snapshot } = parseStore(JSON.stringify({ version: 1, roots: paths }), context);
    expect(snapshot.roots.map(({ name }) => name)).toEqual(['app-2', 'app-3', 'app']);
  });

  test('reuses roots it knows', () => {
    const record = { path: '/a', name: 'a' };
    const before = parseStore(JSON.stringify({ version: 1, roots: [record] }), context);
    const after = parseStore(
      JSON.stringify({ version: 1, roots: [{ path: '/b', name: 'b' }, record] }),
      context,
      before.known,
    );
    expect(after.snapshot.roots[1]).toBe(before.snapshot.roots[0]);
  });

  test('refuses the same place twice, however it is written', () => {
    const text = '{ "version": 1, "roots": [{ "path": "/a" }, { "uri": "file:///a" }] }';
    expect(() => parseStore(text, context)).toThrow(
      'Cannot use "roots.jsonc": line 1, column 45: roots[1]: "/a" appears twice',
    );
    const windows = '{ "version": 1, "roots": [{ "path": "C:\\\\a" }, { "path": "c:\\\\A" }] }';
    expect(() => parseStore(windows, { ...context, platform: 'win32' })).toThrow('appears twice');
  });

  test('of a newer version is refused unread', () => {
    expect(() => parseStore('{ "version": 2, "whatever": [] }', context)).toThrow(
      expect.objectContaining({ code: 'STORE_TOO_NEW' }),
    );
  });
});

test('a plain list of roots becomes a store', () => {
  const old = { roots: [{ uri: 'file:///a', name: 'A', _meta: { x: 1 } }, '/b', 'file:///c', 42] };
  expect(migrateStore(old, 0)).toEqual({
    version: 1,
    revision: 0,
    roots: [{ uri: 'file:///a', name: 'A' }, { path: '/b' }, { uri: 'file:///c' }, 42],
  });
});

test('leaves invalid values to the reader', () => {
  expect(migrateStore({ roots: 'x', other: 1 }, 0)).toMatchObject({ roots: 'x', other: 1 });
});

test('a store of the current version stays as it is', () => {
  const value = { version: currentVersion, roots: [] };
  expect(migrateStore(value, currentVersion)).toBe(value);
});
