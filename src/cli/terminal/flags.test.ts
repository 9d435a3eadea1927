import { expect, test } from 'vitest';
import { runInMemory } from '../../../test/run-in-memory.ts';
import { tempTree } from '../../testing/temp-tree.ts';

test.each(['', '.', '..', 'a/b', '../x', '*.blue'])(
  'refuses %j, which is no name, wherever a marker is asked for',
  async (name) => {
    for (const command of ['where', 'find']) {
      expect(await runInMemory('/', [command, '--marker', name])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`Cannot use "${name}" as a marker: it is`),
      });
    }
  },
);

test('takes a name', async () => {
  using tree = tempTree(['app/.blue/', 'app/src/']);
  const { code, stdout } = await runInMemory(tree.at('app/src'), ['where', '--marker', '.blue']);
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('found .blue going up'),
  });
});
