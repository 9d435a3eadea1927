import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ownHome, type OwnHome } from '../../../test/support/processes/own-home.ts';
import { openOwnDirectory } from '../../config/own-directory.ts';
import type { CliContext } from '../../serve/settings/process-context.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { findRunning } from '../../web/processes/find-running.ts';
import { runCli } from '../run-cli.ts';
import { whileAnnounced } from './run-watch.ts';

interface Watched {
  readonly lines: readonly string[];
  readonly ended: Promise<number>;
}

/** Watches in this process; ends with the signal of a person. */
function watch(home: OwnHome, ...flags: readonly string[]): Watched {
  const lines: string[] = [];
  const stdout = { write: (text: string) => void lines.push(text.trimEnd()) };
  const context = { process: { stdout, stderr: stdout, env: home.env }, cwd: home.at() };
  return { lines, ended: runCli(['roots', 'watch', ...flags], context) };
}

async function until(watched: Watched, pattern: RegExp): Promise<void> {
  await expect.poll(() => watched.lines.join('\n'), { timeout: 20_000 }).toMatch(pattern);
}

describe('rootward roots watch', () => {
  test('reports when a root vanishes, and when the store changes', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    const watched = watch(home);
    await until(watched, /available {2}app: it exists/);
    await until(watched, /watching {2}1 root/);
    rmSync(home.at('app'), { recursive: true });
    await until(watched, /missing {2}app: it does not exist/);
    await home.run('add', 'docs');
    await until(watched, /stored {2}app, docs/);
    process.emit('SIGINT');
    expect(await watched.ended).toBe(0);
  });

  test('refuses a duration longer than the longest timer', async () => {
    using home = ownHome();
    for (const command of ['watch', 'pick']) {
      const { code, stderr } = await home.run(command, '--seconds', '3000000');
      expect([code, stderr]).toEqual([2, expect.stringContaining('at most 2147483 seconds')]);
    }
  });

  test('prints JSON with changes of content, and ends after a while', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    const watched = watch(home, '--json', '--seconds', '2', '--content');
    await until(watched, /"event":"status","root":"app"/);
    await until(watched, /"event":"watching","roots":1/);
    rmSync(home.at('app', 'a.txt'));
    await until(watched, /"event":"content","root":"app","paths":\["a\.txt"\]/);
    expect(await watched.ended).toBe(0);
    for (const line of watched.lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });
});

function contextIn(home: string): CliContext {
  const silent = { write: () => {} };
  return { process: { stdout: silent, stderr: silent, env: { ROOTWARD_HOME: home } }, cwd: home };
}

test('announces a command while it runs, however it ends', async () => {
  using home = tempTree();
  await using state = await openOwnDirectory(home.at('state'));
  const failing = whileAnnounced(contextIn(home.path), 'watch', async () => {
    expect(await findRunning(state)).toMatchObject([{ command: 'watch', directory: home.path }]);
    throw new Error('it failed');
  });
  await expect(failing).rejects.toThrow('it failed');
  expect(await findRunning(state)).toEqual([]);
});

test('runs a command even if nothing can be written', async () => {
  using home = tempTree(['state = a file in the way']);
  let ran = false;
  await whileAnnounced(contextIn(home.path), 'watch', async () => void (ran = true));
  expect(ran).toBe(true);
});

test('announces a watch', async () => {
  using home = tempTree();
  await using state = await openOwnDirectory(home.at('state'));
  const watching = runCli(['roots', 'watch', '--seconds', '3'], contextIn(home.path));
  await expect.poll(() => findRunning(state)).toMatchObject([{ command: 'watch' }]);
  expect(await watching).toBe(0);
  expect(await findRunning(state)).toEqual([]);
});
