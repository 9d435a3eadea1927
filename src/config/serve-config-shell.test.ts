import { expect, test } from 'vitest';
import { parseServeConfig } from './serve-config.ts';

test('everything that can be said about the shell is read', () => {
  const shell = {
    network: true,
    env: ['GOPATH', '_x1'],
    read: ['~/.cargo', '/opt/sdk'],
    timeout: 900,
    memory: 8_192,
    processes: 64,
    output: 16,
    tmp: 2_048,
  };
  expect(parseServeConfig({ shell })).toEqual({ shell });
});

test.each<[what: string, shell: unknown, where: string]>([
  ['a key that is unknown', { networ: true }, 'shell.networ'],
  ['a word for yes', { network: 'yes' }, 'shell.network'],
  ['a variable with its value', { env: ['A=b'] }, 'shell.env[0]'],
  ['a time without an end', { timeout: 0 }, 'shell.timeout'],
  ['half a second', { timeout: 0.5 }, 'shell.timeout'],
  ['more than a day', { timeout: 86_401 }, 'shell.timeout'],
  ['a number in words', { memory: '512' }, 'shell.memory'],
  ['a list', [], 'shell'],
])('%s is refused', (_what, shell, where) => {
  expect(() => parseServeConfig({ shell })).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', data: expect.objectContaining({ where }) }),
  );
});
