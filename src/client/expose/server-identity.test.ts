import { describe, expect, test } from 'vitest';
import { identifyServer, type ServerDescription } from './server-identity.ts';

describe('the tier of a server', () => {
  test.each<[string, ServerDescription]>([
    ['stdio', { name: 'a', command: 'node' }],
    ['loopback', { name: 'a', url: 'http://localhost:3000/mcp' }],
    ['loopback', { name: 'a', url: 'http://app.localhost' }],
    ['loopback', { name: 'a', url: 'http://127.1.2.3/' }],
    ['loopback', { name: 'a', url: 'http://0x7f000001/' }],
    ['loopback', { name: 'a', url: new URL('http://[::1]:1/') }],
    ['remote', { name: 'a', url: 'https://127.0.0.1.example/' }],
    ['remote', { name: 'a', url: 'https://localhost.example/' }],
    ['remote', { name: 'a', url: 'http://0.0.0.0/' }],
    ['remote', { name: 'a', url: 'https://user:127.0.0.1@example.com/' }],
    ['remote', { name: 'a' }],
    ['stdio', { name: 'a', tier: 'stdio' }],
  ])('is %s for %j', (tier, description) => {
    expect(identifyServer(description).tier).toBe(tier);
  });
});

describe('the fingerprint of a server', () => {
  const of = (rest: Omit<ServerDescription, 'name'>): string =>
    identifyServer({ name: 'a', ...rest }).fingerprint;

  test('changes with the program, its arguments and the address', () => {
    const prints = [
      of({}),
      of({ command: 'npx' }),
      of({ command: 'npx', args: ['x'] }),
      of({ command: 'npx x' }),
      of({ url: 'https://a.example/mcp' }),
      of({ url: 'https://a.example/other' }),
      of({ url: 'https://b.example/mcp' }),
      of({ url: 'https://a.example/mcp?tenant=one' }),
      of({ url: 'https://a.example/mcp?tenant=two' }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });

  test('stays the same when only a password changes, and does not reveal it', () => {
    const one = of({ url: 'https://me:one@a.example/mcp#x' });
    expect(of({ url: 'https://me:two@a.example/mcp' })).toBe(one);
    expect(one).toMatch(/^[0-9a-f]{32}$/);
  });
});

test.each<[string, ServerDescription]>([
  ['its name is empty, too long, or has invisible characters', { name: '' }],
  ['its name is empty, too long, or has invisible characters', { name: 'a\nb' }],
  ['its name is empty, too long, or has invisible characters', { name: 'x'.repeat(257) }],
  ['it has both a command and a URL', { name: 'a', command: 'x', url: 'http://x' }],
  ['its URL cannot be read', { name: 'a', url: 'not a url' }],
])('a server is refused because %s', (reason, description) => {
  expect(() => identifyServer(description)).toThrow(reason);
});
