import { describe, expect, test } from 'vitest';
import { sampleRoot } from '../../../test/support/trees/sample-root.ts';
import { parseStore } from './parse-store.ts';
import {
  addRecord,
  addRecords,
  allowRecord,
  askRecord,
  type StoreChange,
  denyRecord,
  forgetGrants,
  grantRecord,
  indexOfRoot,
  limitServer,
  removeRecord,
  renameRecord,
  restoreRecord,
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

function apply(change: StoreChange, document = start): StoreDocument {
  return change(parseStore(JSON.stringify(document), context), context);
}

describe('a change', () => {
  test('appends a root', () => {
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

  test('may add a path that equals the name of another root', () => {
    const named = { ...start, roots: [{ path: '/a', name: '/srv/new' }] };
    expect(apply(addRecord({ path: '/srv/new' }, 'new'), named).roots).toHaveLength(2);
  });

  test('removes a root from server lists, however it is written there', () => {
    expect(apply(removeRecord('app'))).toEqual({
      ...start,
      roots: [start.roots[1]],
      servers: { files: { roots: ['/srv/docs'] }, search: {} },
    });
    const { servers: _, ...without } = start;
    expect(apply(removeRecord('app'), without)).toEqual({ ...without, roots: [start.roots[1]] });
  });

  test('leaves everything else alone', () => {
    const renamed = apply(renameRecord('/srv/docs', 'texts'));
    expect(renamed.roots).toEqual([start.roots[0], { ...start.roots[1], name: 'texts' }]);
    expect(apply(renameRecord('docs', 'docs'))).toEqual(start);
  });

  test('spells out a preset only if necessary', () => {
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

  test('stores one answer per server, and removes them', () => {
    const grant = { server: 'files', answer: 'always', date: '2026-01-01' } as const;
    const one = apply(grantRecord('app', { ...grant, fingerprint: 'a' }));
    const two = apply(grantRecord('app', { ...grant, fingerprint: 'b' }), one);
    expect(two.roots[0]?.grants).toHaveLength(2);
    const never = apply(grantRecord('app', { ...grant, answer: 'never' }), two);
    expect(never.roots[0]?.grants).toEqual([{ ...grant, answer: 'never' }]);
    expect(apply(forgetGrants('app', 'files'), two).roots[0]).toEqual(start.roots[0]);
    expect(apply(forgetGrants('app', 'other'), two)).toEqual(two);
  });

  test('sets the roots of a server, or removes its list', () => {
    expect(apply(limitServer('new', ['app'])).servers?.['new']).toEqual({ roots: ['/home/me/app'] });
    expect(apply(limitServer('files', undefined)).servers).toEqual({ search: {} });
    const last = { ...start, servers: { files: {} } };
    expect(apply(limitServer('files', undefined), last)).not.toHaveProperty('servers');
    expect(() => apply(limitServer('new', ['nobody']))).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_ROOT' }),
    );
  });
});

test('several roots are added together, or none of them', () => {
  const add = (...paths: readonly string[]): StoreDocument =>
    apply(addRecords(paths.map((path) => ({ record: { path }, suggestedName: 'new' }))));
  expect(add('/a', '/b').roots.slice(-2)).toEqual([
    { path: '/a', name: 'new' },
    { path: '/b', name: 'new-2' },
  ]);
  expect(() => add('/a', '/a')).toThrow(expect.objectContaining({ code: 'ALREADY_EXISTS' }));
  const named = [
    { record: { path: '/a' }, suggestedName: 'x' },
    { record: { path: '/b', name: 'x' }, suggestedName: '' },
  ];
  expect(() => apply(addRecords(named))).toThrow(expect.objectContaining({ code: 'INVALID_NAME' }));
});

test('does not write an empty entry for a server', () => {
  const denied = apply(denyRecord('app', { globs: ['x'] }, 'new'));
  expect(denied.roots[0]?.servers).toEqual({ new: { deny: ['x'] } });
  expect(apply(allowRecord('app', { globs: ['x'] }, 'new'), denied).roots[0]).not.toHaveProperty('servers');
  const general = apply(denyRecord('app', { globs: ['x'] }));
  expect(() => apply(allowRecord('app', { globs: ['x'] }, 'new'), general)).toThrow(/denied to all servers/);
});

describe('a removed root', () => {
  const parsed = parseStore(JSON.stringify({ ...start, roots: [...start.roots, rich()] }), context);
  const [, , root] = parsed.snapshot.roots;

  function rich(): StoreDocument['roots'][number] {
    return {
      path: '/srv/rich',
      name: 'rich',
      added: '2026-01-01T00:00:00.000Z',
      preset: 'ask-before-write',
      deny: ['dist'],
      servers: { files: { allow: ['read'] } },
      grants: [{ server: 'files', answer: 'always', date: '2026-01-01T00:00:00.000Z' }],
    };
  }

  test('is restored with all its permissions, and into the server lists that had it', () => {
    if (root === undefined) throw new Error('there is no third root');
    const back = apply(restoreRecord({ root, listedBy: ['files', 'gone'] }));
    expect(back.roots.at(-1)).toEqual(rich());
    expect(back.servers).toEqual({ files: { roots: ['~/app', '/srv/docs', '/srv/rich'] }, search: {} });
  });

  test('is restored under another name if needed, and only once', () => {
    if (root === undefined) throw new Error('there is no third root');
    const taken: StoreDocument = { ...start, roots: [{ path: '/srv/other', name: 'rich' }], servers: {} };
    expect(apply(restoreRecord({ root }), taken).roots.at(-1)).toMatchObject({ name: 'rich-2' });
    const there: StoreDocument = { ...start, roots: [rich()], servers: {} };
    expect(() => apply(restoreRecord({ root }), there)).toThrow(
      expect.objectContaining({ code: 'ALREADY_EXISTS' }),
    );
  });
});

test('asking is a third state, for all servers or for one', () => {
  const asked = apply(askRecord('docs', { operations: ['write'] })).roots[1];
  expect(asked).toMatchObject({ path: '/srv/docs', allow: ['read', 'list'], ask: ['write'] });
  const forOne = apply(askRecord('app', { operations: ['read'] }, 'files')).roots[0];
  expect(forOne).toMatchObject({ servers: { files: { allow: ['list'], ask: ['read'] } } });
});

const posix = { home: '/home/me', platform: 'posix' } as const;
const win32 = { home: 'C:\\Users\\me', platform: 'win32' } as const;

const roots = [
  sampleRoot({ name: 'app', path: '/home/me/app' }),
  sampleRoot({ name: 'docs', path: '/srv/docs' }),
];

test.each([
  ['app', 0],
  ['/home/me/app', 0],
  ['/home/me/app/', 0],
  ['~/app', 0],
  ['file:///srv/docs', 1],
  ['/home/me/APP', undefined],
  ['http://srv/docs', undefined],
  ['file:', undefined],
  ['', undefined],
])('%s finds root %s', (which, index) => {
  expect(indexOfRoot(roots, which, posix)).toBe(index);
});

test.each([
  ['C:\\Work\\App', 0],
  ['c:\\work\\app\\', 0],
  ['~\\docs', 1],
  ['file:///C:/Work/App', 0],
])('%s finds root %s on Windows', (which, index) => {
  const there = [
    sampleRoot({ name: 'one', path: 'C:\\Work\\App' }),
    sampleRoot({ name: 'two', path: 'C:\\Users\\me\\docs' }),
  ];
  expect(indexOfRoot(there, which, win32)).toBe(index);
});

test('a root named like the path of another is not mistaken for it', () => {
  // A file edited by hand may contain this; the impostor comes first.
  const impostors = ['/srv/docs', 'file:///srv/docs', '~/app'].map((name) =>
    sampleRoot({ name, path: '/evil' }),
  );
  for (const impostor of impostors) {
    const [index, expected] = impostor.name === '~/app' ? [0, 1] : [1, 2];
    expect(roots[index]).toBeDefined();
    expect(indexOfRoot([impostor, ...roots], impostor.name, posix)).toBe(expected);
  }
});
