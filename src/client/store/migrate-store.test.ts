import { expect, test } from 'vitest';
import { migrateStore } from './migrate-store.ts';
import { currentVersion } from './store-document.ts';

test('a list of roots that somebody wrote down becomes a store', () => {
  const old = { roots: [{ uri: 'file:///a', name: 'A', _meta: { x: 1 } }, '/b', 'file:///c', 42] };
  expect(migrateStore(old, 0)).toEqual({
    version: 1,
    revision: 0,
    roots: [{ uri: 'file:///a', name: 'A' }, { path: '/b' }, { uri: 'file:///c' }, 42],
  });
});

test('what cannot be understood is left to whoever reads it', () => {
  expect(migrateStore({ roots: 'x', other: 1 }, 0)).toMatchObject({ roots: 'x', other: 1 });
});

test('a store of today stays as it is', () => {
  const value = { version: currentVersion, roots: [] };
  expect(migrateStore(value, currentVersion)).toBe(value);
});
