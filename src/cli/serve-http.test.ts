import { describe, expect, test } from 'vitest';
import { runInMemory } from '../../test/run-in-memory.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { parseAddress } from './serve-http.ts';

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
    expect(parseAddress(text)).toEqual({ host, port });
  });

  test.each([':65536', 'a:b', '::1', '[::1', 'http://localhost:80', 'a b', '1:2:3', ':-1'])(
    '%j is none',
    (text) => {
      expect(() => parseAddress(text)).toThrow('is no address; write HOST:PORT');
    },
  );
});

test.each([
  ['a token file that is not there', ['--http', ':0', '--token-file', 'nothing'], '--token-file', 2],
  ['a token that can be guessed', ['--http', ':0', '--token-file', 'short'], 'fewer than', 3],
  ['an address that is none', ['--http', 'a:b'], '--http', 2],
  ['an address that others reach by names that nobody gave', ['--http', '0.0.0.0:0'], 'names by which', 3],
])('does not listen with %s', async (_title, argv, named, code) => {
  using tree = tempTree(['short = 123']);
  const result = await runInMemory(tree.path, ['serve', ...argv], { ROOTWARD_HOME: tree.at('home') });
  expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(named) });
  expect(result.stderr).not.toContain('listening');
});
