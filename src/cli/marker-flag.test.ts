import { expect, test } from 'vitest';
import { runInMemory } from '../../test/run-in-memory.ts';

test.each(['', '.', '..', 'a/b', '../x'])(
  'refuses %j, which is no name, wherever a marker is asked for',
  async (name) => {
    for (const command of ['where', 'find']) {
      expect(await runInMemory('/', [command, '--marker', name])).toMatchObject({ code: 2, stdout: '' });
    }
  },
);
