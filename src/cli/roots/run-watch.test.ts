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

/** Watches in this process; ends by the signal that a person sends. */
function watch(home: OwnHome, ...flags: readonly string[]): Watched {
  const lines: string[] = [];
  const stdout = { write: (text: string) => void lines.push(text.trimEnd()) };
  const context = { process: { stdout, stderr: stdout, env: home.env }, cwd: home.at() };
  return { lines, ended: runCli(['roots', 'watch', ...flags], context) };
}

async function until(watched: Watched, pattern: RegExp): Promise<void> {
  await expect.poll(() => watched.lines.join('\n'), { timeout: 10_000 }).toMatch(pattern);
}

describe('rootward roots watch', () => {
  test('tells when a root vanishes, and when what is kept changes', async () => {
    using home = ownHome();
    await home.run('add', 'app');
    const watched = watch(home);
    await until(watched, /available {2}app: it exists/);
    await until(watched, /watching {2}1 root/);
    rmSync(home.at('app'), { recursive: true });
    await until(watched, /missing {2}app: it does not exist/);
    await home.run('add', 'docs');
    await until(watched, /kept {2}app, docs/);
    process.emit('SIGINT');
    expect(await watched.ended).toBe(0);
  });

  test('refuses to watch for longer than a timer counts', async () => {
    using home = ownHome();
    for (const command of ['watch', 'pick']) {
      const { code, stderr } = await home.run(command, '--seconds', '3000000');
      expect([code, stderr]).toEqual([2, expect.stringContaining('at most 2147483 seconds')]);
    }
  });

  test('tells it to a program, and what changes in them, and ends by itself', async () => {
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
