import { expect, test } from 'vitest';
import { openOwnDirectory } from '../config/open-own-directory.ts';
import { tempTree } from '../testing/temp-tree.ts';
import { createKit } from '../tools/ready/kit.ts';
import { findRunning } from '../web/find-running.ts';
import { announceServe } from './announce-serve.ts';
import type { CliContext } from './command-context.ts';

function contextIn(home: string): CliContext {
  const silent = { write: () => {} };
  return { process: { stdout: silent, stderr: silent, env: { ROOTWARD_HOME: home } }, cwd: home };
}

const kitOptions = { version: '1.2.3', tools: [], instructions: '', attach: {} };

test('a server is found while it runs, and gone when it has closed', async () => {
  using home = tempTree();
  const announced = announceServe(contextIn(home.path));
  createKit(announced.join(kitOptions)).close();
  announced.opened('http://127.0.0.1:1/mcp');
  await using state = await openOwnDirectory(home.at('state'));
  await expect
    .poll(() => findRunning(state))
    .toMatchObject([{ command: 'serve', version: '1.2.3', pid: process.pid, url: 'http://127.0.0.1:1/mcp' }]);
  await announced.close();
  expect(await findRunning(state)).toEqual([]);
});

test('a place where nothing can be written costs the page alone', async () => {
  using home = tempTree(['state = a file in the way']);
  const announced = announceServe(contextIn(home.path));
  const { attach } = announced.join(kitOptions);
  expect(
    await attach.ask?.({
      request: { operation: 'read', path: 'a' },
      root: 'app',
      reason: '',
      signal: AbortSignal.timeout(1),
    }),
  ).toBeUndefined();
  await announced.close();
});
