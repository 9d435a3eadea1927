import { expect, test } from 'vitest';
import { parsePort, webCommand } from './web.ts';

test('a port must be a valid port number', () => {
  expect([parsePort('0'), parsePort('7331')]).toEqual([0, 7331]);
  for (const text of ['', '-1', '70000', '80a', '1e3'])
    expect(() => parsePort(text)).toThrow('a port from 0');
});

test('describes itself in one line', () => {
  expect(webCommand.brief).toContain('page');
});
