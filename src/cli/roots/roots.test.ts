import { expect, test } from 'vitest';
import { ownHome } from '../../../test/support/processes/own-home.ts';
import { changeCommands } from './roots-changes.ts';
import { rootsRoutes } from './roots.ts';
import { viewCommands } from './roots-views.ts';

test('has every command', () => {
  const routed = rootsRoutes.getAllEntries().map(({ name }) => name['convert-camel-to-kebab']);
  expect(new Set(routed)).toEqual(new Set([...Object.keys(changeCommands), ...Object.keys(viewCommands)]));
});

test('refuses an unknown command, and suggests a similar one', async () => {
  using home = ownHome();
  expect(await home.run('lst')).toMatchObject({ code: 2, stderr: expect.stringContaining('list') });
});
