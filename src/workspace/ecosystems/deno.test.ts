import { expect, test } from 'vitest';
import { findCommands } from '../../../test/find-commands.ts';
import { deno } from './deno.ts';

test('tasks, and what Deno brings itself', async () => {
  const files = {
    'deno.jsonc': '{ /* x */ "tasks": { "test": "deno test -A", "dev": { "command": "deno run x" } } }',
  };
  expect(await findCommands(deno, files)).toEqual([
    'test: deno task test',
    'run: deno task dev',
    'lint: deno lint',
    'format: deno fmt',
  ]);
  expect(await findCommands(deno, {})).toEqual([]);
});
