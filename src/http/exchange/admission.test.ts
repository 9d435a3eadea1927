import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  bearerOf,
  checkAddress,
  createTokenCheck,
  isLoopback,
  isOrigin,
  ownNames,
  shortestToken,
} from './admission.ts';

/** A request with these headers, each sent once. */
function asking(headers: IncomingHttpHeaders, url = '/mcp') {
  return { headers, rawHeaders: Object.entries(headers).flat().map(String), url };
}

describe('the host names of a server', () => {
  test('include its port', () => {
    const { hosts, origins } = ownNames({ port: 8080 });
    expect([...hosts]).toEqual(['127.0.0.1:8080', 'localhost:8080', '[::1]:8080']);
    expect([...origins]).toEqual(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080']);
  });

  test('may omit port 80, as browsers do', () => {
    const names = ownNames({ port: 80 });
    expect(checkAddress(asking({ host: 'localhost', origin: 'http://localhost' }), names)).toBeUndefined();
    expect(checkAddress(asking({ host: 'localhost:80' }), names)).toBeUndefined();
  });

  test('include those that the operator adds', () => {
    const names = ownNames({ port: 1, hosts: ['MCP.example'], origins: ['https://MCP.example'] });
    expect(
      checkAddress(asking({ host: 'mcp.EXAMPLE', origin: 'https://mcp.example' }), names),
    ).toBeUndefined();
    expect(checkAddress(asking({ host: 'mcp.example:1' }), names)).toBe('foreign-host');
  });
});

test.each([
  ['127.0.0.2', '127.0.0.2:1'],
  ['192.168.0.5', '192.168.0.5:1'],
  ['fe80::1', '[fe80::1]:1'],
])('a server on %s may be called by its address', (host, name) => {
  expect(checkAddress(asking({ host: name }), ownNames({ host, port: 1 }))).toBeUndefined();
  expect(checkAddress(asking({ host: name }), ownNames({ port: 1 }))).toBe('foreign-host');
});

test.each(['0.0.0.0', '::'])('%s is not a host name: it stands for all addresses', (host) => {
  const name = host.includes(':') ? `[${host}]` : host;
  expect(checkAddress(asking({ host: `${name}:1` }), ownNames({ host, port: 1 }))).toBe('foreign-host');
});

describe('a page of another site', () => {
  const names = ownNames({ port: 1, origins: ['https://App.example'] });
  const host = 'localhost:1';
  const elsewhere = { host, 'sec-fetch-site': 'cross-site' };

  test('may call if the operator named it', () => {
    expect(checkAddress(asking({ ...elsewhere, origin: 'https://app.example' }), names)).toBeUndefined();
  });

  test('may not call if it is another one, or sends no origin', () => {
    expect(checkAddress(asking({ ...elsewhere, origin: 'https://evil.example' }), names)).toBe(
      'foreign-origin',
    );
    expect(checkAddress(asking(elsewhere), names)).toBe('cross-site');
    expect(checkAddress(asking({ ...elsewhere, origin: 'http://localhost:1' }), names)).toBe('cross-site');
  });

  test('may not call with a foreign Host', () => {
    const rebound = { host: 'evil.example', origin: 'https://app.example' };
    expect(checkAddress(asking(rebound), names)).toBe('foreign-host');
  });
});

test.each<[string, boolean]>([
  ['https://app.example', true],
  ['http://localhost:5173', true],
  ['http://[::1]:80', true],
  ['chrome-extension://abcdef', true],
  ['https://app.example/', false],
  ['https://app.example/mcp', false],
  ['app.example', false],
  ['https://*.example', false],
  ['*', false],
  ['null', false],
  ['', false],
])('%j is an origin: %s', (text, expected) => {
  expect(isOrigin(text)).toBe(expected);
});

test('refuses a request without a Host', () => {
  expect(checkAddress(asking({}), ownNames({ port: 1 }))).toBe('foreign-host');
});

test.each<[string, boolean]>([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.0.0.1.evil.example', false],
  ['192.168.0.1', false],
  ['', false],
])('%j is on this machine alone: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

describe('a token', () => {
  const check = createTokenCheck([{ token: 'one', principal: 'me' }, { token: 'two' }, { token: 'three' }]);

  test('names its principal', () => {
    expect(check('one')).toBe('me');
    expect(check('two')).toMatch(/^token-[0-9a-f]{16}$/);
    expect(check('three')).not.toBe(check('two'));
  });

  test.each(['', 'on', 'onee', 'ONE', 'one ', 'four'])('does not match %j', (token) => {
    expect(check(token)).toBeUndefined();
  });

  test('does not appear in the name of its principal', () => {
    expect(check('two')).not.toContain('two');
  });

  test('has at least 128 bits of hexadecimal digits', () => {
    expect(shortestToken).toBe(32);
  });
});

test.each<[string | undefined, string | undefined]>([
  ['Bearer abc', 'abc'],
  ['bearer a.b~c+d/e_f-g=', 'a.b~c+d/e_f-g='],
  ['Bearer', undefined],
  ['Bearer a b', undefined],
  ['Basic abc', undefined],
  ['Bearer ä', undefined],
  [undefined, undefined],
])('the header %j holds %j', (header, token) => {
  expect(bearerOf(header)).toBe(token);
});
