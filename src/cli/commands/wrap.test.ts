import { expect, test } from 'vitest';
import { runInMemory } from '../../../test/support/processes/run-in-memory.ts';

test('a command is needed, and unknown flags of ours are errors', async () => {
  expect(await runInMemory('/', ['wrap'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('rootward wrap --'),
  });
  expect(await runInMemory('/', ['wrap', '--read-onl', '--', 'x'])).toMatchObject({ code: 2 });
});

test('the help says what is not guaranteed', async () => {
  const { stdout, code } = await runInMemory('/', ['wrap', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('The server is not confined');
});
