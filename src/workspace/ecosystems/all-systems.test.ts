import { expect, test } from 'vitest';
import { findCommands } from '../../../test/support/trees/find-commands.ts';
import { buildSystems } from './all-systems.ts';

test('every system has a name of its own, and finds nothing where nothing is', async () => {
  const names = buildSystems.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const system of buildSystems) expect(await findCommands(system, {})).toEqual([]);
});
