import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ownHome, type OwnHome } from '../../../test/client-cli/own-home.ts';
import { runCli } from '../run-cli.ts';

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
    await until(watched, /available {2}app: it is there/);
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
