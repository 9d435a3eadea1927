import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type TempTree, tempTree } from '../../../src/testing/temp-tree.ts';
import { program } from '../../support/processes/program.ts';

const isRoot = process.geteuid?.() === 0;
/** A namespace of mounts, in which a directory of the system holds the opener of a test. */
const unshared = [isRoot ? '-m' : '-rm', '/bin/sh', '-c', 'mount --bind "$0" /usr/local/sbin && exec "$@"'];
const canUnshare = spawnSync('unshare', [...unshared, '/usr/local/sbin', 'true']).status === 0;

interface Started {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly exit: Promise<unknown>;
}

/** The real command with a screen, and with an opener that writes down what it got and stays. */
function start(tree: TempTree, ...args: readonly string[]): Started {
  const opener = tree.at('sbin/xdg-open');
  writeFileSync(
    opener,
    `#!/bin/sh\nprintf '%s %s' $$ "$*" > ${tree.at('seen.new')}\nmv ${tree.at('seen.new')} ${tree.at('seen')}\nexec sleep 60\n`,
  );
  chmodSync(opener, 0o755);
  const env = {
    PATH: `${tree.at('work/.venv/bin')}:/usr/local/sbin:/usr/bin:/bin`,
    HOME: tree.at('home'),
    ROOTWARD_HOME: tree.at('home'),
    DISPLAY: ':0',
  };
  const command = [tree.at('sbin'), process.execPath, program, 'web', ...args];
  const child = spawn('unshare', [...unshared, ...command], { cwd: tree.at('work'), env });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  return { child, out: () => out, err: () => err, exit: once(child, 'close') };
}

/** What everybody on the machine can see of every process: its arguments. */
function everyCommandLine(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readIfThere(`/proc/${pid}/cmdline`))
    .join('\n');
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Everything in a directory, with the names. */
function everythingIn(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => `${name}\n${readIfThere(join(directory, name))}`)
    .join('\n');
}

function asNobody(...command: readonly [string, ...string[]]): {
  readonly status: number | null;
  readonly stdout: string;
} {
  const [file, ...args] = command;
  return spawnSync(file, args, { uid: 65_534, gid: 65_534, encoding: 'utf8' });
}

describe.runIf(process.platform === 'linux' && canUnshare)(
  'rootward web and the program that opens a browser (needs unshare)',
  () => {
    test('no user of the machine can read the link or the token anywhere, and the file is gone when it was used', async () => {
      using tree = tempTree(['home/', 'sbin/', 'work/.venv/bin/xdg-open = #!/bin/sh\ntouch planted-ran\n']);
      chmodSync(tree.at('work/.venv/bin/xdg-open'), 0o755);
      const { child, out, err, exit } = start(tree, '--serve');
      await expect.poll(() => existsSync(tree.at('seen')), { timeout: 20_000 }).toBe(true);
      await expect.poll(err, { timeout: 20_000 }).toContain('listening on');
      const [pid = '', file = ''] = readFileSync(tree.at('seen'), 'utf8').split(' ');
      const { origin, hash, pathname } = new URL(out().trim());
      const token = /bearer token, shown once: (\S+)/.exec(err())?.[1] ?? '';
      const secrets = [hash.slice(1), pathname.slice(1, -1), token];
      expect(secrets.map((secret) => secret.length)).toEqual([43, 43, 43]);
      expect(file).toMatch(/^file:\/\/\/.*\/home\/state\/open-[\da-f]{24}\.html$/);
      // The one that lies in the project was not even tried.
      expect(existsSync(tree.at('work/planted-ran'))).toBe(false);
      expect(err()).toContain(`"${tree.at('work/.venv/bin/xdg-open')}" is not used: `);
      const lines = everyCommandLine();
      expect(lines).toContain(program);
      for (const secret of secrets) expect(lines).not.toContain(secret);
      for (const secret of secrets) expect(readIfThere(`/proc/${pid}/environ`)).not.toContain(secret);
      const path = fileURLToPath(file);
      const kept = everythingIn(tree.at('home')).replace(readFileSync(path, 'utf8'), '');
      for (const secret of [hash.slice(1), token]) expect(kept).not.toContain(secret);
      if (isRoot) {
        // Another user sees what the opener was told, as ever, and can do nothing with it.
        chmodSync(tree.path, 0o755);
        chmodSync(tree.at('home'), 0o755);
        expect(asNobody('cat', path)).toMatchObject({ status: 1, stdout: '' });
        chmodSync(tree.at('home/state'), 0o755);
        expect(asNobody('cat', path)).toMatchObject({ status: 1, stdout: '' });
        expect(asNobody('ls', tree.at('home/state')).stdout).toContain('open-');
      }
      expect(readFileSync(path, 'utf8')).toContain(out().trim());
      const enter = (): Promise<Response> =>
        fetch(`${origin}${pathname}api/session`, {
          method: 'POST',
          body: JSON.stringify({ token: hash.slice(1) }),
          headers: { 'content-type': 'application/json' },
        });
      expect((await enter()).status).toBe(200);
      await expect.poll(() => existsSync(path)).toBe(false);
      expect((await enter()).status).toBe(401);
      await expect.poll(err).toContain('a link was opened for the second time');
      process.kill(Number(pid), 'SIGKILL');
      child.kill('SIGTERM');
      await exit;
    });

    test('a file that was not used is gone at the end, and an opener that fails is told', async () => {
      using tree = tempTree(['home/', 'sbin/', 'work/']);
      const { child, err, exit } = start(tree);
      await expect.poll(() => existsSync(tree.at('seen')), { timeout: 20_000 }).toBe(true);
      const [pid = '', file = ''] = readFileSync(tree.at('seen'), 'utf8').split(' ');
      expect(existsSync(fileURLToPath(file))).toBe(true);
      process.kill(Number(pid), 'SIGKILL');
      await expect.poll(err).toContain('no browser could be opened; open the link above');
      child.kill('SIGINT');
      await exit;
      expect(existsSync(fileURLToPath(file))).toBe(false);
    });
  },
);
