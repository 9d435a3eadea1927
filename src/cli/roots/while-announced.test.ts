import { expect, test } from 'vitest';
import { openOwnDirectory } from '../../config/open-own-directory.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findRunning } from '../../web/processes/find-running.ts';
import { whileAnnounced } from './while-announced.ts';
import { runCli } from '../run-cli.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';

function contextIn(home: string): CliContext {
  const silent = { write: () => {} };
  return { process: { stdout: silent, stderr: silent, env: { ROOTWARD_HOME: home } }, cwd: home };
}

test('a command is known while it runs, however it ends', async () => {
  using home = tempTree();
  await using state = await openOwnDirectory(home.at('state'));
  const failing = whileAnnounced(contextIn(home.path), 'watch', async () => {
    expect(await findRunning(state)).toMatchObject([{ command: 'watch', directory: home.path }]);
    throw new Error('it failed');
  });
  await expect(failing).rejects.toThrow('it failed');
  expect(await findRunning(state)).toEqual([]);
});

test('a place where nothing can be written keeps no command from running', async () => {
  using home = tempTree(['state = a file in the way']);
  let ran = false;
  await whileAnnounced(contextIn(home.path), 'watch', async () => void (ran = true));
  expect(ran).toBe(true);
});

test('a watch is one of those', async () => {
  using home = tempTree();
  await using state = await openOwnDirectory(home.at('state'));
  const watching = runCli(['roots', 'watch', '--seconds', '3'], contextIn(home.path));
  await expect.poll(() => findRunning(state)).toMatchObject([{ command: 'watch' }]);
  expect(await watching).toBe(0);
  expect(await findRunning(state)).toEqual([]);
});
