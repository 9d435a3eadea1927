import { expect, test } from 'vitest';
import { platformOf, readMapping, readPlace } from './read-mapping.ts';

test.each([
  ['/a=/b', '/a', '/b'],
  ['C:\\app=/work', 'C:\\app', '/work'],
  ['c:/app/=/work/', 'C:\\app', '/work'],
  ['/work=D:\\', '/work', 'D:\\'],
  ['\\\\server\\share\\x=/work', '\\\\server\\share\\x', '/work'],
  ['/a=b=/c', '/a=b', '/c'],
])('%j maps %j to %j', (text, client, server) => {
  expect(readMapping(text)).toMatchObject({
    client: { path: client },
    server: { path: server },
    source: 'flag',
  });
});

test.each([
  ['', 'CLIENT=SERVER'],
  ['/a', 'CLIENT=SERVER'],
  ['a=/b', '"a" is not an absolute path'],
  ['/a=b', '"b" is not an absolute path'],
  ['/a/..=/b', 'contains ".."'],
  ['/a=/b=/c', 'more than one "="'],
  ['C:x=/b', '"C:x" is not an absolute path'],
  ['\\\\.\\pipe\\x=/b', 'device'],
])('%j is refused: %s', (text, fault) => {
  expect(readMapping(text)).toMatchObject({ fault: expect.stringContaining(fault) as string });
});

test('the platform of a path is plain from its beginning', () => {
  expect(['/a', 'C:\\a', 'c:/a', '\\\\s\\t', 'a', 'C:a', ''].map(platformOf)).toStrictEqual([
    'posix',
    'win32',
    'win32',
    'win32',
    undefined,
    undefined,
    undefined,
  ]);
});

test('a place is cleaned', () => {
  expect(readPlace('/a//b/./c/')).toStrictEqual({ platform: 'posix', path: '/a/b/c' });
});
