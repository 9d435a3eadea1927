import { expect, test } from 'vitest';
import { databaseOf, parseRedisAddress } from './redis-address.ts';

test.each([
  ['redis://localhost', 'redis://localhost:6379'],
  ['redis://127.0.0.1:6380/2', 'redis://127.0.0.1:6380/2'],
  ['rediss://me:s%40cret@host:1', 'rediss://me:s%40cret@host:1'],
  ['redis://:pass@host', 'redis://:pass@host:6379'],
  ['redis://[::1]:7000', 'redis://[::1]:7000'],
])('%s is one server', (text, url) => {
  expect(parseRedisAddress(text)).toEqual({ kind: 'single', url });
});

test('a password of the environment is used where the address has none', () => {
  expect(parseRedisAddress('redis://host', 'a b')).toEqual({
    kind: 'single',
    url: 'redis://:a%20b@host:6379',
  });
  expect(parseRedisAddress('redis://:own@host', 'other')).toMatchObject({ url: 'redis://:own@host:6379' });
});

test('the database is known', () => {
  expect(databaseOf(parseRedisAddress('redis://host'))).toBe('0');
  expect(databaseOf(parseRedisAddress('redis://host:1/02'))).toBe('2');
  expect(databaseOf(parseRedisAddress('redis+cluster://a,b'))).toBe('0');
});

test('a cluster has several, and so have sentinels', () => {
  expect(parseRedisAddress('rediss+cluster://u:p@a:7000,b')).toEqual({
    kind: 'cluster',
    urls: ['rediss://u:p@a:7000', 'rediss://u:p@b:6379'],
    tls: true,
    login: { username: 'u', password: 'p' },
  });
  expect(parseRedisAddress('redis+sentinel://a,b:1/main')).toEqual({
    kind: 'sentinel',
    name: 'main',
    places: [
      { host: 'a', port: 26_379 },
      { host: 'b', port: 1 },
    ],
    tls: false,
    login: {},
  });
});

test.each([
  ['', 'no address'],
  ['http://secret@host', 'no address'],
  ['redis://', 'no address'],
  ['redis://a,b', 'cluster'],
  ['redis://host/secret', 'number of a database'],
  ['redis+sentinel://secret@a', 'name of the primary'],
  ['redis://:%zz-secret@a', 'encoded'],
])('%j is refused, and not repeated', (text, reason) => {
  expect(() => parseRedisAddress(text)).toThrow(reason);
  expect(() => parseRedisAddress(text)).not.toThrow('secret');
});
