import { describe, expect, test } from 'vitest';
import {
  countOf,
  itemsOf,
  membersOf,
  namedOf,
  readRootPlace,
  readRootRecord,
  StoreFault,
  textAt,
  timeOf,
} from './root-record.ts';

const posix = { home: '/home/me', platform: 'posix' } as const;
const windows = { home: 'C:\\Users\\me', platform: 'win32' } as const;

function read(
  value: unknown,
  context: typeof posix | typeof windows = posix,
): ReturnType<typeof readRootRecord> {
  return readRootRecord({ value, path: ['roots', 0] }, context);
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
    expect(() => read({ path: '~you/app' })).toThrow(StoreFault);
    expect(read({ path: 'C:\\src\\app' }, windows)).toMatchObject({ uri: 'file:///C:/src/app', name: 'app' });
  });

  test.each<[string, unknown, readonly (string | number)[]]>([
    ['either "path" or "uri" is expected', {}, []],
    ['either "path" or "uri" is expected', { path: '/a', uri: 'file:///a' }, []],
    ['"paht" is unknown here', { paht: '/a' }, ['paht']],
    ['the name is too long', { path: '/a', name: 'a\u202Eb' }, ['name']],
    ['its scheme is not "file"', { uri: 'vscode-remote://x/y' }, ['uri']],
    ['it grants a whole file system', { path: '/' }, ['path']],
    ['operations are', { path: '/a', servers: { s: { ask: ['read', 'eat'] } } }, ['servers', 's', 'ask', 1]],
    ['"path" is unknown here', { path: '/a', servers: { s: { path: '/b' } } }, ['servers', 's', 'path']],
    ['an object is expected', { path: '/a', grants: [1] }, ['grants', 0]],
    [
      'one of read, list',
      { path: '/a', grants: [{ server: 's', answer: 'never', date: '2026-01-01', operations: ['x'] }] },
      ['grants', 0, 'operations', 0],
    ],
  ])('is refused because %s', (reason, value, path) => {
    expect(() => read(value)).toThrow(
      expect.objectContaining({ reason: expect.stringContaining(reason), path: ['roots', 0, ...path] }),
    );
  });
});

test('reads a path on its own', () => {
  expect(readRootPlace({ value: 'file:///a/b', path: [] }, undefined, posix).path).toBe('/a/b');
});

const at = (value: unknown): { value: unknown; path: string[] } => ({ value, path: ['x'] });

describe('a value of the file', () => {
  test('returns its members with their paths', () => {
    expect(membersOf(at({ a: 1 }), ['a', 'b'])).toEqual({ a: { value: 1, path: ['x', 'a'] } });
    expect(namedOf(at({ '': 1 }))).toEqual([['', { value: 1, path: ['x', ''] }]]);
    expect(itemsOf(at(['a']))).toEqual([{ value: 'a', path: ['x', 0] }]);
  });

  test.each<[string, () => unknown, readonly (string | number)[]]>([
    ['"c" is unknown here', () => membersOf(at({ c: 1 }), ['a']), ['x', 'c']],
    ['an object is expected', () => membersOf(at([]), ['a']), ['x']],
    ['an object is expected', () => namedOf(at(null)), ['x']],
    ['a list is expected', () => itemsOf(at({})), ['x']],
    ['a string is expected', () => textAt(at('')), ['x']],
    ['a string is expected', () => textAt(at(1)), ['x']],
    ['a non-negative integer is expected', () => countOf(at(-1)), ['x']],
    ['a non-negative integer is expected', () => countOf(at(1.5)), ['x']],
    ['a time such as 2026-01-31T12:00:00Z is expected', () => timeOf(at('12:00')), ['x']],
    ['a time such as 2026-01-31T12:00:00Z is expected', () => timeOf(at('2026-13-41')), ['x']],
  ])('is refused: %s', (reason, read, path) => {
    expect(read).toThrow(StoreFault);
    expect(read).toThrow(expect.objectContaining({ reason, path }));
  });

  test.each(['2026-01-31', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z', '2026-01-31T12:00+01:00'])(
    'may be the time %s',
    (time) => {
      expect(timeOf(at(time))).toBe(time);
    },
  );
});
