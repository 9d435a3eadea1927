import { expect, test } from 'vitest';
import { runInMemory } from '../../test/run-in-memory.ts';
import { tempTree } from '../testing/temp-tree.ts';

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
