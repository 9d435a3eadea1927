import { describe, expect, test } from 'vitest';
import { type PathContext, readRootPlace, readRootRecord } from './root-record.ts';
import type { StoredRoot } from './stored-root.ts';

const posix = { home: '/home/me', platform: 'posix' } as const;
const windows = { home: 'C:\\Users\\me', platform: 'win32' } as const;

function read(value: unknown, context: PathContext = posix): StoredRoot {
  const found = readRootRecord(value, context);
  if ('fault' in found) throw new Error(found.fault.reason);
  return found.root;
}

describe('a record', () => {
  test('may be just a path', () => {
    expect(read({ path: '/srv/app' })).toEqual({
      uri: 'file:///srv/app',
      path: '/srv/app',
      name: 'app',
      kind: 'unknown',
      permissions: {},
      servers: {},
      grants: [],
    });
  });

  test('may have every field', () => {
    const grant = {
      server: 'files',
      fingerprint: 'ab',
      answer: 'always',
      date: '2026-01-01',
      until: '2027-01-01',
      operations: ['read'],
    };
    expect(
      read({
        uri: 'file:///srv/my%20app',
        name: 'App',
        added: '2026-01-01',
        preset: 'read-only',
        deny: [{ glob: 'x', operations: ['write'], reason: 'no' }],
        servers: { files: { allow: ['write'] } },
        grants: [grant],
      }),
    ).toMatchObject({
      path: '/srv/my app',
      name: 'App',
      added: '2026-01-01',
      permissions: { preset: 'read-only', deny: [{ glob: 'x' }] },
      servers: { files: { allow: ['write'] } },
      grants: [grant],
    });
  });

  test('may begin with ~/, on every platform', () => {
    expect(read({ path: '~/app' }).path).toBe('/home/me/app');
    expect(read({ path: '~' }).path).toBe('/home/me');
    expect(readRootRecord({ path: '~you/app' }, posix)).toHaveProperty('fault.path', ['path']);
    expect(read({ path: 'C:\\src\\app' }, windows)).toMatchObject({ uri: 'file:///C:/src/app', name: 'app' });
  });

  test.each<[string, unknown, readonly (string | number)[]]>([
    ['either "path" or "uri" is expected', {}, []],
    ['either "path" or "uri" is expected', { path: '/a', uri: 'file:///a' }, []],
    ['it is unknown; keys are: path, uri', { paht: '/a' }, ['paht']],
    ['the name is too long', { path: '/a', name: 'a\u202Eb' }, ['name']],
    ['its scheme is not "file"', { uri: 'vscode-remote://x/y' }, ['uri']],
    ['it grants a whole file system', { path: '/' }, ['path']],
    [
      'use one of: read, list',
      { path: '/a', servers: { s: { ask: ['read', 'eat'] } } },
      ['servers', 's', 'ask', 1],
    ],
    [
      'it is unknown; keys are: preset',
      { path: '/a', servers: { s: { path: '/b' } } },
      ['servers', 's', 'path'],
    ],
    ['it is a number, not an object', { path: '/a', grants: [1] }, ['grants', 0]],
    ['it is empty', { path: '/a', name: '' }, ['name']],
    ['"date" is missing', { path: '/a', grants: [{ server: 's', answer: 'never' }] }, ['grants', 0]],
    ['"read" is in "allow" as well', { path: '/a', allow: ['read'], ask: ['read'] }, ['ask', 0]],
    ['it begins with "!"', { path: '/a', deny: ['x', { glob: '!y' }] }, ['deny', 1, 'glob']],
    [
      'it is "x"; use one of: read, list',
      { path: '/a', grants: [{ server: 's', answer: 'never', date: '2026-01-01', operations: ['x'] }] },
      ['grants', 0, 'operations', 0],
    ],
  ])('is refused because %s', (reason, value, path) => {
    expect(readRootRecord(value, posix)).toEqual({
      fault: { path, reason: expect.stringContaining(reason) },
    });
  });

  test.each(['12:00', '2026-13-41', '2026-01-31T12:00', '', 5])('is refused with the time %j', (added) => {
    expect(readRootRecord({ path: '/a', added }, posix)).toEqual({
      fault: { path: ['added'], reason: 'a time such as 2026-01-31T12:00:00Z is expected' },
    });
  });

  test.each(['2026-01-31', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00+01:00'])(
    'may have the time %s',
    (added) => {
      expect(read({ path: '/a', added }).added).toBe(added);
    },
  );
});

test('a path is read alone, too', () => {
  expect(readRootPlace('file:///a/b', posix)).toMatchObject({ root: { path: '/a/b' } });
  expect(readRootPlace('a/b', posix)).toHaveProperty('reason');
});
