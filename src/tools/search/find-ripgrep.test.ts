import { chmodSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { expect, test } from 'vitest';
import { tempTree } from '../../testing/temp-tree.ts';
import { findRipgrep } from './find-ripgrep.ts';

test('takes the one that came with us, if it can be run', async () => {
  using tree = tempTree(['own']);
  const load = async (): Promise<{ rgPath: string }> => ({ rgPath: tree.at('own') });
  expect(await findRipgrep({}, { load })).toBeUndefined();
  chmodSync(tree.at('own'), 0o755);
  expect(await findRipgrep({}, { load })).toBe(tree.at('own'));
  expect(isAbsolute((await findRipgrep({})) ?? '')).toBe(true);
});

test('does not take it where it lies in a root, also through a link', async () => {
  using tree = tempTree(['app/node_modules/rg', 'other/', 'link => app']);
  chmodSync(tree.at('app/node_modules/rg'), 0o755);
  const load = async (): Promise<{ rgPath: string }> => ({ rgPath: tree.at('app/node_modules/rg') });
  expect(await findRipgrep({}, { load, roots: [tree.at('other')] })).toBe(tree.at('app/node_modules/rg'));
  for (const root of ['app', 'link', 'app/node_modules/rg'])
    expect(await findRipgrep({}, { load, roots: [tree.at(root)] })).toBeUndefined();
});

test('otherwise none that a tool could have put there', async () => {
  using tree = tempTree(['bin/rg']);
  chmodSync(tree.at('bin/rg'), 0o755);
  const load = (): Promise<never> => Promise.reject(new Error('not for this system'));
  expect(await findRipgrep({ PATH: tree.at('bin') }, { load })).toBeUndefined();
});
