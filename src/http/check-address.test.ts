import { describe, expect, test } from 'vitest';
import { checkAddress, isLoopback, ownNames } from './check-address.ts';

describe('the names of a server', () => {
  test('have its port', () => {
    const { hosts, origins } = ownNames({ port: 8080 });
    expect([...hosts]).toEqual(['127.0.0.1:8080', 'localhost:8080', '[::1]:8080']);
    expect([...origins]).toEqual(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080']);
  });

  test('may leave out port 80, as browsers do', () => {
    const names = ownNames({ port: 80 });
    expect(checkAddress({ host: 'localhost', origin: 'http://localhost' }, names)).toBeUndefined();
    expect(checkAddress({ host: 'localhost:80' }, names)).toBeUndefined();
  });

  test('are more where the operator says so', () => {
    const names = ownNames({ port: 1, hosts: ['MCP.example'], origins: ['https://MCP.example'] });
    expect(checkAddress({ host: 'mcp.EXAMPLE', origin: 'https://mcp.example' }, names)).toBeUndefined();
    expect(checkAddress({ host: 'mcp.example:1' }, names)).toBe('foreign-host');
  });
});

test('a request without a Host is turned away', () => {
  expect(checkAddress({}, ownNames({ port: 1 }))).toBe('foreign-host');
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
