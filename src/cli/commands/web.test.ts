import { expect, test } from 'vitest';
import { parsePort, webCommand } from './web.ts';

test('a port is a number that a port can be', () => {
  expect([parsePort('0'), parsePort('7331')]).toEqual([0, 7331]);
  for (const text of ['', '-1', '70000', '80a', '1e3'])
    expect(() => parsePort(text)).toThrow('a port from 0');
});

test('says in one line what it is for', () => {
  expect(webCommand.brief).toContain('page');
});
