import { describe, expect, test } from 'vitest';
import { parseNewName, parseNewRoot } from './parse-new-root.ts';

const context = { home: '/home/me', platform: 'posix' } as const;

test.each([
  ['/srv/app/', '/srv/app', 'app'],
  ['~/app', '/home/me/app', 'app'],
  ['file:///srv/my%20app', '/srv/my app', 'my app'],
])('accepts %s', (given, path, name) => {
  expect(parseNewRoot({ path: given }, context)).toMatchObject({ path, name });
});

test.each([
  ['http://example.com/path', 'INVALID_URI', 'Only file:// URIs are supported'],
  ['file://host/share', 'INVALID_URI', 'it names another host'],
  ['app', 'INVALID_PATH', 'it is not absolute'],
  ['/', 'INVALID_PATH', 'it grants a whole file system'],
  ['${workspaceFolder}', 'INVALID_PATH', 'the placeholder ${workspaceFolder} was not filled in'],
])('refuses %s: %s, %s', (path, code, reason) => {
  expect(() => parseNewRoot({ path }, context)).toThrow(
    expect.objectContaining({ code, data: expect.objectContaining({ reason }) }),
  );
});

test('validates permissions', () => {
  expect(() => parseNewRoot({ path: '/a', deny: ['['] }, context)).toThrow(
    expect.objectContaining({ code: 'INVALID_POLICY' }),
  );
});

describe('a name', () => {
  test.each<readonly [string, string]>([
    [' ', 'it is empty'],
    ['x'.repeat(257), 'it is longer than 256 characters'],
    ['a\u200Bb', 'it has invisible characters'],
    ...[
      '/srv/app',
      '~/app',
      'C:\\app',
      'c:/app',
      '\\\\host\\app',
      'file:///srv/app',
      'FILE:/x',
      'http://x',
    ].map((name) => [name, 'it looks like a path or a URI'] as const),
  ])('%j is refused: %s', (name, reason) => {
    expect(() => parseNewName(name)).toThrow(reason);
  });

  test('may be in any language', () => {
    const names = ['プロジェクト 1', 'a/b', 'A: b', 'files: old', '~', '.config'];
    expect(names.map(parseNewName)).toEqual(names);
  });
});
