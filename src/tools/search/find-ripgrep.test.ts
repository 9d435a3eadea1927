import { chmodSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { findRipgrep } from './find-ripgrep.ts';

const missing = (): Promise<never> => Promise.reject(new Error('not for this system'));

test('takes the one that came with us, if it can be run', async () => {
  using tree = tempTree(['own', 'bin/rg']);
  chmodSync(tree.at('bin/rg'), 0o755);
  const load = async (): Promise<{ rgPath: string }> => ({ rgPath: tree.at('own') });
  expect(await findRipgrep({ PATH: tree.at('bin') }, load)).toBe(tree.at('bin/rg'));
  chmodSync(tree.at('own'), 0o755);
  expect(await findRipgrep({ PATH: tree.at('bin') }, load)).toBe(tree.at('own'));
  expect(isAbsolute((await findRipgrep({})) ?? '')).toBe(true);
});

test('otherwise one that is installed, otherwise none', async () => {
  using tree = tempTree(['bin/rg']);
  chmodSync(tree.at('bin/rg'), 0o755);
  expect(await findRipgrep({ PATH: tree.at('bin') }, missing)).toBe(tree.at('bin/rg'));
  expect(await findRipgrep({ PATH: tree.path }, missing)).toBeUndefined();
});
