import { homedir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { isPublic, parseServeAddress, parseServeHost } from './serve-address.ts';

test('a Unix socket needs an absolute path', () => {
  expect(parseServeAddress('unix:/run/mcp.sock')).toMatchObject({ socket: '/run/mcp.sock' });
  expect(parseServeAddress('unix:~/mcp.sock')).toMatchObject({ socket: `${homedir()}/mcp.sock` });
  for (const text of ['unix:', 'unix:mcp.sock', 'unix:./mcp.sock'])
    expect(() => parseServeAddress(text)).toThrow('is no socket');
  expect(isPublic(parseServeAddress('unix:/run/mcp.sock'), [])).toBe(false);
});

describe('an address', () => {
  test.each([
    ['', '127.0.0.1', 0],
    [':0', '127.0.0.1', 0],
    [':3917', '127.0.0.1', 3_917],
    ['3917', '127.0.0.1', 3_917],
    ['127.0.0.1', '127.0.0.1', 0],
    ['127.0.0.1:3917', '127.0.0.1', 3_917],
    ['localhost', 'localhost', 0],
    ['host8:80', 'host8', 80],
    ['[::1]', '::1', 0],
    ['[::1]:3917', '::1', 3_917],
    ['0.0.0.0:65535', '0.0.0.0', 65_535],
  ])('%j is host %s and port %i', (text, host, port) => {
    expect(parseServeAddress(text)).toEqual({ host, port });
  });

  test.each([':65536', 'a:b', '::1', '[::1', 'http://localhost:80', 'a b', '1:2:3', ':-1'])(
    '%j is invalid',
    (text) => {
      expect(() => parseServeAddress(text)).toThrow('is no address; write HOST:PORT');
    },
  );
});

test.each<[isIt: boolean, host: string, names: readonly string[]]>([
  [false, '127.0.0.1', []],
  [false, '127.0.0.2', ['localhost:3917', '[::1]:3917', 'LOCALHOST', '127.0.0.1']],
  [false, '::1', []],
  [true, '0.0.0.0', []],
  [true, '192.168.0.1', []],
  [true, '::', ['localhost']],
  [true, '127.0.0.1', ['mcp.example']],
  [true, '127.0.0.1', ['localhost', 'mcp.example:8443']],
  [true, '127.0.0.1', ['[2001:db8::1]:80']],
])('is reachable by others: %s for %s with names %j', (isIt, host, names) => {
  expect(isPublic({ host, port: 1 }, names)).toBe(isIt);
});

test.each(['mcp.example', 'mcp.example:8443', '127.0.0.1:1', '[::1]:3917', 'localhost'])(
  '%s is a host',
  (text) => {
    expect(parseServeHost(text)).toBe(text);
  },
);

test.each([
  'http://x/y',
  'https://mcp.example',
  'mcp.example/mcp',
  'a b',
  '',
  '*.example',
  '::1',
  'a:b',
  'me@x',
])('%j is not a host that could match', (text) => {
  expect(() => parseServeHost(text)).toThrow('is not a host name; write NAME or NAME:PORT');
});
