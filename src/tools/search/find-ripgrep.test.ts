import { chmodSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { findRipgrep, findUnsafeRipgreps } from './find-ripgrep.ts';

test('takes the one that came with us, if it can be run', async () => {
  using tree = tempTree(['own']);
  const load = async (): Promise<{ rgPath: string }> => ({ rgPath: tree.at('own') });
  expect(await findRipgrep({}, load)).toBeUndefined();
  chmodSync(tree.at('own'), 0o755);
  expect(await findRipgrep({}, load)).toBe(tree.at('own'));
  expect(isAbsolute((await findRipgrep({})) ?? '')).toBe(true);
});

test('otherwise none that a tool could have put there', async () => {
  using tree = tempTree(['bin/rg']);
  chmodSync(tree.at('bin/rg'), 0o755);
  const load = (): Promise<never> => Promise.reject(new Error('not for this system'));
  expect(await findRipgrep({ PATH: tree.at('bin') }, load)).toBeUndefined();
  const told = [expect.stringContaining(`"${tree.at('bin/rg')}" is not used: `)];
  expect(await findUnsafeRipgreps({ PATH: tree.at('bin') }, load)).toEqual(told);
  expect(await findUnsafeRipgreps({ PATH: tree.at('bin') })).toEqual([]);
});
