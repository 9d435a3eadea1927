import { describe, expect, test } from 'vitest';
import { parseStore } from './parse-store.ts';
import {
  addRecord,
  allowRecord,
  type Change,
  denyRecord,
  forgetGrants,
  grantRecord,
  indexOf,
  limitServer,
  removeRecord,
  renameRecord,
} from './store-changes.ts';
import type { StoreDocument } from './store-document.ts';

const context = { file: 'roots.jsonc', home: '/home/me', platform: 'posix' } as const;
const start: StoreDocument = {
  version: 1,
  revision: 1,
  roots: [
    { path: '~/app', name: 'app' },
    { path: '/srv/docs', name: 'docs', preset: 'write-in-project' },
  ],
  servers: { files: { roots: ['~/app', '/srv/docs'] }, search: {} },
};

function apply(change: Change, document = start): StoreDocument {
  return change(parseStore(JSON.stringify(document), context), context);
}

describe('a change', () => {
  test('adds a root behind the others', () => {
    expect(apply(addRecord({ path: '/srv/app' }, 'app')).roots.at(-1)).toEqual({
      path: '/srv/app',
      name: 'app-2',
    });
    expect(() => apply(addRecord({ path: '/home/me/app' }, 'x'))).toThrow(
      expect.objectContaining({ code: 'ALREADY_EXISTS' }),
    );
    expect(() => apply(addRecord({ path: '/x', name: 'docs' }, 'x'))).toThrow(
      expect.objectContaining({ code: 'INVALID_NAME' }),
    );
  });

  test('may add a path that is the name of another root', () => {
    const named = { ...start, roots: [{ path: '/a', name: '/srv/new' }] };
    expect(apply(addRecord({ path: '/srv/new' }, 'new'), named).roots).toHaveLength(2);
  });

  test('removes a root from the lists of servers, however it is written there', () => {
    expect(apply(removeRecord('app'))).toEqual({
      ...start,
      roots: [start.roots[1]],
      servers: { files: { roots: ['/srv/docs'] }, search: {} },
    });
    const { servers: _, ...without } = start;
    expect(apply(removeRecord('app'), without)).toEqual({ ...without, roots: [start.roots[1]] });
  });

  test('touches nothing but what it is about', () => {
    const renamed = apply(renameRecord('/srv/docs', 'texts'));
    expect(renamed.roots).toEqual([start.roots[0], { ...start.roots[1], name: 'texts' }]);
    expect(apply(renameRecord('docs', 'docs'))).toEqual(start);
  });

  test('spells a preset out only where it has to', () => {
    expect(apply(denyRecord('docs', { globs: ['x'] })).roots[1]).toMatchObject({
      preset: 'write-in-project',
      deny: ['x'],
    });
    const { preset, allow } = apply(allowRecord('docs', { operations: ['remove'] })).roots[1] ?? {};
    expect([preset, allow]).toEqual([undefined, ['read', 'list', 'write', 'remove']]);
    expect(apply(allowRecord('docs', { operations: ['remove'] }, 'files')).roots[1]).toEqual({
      ...start.roots[1],
      servers: { files: { allow: ['read', 'list', 'write', 'remove'] } },
    });
  });

  test('remembers one answer for each server, and forgets all of them', () => {
    const grant = { server: 'files', answer: 'always', date: '2026-01-01' } as const;
    const one = apply(grantRecord('app', { ...grant, fingerprint: 'a' }));
    const two = apply(grantRecord('app', { ...grant, fingerprint: 'b' }), one);
    expect(two.roots[0]?.grants).toHaveLength(2);
    const never = apply(grantRecord('app', { ...grant, answer: 'never' }), two);
    expect(never.roots[0]?.grants).toEqual([{ ...grant, answer: 'never' }]);
    expect(apply(forgetGrants('app', 'files'), two).roots[0]).toEqual(start.roots[0]);
    expect(apply(forgetGrants('app', 'other'), two)).toEqual(two);
  });

  test('names the roots of a server, or leaves it to trust', () => {
    expect(apply(limitServer('new', ['app'])).servers?.['new']).toEqual({ roots: ['/home/me/app'] });
    expect(apply(limitServer('files', undefined)).servers).toEqual({ search: {} });
    const last = { ...start, servers: { files: {} } };
    expect(apply(limitServer('files', undefined), last)).not.toHaveProperty('servers');
    expect(() => apply(limitServer('new', ['nobody']))).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_ROOT' }),
    );
  });
});

test.each([
  ['app', 0],
  ['/home/me/app', 0],
  ['/home/me/app/', 0],
  ['file:///srv/docs', 1],
  ['/home/me/APP', undefined],
  ['http://srv/docs', undefined],
  ['', undefined],
])('%s leads to root %s', (which, index) => {
  const { snapshot } = parseStore(JSON.stringify(start), context);
  expect(indexOf(snapshot.roots, which, context)).toBe(index);
});
