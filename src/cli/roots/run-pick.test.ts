import { expect, test } from 'vitest';
import { ownHome } from '../../../test/support/processes/own-home.ts';

/** Picking is tested on a terminal, in test/e2e/roots. */
test('fails without a terminal, and suggests other commands', async () => {
  using home = ownHome();
  const { code, stderr } = await home.run('pick');
  expect(code).toBe(2);
  expect(stderr).toContain('Cannot pick without a terminal');
  expect(stderr).toContain('rootward roots add');
  expect(await home.names()).toEqual([]);
});
